#include "render/scenes/FlowDrawing.h"

#include "render/LabelText.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include "base/NumberText.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <iterator>
#include <utility>

namespace attn {

namespace {

constexpr double widestFlowLabel = 140.0;
constexpr double lineHeight = 16.0;
constexpr double downwardsLine = 14.0;
constexpr double numberHalf = 27.0; ///< half the width of a number below or above a label
constexpr int mostDownwards = 4;
constexpr Index mostSeparateBars = 512; ///< in longer lists bars may lie on each other
constexpr double listOfMany = 1400.0;   ///< length of a list without a place for every label
constexpr double plainRibbon = 0.5;     ///< opacities
constexpr double strongRibbon = 0.8;
constexpr double fadedRibbons = 0.15; ///< of all together
constexpr double unseen = 1e-9;       ///< opacity of what is only there to be pointed at

} // namespace

FlowDrawing::FlowDrawing(const MapFactory &maps, FlowLayout layout)
    : m_maps(maps)
    , m_layout(layout)
    , m_frame(layout, {})
{
}

double FlowDrawing::textWidth(const QString &text) const
{
    return QFontMetricsF(m_maps.theme().textFont).horizontalAdvance(text);
}

FlowLabels FlowDrawing::measured(const QStringList &raw, double numberLength) const
{
    FlowLabels result;
    result.numberLength = numberLength;
    const bool isStacked = m_layout == FlowLayout::Stacked;
    const bool hasPlaces = raw.size() <= mostLabelledTokens;
    double widest = 0.0;
    for (qsizetype i = 0; i < raw.size(); ++i) {
        const QString label = visibleLabel(raw[i]);
        result.labels.append(hasPlaces ? label : placedLabel(static_cast<Index>(i), raw[i]));
        if (widest >= widestFlowLabel && !isStacked)
            continue;
        const bool isDown = isStacked && isWrittenDownwards(result.labels.last());
        widest = std::max(widest, isDown ? 0.0 : textWidth(result.labels.last()) + 4.0);
        if (isDown) {
            const auto lines = std::min<qsizetype>(label.size(), mostDownwards);
            result.room = std::max(result.room, static_cast<double>(lines) * downwardsLine);
        }
    }
    widest = std::min(widest, widestFlowLabel);
    result.room = std::max(result.room, isStacked ? lineHeight : widest);
    result.leastSlot = isStacked ? std::clamp(widest + 6.0, 2.0 * numberHalf, 96.0) : 18.0;
    if (!hasPlaces)
        result.leastSlot = listOfMany / static_cast<double>(raw.size());
    return result;
}

double FlowDrawing::edgeRoom(const FlowLabels &labels) const
{
    return labelGap + labels.room + (m_frame.isStacked() ? lineHeight : labels.numberLength);
}

void FlowDrawing::addText(const QRectF &rect, const QString &text, SceneText::Style style,
                          Qt::Alignment alignment)
{
    m_scene.texts.push_back({rect, text, style, alignment});
}

double FlowDrawing::addParagraph(const QPointF &corner, double width, const QString &text,
                                 SceneText::Style style)
{
    return attn::addParagraph(m_scene, m_maps.theme(), corner, width, text, style);
}

QColor FlowDrawing::colorOf(Ink ink, double strength) const
{
    if (ink == Ink::Amount)
        return QColor::fromRgb(
            m_maps.colorMap(ColorMap::Kind::Sequential)->rgb(m_maps.display().dark ? 0.62 : 0.42));
    return QColor::fromRgb(m_maps.colorMap(ColorMap::Kind::Diverging)->rgb(strength < 0.0 ? 0.06 : 0.94));
}

void FlowDrawing::addRibbon(const QPainterPath &path, Ink ink, double strength, Emphasis emphasis,
                            const QString &id, const QString &name, bool isSelected)
{
    SceneShape shape;
    shape.path = path;
    shape.id = id;
    shape.name = name;
    if (isSelected) {
        SceneShape frame = shape;
        frame.stroke = ScenePaint::of(ScenePaint::Role::Accent);
        frame.strokeWidth = 1.5;
        m_above.push_back(std::move(frame));
    }
    const QColor color = colorOf(ink, strength);
    if (emphasis == Emphasis::Strong) {
        SceneShape strong = shape;
        strong.fill = ScenePaint::data(color, strongRibbon);
        if (!m_isResting) {
            m_scene.shapes.push_back(std::move(strong));
            return;
        }
        m_above.push_back(std::move(strong));
    }
    shape.fill = ScenePaint::data(color, plainRibbon);
    // What has faded is not in the way of the pointer.
    if (emphasis == Emphasis::Faded)
        shape.id.clear();
    m_scene.shapes.push_back(std::move(shape));
}

void FlowDrawing::endResting(bool standsBack)
{
    m_isResting = false;
    m_scene.resting = m_scene.shapes.size();
    m_scene.restingOpacity = standsBack ? fadedRibbons : 1.0;
    std::ranges::move(m_above, std::back_inserter(m_scene.shapes));
    m_above.clear();
}

void FlowDrawing::addBar(const FlowList &list, Index node, double along, const QString &id,
                         const QString &name, Emphasis emphasis)
{
    const bool isThin = list.size() > mostSeparateBars && list.thickness(node) < 1.0;
    if (isThin && emphasis != Emphasis::Strong && !takesPlace(list, node, along))
        return;
    SceneShape shape;
    const double thickness = std::max(list.thickness(node), 1.0);
    shape.path.addRect(
        m_frame.rect(along, list.centre(node) - thickness / 2.0, barLength, thickness).normalized());
    const bool isStrong = emphasis == Emphasis::Strong;
    shape.fill = ScenePaint::of(isStrong ? ScenePaint::Role::Accent : ScenePaint::Role::MutedText,
                                emphasis == Emphasis::Faded ? 0.25 : 0.9);
    shape.id = id;
    shape.name = name;
    m_scene.shapes.push_back(std::move(shape));
}

bool FlowDrawing::takesPlace(const FlowList &list, Index node, double along)
{
    const bool isStart = along < barLength;
    bool &hasStrip = isStart ? m_hasStartStrip : m_hasEndStrip;
    if (!hasStrip) {
        hasStrip = true;
        const double first = list.barStart(0);
        const double last = list.centre(list.size() - 1);
        SceneShape strip;
        strip.path.addRect(m_frame.rect(along, first, barLength, std::max(last - first, 1.0)).normalized());
        strip.fill = ScenePaint::of(ScenePaint::Role::MutedText, 0.25);
        m_scene.shapes.push_back(std::move(strip));
    }
    const double centre = list.centre(node);
    return (isStart ? m_startBars : m_endBars).take(centre - 0.5, centre + 0.5);
}

bool FlowDrawing::addLabel(const FlowList &list, Index node, double along, Edge edge,
                           const FlowLabels &labels, const QString &number, const QString &id,
                           const QString &name)
{
    const QString &label = labels.labels[node];
    const double centre = list.centre(node);
    const bool isStacked = m_frame.isStacked();
    const bool isDown = isStacked && isWrittenDownwards(label);
    double half = lineHeight / 2.0;
    if (isStacked)
        half = std::min(isDown ? 10.0 : textWidth(label) / 2.0 + 3.0, 48.0);
    if (isStacked && !number.isEmpty())
        half = std::max(half, numberHalf);
    LabelPlaces &places = edge == Edge::Start ? m_startPlaces : m_endPlaces;
    // Slots of one length touch; they do not overlap.
    if (!places.take(centre - half + 0.01, centre + half - 0.01))
        return false;

    SceneShape area;
    const double room = edgeRoom(labels);
    area.path.addRect(
        m_frame.rect(edge == Edge::Start ? along - room : along, centre - half, room, 2.0 * half)
            .normalized());
    area.fill = ScenePaint::of(ScenePaint::Role::Card, unseen);
    area.id = id;
    area.name = name;
    m_scene.shapes.push_back(std::move(area));

    if (isStacked) {
        addStackedLabel(list, node, along, edge, labels, number);
        return true;
    }
    const bool isStart = edge == Edge::Start;
    const double labelAt = isStart ? along - labelGap - labels.room : along + labelGap;
    const double numberAt = isStart ? labelAt - labels.numberLength : labelAt + labels.room;
    const Qt::Alignment alignment = (isStart ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
    addText(m_frame.rect(labelAt, centre - half, labels.room, lineHeight), label, SceneText::Style::Label,
            alignment);
    const QRectF numberRect = m_frame.rect(numberAt, centre - half, labels.numberLength, lineHeight);
    if (!number.isEmpty())
        addText(isStart ? numberRect.adjusted(0, 0, -8, 0) : numberRect.adjusted(8, 0, 0, 0), number,
                SceneText::Style::Muted, alignment);
    return true;
}

void FlowDrawing::addStackedLabel(const FlowList &list, Index node, double along, Edge edge,
                                  const FlowLabels &labels, const QString &number)
{
    const QString &label = labels.labels[node];
    const double centre = list.centre(node);
    const bool isStart = edge == Edge::Start;
    const QStringList lines =
        isWrittenDownwards(label) ? charactersDownwards(label, mostDownwards) : QStringList{label};
    const double line = lines.size() > 1 ? downwardsLine : lineHeight;
    const double height = line * static_cast<double>(lines.size());
    double at = isStart ? along - labelGap - height : along + labelGap;
    const double width = std::min(std::max(textWidth(label) + 4.0, 20.0), 96.0);
    for (const QString &text : lines) {
        addText(m_frame.rect(at, centre - width / 2.0, line, width), text, SceneText::Style::Label,
                Qt::AlignCenter);
        at += line;
    }
    if (number.isEmpty())
        return;
    const double numberAt =
        isStart ? along - labelGap - labels.room - lineHeight : along + labelGap + labels.room;
    addText(m_frame.rect(numberAt, centre - numberHalf, lineHeight, 2.0 * numberHalf), number,
            SceneText::Style::Muted, Qt::AlignCenter);
}

double FlowDrawing::addScaleSample(QPointF corner, Ink ink, double scale, const QString &unit)
{
    const double sample = roundSample(scale);
    if (sample <= 0.0)
        return 0.0;
    SceneShape bar;
    const double length = sample * scale;
    bar.path.addRect(QRectF(corner.x() + 4.0, corner.y() + 24.0 - length / 2.0, 10.0, length));
    bar.fill = ScenePaint::data(colorOf(ink, 1.0), 0.5);
    m_scene.shapes.push_back(std::move(bar));
    const QString text = QCoreApplication::translate("Scene", "this wide: %1 %2")
                             .arg(unit, QString::fromStdString(significantText(sample, 3)));
    const double width = textWidth(text) + 8.0;
    addText({corner.x() + 22.0, corner.y() + 16.0, width, lineHeight}, text, SceneText::Style::Muted);
    return width + 40.0;
}

double FlowDrawing::addSignLegend(QPointF corner)
{
    double x = corner.x() + 4.0;
    const std::pair<double, QString> entries[] = {
        {1.0, QCoreApplication::translate("Scene", "adds")},
        {-1.0, QCoreApplication::translate("Scene", "takes away")},
    };
    for (const auto &[sign, text] : entries) {
        SceneShape chip;
        chip.path.addRect(QRectF(x, corner.y() + 18.0, 12.0, 12.0));
        chip.fill = ScenePaint::data(colorOf(Ink::Sign, sign), 0.8);
        m_scene.shapes.push_back(std::move(chip));
        const double width = textWidth(text) + 8.0;
        addText({x + 18.0, corner.y() + 16.0, width, lineHeight}, text, SceneText::Style::Muted);
        x += width + 34.0;
    }
    return x - corner.x();
}

} // namespace attn
