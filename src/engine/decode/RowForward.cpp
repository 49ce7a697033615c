#include "engine/decode/RowForward.h"

#include "engine/Projection.h"
#include "engine/Rotation.h"
#include "engine/lab/SoftmaxSteps.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

/// A mask matrix may be shared by the heads.
double maskCell(const Tensor &mask, Index head, Index row, Index key)
{
    return mask.at(mask.heads() == 1 ? 0 : head, row, key);
}

bool canProject(const Experiment &experiment, Stage stage, const Tensor &input, Stage weight)
{
    return experiment.isGiven(stage) || !experiment.pinsOf(stage).whole().isNull() ||
           (!input.isNull() && experiment.isGiven(weight));
}

const Tensor &keyInputOf(const Experiment &experiment)
{
    return experiment.isGiven(Stage::Xkv) ? experiment.matrix(Stage::Xkv) : experiment.matrix(Stage::X);
}

/// out += x W, one row of W after another.
void addProduct(std::span<const double> x, const std::vector<double> &weight, Index width, double *out)
{
    const double *row = weight.data();
    for (const double factor : x) {
        for (Index c = 0; c < width; ++c)
            out[c] += factor * row[c];
        row += width;
    }
}

} // namespace

std::string RowForward::reasonAgainst(const Experiment &experiment)
{
    for (const Stage later : {Stage::Scores, Stage::Scaled, Stage::Masked, Stage::A, Stage::HeadOut,
                              Stage::Concat, Stage::Output})
        if (experiment.isGiven(later))
            return std::string("this document starts at ") + stageName(later) +
                   ": it has no rows of K that a cache could keep";
    const Result<void> valid = validate(experiment);
    if (!valid)
        return valid.error().message;
    struct Source
    {
        Stage stage;
        Tensor input;
        Stage weight;
        std::optional<Stage> rotated;
    };
    const std::array<Source, 3> sources = {
        Source{Stage::Q, experiment.matrix(Stage::X), Stage::Wq, Stage::Qr},
        Source{Stage::K, keyInputOf(experiment), Stage::Wk, Stage::Kr},
        Source{Stage::V, keyInputOf(experiment), Stage::Wv, std::nullopt}};
    for (const auto &[stage, input, weight, rotated] : sources)
        if (!(rotated && experiment.isGiven(*rotated)) && !canProject(experiment, stage, input, weight))
            return std::string(stageName(stage)) + " cannot be computed here: X or " + stageName(weight) +
                   " is missing";
    return {};
}

RowForward::RowForward(ExperimentPtr experiment)
    : m_experiment(std::move(experiment))
    , m_sizes(sizesOf(*m_experiment))
    , m_mask(maskPartsOf(*m_experiment))
{
    const Tensor &keyInput = keyInputOf(*m_experiment);
    m_query = projection(Stage::Q, m_experiment->matrix(Stage::X), Stage::Wq, Stage::Bq,
                         m_sizes.nHeads * m_sizes.dHeadK);
    m_key = projection(Stage::K, keyInput, Stage::Wk, Stage::Bk, m_sizes.nKvHeads * m_sizes.dHeadK);
    m_value = projection(Stage::V, keyInput, Stage::Wv, Stage::Bv, m_sizes.nKvHeads * m_sizes.dHeadV);
    m_query.rotated = m_experiment->matrix(Stage::Qr);
    m_key.rotated = m_experiment->matrix(Stage::Kr);
    m_outputWeight = m_experiment->matrix(Stage::Wo).isNull() ? std::vector<double>{}
                                                              : m_experiment->matrix(Stage::Wo).toDoubles();
    if (m_experiment->isGiven(Stage::Bo))
        m_outputBias = m_experiment->matrix(Stage::Bo).toDoubles();
}

RowForward::Projection RowForward::projection(Stage stage, const Tensor &input, Stage weight, Stage bias,
                                              Index width) const
{
    Projection projection;
    projection.given = m_experiment->matrix(stage);
    projection.width = width;
    if (!projection.given.isNull() || input.isNull() || !m_experiment->isGiven(weight))
        return projection;
    projection.input = input;
    projection.weight = m_experiment->matrix(weight).toDoubles();
    if (m_experiment->isGiven(bias))
        projection.bias = m_experiment->matrix(bias).toDoubles();
    return projection;
}

void RowForward::projectRow(const Projection &projection, Index row, double *out) const
{
    if (!projection.given.isNull()) {
        projection.given.copyRows(0, row, 1, out);
        return;
    }
    std::fill(out, out + projection.width, 0.0);
    if (projection.input.isNull())
        return; // the whole stage is set by hand
    std::vector<double> x(static_cast<std::size_t>(projection.input.cols()));
    projection.input.copyRows(0, row, 1, x.data());
    addProduct(x, projection.weight, projection.width, out);
    for (std::size_t c = 0; c < projection.bias.size(); ++c)
        out[c] += projection.bias[c];
}

void RowForward::overlay(Stage stage, Index head, Index row, std::span<double> cells) const
{
    const Pins &pins = m_experiment->pinsOf(stage);
    if (pins.isEmpty())
        return;
    for (std::size_t c = 0; c < cells.size(); ++c)
        cells[c] = pins.at({head, row, static_cast<Index>(c)}).value_or(cells[c]);
}

