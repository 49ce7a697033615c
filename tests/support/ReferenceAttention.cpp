#include "support/ReferenceAttention.h"

#include <cmath>
#include <functional>
#include <limits>

namespace attn::test {

namespace {

using Real = long double;
constexpr Real minusInfinity = -std::numeric_limits<Real>::infinity();

class Reference
{
public:
    explicit Reference(const Experiment &experiment)
        : m_experiment(experiment)
        , h(experiment.nHeads)
        , hKv(experiment.nKvHeads)
        , nQ(experiment.tokens.size())
        , nK(experiment.keyTokens().size())
    {
    }

    std::map<Stage, ReferenceStage> run()
    {
        const Stage keys = m_experiment.isGiven(Stage::Xkv) ? Stage::Xkv : Stage::X;
        project(Stage::Q, Stage::X, Stage::Wq, Stage::Bq);
        project(Stage::K, keys, Stage::Wk, Stage::Bk);
        project(Stage::V, keys, Stage::Wv, Stage::Bv);
        if (has(Stage::Q) && has(Stage::K))
            put(Stage::Scores, {h, nQ, nK}, [this](Index i, Index r, Index c) { return score(i, r, c); });
        else
            put(Stage::Scores, {}, {});
        if (has(Stage::Scores))
            put(Stage::Scaled, {h, nQ, nK},
                [this](Index i, Index r, Index c) { return at(Stage::Scores, i, r, c) * scale(); });
        else
            put(Stage::Scaled, {}, {});
        if (has(Stage::Scaled)) {
            put(Stage::Masked, {h, nQ, nK}, [this](Index i, Index r, Index c) { return masked(i, r, c); });
            put(Stage::A, {h, nQ, nK}, [this](Index i, Index r, Index c) { return weight(i, r, c); });
        } else {
            put(Stage::A, {}, {});
        }
        mix();
        return std::move(m_stages);
    }

private:
    using Cell = std::function<Real(Index, Index, Index)>;

    bool has(Stage stage) const { return m_stages.contains(stage); }
    Real at(Stage stage, Index head, Index row, Index col) const
    {
        return m_stages.at(stage).at(head, row, col);
    }
    Real given(Stage stage, Index head, Index row, Index col) const
    {
        return m_experiment.matrix(stage).at(head, row, col);
    }

    /// The given or computed cells, pins over them.
    void put(Stage stage, Shape shape, const Cell &cell)
    {
        const Tensor &document = m_experiment.matrix(stage);
        if (document.isNull() && !cell)
            return;
        ReferenceStage result;
        result.shape = document.isNull() ? shape : document.shape();
        result.numbers.resize(static_cast<std::size_t>(result.shape.size()));
        for (Index i = 0; i < result.shape.heads; ++i)
            for (Index r = 0; r < result.shape.rows; ++r)
                for (Index c = 0; c < result.shape.cols; ++c) {
                    const auto pin = m_experiment.pinsOf(stage).at({i, r, c});
                    result.at(i, r, c) = pin                 ? static_cast<Real>(*pin)
                                         : document.isNull() ? cell(i, r, c)
                                                             : given(stage, i, r, c);
                }
        m_stages[stage] = std::move(result);
    }

    void project(Stage stage, Stage source, Stage weight, Stage bias)
    {
        const Tensor &X = m_experiment.matrix(source);
        const Tensor &W = m_experiment.matrix(weight);
        if (X.isNull() || W.isNull()) {
            put(stage, {}, {});
            return;
        }
        put(stage, {1, X.rows(), W.cols()}, [&](Index, Index r, Index c) {
            Real sum = 0;
            for (Index k = 0; k < X.cols(); ++k)
                sum += static_cast<Real>(X.at(r, k)) * static_cast<Real>(W.at(k, c));
            return m_experiment.isGiven(bias) ? sum + given(bias, 0, 0, c) : sum;
        });
    }

    /// One number of a head of Q or K, turned by its position.
    Real rotated(Stage stage, Index heads, Index head, Index row, Index col, Index position) const
    {
        const Index width = m_stages.at(stage).shape.cols / heads;
        const auto plain = [&](Index c) {
            return at(stage, 0, row, head * width + c);
        };
        if (!m_experiment.rotary)
            return plain(col);
        const Rotary &rotary = *m_experiment.rotary;
        const Index turned = rotary.rotDim.value_or(width - width % 2);
        if (col >= turned)
            return plain(col);
        const bool isHalf = rotary.pairing == Rotary::Pairing::Half;
        const Index pair = isHalf ? col % (turned / 2) : col / 2;
        const bool isFirst = isHalf ? col < turned / 2 : col % 2 == 0;
        const Index partner = isHalf ? (isFirst ? col + turned / 2 : col - turned / 2) : (col ^ 1);
        const Real angle =
            static_cast<Real>(position) * std::pow(static_cast<Real>(rotary.base),
                                                   -2 * static_cast<Real>(pair) / static_cast<Real>(turned));
        return isFirst ? plain(col) * std::cos(angle) - plain(partner) * std::sin(angle)
                       : plain(partner) * std::sin(angle) + plain(col) * std::cos(angle);
    }

