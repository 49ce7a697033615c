#include "document/ViewState.h"

#include <QJsonArray>

namespace attn {

namespace {

QString modeName(RangeChoice::Mode mode)
{
    switch (mode) {
    case RangeChoice::Mode::PerHead:
        return QStringLiteral("per head");
    case RangeChoice::Mode::Fixed:
        return QStringLiteral("fixed");
    case RangeChoice::Mode::Shared:
        break;
    }
    return QStringLiteral("shared");
}

RangeChoice::Mode modeFromName(const QString &name)
{
    for (const auto mode : {RangeChoice::Mode::PerHead, RangeChoice::Mode::Fixed})
        if (name == modeName(mode))
            return mode;
    return RangeChoice::Mode::Shared;
}

Index indexOr(const QJsonValue &value, Index fallback)
{
    return static_cast<Index>(value.toInteger(static_cast<qint64>(fallback)));
}

} // namespace

ViewState ViewState::withWorkspaceState(const QString &name, const QJsonObject &state) const
{
    ViewState result = *this;
    result.workspaces.insert(name, state);
    return result;
}

QJsonObject ViewState::toJson() const
{
    QJsonObject rangeObject;
    for (const auto &[rangeStage, range] : ranges)
        rangeObject.insert(QLatin1String(stageName(rangeStage)),
                           QJsonObject{{QStringLiteral("mode"), modeName(range.mode)},
                                       {QStringLiteral("minimum"), range.minimum},
                                       {QStringLiteral("maximum"), range.maximum}});
    QJsonArray order;
    for (const Index token : footprintOrder)
        order.append(static_cast<qint64>(token));
    QJsonArray muted;
    for (const Index token : mutedTokens)
        muted.append(static_cast<qint64>(token));
    QJsonObject result{
        {QStringLiteral("workspace"), workspace},
        {QStringLiteral("stage"), QLatin1String(stageName(stage))},
        {QStringLiteral("cell"), QJsonArray{static_cast<qint64>(cell.head), static_cast<qint64>(cell.row),
                                            static_cast<qint64>(cell.col)}},
        {QStringLiteral("head"), static_cast<qint64>(head)},
        {QStringLiteral("tile_heads"), tileHeads},
        {QStringLiteral("decimals"), decimals},
        {QStringLiteral("sequential_map"), sequentialMap},
        {QStringLiteral("diverging_map"), divergingMap},
        {QStringLiteral("ranges"), rangeObject},
        {QStringLiteral("pooling"), pooling == Pooling::Max ? QStringLiteral("max") : QStringLiteral("mean")},
        {QStringLiteral("zoom"), zoom},
        {QStringLiteral("footprints"),
         QJsonObject{{QStringLiteral("target"), footprintTarget},
                     {QStringLiteral("order"), order},
                     {QStringLiteral("muted"), muted},
                     {QStringLiteral("count"), static_cast<qint64>(footprintCount)}}},
        {QStringLiteral("workspaces"), workspaces},
    };
    if (!scratch.isEmpty())
        result.insert(QStringLiteral("scratch"),
                      QJsonObject{{QStringLiteral("name"), scratch},
                                  {QStringLiteral("row"), static_cast<qint64>(scratchCell.row)},
                                  {QStringLiteral("col"), static_cast<qint64>(scratchCell.col)}});
    return result;
}

ViewState ViewState::fromJson(const QJsonObject &object)
{
    const ViewState standard;
    ViewState state;
    const auto text = [&](const char *key, const QString &fallback) {
        return object.value(QLatin1String(key)).toString(fallback);
    };
    state.workspace = text("workspace", standard.workspace);
    state.stage = stageFromName(text("stage", {}).toStdString()).value_or(standard.stage);
    const QJsonArray cellArray = object.value(QLatin1String("cell")).toArray();
    state.cell = {indexOr(cellArray.at(0), 0), indexOr(cellArray.at(1), 0), indexOr(cellArray.at(2), 0)};
    const QJsonObject scratch = object.value(QLatin1String("scratch")).toObject();
    state.scratch = scratch.value(QLatin1String("name")).toString();
    if (!state.scratch.isEmpty())
        state.scratchCell = {0, indexOr(scratch.value(QLatin1String("row")), 0),
                             indexOr(scratch.value(QLatin1String("col")), 0)};
    state.head = indexOr(object.value(QLatin1String("head")), 0);
    state.tileHeads = object.value(QLatin1String("tile_heads")).toBool(standard.tileHeads);
    state.decimals = qBound(0, object.value(QLatin1String("decimals")).toInt(standard.decimals), 15);
    state.sequentialMap = text("sequential_map", standard.sequentialMap);
    state.divergingMap = text("diverging_map", standard.divergingMap);
    const QJsonObject rangeObject = object.value(QLatin1String("ranges")).toObject();
    for (auto it = rangeObject.begin(); it != rangeObject.end(); ++it) {
        const QJsonObject range = it.value().toObject();
        if (const auto rangeStage = stageFromName(it.key().toStdString()))
            state.ranges[*rangeStage] = {modeFromName(range.value(QLatin1String("mode")).toString()),
                                         range.value(QLatin1String("minimum")).toDouble(),
                                         range.value(QLatin1String("maximum")).toDouble(1.0)};
    }
    state.pooling = text("pooling", {}) == QLatin1String("mean") ? Pooling::Mean : Pooling::Max;
    state.zoom = object.value(QLatin1String("zoom")).toDouble();
    const QJsonObject footprints = object.value(QLatin1String("footprints")).toObject();
    state.footprintTarget = qBound(0, footprints.value(QLatin1String("target")).toInt(), 2);
    for (const QJsonValue &token : footprints.value(QLatin1String("order")).toArray())
        state.footprintOrder.push_back(indexOr(token, 0));
    for (const QJsonValue &token : footprints.value(QLatin1String("muted")).toArray())
        state.mutedTokens.insert(indexOr(token, 0));
    state.footprintCount = indexOr(footprints.value(QLatin1String("count")), standard.footprintCount);
    const QJsonObject workspaceObjects = object.value(QLatin1String("workspaces")).toObject();
    for (auto it = workspaceObjects.begin(); it != workspaceObjects.end(); ++it)
        if (it.value().isObject())
            state.workspaces.insert(it.key(), it.value());
    return state;
}

} // namespace attn
