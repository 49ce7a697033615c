#include "io/StageExport.h"

#include "io/DocumentFile.h"
#include "io/ExportMetadata.h"
#include "io/StageTensor.h"
#include "io/StateJson.h"
#include "io/TensorWriters.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// Above this many numbers a text file serves nobody.
constexpr Index maxJsonNumbers = 20000000;

Result<StageValuesPtr> valuesToExport(const Snapshot &snapshot, Stage stage)
{
    const StageState &state = snapshot.stage(stage);
    if (state.hasValues())
        return state.values;
    const std::string name = stageName(stage);
    return Error{ErrorCode::NotFound, state.reason.empty() ? name + " is not part of this experiment"
                                                           : name + " is not available: " + state.reason};
}

Result<std::vector<FileTensor>> tensorsToExport(const Snapshot &snapshot, const std::vector<Stage> &stages)
{
    std::vector<FileTensor> tensors;
    for (const Stage stage : stages) {
        const Result<StageValuesPtr> values = valuesToExport(snapshot, stage);
        if (!values)
            return values.error();
        tensors.push_back(fileTensorOf(stage, **values));
    }
    return tensors;
}

/// The mask matrices of the document go along, so that the metadata need not hold them.
std::vector<Stage> withMasks(const Snapshot &snapshot, std::vector<Stage> stages)
{
    for (const Stage mask : {Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd, Stage::MaskAlibi})
        if (snapshot.stage(mask).hasValues() && std::find(stages.begin(), stages.end(), mask) == stages.end())
            stages.push_back(mask);
    return stages;
}

bool isTokenAxis(Axis axis)
{
    return axis == Axis::Query || axis == Axis::Key;
}

QStringList axisLabels(const Experiment &experiment, Axis axis, Index length)
{
    QStringList labels;
    if (isTokenAxis(axis)) {
        const TokenList &tokens = axis == Axis::Query ? experiment.tokens : experiment.keyTokens();
        for (const std::string &label : tokens.labels())
            labels += QString::fromStdString(label);
        return labels;
    }
    for (Index i = 0; i < length; ++i)
        labels += axis == Axis::Head ? QString::number(i) : u"f%1"_s.arg(i + 1);
    return labels;
}

QString axisWord(Axis axis)
{
    if (axis == Axis::Query)
        return u"query"_s;
    return axis == Axis::Key ? u"key"_s : QString::fromLatin1(axisNoun(axis));
}

/// Labels where one axis stands for tokens: then on both sides and with a corner, so that a token that is a
/// digit cannot be taken for a number.
std::vector<NamedBytes> stageCsvFiles(const Snapshot &snapshot, Stage stage, const StageValues &values)
{
    const StageInfo &info = stageInfo(stage);
    const FileTensor tensor = fileTensorOf(stage, values);
    if (info.rows == Axis::One || (!isTokenAxis(info.rows) && !isTokenAxis(info.cols)))
        return csvFiles(tensor, {}, {}, {});
    return csvFiles(tensor, axisLabels(snapshot.experiment(), info.rows, values.rows()),
                    axisLabels(snapshot.experiment(), info.cols, values.cols()),
                    axisWord(info.rows) + u'\\' + axisWord(info.cols));
}

Result<QByteArray> npzOfStages(const Snapshot &snapshot, const std::vector<Stage> &stages)
{
    Result<std::vector<FileTensor>> tensors = tensorsToExport(snapshot, withMasks(snapshot, stages));
    if (!tensors)
        return tensors.error();
    FileTensor metadata{exportMetadataMember, Dtype::Text, {}, {}, {}};
    metadata.data = std::vector<std::string>{exportMetadata(snapshot.experiment())};
    tensors->push_back(std::move(metadata));
    return npzBytes(*tensors);
}

