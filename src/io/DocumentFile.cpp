#include "io/DocumentFile.h"

#include "io/JsonFields.h"
#include "io/PrintedFactJson.h"
#include "io/ReferencedFiles.h"
#include "io/StateFields.h"
#include "io/StateJson.h"

#include <QJsonDocument>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

constexpr int documentVersion = 2;
constexpr const char *documentFormat = "attnscope";

Json viewToJson(const QJsonObject &view)
{
    const Result<JsonText> parsed = parseJson(QJsonDocument(view).toJson(QJsonDocument::Compact));
    return parsed ? parsed->value : Json(Json::Object());
}

QJsonObject viewFromJson(const Json &view)
{
    return QJsonDocument::fromJson(writeJson(view)).object();
}

Json referenceToJson(const std::map<Stage, Tensor> &reference, JsonForm form)
{
    Json::Object object;
    for (const auto &[stage, matrix] : reference)
        if (!matrix.isNull())
            object.emplace_back(stageName(stage), stageTensorToJson(stage, matrix, form));
    return object;
}

std::map<Stage, Tensor> referenceField(JsonFields &parent, std::string_view key)
{
    std::map<Stage, Tensor> reference;
    const Json &object = parent.object(key);
    if (!object.isObject())
        return reference;
    JsonFields fields(object, parent.fieldName(key), parent.files());
    for (const auto &member : object.toObject()) {
        const std::optional<Stage> stage = stageFromName(member.first);
        if (!stage)
            fields.fail(member.first, "there is no such stage");
        else if (Tensor matrix = fields.tensor(member.first); !matrix.isNull())
            reference[*stage] = std::move(matrix);
    }
    if (!fields.ok())
        parent.fail(fields.error());
    return reference;
}

Json labsToJson(const std::map<std::string, Tensor> &labs)
{
    Json::Object object;
    for (const auto &[name, matrix] : labs)
        object.emplace_back(name, tensorToJson(matrix, JsonForm::Document));
    return object;
}

/// Version 1 has none.
std::map<std::string, Tensor> labsField(JsonFields &parent, std::string_view key)
{
    std::map<std::string, Tensor> labs;
    const Json &object = parent.object(key);
    if (!object.isObject())
        return labs;
    JsonFields fields(object, parent.fieldName(key));
    for (const auto &member : object.toObject()) {
        Tensor matrix = fields.tensor(member.first);
        if (member.first.empty() || matrix.isNull() || matrix.heads() != 1 || matrix.shape().size() == 0)
            fields.fail(member.first, "expected a name and one matrix with at least one number");
        else
            labs[member.first] = std::move(matrix);
    }
    if (!fields.ok())
        parent.fail(fields.error());
    return labs;
}

Json labRowNamesToJson(const std::map<std::string, std::vector<std::string>> &namesOfLabs)
{
    Json::Object object;
    for (const auto &[lab, names] : namesOfLabs)
        object.emplace_back(lab, Json::Array(names.begin(), names.end()));
    return object;
}

/// Files from before the rows had names have none.
void readLabRowNames(JsonFields &parent, std::string_view key, Experiment &experiment)
{
    const Json &object = parent.object(key);
    if (!object.isObject())
        return;
    JsonFields fields(object, parent.fieldName(key));
    for (const auto &member : object.toObject()) {
        std::vector<std::string> names = fields.texts(member.first).value_or(std::vector<std::string>());
        const auto matrix = experiment.labs.find(member.first);
        if (matrix == experiment.labs.end() || static_cast<Index>(names.size()) > matrix->second.rows())
            fields.fail(member.first, "expected no more names than the scratch matrix has rows");
        else if (!names.empty())
            experiment.labRowNames[member.first] = std::move(names);
    }
    if (!fields.ok())
        parent.fail(fields.error());
}

/// d_k and d_v where no matrix fixes them.
void readStatedWidths(JsonFields &fields, Experiment &experiment)
{
    const std::vector<double> widths = fields.numbers("stated_widths");
    if (widths.empty())
        return;
    const auto isWidth = [](double width) {
        return width >= 0.0 && width <= static_cast<double>(maxStateInteger);
    };
    if (widths.size() != 2 || !isWidth(widths[0]) || !isWidth(widths[1])) {
        fields.fail("stated_widths", "expected [d_k, d_v]");
        return;
    }
    experiment.statedDHeadK = static_cast<Index>(widths[0]);
    experiment.statedDHeadV = static_cast<Index>(widths[1]);
}

