#include "benchmarks/Benchmarks.h"
#include "benchmarks/EngineSession.h"

namespace attn::bench {

namespace {

const std::vector<Stage> endStages = {Stage::HeadOut, Stage::Output};

/// Rows of a large output that nobody looks at are left to their reader; here all of them are to be computed.
Focus wholeOutput(Index n)
{
    return {Stage::Output, 0, 0, n};
}

void benchFull(Report &report, const BenchOptions &options, long n)
{
    const std::string what = "full recompute";
    if (!options.wants(what))
        return;
    Experiment experiment = layerOf(n, options);
    EngineSession session(experiment, options);
    session.setFocus(wholeOutput(n));
    const auto first = std::make_shared<const Experiment>(experiment);
    experiment.given[Stage::X] = randomTensor(experiment.matrix(Stage::X).shape(), 1.0, 21, options.isDouble);
    const auto second = std::make_shared<const Experiment>(experiment);
    bool isFirst = false;
    const Times times = timesOf(options.budgetMs, [&] {
        isFirst = !isFirst;
        return session.completeMs(isFirst ? first : second);
    });
    session.report(report, what, times, endStages, true);
}

struct CellCase
{
    const char *name;
    Stage stage;
};

void benchCells(Report &report, const BenchOptions &options, long n)
{
    const Focus wholeHead{Stage::HeadOut, 0, 0, n};
    const CellCase cases[] = {{"X cell", Stage::X},
                              {"Wq cell", Stage::Wq},
                              {"Wk cell", Stage::Wk},
                              {"Wv cell", Stage::Wv},
                              {"Wo cell", Stage::Wo}};
    for (const auto &[name, stage] : cases) {
        const std::string visible = std::string(name) + ", visible head";
        const std::string all = std::string(name) + ", all heads";
        const std::string output = std::string(name) + ", all heads and output";
        if (!options.wants(visible) && !options.wants(all) && !options.wants(output))
            continue;
        EngineSession session(layerOf(n, options), options);
        const Focus focus = stage == Stage::Wo ? wholeOutput(n) : wholeHead;
        session.setFocus(focus);
        Index row = 0;
        const auto next = [&] {
            row = (row + 37) % session.experiment().matrix(stage).rows();
            return cellEdit(session.experiment(), stage, row, 0); // column 0 belongs to head 0
        };
        session.completeMs(next());
        if (options.wants(all)) {
            const Times times = timesOf(options.budgetMs, [&] { return session.completeMs(next()); });
            session.report(report, all, times, endStages, true);
        }
        if (options.wants(output) && stage == Stage::X) {
            session.setFocus(wholeOutput(n));
            const Times times = timesOf(options.budgetMs, [&] { return session.completeMs(next()); });
            session.report(report, output, times, endStages, true);
            session.setFocus(focus);
        }
        if (options.wants(visible) && stage != Stage::Wo) {
            const Times times = timesOf(options.budgetMs, [&] { return session.visibleMs(next()); });
            session.report(report, visible, times, {Stage::HeadOut}, false);
        }
    }
}

void benchMask(Report &report, const BenchOptions &options, long n)
{
    const std::string visible = "causal mask on or off, visible head";
    const std::string all = "causal mask on or off, all heads";
    if (!options.wants(visible) && !options.wants(all))
        return;
    EngineSession session(layerOf(n, options), options);
    session.setFocus({Stage::HeadOut, 0, 0, n});
    const auto toggle = [&] {
        return SetCausal{!session.experiment().causal};
    };
    session.completeMs(toggle());
    if (options.wants(all)) {
        const Times times = timesOf(options.budgetMs, [&] { return session.completeMs(toggle()); });
        session.report(report, all, times, endStages, true);
    }
    if (options.wants(visible)) {
        const Times times = timesOf(options.budgetMs, [&] { return session.visibleMs(toggle()); });
        session.report(report, visible, times, {Stage::HeadOut}, false);
    }
}

} // namespace

void benchExample(Report &report, const BenchOptions &options)
{
    const std::string what = "4 x 6 example: edit to all numbers";
    if (!options.wants(what))
        return;
    BenchOptions small = options;
    small.isDouble = true;
    small.heads = 1;
    small.dHead = 6;
    EngineSession session(layerOf(4, small), small);
    Index row = 0;
    constexpr int editsAtOnce = 100; // one alone is too short for a clock
    const Times times = timesOf(options.budgetMs, [&] {
        double total = 0.0;
        for (int i = 0; i < editsAtOnce; ++i) {
            row = (row + 1) % 4;
            total += session.completeMs(cellEdit(session.experiment(), Stage::X, row, row));
        }
        return total / editsAtOnce;
    });
    session.report(report, what, times, endStages, true);
}

void benchEngine(Report &report, const BenchOptions &options, long n)
{
    benchFull(report, options, n);
    benchCells(report, options, n);
    benchMask(report, options, n);
}

} // namespace attn::bench
