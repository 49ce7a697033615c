#pragma once

#include "engine/Types.h"
#include "render/FlowScene.h"

#include <QPainterPath>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace attn {

/// Turns a picture of flow: `along` runs with the flow, `across` along the lists.
class FlowFrame
{
public:
    FlowFrame(FlowLayout layout, QPointF origin)
        : m_isStacked(layout == FlowLayout::Stacked)
        , m_origin(origin)
    {
    }

    bool isStacked() const { return m_isStacked; }
    QPointF point(double along, double across) const
    {
        return m_origin + (m_isStacked ? QPointF(across, along) : QPointF(along, across));
    }
    QRectF rect(double along, double across, double alongLength, double acrossLength) const
    {
        return {point(along, across), point(along + alongLength, across + acrossLength)};
    }

private:
    bool m_isStacked;
    QPointF m_origin;
};

/// Nodes below each other: each a slot with a bar in its middle, on which ribbons begin or end.
class FlowList
{
public:
    FlowList() = default;
    /// thickness: of the bars; leastSlot: no slot is shorter
    FlowList(std::vector<double> thickness, double leastSlot, double gap);

    Index size() const { return static_cast<Index>(m_thickness.size()); }
    double length() const { return m_length; }
    void moveTo(double start) { m_start = start; }
    double centre(Index node) const { return m_start + m_centres[at(node)]; }
    double slotLength(Index node) const { return m_slots[at(node)]; }
    double thickness(Index node) const { return m_thickness[at(node)]; }
    double barStart(Index node) const { return centre(node) - thickness(node) / 2.0; }
    /// The next free piece of a bar: its start.
    double takePiece(Index node, double thickness);

private:
    static std::size_t at(Index node) { return static_cast<std::size_t>(node); }

    std::vector<double> m_thickness;
    std::vector<double> m_centres; ///< from the start of the list
    std::vector<double> m_slots;
    std::vector<double> m_taken;
    double m_length = 0.0;
    double m_start = 0.0;
};

/// Which labels of a list are drawn: those asked first keep their place, later ones only where none is yet.
class LabelPlaces
{
public:
    /// Whether [start, end] was free; then it is taken.
    bool take(double start, double end);

private:
    std::vector<std::pair<double, double>> m_taken; ///< sorted
};

/// A band of constant flow between two lists.
QPainterPath ribbonPath(const FlowFrame &frame, double alongFrom, double acrossFrom, double thicknessFrom,
                        double alongTo, double acrossTo, double thicknessTo);

/// A round number (1, 2 or 5 times a power of ten) whose bar of `scale` units per 1 is 12 to 40 units long.
double roundSample(double scale);

/// Whether a label is written downwards in stacked lists: two or more characters, all of them CJK.
bool isWrittenDownwards(const QString &label);
/// The characters of such a label, at most `most`, the last an ellipsis when there are more.
QStringList charactersDownwards(const QString &label, int most);

} // namespace attn