Error documentError(const QString &name, const Error &error, ErrorCode code)
{
    return {code, name.toStdString() + ": " + error.message};
}

/// A document that cannot be read is damaged; but a file it refers to may be missing.
ErrorCode codeOf(const Error &error)
{
    return error.code == ErrorCode::NotFound || error.code == ErrorCode::Io ? error.code : ErrorCode::Damaged;
}

/// Nothing when this is a document that this program can read.
std::optional<Error> refusal(const Json &json, const QString &name)
{
    const std::string file = name.toStdString();
    if (json["format"].toString() != documentFormat)
        return Error{ErrorCode::BadInput, file + ": this is no AttnScope document"};
    const std::optional<std::int64_t> version = json["version"].asInteger();
    if (!version || *version < 1)
        return Error{ErrorCode::Damaged,
                     file + ": version: expected a number from 1, found " +
                         (version ? std::to_string(*version) : jsonKind(json["version"]))};
    if (*version > documentVersion)
        return Error{ErrorCode::TooNew, file + ": written by a newer version of AttnScope (file version " +
                                            std::to_string(*version) + ", this program reads up to " +
                                            std::to_string(documentVersion) + "); open it with that version"};
    return {};
}

} // namespace

QByteArray documentBytes(const DocumentFileData &data, DocumentNumbers numbers)
{
    const JsonForm form = numbers == DocumentNumbers::Embedded ? JsonForm::Embedded : JsonForm::Document;
    const Experiment &experiment = data.experiment;
    return writeJson(Json::Object{
        {"format", documentFormat},
        {"version", documentVersion},
        {"title", data.title.toStdString()},
        {"notes", experiment.notes},
        {"precision", precisionName(experiment.precision)},
        {"state", stateToJson(experiment, form)},
        {"stated_widths",
         Json::Array{integerJson(experiment.statedDHeadK), integerJson(experiment.statedDHeadV)}},
        {"decimals", decimalsToJson(experiment.decimals)},
        {"printed_facts", printedFactsToJson(experiment.printedFacts)},
        {"reference", referenceToJson(data.reference, form)},
        {"labs", labsToJson(experiment.labs)},
        {"lab_row_names", labRowNamesToJson(experiment.labRowNames)},
        {"view", viewToJson(data.view)},
    });
}

Result<DocumentFileData> parseDocument(const QByteArray &bytes, const QString &name, const QString &folder)
{
    if (bytes.isEmpty())
        return Error{ErrorCode::Damaged, name.toStdString() + ": the file is empty"};
    const Result<JsonText> parsed = parseJson(bytes);
    if (!parsed)
        return documentError(name, parsed.error(), ErrorCode::Damaged);
    const Json &json = parsed->value;
    if (const std::optional<Error> error = refusal(json, name))
        return *error;

    ReferencedFiles files(folder);
    Result<Experiment> state = experimentFromState(json["state"], StateCheck::None, &files);
    if (!state)
        return documentError(name, state.error(), codeOf(state.error()));
    DocumentFileData data;
    data.experiment = std::move(*state);
    JsonFields fields(json, "", &files);
    data.title = QString::fromStdString(fields.text("title"));
    data.experiment.notes = fields.text("notes");
    const std::string precision = fields.text("precision", precisionName(Precision::Float64));
    if (const auto known = precisionFromName(precision))
        data.experiment.precision = *known;
    else
        fields.fail("precision", "expected \"float64\" or \"float32\", found \"" + precision + "\"");
    readStatedWidths(fields, data.experiment);
    data.experiment.decimals = decimalsField(fields, "decimals");
    data.experiment.printedFacts = printedFactsField(fields, "printed_facts");
    data.reference = referenceField(fields, "reference");
    data.experiment.labs = labsField(fields, "labs");
    readLabRowNames(fields, "lab_row_names", data.experiment);
    data.view = viewFromJson(fields.object("view"));
    if (!fields.ok())
        return documentError(name, fields.error(), codeOf(fields.error()));
    data.notes = files.notes();
    return data;
}

} // namespace attn
