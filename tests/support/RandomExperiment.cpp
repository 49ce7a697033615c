#include "support/RandomExperiment.h"

#include <array>

namespace attn::test {

namespace {

TokenList numberedTokens(Index count, const std::string &prefix)
{
    std::vector<std::string> labels;
    for (Index i = 0; i < count; ++i)
        labels.push_back(prefix + std::to_string(i));
    return TokenList(labels);
}

constexpr std::array pinnableStages = {Stage::Q,      Stage::K, Stage::V,      Stage::Scores,
                                       Stage::Scaled, Stage::A, Stage::Concat, Stage::Output};

} // namespace

Index RandomExperiments::between(Index low, Index high)
{
    return std::uniform_int_distribution<Index>(low, high)(m_generator);
}

bool RandomExperiments::chance(double probability)
{
    return std::bernoulli_distribution(probability)(m_generator);
}

double RandomExperiments::number()
{
    return std::normal_distribution<double>()(m_generator);
}

Tensor RandomExperiments::matrix(const Shape &shape)
{
    std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
    for (double &value : numbers)
        value = number();
    return Tensor::fromDoubles(shape, numbers);
}

Tensor RandomExperiments::flags(const Shape &shape)
{
    std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
    for (double &value : numbers)
        value = chance(0.75) ? 1.0 : 0.0;
    return Tensor::fromDoubles(shape, numbers);
}

CellIndex RandomExperiments::cellOf(const Shape &shape)
{
    return {between(0, shape.heads - 1), between(0, shape.rows - 1), between(0, shape.cols - 1)};
}

Experiment RandomExperiments::next()
{
    Experiment experiment;
    experiment.tokens = numberedTokens(between(1, 9), "q");
    if (chance(0.4))
        experiment.tokensKv = numberedTokens(between(1, 9), "k");
    experiment.nKvHeads = between(1, 3);
    experiment.nHeads = experiment.nKvHeads * between(1, 3);
    const Index dHeadK = between(1, 6);
    const Index dHeadV = between(1, 5);
    addStart(experiment, dHeadK, dHeadV);
    if (chance(0.3))
        experiment.scale = number();
    if (chance(0.3))
        experiment.qOffset = between(-3, 6);
    if (chance(0.4) && !experiment.isGiven(Stage::Scores) && !experiment.isGiven(Stage::A)) {
        experiment.rotary = Rotary{};
        experiment.rotary->pairing = chance(0.5) ? Rotary::Pairing::Half : Rotary::Pairing::Interleaved;
        if (chance(0.3))
            experiment.rotary->rotDim = 2 * between(0, dHeadK / 2);
    }
    addMasks(experiment);
    addPins(experiment);
    return experiment;
}

void RandomExperiments::addStart(Experiment &experiment, Index dHeadK, Index dHeadV)
{
    const Index nQ = experiment.tokens.size();
    const Index nK = experiment.keyTokens().size();
    const Index h = experiment.nHeads;
    const Index hKv = experiment.nKvHeads;
    auto &given = experiment.given;
    const Index start = between(0, 5);
    if (start == 0) {
        given[Stage::Scores] = matrix({h, nQ, nK});
        experiment.statedDHeadK = dHeadK;
    } else if (start == 1) {
        given[Stage::A] = matrix({h, nQ, nK});
    } else if (start == 2) {
        given[Stage::Q] = matrix({1, nQ, h * dHeadK});
        given[Stage::K] = matrix({1, nK, hKv * dHeadK});
    }
    if (start <= 2) {
        given[Stage::V] = matrix({1, nK, hKv * dHeadV});
    } else {
        const Index dModel = between(1, 7);
        const Index dModelKv = experiment.isSelfAttention() ? dModel : between(1, 7);
        given[Stage::X] = matrix({1, nQ, dModel});
        if (!experiment.isSelfAttention())
            given[Stage::Xkv] = matrix({1, nK, dModelKv});
        given[Stage::Wq] = matrix({1, dModel, h * dHeadK});
        given[Stage::Wk] = matrix({1, dModelKv, hKv * dHeadK});
        given[Stage::Wv] = matrix({1, dModelKv, hKv * dHeadV});
        if (chance(0.5)) {
            given[Stage::Bq] = matrix({1, 1, h * dHeadK});
            given[Stage::Bk] = matrix({1, 1, hKv * dHeadK});
            given[Stage::Bv] = matrix({1, 1, hKv * dHeadV});
        }
    }
    if (chance(0.7))
        given[Stage::Wo] = matrix({1, h * dHeadV, between(1, 7)});
    if (chance(0.4))
        given[Stage::Bo] = matrix({1, 1, sizesOf(experiment).dOut});
}

void RandomExperiments::addMasks(Experiment &experiment)
{
    const Shape all{experiment.nHeads, experiment.tokens.size(), experiment.keyTokens().size()};
    const auto maskShape = [&] {
        return chance(0.5) ? all : Shape{1, all.rows, all.cols};
    };
    experiment.causal = chance(0.4);
    if (chance(0.3)) {
        experiment.window = Window{};
        if (chance(0.7))
            experiment.window->left = between(0, 4);
        if (chance(0.7))
            experiment.window->right = between(0, 4);
    }
    if (chance(0.2))
        experiment.given[Stage::MaskPadding] = flags({1, 1, all.cols});
    if (chance(0.2))
        experiment.given[Stage::MaskBool] = flags(maskShape());
    if (chance(0.2))
        experiment.given[Stage::MaskAdd] = matrix(maskShape());
    if (chance(0.2))
        experiment.given[Stage::MaskAlibi] = defaultAlibiSlopes(experiment.nHeads);
}

void RandomExperiments::addPins(Experiment &experiment)
{
    for (const Stage stage : pinnableStages) {
        const Shape shape = expectedShape(experiment, stage);
        if (shape.size() == 0 || !chance(0.2))
            continue;
        if (chance(0.3))
            experiment.pins[stage] = Pins(matrix(shape));
        for (Index count = between(1, 3); count > 0; --count)
            experiment.pins[stage].set(cellOf(shape), number());
    }
}

Experiment RandomExperiments::changed(const Experiment &experiment)
{
    Experiment after = experiment;
    switch (between(0, 6)) {
    case 0: {
        const Stage stage = pinnableStages[static_cast<std::size_t>(between(0, 7))];
        const Shape shape = expectedShape(after, stage);
        if (shape.size() > 0)
            after.pins[stage].set(cellOf(shape), number());
        break;
    }
    case 1:
        after.pins.clear();
        break;
    case 2:
        after.causal = !after.causal;
        break;
    case 3:
        after.scale = number();
        break;
    case 4:
        after.qOffset = between(-3, 6);
        break;
    default: {
        auto entry = std::next(after.given.begin(), between(0, static_cast<Index>(after.given.size()) - 1));
        const bool isFlag = entry->first == Stage::MaskBool || entry->first == Stage::MaskPadding;
        const double value = isFlag ? static_cast<double>(between(0, 1)) : number();
        if (entry->second.shape().size() > 0)
            entry->second =
                entry->second.withCells(std::vector<CellValue>{{cellOf(entry->second.shape()), value}});
        break;
    }
    }
    return after;
}

} // namespace attn::test
