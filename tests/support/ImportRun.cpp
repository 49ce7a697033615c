#include "support/ImportRun.h"

#include "engine/Evaluator.h"

namespace attn::test {

SnapshotPtr evaluated(const Experiment &experiment)
{
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(experiment), Generation{1});
}

Result<ImportRun> importRun(const QStringList &paths, const std::function<void(ImportPlan &)> &change)
{
    auto file = paths.size() == 1 ? openTensorFile(paths.front()) : openTensorFiles(paths);
    if (!file)
        return file.error();
    auto plan = guessImport(**file);
    if (!plan)
        return plan.error();
    if (change)
        change(*plan);
    auto result = importExperiment(**file, *plan);
    if (!result)
        return result.error();
    SnapshotPtr snapshot = evaluated(result->experiment);
    return ImportRun{std::move(*file), std::move(*plan), std::move(*result), std::move(snapshot)};
}

} // namespace attn::test
