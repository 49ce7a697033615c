#pragma once

#include "base/Result.h"
#include "engine/Tensor.h"

#include <cstdint>

namespace attn {

/// What a whole matrix can be filled with. The same seed gives the same numbers on every machine.
struct MatrixFill
{
    enum class Kind
    {
        Zeros,
        Identity, ///< 1 on the diagonal of every head, also for rectangular matrices
        Uniform,  ///< in [low, high)
        Normal,   ///< mean, deviation
        OneHot,   ///< row i is 1 in column i mod cols
        Transpose,
    };

    Kind kind = Kind::Zeros;
    double low = -1.0; ///< Uniform
    double high = 1.0;
    double mean = 0.0; ///< Normal
    double deviation = 1.0;
    std::uint64_t seed = 1;
};

/// A matrix of this shape and storage; `old` is read by Transpose only and then must be square, head by head.
Result<Tensor> filledMatrix(const MatrixFill &fill, const Shape &shape, Tensor::Storage storage,
                            const Tensor &old);

} // namespace attn
