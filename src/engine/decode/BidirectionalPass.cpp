#include "engine/decode/BidirectionalPass.h"

#include "engine/Projection.h"
#include "engine/decode/RowForward.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Rows of Q, K and V of the first tokens, each computed once.
class PrefixPass
{
public:
    PrefixPass(const RowForward &forward, Index tokens)
        : m_forward(forward)
        , m_queryWidth(forward.sizes().nHeads * forward.sizes().dHeadK)
        , m_keyWidth(forward.sizes().nKvHeads * forward.sizes().dHeadK)
        , m_valueWidth(forward.sizes().nKvHeads * forward.sizes().dHeadV)
        , m_queries(static_cast<std::size_t>(tokens * m_queryWidth))
        , m_keys(static_cast<std::size_t>(tokens * m_keyWidth))
        , m_values(static_cast<std::size_t>(tokens * m_valueWidth))
    {
        for (Index token = 0; token < tokens; ++token) {
            forward.queryRow(token, m_queries.data() + token * m_queryWidth);
            forward.keyRow(token, m_keys.data() + token * m_keyWidth);
            forward.valueRow(token, m_values.data() + token * m_valueWidth);
        }
    }

    /// The output of one row that looks at the first `keys` tokens; weights: [h, keys]
    std::vector<double> outputOf(Index row, Index keys, std::vector<std::vector<double>> &weights) const
    {
        const Sizes &sizes = m_forward.sizes();
        std::vector<double> masked(static_cast<std::size_t>(keys));
        std::vector<double> concat(static_cast<std::size_t>(sizes.nHeads * sizes.dHeadV));
        std::vector<double> output(static_cast<std::size_t>(sizes.dOut));
        weights.assign(static_cast<std::size_t>(sizes.nHeads), std::vector<double>(masked.size()));
        for (Index head = 0; head < sizes.nHeads; ++head) {
            const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
            std::vector<double> &A = weights[static_cast<std::size_t>(head)];
            m_forward.maskedScores(head, row, m_queries.data() + row * m_queryWidth + head * sizes.dHeadK,
                                   m_keys.data() + kvHead * sizes.dHeadK, m_keyWidth, masked);
            m_forward.weights(head, row, masked, A);
            m_forward.mix(head, row, A, m_values.data() + kvHead * sizes.dHeadV, m_valueWidth,
                          concat.data() + head * sizes.dHeadV);
        }
        m_forward.output(row, concat.data(), output.data());
        return output;
    }

private:
    const RowForward &m_forward;
    Index m_queryWidth;
    Index m_keyWidth;
    Index m_valueWidth;
    std::vector<double> m_queries;
    std::vector<double> m_keys;
    std::vector<double> m_values;
};

} // namespace

BidirectionalChange bidirectionalChange(const Experiment &experiment, Index before, Index after, Index head)
{
    BidirectionalChange change;
    change.oldRows = before;
    if (after <= 0 || after > mostBidirectionalTokens)
        return change;
    Experiment open = experiment;
    open.causal = false;
    const RowForward forward(std::make_shared<const Experiment>(std::move(open)));
    const PrefixPass pass(forward, after);
    std::vector<std::vector<double>> weights;
    std::vector<double> picture;
    for (Index row = 0; row < after; ++row) {
        const std::vector<double> now = pass.outputOf(row, after, weights);
        const std::vector<double> &shown = weights[static_cast<std::size_t>(head)];
        picture.insert(picture.end(), shown.begin(), shown.end());
        if (row >= before)
            continue;
        const std::vector<double> old = pass.outputOf(row, before, weights);
        double largest = 0.0;
        for (std::size_t c = 0; c < now.size(); ++c)
            largest = std::max(largest, std::abs(now[c] - old[c]));
        change.changedRows += largest > 0.0 ? 1 : 0;
        change.largest = std::max(change.largest, largest);
    }
    change.weights = valuesOf(Tensor::fromDoubles({1, after, after}, picture));
    return change;
}

} // namespace attn
