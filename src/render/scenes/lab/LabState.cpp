#include "render/scenes/lab/LabState.h"

#include <algorithm>
#include <array>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr int leastScalingPower = 2; ///< d_k = 2^power
constexpr int mostScalingPower = 12;
constexpr int mostSourceIndex = 1 << 20;
constexpr std::array shownWeights = {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo};

std::uint64_t seedIn(const QJsonObject &own)
{
    return static_cast<std::uint64_t>(std::clamp(own.value(u"seed"_s).toInt(1), 1, mostLabSeed));
}

} // namespace

SoftmaxLabOptions softmaxLabOptions(const QJsonObject &own, const LabSelection &selection,
                                    const Experiment &experiment)
{
    SoftmaxLabOptions options;
    options.head = selection.head;
    const Index last = std::max<Index>(0, experiment.tokens.size() - 1);
    const bool isQueryStage = stageInfo(selection.stage).rows == Axis::Query;
    const bool isKeyStage = stageInfo(selection.stage).cols == Axis::Key;
    options.row =
        std::clamp<Index>(isQueryStage ? selection.cell.row : Index(own.value(u"row"_s).toInt()), 0, last);
    options.key = isKeyStage ? selection.cell.col : Index(own.value(u"key"_s).toInt(-1));
    options.sharpness = std::clamp(own.value(u"sharpness"_s).toDouble(1.0), 0.0, mostSharpness);
    options.subtractLargest = own.value(u"subtract"_s).toBool(true);
    options.step = std::clamp(own.value(u"step"_s).toInt(options.stepCount), 0, options.stepCount);
    options.inverseTarget = own.value(u"inverse"_s).toString() == "scaled"_L1 ? Stage::Scaled : Stage::Scores;
    return options;
}

ScalingLabOptions scalingLabOptions(const QJsonObject &own)
{
    ScalingLabOptions options;
    const int wanted = own.value(u"dHead"_s).toInt(int(options.dHead));
    int power = leastScalingPower;
    while (power < mostScalingPower && (1 << power) < wanted)
        ++power;
    options.dHead = Index(1) << power;
    if (own.value(u"entries"_s).toString() == "positive"_L1)
        options.sample.entries = ScalingOptions::Entries::Positive;
    options.sample.seed = seedIn(own);
    return options;
}

TokensLabOptions tokensLabOptions(const QJsonObject &own, const Snapshot &snapshot)
{
    TokensLabOptions options;
    const std::vector<Stage> stages = vectorStages(snapshot);
    options.stage = stageFromName(own.value(u"stage"_s).toString(u"Q"_s).toStdString()).value_or(Stage::Q);
    if (!stages.empty() && std::find(stages.begin(), stages.end(), options.stage) == stages.end())
        options.stage = stages.front();
    const StageValuesPtr &values = snapshot.stage(options.stage).values;
    options.head = values ? std::clamp<Index>(own.value(u"head"_s).toInt(0), 0, values->heads() - 1) : 0;
    options.isCentred = own.value(u"centred"_s).toBool(true);
    options.token = own.value(u"token"_s).toInt(0);
    options.direction = own.value(u"direction"_s).toInt(0);
    return options;
}

PositionsLabOptions positionsLabOptions(const QJsonObject &own, const LabSelection &selection)
{
    PositionsLabOptions options;
    const QString kind = own.value(u"kind"_s).toString();
    options.choice.kind = kind == "learned"_L1 ? PositionChoice::Kind::Learned
                          : kind == "none"_L1  ? PositionChoice::Kind::None
                                               : PositionChoice::Kind::Sinusoidal;
    options.choice.base = std::clamp(own.value(u"base"_s).toDouble(10000.0), 1.0, 1e7);
    options.choice.seed = seedIn(own);
    options.first = own.value(u"first"_s).toInt(0);
    options.second = own.value(u"second"_s).toInt(1);
    options.head = selection.head;
    options.pair = own.value(u"pair"_s).toInt(0);
    return options;
}

