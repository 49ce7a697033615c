#include "render/painting/LabelPainter.h"

#include "render/LabelText.h"
#include "render/cells/CellGrid.h"
#include "render/painting/TextCache.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr double lineSpacing = 1.15;        // pitch of labels in font sizes
constexpr double smallestLabel = 8.0;       // device-independent pixels
constexpr double gap = 6.0;                 // between labels and cells
constexpr double largestScaledLabels = 2.0; // zoom up to which labels grow with the map

class LabelPainter
{
public:
    LabelPainter(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                 const MapHighlight &highlight)
        : m_painter(painter)
        , m_map(map)
        , m_options(options)
        , m_highlight(highlight)
        , m_grid{map.values->rows(), map.values->cols(), map.rect, false}
    {
        if (!options.window.isEmpty()) {
            m_rowEdge = std::max(m_rowEdge, options.window.left() + map.rowLabelWidth);
            m_colEdge = std::max(m_colEdge, options.window.top() + map.colLabelHeight);
        }
    }

    void paintRows(const QRectF &exposed)
    {
        const double width = m_map.rowLabelWidth - gap;
        if ((m_map.rowLabels.isEmpty() && !m_map.rowLabelAt) || width <= 0.0)
            return;
        if (m_rowEdge > m_map.rect.left())
            paintGround(QRectF(m_rowEdge - m_map.rowLabelWidth, m_map.rect.top(), m_map.rowLabelWidth,
                               m_map.rect.height()));
        const LabelLayout layout = labelLayout(m_grid.cellHeight(), fontSize(), m_options.zoom);
        const auto [first, last] =
            range(m_grid.rows, labelCount(m_map.rowLabels, m_grid.rows), layout.step, exposed.isEmpty(),
                  m_grid.rowBefore(exposed.top()), m_grid.rowBefore(exposed.bottom()));
        for (Index row = first; layout.pixelSize > 0 && row < last; row += layout.step) {
            const Fitted label = fitted(rowLabelOf(m_map, row).value_or(QString()), layout.pixelSize, width);
            const double baseline = m_grid.cells(row, 0).center().y() + label.capHeight / 2;
            draw(label, QPointF(m_rowEdge - gap - label.width, baseline), m_highlight.marksRow(row));
        }
    }

    void paintColumns(const QRectF &exposed)
    {
        const double height = m_map.colLabelHeight - gap;
        if ((m_map.colLabels.isEmpty() && !m_map.colLabelAt) || height <= 0.0)
            return;
        if (m_colEdge > m_map.rect.top())
            paintGround(QRectF(m_map.rect.left(), m_colEdge - m_map.colLabelHeight, m_map.rect.width(),
                               m_map.colLabelHeight));
        const bool flat = columnLabelsLieFlat(m_map, m_options.theme.textFont, m_options.texts);
        LabelLayout layout = labelLayout(m_grid.cellWidth(), fontSize(), m_options.zoom);
        if (flat)
            layout = {1, fontSize()};
        const auto [first, last] =
            range(m_grid.cols, labelCount(m_map.colLabels, m_grid.cols), layout.step, exposed.isEmpty(),
                  m_grid.colBefore(exposed.left()), m_grid.colBefore(exposed.right()));
        for (Index col = first; layout.pixelSize > 0 && col < last; col += layout.step) {
            const double centre = m_grid.cells(0, col).center().x();
            const double room = flat ? m_grid.cellWidth() - 1.0 : height;
            const Fitted label = fitted(colLabelOf(m_map, col).value_or(QString()), layout.pixelSize, room);
            if (flat)
                draw(label, QPointF(centre - label.width / 2, m_colEdge - gap), m_highlight.marksCol(col));
            else
                drawUpwards(label, QPointF(centre + label.capHeight / 2, m_colEdge - gap),
                            m_highlight.marksCol(col));
        }
    }

private:
    struct Fitted
    {
        QString text;
        QFont font;
        double width = 0.0;
        double capHeight = 0.0;
    };

    static qsizetype labelCount(const QStringList &listed, Index all)
    {
        return listed.isEmpty() ? all : listed.size();
    }

    /// Under labels that lie over the map because their own place is out of sight.
    void paintGround(const QRectF &rect)
    {
        QColor ground = m_options.theme.ground;
        ground.setAlpha(225);
        m_painter.fillRect(rect.intersected(m_options.window), ground);
    }

    int fontSize() const { return m_options.theme.textFont.pixelSize(); }

    /// The multiples of step that can be seen.
    static std::pair<Index, Index> range(Index count, qsizetype labels, Index step, bool all, Index seenFirst,
                                         Index seenLast)
    {
        const Index end = std::min<Index>(count, labels);
        if (all)
            return {0, end};
        return {seenFirst / step * step, std::min(end, seenLast + 3)};
    }