void RowForward::rotate(double *row, Index heads, Index position, Stage stage, Index index) const
{
    if (!m_experiment->rotary)
        return;
    const Index width = m_sizes.dHeadK;
    for (Index head = 0; head < heads; ++head) {
        double *cells = row + head * width;
        const std::span one(cells, static_cast<std::size_t>(width));
        rotateRow(one, position, *m_experiment->rotary);
        overlay(stage, head, index, one);
    }
}

/// A row that the document holds as it is after rotation.
void RowForward::takeRotated(const Projection &projection, Stage stage, Index row, double *out) const
{
    const Index width = m_sizes.dHeadK;
    for (Index head = 0; head < projection.rotated.heads(); ++head) {
        double *cells = out + head * width;
        projection.rotated.copyRows(head, row, 1, cells);
        overlay(stage, head, row, std::span(cells, static_cast<std::size_t>(width)));
    }
}

void RowForward::queryRow(Index row, double *out) const
{
    if (!m_query.rotated.isNull())
        return takeRotated(m_query, Stage::Qr, row, out);
    projectRow(m_query, row, out);
    overlay(Stage::Q, 0, row, std::span(out, static_cast<std::size_t>(m_query.width)));
    rotate(out, m_sizes.nHeads, row + m_experiment->qOffset, Stage::Qr, row);
}

void RowForward::keyRow(Index key, double *out) const
{
    if (!m_key.rotated.isNull())
        return takeRotated(m_key, Stage::Kr, key, out);
    projectRow(m_key, key, out);
    overlay(Stage::K, 0, key, std::span(out, static_cast<std::size_t>(m_key.width)));
    rotate(out, m_sizes.nKvHeads, key, Stage::Kr, key);
}

void RowForward::valueRow(Index key, double *out) const
{
    projectRow(m_value, key, out);
    overlay(Stage::V, 0, key, std::span(out, static_cast<std::size_t>(m_value.width)));
}

void RowForward::maskedScores(Index head, Index row, const double *query, const double *keys, Index stride,
                              std::span<double> out) const
{
    const Index width = m_sizes.dHeadK;
    for (std::size_t j = 0; j < out.size(); ++j) {
        const double *key = keys + static_cast<Index>(j) * stride;
        double dot = 0.0;
        for (Index c = 0; c < width; ++c)
            dot += query[c] * key[c];
        out[j] = dot;
    }
    overlay(Stage::Scores, head, row, out);
    for (double &score : out)
        score *= m_sizes.scale;
    overlay(Stage::Scaled, head, row, out);
    for (std::size_t j = 0; j < out.size(); ++j) {
        const auto key = static_cast<Index>(j);
        out[j] = isAllowed(head, row, key) ? out[j] + bias(head, row, key) : hiddenKeyScore;
    }
    overlay(Stage::Masked, head, row, out);
}

bool RowForward::weights(Index head, Index row, std::span<const double> masked, std::span<double> out) const
{
    const SoftmaxSteps steps = softmaxSteps(masked);
    std::copy(steps.weights.begin(), steps.weights.end(), out.begin());
    overlay(Stage::A, head, row, out);
    return steps.isFullyMasked;
}

void RowForward::mix(Index head, Index row, std::span<const double> weights, const double *values,
                     Index stride, double *out) const
{
    const Index width = m_sizes.dHeadV;
    std::fill(out, out + width, 0.0);
    for (std::size_t j = 0; j < weights.size(); ++j) {
        const double *value = values + static_cast<Index>(j) * stride;
        for (Index c = 0; c < width; ++c)
            out[c] += weights[j] * value[c];
    }
    overlay(Stage::HeadOut, head, row, std::span(out, static_cast<std::size_t>(width)));
}

void RowForward::output(Index row, double *concat, double *out) const
{
    const auto width = static_cast<std::size_t>(m_sizes.nHeads * m_sizes.dHeadV);
    overlay(Stage::Concat, 0, row, std::span(concat, width));
    const auto outWidth = static_cast<std::size_t>(m_sizes.dOut);
    if (m_outputWeight.empty()) {
        std::copy(concat, concat + width, out);
    } else {
        std::fill(out, out + outWidth, 0.0);
        addProduct(std::span(concat, width), m_outputWeight, m_sizes.dOut, out);
    }
    for (std::size_t c = 0; c < m_outputBias.size(); ++c)
        out[c] += m_outputBias[c];
    overlay(Stage::Output, 0, row, std::span(out, outWidth));
}

bool RowForward::isAllowed(Index head, Index row, Index key) const
{
    const auto &[begin, end] = m_mask.allowedSpan(row, m_sizes.nK);
    return key >= begin && key < end && (m_mask.padding.isNull() || m_mask.padding.at(0, key) != 0.0) &&
           (m_mask.boolean.isNull() || maskCell(m_mask.boolean, head, row, key) != 0.0) &&
           (m_mask.add.isNull() || maskCell(m_mask.add, head, row, key) != hiddenKeyScore);
}

double RowForward::bias(Index head, Index row, Index key) const
{
    double bias = m_mask.add.isNull() ? 0.0 : maskCell(m_mask.add, head, row, key);
    if (!m_mask.alibi.isNull())
        bias -= m_mask.alibi.at(0, head) * std::abs(static_cast<double>(key - row - m_mask.qOffset));
    return bias;
}

} // namespace attn
