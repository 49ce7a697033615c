#include "views/FlowChoice.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

template<typename Enum>
Enum enumOf(const QJsonValue &value, Enum last)
{
    return static_cast<Enum>(std::clamp(value.toInt(0), 0, static_cast<int>(last)));
}

double numberOf(const QJsonValue &value, double fallback, double least, double most)
{
    const double number = value.toDouble(fallback);
    return std::isfinite(number) ? std::clamp(number, least, most) : fallback;
}

Index indexOf(const QJsonValue &value, Index fallback = 0)
{
    return static_cast<Index>(value.toInteger(static_cast<qint64>(fallback)));
}

} // namespace

RowFlowKind FlowChoice::rowKind() const
{
    switch (picture) {
    case Picture::Key:
        return RowFlowKind::Key;
    case Picture::Value:
        return RowFlowKind::Value;
    case Picture::HeadOut:
        return RowFlowKind::HeadOut;
    case Picture::HeadContribution:
        return RowFlowKind::HeadContribution;
    case Picture::Output:
        return RowFlowKind::Output;
    default:
        return RowFlowKind::Query;
    }
}

QJsonObject FlowChoice::toJson() const
{
    QJsonArray headNumbers;
    for (const Index head : heads)
        headNumbers.append(static_cast<qint64>(head));
    return {
        {u"picture"_s, static_cast<int>(picture)},
        {u"heads"_s, headNumbers},
        {u"measure"_s, static_cast<int>(measure)},
        {u"toward"_s, static_cast<int>(toward)},
        {u"column"_s, static_cast<qint64>(column)},
        {u"token"_s, static_cast<qint64>(token)},
        {u"typed"_s, typed},
        {u"mass"_s, mass},
        {u"threshold"_s, threshold},
        {u"mostLinks"_s, static_cast<qint64>(mostLinks)},
        {u"stacked"_s, layout == FlowLayout::Stacked},
        {u"alone"_s, static_cast<int>(alone)},
        {u"aloneToken"_s, static_cast<qint64>(aloneToken)},
    };
}

FlowChoice FlowChoice::fromJson(const QJsonObject &object)
{
    FlowChoice choice;
    choice.picture = enumOf(object["picture"_L1], Picture::Output);
    for (const QJsonValue &head : object["heads"_L1].toArray())
        choice.heads.push_back(indexOf(head));
    choice.measure = enumOf(object["measure"_L1], FlowMeasure::Rollout);
    choice.toward =
        object.contains("toward"_L1) ? enumOf(object["toward"_L1], Toward::Typed) : Toward::Column;
    choice.column = indexOf(object["column"_L1]);
    choice.token = indexOf(object["token"_L1]);
    choice.typed = object["typed"_L1].toString();
    choice.mass = numberOf(object["mass"_L1], 1.0, 0.01, 1.0);
    choice.threshold = numberOf(object["threshold"_L1], 0.0, 0.0, 1e12);
    choice.mostLinks = std::clamp<Index>(indexOf(object["mostLinks"_L1], 600), 1, 5000);
    choice.layout = object["stacked"_L1].toBool() ? FlowLayout::Stacked : FlowLayout::SideBySide;
    choice.alone = enumOf(object["alone"_L1], Alone::Target);
    choice.aloneToken = indexOf(object["aloneToken"_L1]);
    return choice;
}

FlowChoice FlowChoice::fittedTo(const Snapshot &snapshot) const
{
    FlowChoice fitted = *this;
    const Sizes &sizes = snapshot.sizes();
    const auto last = [](Index count) {
        return std::max<Index>(count, 1) - 1;
    };
    std::erase_if(fitted.heads, [&](Index head) { return head < 0 || head >= sizes.nHeads; });
    const bool isKeyRow = picture == Picture::Key || picture == Picture::Value;
    fitted.token = std::clamp<Index>(token, 0, last(isKeyRow ? sizes.nK : sizes.nQ));
    fitted.column = std::clamp<Index>(column, 0, last(sizes.dOut));
    if (aloneToken < 0)
        fitted.alone = Alone::None;
    return fitted;
}

std::vector<double> typedDirection(const QString &text)
{
    static const QRegularExpression separators(u"[\\s,;]+"_s);
    std::vector<double> numbers;
    const QStringList parts = text.split(separators, Qt::SkipEmptyParts);
    for (const QString &part : parts) {
        const std::optional<double> number = parseNumber(part.toStdString());
        if (!number || !std::isfinite(*number))
            return {};
        numbers.push_back(*number);
    }
    return numbers;
}

FlowQuestion flowQuestionOf(const FlowChoice &choice, const Snapshot &snapshot)
{
    FlowQuestion question;
    question.measure = choice.measure;
    question.heads = choice.heads;
    if (choice.measure != FlowMeasure::Contribution)
        return question;
    switch (choice.toward) {
    case FlowChoice::Toward::Cell:
    case FlowChoice::Toward::Column:
        question.direction = outputColumnDirection(snapshot, choice.column);
        break;
    case FlowChoice::Toward::Row:
        question.direction = outputRowDirection(snapshot, choice.token);
        break;
    case FlowChoice::Toward::Typed:
        question.direction = typedDirection(choice.typed);
        break;
    }
    return question;
}

QString directionNameOf(const FlowChoice &choice, const Snapshot &snapshot)
{
    const Experiment &experiment = snapshot.experiment();
    switch (choice.toward) {
    case FlowChoice::Toward::Cell:
    case FlowChoice::Toward::Column:
        break;
    case FlowChoice::Toward::Row:
        return QCoreApplication::translate("FlowView", "the output row of \u201c%1\u201d")
            .arg(visibleLabel(QString::fromStdString(rowLabel(experiment, Stage::Output, choice.token))));
    case FlowChoice::Toward::Typed:
        return QCoreApplication::translate("FlowView", "the typed direction");
    }
    return QCoreApplication::translate("FlowView", "output column %1")
        .arg(QString::fromStdString(colLabel(experiment, Stage::Output, choice.column)));
}

} // namespace attn
