#include "engine/lab/RotaryPicture.h"

#include "engine/Rotation.h"

#include <cmath>

namespace attn {

double rotaryAngle(const Rotary &rotary, Index position, Index pair, Index pairs)
{
    return static_cast<double>(position) *
           std::pow(rotary.base, -static_cast<double>(pair) / static_cast<double>(pairs));
}

std::pair<Index, Index> rotaryPair(const Rotary &rotary, Index pair, Index pairs)
{
    return rotary.pairing == Rotary::Pairing::Interleaved ? std::pair(2 * pair, 2 * pair + 1)
                                                          : std::pair(pair, pair + pairs);
}

StageValuesPtr rotaryAngleTable(const Rotary &rotary, Index dHead, Index positions, Index first)
{
    const Index pairs = rotatedColumns(rotary, dHead) / 2;
    std::vector<double> angles;
    for (Index position = first; position < first + positions; ++position)
        for (Index pair = 0; pair < pairs; ++pair)
            angles.push_back(rotaryAngle(rotary, position, pair, pairs));
    return valuesOf(Tensor::fromDoubles({1, positions, pairs}, angles));
}

StageValuesPtr rotaryDotTable(const Rotary &rotary, std::span<const double> query,
                              std::span<const double> key, Index positions)
{
    std::vector<std::vector<double>> queries;
    std::vector<std::vector<double>> keys;
    for (Index position = 0; position < positions; ++position) {
        queries.emplace_back(query.begin(), query.end());
        rotateRow(queries.back(), position, rotary);
        keys.emplace_back(key.begin(), key.end());
        rotateRow(keys.back(), position, rotary);
    }
    std::vector<double> table;
    for (const std::vector<double> &q : queries) {
        for (const std::vector<double> &k : keys) {
            double sum = 0.0;
            for (std::size_t i = 0; i < q.size(); ++i)
                sum += q[i] * k[i];
            table.push_back(sum);
        }
    }
    return valuesOf(Tensor::fromDoubles({1, positions, positions}, table));
}

StageValuesPtr alibiBiasTable(double slope, Index queries, Index keys, Index qOffset)
{
    std::vector<double> biases;
    biases.reserve(static_cast<std::size_t>(queries * keys));
    for (Index i = 0; i < queries; ++i)
        for (Index j = 0; j < keys; ++j)
            biases.push_back(slope * -static_cast<double>(std::abs(i + qOffset - j)) + 0.0);
    return valuesOf(Tensor::fromDoubles({1, queries, keys}, biases));
}

} // namespace attn
