#include "engine/decode/DecodeCost.h"

#include "engine/Rotation.h"

#include <algorithm>

namespace attn {

DecodeCost &DecodeCost::operator+=(const DecodeCost &other)
{
    projections += other.projections;
    scores += other.scores;
    mixing += other.mixing;
    output += other.output;
    return *this;
}

DecodeCosting::DecodeCosting(const Experiment &experiment)
    : m_sizes(sizesOf(experiment))
    , m_qOffset(experiment.qOffset)
    , m_concatWidth(m_sizes.nHeads * m_sizes.dHeadV)
    , m_isGrowing(experiment.isSelfAttention() || experiment.causal)
    , m_hasQuery(experiment.isGiven(Stage::Q) || experiment.isGiven(Stage::Qr))
    , m_hasKey(experiment.isGiven(Stage::K) || experiment.isGiven(Stage::Kr))
    , m_hasValue(experiment.isGiven(Stage::V))
    , m_hasOutputWeight(experiment.isGiven(Stage::Wo))
    , m_isSelf(!experiment.isGiven(Stage::Xkv))
    , m_bytesPerNumber(experiment.precision == Precision::Float32 ? 4 : 8)
{
    if (!experiment.rotary)
        return;
    const Index columns = rotatedColumns(*experiment.rotary, m_sizes.dHeadK);
    m_rotatedQueryColumns = experiment.isGiven(Stage::Qr) ? 0 : columns;
    m_rotatedKeyColumns = experiment.isGiven(Stage::Kr) ? 0 : columns;
}

Index DecodeCosting::keysOfRow(Index row) const
{
    return m_isGrowing ? std::clamp<Index>(row + m_qOffset + 1, 0, m_sizes.nK) : m_sizes.nK;
}

DecodeCost DecodeCosting::costOf(Index firstRow, Index rowCount, Index keyCount) const
{
    const Sizes &s = m_sizes;
    DecodeCost cost;
    if (!m_hasQuery)
        cost.projections += rowCount * s.dModel * s.nHeads * s.dHeadK;
    if (!m_hasKey)
        cost.projections += keyCount * s.dModelKv * s.nKvHeads * s.dHeadK;
    if (!m_hasValue)
        cost.projections += keyCount * s.dModelKv * s.nKvHeads * s.dHeadV;
    cost.projections +=
        2 * (m_rotatedQueryColumns * rowCount * s.nHeads + m_rotatedKeyColumns * keyCount * s.nKvHeads);
    for (Index row = firstRow; row < firstRow + rowCount; ++row) {
        const Index keys = keysOfRow(row);
        cost.scores += keys * s.nHeads * (s.dHeadK + 1);
        cost.mixing += keys * s.nHeads * s.dHeadV;
    }
    if (m_hasOutputWeight)
        cost.output += rowCount * m_concatWidth * s.dOut;
    return cost;
}

DecodeCost DecodeCosting::costWithoutCache(Index rowsAfter) const
{
    return costOf(0, rowsAfter, rowsAfter > 0 ? keysOfRow(rowsAfter - 1) : 0);
}

std::int64_t DecodeCosting::cacheBytes(Index keys) const
{
    return keys * m_sizes.nKvHeads * (m_sizes.dHeadK + m_sizes.dHeadV) * m_bytesPerNumber;
}

std::int64_t DecodeCosting::inputBytes(Index rows, Index keys) const
{
    if (m_isSelf)
        return std::max(rows, keys) * m_sizes.dModel * m_bytesPerNumber;
    return (rows * m_sizes.dModel + keys * m_sizes.dModelKv) * m_bytesPerNumber;
}

} // namespace attn
