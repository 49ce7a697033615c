#pragma once

#include "engine/Experiment.h"

#include <string>
#include <vector>

namespace attn {

/// A printed number beside what its own inputs give.
struct AuditedNumber
{
    double printed = 0.0;
    double computed = 0.0;
    int decimals = 0;
    bool agrees = false; ///< see `isRoundingOf`
};

/// One cell of a printed stage that differs.
struct AuditedCell
{
    CellIndex cell;
    AuditedNumber number;
};

/// A row whose printed numbers rank its columns otherwise than its inputs do. Columns, the largest first.
struct ReorderedRow
{
    Index head = 0;
    Index row = 0;
    std::vector<Index> printed;
    std::vector<Index> computed;
};

/// A stage that is pinned as its source prints it, checked against what the document's own numbers before it
/// give: every other pin stays, only those of the stage itself are left out.
struct AuditedStage
{
    Stage stage = Stage::Q;
    int decimals = 0;
    Index checked = 0;                  ///< printed cells
    std::vector<AuditedCell> differing; ///< in order of heads, rows, columns
    double largestDifference = 0.0;     ///< over all checked cells
    CellIndex largestAt;                ///< the first cell that has it
    std::vector<ReorderedRow> reorderedRows;

    Index agreeing() const { return checked - static_cast<Index>(differing.size()); }
    bool differsAt(const CellIndex &cell) const;
};

/// A number of the source's prose, checked where it says what it is the value of.
struct AuditedFact
{
    std::size_t index = 0; ///< in Experiment::printedFacts
    std::vector<AuditedNumber> numbers;
    std::string problem; ///< why it could not be checked; then `numbers` is empty

    bool agrees() const;
};

struct Audit
{
    std::vector<AuditedStage> stages; ///< pipeline order; those with printed decimals and pins
    std::vector<AuditedFact> facts;   ///< those with a source

    bool isEmpty() const { return stages.empty() && facts.empty(); }
    Index differingCount() const; ///< cells and facts
    const AuditedStage *stage(Stage stage) const;
};

/// Checks every printed number of an experiment. Evaluates it once for each printed stage, so on a worker
/// when the experiment is large. A cell whose value cannot be computed without its pins is not checked.
Audit auditOf(const ExperimentPtr &experiment);

/// Whether `printed` is `computed` rounded to so many places after the point: they differ by no more than
/// half a unit of the last place, a tie being right either way. NaN is a rounding of NaN only, an infinity of
/// itself.
bool isRoundingOf(double printed, double computed, int decimals);

} // namespace attn
