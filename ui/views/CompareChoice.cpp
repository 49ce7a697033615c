#include "views/CompareChoice.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

} // namespace

QJsonObject CompareChoice::toJson() const
{
    return {
        {u"source"_s, static_cast<int>(source)},
        {u"tolerance"_s, tolerance},
        {u"stage"_s, stage ? QString::fromLatin1(stageName(*stage)) : QString()},
        {u"file"_s, file},
        {u"kept"_s, kept},
        {u"keptName"_s, keptName},
    };
}

CompareChoice CompareChoice::fromJson(const QJsonObject &object)
{
    CompareChoice choice;
    choice.source =
        static_cast<Source>(std::clamp(object["source"_L1].toInt(), 0, static_cast<int>(Source::File)));
    const double tolerance = object["tolerance"_L1].toDouble(choice.tolerance);
    if (std::isfinite(tolerance) && tolerance >= 0.0)
        choice.tolerance = tolerance;
    choice.stage = stageFromName(object["stage"_L1].toString().toStdString());
    choice.file = object["file"_L1].toString();
    choice.kept = object["kept"_L1].toString();
    choice.keptName = object["keptName"_L1].toString();
    return choice;
}

} // namespace attn
