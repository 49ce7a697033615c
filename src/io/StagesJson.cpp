#include "io/StateJson.h"

#include "engine/Footprints.h"
#include "engine/Metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attn {

namespace {

std::vector<double> allNumbers(const StageValues &values)
{
    const Shape shape = values.shape();
    std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
    for (Index head = 0; head < shape.heads && !numbers.empty(); ++head)
        values.readBlock(head, 0, 0, shape.rows, shape.cols, numbers.data() + head * shape.rows * shape.cols,
                         shape.cols);
    return numbers;
}

bool isAllZero(const StageValues &values)
{
    const std::vector<double> numbers = allNumbers(values);
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return number == 0.0; });
}

bool isWritten(const Snapshot &snapshot, const StageInfo &info)
{
    const StageState &state = snapshot.stage(info.stage);
    if (!state.hasValues() || (info.kind != StageKind::Computed && info.kind != StageKind::Derived))
        return false;
    const Experiment &experiment = snapshot.experiment();
    switch (info.stage) {
    case Stage::Bias:
        return !isAllZero(*state.values);
    case Stage::ASoft:
        return !experiment.pinsOf(Stage::A).isEmpty() && !experiment.isGiven(Stage::A);
    default:
        return true;
    }
}

/// Figures of each row of A that the golden form has beside those of RowMetrics.
struct RowFigures
{
    std::vector<double> maximum;
    std::vector<double> sum;
    std::vector<double> allowedKeys;
};

RowFigures rowFigures(const StageValues &A, const StageValues *allowed)
{
    RowFigures figures;
    std::vector<double> row(static_cast<std::size_t>(A.cols()));
    for (Index head = 0; head < A.heads(); ++head) {
        for (Index query = 0; query < A.rows(); ++query) {
            A.readBlock(head, query, 0, 1, A.cols(), row.data(), A.cols());
            double maximum = -std::numeric_limits<double>::infinity();
            double sum = 0.0;
            for (const double weight : row) {
                if (std::isnan(weight) || weight > maximum) // a NaN stays: nothing is greater
                    maximum = weight;
                sum += weight;
            }
            figures.maximum.push_back(maximum);
            figures.sum.push_back(sum);
            double keys = static_cast<double>(A.cols());
            if (allowed) {
                allowed->readBlock(head, query, 0, 1, A.cols(), row.data(), A.cols());
                keys = static_cast<double>(
                    std::count_if(row.begin(), row.end(), [](double flag) { return flag != 0.0; }));
            }
            figures.allowedKeys.push_back(keys);
        }
    }
    return figures;
}

void addPatterns(Json::Object &object, const std::vector<HeadMetrics> &heads)
{
    struct Pattern
    {
        const char *name;
        double PatternScores::*score;
    };
    constexpr std::array<Pattern, 6> patterns = {
        {{"previous_token", &PatternScores::previousToken},
         {"first_token", &PatternScores::firstToken},
         {"self_token", &PatternScores::selfToken},
         {"back3_token", &PatternScores::back3Token},
         {"uniformity", &PatternScores::uniformity},
         {"deviation_from_uniform", &PatternScores::deviationFromUniform}}};
    const std::array<Index, 1> shape = {static_cast<Index>(heads.size())};
    for (const Pattern &pattern : patterns) {
        std::vector<double> all;
        std::vector<double> choice;
        for (const HeadMetrics &head : heads) {
            all.push_back(head.all.*pattern.score);
            choice.push_back(head.choice.*pattern.score);
        }
        object.emplace_back(std::string(pattern.name) + "_all", arrayToJson(shape, all));
        object.emplace_back(std::string(pattern.name) + "_choice", arrayToJson(shape, choice));
    }
}

/// Equal layers, one after another, as one array with these axes; null when one is not available.
Json layersToJson(const std::vector<Index> &axes, const std::vector<StageValuesPtr> &layers)
{
    std::vector<double> numbers;
    for (const StageValuesPtr &layer : layers) {
        if (!layer)
            return {};
        const std::vector<double> part = allNumbers(*layer);
        numbers.insert(numbers.end(), part.begin(), part.end());
    }
    return arrayToJson(axes, numbers);
}

} // namespace

