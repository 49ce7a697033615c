#pragma once

#include "engine/Matrix.h"
#include "engine/Pins.h"
#include "engine/StageValues.h"

#include <memory>
#include <vector>

namespace attn {

/// The numbers of one stage in the evaluation's precision: one immutable block per head. Blocks are shared
/// between evaluations, and between heads or stages that hold the same numbers.
template<typename Scalar>
struct StageBlocks
{
    using Block = std::shared_ptr<const Matrix<Scalar>>;

    Shape shape;
    std::vector<Block> heads; ///< each [shape.rows, shape.cols]

    StageBlocks() = default;
    explicit StageBlocks(const Shape &blocksShape)
        : shape(blocksShape)
        , heads(static_cast<std::size_t>(blocksShape.heads))
    {
    }
    explicit StageBlocks(Matrix<Scalar> matrix)
        : shape{1, matrix.rows(), matrix.cols()}
        , heads{std::make_shared<const Matrix<Scalar>>(std::move(matrix))}
    {
    }

    const Matrix<Scalar> &head(Index index) const { return *heads[static_cast<std::size_t>(index)]; }
    const Block &block(Index index) const { return heads[static_cast<std::size_t>(index)]; }
    void setHead(Index index, Matrix<Scalar> matrix)
    {
        heads[static_cast<std::size_t>(index)] = std::make_shared<const Matrix<Scalar>>(std::move(matrix));
    }
    void setBlock(Index index, Block block) { heads[static_cast<std::size_t>(index)] = std::move(block); }
};

/// Rounded to the evaluation's precision.
template<typename Scalar>
StageBlocks<Scalar> blocksOf(const Tensor &tensor);

/// Writes pinned cells over the numbers; blocks without pins stay shared. Pins must lie inside.
template<typename Scalar>
void overlayPins(StageBlocks<Scalar> &blocks, const Pins &pins);

/// Takes over each old block that equals the new one bit for bit. True when all do.
template<typename Scalar>
bool adoptEqualBlocks(StageBlocks<Scalar> &blocks, const StageBlocks<Scalar> &old);

/// The one reading interface over stored blocks.
template<typename Scalar>
StageValuesPtr valuesOf(const StageBlocks<Scalar> &blocks);

} // namespace attn
