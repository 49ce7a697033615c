#include "widgets/SceneView.h"

#include "widgets/SceneAccessible.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// "link" of "link:3:1": shapes of one kind stand in one list.
QStringView kindOf(const QString &id)
{
    const qsizetype colon = id.indexOf(u':');
    return colon < 0 ? QStringView(id) : QStringView(id).left(colon);
}

QPointF middleOf(const SceneShape &shape)
{
    return shape.path.controlPointRect().center();
}

/// Shapes of one kind in the order in which they stand, from left to right or from the top.
struct ShapeList
{
    std::vector<const SceneShape *> shapes;
    QPointF middle;
    bool isHorizontal = false;

    double along(const SceneShape &shape) const
    {
        const QPointF at = middleOf(shape);
        return isHorizontal ? at.x() : at.y();
    }
};

std::vector<ShapeList> listsOf(const Scene &scene, const std::vector<std::size_t> &reachable)
{
    std::vector<ShapeList> lists;
    for (const std::size_t index : reachable) {
        const SceneShape &shape = scene.shapes[index];
        auto list = std::ranges::find_if(lists, [&](const ShapeList &other) {
            return kindOf(other.shapes.front()->id) == kindOf(shape.id);
        });
        if (list == lists.end())
            list = lists.insert(lists.end(), ShapeList());
        list->shapes.push_back(&shape);
    }
    for (ShapeList &list : lists) {
        QRectF extent(middleOf(*list.shapes.front()), QSizeF());
        for (const SceneShape *shape : list.shapes) {
            const QPointF at = middleOf(*shape);
            extent.setCoords(std::min(extent.left(), at.x()), std::min(extent.top(), at.y()),
                             std::max(extent.right(), at.x()), std::max(extent.bottom(), at.y()));
        }
        list.middle = extent.center();
        list.isHorizontal = extent.width() > extent.height();
        std::ranges::stable_sort(list.shapes, {},
                                 [&](const SceneShape *shape) { return list.along(*shape); });
    }
    // Lists of one shape lie as the others do.
    const bool isHorizontal = std::ranges::any_of(lists, &ShapeList::isHorizontal);
    std::ranges::stable_sort(lists, {}, [isHorizontal](const ShapeList &list) {
        return isHorizontal ? list.middle.y() : list.middle.x();
    });
    for (ShapeList &list : lists)
        list.isHorizontal = isHorizontal;
    return lists;
}

} // namespace

void SceneView::findReachableShapes()
{
    m_reachableShapes.clear();
    if (!scene())
        return;
    QSet<QString> known;
    for (std::size_t i = 0; i < scene()->shapes.size(); ++i) {
        const SceneShape &shape = scene()->shapes[i];
        if (shape.id.isEmpty() || shape.name.isEmpty() || known.contains(shape.id))
            continue;
        known.insert(shape.id);
        m_reachableShapes.push_back(i);
    }
}

int SceneView::reachableIndex(const QString &id) const
{
    if (scene() && !id.isEmpty())
        for (std::size_t i = 0; i < m_reachableShapes.size(); ++i)
            if (scene()->shapes[m_reachableShapes[i]].id == id)
                return int(i);
    return -1;
}

const std::vector<SceneStatement> &SceneView::statements() const
{
    if (!m_statements)
        m_statements = scene() ? statementsOf(*scene()) : std::vector<SceneStatement>();
    return *m_statements;
}

const SceneShape *SceneView::reachableShape(int index) const
{
    const bool exists = scene() && index >= 0 && index < int(m_reachableShapes.size());
    return exists ? &scene()->shapes[m_reachableShapes[std::size_t(index)]] : nullptr;
}

const SceneShape *SceneView::focusedShape() const
{
    return reachableShape(reachableIndex(m_focusedShape));
}

void SceneView::focusShape(const QString &id)
{
    if (m_focusedShape == id)
        return;
    m_focusedShape = id;
    viewport()->update();
    if (const SceneShape *shape = focusedShape()) {
        closeEditor();
        m_scrub.finish();
        m_focusedControl = -1;
        m_focusedGrip.clear();
        ensureVisible(shape->path.controlPointRect());
        announceFocusedShape(*this);
    }
    emit shapeFocused(QString(id)); // a copy: the scene may be replaced by whoever listens
}

