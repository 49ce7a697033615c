#include "render/cells/ChangeMarks.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double smallestMarkedCell = 4.0; // device-independent pixels
constexpr Index mostComparedCells = 100'000;

bool isSameNumber(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

float changeStrength(double before, double after, double width)
{
    if (isSameNumber(before, after))
        return 0.0f;
    if (!std::isfinite(before) || !std::isfinite(after) || !(width > 0.0))
        return 1.0f;
    return static_cast<float>(std::sqrt(std::min(1.0, std::abs(after - before) / width)));
}

bool isExactThere(const SceneMap &map, const CellBlock &block)
{
    return map.values->blockStatus(map.head, block.row, block.col, block.rowCount, block.colCount) ==
           BlockStatus::Exact;
}

std::vector<double> readNumbers(const SceneMap &map, const CellBlock &block)
{
    std::vector<double> numbers(static_cast<std::size_t>(block.rowCount * block.colCount));
    map.values->readBlock(map.head, block.row, block.col, block.rowCount, block.colCount, numbers.data(),
                          block.colCount);
    return numbers;
}

void drawRing(QPainter &painter, const QRectF &rect, double thickness, const QColor &color)
{
    const double t = thickness;
    painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), t), color);
    painter.fillRect(QRectF(rect.left(), rect.bottom() - t, rect.width(), t), color);
    painter.fillRect(QRectF(rect.left(), rect.top() + t, t, rect.height() - 2 * t), color);
    painter.fillRect(QRectF(rect.right() - t, rect.top() + t, t, rect.height() - 2 * t), color);
}

} // namespace

const ChangeMarks *SceneChanges::find(const MapKey &key) const
{
    const auto found = std::ranges::find_if(maps, [&key](const auto &entry) { return entry.first == key; });
    return found == maps.end() ? nullptr : &found->second;
}

ChangeMarks changeMarks(const SceneMap &before, const SceneMap &after, const CellBlock &block)
{
    if (block.isEmpty() || !before.values || !after.values ||
        (before.values == after.values && before.head == after.head) ||
        before.values->rows() != after.values->rows() || before.values->cols() != after.values->cols() ||
        !isExactThere(before, block) || !isExactThere(after, block))
        return {};
    const std::vector<double> old = readNumbers(before, block);
    const std::vector<double> now = readNumbers(after, block);
    const double width = after.range.maximum - after.range.minimum;
    ChangeMarks marks{block, std::vector<float>(now.size())};
    bool isChanged = false;
    for (std::size_t i = 0; i < now.size(); ++i) {
        marks.strength[i] = changeStrength(old[i], now[i], width);
        isChanged = isChanged || marks.strength[i] > 0.0f;
    }
    return isChanged ? marks : ChangeMarks();
}

std::shared_ptr<const SceneChanges> sceneChanges(const Scene &before, const Scene &after,
                                                 const QRectF &visible, double zoom)
{
    auto changes = std::make_shared<SceneChanges>();
    Index compared = 0;
    for (const SceneMap &map : after.maps) {
        const auto old = std::ranges::find_if(
            before.maps, [&map](const SceneMap &candidate) { return candidate.key == map.key; });
        if (old == before.maps.end() || !map.values || map.values->rows() == 0 || map.values->cols() == 0)
            continue;
        const CellGrid grid{map.values->rows(), map.values->cols(), map.rect, false};
        const CellBlock block = cellsMeeting(grid, visible);
        const Index cells = block.isEmpty() ? 0 : block.rowCount * block.colCount;
        if (std::min(grid.cellWidth(), grid.cellHeight()) * zoom < smallestMarkedCell ||
            compared + cells > mostComparedCells)
            continue;
        compared += cells;
        if (ChangeMarks marks = changeMarks(*old, map, block); !marks.isEmpty())
            changes->maps.emplace_back(map.key, std::move(marks));
    }
    return changes->maps.empty() ? nullptr : changes;
}

void drawChangeMarks(QPainter &painter, const CellGrid &grid, const CellBlock &visible,
                     const ChangeMarks &marks, double fade, const Theme &theme, double unit)
{
    const double pixel = std::max(1.0, std::floor(unit));
    const bool isSmall = std::min(grid.cellWidth(), grid.cellHeight()) < 10.0 * unit;
    for (Index row = visible.row; row < visible.row + visible.rowCount; ++row) {
        for (Index col = visible.col; col < visible.col + visible.colCount; ++col) {
            const double strength = static_cast<double>(marks.at(row, col));
            if (strength <= 0.0)
                continue;
            const double opacity = fade * (0.35 + 0.65 * strength);
            const double thickness = isSmall ? pixel : std::max(pixel, std::round(3.0 * strength) * pixel);
            QColor ink = theme.text;
            QColor casing = theme.card; // readable on dark and on light cells
            ink.setAlphaF(static_cast<float>(opacity));
            casing.setAlphaF(static_cast<float>(opacity));
            const QRectF cell = grid.cells(row, col);
            drawRing(painter, cell, thickness, ink);
            if (!isSmall)
                drawRing(painter, cell.adjusted(thickness, thickness, -thickness, -thickness), pixel, casing);
        }
    }
}

} // namespace attn
