#include "engine/Masking.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

/// j - p as a double: no overflow, whatever the offset.
double keyDistance(Index row, Index col, Index qOffset)
{
    return static_cast<double>(col) - (static_cast<double>(row) + static_cast<double>(qOffset));
}

bool positionAllows(const MaskParts &parts, Index row, Index col)
{
    const double distance = keyDistance(row, col, parts.qOffset);
    if (parts.causal && distance > 0.0)
        return false;
    if (parts.window) {
        const auto &[left, right] = *parts.window;
        if ((left && distance < -static_cast<double>(*left)) ||
            (right && distance > static_cast<double>(*right)))
            return false;
    }
    return true;
}

bool isMinusInfinity(double value)
{
    return std::isinf(value) && value < 0.0;
}

/// One row of a mask matrix whose head axis may be shared.
void copyMaskRow(const Tensor &mask, Index head, Index row, std::vector<double> &out)
{
    mask.copyRows(mask.heads() == 1 ? 0 : head, row, 1, out.data());
}

template<typename Scalar>
Matrix<Scalar> allowedKeysOfHead(const MaskParts &parts, const Shape &shape, Index head)
{
    Matrix<Scalar> allowed(shape.rows, shape.cols);
    std::vector<double> padding(static_cast<std::size_t>(shape.cols), 1.0);
    std::vector<double> boolean(padding);
    std::vector<double> add(padding);
    if (!parts.padding.isNull())
        parts.padding.copyRows(0, 0, 1, padding.data());
    for (Index row = 0; row < shape.rows; ++row) {
        if (!parts.boolean.isNull())
            copyMaskRow(parts.boolean, head, row, boolean);
        if (!parts.add.isNull())
            copyMaskRow(parts.add, head, row, add);
        for (Index col = 0; col < shape.cols; ++col) {
            const auto index = static_cast<std::size_t>(col);
            const bool isAllowed = positionAllows(parts, row, col) && padding[index] != 0.0 &&
                                   boolean[index] != 0.0 && !isMinusInfinity(add[index]);
            allowed(row, col) = isAllowed ? Scalar(1) : Scalar(0);
        }
    }
    return allowed;
}

template<typename Scalar>
Matrix<Scalar> maskBiasOfHead(const MaskParts &parts, const Matrix<Scalar> &allowed, Index head)
{
    Matrix<Scalar> bias(allowed.rows(), allowed.cols());
    std::vector<double> add(static_cast<std::size_t>(allowed.cols()), 0.0);
    const double slope = parts.alibi.isNull() ? 0.0 : parts.alibi.at(0, head);
    for (Index row = 0; row < allowed.rows(); ++row) {
        if (!parts.add.isNull())
            copyMaskRow(parts.add, head, row, add);
        for (Index col = 0; col < allowed.cols(); ++col) {
            double value = add[static_cast<std::size_t>(col)];
            if (!parts.alibi.isNull())
                value += -slope * std::abs(keyDistance(row, col, parts.qOffset));
            bias(row, col) = allowed(row, col) != Scalar(0) ? static_cast<Scalar>(value) : Scalar(0);
        }
    }
    return bias;
}

} // namespace

bool MaskParts::hidesNothing() const
{
    return !causal && !window && padding.isNull() && boolean.isNull() && add.isNull();
}

MaskParts maskPartsOf(const Experiment &experiment)
{
    MaskParts parts;
    parts.causal = experiment.causal;
    parts.window = experiment.window;
    parts.qOffset = experiment.qOffset;
    parts.padding = experiment.matrix(Stage::MaskPadding);
    parts.boolean = experiment.matrix(Stage::MaskBool);
    parts.add = experiment.matrix(Stage::MaskAdd);
    parts.alibi = experiment.matrix(Stage::MaskAlibi);
    return parts;
}

template<typename Scalar>
StageBlocks<Scalar> allowedKeys(const MaskParts &parts, const Shape &shape)
{
    StageBlocks<Scalar> allowed(shape);
    const bool headsDiffer = parts.boolean.heads() > 1 || parts.add.heads() > 1;
    for (Index head = 0; head < shape.heads; ++head) {
        if (head == 0 || headsDiffer)
            allowed.setHead(head, allowedKeysOfHead<Scalar>(parts, shape, head));
        else
            allowed.setBlock(head, allowed.block(0));
    }
    return allowed;
}

template<typename Scalar>
StageBlocks<Scalar> maskBias(const MaskParts &parts, const StageBlocks<Scalar> &allowed)
{
    StageBlocks<Scalar> bias(allowed.shape);
    for (Index head = 0; head < allowed.shape.heads; ++head) {
        const bool sharesFirst = head > 0 && parts.alibi.isNull() && parts.add.heads() == 1 &&
                                 allowed.block(head) == allowed.block(0);
        if (sharesFirst)
            bias.setBlock(head, bias.block(0));
        else
            bias.setHead(head, maskBiasOfHead(parts, allowed.head(head), head));
    }
    return bias;
}

template<typename Scalar>
Matrix<Scalar> maskScores(const Matrix<Scalar> &scaled, const Matrix<Scalar> &allowed,
                          const Matrix<Scalar> *bias)
{
    constexpr Scalar hidden = -std::numeric_limits<Scalar>::infinity();
    if (!bias)
        return (allowed.array() != Scalar(0)).select(scaled.array(), hidden);
    return (allowed.array() != Scalar(0)).select(scaled.array() + bias->array(), hidden);
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template StageBlocks<Scalar> allowedKeys(const MaskParts &, const Shape &);                              \
    template StageBlocks<Scalar> maskBias(const MaskParts &, const StageBlocks<Scalar> &);                   \
    template Matrix<Scalar> maskScores(const Matrix<Scalar> &, const Matrix<Scalar> &,                       \
                                       const Matrix<Scalar> *);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
