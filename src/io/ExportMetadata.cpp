#include "io/ExportMetadata.h"

#include "io/JsonFields.h"
#include "io/StateFields.h"
#include "io/StateJson.h"

namespace attn {

std::string exportMetadata(const Experiment &experiment)
{
    // The sizes in the state come from the matrices, so they are taken before these go.
    Json state = stateToJson(experiment, JsonForm::Embedded);
    for (const Stage stage : stateInputs)
        state.set(stageName(stage), Json());
    state.set("given", Json::Object());
    Json mask = state["mask"];
    for (const auto &[stage, key] : stateMasks)
        mask.set(key, Json());
    state.set("mask", std::move(mask));
    return writeJson(Json::Object{{"format", "attnscope-stages"},
                                  {"version", 1},
                                  {"precision", precisionName(experiment.precision)},
                                  {"decimals", decimalsToJson(experiment.decimals)},
                                  {"state", std::move(state)}})
        .toStdString();
}

Result<Experiment> experimentFromMetadata(const std::string &text)
{
    const Result<JsonText> parsed = parseJson(QByteArray::fromStdString(text));
    if (!parsed)
        return Error{parsed.error().code, "metadata: " + parsed.error().message};
    JsonFields fields(parsed->value, "metadata");
    if (fields.ok() && fields.integer("version", 1, 0, maxStateInteger) > 1)
        return Error{ErrorCode::TooNew, "metadata: written by a newer version of AttnScope"};
    const std::optional<Precision> precision = precisionFromName(fields.text("precision", "float64"));
    if (!precision)
        fields.fail("precision", "expected \"float64\" or \"float32\"");
    std::map<Stage, int> decimals = decimalsField(fields, "decimals");
    if (!fields.ok())
        return fields.error();
    Result<Experiment> experiment = experimentFromState(fields.at("state"), StateCheck::None);
    if (experiment) {
        experiment->precision = *precision;
        experiment->decimals = std::move(decimals);
    }
    return experiment;
}

} // namespace attn
