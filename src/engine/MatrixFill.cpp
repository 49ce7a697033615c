#include "engine/MatrixFill.h"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace attn {

namespace {

/// In [0, 1). The standard fixes the generator's output but not std::uniform_real_distribution's.
double unitNumber(std::mt19937_64 &generator)
{
    return static_cast<double>(generator() >> 11) * 0x1.0p-53;
}

/// Box and Muller 1958; one number per call keeps the sequence independent of the count.
double normalNumber(std::mt19937_64 &generator)
{
    const double radius = std::sqrt(-2.0 * std::log1p(-unitNumber(generator)));
    return radius * std::cos(2.0 * std::numbers::pi * unitNumber(generator));
}

double fillNumber(const MatrixFill &fill, std::mt19937_64 &generator, Index row, Index col, Index cols)
{
    switch (fill.kind) {
    case MatrixFill::Kind::Identity:
        return row == col ? 1.0 : 0.0;
    case MatrixFill::Kind::OneHot:
        return row % cols == col ? 1.0 : 0.0;
    case MatrixFill::Kind::Uniform:
        return fill.low + (fill.high - fill.low) * unitNumber(generator);
    case MatrixFill::Kind::Normal:
        return fill.mean + fill.deviation * normalNumber(generator);
    case MatrixFill::Kind::Zeros:
    case MatrixFill::Kind::Transpose:
        break;
    }
    return 0.0;
}

Tensor tensorOf(const Shape &shape, Tensor::Storage storage, const std::vector<double> &numbers)
{
    if (storage == Tensor::Storage::Float64)
        return Tensor::fromDoubles(shape, numbers);
    const std::vector<float> narrow(numbers.begin(), numbers.end());
    return Tensor::fromFloats(shape, narrow);
}

} // namespace

Result<Tensor> filledMatrix(const MatrixFill &fill, const Shape &shape, Tensor::Storage storage,
                            const Tensor &old)
{
    if (fill.kind == MatrixFill::Kind::Transpose && (shape.rows != shape.cols || !(old.shape() == shape)))
        return Error{ErrorCode::ShapeMismatch,
                     "Only a square matrix can be transposed in place; this one is " + shapeText(shape) +
                         "."};
    if (fill.kind == MatrixFill::Kind::Uniform && !(fill.low <= fill.high))
        return Error{ErrorCode::BadInput, "The low end of the range must not be above the high end."};
    std::mt19937_64 generator(fill.seed);
    std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
    std::size_t next = 0;
    for (Index head = 0; head < shape.heads; ++head)
        for (Index row = 0; row < shape.rows; ++row)
            for (Index col = 0; col < shape.cols; ++col)
                numbers[next++] = fill.kind == MatrixFill::Kind::Transpose
                                      ? old.at(head, col, row)
                                      : fillNumber(fill, generator, row, col, shape.cols);
    return tensorOf(shape, storage, numbers);
}

} // namespace attn
