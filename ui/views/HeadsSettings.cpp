#include "views/HeadsSettings.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array mixNames = {"mean", "max", "sum"};
constexpr Index mostOffset = 1'000'000;

QString orderName(const HeadsSettings &settings)
{
    using Order = HeadPatternsOptions::Order;
    if (settings.order == Order::ByHead)
        return u"head"_s;
    if (settings.order == Order::BySimilarity)
        return u"group"_s;
    return QString::fromLatin1(headPatternName(settings.sortedBy));
}

void takeOrder(HeadsSettings &settings, const QString &name)
{
    using Order = HeadPatternsOptions::Order;
    if (name == "group"_L1) {
        settings.order = Order::BySimilarity;
    } else if (const auto pattern = headPatternFromName(name.toStdString())) {
        settings.order = Order::ByScore;
        settings.sortedBy = *pattern;
    }
}

bool canBeCompared(Stage stage)
{
    return stage == Stage::Q || stage == Stage::K || stage == Stage::V || stage == Stage::A ||
           stage == Stage::HeadOut;
}

} // namespace

QJsonObject headsToJson(const HeadsSettings &settings)
{
    QJsonObject state{{u"page"_s, QString::fromLatin1(headsPageName(settings.page))},
                      {u"large"_s, settings.isLarge},
                      {u"lengths"_s, settings.withLengths},
                      {u"compared"_s, QString::fromLatin1(stageName(settings.compared))},
                      {u"other_heads"_s, static_cast<qint64>(settings.otherHeads)},
                      {u"mix"_s, QLatin1String(mixNames[static_cast<std::size_t>(settings.mix)])},
                      {u"offset"_s, static_cast<qint64>(settings.question.offset)},
                      {u"sort"_s, orderName(settings)},
                      {u"group_distance"_s, settings.groupDistance}};
    if (settings.combined) {
        QJsonArray heads;
        for (const Index head : *settings.combined)
            heads.append(static_cast<qint64>(head));
        state.insert(u"combined"_s, heads);
    }
    if (!settings.question.delimiterLabels.empty())
        state.insert(u"delimiters"_s, delimiterText(settings.question.delimiterLabels));
    return state;
}

HeadsSettings headsFromJson(const QJsonObject &state)
{
    HeadsSettings settings;
    settings.page =
        headsPageFromName(state.value("page"_L1).toString().toStdString()).value_or(settings.page);
    settings.isLarge = state.value("large"_L1).toBool();
    settings.withLengths = state.value("lengths"_L1).toBool();
    const auto compared = stageFromName(state.value("compared"_L1).toString().toStdString());
    if (compared && canBeCompared(*compared))
        settings.compared = *compared;
    settings.otherHeads = std::max<Index>(state.value("other_heads"_L1).toInteger(0), 0);
    if (state.value("combined"_L1).isArray()) {
        settings.combined.emplace();
        for (const QJsonValue &head : state.value("combined"_L1).toArray())
            if (head.toInteger(-1) >= 0)
                settings.combined->push_back(head.toInteger());
        std::ranges::sort(*settings.combined);
        settings.combined->erase(std::unique(settings.combined->begin(), settings.combined->end()),
                                 settings.combined->end());
    }
    for (std::size_t i = 0; i < mixNames.size(); ++i)
        if (state.value("mix"_L1).toString() == QLatin1String(mixNames[i]))
            settings.mix = static_cast<HeadMix>(i);
    settings.question.offset = std::clamp<Index>(state.value("offset"_L1).toInteger(settings.question.offset),
                                                 -mostOffset, mostOffset);
    settings.question.delimiterLabels = delimiterLabelsOf(state.value("delimiters"_L1).toString());
    takeOrder(settings, state.value("sort"_L1).toString());
    const double distance = state.value("group_distance"_L1).toDouble(settings.groupDistance);
    if (distance >= 0.0 && distance <= 1.0)
        settings.groupDistance = distance;
    return settings;
}

std::vector<std::string> delimiterLabelsOf(const QString &text)
{
    std::vector<std::string> labels;
    const QStringList parts = text.split(u' ', Qt::SkipEmptyParts);
    for (const QString &part : parts)
        labels.push_back(part.toStdString());
    return labels;
}

QString delimiterText(const std::vector<std::string> &labels)
{
    QStringList parts;
    for (const std::string &label : labels)
        parts.append(QString::fromStdString(label));
    return parts.join(u' ');
}

} // namespace attn
