#include "engine/StageNumbers.h"

#include <algorithm>

namespace attn {

Matrix<double> numbersOf(const StageValues &values, Index head)
{
    Matrix<double> matrix(values.rows(), values.cols());
    values.readBlock(head, 0, 0, values.rows(), values.cols(), matrix.data(), values.cols());
    return matrix;
}

std::vector<double> rowNumbers(const StageValues &values, Index head, Index row)
{
    return rowNumbers(values, head, row, 0, values.cols());
}

std::vector<double> rowNumbers(const StageValues &values, Index head, Index row, Index firstCol, Index count)
{
    std::vector<double> numbers(static_cast<std::size_t>(count));
    values.readBlock(head, row, firstCol, 1, count, numbers.data(), count);
    return numbers;
}

std::vector<double> columnNumbers(const StageValues &values, Index head, Index col)
{
    return columnNumbers(values, head, col, 0, values.rows());
}

std::vector<double> columnNumbers(const StageValues &values, Index head, Index col, Index firstRow,
                                  Index count)
{
    std::vector<double> numbers(static_cast<std::size_t>(count));
    values.readBlock(head, firstRow, col, count, 1, numbers.data(), 1);
    return numbers;
}

void readBands(const StageValues &values, Index head, Index firstCol, Index colCount,
               const std::stop_token &stop, const std::function<void(Index, const MatrixRef<double> &)> &take)
{
    constexpr Index bandRows = 64;
    Matrix<double> band(std::min(bandRows, values.rows()), colCount);
    for (Index first = 0; first < values.rows() && !stop.stop_requested(); first += bandRows) {
        const Index count = std::min(bandRows, values.rows() - first);
        values.readBlock(head, first, firstCol, count, colCount, band.data(), colCount);
        take(first, band.topRows(count));
    }
}

} // namespace attn
