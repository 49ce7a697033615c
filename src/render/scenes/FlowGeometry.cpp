#include "render/scenes/FlowGeometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

bool isCjk(char32_t character)
{
    switch (QChar::script(character)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Hangul:
    case QChar::Script_Bopomofo:
        return true;
    default:
        return false;
    }
}

} // namespace

FlowList::FlowList(std::vector<double> thickness, double leastSlot, double gap)
    : m_thickness(std::move(thickness))
    , m_taken(m_thickness.size(), 0.0)
{
    for (const double bar : m_thickness) {
        const double slot = std::max(leastSlot, bar + gap);
        m_slots.push_back(slot);
        m_centres.push_back(m_length + slot / 2.0);
        m_length += slot;
    }
}

double FlowList::takePiece(Index node, double thickness)
{
    const double start = barStart(node) + m_taken[at(node)];
    m_taken[at(node)] += thickness;
    return start;
}

bool LabelPlaces::take(double start, double end)
{
    const auto next = std::lower_bound(m_taken.begin(), m_taken.end(), std::pair(start, end));
    if (next != m_taken.end() && next->first < end)
        return false;
    if (next != m_taken.begin() && std::prev(next)->second > start)
        return false;
    m_taken.insert(next, {start, end});
    return true;
}

QPainterPath ribbonPath(const FlowFrame &frame, double alongFrom, double acrossFrom, double thicknessFrom,
                        double alongTo, double acrossTo, double thicknessTo)
{
    const double middle = (alongFrom + alongTo) / 2.0;
    QPainterPath path;
    path.moveTo(frame.point(alongFrom, acrossFrom));
    path.cubicTo(frame.point(middle, acrossFrom), frame.point(middle, acrossTo),
                 frame.point(alongTo, acrossTo));
    path.lineTo(frame.point(alongTo, acrossTo + thicknessTo));
    path.cubicTo(frame.point(middle, acrossTo + thicknessTo), frame.point(middle, acrossFrom + thicknessFrom),
                 frame.point(alongFrom, acrossFrom + thicknessFrom));
    path.closeSubpath();
    return path;
}

double roundSample(double scale)
{
    if (!(scale > 0.0) || !std::isfinite(scale))
        return 0.0;
    const double wanted = 40.0 / scale;
    const double power = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double factor : {5.0, 2.0})
        if (factor * power <= wanted)
            return factor * power;
    return power;
}

bool isWrittenDownwards(const QString &label)
{
    const QList<uint> characters = label.toUcs4();
    return characters.size() >= 2 && std::all_of(characters.begin(), characters.end(), isCjk);
}

QStringList charactersDownwards(const QString &label, int most)
{
    QStringList lines;
    const QList<uint> characters = label.toUcs4();
    for (qsizetype i = 0; i < characters.size() && i < most; ++i) {
        const auto character = static_cast<char32_t>(characters[i]);
        lines.append(QString::fromUcs4(&character, 1));
    }
    if (characters.size() > most)
        lines.last() = QStringLiteral("…");
    return lines;
}

} // namespace attn
