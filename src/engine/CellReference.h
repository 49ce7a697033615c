#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// A cell as a user writes it, in the window's "Go to cell" and in `--set` alike.
///
///   STAGE[row, col]            STAGE[head, row, col]            STAGE[head: row, col]
///
/// Each part is a label ("love", "f3", "head 2", "KV head 1") or a place counted from 0, as in NumPy. A label
/// that is a number itself, or holds a comma, colon or bracket, stands in double quotes ("" is a quote); so
/// written it is always a label. A stage of one row takes the column alone. STAGE and its brackets may be
/// left out where a stage is at hand.
struct CellReference
{
    Stage stage = Stage::X;
    CellIndex cell;
};

/// What of a reference may be left out, and what then holds.
struct ReferenceDefaults
{
    std::optional<Stage> stage;
    Index head = 0;
};

/// Reads a reference. Labels are looked up; places are taken as they are, whatever the stage's size.
/// Errors: Usage where the text has not this form, BadInput where a stage or label is unknown or a label
/// names several.
Result<CellReference> cellReferenceFrom(const Experiment &experiment, std::string_view text,
                                        const ReferenceDefaults &defaults);

/// The text that reads back to this cell: labels where they are unmistakable, places elsewhere.
std::string cellReferenceText(const Experiment &experiment, Stage stage, const CellIndex &cell);

} // namespace attn
