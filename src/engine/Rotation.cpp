#include "engine/Rotation.h"

#include <cmath>
#include <vector>

namespace attn {

Index rotatedColumns(const Rotary &rotary, Index dHead)
{
    return rotary.rotDim.value_or(dHead - dHead % 2);
}

template<typename Scalar>
void rotaryAngles(const Rotary &rotary, Index firstPosition, Index rows, Index pairs, Scalar *cosines,
                  Scalar *sines, Index stride)
{
    for (Index pair = 0; pair < pairs; ++pair) {
        const double frequency =
            std::pow(rotary.base, -static_cast<double>(pair) / static_cast<double>(pairs));
        for (Index row = 0; row < rows; ++row) {
            const double angle = (static_cast<double>(row) + static_cast<double>(firstPosition)) * frequency;
            cosines[row * stride + pair] = static_cast<Scalar>(std::cos(angle));
            sines[row * stride + pair] = static_cast<Scalar>(std::sin(angle));
        }
    }
}

template void rotaryAngles(const Rotary &, Index, Index, Index, double *, double *, Index);
template void rotaryAngles(const Rotary &, Index, Index, Index, float *, float *, Index);

void rotateRow(std::span<double> row, Index position, const Rotary &rotary)
{
    const Index pairs = rotatedColumns(rotary, static_cast<Index>(row.size())) / 2;
    const bool isInterleaved = rotary.pairing == Rotary::Pairing::Interleaved;
    std::vector<double> cosines(static_cast<std::size_t>(pairs));
    std::vector<double> sines(cosines.size());
    rotaryAngles(rotary, position, 1, pairs, cosines.data(), sines.data(), pairs);
    for (std::size_t pair = 0; pair < cosines.size(); ++pair) {
        double &first = row[isInterleaved ? 2 * pair : pair];
        double &second = row[isInterleaved ? 2 * pair + 1 : pair + cosines.size()];
        const double x = first;
        first = x * cosines[pair] - second * sines[pair];
        second = x * sines[pair] + second * cosines[pair];
    }
}

} // namespace attn
