#include "render/cells/HeatmapCache.h"

#include "render/Scene.h"

#include <algorithm>

namespace attn {

namespace {

bool isSameOwner(const std::weak_ptr<const StageValues> &kept, const StageValuesPtr &values)
{
    return !kept.owner_before(values) && !values.owner_before(kept);
}

} // namespace

struct HeatmapCache::Entry
{
    std::weak_ptr<const StageValues> values;
    std::weak_ptr<const StageValues> allowed;
    Index head;
    Index allowedHead;
    ValueRange range;
    std::array<QRgb, 256> colors;
    Pooling pooling;
    HeatmapLook look;
    QImage image;

    bool shows(const SceneMap &map, const HeatmapLook &wanted) const
    {
        return isSameOwner(values, map.values) && isSameOwner(allowed, map.allowed) && head == map.head &&
               allowedHead == map.allowedHead && range.minimum == map.range.minimum &&
               range.maximum == map.range.maximum && range.isEmpty == map.range.isEmpty &&
               pooling == map.pooling && look == wanted && colors == map.colorMap->table();
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
        return m_entries.front().image;
    }
    ++m_misses;
    QImage made = heatmapImage(map, look, m_glyphs);
    m_entries.push_front({map.values, map.allowed, map.head, map.allowedHead, map.range,
                          map.colorMap->table(), map.pooling, look, made});
    m_bytes += made.sizeInBytes();
    trim();
    return made;
}

void HeatmapCache::clear()
{
    m_entries.clear();
    m_glyphs.clear();
    m_bytes = 0;
}

void HeatmapCache::trim()
{
    // Images of values that are gone can never be asked for again.
    std::erase_if(m_entries, [this](const Entry &entry) {
        if (!entry.values.expired())
            return false;
        m_bytes -= entry.image.sizeInBytes();
        return true;
    });
    while (m_bytes > m_maximumBytes && m_entries.size() > 1) {
        m_bytes -= m_entries.back().image.sizeInBytes();
        m_entries.pop_back();
    }
}

} // namespace attn
