#include "render/painting/MapHighlight.h"

#include "render/cells/CellGrid.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace attn {

namespace {

/// A frame of two pixels around cells that are lower covers the numbers above and below.
constexpr double lowCell = 18.0;

struct CellSpan
{
    Index first = 0;
    Index last = -1;
};

CellSpan spanInside(Index first, Index last, Index offset, Index count)
{
    return {std::max<Index>(0, first - offset), std::min(count - 1, last - offset)};
}

/// A frame of four bars around a rectangle: sharp on pixels, and no pen to be scaled.
void drawFrame(QPainter &painter, const QRectF &rect, double thickness, const QColor &color)
{
    const double t = thickness;
    painter.fillRect(QRectF(rect.left() - t, rect.top() - t, rect.width() + 2 * t, t), color);
    painter.fillRect(QRectF(rect.left() - t, rect.bottom(), rect.width() + 2 * t, t), color);
    painter.fillRect(QRectF(rect.left() - t, rect.top(), t, rect.height()), color);
    painter.fillRect(QRectF(rect.right(), rect.top(), t, rect.height()), color);
}

void drawCasedFrame(QPainter &painter, const QRectF &rect, double thickness, const QColor &casing,
                    const QColor &color)
{
    drawFrame(painter, rect.adjusted(-thickness, -thickness, thickness, thickness), thickness / 2, casing);
    drawFrame(painter, rect, thickness, color);
}

/// The edges of a band as thin lines across the map.
void drawBand(QPainter &painter, const QRectF &band, bool horizontal, double thickness, const QColor &color)
{
    if (horizontal) {
        painter.fillRect(QRectF(band.left(), band.top(), band.width(), thickness), color);
        painter.fillRect(QRectF(band.left(), band.bottom() - thickness, band.width(), thickness), color);
    } else {
        painter.fillRect(QRectF(band.left(), band.top(), thickness, band.height()), color);
        painter.fillRect(QRectF(band.right() - thickness, band.top(), thickness, band.height()), color);
    }
}

/// Scratch matrices share no axes with anything: only the selected one is marked.
MapHighlight highlightOfLab(const SceneMap &map, const SceneHighlight &highlight, Index rows, Index cols)
{
    MapHighlight result;
    if (map.key.role != MapKey::Role::Lab || map.key.id != highlight.lab ||
        map.key.head != highlight.cell.head)
        return result;
    const CellSpan rowSpan = spanInside(highlight.firstRow, highlight.lastRow, map.key.rowOffset, rows);
    const CellSpan colSpan = spanInside(highlight.firstCol, highlight.lastCol, map.key.colOffset, cols);
    result.firstRow = rowSpan.first;
    result.lastRow = rowSpan.last;
    result.firstCol = colSpan.first;
    result.lastCol = colSpan.last;
    result.isSelected = result.hasRows() && result.hasCols();
    result.currentRow = highlight.cell.row - map.key.rowOffset;
    result.currentCol = highlight.cell.col - map.key.colOffset;
    return result;
}

/// What is marked in a map whose cells stand as in their stage.
MapHighlight highlightAsStage(const SceneMap &map, const SceneHighlight &highlight, Index rows, Index cols)
{
    MapHighlight result;
    if (!highlight.lab.isEmpty() || map.key.role == MapKey::Role::Lab)
        return highlightOfLab(map, highlight, rows, cols);
    const bool holdsCells = map.key.role == MapKey::Role::Stage ||
                            map.key.role == MapKey::Role::FootprintColumn ||
                            map.key.role == MapKey::Role::FootprintRow;
    const StageInfo &selected = stageInfo(highlight.stage);
    const StageInfo &shown = stageInfo(map.key.stage);
    const bool sameStage =
        holdsCells && map.key.stage == highlight.stage && map.key.head == highlight.cell.head;
    CellSpan rowSpan;
    CellSpan colSpan;
    if (sameStage || shown.rows == selected.rows)
        rowSpan = spanInside(highlight.firstRow, highlight.lastRow, map.key.rowOffset, rows);
    else if (shown.rows == selected.cols)
        rowSpan = spanInside(highlight.firstCol, highlight.lastCol, map.key.rowOffset, rows);
    if (sameStage || shown.cols == selected.cols)
        colSpan = spanInside(highlight.firstCol, highlight.lastCol, map.key.colOffset, cols);
    else if (shown.cols == selected.rows)
        colSpan = spanInside(highlight.firstRow, highlight.lastRow, map.key.colOffset, cols);
    // A single row (bias, padding) stands for nothing that other maps share.
    if (!sameStage && shown.rows == Axis::One)
        rowSpan = {};
    if (!sameStage && shown.cols == Axis::One)
        colSpan = {};
    result.firstRow = rowSpan.first;
    result.lastRow = rowSpan.last;
    result.firstCol = colSpan.first;
    result.lastCol = colSpan.last;
    result.isSelected = sameStage && result.hasRows() && result.hasCols();
    if (result.isSelected) {
        result.currentRow = std::clamp<Index>(highlight.cell.row - map.key.rowOffset, -1, rows - 1);
        result.currentCol = std::clamp<Index>(highlight.cell.col - map.key.colOffset, -1, cols - 1);
    }
    return result;
}

} // namespace

