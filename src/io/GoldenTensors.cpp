#include "io/GoldenTensors.h"

#include "io/ExportMetadata.h"
#include "io/StageTensor.h"
#include "io/StateJson.h"

namespace attn {

namespace {

bool isState(const Json &json)
{
    const bool hasMatrices = json.contains("X") || json["given"].isObject();
    return json["h"].isInteger() && hasMatrices &&
           (json.contains("mask") || json.contains("scale_is_default"));
}

} // namespace

bool isGoldenJson(const Json &json)
{
    return isState(json) || isState(json["state"]);
}

Result<GoldenTensors> goldenTensors(const Json &json)
{
    const Result<Experiment> experiment = experimentFromState(isState(json) ? json : json["state"]);
    if (!experiment)
        return experiment.error();
    GoldenTensors result{exportMetadata(*experiment), {}};
    for (const auto &[stage, matrix] : experiment->given)
        result.tensors.push_back(fileTensorOf(stage, *valuesOf(matrix)));
    for (const auto &[name, value] : json["stages"].toObject()) {
        const std::optional<Stage> stage = stageFromName(name);
        if (!stage || experiment->isGiven(*stage) || isState(json))
            continue;
        const Result<Tensor> matrix = tensorFromJson(value, "stages." + name);
        if (!matrix)
            return matrix.error();
        result.tensors.push_back(fileTensorOf(*stage, *valuesOf(*matrix)));
    }
    return result;
}

} // namespace attn
