#include "views/masks/MaskChoice.h"

#include "base/NumberText.h"

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr Index largestStamp = 1'000'000;

template<typename Enum>
Enum maskEnumOf(const QJsonValue &value, Enum last)
{
    return static_cast<Enum>(std::clamp(value.toInt(0), 0, static_cast<int>(last)));
}

} // namespace

double MaskChoice::valueFor(Stage painted, bool isOther) const
{
    if (ink == Ink::Number && painted == Stage::MaskAdd)
        return isOther ? 0.0 : number;
    return (ink == Ink::Keep) != isOther ? allowingValue(painted) : hidingValue(painted);
}

QJsonObject MaskChoice::toJson() const
{
    return {
        {u"mask"_s, QString::fromLatin1(stageName(mask))},
        {u"ink"_s, static_cast<int>(ink)},
        {u"number"_s, QString::fromStdString(shortestText(number))}, // -inf is no JSON number
        {u"allHeads"_s, allHeads},
        {u"rectangles"_s, rectangles},
        {u"stamp"_s, static_cast<int>(stamp.kind)},
        {u"stampSize"_s, static_cast<qint64>(stamp.size)},
        {u"trueIsDrop"_s, trueIsDrop},
        {u"against"_s, static_cast<int>(against)},
        {u"part"_s, static_cast<int>(part)},
        {u"kept"_s, kept},
        {u"keptName"_s, keptName},
    };
}

MaskChoice MaskChoice::fromJson(const QJsonObject &object)
{
    MaskChoice choice;
    const std::optional<Stage> mask = stageFromName(object["mask"_L1].toString().toStdString());
    if (mask == Stage::MaskAdd || mask == Stage::MaskPadding)
        choice.mask = *mask;
    choice.ink = maskEnumOf(object["ink"_L1], Ink::Number);
    choice.number = parseNumber(object["number"_L1].toString().toStdString()).value_or(choice.number);
    choice.allHeads = object["allHeads"_L1].toBool(true);
    choice.rectangles = object["rectangles"_L1].toBool();
    if (object.contains("stamp"_L1))
        choice.stamp.kind = maskEnumOf(object["stamp"_L1], MaskStamp::Kind::Band);
    choice.stamp.size =
        std::clamp<Index>(static_cast<Index>(object["stampSize"_L1].toInteger(1)), 0, largestStamp);
    choice.trueIsDrop = object["trueIsDrop"_L1].toBool();
    choice.against = maskEnumOf(object["against"_L1], Against::WithoutPart);
    choice.part = maskEnumOf(object["part"_L1], MaskPart::Alibi);
    choice.kept = object["kept"_L1].toString();
    choice.keptName = object["keptName"_L1].toString();
    return choice;
}

} // namespace attn
