#pragma once

#include "engine/Matrix.h"
#include "engine/StageValues.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace attn {

/// All numbers of one head of a stage: [rows, cols].
Matrix<double> numbersOf(const StageValues &values, Index head = 0);

/// The numbers of one row of a head, or `count` of them from column `firstCol` on.
std::vector<double> rowNumbers(const StageValues &values, Index head, Index row);
std::vector<double> rowNumbers(const StageValues &values, Index head, Index row, Index firstCol, Index count);
/// The numbers of one column of a head, or `count` of them from row `firstRow` on.
std::vector<double> columnNumbers(const StageValues &values, Index head, Index col);
std::vector<double> columnNumbers(const StageValues &values, Index head, Index col, Index firstRow,
                                  Index count);

/// Columns [firstCol, firstCol + colCount) of one head, a band of rows after the other: what is computed
/// where it is read takes its time, so it ends early once stopped. take: the first row, and the numbers.
void readBands(const StageValues &values, Index head, Index firstCol, Index colCount,
               const std::stop_token &stop,
               const std::function<void(Index, const MatrixRef<double> &)> &take);

} // namespace attn