OrthogonalityLabOptions orthogonalityLabOptions(const QJsonObject &own)
{
    OrthogonalityLabOptions options;
    options.sample.dimension =
        std::clamp(own.value(u"dimension"_s).toInt(100), leastDirectionDimension, mostDirectionDimension);
    options.sample.degrees =
        std::clamp(own.value(u"angle"_s).toDouble(85.0), leastDirectionAngle, mostDirectionAngle);
    options.sample.tries = std::clamp(own.value(u"tries"_s).toInt(500), 1, mostDirectionTries);
    options.sample.seed = seedIn(own);
    return options;
}

VectorsLabOptions vectorsLabOptions(const QJsonObject &own)
{
    VectorsLabOptions options;
    options.source = sourceFromJson(own.value(u"source"_s).toObject());
    options.azimuth = own.value(u"azimuth"_s).toDouble(options.azimuth);
    options.elevation = own.value(u"elevation"_s).toDouble(options.elevation);
    options.step = double(labPosition(own, int(options.source.isScratch() ? options.source.count : 2))) /
                   labPositionsPerStep;
    return options;
}

MapsLabOptions mapsLabOptions(const QJsonObject &own)
{
    MapsLabOptions options;
    options.mode = static_cast<MapsLabOptions::Mode>(std::clamp(own.value(u"mode"_s).toInt(), 0, 2));
    options.source = sourceFromJson(own.value(u"source"_s).toObject());
    options.source.ownPlane = false;
    options.position = double(labPosition(own, options.steps())) / labPositionsPerStep;
    return options;
}

WeightLabOptions weightLabOptions(const QJsonObject &own, const LabSelection &selection)
{
    WeightLabOptions options;
    options.weight = shownWeights[std::size_t(
        std::clamp(own.value(u"weight"_s).toInt(), 0, int(shownWeights.size()) - 1))];
    options.head = selection.head;
    options.token = own.value(u"token"_s).toInt(0);
    options.position = double(std::clamp(own.value(u"position"_s).toInt(0), 0, 3 * labPositionsPerStep)) /
                       labPositionsPerStep;
    return options;
}

int labPosition(const QJsonObject &own, int steps)
{
    const int end = steps * labPositionsPerStep;
    return std::clamp(own.value(u"position"_s).toInt(end), 0, end);
}

QJsonObject sourceToJson(const VectorSource &source)
{
    const auto number = [](Index value) {
        return static_cast<double>(value);
    };
    return {{u"kind"_s, int(source.kind)},        {u"dimension"_s, number(source.dimension)},
            {u"count"_s, number(source.count)},   {u"stage"_s, QString::fromUtf8(stageName(source.stage))},
            {u"head"_s, number(source.head)},     {u"first"_s, number(source.first)},
            {u"second"_s, number(source.second)}, {u"axisX"_s, number(source.axisX)},
            {u"axisY"_s, number(source.axisY)},   {u"ownPlane"_s, source.ownPlane}};
}

VectorSource sourceFromJson(const QJsonObject &object)
{
    VectorSource source;
    const auto index = [&object](const QString &key, Index fallback, Index least, Index most) {
        return std::clamp<Index>(object.value(key).toInt(int(fallback)), least, most);
    };
    source.kind = static_cast<VectorSource::Kind>(index(u"kind"_s, 0, 0, 2));
    source.dimension = index(u"dimension"_s, source.dimension, 2, 3);
    source.count = index(u"count"_s, source.count, 1, 3);
    if (const auto stage = stageFromName(object.value(u"stage"_s).toString().toStdString()))
        source.stage = *stage;
    source.head = index(u"head"_s, source.head, 0, mostSourceIndex);
    source.first = index(u"first"_s, source.first, 0, mostSourceIndex);
    source.second = index(u"second"_s, source.second, 0, mostSourceIndex);
    source.axisX = index(u"axisX"_s, source.axisX, 0, mostSourceIndex);
    source.axisY = index(u"axisY"_s, source.axisY, 0, mostSourceIndex);
    source.ownPlane = object.value(u"ownPlane"_s).toBool();
    return source;
}

} // namespace attn
