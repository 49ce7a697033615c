#pragma once

#include "engine/Snapshot.h"
#include "io/Json.h"

#include <QStringList>

namespace attn::test {

/// Names (without ".json") of the golden files of one kind, by name.
QStringList goldenNames(const QString &kind);

/// A golden file; a null value when it cannot be read.
Json readGolden(const QString &name);

/// The array of that form as a tensor; null when it is none.
Tensor goldenTensor(const Json &array);

/// The experiment of a golden state; null, with a warning, when it cannot be read.
ExperimentPtr goldenExperiment(const Json &state, Precision precision = Precision::Float64);

/// A fresh evaluation.
SnapshotPtr evaluated(const ExperimentPtr &experiment);

/// Compares every stage that `stages` lists; empty when all agree. Infinities and NaN must agree exactly, so
/// must zeros of A and flags.
QString stagesDifference(const Snapshot &snapshot, const Json &stages, double tolerance);

} // namespace attn::test
