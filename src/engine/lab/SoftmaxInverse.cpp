#include "engine/lab/SoftmaxInverse.h"

#include "base/NumberText.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr double zeroWeightScore = -std::numeric_limits<double>::infinity();
/// A row of rounded weights is still a row that adds to 1.
constexpr double sumTolerance = 1e-9;

bool hasReadableValues(const StageState &state)
{
    return state.hasValues() && state.reason.empty();
}

Error errorOfWeight(Index head, Index row, Index col, double weight)
{
    return {ErrorCode::BadInput, "A[" + std::to_string(head) + ", " + std::to_string(row) + ", " +
                                     std::to_string(col) + "] is " + shortestText(weight) +
                                     ": no scores give a weight below 0 or one that is no number"};
}

/// One row after another: the weights in, the scores out.
class RowInverter
{
public:
    RowInverter(const Snapshot &snapshot, Index head, Stage target)
        : m_A(*snapshot.stage(Stage::A).values)
        , m_allowed(readerOf(snapshot, Stage::Allowed))
        , m_bias(readerOf(snapshot, Stage::Bias))
        , m_present(readerOf(snapshot, target))
        , m_head(head)
        , m_divisor(target == Stage::Scores ? snapshot.sizes().scale : 1.0)
    {
    }

    /// Writes n_k scores; an error names the weight that has none.
    Result<void> invert(Index row, InverseSoftmax &result, double *out)
    {
        const Index nK = m_A.cols();
        m_weights.resize(static_cast<std::size_t>(nK));
        m_A.readBlock(m_head, row, 0, 1, nK, m_weights.data(), nK);
        double sum = 0.0;
        for (Index j = 0; j < nK; ++j) {
            double &weight = m_weights[static_cast<std::size_t>(j)];
            if (!isAllowed(row, j))
                weight = 0.0;
            if (!(weight >= 0.0) || std::isinf(weight))
                return errorOfWeight(m_head, row, j, weight);
            sum += weight;
        }
        if (sum == 0.0) {
            ++result.left;
            for (Index j = 0; j < nK; ++j)
                out[j] = present(row, j);
            return {};
        }
        ++(std::abs(sum - 1.0) <= sumTolerance ? result.restored : result.rescaled);
        writeScores(row, result, out);
        return {};
    }

private:
    static const StageValues *readerOf(const Snapshot &snapshot, Stage stage)
    {
        return hasReadableValues(snapshot.stage(stage)) ? snapshot.stage(stage).values.get() : nullptr;
    }
    bool isAllowed(Index row, Index col) const
    {
        return !m_allowed || m_allowed->value(m_head, row, col) != 0.0;
    }
    double present(Index row, Index col) const
    {
        return m_present ? m_present->value(m_head, row, col) : 0.0;
    }

    void writeScores(Index row, InverseSoftmax &result, double *out)
    {
        const std::vector<double> scores = scoresForWeights(m_weights, 1.0);
        for (std::size_t j = 0; j < scores.size(); ++j) {
            const auto col = static_cast<Index>(j);
            if (!isAllowed(row, col)) {
                out[j] = present(row, col);
                ++result.left;
                continue;
            }
            const double bias = m_bias ? m_bias->value(m_head, row, col) : 0.0;
            const double scaled = scores[j] - bias;
            // -inf over a negative scale would come back as +inf.
            out[j] = scaled == zeroWeightScore ? zeroWeightScore : scaled / m_divisor;
        }
    }

    const StageValues &m_A;
    const StageValues *m_allowed;
    const StageValues *m_bias;
    const StageValues *m_present;
    Index m_head;
    double m_divisor;
    std::vector<double> m_weights;
};

} // namespace

std::vector<double> scoresForWeights(std::span<const double> weights, double factor)
{
    std::vector<double> scores(weights.size());
    double sum = 0.0;
    std::size_t finite = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        scores[j] = weights[j] == 0.0 ? zeroWeightScore : factor * std::log(weights[j]);
        if (std::isfinite(scores[j])) {
            sum += scores[j];
            ++finite;
        }
    }
    const double mean = finite > 0 ? sum / static_cast<double>(finite) : 0.0;
    for (double &score : scores)
        score -= mean;
    return scores;
}

Result<InverseSoftmax> inverseSoftmax(const Snapshot &snapshot, Index head, Stage target)
{
    const StageState &A = snapshot.stage(Stage::A);
    if (!hasReadableValues(A))
        return Error{ErrorCode::NotFound, A.reason.empty() ? "there are no weights A here" : A.reason};
    const Shape shape = A.values->shape();
    if (shape.size() > mostInvertedWeights)
        return Error{ErrorCode::TooLarge, "A holds " + std::to_string(shape.size()) + " weights; at most " +
                                              std::to_string(mostInvertedWeights) +
                                              " are turned into scores"};
    if (target == Stage::Scores && snapshot.sizes().scale == 0.0)
        return Error{ErrorCode::BadInput, "the scale is 0: no scores matter"};
    InverseSoftmax result;
    RowInverter inverter(snapshot, head, target);
    std::vector<double> scores(static_cast<std::size_t>(shape.rows * shape.cols));
    for (Index row = 0; row < shape.rows; ++row) {
        const Result<void> done = inverter.invert(row, result, scores.data() + row * shape.cols);
        if (!done)
            return done.error();
    }
    result.scores = Tensor::fromDoubles({1, shape.rows, shape.cols}, scores);
    return result;
}

Result<Edit> inverseSoftmaxEdit(const Snapshot &snapshot, Stage target)
{
    std::vector<double> scores;
    const Index heads = snapshot.sizes().nHeads;
    for (Index head = 0; head < heads; ++head) {
        const Result<InverseSoftmax> one = inverseSoftmax(snapshot, head, target);
        if (!one)
            return one.error();
        const std::vector<double> numbers = one->scores.toDoubles();
        scores.insert(scores.end(), numbers.begin(), numbers.end());
    }
    const Shape shape = {heads, snapshot.stage(Stage::A).values->rows(),
                         snapshot.stage(Stage::A).values->cols()};
    const Tensor value = Tensor::fromDoubles(shape, scores);
    const Experiment &experiment = snapshot.experiment();
    Compound compound;
    const bool startsAtA = experiment.isGiven(Stage::A);
    if (startsAtA) {
        compound.edits.push_back(SetTensor{target, value});
        compound.edits.push_back(SetTensor{Stage::A, {}});
    } else {
        compound.edits.push_back(PinStage{target, value});
    }
    for (const Stage between : {Stage::Scaled, Stage::Masked, Stage::A})
        if (between != target && !experiment.pinsOf(between).isEmpty())
            compound.edits.push_back(UnpinStage{between});
    return Edit(std::move(compound));
}

} // namespace attn
