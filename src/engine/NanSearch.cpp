#include "engine/NanSearch.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

namespace {

/// The first NaN from a place on in reading order; -1: none.
Index nanFrom(const StageValues &values, Index start, const std::stop_token &stop)
{
    const Index end = values.shape().size();
    const Index cols = values.cols();
    std::vector<double> cells(static_cast<std::size_t>(cols));
    for (Index place = start; place < end && !stop.stop_requested();) {
        const Index col = place % cols;
        const Index row = place / cols;
        values.readBlock(row / values.rows(), row % values.rows(), col, 1, cols - col, cells.data(), cols);
        const auto last = cells.begin() + (cols - col);
        const auto found = std::find_if(cells.begin(), last, [](double value) { return std::isnan(value); });
        if (found != last)
            return place + (found - cells.begin());
        place += cols - col;
    }
    return -1;
}

CellIndex cellOfPlace(const Shape &shape, Index place)
{
    const Index perHead = shape.rows * shape.cols;
    return {place / perHead, place % perHead / shape.cols, place % shape.cols};
}

} // namespace

std::optional<StageCell> nextNan(const Snapshot &snapshot, const StageCell &from, const std::stop_token &stop)
{
    const auto table = stageTable();
    const auto start = static_cast<std::size_t>(from.stage);
    for (std::size_t step = 0; step <= table.size() && !stop.stop_requested(); ++step) {
        const Stage stage = table[(start + step) % table.size()].stage;
        const StageValuesPtr values = snapshot.stage(stage).values;
        if (!values || values->shape().size() == 0 || values->statistics(-1).nanCount == 0)
            continue;
        const CellIndex &cell = from.cell;
        const Index first =
            step == 0 ? (cell.head * values->rows() + cell.row) * values->cols() + cell.col + 1 : 0;
        if (const Index place = nanFrom(*values, first, stop); place >= 0)
            return StageCell{stage, cellOfPlace(values->shape(), place)};
    }
    return std::nullopt;
}

Index searchedCells(const Snapshot &snapshot)
{
    Index cells = 0;
    for (const StageInfo &info : stageTable())
        if (const StageValuesPtr &values = snapshot.stage(info.stage).values)
            cells += values->shape().size();
    return cells;
}

} // namespace attn
