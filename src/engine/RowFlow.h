#pragma once

#include "engine/FlowLinks.h"

namespace attn {

/// A product of the pipeline of which one row is followed.
enum class RowFlowKind
{
    Query,            ///< Q = X W^Q: input features -> weight columns -> query cells
    Key,              ///< K = X W^K
    Value,            ///< V = X W^V
    HeadOut,          ///< A_h V_h: tokens -> footprints -> cells of the head's output row
    HeadContribution, ///< A_h V_h W^O_h: the same, mapped through the head's rows of W^O
    Output,           ///< sum of these over the heads: tokens -> footprints -> output row
};

struct RowFlowQuestion
{
    RowFlowKind kind = RowFlowKind::Query;
    Index head = 0; ///< query head; of Q, K, V the columns that it reads; ignored for Output
    Index row = 0;  ///< token
};

/// How one row of a product comes about: row of C = row of A times B (+ bias).
struct RowFlow
{
    Stage left = Stage::X;   ///< holds the row that is multiplied
    Stage right = Stage::Wq; ///< holds the matrix it is multiplied by
    Stage result = Stage::Q;
    Index resultHead = 0;        ///< head of `result`
    Index firstColumn = 0;       ///< column of `result` (and of a weight) at which the targets begin
    std::vector<double> factors; ///< per source: its entry of the row on the left; for Output the mean weight
                                 ///< over the heads
    FlowLinks terms;             ///< source m -> target c: the term of m in cell c, signed
    std::vector<double> bias;    ///< per target; empty = none
    std::vector<double> cells;   ///< per target: what the stage holds
    std::vector<bool> pinned;    ///< per target: set by hand, so that the terms need not add up to it

    /// Largest |cell - (sum of its terms + bias)| over the targets that are not pinned; NaN when one is NaN.
    double residual() const;
};

/// Why the row cannot be followed: one sentence; empty when it can.
std::string rowFlowProblem(const Snapshot &snapshot, const RowFlowQuestion &question);

/// The terms of one row. Needs rowFlowProblem() to be empty.
RowFlow rowFlow(const Snapshot &snapshot, const RowFlowQuestion &question, const FlowFilter &filter,
                std::stop_token stop = {});

} // namespace attn
