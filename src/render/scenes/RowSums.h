#pragma once

#include "engine/WeightSums.h"
#include "render/scenes/MapFactory.h"

namespace attn {

/// Room right of a map of weights for "Σ 1.27" beside its rows.
inline constexpr double rowSumRoom = 44.0;

/// "Σ 1.27": what the weights of a row add to.
QString rowSumText(double sum);

/// One sentence on the rows of this head that do not add to 1; empty where all do.
QString unevenRowsText(const Snapshot &snapshot, Index head);
/// The same for one row; empty where it adds to 1.
QString unevenRowText(const Snapshot &snapshot, Index head, Index row);
/// Several heads (none: all of them), a line each, and of one row where one is asked about.
QStringList unevenLines(const Snapshot &snapshot, std::vector<Index> heads, std::optional<Index> row);
/// "The weights of “love” add to 1.27, not to 1."
QString rowAddsToText(const Snapshot &snapshot, Index row, double sum);

/// Whether the rows of a map of this height have room for their sums.
bool rowSumsFit(Index rows, double height);
/// Writes the sums of uneven rows right of the cells of a map of A.
void addRowSums(Scene &scene, const QRectF &cells, Index rows, const std::vector<UnevenRow> &uneven);

} // namespace attn
