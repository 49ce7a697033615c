#include "render/cells/CellVeils.h"

#include "render/Scene.h"
#include "render/cells/CellHatching.h"

#include <algorithm>

namespace attn {

namespace {

constexpr double updatingShare = 0.47; ///< of the card, over a number that is not exact yet
constexpr double veiledShare = 0.69;   ///< over what takes no part

} // namespace

CellVeils CellVeils::of(const SceneMap &map, const Theme &theme)
{
    CellVeils veils{theme.card.rgb(), map.isUpdating, {}};
    const Index rows = map.values ? map.values->rows() : 0;
    const Index cols = map.values ? map.values->cols() : 0;
    for (const MapEmphasis &mark : map.emphasis) {
        if (mark.style != MapEmphasis::Style::Veiled)
            continue;
        const Index firstRow = std::max<Index>(mark.firstRow, 0);
        const Index firstCol = std::max<Index>(mark.firstCol, 0);
        const CellBlock block{firstRow, firstCol, std::min(mark.lastRow, rows - 1) - firstRow + 1,
                              std::min(mark.lastCol, cols - 1) - firstCol + 1};
        if (block.rowCount > 0 && block.colCount > 0)
            veils.blocks.push_back(block);
    }
    return veils;
}

QRgb CellVeils::over(QRgb color, Index row, Index col) const
{
    if (isUpdating)
        color = mixedColor(color, card, updatingShare);
    const bool isInside = std::ranges::any_of(blocks, [row, col](const CellBlock &block) {
        return row >= block.row && row < block.row + block.rowCount && col >= block.col &&
               col < block.col + block.colCount;
    });
    return isInside ? mixedColor(color, card, veiledShare) : color;
}

} // namespace attn