/// Arrows go through a list and across to the next one, to what stands nearest; Home, End and the page keys
/// go far; Tab goes from list to list and past the last one out of the picture.
bool SceneView::walkShapes(const QKeyEvent &event)
{
    if (!scene() || m_reachableShapes.empty() ||
        (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)))
        return false;
    const std::vector<ShapeList> lists = listsOf(*scene(), m_reachableShapes);
    const SceneShape *focused = focusedShape();
    std::size_t list = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < lists.size() && focused; ++i)
        for (std::size_t j = 0; j < lists[i].shapes.size(); ++j)
            if (lists[i].shapes[j]->id == focused->id)
                std::tie(list, at) = std::tuple(i, j);
    const bool isHorizontal = lists.front().isHorizontal;
    const std::size_t last = lists[list].shapes.size() - 1;
    const auto go = [&](std::size_t toList, std::size_t to) {
        focusShape(lists[toList].shapes[to]->id);
        return true;
    };
    const auto goAcross = [&](int by) {
        const auto next = std::ptrdiff_t(list) + by;
        if (next < 0 || next >= std::ptrdiff_t(lists.size()))
            return true;
        const ShapeList &other = lists[std::size_t(next)];
        const double here = lists[list].along(*lists[list].shapes[at]);
        const auto nearest = std::ranges::min_element(
            other.shapes, {}, [&](const SceneShape *shape) { return std::abs(other.along(*shape) - here); });
        return go(std::size_t(next), std::size_t(nearest - other.shapes.begin()));
    };
    const auto goAlong = [&](std::ptrdiff_t by) {
        return go(list,
                  std::size_t(std::clamp(std::ptrdiff_t(at) + by, std::ptrdiff_t(0), std::ptrdiff_t(last))));
    };
    const auto page = std::ptrdiff_t(
        std::max<std::size_t>(1, isHorizontal ? 10
                                              : std::size_t(double(last + 1) * viewport()->height() /
                                                            std::max(1.0, scene()->size.height() * zoom()))));
    switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        if (!focused)
            return go(0, 0);
        const int by = event.key() == Qt::Key_Up || event.key() == Qt::Key_Left ? -1 : 1;
        const bool isAlong = isHorizontal == (event.key() == Qt::Key_Left || event.key() == Qt::Key_Right);
        return isAlong ? goAlong(by) : goAcross(by);
    }
    case Qt::Key_Home:
        return focused && go(list, 0);
    case Qt::Key_End:
        return focused && go(list, last);
    case Qt::Key_PageUp:
        return focused && goAlong(-page);
    case Qt::Key_PageDown:
        return focused && goAlong(page);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (focused)
            emit shapeClicked(QString(focused->id));
        return focused != nullptr;
    case Qt::Key_F2:
        if (focused)
            emit shapeTyped(QString(focused->id), {});
        return focused != nullptr;
    case Qt::Key_Escape:
        if (!focused)
            return false;
        focusShape({});
        return true;
    default:
        break;
    }
    const QString text = event.text();
    const bool isNumber =
        !text.isEmpty() && (text[0].isDigit() || QStringLiteral("+-.,\u2212").contains(text[0]));
    if (focused && isNumber)
        emit shapeTyped(QString(focused->id), text);
    return focused && isNumber;
}

/// Whether Tab went to another list of shapes.
bool SceneView::tabThroughShapes(bool next)
{
    if (!scene() || m_reachableShapes.empty())
        return false;
    const std::vector<ShapeList> lists = listsOf(*scene(), m_reachableShapes);
    const SceneShape *focused = focusedShape();
    auto at = next ? std::ptrdiff_t(-1) : std::ptrdiff_t(lists.size());
    double here = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < lists.size() && focused; ++i)
        if (kindOf(lists[i].shapes.front()->id) == kindOf(focused->id)) {
            at = std::ptrdiff_t(i);
            here = lists[i].along(*focused);
        }
    if (!focused && !next)
        return false; // coming back past the picture leaves it
    at += next ? 1 : -1;
    if (at < 0 || at >= std::ptrdiff_t(lists.size())) {
        focusShape({});
        return false;
    }
    const ShapeList &list = lists[std::size_t(at)];
    const SceneShape *nearest = list.shapes.front();
    for (const SceneShape *shape : list.shapes)
        if (std::abs(list.along(*shape) - here) < std::abs(list.along(*nearest) - here))
            nearest = shape;
    focusShape(nearest->id);
    return true;
}

/// Scrolls the picture, whatever is selected.
bool SceneView::scrollByKey(const QKeyEvent &event)
{
    QScrollBar *bar = verticalScrollBar();
    const int page = std::max(1, bar->pageStep() - 2 * bar->singleStep());
    switch (event.key()) {
    case Qt::Key_PageUp:
        bar->setValue(bar->value() - page);
        return true;
    case Qt::Key_PageDown:
        bar->setValue(bar->value() + page);
        return true;
    case Qt::Key_Home:
        bar->setValue(bar->minimum());
        return true;
    case Qt::Key_End:
        bar->setValue(bar->maximum());
        return true;
    default:
        return false;
    }
}

void SceneView::paintShapeFocus(QPainter &painter)
{
    if (const SceneShape *shape = focusedShape(); shape && hasFocus()) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().accent, 2.0));
        const QRectF place = fromScene({0, 0, 1, 1});
        painter.drawPath(QTransform(zoom(), 0, 0, zoom(), place.left(), place.top()).map(shape->path));
        painter.restore();
        return;
    }
    // The keyboard is here, though nothing of the picture has it yet.
    if (hasFocus() && m_cameByKey && !m_reachableShapes.empty() && !currentMap()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(theme().accent, 1.0));
        painter.drawRect(QRectF(viewport()->rect()).adjusted(0, 0, -1, -1));
    }
}

} // namespace attn