MapHighlight highlightOf(const SceneMap &map, const SceneHighlight &highlight)
{
    if (!highlight.active || !map.values || map.key.role == MapKey::Role::Derived)
        return {};
    const Index rows = map.values->rows();
    const Index cols = map.values->cols();
    const bool isTurned = map.key.transposed;
    MapHighlight marks = isTurned ? highlightAsStage(map, highlight, cols, rows)
                                  : highlightAsStage(map, highlight, rows, cols);
    marks.isQuiet = highlight.isElsewhere;
    if (!isTurned)
        return marks;
    std::swap(marks.firstRow, marks.firstCol);
    std::swap(marks.lastRow, marks.lastCol);
    std::swap(marks.currentRow, marks.currentCol);
    return marks;
}

void drawHighlight(QPainter &painter, const CellGrid &grid, const MapHighlight &highlight, bool crossHair,
                   const Theme &theme, double unit)
{
    const double hair = std::max(grid.wholePixels ? 1.0 : 0.0, grid.wholePixels ? std::floor(unit) : unit);
    const QColor mark = highlight.isQuiet ? theme.mutedText : theme.accent;
    QColor soft = mark;
    soft.setAlpha(highlight.isSelected ? 190 : 150);
    if (crossHair && highlight.hasRows())
        drawBand(painter,
                 grid.cells(highlight.firstRow, 0, highlight.lastRow - highlight.firstRow + 1, grid.cols),
                 true, hair, soft);
    if (crossHair && highlight.hasCols())
        drawBand(painter,
                 grid.cells(0, highlight.firstCol, grid.rows, highlight.lastCol - highlight.firstCol + 1),
                 false, hair, soft);
    if (!highlight.isSelected)
        return;
    const QRectF block =
        grid.cells(highlight.firstRow, highlight.firstCol, highlight.lastRow - highlight.firstRow + 1,
                   highlight.lastCol - highlight.firstCol + 1);
    drawCasedFrame(painter, block, (highlight.isQuiet ? 1 : 2) * hair, theme.card, mark);
    const bool several = highlight.lastRow > highlight.firstRow || highlight.lastCol > highlight.firstCol;
    if (several && highlight.marksRow(highlight.currentRow) && highlight.marksCol(highlight.currentCol)) {
        const QRectF current = grid.cells(highlight.currentRow, highlight.currentCol);
        drawFrame(painter, current.adjusted(hair, hair, -hair, -hair), hair, mark);
    }
}

void drawEmphasis(QPainter &painter, const CellGrid &grid, const std::vector<MapEmphasis> &emphasis,
                  const Theme &theme, double unit)
{
    const double hair = std::max(grid.wholePixels ? 1.0 : 0.0, grid.wholePixels ? std::floor(unit) : unit);
    for (const MapEmphasis &mark : emphasis) {
        const Index firstRow = std::clamp<Index>(mark.firstRow, 0, grid.rows);
        const Index firstCol = std::clamp<Index>(mark.firstCol, 0, grid.cols);
        const Index rowCount = std::min(mark.lastRow, grid.rows - 1) - firstRow + 1;
        const Index colCount = std::min(mark.lastCol, grid.cols - 1) - firstCol + 1;
        if (rowCount <= 0 || colCount <= 0)
            continue;
        const QRectF block = grid.cells(firstRow, firstCol, rowCount, colCount);
        switch (mark.style) {
        case MapEmphasis::Style::Framed:
            drawCasedFrame(painter, block, (grid.cellHeight() < lowCell * unit ? 1 : 2) * hair, theme.card,
                           theme.text);
            break;
        case MapEmphasis::Style::Soft:
            drawFrame(painter, block, hair, theme.mutedText);
            break;
        case MapEmphasis::Style::Veiled:
            break; // part of the cells' colours: CellVeils
        }
    }
}

} // namespace attn
