#pragma once

#include "engine/kernels/unit/Elementwise.h"
#include "engine/kernels/unit/Leaves.h"
#include "engine/kernels/unit/Pooling.h"
#include "engine/kernels/unit/Products.h"
#include "engine/kernels/unit/Ranges.h"
#include "engine/kernels/unit/Scale.h"

namespace attn {

namespace {

template<typename Scalar>
constexpr Kernels<Scalar> unitKernels = {
    .multiply = multiply<Scalar>,
    .multiplyAdd = multiplyAdd<Scalar>,
    .multiplyTransposed = multiplyTransposed<Scalar>,
    .packPanels = packPanels<Scalar>,
    .packPanelsTransposed = packPanelsTransposed<Scalar>,
    .multiplyPacked = multiplyPacked<Scalar>,
    .add = add<Scalar>,
    .scale = scale<Scalar>,
    .scaleTo = scaleTo<Scalar>,
    .rotate = rotate<Scalar>,
    .hideOutside = hideOutside<Scalar>,
    .finiteRange = finiteRange<Scalar>,
    .rowStatistics = rowStatistics<Scalar>,
    .leafWeights = leafWeights<Scalar>,
    .finalWeights = finalWeights<Scalar>,
    .normalize = normalize<Scalar>,
    .combineStatistics = combineStatistics<Scalar>,
    .combinePartials = combinePartials<Scalar>,
    .foldRows = foldRows<Scalar>,
    .scalePlaces = scalePlaces<Scalar>,
    .exponentials = exponentials<Scalar>,
    .fromDouble = convert<double, Scalar>,
    .fromFloat = convert<float, Scalar>,
    .toDouble = convert<Scalar, double>,
    .toFloat = toFloat<Scalar>,
};

constexpr KernelTable unitTable(const char *isa)
{
    return {isa, unitKernels<double>, unitKernels<float>, pickWords};
}

} // namespace

} // namespace attn
