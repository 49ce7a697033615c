#include "widgets/SceneCanvas.h"

#include "engine/pooling/PooledMaps.h"

#include "render/cells/ChangeMarks.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr double zoomStep = 1.2;
constexpr double smallestZoom = 0.05;
constexpr double largestFittingZoom = 1.5;
constexpr double smallestReadableZoom = 0.6;
/// The numbers of small matrices are just readable.
constexpr double smallestWholeZoom = 0.47;
/// Where the whole has no room: it scrolls anyway, so its texts need not be tiny.
constexpr double scrolledZoom = 0.75;
/// What is shown as a whole stays so while edits make it a little larger.
constexpr double lastingShare = 0.85;
constexpr int markHoldMs = 200;
constexpr int markFadeMs = 700;
constexpr int markFrameMs = 33;

} // namespace

SceneCanvas::SceneCanvas(QWidget *parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    horizontalScrollBar()->setSingleStep(24);
    verticalScrollBar()->setSingleStep(24);
    m_options.drawControls = true;
    m_fadeTimer.setInterval(markFrameMs);
    connect(&m_fadeTimer, &QTimer::timeout, this, &SceneCanvas::fadeChangeMarks);
}

void SceneCanvas::setScene(std::shared_ptr<const Scene> scene)
{
    const std::shared_ptr<const Scene> before = std::exchange(m_scene, std::move(scene));
    if (before && m_scene)
        for (const SceneMap &map : m_scene->maps)
            for (const SceneMap &old : before->maps)
                if (old.key == map.key)
                    m_heatmaps.carryOver(old, map);
    const bool resized = !before || !m_scene || before->size != m_scene->size;
    const bool wasWhole = m_showsWhole;
    const bool isFresh = std::exchange(m_isFresh, false);
    if ((resized || isFresh) && m_fitted)
        refit(isFresh ? Refit::Anew : Refit::Kept);
    else if (resized)
        updateScrollBars();
    onSceneReplaced(before);
    if (m_fitted && m_fit == Fit::Whole && (isFresh || wasWhole != m_showsWhole))
        showStart();
    if (resized)
        onViewMoved();
    emit viewMoved();
    viewport()->update();
}

void SceneCanvas::markChangesSince(const Scene &before)
{
    clearChangeMarks();
    if (!m_scene)
        return;
    const QRectF shown(viewport()->rect());
    m_options.changes = sceneChanges(before, *m_scene,
                                     QRectF(toScene(shown.topLeft()), toScene(shown.bottomRight())), m_zoom);
    if (!m_options.changes)
        return;
    m_options.changeFade = 1.0;
    m_sinceChange.start();
    m_fadeTimer.start();
}

void SceneCanvas::clearChangeMarks()
{
    m_fadeTimer.stop();
    if (std::exchange(m_options.changes, nullptr))
        viewport()->update();
}

void SceneCanvas::fadeChangeMarks()
{
    const double rest = 1.0 - double(m_sinceChange.elapsed() - markHoldMs) / markFadeMs;
    m_options.changeFade = std::clamp(rest, 0.0, 1.0);
    if (rest <= 0.0)
        clearChangeMarks();
    else if (rest < 1.0)
        viewport()->update();
}

void SceneCanvas::setTheme(const Theme &theme)
{
    m_options.theme = theme;
    viewport()->update();
}

void SceneCanvas::setPaintOptions(const ScenePaintOptions &options)
{
    const ScenePaintOptions own = m_options;
    m_options = options;
    m_options.highlight = own.highlight;
    m_options.changes = own.changes;
    m_options.changeFade = own.changeFade;
    m_options.drawControls = true;
    viewport()->update();
}

void SceneCanvas::setHighlight(const SceneHighlight &highlight)
{
    m_options.highlight = highlight;
    viewport()->update();
}

void SceneCanvas::setFit(Fit fit)
{
    m_fit = fit;
    if (m_fitted)
        refit();
}

double SceneCanvas::fittingZoom() const
{
    if (!m_scene || m_scene->size.isEmpty())
        return 1.0;
    const QSizeF room = maximumViewportSize();
    const QSizeF size = m_scene->size;
    double zoom = room.width() / size.width();
    if (m_fit == Fit::Whole)
        zoom = std::min(zoom, room.height() / size.height());
    else if (size.height() * zoom > room.height())
        zoom = (room.width() - verticalScrollBar()->sizeHint().width()) / size.width();
    return std::clamp(zoom, smallestZoom, largestFittingZoom);
}

double SceneCanvas::largestZoom() const
{
    double smallestCell = 16.0;
    if (m_scene)
        for (const SceneMap &map : m_scene->maps)
            if (map.values && map.values->rows() > 0 && !map.rect.isEmpty())
                smallestCell = std::min(smallestCell, map.rect.height() / double(map.values->rows()));
    return std::max(8.0, 64.0 / std::max(smallestCell, 1e-3));
}

