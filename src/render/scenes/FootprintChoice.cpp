#include "render/scenes/FootprintChoice.h"

#include "render/scenes/StageTexts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

/// Norms of the columns of one head of A.
std::vector<double> columnNorms(const StageValues &weights, Index head)
{
    const Index rows = weights.rows();
    const Index cols = weights.cols();
    std::vector<double> squares(static_cast<std::size_t>(cols), 0.0);
    std::vector<double> row(static_cast<std::size_t>(cols));
    for (Index i = 0; i < rows; ++i) {
        weights.readBlock(head, i, 0, 1, cols, row.data(), cols);
        for (std::size_t j = 0; j < squares.size(); ++j)
            squares[j] += row[j] * row[j];
    }
    for (double &square : squares)
        square = std::sqrt(square);
    return squares;
}

/// Norms of v_t, or of v_t times the head's rows of W^O, for every key token.
std::vector<double> valueNorms(const Snapshot &snapshot, Index head, bool mapped)
{
    const StageValues &values = *snapshot.stage(Stage::V).values;
    const StageValuesPtr output = mapped ? snapshot.stage(Stage::Wo).values : nullptr;
    const Index width = snapshot.sizes().dHeadV;
    const Index first = kvHeadOf(snapshot.experiment(), head) * width;
    std::vector<double> v(static_cast<std::size_t>(width));
    std::vector<double> w;
    if (output) {
        w.resize(static_cast<std::size_t>(width * output->cols()));
        output->readBlock(0, head * width, 0, width, output->cols(), w.data(), output->cols());
    }
    std::vector<double> norms;
    for (Index token = 0; token < values.rows(); ++token) {
        values.readBlock(0, token, first, 1, width, v.data(), width);
        double square = 0.0;
        if (!output) {
            square = std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
        } else {
            for (Index col = 0; col < output->cols(); ++col) {
                double sum = 0.0;
                for (Index i = 0; i < width; ++i)
                    sum += v[static_cast<std::size_t>(i)] *
                           w[static_cast<std::size_t>(i * output->cols() + col)];
                square += sum * sum;
            }
        }
        norms.push_back(std::sqrt(square));
    }
    return norms;
}

std::vector<Index> tokenOrder(const FootprintsOptions &options, Index tokens)
{
    std::vector<Index> order;
    std::vector<bool> seen(static_cast<std::size_t>(tokens), false);
    const auto add = [&](Index token) {
        if (token < 0 || token >= tokens || seen[static_cast<std::size_t>(token)])
            return;
        seen[static_cast<std::size_t>(token)] = true;
        order.push_back(token);
    };
    for (const Index token : options.order)
        add(token);
    for (Index token = 0; token < tokens; ++token)
        add(token);
    return order;
}

} // namespace

std::vector<double> footprintNorms(const Snapshot &snapshot, FootprintTarget target, Index head)
{
    const StageValues &weights = *snapshot.stage(Stage::A).values;
    const bool all = target == FootprintTarget::Token;
    std::vector<double> norms(static_cast<std::size_t>(weights.cols()), 0.0);
    for (Index i = all ? 0 : head; i < (all ? weights.heads() : head + 1); ++i) {
        const std::vector<double> columns = columnNorms(weights, i);
        const std::vector<double> values = valueNorms(snapshot, i, target != FootprintTarget::Head);
        for (std::size_t token = 0; token < norms.size(); ++token)
            norms[token] += columns[token] * values[token];
    }
    return norms;
}

FootprintChoice footprintChoice(const Snapshot &snapshot, const FootprintsOptions &options)
{
    const Index tokens = snapshot.stage(Stage::A).values->cols();
    FootprintChoice choice;
    choice.shown = tokenOrder(options, tokens);
    if (tokens > mostShownInFull) {
        const std::vector<double> norms = footprintNorms(snapshot, options.target, options.head);
        const auto norm = [&norms](Index token) {
            const double value = norms[static_cast<std::size_t>(token)];
            return std::isnan(value) ? HUGE_VAL : value;
        };
        std::stable_sort(choice.shown.begin(), choice.shown.end(),
                         [&norm](Index a, Index b) { return norm(a) > norm(b); });
        choice.rest.assign(choice.shown.begin() + shownOfMany, choice.shown.end());
        std::sort(choice.rest.begin(), choice.rest.end());
        choice.shown.resize(static_cast<std::size_t>(shownOfMany));
    }
    std::vector<Index> layers = choice.shown;
    layers.insert(layers.end(), choice.rest.begin(), choice.rest.end());
    const Index limit = options.accumulated < 0 ? tokens : std::min(options.accumulated, tokens);
    for (Index i = 0; i < limit; ++i) {
        const Index token = layers[static_cast<std::size_t>(i)];
        if (options.solo >= 0 ? token == options.solo : !options.muted.contains(token))
            choice.added.push_back(token);
    }
    if (options.solo >= 0 && choice.added.empty())
        choice.added = {options.solo};
    choice.isComplete = static_cast<Index>(choice.added.size()) == tokens;
    return choice;
}

} // namespace attn
