#include "support/GoldenFile.h"

#include "engine/Evaluator.h"
#include "io/StateJson.h"
#include "support/MatrixCompare.h"

#include <QFile>

namespace attn::test {

namespace {

QString goldenPath(const QString &name)
{
    return QStringLiteral(ATTN_TEST_DATA "/golden/%1.json").arg(name);
}

/// Where a weight that must be exactly 0 is not.
QString zeroDifference(const StageValues &A, const Tensor &expected, const StageValues &allowed)
{
    for (Index head = 0; head < A.heads(); ++head)
        for (Index row = 0; row < A.rows(); ++row)
            for (Index col = 0; col < A.cols(); ++col)
                if (allowed.value(head, row, col) == 0.0 && expected.at(head, row, col) == 0.0 &&
                    A.value(head, row, col) != 0.0)
                    return QStringLiteral("A[%1, %2, %3] is not exactly 0").arg(head).arg(row).arg(col);
    return {};
}

QString stageDifference(const Snapshot &snapshot, Stage stage, const Tensor &expected, double tolerance)
{
    const StageState &state = snapshot.stage(stage);
    if (!state.hasValues())
        return QStringLiteral("has no values: %1").arg(QString::fromStdString(state.reason));
    const bool isExact = stage == Stage::Allowed || stage == Stage::FullyMasked;
    const QString difference = matrixDifference(*state.values, expected, isExact ? 0.0 : tolerance);
    if (!difference.isEmpty() || stage != Stage::A)
        return difference;
    return zeroDifference(*state.values, expected, *snapshot.stage(Stage::Allowed).values);
}

} // namespace

QStringList goldenNames(const QString &kind)
{
    QStringList names;
    const Json index = readGolden(QStringLiteral("index"));
    for (const Json &file : index["files"].toArray())
        if (QString::fromStdString(file["kind"].toString()) == kind)
            names.append(QString::fromStdString(file["file"].toString()).chopped(5));
    return names;
}

Json readGolden(const QString &name)
{
    QFile file(goldenPath(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    Result<JsonText> text = parseJson(file.readAll());
    return text.ok() ? std::move(text.value().value) : Json();
}

Tensor goldenTensor(const Json &array)
{
    Result<Tensor> tensor = tensorFromJson(array, "array");
    return tensor.ok() ? tensor.value() : Tensor();
}

ExperimentPtr goldenExperiment(const Json &state, Precision precision)
{
    Result<Experiment> experiment = experimentFromState(state);
    if (!experiment.ok()) {
        qWarning("%s", experiment.error().message.c_str());
        return nullptr;
    }
    experiment.value().precision = precision;
    return std::make_shared<const Experiment>(std::move(experiment.value()));
}

SnapshotPtr evaluated(const ExperimentPtr &experiment)
{
    return Evaluator().evaluate(experiment, Generation{1});
}

QString stagesDifference(const Snapshot &snapshot, const Json &stages, double tolerance)
{
    for (const auto &[name, array] : stages.toObject()) {
        const std::optional<Stage> stage = stageFromName(name);
        if (!stage)
            return QStringLiteral("unknown stage %1").arg(QString::fromStdString(name));
        const QString difference = stageDifference(snapshot, *stage, goldenTensor(array), tolerance);
        if (!difference.isEmpty())
            return QStringLiteral("%1: %2").arg(QString::fromStdString(name), difference);
    }
    return {};
}

} // namespace attn::test
