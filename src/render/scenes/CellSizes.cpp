#include "render/scenes/CellSizes.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double rowUnit = 24.0;
constexpr double colUnit = 36.0;
constexpr double tallestTiling = 448.0;

double cellOf(Index count, double unit)
{
    return count > 0 ? axisExtent(count, unit) / static_cast<double>(count) : unit;
}

} // namespace

double axisExtent(Index count, double cell, double soft, double hard)
{
    if (count <= 0)
        return cell;
    const double n = static_cast<double>(count);
    if (n * cell <= soft)
        return n * cell;
    double whole = std::floor(soft / n);
    if (whole < 6.0)
        whole = std::floor(hard / n);
    return whole >= 1.0 ? n * whole : hard;
}

CellSizes::CellSizes(const Snapshot &snapshot)
{
    const Sizes &sizes = snapshot.sizes();
    m_tokenRow = cellOf(std::max(sizes.nQ, sizes.nK), rowUnit);
    const Index widest = std::max({sizes.dModel, sizes.dModelKv, sizes.length(Axis::QueryWidth),
                                   sizes.length(Axis::ConcatWidth), sizes.dOut});
    m_featureRow = cellOf(widest, rowUnit);
    const double widestCell = m_tokenRow >= 8.0 ? 1.5 * m_tokenRow : 12.0;
    m_feature = std::min(cellOf(widest, colUnit), widestCell);
}

double CellSizes::rowHeight(Axis axis) const
{
    switch (axis) {
    case Axis::Query:
    case Axis::Key:
        return m_tokenRow;
    case Axis::One:
        return std::clamp(m_tokenRow, 14.0, rowUnit);
    default:
        return m_featureRow;
    }
}

double CellSizes::colWidth(Axis axis, Index count) const
{
    switch (axis) {
    case Axis::Key: {
        const double cell = cellOf(count, colUnit);
        return cell >= 34.0 && m_tokenRow >= rowUnit - 1.0 ? cell : std::min(cell, m_tokenRow * 1.25);
    }
    case Axis::HeadKey:
    case Axis::HeadValue:
        return std::min(cellOf(count, colUnit), m_tokenRow >= 8.0 ? 1.5 * m_tokenRow : 12.0);
    case Axis::Head:
        return cellOf(count, colUnit);
    default:
        return m_feature;
    }
}

QSizeF CellSizes::cells(const Snapshot &snapshot, Stage stage) const
{
    const StageState &state = snapshot.stage(stage);
    if (!state.hasValues())
        return {};
    const StageInfo &info = stageInfo(stage);
    const Index rows = state.values->rows();
    const Index cols = state.values->cols();
    return {colWidth(info.cols, cols) * static_cast<double>(cols),
            rowHeight(info.rows) * static_cast<double>(rows)};
}

HeadTiling headTiling(Index heads, const QSizeF &cells, Index cellRows)
{
    HeadTiling tiling;
    const int count = static_cast<int>(std::max<Index>(heads, 1));
    tiling.columns = count <= 3 ? count : std::max(2, (count + 3) / 4);
    tiling.rows = (count + tiling.columns - 1) / tiling.columns;
    const double height = cells.height();
    if (tiling.rows == 1 || height * tiling.rows <= tallestTiling || height <= 0.0)
        return tiling;
    double wanted = tallestTiling / tiling.rows;
    const double cell = std::floor(wanted / static_cast<double>(std::max<Index>(cellRows, 1)));
    if (cell >= 1.0)
        wanted = cell * static_cast<double>(cellRows);
    tiling.factor = std::min(1.0, wanted / height);
    return tiling;
}

} // namespace attn
