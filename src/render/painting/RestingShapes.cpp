#include "render/painting/RestingShapes.h"

#include "render/painting/DeviceSpace.h"
#include "render/painting/ShapePainter.h"

#include <QSemaphore>
#include <QThreadPool>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

bool isSamePath(const QPainterPath &a, const QPainterPath &b)
{
    if (a.elementCount() != b.elementCount())
        return false;
    for (int i = 0; i < a.elementCount(); ++i) {
        const QPainterPath::Element one = a.elementAt(i);
        const QPainterPath::Element other = b.elementAt(i);
        if (one.type != other.type || one.x != other.x || one.y != other.y)
            return false;
    }
    return true;
}

bool isSameShape(const SceneShape &a, const SceneShape &b)
{
    return a.strokeWidth == b.strokeWidth && a.dashed == b.dashed && a.arrow == b.arrow &&
           a.fill.isDrawn() == b.fill.isDrawn() && a.stroke.isDrawn() == b.stroke.isDrawn() &&
           isSamePath(a.path, b.path);
}

/// For a thread of its own: a path keeps what it finds out while it is drawn, without a lock, and copies
/// share it.
SceneShape separateCopy(const SceneShape &shape)
{
    SceneShape own = shape;
    own.path = QPainterPath();
    own.path.addPath(shape.path);
    own.path.setFillRule(shape.path.fillRule());
    return own;
}

} // namespace

bool RestingShapes::isOf(const Look &look) const
{
    return m_look.scale == look.scale && m_look.ratio == look.ratio && m_look.colors == look.colors &&
           std::ranges::equal(m_look.shapes, look.shapes, isSameShape);
}

/// In strips beside each other, each on a thread of the pool. On the calling thread Qt would hand the spans
/// of every single shape to that pool and wait for them, which takes longer than filling them.
void RestingShapes::make(const Look &look, const QRect &part)
{
    ++m_misses;
    if (m_image.size() != part.size())
        m_image = QImage(part.size(), QImage::Format_ARGB32_Premultiplied);
    m_part = part;
    m_image.fill(Qt::transparent);
    uchar *const pixels = m_image.bits();
    const qsizetype line = m_image.bytesPerLine();
    constexpr int narrowest = 64;
    QThreadPool &pool = *QThreadPool::globalInstance();
    const int strips = std::clamp(part.width() / narrowest, 1, std::max(1, pool.maxThreadCount()));
    std::vector<QRectF> reaches;
    for (const SceneShape &shape : look.shapes) {
        const double margin = shape.strokeWidth + 8.0;
        reaches.push_back(shape.path.controlPointRect().adjusted(-margin, -margin, margin, margin));
    }
    QSemaphore done;
    const auto draw = [&](int strip) {
        const int left = part.width() * strip / strips;
        const int right = part.width() * (strip + 1) / strips;
        QImage target(pixels + 4 * left, right - left, part.height(), line, m_image.format());
        QPainter painter(&target);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.translate(-part.left() - left, -part.top());
        painter.scale(look.scale, look.scale);
        const QRectF shown(QPointF(part.left() + left, part.top()) / look.scale,
                           QSizeF(target.size()) / look.scale);
        for (std::size_t i = 0; i < look.shapes.size(); ++i)
            if (reaches[i].intersects(shown))
                paintSceneShape(painter, separateCopy(look.shapes[i]), {});
        painter.end();
        done.release();
    };
    for (int strip = 0; strip < strips; ++strip)
        pool.start([&draw, strip] { draw(strip); });
    done.acquire(strips);
}

void RestingShapes::paint(QPainter &painter, const Scene &scene, const ScenePaintOptions &options,
                          const QRectF &exposed)
{
    const DeviceSpace device(painter);
    const QPointF origin = device.map(QRectF(0, 0, 1, 1)).topLeft();
    const QPoint corner(qRound(origin.x()), qRound(origin.y()));
    Look look;
    look.scale = device.scale();
    look.ratio = painter.device()->devicePixelRatio();
    look.shapes.assign(scene.shapes.begin(), scene.shapes.begin() + std::ptrdiff_t(scene.resting));
    QRectF bounds;
    for (SceneShape &shape : look.shapes) {
        shape.fill = ScenePaint::data(shape.fill.resolved(options.theme));
        shape.stroke =
            shape.stroke.isDrawn() ? ScenePaint::data(shape.stroke.resolved(options.theme)) : ScenePaint();
        look.colors.push_back(shape.fill.color.rgba());
        look.colors.push_back(shape.stroke.color.rgba());
        bounds |= shape.path.controlPointRect().adjusted(-2, -2, 2, 2);
    }
    const auto pixelsOf = [&](const QRectF &rect) {
        return QRectF(rect.topLeft() * look.scale, rect.size() * look.scale).toAlignedRect();
    };
    const QRect all = pixelsOf(bounds);
    const QRect window = options.window.isEmpty() ? all : pixelsOf(options.window).intersected(all);
    const QRect wanted = exposed.isEmpty() ? window : pixelsOf(exposed).intersected(all);
    if (wanted.isEmpty())
        return;
    const bool isSame = isOf(look);
    if (!isSame || !m_part.contains(wanted)) {
        // While the window moves over the same shapes, some more of them are drawn than it shows.
        const QRect more = isSame ? window.adjusted(0, -window.height(), 0, window.height()) : window;
        make(look, (more | wanted).intersected(all));
        m_look = std::move(look);
    }
    painter.setOpacity(scene.restingOpacity);
    painter.drawImage(QPointF(corner + m_part.topLeft()), m_image);
}

} // namespace attn
