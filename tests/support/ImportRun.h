#pragma once

#include "engine/Snapshot.h"
#include "io/Import.h"

#include <QStringList>

#include <functional>
#include <memory>

namespace attn::test {

/// What importing files as a user would gives: the plan, the experiment and its evaluation.
struct ImportRun
{
    std::unique_ptr<TensorFile> file;
    ImportPlan plan;
    ImportResult result;
    SnapshotPtr snapshot;
};

SnapshotPtr evaluated(const Experiment &experiment);

/// Opens, guesses, imports and evaluates; `change` is what a user would correct in the plan.
Result<ImportRun> importRun(const QStringList &paths, const std::function<void(ImportPlan &)> &change = {});

} // namespace attn::test
