#include "render/figure/FigureDrawing.h"

#include "render/figure/FigureHoles.h"
#include "render/painting/SceneExtent.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace attn {

namespace {

constexpr double titleRoom = 36.0;
constexpr int titleSize = 16;
constexpr double titleMargin = 16.0;

} // namespace

FigureDrawing::FigureDrawing(const Scene &scene, const FigureOptions &options)
    : m_scene(withoutHoles(scene))
    , m_options(options)
{
    const SceneExtent drawn = horizontalExtent(m_scene, paintOptions());
    // As much room at the right as at the left.
    m_width = std::min(m_scene.size.width(), drawn.right + std::max(drawn.left, 0.0));
}

ScenePaintOptions FigureDrawing::paintOptions() const
{
    ScenePaintOptions options;
    options.theme = m_options.dark ? Theme::dark() : Theme::light();
    options.theme.transparentGround = m_options.transparent;
    options.showLabels = m_options.showLabels;
    options.showValues = m_options.showValues;
    options.showColorBars = m_options.showColorBars;
    options.fullLabels = true;
    return options;
}

double FigureDrawing::titleHeight() const
{
    return m_options.title.isEmpty() ? 0.0 : titleRoom;
}

QSizeF FigureDrawing::size() const
{
    return {m_width, m_scene.size.height() + titleHeight()};
}

QSizeF FigureDrawing::sizeMm() const
{
    const QSizeF units = size();
    return {m_options.widthMm, m_options.widthMm * units.height() / units.width()};
}

void FigureDrawing::paint(QPainter &painter, bool vector) const
{
    ScenePaintOptions options = paintOptions();
    options.vectorCells = vector;
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_options.transparent)
        painter.fillRect(QRectF(QPointF(), size()), options.theme.ground);
    if (!m_options.title.isEmpty()) {
        SceneText title;
        title.rect = QRectF(titleMargin, 8.0, size().width() - 2 * titleMargin, titleRoom - 8.0);
        title.text = m_options.title;
        QFont font = options.theme.textFont;
        font.setPixelSize(titleSize);
        font.setBold(true);
        const double width = QFontMetricsF(font).horizontalAdvance(title.text);
        if (width > title.rect.width())
            font.setPixelSize(std::max(6, static_cast<int>(titleSize * title.rect.width() / width)));
        painter.setFont(font);
        painter.setPen(options.theme.text);
        painter.drawText(title.rect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
                         title.text);
    }
    painter.translate(0.0, titleHeight());
    paintScene(painter, m_scene, options);
}

} // namespace attn
