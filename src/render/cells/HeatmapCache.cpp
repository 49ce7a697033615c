#include "render/cells/HeatmapCache.h"

#include "engine/pooling/ChangedCells.h"
#include "render/Scene.h"

#include <QRegion>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace attn {

namespace {

bool isSameOwner(const std::weak_ptr<const StageValues> &kept, const StageValuesPtr &values)
{
    return !kept.owner_before(values) && !values.owner_before(kept);
}

/// The cells that an image of this look is made of, rather too many than too few.
CellBlock cellsUnder(const StageValues &values, const HeatmapLook &look)
{
    const auto range = [](Index count, Index pool, int size, int begin, int end) {
        const double perPixel = static_cast<double>(count) / std::max(1, size);
        const Index first = static_cast<Index>(std::floor(begin * perPixel)) - pool - 1;
        const Index last = static_cast<Index>(std::ceil(end * perPixel)) + pool + 1;
        return std::pair(std::max<Index>(0, first), std::min(count, last));
    };
    const QRect &part = look.part;
    const auto [row, rowEnd] =
        range(values.rows(), look.pool.rows, look.size.height(), part.top(), part.bottom() + 1);
    const auto [col, colEnd] =
        range(values.cols(), look.pool.cols, look.size.width(), part.left(), part.right() + 1);
    return {row, col, rowEnd - row, colEnd - col};
}

bool meets(const std::vector<ChangedCells::Lines> &changed, Index first, Index count)
{
    return std::ranges::any_of(changed, [=](const ChangedCells::Lines &lines) {
        return lines.first < first + count && first < lines.first + lines.count;
    });
}

} // namespace

struct HeatmapCache::Entry
{
    MapKey key;
    std::weak_ptr<const StageValues> values;
    std::weak_ptr<const StageValues> allowed;
    Index head;
    Index allowedHead;
    ValueRange range;
    std::array<QRgb, 256> colors;
    Pooling pooling;
    HeatmapLook look;
    HeatmapDrawing drawing;

    /// The same map with what was known of it before: never asked for again.
    bool precedes(const SceneMap &map, HeatmapLook wanted) const
    {
        const bool isOlder = look.pooled && look.revision <= wanted.revision;
        wanted.revision = look.revision;
        return isOlder && key == map.key && head == map.head && pooling == map.pooling && look == wanted;
    }
    qsizetype bytes() const
    {
        constexpr std::size_t perCell = sizeof(std::uint16_t) + sizeof(float) + sizeof(PoolState);
        return drawing.image.sizeInBytes() + static_cast<qsizetype>(drawing.places.size() * perCell);
    }

    /// The same, of another part.
    bool continues(const SceneMap &map, HeatmapLook wanted) const
    {
        wanted.part = look.part;
        return shows(map, wanted);
    }

    bool shows(const SceneMap &map, const HeatmapLook &wanted) const
    {
        return isSameOwner(values, map.values) && isSameOwner(allowed, map.allowed) && head == map.head &&
               allowedHead == map.allowedHead && range == map.range && pooling == map.pooling &&
               look == wanted && colors == map.colorMap->table();
    }
};

HeatmapCache::HeatmapCache(qsizetype maximumBytes)
    : m_maximumBytes(maximumBytes)
{
}

HeatmapCache::~HeatmapCache() = default;

QImage HeatmapCache::image(const SceneMap &map, const HeatmapLook &look)
{
    const auto found =
        std::ranges::find_if(m_entries, [&](const Entry &entry) { return entry.shows(map, look); });
    if (found != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found);
        return m_entries.front().drawing.image;
    }
    ++m_misses;
    HeatmapDrawing drawing = made(map, look);
    m_entries.push_front({map.key, map.values, map.allowed, map.head, map.allowedHead, map.range,
                          map.colorMap->table(), map.pooling, look, std::move(drawing)});
    m_bytes += m_entries.front().bytes();
    trim();
    return m_entries.front().drawing.image;
}

