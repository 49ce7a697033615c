#include "benchmarks/Workloads.h"

#include "base/Assert.h"

#include <cmath>
#include <random>

namespace attn::bench {

namespace {

TokenList tokensOf(Index n)
{
    std::vector<std::string> labels;
    for (Index i = 0; i < n; ++i)
        labels.push_back("t" + std::to_string(i));
    return labels;
}

} // namespace

Tensor randomTensor(const Shape &shape, double deviation, unsigned seed, bool isDouble)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> numbers(0.0f, static_cast<float>(deviation));
    std::vector<float> floats(static_cast<std::size_t>(shape.size()));
    for (float &number : floats)
        number = numbers(generator);
    if (!isDouble)
        return Tensor::fromFloats(shape, floats);
    return Tensor::fromDoubles(shape, std::vector<double>(floats.begin(), floats.end()));
}

Experiment layerOf(Index n, const BenchOptions &options)
{
    const Index width = options.heads * options.dHead;
    const double deviation = 1.0 / std::sqrt(static_cast<double>(width));
    Experiment experiment;
    experiment.tokens = tokensOf(n);
    experiment.nHeads = options.heads;
    experiment.nKvHeads = options.heads;
    experiment.precision = options.isDouble ? Precision::Float64 : Precision::Float32;
    experiment.given[Stage::X] = randomTensor({1, n, width}, 1.0, 1, options.isDouble);
    unsigned seed = 2;
    for (const Stage stage : {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo})
        experiment.given[stage] = randomTensor({1, width, width}, deviation, seed++, options.isDouble);
    return experiment;
}

Experiment oneHeadOf(Index n, const BenchOptions &options)
{
    Experiment experiment;
    experiment.tokens = tokensOf(n);
    experiment.precision = options.isDouble ? Precision::Float64 : Precision::Float32;
    unsigned seed = 11;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        experiment.given[stage] = randomTensor({1, n, options.dHead}, 1.0, seed++, options.isDouble);
    return experiment;
}

Edit cellEdit(const Experiment &experiment, Stage stage, Index row, Index col)
{
    const double before = experiment.matrix(stage).at(0, row, col);
    const double after = before > 0.5 ? before - 0.75 : before + 0.25;
    return SetCells{stage, {CellValue{{0, row, col}, after}}};
}

Experiment edited(const Experiment &experiment, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(experiment, edit);
    ATTN_ASSERT(outcome, "the benchmark's own edits fit");
    return std::move(outcome->experiment);
}

} // namespace attn::bench