Json stagesToJson(const Snapshot &snapshot)
{
    Json::Object stages;
    for (const StageInfo &info : stageTable())
        if (isWritten(snapshot, info))
            stages.emplace_back(info.name, stageValuesToJson(info.stage, *snapshot.stage(info.stage).values));
    return stages;
}

Json metricsToJson(const Snapshot &snapshot)
{
    const Metrics metrics = metricsOf(snapshot);
    Json::Object object;
    const StageState &A = snapshot.stage(Stage::A);
    if (metrics.rows.heads == 0 || !A.hasValues())
        return object;
    const RowFigures figures = rowFigures(*A.values, snapshot.stage(Stage::Allowed).values.get());
    const std::array<Index, 2> perRow = {metrics.rows.heads, metrics.rows.rows};
    const std::vector<double> argmax(metrics.rows.argmax.begin(), metrics.rows.argmax.end());
    object = {{"entropy", arrayToJson(perRow, metrics.rows.entropy)},
              {"entropy_normalised", arrayToJson(perRow, metrics.rows.entropyNormalised)},
              {"effective_tokens", arrayToJson(perRow, metrics.rows.effectiveTokens)},
              {"max", arrayToJson(perRow, figures.maximum)},
              {"argmax", arrayToJson(perRow, argmax, "int")},
              {"row_sum", arrayToJson(perRow, figures.sum)},
              {"allowed_keys", arrayToJson(perRow, figures.allowedKeys, "int")},
              {"mean_distance", arrayToJson(perRow, metrics.rows.meanDistance)},
              {"mean_signed_offset", arrayToJson(perRow, metrics.rows.meanSignedOffset)}};
    addPatterns(object, metrics.heads);
    std::vector<double> received;
    std::vector<double> norms;
    std::vector<double> shares;
    for (const HeadMetrics &head : metrics.heads) {
        received.insert(received.end(), head.attentionReceived.begin(), head.attentionReceived.end());
        norms.push_back(head.contributionNorm);
        shares.push_back(head.contributionShare);
    }
    const std::array<Index, 1> perHead = {static_cast<Index>(metrics.heads.size())};
    object.emplace_back("attention_received",
                        arrayToJson(std::array<Index, 2>{perHead[0], A.values->cols()}, received));
    object.emplace_back("contribution_norm", arrayToJson(perHead, norms));
    object.emplace_back("contribution_share", arrayToJson(perHead, shares));
    return object;
}

Json footprintsToJson(const SnapshotPtr &snapshot)
{
    Json::Object object;
    const Sizes &sizes = snapshot->sizes();
    if (sizes.nK == 0 || !hasFootprints(*snapshot, FootprintTarget::Head, 0, 0))
        return object;
    const auto perHead = [&](FootprintTarget target, Index width) {
        std::vector<StageValuesPtr> layers;
        for (Index head = 0; head < sizes.nHeads; ++head)
            for (Index token = 0; token < sizes.nK; ++token)
                layers.push_back(footprint(snapshot, target, head, token));
        return layersToJson({sizes.nHeads, sizes.nK, sizes.nQ, width}, layers);
    };
    std::vector<StageValuesPtr> tokens;
    for (Index token = 0; token < sizes.nK; ++token)
        tokens.push_back(footprint(snapshot, FootprintTarget::Token, 0, token));
    object.emplace_back("per_head", perHead(FootprintTarget::Head, sizes.dHeadV));
    object.emplace_back("per_head_mapped", perHead(FootprintTarget::HeadMapped, sizes.dOut));
    object.emplace_back("per_token", layersToJson({sizes.nK, sizes.nQ, sizes.dOut}, tokens));
    return object;
}

Index footprintNumbers(const Snapshot &snapshot)
{
    const Sizes &sizes = snapshot.sizes();
    return sizes.nK * sizes.nQ * (sizes.nHeads * (sizes.dHeadV + sizes.dOut) + sizes.dOut);
}

} // namespace attn