    Fitted fitted(const QString &raw, int pixelSize, double room)
    {
        Fitted label;
        label.font = m_options.theme.textFont;
        label.font.setPixelSize(pixelSize);
        const QString whole = visibleLabel(raw);
        label.width = textWidth(m_options.texts, label.font, whole);
        const bool isTooWide = label.width > room;
        if (isTooWide) {
            const double smallest = m_options.fullLabels ? 1.0 : smallestLabel / m_options.zoom;
            const double shrunk = std::max(std::floor(pixelSize * room / label.width), std::ceil(smallest));
            label.font.setPixelSize(static_cast<int>(std::min<double>(pixelSize, shrunk)));
        }
        const auto widthOf = [&](const QString &text) {
            return textWidth(m_options.texts, label.font, text);
        };
        label.text = m_options.fullLabels || !isTooWide ? whole : fittedLabel(raw, widthOf, room);
        if (isTooWide)
            label.width = widthOf(label.text);
        label.capHeight = capHeight(label.font);
        return label;
    }

    /// Nearly all labels have one size.
    double capHeight(const QFont &font)
    {
        if (std::exchange(m_capSize, font.pixelSize()) != font.pixelSize())
            m_capHeight = QFontMetricsF(font).capHeight();
        return m_capHeight;
    }

    void draw(const Fitted &label, const QPointF &baseline, bool marked)
    {
        m_painter.setFont(label.font);
        m_painter.setPen(marked ? m_options.theme.accent : m_options.theme.text);
        drawText(m_options.texts, m_painter, baseline, label.text);
    }

    void drawUpwards(const Fitted &label, const QPointF &baseline, bool marked)
    {
        m_painter.save();
        m_painter.translate(baseline);
        m_painter.rotate(-90.0);
        draw(label, QPointF(), marked);
        m_painter.restore();
    }

    QPainter &m_painter;
    const SceneMap &m_map;
    const ScenePaintOptions &m_options;
    const MapHighlight &m_highlight;
    CellGrid m_grid;
    double m_rowEdge = m_map.rect.left(); ///< row labels end left of it
    double m_colEdge = m_map.rect.top();  ///< column labels end above it
    int m_capSize = 0;                    ///< of the font whose height of capitals is known
    double m_capHeight = 0.0;
};

/// The same map in pixels.
SceneMap enlarged(const SceneMap &map, double zoom)
{
    SceneMap result = map;
    result.rect = QRectF(map.rect.topLeft() * zoom, map.rect.size() * zoom);
    return result;
}

} // namespace

LabelLayout labelLayout(double pitch, int wantedSize, double zoom)
{
    const double smallest = smallestLabel / zoom;
    const double fitting = std::floor(pitch / lineSpacing);
    LabelLayout layout;
    layout.pixelSize = static_cast<int>(std::min<double>(wantedSize, std::max(fitting, std::ceil(smallest))));
    layout.step =
        std::max<Index>(1, static_cast<Index>(std::ceil(layout.pixelSize * lineSpacing / pitch - 1e-9)));
    if (layout.pixelSize * zoom < smallestLabel / 2)
        layout.pixelSize = 0;
    return layout;
}

bool columnLabelsLieFlat(const SceneMap &map, const QFont &font, TextCache *texts)
{
    constexpr double flatRoom = 20.0; // a label on its side needs more
    if (map.colLabelHeight <= flatRoom)
        return true;
    const double pitch = map.rect.width() / static_cast<double>(map.values->cols());
    if (pitch < font.pixelSize())
        return false;
    return std::ranges::all_of(map.colLabels, [&](const QString &label) {
        return textWidth(texts, font, visibleLabel(label)) <= pitch;
    });
}

void paintLabels(QPainter &painter, const SceneMap &map, const ScenePaintOptions &options,
                 const MapHighlight &highlight, const QRectF &exposed)
{
    if (!map.values || map.values->rows() == 0 || map.values->cols() == 0)
        return;
    if (options.zoom <= largestScaledLabels) {
        LabelPainter labels(painter, map, options, highlight);
        labels.paintRows(exposed);
        labels.paintColumns(exposed);
        return;
    }
    // Far in, whole scene units are too coarse for fonts: labels are set in pixels, and stay in the window.
    const double zoom = options.zoom;
    const SceneMap near = enlarged(map, zoom);
    ScenePaintOptions nearOptions = options;
    nearOptions.zoom = 1.0;
    nearOptions.window = QRectF(options.window.topLeft() * zoom, options.window.size() * zoom);
    painter.save();
    painter.scale(1.0 / zoom, 1.0 / zoom);
    LabelPainter labels(painter, near, nearOptions, highlight);
    const QRectF nearExposed(exposed.topLeft() * zoom, exposed.size() * zoom);
    labels.paintRows(nearExposed);
    labels.paintColumns(nearExposed);
    painter.restore();
}

} // namespace attn
