#pragma once

#include "render/scenes/FlowGeometry.h"
#include "render/scenes/MapFactory.h"

namespace attn {

/// The labels of a list at the edge of a picture of flow.
struct FlowLabels
{
    QStringList labels;        ///< as drawn
    double room = 0.0;         ///< along the flow
    double leastSlot = 0.0;    ///< across it
    double numberLength = 0.0; ///< room beside the label in side-by-side lists
};

/// Draws the parts that all pictures of flow have.
class FlowDrawing
{
public:
    /// The edge of the picture at which a list stands.
    enum class Edge
    {
        Start,
        End,
    };
    /// What the colour of a ribbon says.
    enum class Ink
    {
        Amount, ///< one colour
        Sign,   ///< one for what adds, one for what takes away
    };
    enum class Emphasis
    {
        Plain,
        Strong,
        Faded,
    };

    FlowDrawing(const MapFactory &maps, FlowLayout layout);

    Scene &scene() { return m_scene; }
    const FlowFrame &frame() const { return m_frame; }
    void setOrigin(QPointF origin) { m_frame = FlowFrame(m_layout, origin); }

    FlowLabels measured(const QStringList &raw, double numberLength) const;
    /// Room along the flow at an edge: bar gap, labels and numbers.
    double edgeRoom(const FlowLabels &labels) const;

    void addText(const QRectF &rect, const QString &text, SceneText::Style style,
                 Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    /// In lines as long as there is room. Returns where the next one begins.
    double addParagraph(const QPointF &corner, double width, const QString &text, SceneText::Style style);
    /// Until endResting() the ribbons are those that stay while a token is shown alone: what is plain then
    /// stands back as a whole, and what is strong is drawn once more above them.
    void addRibbon(const QPainterPath &path, Ink ink, double strength, Emphasis emphasis, const QString &id,
                   const QString &name, bool isSelected = false);
    /// standsBack: whether something is shown alone above them.
    void endResting(bool standsBack);
    /// The bar of a node from `along` on. In a list of very many a bar thinner than a line gives way to one
    /// that stands at its place already: add the important ones first.
    void addBar(const FlowList &list, Index node, double along, const QString &id, const QString &name,
                Emphasis emphasis);
    /// Label and number of a node at an edge, where there is room. Returns whether there was.
    bool addLabel(const FlowList &list, Index node, double along, Edge edge, const FlowLabels &labels,
                  const QString &number, const QString &id, const QString &name);
    /// A bar for reading widths: `scale` units per 1. Returns the width it took.
    double addScaleSample(QPointF corner, Ink ink, double scale, const QString &unit);
    /// The two colours, for signed strengths. Returns the width they took.
    double addSignLegend(QPointF corner);

    static constexpr double barLength = 10.0; ///< of a node, along the flow
    static constexpr double labelGap = 6.0;
    static constexpr double thinnest = 0.6; ///< ribbons are never drawn thinner

private:
    QColor colorOf(Ink ink, double strength) const;
    void addStackedLabel(const FlowList &list, Index node, double along, Edge edge, const FlowLabels &labels,
                         const QString &number);
    double textWidth(const QString &text) const;

    const MapFactory &m_maps;
    FlowLayout m_layout;
    FlowFrame m_frame;
    Scene m_scene;
    /// Whether there is a place for a bar thinner than a line; draws what lies behind all of them.
    bool takesPlace(const FlowList &list, Index node, double along);

    std::vector<SceneShape> m_above; ///< of the resting ribbons, until those are complete
    bool m_isResting = true;
    LabelPlaces m_startBars;
    LabelPlaces m_endBars;
    bool m_hasStartStrip = false;
    bool m_hasEndStrip = false;
    LabelPlaces m_startPlaces;
    LabelPlaces m_endPlaces;
};

} // namespace attn
