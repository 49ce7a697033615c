#include "engine/evaluation/ScoreTiles.h"

#include <array>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Lines of the mask are handled in pieces that fit on the stack.
constexpr Index maskPieceCols = 256;

template<typename Scalar>
constexpr Scalar hiddenScore = -std::numeric_limits<Scalar>::infinity();

/// One line of a mask matrix whose head axis may be shared.
void readMaskLine(const Tensor &mask, Index head, Index row, Index col, Index cols, double *out)
{
    mask.copyBlock(mask.heads() == 1 ? 0 : head, row, col, 1, cols, out, cols);
}

/// Calls each(col, cols) for pieces of the area's columns.
template<typename Each>
void forPieces(const TileArea &area, const Each &each)
{
    for (Index col = 0; col < area.cols; col += maskPieceCols)
        each(col, std::min(maskPieceCols, area.cols - col));
}

} // namespace

template<typename Scalar>
void ScoreTiles<Scalar>::product(const TileArea &area, Scalar *tile, Index stride,
                                 PanelCache<Scalar> *packedKeys, Scalar factor) const
{
    const Index kvHead = area.head / headsPerKvHead;
    for (Index row = 0; row < area.rows;) {
        const Index queryBlock = (area.row + row) / Q->blockRows;
        const Index queryOffset = (area.row + row) % Q->blockRows;
        const Index rows = std::min(area.rows - row, Q->blockRows - queryOffset);
        const BlockReference &queries = Q->at(area.head, queryBlock);
        for (Index col = 0; col < area.cols;) {
            const Index keyBlock = (area.col + col) / K->blockRows;
            const Index keyOffset = (area.col + col) % K->blockRows;
            const Index cols = std::min(area.cols - col, K->blockRows - keyOffset);
            const BlockReference &keys = K->at(kvHead, keyBlock);
            const Scalar *left = queries.template as<const Scalar>() + queryOffset * queries->stride();
            const Scalar *right = keys.template as<const Scalar>() + keyOffset * keys->stride();
            Scalar *out = tile + row * stride + col;
            if (packedKeys && cols == K->rowsIn(keyBlock)) {
                const Scalar *packed = packedKeys->of(keyBlock, keys, [&](Scalar *panels) {
                    kernels->packPanelsTransposed(right, keys->stride(), K->shape.cols, cols, panels);
                });
                kernels->multiplyPacked(left, queries->stride(), packed, out, stride, rows, K->shape.cols,
                                        cols, false, factor);
            } else {
                kernels->multiplyTransposed(left, queries->stride(), right, keys->stride(), out, stride, rows,
                                            K->shape.cols, cols);
                if (factor != Scalar(1))
                    kernels->scale(out, stride, rows, cols, factor);
            }
            col += cols;
        }
        row += rows;
    }
}

template<typename Scalar>
void ScoreTiles<Scalar>::addBias(const TileArea &area, Scalar *tile, Index stride) const
{
    const double slope = mask.alibi.isNull() ? 0.0 : mask.alibi.at(0, area.head);
    std::array<double, maskPieceCols> added;
    for (Index row = 0; row < area.rows; ++row) {
        const double position = static_cast<double>(area.row + row) + static_cast<double>(mask.qOffset);
        forPieces(area, [&](Index first, Index cols) {
            added.fill(0.0);
            if (!mask.add.isNull())
                readMaskLine(mask.add, area.head, area.row + row, area.col + first, cols, added.data());
            Scalar *line = tile + row * stride + first;
            for (Index col = 0; col < cols; ++col) {
                double value = added[static_cast<std::size_t>(col)];
                if (!mask.alibi.isNull())
                    value += -slope * std::abs(static_cast<double>(area.col + first + col) - position);
                line[col] += static_cast<Scalar>(value);
            }
        });
    }
}

template<typename Scalar>
void ScoreTiles<Scalar>::hide(const TileArea &area, Scalar *tile, Index stride) const
{
    constexpr Index rowsAtOnce = 64;
    if (mask.causal || mask.window) {
        std::array<Index, rowsAtOnce> begin;
        std::array<Index, rowsAtOnce> end;
        for (Index first = 0; first < area.rows; first += rowsAtOnce) {
            const Index rows = std::min(rowsAtOnce, area.rows - first);
            for (Index row = 0; row < rows; ++row) {
                const KeySpan span = mask.allowedSpan(area.row + first + row, nKeys);
                begin[static_cast<std::size_t>(row)] = span.begin - area.col;
                end[static_cast<std::size_t>(row)] = span.end - area.col;
            }
            kernels->hideOutside(tile + first * stride, stride, begin.data(), end.data(), rows, area.cols);
        }
    }
    hideByMatrices(area, tile, stride);
}

template<typename Scalar>
void ScoreTiles<Scalar>::hideByMatrices(const TileArea &area, Scalar *tile, Index stride) const
{
    std::array<double, maskPieceCols> line;
    const auto hideWhere = [&](Index row, Index first, Index cols, const auto &isHiddenBy) {
        Scalar *out = tile + row * stride + first;
        for (Index col = 0; col < cols; ++col)
            if (isHiddenBy(line[static_cast<std::size_t>(col)]))
                out[col] = hiddenScore<Scalar>;
    };
    const auto isZero = [](double number) {
        return number == 0.0;
    };
    const auto isMinusInfinity = [](double number) {
        return number == hiddenScore<double>;
    };
    forPieces(area, [&](Index first, Index cols) {
        if (!mask.padding.isNull()) {
            readMaskLine(mask.padding, 0, 0, area.col + first, cols, line.data());
            for (Index row = 0; row < area.rows; ++row)
                hideWhere(row, first, cols, isZero);
        }
        for (Index row = 0; row < area.rows; ++row) {
            if (!mask.boolean.isNull()) {
                readMaskLine(mask.boolean, area.head, area.row + row, area.col + first, cols, line.data());
                hideWhere(row, first, cols, isZero);
            }
            if (!mask.add.isNull()) {
                readMaskLine(mask.add, area.head, area.row + row, area.col + first, cols, line.data());
                hideWhere(row, first, cols, isMinusInfinity);
            }
        }
    });
}

