#include "render/scenes/ProductCardFrame.h"

#include "render/scenes/ProductText.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

using namespace productCard;

namespace {

constexpr double badgeRoom = 92.0;

} // namespace

void ProductCardFrame::addHeader(const QString &title, const QString &fixed, bool isBasic)
{
    QFont font = Theme::light().textFont;
    const QStringList lines = fixed.split(u'\n');
    double width = 0.0;
    for (const QString &text : lines)
        width = std::max(width, QFontMetricsF(font).horizontalAdvance(text));
    font.setPixelSize(14);
    font.setBold(true);
    const double titleWidth = QFontMetricsF(font).horizontalAdvance(title) + (isBasic ? badgeRoom : 0.0);
    m_headerRight = padding + std::ceil(std::max(titleWidth, width)) + 2.0;
    m_width = std::max(m_width, m_headerRight + padding);
    const double own = m_headerRight - padding;
    const double inner = m_width - 2.0 * padding;
    m_scene.texts.push_back({QRectF(padding, m_top, isBasic ? inner - badgeRoom : own, 20.0), title,
                             SceneText::Style::Heading, Qt::AlignLeft | Qt::AlignVCenter});
    if (isBasic)
        m_scene.texts.push_back({QRectF(padding + inner - 88.0, m_top, 88.0, 20.0),
                                 ProductText::tr("basic view"), SceneText::Style::Badge,
                                 Qt::AlignRight | Qt::AlignVCenter});
    m_top += 20.0;
    for (const QString &text : lines) {
        m_scene.texts.push_back({QRectF(padding, m_top, own, line), text, SceneText::Style::Label,
                                 Qt::AlignLeft | Qt::AlignVCenter});
        m_top += line;
    }
    m_top += gap;
    m_bottom = m_top;
}

void ProductCardFrame::addText(const QRectF &rect, const QString &text, SceneText::Style style,
                               Qt::Alignment alignment)
{
    m_scene.texts.push_back({rect, text, style, alignment});
    reach(rect.right(), rect.bottom());
}

void ProductCardFrame::addSign(double x, double y, double height, const QString &sign)
{
    addText({x, y, operatorWidth, height}, sign, SceneText::Style::Label, Qt::AlignCenter);
}

void ProductCardFrame::addMap(SceneMap map)
{
    reach(map.rect.right(), map.rect.bottom());
    m_scene.maps.push_back(std::move(map));
}

void ProductCardFrame::reach(double right, double bottom)
{
    m_width = std::max(m_width, right + padding);
    m_bottom = std::max(m_bottom, bottom);
}

void ProductCardFrame::addFooter(const QString &text)
{
    if (!text.isEmpty())
        m_footers.append(text);
}

Scene ProductCardFrame::finished()
{
    double y = m_bottom + gap;
    QFont font = Theme::light().textFont;
    font.setPixelSize(11);
    const QFontMetricsF metrics(font);
    for (const QString &footer : std::as_const(m_footers)) {
        const QRectF room(padding, y, m_width - 2.0 * padding, 1e4);
        const double height = std::ceil(metrics.boundingRect(room, Qt::TextWordWrap, footer).height()) + 4.0;
        m_scene.texts.push_back({QRectF(room.topLeft(), QSizeF(room.width(), height)), footer,
                                 SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignTop});
        y += height;
    }
    m_scene.size = {m_width, y + padding - (m_footers.empty() ? gap : 4.0)};
    m_scene.boxes.push_back({QRectF(QPointF(0.0, 0.0), m_scene.size)});
    return std::move(m_scene);
}

} // namespace attn
