#include "widgets/ProfileOverlay.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double stripExtent = 72.0;
constexpr double stripMargin = 6.0;

/// Cells of one axis that are in sight.
struct SeenCells
{
    Index first = 0;
    Index count = 0;
};

SeenCells seenCells(double mapBegin, double mapLength, Index cells, double begin, double end)
{
    const double perPixel = static_cast<double>(cells) / mapLength;
    const auto at = [&](double place) {
        return std::clamp<Index>(static_cast<Index>(std::floor((place - mapBegin) * perPixel)), 0, cells);
    };
    const Index first = at(begin);
    return {first, std::min(cells, at(end) + 1) - first};
}

/// Where numbers stand between the ends of the scale; not finite ones nowhere.
double heightOf(const ValueRange &range, float number, double extent)
{
    return range.place(static_cast<double>(number)) * (extent - 2.0 * stripMargin);
}

void paintGround(QPainter &painter, const QRectF &strip, const Theme &theme)
{
    QColor ground = theme.card;
    ground.setAlpha(235);
    painter.fillRect(strip, ground);
    painter.setPen(theme.hairline);
    painter.drawRect(strip);
}

} // namespace

ProfileOverlay::ProfileOverlay(QObject *parent)
    : QObject(parent)
{
    connect(&m_reader, &ProfileReader::profilesRead, this, &ProfileOverlay::changed);
}

void ProfileOverlay::paint(QPainter &painter, const View &view, const Theme &theme)
{
    const QRectF seen = view.mapRect.intersected(view.viewport);
    if (!view.map || seen.isEmpty())
        return;
    const QRectF rowStrip(seen.left(), view.viewport.bottom() - stripExtent, seen.width(), stripExtent);
    const QRectF columnStrip(view.viewport.right() - stripExtent, seen.top(), stripExtent,
                             std::min(seen.bottom(), rowStrip.top()) - seen.top());
    const SeenCells rows = seenCells(view.mapRect.top(), view.mapRect.height(), view.map->values->rows(),
                                     columnStrip.top(), columnStrip.bottom());
    const SeenCells cols = seenCells(view.mapRect.left(), view.mapRect.width(), view.map->values->cols(),
                                     rowStrip.left(), rowStrip.right());
    m_reader.read({view.map->values, view.map->head, view.row, view.col, rows.first, rows.count, cols.first,
                   cols.count, std::max<Index>(1, static_cast<Index>(columnStrip.height())),
                   std::max<Index>(1, static_cast<Index>(rowStrip.width()))});
    if (!m_reader.profiles())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (columnStrip.height() > stripExtent)
        paintColumn(painter, view, columnStrip, theme);
    paintRow(painter, view, rowStrip, theme);
    painter.restore();
}

void ProfileOverlay::paintRow(QPainter &painter, const View &view, const QRectF &strip,
                              const Theme &theme) const
{
    const LineProfile &profile = m_reader.profiles()->row;
    const double cell = view.mapRect.width() / static_cast<double>(view.map->values->cols());
    paintGround(painter, strip, theme);
    for (std::size_t bin = 0; bin < profile.bins.size(); ++bin) {
        const ProfileBin &numbers = profile.bins[bin];
        if (!std::isfinite(numbers.greatest) || !std::isfinite(numbers.smallest))
            continue;
        const double left = view.mapRect.left() + static_cast<double>(profile.begin(bin)) * cell;
        const double right = view.mapRect.left() + static_cast<double>(profile.begin(bin + 1)) * cell;
        const double base = strip.bottom() - stripMargin;
        const double top = base - heightOf(view.map->range, numbers.greatest, stripExtent);
        const double bottom = base - heightOf(view.map->range, numbers.smallest, stripExtent);
        const QRectF bar(left, top, std::max(1.0, right - left), std::max(1.0, bottom - top));
        painter.fillRect(bar.intersected(strip), profile.isExact ? theme.text : theme.mutedText);
    }
    painter.setPen(theme.accent);
    const double middle = view.mapRect.left() + (static_cast<double>(view.col) + 0.5) * cell;
    if (middle > strip.left() && middle < strip.right())
        painter.drawLine(QPointF(middle, strip.top()), QPointF(middle, strip.bottom()));
}

void ProfileOverlay::paintColumn(QPainter &painter, const View &view, const QRectF &strip,
                                 const Theme &theme) const
{
    const LineProfile &profile = m_reader.profiles()->column;
    const double cell = view.mapRect.height() / static_cast<double>(view.map->values->rows());
    paintGround(painter, strip, theme);
    for (std::size_t bin = 0; bin < profile.bins.size(); ++bin) {
        const ProfileBin &numbers = profile.bins[bin];
        if (!std::isfinite(numbers.greatest) || !std::isfinite(numbers.smallest))
            continue;
        const double top = view.mapRect.top() + static_cast<double>(profile.begin(bin)) * cell;
        const double bottom = view.mapRect.top() + static_cast<double>(profile.begin(bin + 1)) * cell;
        const double base = strip.left() + stripMargin;
        const double left = base + heightOf(view.map->range, numbers.smallest, stripExtent);
        const double right = base + heightOf(view.map->range, numbers.greatest, stripExtent);
        const QRectF bar(left, top, std::max(1.0, right - left), std::max(1.0, bottom - top));
        painter.fillRect(bar.intersected(strip), profile.isExact ? theme.text : theme.mutedText);
    }
    painter.setPen(theme.accent);
    const double middle = view.mapRect.top() + (static_cast<double>(view.row) + 0.5) * cell;
    if (middle > strip.top() && middle < strip.bottom())
        painter.drawLine(QPointF(strip.left(), middle), QPointF(strip.right(), middle));
}

} // namespace attn