template<typename Scalar>
void ScoreTiles<Scalar>::applyMask(const TileArea &area, Scalar *tile, Index stride) const
{
    if (hasBias)
        addBias(area, tile, stride);
    if (!hidesNothing)
        hide(area, tile, stride);
}

template<typename Scalar>
void ScoreTiles<Scalar>::allowed(const TileArea &area, Scalar *tile, Index stride) const
{
    for (Index row = 0; row < area.rows; ++row)
        std::fill_n(tile + row * stride, area.cols, Scalar(1));
    if (hidesNothing)
        return;
    hide(area, tile, stride);
    for (Index row = 0; row < area.rows; ++row)
        std::replace(tile + row * stride, tile + row * stride + area.cols, hiddenScore<Scalar>, Scalar(0));
}

template<typename Scalar>
void ScoreTiles<Scalar>::bias(const TileArea &area, Scalar *tile, Index stride) const
{
    allowed(area, tile, stride);
    std::array<Scalar, maskPieceCols> added;
    for (Index row = 0; row < area.rows; ++row) {
        forPieces(area, [&](Index first, Index cols) {
            added.fill(Scalar(0));
            addBias({area.head, area.row + row, 1, area.col + first, cols}, added.data(), cols);
            Scalar *line = tile + row * stride + first;
            for (Index col = 0; col < cols; ++col)
                line[col] = line[col] != Scalar(0) ? added[static_cast<std::size_t>(col)] : Scalar(0);
        });
    }
}

template<typename Scalar>
void ScoreTiles<Scalar>::scores(const TileArea &area, Scalar *tile, Index stride,
                                PanelCache<Scalar> *packedKeys) const
{
    if (!fixedScores.isNull())
        fixedScores.copyBlock(area.head, area.row, area.col, area.rows, area.cols, tile, stride);
    else
        product(area, tile, stride, packedKeys);
    overlayPins(pinsOfScores, area, tile, stride);
}

template<typename Scalar>
void ScoreTiles<Scalar>::scaled(const TileArea &area, Scalar *tile, Index stride,
                                PanelCache<Scalar> *packedKeys) const
{
    if (!fixedScaled.isNull()) {
        fixedScaled.copyBlock(area.head, area.row, area.col, area.rows, area.cols, tile, stride);
    } else if (fixedScores.isNull() && !pinsTouch(pinsOfScores, area)) {
        product(area, tile, stride, packedKeys, scale);
    } else {
        scores(area, tile, stride, packedKeys);
        if (scale != Scalar(1))
            kernels->scale(tile, stride, area.rows, area.cols, scale);
    }
    overlayPins(pinsOfScaled, area, tile, stride);
}

template<typename Scalar>
void ScoreTiles<Scalar>::masked(const TileArea &area, Scalar *tile, Index stride,
                                PanelCache<Scalar> *packedKeys) const
{
    if (isHidden(area)) {
        for (Index row = 0; row < area.rows; ++row)
            std::fill_n(tile + row * stride, area.cols, hiddenScore<Scalar>);
        return;
    }
    if (!fixedMasked.isNull()) {
        fixedMasked.copyBlock(area.head, area.row, area.col, area.rows, area.cols, tile, stride);
    } else {
        scaled(area, tile, stride, packedKeys);
        applyMask(area, tile, stride);
    }
    overlayPins(pinsOfMasked, area, tile, stride);
}

template<typename Scalar>
bool ScoreTiles<Scalar>::followsSameRules(const ScoreTiles &other) const
{
    const auto samePins = [](const Pins *a, const Pins *b) {
        return a == b || (a && b && a->sameBits(*b));
    };
    return kernels == other.kernels && mask == other.mask && scale == other.scale && nKeys == other.nKeys &&
           headsPerKvHead == other.headsPerKvHead && hasBias == other.hasBias &&
           fixedScores.sameBlocks(other.fixedScores) && fixedScaled.sameBlocks(other.fixedScaled) &&
           fixedMasked.sameBlocks(other.fixedMasked) && fixedA.sameBlocks(other.fixedA) &&
           samePins(pinsOfScores, other.pinsOfScores) && samePins(pinsOfScaled, other.pinsOfScaled) &&
           samePins(pinsOfMasked, other.pinsOfMasked) && samePins(pinsOfA, other.pinsOfA);
}

template<typename Scalar>
bool ScoreTiles<Scalar>::isHidden(const TileArea &area) const
{
    if (!(mask.causal || mask.window) || !fixedMasked.isNull() || area.rows < 1)
        return false;
    // Both ends of the allowed span move on with the row.
    const KeySpan first = mask.allowedSpan(area.row, nKeys);
    const KeySpan last = mask.allowedSpan(area.row + area.rows - 1, nKeys);
    return (last.end <= area.col || first.begin >= area.col + area.cols) && !pinsTouch(pinsOfMasked, area);
}

template class ScoreTiles<double>;
template class ScoreTiles<float>;

} // namespace attn