void SceneCanvas::applyZoom(double zoom)
{
    const double before = m_zoom;
    m_zoom = std::clamp(zoom, smallestZoom, largestZoom());
    updateScrollBars();
    viewport()->update();
    if (m_zoom != before)
        emit zoomChanged(m_zoom);
}

void SceneCanvas::refit(Refit how)
{
    const double zoom = fittingZoom();
    const double least =
        how == Refit::Kept && m_showsWhole ? lastingShare * smallestWholeZoom : smallestWholeZoom;
    m_showsWhole = m_fitsAll || m_fit == Fit::Width || zoom >= least;
    if (m_fit == Fit::Width && !m_fitsAll)
        applyZoom(std::max(zoom, smallestReadableZoom));
    else
        applyZoom(m_showsWhole ? zoom : scrolledZoom);
}

void SceneCanvas::showStart()
{
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
}

void SceneCanvas::setZoom(double zoom, QPointF about)
{
    const QPointF kept = toScene(about);
    m_fitted = false;
    applyZoom(zoom);
    horizontalScrollBar()->setValue(int(std::lround(kept.x() * m_zoom - about.x())));
    verticalScrollBar()->setValue(int(std::lround(kept.y() * m_zoom - about.y())));
    onViewMoved();
    emit viewMoved();
}

void SceneCanvas::zoomIn()
{
    setZoom(m_zoom * zoomStep, QRectF(viewport()->rect()).center());
}

void SceneCanvas::zoomOut()
{
    setZoom(m_zoom / zoomStep, QRectF(viewport()->rect()).center());
}

void SceneCanvas::zoomFit()
{
    m_fitted = true;
    m_fitsAll = true;
    refit();
    onViewMoved();
}

void SceneCanvas::resetZoom()
{
    m_fitted = true;
    m_fitsAll = false;
    m_isFresh = true;
    refit();
    showStart();
    onViewMoved();
}

void SceneCanvas::zoomActual()
{
    setZoom(1.0, QRectF(viewport()->rect()).center());
}

QPointF SceneCanvas::origin() const
{
    const QSizeF content = m_scene ? m_scene->size * m_zoom : QSizeF();
    const double dpr = devicePixelRatioF();
    const auto along = [dpr](double room, double length, int scroll) {
        const double at = length < room ? (room - length) / 2.0 : -double(scroll);
        return std::round(at * dpr) / dpr;
    };
    return {along(viewport()->width(), content.width(), horizontalScrollBar()->value()),
            along(viewport()->height(), content.height(), verticalScrollBar()->value())};
}

QPointF SceneCanvas::toScene(QPointF viewportPoint) const
{
    return (viewportPoint - origin()) / m_zoom;
}

QRectF SceneCanvas::fromScene(const QRectF &sceneRect) const
{
    return {origin() + sceneRect.topLeft() * m_zoom, sceneRect.size() * m_zoom};
}

void SceneCanvas::ensureVisible(const QRectF &sceneRect)
{
    constexpr double margin = 16.0;
    const QRectF rect = fromScene(sceneRect);
    const auto scrollInto = [](QScrollBar *bar, double low, double high, double room) {
        if (low < margin)
            bar->setValue(bar->value() + int(std::floor(low - margin)));
        else if (high > room - margin)
            bar->setValue(bar->value() + int(std::ceil(std::min(high - room + margin, low - margin))));
    };
    scrollInto(horizontalScrollBar(), rect.left(), rect.right(), viewport()->width());
    scrollInto(verticalScrollBar(), rect.top(), rect.bottom(), viewport()->height());
}

std::optional<SceneCanvas::SeenRows> SceneCanvas::seenRows() const
{
    std::optional<SeenRows> seen;
    if (!m_scene)
        return seen;
    const QRectF window(toScene(QPointF()), QSizeF(viewport()->size()) / m_zoom);
    double largest = 0.0;
    for (const SceneMap &map : m_scene->maps) {
        const QRectF part = map.rect.intersected(window);
        if (!map.values || part.isEmpty() || part.width() * part.height() <= largest)
            continue;
        largest = part.width() * part.height();
        const double rows = double(map.values->rows());
        const double perUnit = rows / map.rect.height();
        const auto first = Index(std::floor((part.top() - map.rect.top()) * perUnit));
        const auto last = Index(std::ceil((part.bottom() - map.rect.top()) * perUnit));
        seen = SeenRows{map.key, first, std::max<Index>(1, std::min(last, map.values->rows()) - first)};
    }
    return seen;
}

QSize SceneCanvas::sizeHint() const
{
    return {640, 480};
}

