#include "engine/Rotation.h"

#include <cmath>

namespace attn {

Index rotatedColumns(const Rotary &rotary, Index dHead)
{
    return rotary.rotDim.value_or(dHead - dHead % 2);
}

template<typename Scalar>
Matrix<Scalar> rotateHead(const Matrix<Scalar> &M, Index firstPosition, const Rotary &rotary)
{
    const Index rotDim = rotatedColumns(rotary, M.cols());
    const Index half = rotDim / 2;
    Matrix<Scalar> rotated = M;
    for (Index t = 0; t < half; ++t) {
        const double frequency =
            std::pow(rotary.base, -2.0 * static_cast<double>(t) / static_cast<double>(rotDim));
        const bool isInterleaved = rotary.pairing == Rotary::Pairing::Interleaved;
        const Index first = isInterleaved ? 2 * t : t;
        const Index second = isInterleaved ? 2 * t + 1 : t + half;
        for (Index row = 0; row < M.rows(); ++row) {
            const double position = static_cast<double>(row) + static_cast<double>(firstPosition);
            const auto cosine = static_cast<Scalar>(std::cos(position * frequency));
            const auto sine = static_cast<Scalar>(std::sin(position * frequency));
            const Scalar x = M(row, first);
            const Scalar y = M(row, second);
            rotated(row, first) = x * cosine - y * sine;
            rotated(row, second) = x * sine + y * cosine;
        }
    }
    return rotated;
}

template Matrix<double> rotateHead(const Matrix<double> &, Index, const Rotary &);
template Matrix<float> rotateHead(const Matrix<float> &, Index, const Rotary &);

} // namespace attn
