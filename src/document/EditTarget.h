#pragma once

#include "base/Result.h"
#include "engine/Edit.h"
#include "engine/Snapshot.h"

#include <QString>

#include <vector>

namespace attn {

/// What a spreadsheet edit reads and writes: a stage of the experiment, or one of its scratch matrices.
struct EditTarget
{
    Stage stage = Stage::X;
    QString lab; ///< not empty: the scratch matrix of this name, and `stage` means nothing

    EditTarget(Stage targetStage = Stage::X) // implicit: most targets are stages
        : stage(targetStage)
    {
    }
    static EditTarget scratch(const QString &name);

    bool isLab() const { return !lab.isEmpty(); }
    /// "Wq", "left A": as it is named in sentences.
    QString name() const;
    /// The numbers now; null when there are none.
    StageValuesPtr values(const Snapshot &snapshot) const;
    QString cellName(const Experiment &experiment, const CellIndex &cell) const;
    QString rowLabel(const Experiment &experiment, Index row) const;
    QString colLabel(const Experiment &experiment, Index col) const;

    /// Why it cannot be edited; empty when it can.
    QString readOnlyReason(const Experiment &experiment) const;
    /// What typing numbers into these cells means.
    Result<Edit> typed(const Experiment &experiment, std::vector<CellValue> cells) const;
    /// What Delete means.
    Result<Edit> cleared(const Experiment &experiment, const std::vector<CellIndex> &cells) const;
    /// What replacing the whole matrix means: the document's own number, or a pin.
    Edit replaced(const Experiment &experiment, const Tensor &value) const;

    bool operator==(const EditTarget &other) const
    {
        return lab == other.lab && (isLab() || stage == other.stage);
    }
};

} // namespace attn
