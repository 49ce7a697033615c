#pragma once

#include "engine/Snapshot.h"

#include <QString>
#include <QStringList>

namespace attn {

/// The words and formulas of scenes.

/// What the scores are here, as math markup: "QK^{T}", "Q_{rot}K_{rot}^{T}"; query: "q" for one row.
QString scoresSymbol(const Snapshot &snapshot, const QString &query = QStringLiteral("Q"));
/// The same after scaling: "QK^{T}/√d_{k}", "QK^{T} · 0.5", "QK^{T}" without a scale.
QString scaledSymbol(const Snapshot &snapshot, const QString &query = QStringLiteral("Q"));
/// A number as a factor in a formula, short, negative ones in brackets: "0.333", "(−2)".
QString factorText(double factor);
/// A stage's symbol that says what is done in this experiment.
QString symbolIn(const Snapshot &snapshot, Stage stage);
/// "given", "computed", "3 pinned", "pinned", "not available".
QString stateText(const StageState &state);
/// "4×6", "2×4×4"; empty where the stage has no values.
QString shapeTextOf(const StageState &state);
/// The parts of the mask that are no matrices, one line each: "causal", "window: 3 back, 0 ahead"; empty for
/// none.
QStringList maskRules(const Experiment &experiment);
/// Whether any part of a mask is set.
bool hasMask(const Snapshot &snapshot);
/// The rules, and that a mask does not act on weights set by hand.
QStringList maskLines(const Snapshot &snapshot);
/// "24.1 %"; NaN as "nan".
QString percentText(double share);
/// A figure for reading, such as a metric: "–" for NaN, two places more where it would show as almost 0.
QString figureText(double value, int decimals);
/// The key/value head that a query head reads.
Index kvHeadOf(const Experiment &experiment, Index head);
/// A whole number for the eye, its thousands apart by narrow blanks that do not break: "16 384". The one way
/// in which digits are grouped.
QString countText(Index count);
/// For the eye: "Head 3", or "Head 3 · KV head 2" where queries are grouped.
QString headTitle(const Experiment &experiment, Index head);
/// The same for one head of a stage, which may be a key/value head: "KV head 2".
QString headTitle(const Experiment &experiment, Stage stage, Index head);

} // namespace attn
