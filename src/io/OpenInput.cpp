#include "io/OpenInput.h"

#include "io/DocumentFile.h"
#include "io/Examples.h"
#include "io/Json.h"
#include "io/JsonFields.h"
#include "io/StateFields.h"
#include "io/StateJson.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

constexpr const char *documentFormatName = "attnscope";
constexpr auto examplePrefix = "example:"_L1;

/// JSON that is no document is held in memory several times over while it is read.
constexpr qint64 jsonSizeLimit = qint64(1) << 30;

bool looksLikeJson(const QByteArray &start)
{
    const auto first = std::find_if(start.begin(), start.end(), [](char c) {
        return c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\xef' && c != '\xbb' && c != '\xbf';
    });
    return first != start.end() && *first == '{';
}

/// Results that the file holds beside its state, to compare with.
std::map<Stage, Tensor> referenceOf(const Json &stages)
{
    std::map<Stage, Tensor> reference;
    for (const auto &[name, array] : stages.toObject()) {
        const std::optional<Stage> stage = stageFromName(name);
        if (!stage || stageInfo(*stage).kind != StageKind::Computed)
            continue;
        if (Result<Tensor> tensor = tensorFromJson(array, "stages." + name))
            reference[*stage] = std::move(*tensor);
    }
    return reference;
}

Result<OpenedInput> openState(const Json &json, const QString &name)
{
    const Json &state = json["state"].isObject() ? json["state"] : json;
    Result<Experiment> experiment = experimentFromState(state);
    if (!experiment)
        return Error{experiment.error().code, name.toStdString() + ": " + experiment.error().message};
    OpenedInput opened;
    opened.kind = InputKind::State;
    opened.experiment = std::move(*experiment);
    JsonFields fields(json, "");
    const std::string precision = fields.text("precision", precisionName(Precision::Float64));
    const std::optional<Precision> known = precisionFromName(precision);
    if (!known)
        fields.fail("precision", "expected \"float64\" or \"float32\", found \"" + precision + "\"");
    else
        opened.experiment.precision = *known;
    opened.experiment.decimals = decimalsField(fields, "printed_decimals");
    if (!fields.ok())
        return Error{fields.error().code, name.toStdString() + ": " + fields.error().message};
    opened.reference = referenceOf(json["stages"]);
    opened.title = name;
    return opened;
}

Result<OpenedInput> openDocument(const QByteArray &bytes, const QString &path)
{
    const QString name = QFileInfo(path).fileName();
    Result<DocumentFileData> data = parseDocument(bytes, name, QFileInfo(path).absolutePath());
    if (!data)
        return data.error();
    OpenedInput opened;
    opened.kind = InputKind::Document;
    opened.experiment = std::move(data->experiment);
    opened.reference = std::move(data->reference);
    opened.view = data->view;
    opened.title = data->title.isEmpty() ? name : data->title;
    opened.notes = std::move(data->notes);
    return opened;
}

Result<OpenedInput> openExample(const QString &name)
{
    Result<DocumentFileData> data = loadExample(name);
    if (!data)
        return data.error();
    OpenedInput opened;
    opened.kind = InputKind::Example;
    opened.experiment = std::move(data->experiment);
    opened.reference = std::move(data->reference);
    opened.view = data->view;
    opened.title = data->title;
    return opened;
}

Result<OpenedInput> openTensors(const QStringList &paths, const PlanCorrection &correct)
{
    Result<std::unique_ptr<TensorFile>> file =
        paths.size() == 1 ? openTensorFile(paths.first()) : openTensorFiles(paths);
    if (!file)
        return file.error();
    OpenedInput opened;
    opened.kind = InputKind::Tensors;
    opened.tensors = std::move(*file);
    Result<ImportPlan> plan = guessImport(*opened.tensors);
    if (!plan)
        return plan.error();
    if (correct) {
        const Result<void> corrected = correct(*plan);
        if (!corrected)
            return corrected.error();
    }
    Result<ImportResult> imported = importExperiment(*opened.tensors, *plan);
    if (!imported)
        return imported.error();
    opened.experiment = std::move(imported->experiment);
    opened.reference = std::move(imported->reference);
    opened.notes = plan->notes; // begin with those of the file
    opened.notes.insert(opened.notes.end(), imported->notes.begin(), imported->notes.end());
    opened.plan = std::move(*plan);
    opened.title = QFileInfo(paths.first()).fileName();
    return opened;
}

/// One file's JSON when it is a document or a state; null for everything else.
struct JsonInput
{
    InputKind kind = InputKind::Tensors;
    Json json;
    QByteArray bytes;
};

Result<JsonInput> readJsonInput(const QString &path)
{
    QFile file(path);
    JsonInput input;
    const bool isDocument = path.endsWith(".attn"_L1, Qt::CaseInsensitive);
    // Whatever cannot be opened is reported by the reader of its format.
    if (!isDocument && (!file.open(QIODevice::ReadOnly) || !looksLikeJson(file.read(64))))
        return input;
    if (!isDocument && file.size() > jsonSizeLimit)
        return input;
    Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.error();
    input.bytes = std::move(*bytes);
    if (isDocument) {
        input.kind = InputKind::Document;
        return input;
    }
    Result<JsonText> text = parseJson(input.bytes);
    if (!text)
        return input;
    input.json = std::move(text->value);
    if (input.json["format"].isString() && input.json["format"].toString() == documentFormatName)
        input.kind = InputKind::Document;
    else if (holdsState(input.json))
        input.kind = InputKind::State;
    return input;
}

} // namespace

bool holdsState(const Json &json)
{
    const Json &state = json["state"].isObject() ? json["state"] : json;
    return state["h"].isNumber() && (state.contains("given") || state.contains("X"));
}

Result<InputKind> inputKind(const QStringList &inputs)
{
    if (inputs.size() != 1)
        return InputKind::Tensors;
    if (inputs.first().startsWith(examplePrefix))
        return InputKind::Example;
    const Result<JsonInput> input = readJsonInput(inputs.first());
    if (!input)
        return input.error();
    return input->kind;
}

Result<OpenedInput> openInput(const QStringList &inputs, const PlanCorrection &correct)
{
    if (inputs.isEmpty())
        return Error{ErrorCode::BadInput, "there is nothing to open"};
    if (inputs.size() > 1)
        return openTensors(inputs, correct);
    const QString &input = inputs.first();
    if (input.startsWith(examplePrefix))
        return openExample(input.mid(examplePrefix.size()));
    const Result<JsonInput> json = readJsonInput(input);
    if (!json)
        return json.error();
    const QString name = QFileInfo(input).fileName();
    switch (json->kind) {
    case InputKind::Document:
        return openDocument(json->bytes, input);
    case InputKind::State:
        return openState(json->json, name);
    case InputKind::Example:
    case InputKind::Tensors:
        break;
    }
    return openTensors(inputs, correct);
}

} // namespace attn