/// What the same map looked like before more of it was known, to be drawn over.
HeatmapDrawing HeatmapCache::takeOutdated(const SceneMap &map, const HeatmapLook &look)
{
    const auto found =
        std::ranges::find_if(m_entries, [&](const Entry &entry) { return entry.precedes(map, look); });
    if (found == m_entries.end())
        return {};
    m_bytes -= found->bytes();
    HeatmapDrawing drawing = std::move(found->drawing);
    m_entries.erase(found);
    return drawing;
}

/// An image of the same map of which a good part is wanted again.
const HeatmapCache::Entry *HeatmapCache::neighbour(const SceneMap &map, const HeatmapLook &look) const
{
    // What is read through pools is asked for as a whole, so that all of it is refined.
    if (look.pooled)
        return nullptr;
    const auto area = [](const QRect &rect) {
        return qint64(rect.width()) * rect.height();
    };
    const auto isNear = [&](const Entry &entry) {
        return 2 * area(entry.look.part & look.part) >= area(look.part) && entry.continues(map, look);
    };
    const auto found = std::ranges::find_if(m_entries, isNear);
    return found == m_entries.end() ? nullptr : &*found;
}

HeatmapDrawing HeatmapCache::made(const SceneMap &map, const HeatmapLook &look)
{
    const Entry *before = neighbour(map, look);
    if (!before)
        return heatmapImage(map, look, m_memory, takeOutdated(map, look));
    ++m_scrolled;
    QImage image(look.part.size(), QImage::Format_RGB32);
    const auto put = [&](const QImage &from, const QRect &fromPart, const QRect &rect) {
        const auto bytes = static_cast<std::size_t>(rect.width()) * sizeof(QRgb);
        for (int y = rect.top(); y <= rect.bottom(); ++y)
            std::memcpy(reinterpret_cast<QRgb *>(image.scanLine(y - look.part.top())) + rect.left() -
                            look.part.left(),
                        reinterpret_cast<const QRgb *>(from.constScanLine(y - fromPart.top())) + rect.left() -
                            fromPart.left(),
                        bytes);
    };
    const QRect common = before->look.part & look.part;
    put(before->drawing.image, before->look.part, common);
    HeatmapLook piece = look;
    for (const QRect &rect : QRegion(look.part) - common) {
        piece.part = rect;
        put(heatmapImage(map, piece, m_memory).image, rect, rect);
    }
    HeatmapDrawing drawing;
    drawing.image = std::move(image);
    return drawing;
}

void HeatmapCache::carryOver(const SceneMap &before, const SceneMap &now)
{
    if (before.values == now.values || !before.values || !now.values || before.head != now.head)
        return;
    std::optional<ChangedCells> changed;
    for (Entry &entry : m_entries) {
        if (entry.head != now.head || entry.look.pooled || !isSameOwner(entry.values, before.values))
            continue;
        if (!changed)
            changed = changedCells(*before.values, *now.values, now.head);
        if (changed->everywhere)
            return;
        const CellBlock cells = cellsUnder(*now.values, entry.look);
        const auto isExact = [&](const StageValues &values) {
            return values.blockStatus(now.head, cells.row, cells.col, cells.rowCount, cells.colCount) ==
                   BlockStatus::Exact;
        };
        if (!meets(changed->rows, cells.row, cells.rowCount) &&
            !meets(changed->cols, cells.col, cells.colCount) && isExact(*before.values) &&
            isExact(*now.values))
            entry.values = now.values;
    }
}

void HeatmapCache::clear()
{
    m_entries.clear();
    m_memory = {};
    m_bytes = 0;
}

void HeatmapCache::trim()
{
    // Images of values that are gone can never be asked for again, but may be drawn over.
    std::erase_if(m_entries, [this](const Entry &entry) {
        if (entry.look.pooled || !entry.values.expired())
            return false;
        m_bytes -= entry.bytes();
        return true;
    });
    while (m_bytes > m_maximumBytes && m_entries.size() > 1) {
        m_bytes -= m_entries.back().bytes();
        m_entries.pop_back();
    }
}

} // namespace attn
