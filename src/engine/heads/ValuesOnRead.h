#pragma once

#include "engine/StageValues.h"

#include <functional>

namespace attn {

/// Numbers that follow from others and are made wherever they are read.
struct ReadRule
{
    Shape shape;
    bool isSinglePrecision = false;
    /// As StageValues::readBlock at full precision.
    std::function<void(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                       Index stride)>
        read;
    /// As StageValues::blockStatus; empty = always exact.
    std::function<BlockStatus(Index head, Index row, Index col, Index rowCount, Index colCount)> status;
};

/// The rule is called from any thread and owns what it reads from.
StageValuesPtr valuesOnRead(ReadRule rule);

} // namespace attn
