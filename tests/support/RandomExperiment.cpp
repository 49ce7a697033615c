#include "support/RandomExperiment.h"

#include <array>
#include <cmath>
#include <limits>

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
    const bool isLarge = numbers.size() > 10000; // then a plain distribution, for the time it takes
    for (double &value : numbers)
        value = isLarge ? std::ldexp(static_cast<double>(m_generator()), -30) - 2.0 : number();
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
    experiment.tokens = numberedTokens(between(m_sizes.fewestTokens, m_sizes.mostTokens), "q");
    if (chance(0.4))
        experiment.tokensKv = numberedTokens(between(m_sizes.fewestTokens, m_sizes.mostTokens), "k");
    experiment.nKvHeads = between(1, m_sizes.mostKvHeads);
    experiment.nHeads = experiment.nKvHeads * between(1, m_sizes.mostGroups);
    const Index dHeadK = between(1, m_sizes.mostHeadWidth);
    const Index dHeadV = between(1, std::max<Index>(1, m_sizes.mostHeadWidth - 1));
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
        const Index dModel = between(1, m_sizes.mostModelWidth);
        const Index dModelKv = experiment.isSelfAttention() ? dModel : between(1, m_sizes.mostModelWidth);
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
        given[Stage::Wo] = matrix({1, h * dHeadV, between(1, m_sizes.mostModelWidth)});
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

std::vector<CellValue> RandomExperiments::someCells(const Shape &shape, bool areFlags)
{
    std::vector<CellValue> cells;
    if (shape.size() == 0)
        return cells;
    const auto value = [&] {
        return areFlags ? static_cast<double>(between(0, 1)) : number();
    };
    const CellIndex first = cellOf(shape);
    const bool isRow = chance(0.15);
    const bool isColumn = !isRow && chance(0.1) && shape.rows <= 64;
    for (Index i = 0; i < (isRow ? shape.cols : isColumn ? shape.rows : 1); ++i)
        cells.push_back({{first.head, isColumn ? i : first.row, isRow ? i : first.col}, value()});
    if (!areFlags && chance(0.02))
        cells.front().value = std::numeric_limits<double>::quiet_NaN();
    return cells;
}

Edit RandomExperiments::cellEdit(const Experiment &experiment)
{
    auto entry =
        std::next(experiment.given.begin(), between(0, static_cast<Index>(experiment.given.size()) - 1));
    const bool areFlags = entry->first == Stage::MaskBool || entry->first == Stage::MaskPadding;
    return SetCells{entry->first, someCells(entry->second.shape(), areFlags)};
}

Edit RandomExperiments::pinEdit(const Experiment &experiment)
{
    const Stage stage =
        pinnableStages[static_cast<std::size_t>(between(0, static_cast<Index>(pinnableStages.size()) - 1))];
    if (chance(0.3))
        return UnpinStage{stage};
    const Shape shape = expectedShape(experiment, stage);
    if (chance(0.1) && shape.size() > 0 && shape.size() < 20000)
        return PinStage{stage, matrix(shape)};
    return PinCells{stage, someCells(shape, false)};
}

Edit RandomExperiments::maskEdit(const Experiment &experiment)
{
    const Shape shape{1, experiment.tokens.size(), experiment.keyTokens().size()};
    switch (between(0, 5)) {
    case 0:
        return SetCausal{!experiment.causal};
    case 1:
        return chance(0.5) ? SetWindow{} : SetWindow{Window{between(0, shape.cols), between(0, 3)}};
    case 2:
        return SetCells{Stage::MaskBool, someCells(shape, true)};
    case 3:
        return SetCells{Stage::MaskAdd, someCells(shape, false)};
    case 4:
        return SetCells{Stage::MaskPadding, someCells({1, 1, shape.cols}, true)};
    default:
        return SetTensor{Stage::MaskAlibi, chance(0.5) ? Tensor() : defaultAlibiSlopes(experiment.nHeads)};
    }
}

Edit RandomExperiments::structureEdit(const Experiment &experiment)
{
    const TokenSide side =
        experiment.isSelfAttention() || chance(0.5) ? TokenSide::Query : TokenSide::KeyValue;
    const Index count = side == TokenSide::Query ? experiment.tokens.size() : experiment.keyTokens().size();
    switch (between(0, 7)) {
    case 0:
        return SetScale{chance(0.3) ? std::nullopt : std::optional(number())};
    case 1:
        return SetQOffset{between(-3, 6)};
    case 2:
        return SetRotary{chance(0.4) ? std::nullopt : std::optional(Rotary{})};
    case 3:
        return SetPrecision{experiment.precision == Precision::Float64 ? Precision::Float32
                                                                       : Precision::Float64};
    case 4:
        return InsertToken{side, between(0, count), "new", {}};
    case 5:
        return DeleteToken{side, between(0, std::max<Index>(0, count - 1))};
    case 6:
        return SetHeads{experiment.nKvHeads * between(1, 2), experiment.nKvHeads, {}};
    default:
        return InsertDimension{Axis::Model, 0};
    }
}

Edit RandomExperiments::edit(const Experiment &experiment)
{
    if (experiment.given.empty())
        return SetCausal{!experiment.causal};
    const Index kind = between(0, 19);
    return kind < 10   ? cellEdit(experiment)
           : kind < 14 ? pinEdit(experiment)
           : kind < 17 ? maskEdit(experiment)
                       : structureEdit(experiment);
}

} // namespace attn::test
