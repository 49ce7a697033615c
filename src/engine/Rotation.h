#pragma once

#include "engine/Experiment.h"

#include <span>

namespace attn {

/// How many columns turn: as stated, else all (all but one of an odd width).
Index rotatedColumns(const Rotary &rotary, Index dHead);

/// The angles by which pairs of columns turn at `rows` positions from firstPosition on, computed in double:
/// pair t of position p turns by p base^(-2t / (2 pairs)).
///
/// cosines, sines: [rows, pairs] with this stride
template<typename Scalar>
void rotaryAngles(const Rotary &rotary, Index firstPosition, Index rows, Index pairs, Scalar *cosines,
                  Scalar *sines, Index stride);

/// Turns one row at its position (Su et al. 2021, RoFormer): pair (x, y) -> (x cos - y sin, x sin + y cos);
/// the first rotatedColumns() columns turn, the rest pass.
void rotateRow(std::span<double> row, Index position, const Rotary &rotary);

} // namespace attn
