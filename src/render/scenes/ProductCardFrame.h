#pragma once

#include "render/scenes/ProductLook.h"

namespace attn {

namespace productCard {
inline constexpr double padding = 12.0;
inline constexpr double line = 18.0;
inline constexpr double gap = 8.0;
inline constexpr double operatorWidth = 20.0;

inline MapEmphasis rowMark(Index row, Index cols, MapEmphasis::Style style)
{
    return {row, row, 0, cols - 1, style};
}

inline MapEmphasis colMark(Index col, Index rows, MapEmphasis::Style style)
{
    return {0, rows - 1, col, col, style};
}
} // namespace productCard

/// Collects the parts of one card: title, the line of what is held fixed, maps, sentences; at last the box.
class ProductCardFrame
{
public:
    explicit ProductCardFrame(double leastWidth)
        : m_width(leastWidth)
    {
    }

    /// Title (with a badge when it is the basic view) and the lines below it; the card becomes wide enough.
    void addHeader(const QString &title, const QString &fixed, bool isBasic);
    void addText(const QRectF &rect, const QString &text, SceneText::Style style = SceneText::Style::Muted,
                 Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    /// A centred sign between two things: "=", "·", "+".
    void addSign(double x, double y, double height, const QString &sign);
    void addMap(SceneMap map);
    void addShape(SceneShape shape) { m_scene.shapes.push_back(std::move(shape)); }
    /// The card reaches at least here.
    void reach(double right, double bottom);
    /// A sentence over the whole width at the bottom, on as many lines as it needs.
    void addFooter(const QString &text);

    double top() const { return m_top; }
    /// Where title and lines of the header end.
    double headerRight() const { return m_headerRight; }
    double right() const { return m_width; }
    double bottom() const { return m_bottom; }
    Scene finished();

private:
    Scene m_scene;
    QStringList m_footers;
    double m_width;
    double m_headerRight = productCard::padding;
    double m_top = productCard::padding;
    double m_bottom = productCard::padding;
};

} // namespace attn
