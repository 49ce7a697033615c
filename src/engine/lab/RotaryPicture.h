#pragma once

#include "engine/Experiment.h"
#include "engine/StageValues.h"

#include <span>
#include <vector>

namespace attn {

/// The angle by which one pair of columns turns at a position: position * base^(-pair / pairs), in radians.
double rotaryAngle(const Rotary &rotary, Index position, Index pair, Index pairs);
/// The columns of a pair.
std::pair<Index, Index> rotaryPair(const Rotary &rotary, Index pair, Index pairs);

/// Angles of all pairs at positions first, first + 1, ...; radians. [positions, pairs]
StageValuesPtr rotaryAngleTable(const Rotary &rotary, Index dHead, Index positions, Index first = 0);

/// One query vector at every position times one key vector at every position, both turned there: what is the
/// same along every diagonal depends on the distance only. [positions, positions]
StageValuesPtr rotaryDotTable(const Rotary &rotary, std::span<const double> query,
                              std::span<const double> key, Index positions);

/// -slope * abs(query position - key position). qOffset: position of query row 0; [queries, keys]
StageValuesPtr alibiBiasTable(double slope, Index queries, Index keys, Index qOffset = 0);

} // namespace attn