Result<QByteArray> jsonOfStages(const Snapshot &snapshot, const std::vector<Stage> &stages)
{
    Index numbers = 0;
    Json::Object values;
    for (const Stage stage : stages) {
        const Result<StageValuesPtr> found = valuesToExport(snapshot, stage);
        if (!found)
            return found.error();
        numbers += (*found)->shape().size();
        if (numbers > maxJsonNumbers)
            return Error{ErrorCode::TooLarge, "more than " + std::to_string(maxJsonNumbers) +
                                                  " numbers are too many for JSON; use npz or safetensors"};
        const StageKind kind = stageInfo(stage).kind;
        if (kind == StageKind::Computed || kind == StageKind::Derived) // the others are in the state
            values.emplace_back(stageName(stage), stageValuesToJson(stage, **found));
    }
    return writeJson(Json::Object{{"format", goldenFormat},
                                  {"version", 1},
                                  {"state", stateToJson(snapshot.experiment())},
                                  {"stages", std::move(values)}});
}

} // namespace

QString dataFormatSuffix(DataFormat format)
{
    switch (format) {
    case DataFormat::Npy:
        return u"npy"_s;
    case DataFormat::Npz:
        return u"npz"_s;
    case DataFormat::Safetensors:
        return u"safetensors"_s;
    case DataFormat::Csv:
        return u"csv"_s;
    case DataFormat::Json:
        break;
    }
    return u"json"_s;
}

Result<DataFormat> dataFormatFromSuffix(const QString &fileName)
{
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    for (const DataFormat format :
         {DataFormat::Npy, DataFormat::Npz, DataFormat::Safetensors, DataFormat::Csv, DataFormat::Json})
        if (suffix == dataFormatSuffix(format))
            return format;
    return Error{ErrorCode::Usage, fileName.toStdString() +
                                       ": expected the ending .npy, .npz, .safetensors, .csv or "
                                       ".json"};
}

Result<QByteArray> stagesAsFile(const Snapshot &snapshot, const std::vector<Stage> &stages, DataFormat format)
{
    const bool isSingle = format == DataFormat::Npy || format == DataFormat::Csv;
    if (stages.empty() || (isSingle && stages.size() != 1))
        return Error{ErrorCode::Usage, dataFormatSuffix(format).toStdString() + " holds one stage, found " +
                                           std::to_string(stages.size()) + "; use npz or a folder"};
    if (format == DataFormat::Npz)
        return npzOfStages(snapshot, stages);
    if (format == DataFormat::Json)
        return jsonOfStages(snapshot, stages);
    if (format == DataFormat::Safetensors) {
        const Result<std::vector<FileTensor>> tensors =
            tensorsToExport(snapshot, withMasks(snapshot, stages));
        if (!tensors)
            return tensors.error();
        return safetensorsBytes(*tensors, {{exportMetadataKey, exportMetadata(snapshot.experiment())}});
    }
    const Result<StageValuesPtr> values = valuesToExport(snapshot, stages.front());
    if (!values)
        return values.error();
    if (format == DataFormat::Npy)
        return npyBytes(fileTensorOf(stages.front(), **values));
    std::vector<NamedBytes> tables = stageCsvFiles(snapshot, stages.front(), **values);
    if (tables.size() != 1)
        return Error{ErrorCode::Usage, "csv holds one matrix, " + std::string(stageName(stages.front())) +
                                           " has " + std::to_string(tables.size()) + "; write into a folder"};
    return std::move(tables.front().bytes);
}

Result<void> writeStagesToFolder(const Snapshot &snapshot, const std::vector<Stage> &stages,
                                 DataFormat format, const QString &folder)
{
    if (!QDir().mkpath(folder))
        return Error{ErrorCode::Io, folder.toStdString() + ": cannot be created; choose another folder"};
    const QDir target(folder);
    for (const Stage stage : stages) {
        std::vector<NamedBytes> files;
        if (format == DataFormat::Csv) {
            const Result<StageValuesPtr> values = valuesToExport(snapshot, stage);
            if (!values)
                return values.error();
            files = stageCsvFiles(snapshot, stage, **values);
        } else {
            Result<QByteArray> bytes = stagesAsFile(snapshot, {stage}, format);
            if (!bytes)
                return bytes.error();
            files.push_back(
                {QString::fromLatin1(stageName(stage)) + u'.' + dataFormatSuffix(format), std::move(*bytes)});
        }
        for (const NamedBytes &file : files)
            if (const Result<void> written = writeFileAtomically(target.filePath(file.name), file.bytes);
                !written)
                return written;
    }
    return {};
}

} // namespace attn