    Index keyHead(Index head) const { return head / (h / hKv); }

    Real score(Index head, Index row, Index col) const
    {
        const Index width = m_stages.at(Stage::Q).shape.cols / h;
        Real sum = 0;
        for (Index c = 0; c < width; ++c)
            sum += rotated(Stage::Q, h, head, row, c, row + m_experiment.qOffset) *
                   rotated(Stage::K, hKv, keyHead(head), col, c, col);
        return sum;
    }

    Real scale() const
    {
        if (m_experiment.scale)
            return *m_experiment.scale;
        const Index width = has(Stage::Q) ? m_stages.at(Stage::Q).shape.cols / h : m_experiment.statedDHeadK;
        return 1 / std::sqrt(static_cast<Real>(width));
    }

    Real maskCell(Stage stage, Index head, Index row, Index col) const
    {
        return given(stage, m_experiment.matrix(stage).heads() == 1 ? 0 : head, row, col);
    }

    bool isAllowed(Index head, Index row, Index col) const
    {
        const Index p = row + m_experiment.qOffset;
        if (m_experiment.causal && col > p)
            return false;
        if (m_experiment.window && m_experiment.window->left && p - col > *m_experiment.window->left)
            return false;
        if (m_experiment.window && m_experiment.window->right && col - p > *m_experiment.window->right)
            return false;
        if (m_experiment.isGiven(Stage::MaskPadding) && given(Stage::MaskPadding, 0, 0, col) == 0)
            return false;
        return !m_experiment.isGiven(Stage::MaskBool) || maskCell(Stage::MaskBool, head, row, col) != 0;
    }

    Real masked(Index head, Index row, Index col) const
    {
        if (!isAllowed(head, row, col))
            return minusInfinity;
        Real value = at(Stage::Scaled, head, row, col);
        if (m_experiment.isGiven(Stage::MaskAdd))
            value += maskCell(Stage::MaskAdd, head, row, col);
        if (m_experiment.isGiven(Stage::MaskAlibi))
            value -= given(Stage::MaskAlibi, 0, 0, head) *
                     static_cast<Real>(std::abs(row + m_experiment.qOffset - col));
        return value;
    }

    Real weight(Index head, Index row, Index col) const
    {
        Real greatest = minusInfinity;
        for (Index j = 0; j < nK; ++j)
            greatest = std::max(greatest, at(Stage::Masked, head, row, j));
        if (greatest == minusInfinity)
            return 0;
        Real sum = 0;
        for (Index j = 0; j < nK; ++j)
            sum += std::exp(at(Stage::Masked, head, row, j) - greatest);
        return std::exp(at(Stage::Masked, head, row, col) - greatest) / sum;
    }

    void mix()
    {
        if (!has(Stage::A) || !has(Stage::V))
            return;
        const Index width = m_stages.at(Stage::V).shape.cols / hKv;
        put(Stage::HeadOut, {h, nQ, width}, [&](Index i, Index r, Index c) {
            Real sum = 0;
            for (Index j = 0; j < nK; ++j)
                sum += at(Stage::A, i, r, j) * at(Stage::V, 0, j, keyHead(i) * width + c);
            return sum;
        });
        put(Stage::Concat, {1, nQ, h * width},
            [&](Index, Index r, Index c) { return at(Stage::HeadOut, c / width, r, c % width); });
        const Tensor &Wo = m_experiment.matrix(Stage::Wo);
        put(Stage::Output, {1, nQ, Wo.isNull() ? h * width : Wo.cols()}, [&](Index, Index r, Index c) {
            Real sum = Wo.isNull() ? at(Stage::Concat, 0, r, c) : Real(0);
            for (Index k = 0; k < Wo.rows(); ++k)
                sum += at(Stage::Concat, 0, r, k) * static_cast<Real>(Wo.at(k, c));
            return m_experiment.isGiven(Stage::Bo) ? sum + given(Stage::Bo, 0, 0, c) : sum;
        });
    }

    const Experiment &m_experiment;
    Index h;
    Index hKv;
    Index nQ;
    Index nK;
    std::map<Stage, ReferenceStage> m_stages;
};

} // namespace

std::map<Stage, ReferenceStage> referenceAttention(const Experiment &experiment)
{
    return Reference(experiment).run();
}

} // namespace attn::test