void SceneCanvas::updateScrollBars()
{
    const QSizeF content = m_scene ? m_scene->size * m_zoom : QSizeF();
    const QSize whole = maximumViewportSize();
    const int thickness = verticalScrollBar()->sizeHint().width();
    // Whether one bar shows decides the room of the other; half a pixel of rounding is no reason for a bar.
    const bool high = content.height() > whole.height() + 0.5;
    const bool wide = content.width() > whole.width() - (high ? thickness : 0) + 0.5;
    const bool highWithBar = content.height() > whole.height() - (wide ? thickness : 0) + 0.5;
    const QSize room(whole.width() - (highWithBar ? thickness : 0), whole.height() - (wide ? thickness : 0));
    horizontalScrollBar()->setPageStep(room.width());
    verticalScrollBar()->setPageStep(room.height());
    horizontalScrollBar()->setRange(0, wide ? int(std::ceil(content.width())) - room.width() : 0);
    verticalScrollBar()->setRange(0, highWithBar ? int(std::ceil(content.height())) - room.height() : 0);
}

void SceneCanvas::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    ScenePaintOptions options = m_options;
    options.zoom = m_zoom;
    options.cache = &m_heatmaps;
    options.texts = &m_texts;
    options.resting = &m_resting;
    if (m_pooled && m_isRefining)
        m_pooledRevision = m_pooled->revision();
    options.pooled = m_pooled;
    options.pooledRevision = m_pooledRevision;
    options.window = QRectF(toScene(QPointF()), QSizeF(viewport()->size()) / m_zoom);
    const QPointF at = origin();
    const QTransform fromScene = QTransform::fromTranslate(at.x(), at.y()).scale(m_zoom, m_zoom);
    QRegion ground = event->rect();
    if (m_scene)
        ground -= hiddenByMaps(*m_scene, options, fromScene);
    for (const QRect &rect : ground)
        painter.fillRect(rect, m_options.theme.ground);
    if (m_scene) {
        painter.save();
        painter.setWorldTransform(fromScene);
        const QRectF exposed(event->rect());
        paintScene(painter, *m_scene, options,
                   QRectF(toScene(exposed.topLeft()), toScene(exposed.bottomRight())));
        painter.restore();
    }
    paintOverlay(painter);
    if (m_pooled && m_isRefining)
        m_pooled->carryOn();
}

void SceneCanvas::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    if (m_fitted)
        refit();
    else
        updateScrollBars();
    onViewMoved();
}

void SceneCanvas::wheelEvent(QWheelEvent *event)
{
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    event->accept();
    const double notches = double(event->angleDelta().y()) / 120.0;
    if (notches != 0.0)
        setZoom(m_zoom * std::pow(zoomStep, notches), event->position());
}

bool SceneCanvas::beginPan(const QMouseEvent &event)
{
    const bool wanted =
        event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && m_spaceHeld);
    if (!wanted)
        return false;
    m_panFrom = PanStart{event.position(), {horizontalScrollBar()->value(), verticalScrollBar()->value()}};
    updatePanCursor();
    return true;
}

void SceneCanvas::mousePressEvent(QMouseEvent *event)
{
    if (!beginPan(*event))
        event->ignore();
}

void SceneCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_panFrom)
        return;
    const QPointF moved = event->position() - m_panFrom->mouse;
    horizontalScrollBar()->setValue(m_panFrom->scroll.x() - int(std::lround(moved.x())));
    verticalScrollBar()->setValue(m_panFrom->scroll.y() - int(std::lround(moved.y())));
}

void SceneCanvas::mouseReleaseEvent(QMouseEvent *)
{
    m_panFrom.reset();
    updatePanCursor();
}

void SceneCanvas::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        m_spaceHeld = true;
        updatePanCursor();
        return;
    }
    event->ignore();
}

void SceneCanvas::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        updatePanCursor();
        return;
    }
    event->ignore();
}

void SceneCanvas::focusOutEvent(QFocusEvent *event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_spaceHeld = false;
    updatePanCursor();
    viewport()->update();
}

void SceneCanvas::updatePanCursor()
{
    if (m_panFrom)
        viewport()->setCursor(Qt::ClosedHandCursor);
    else if (m_spaceHeld)
        viewport()->setCursor(Qt::OpenHandCursor);
    else
        viewport()->unsetCursor();
}

void SceneCanvas::scrollContentsBy(int, int)
{
    viewport()->update();
    onViewMoved();
    emit viewMoved();
}

void SceneCanvas::paintOverlay(QPainter &) {}
void SceneCanvas::onSceneReplaced(const std::shared_ptr<const Scene> &) {}
void SceneCanvas::onViewMoved() {}

} // namespace attn
