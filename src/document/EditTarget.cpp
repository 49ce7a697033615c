#include "document/EditTarget.h"

#include "engine/Derivation.h"
#include "engine/lab/PositionalEncoding.h"

namespace attn {

EditTarget EditTarget::scratch(const QString &name)
{
    EditTarget target;
    target.lab = name;
    return target;
}

QString EditTarget::name() const
{
    return isLab() ? QString::fromStdString(labTitle(lab.toStdString()))
                   : QString::fromUtf8(stageName(stage));
}

StageValuesPtr EditTarget::values(const Snapshot &snapshot) const
{
    if (!isLab())
        return snapshot.stage(stage).values;
    const Tensor &matrix = snapshot.experiment().lab(lab.toStdString());
    return matrix.isNull() ? nullptr : valuesOf(matrix);
}

QString EditTarget::cellName(const Experiment &experiment, const CellIndex &cell) const
{
    if (isLab())
        return QString::fromStdString(labCellName(lab.toStdString(), cell));
    return QString::fromStdString(attn::cellName(experiment, stage, cell));
}

QString EditTarget::rowLabel(const Experiment &experiment, Index row) const
{
    if (!isLab())
        return QString::fromStdString(attn::rowLabel(experiment, stage, row));
    const std::string name = experiment.labRowName(lab.toStdString(), row);
    return name.empty() ? QString::number(row + 1) : QString::fromStdString(name);
}

QString EditTarget::colLabel(const Experiment &experiment, Index col) const
{
    return isLab() ? QString::number(col + 1)
                   : QString::fromStdString(attn::colLabel(experiment, stage, col));
}

QString EditTarget::readOnlyReason(const Experiment &experiment) const
{
    return isLab() ? QString() : QString::fromStdString(attn::readOnlyReason(experiment, stage));
}

Result<Edit> EditTarget::typed(const Experiment &experiment, std::vector<CellValue> cells) const
{
    if (!isLab())
        return typedEdit(experiment, stage, std::move(cells));
    const Result<Edit> edit = withFollowingX(experiment, SetLabCells{lab.toStdString(), std::move(cells)});
    if (!edit)
        return edit;
    const Result<EditOutcome> outcome = applyEdit(experiment, *edit);
    if (!outcome)
        return outcome.error();
    return edit;
}

Result<Edit> EditTarget::cleared(const Experiment &experiment, const std::vector<CellIndex> &cells) const
{
    if (!isLab())
        return clearedEdit(experiment, stage, cells);
    std::vector<CellValue> zeros;
    for (const CellIndex &cell : cells)
        zeros.push_back({cell, 0.0});
    return typed(experiment, std::move(zeros));
}

Edit EditTarget::replaced(const Experiment &experiment, const Tensor &value) const
{
    if (isLab()) {
        const Edit alone = SetLab{lab.toStdString(), value};
        const Result<Edit> edit = withFollowingX(experiment, alone);
        return edit ? *edit : alone;
    }
    if (experiment.isGiven(stage))
        return SetTensor{stage, value};
    return PinStage{stage, value};
}

} // namespace attn
