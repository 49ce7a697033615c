#include "widgets/SceneItemAccessible.h"

#include <QWindow>

namespace attn {

QWindow *SceneItemAccessible::window() const
{
    return m_view ? m_view->window()->windowHandle() : nullptr;
}

QAccessibleInterface *SceneItemAccessible::parent() const
{
    return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
}

QRect SceneItemAccessible::rect() const
{
    if (!isValid())
        return {};
    const QRect inViewport = m_view->fromScene(sceneRect()).toAlignedRect();
    return {m_view->viewport()->mapToGlobal(inViewport.topLeft()), inViewport.size()};
}

void *ScenePressedAccessible::interface_cast(QAccessible::InterfaceType type)
{
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
}

void ScenePressedAccessible::doAction(const QString &actionName)
{
    if (isValid() && actionName == pressAction())
        press();
}

const SceneControl *SceneButtonAccessible::control() const
{
    const bool exists = m_view && m_view->scene() && m_index < int(m_view->scene()->controls.size());
    return exists ? &m_view->scene()->controls[std::size_t(m_index)] : nullptr;
}

QRectF SceneButtonAccessible::sceneRect() const
{
    return control()->rect;
}

QString SceneButtonAccessible::text(QAccessible::Text text) const
{
    const SceneControl *shown = control();
    if (text != QAccessible::Name || !shown)
        return {};
    return shown->name.isEmpty() ? shown->text : shown->name;
}

QAccessible::Role SceneButtonAccessible::role() const
{
    return control() && control()->checkable ? QAccessible::CheckBox : QAccessible::Button;
}

QAccessible::State SceneButtonAccessible::state() const
{
    QAccessible::State state;
    const SceneControl *shown = control();
    if (!shown) {
        state.invalid = true;
        return state;
    }
    state.focusable = true;
    state.focused = m_view->hasFocus() && m_view->focusedControl() == m_index;
    state.checkable = shown->checkable;
    state.checked = shown->checkable && shown->checked;
    state.disabled = !shown->enabled;
    state.invisible = !m_view->isVisible();
    return state;
}

void SceneButtonAccessible::press()
{
    m_view->pressControl(m_index);
}

const SceneGrip *SceneGripAccessible::grip() const
{
    const bool exists = m_view && m_view->scene() && m_index < int(m_view->scene()->grips.size());
    return exists ? &m_view->scene()->grips[std::size_t(m_index)] : nullptr;
}

QRectF SceneGripAccessible::sceneRect() const
{
    const double radius = grip()->radius;
    return {grip()->pos.x() - radius, grip()->pos.y() - radius, 2 * radius, 2 * radius};
}

QString SceneGripAccessible::text(QAccessible::Text text) const
{
    const SceneGrip *shown = grip();
    if (!shown)
        return {};
    if (text == QAccessible::Name)
        return shown->name;
    return text == QAccessible::Value || text == QAccessible::Description ? shown->value : QString();
}

QAccessible::State SceneGripAccessible::state() const
{
    QAccessible::State state;
    if (!grip()) {
        state.invalid = true;
        return state;
    }
    state.focusable = true;
    state.focused = m_view->hasFocus() && m_view->focusedGrip() == grip();
    state.invisible = !m_view->isVisible();
    return state;
}

const SceneShape *SceneShapeAccessible::shape() const
{
    return m_view ? m_view->reachableShape(m_index) : nullptr;
}

QRectF SceneShapeAccessible::sceneRect() const
{
    return shape()->path.controlPointRect();
}

QString SceneShapeAccessible::text(QAccessible::Text text) const
{
    const SceneShape *shown = shape();
    return shown && text == QAccessible::Name ? shown->name : QString();
}

QAccessible::State SceneShapeAccessible::state() const
{
    QAccessible::State state;
    if (!shape()) {
        state.invalid = true;
        return state;
    }
    state.focusable = true;
    state.focused = m_view->hasFocus() && m_view->focusedShape() == shape();
    state.invisible = !m_view->isVisible();
    return state;
}

void SceneShapeAccessible::press()
{
    emit m_view->shapeClicked(QString(shape()->id));
}

const SceneStatement *SceneStatementAccessible::statement() const
{
    const bool exists = m_view && m_view->scene() && m_index < int(m_view->statements().size());
    return exists ? &m_view->statements()[std::size_t(m_index)] : nullptr;
}

QRectF SceneStatementAccessible::sceneRect() const
{
    return statement()->rect;
}

QString SceneStatementAccessible::text(QAccessible::Text text) const
{
    const SceneStatement *shown = statement();
    return shown && text == QAccessible::Name ? shown->text : QString();
}

QAccessible::State SceneStatementAccessible::state() const
{
    QAccessible::State state;
    state.readOnly = true;
    state.invalid = !statement();
    state.invisible = !m_view || !m_view->isVisible();
    return state;
}

} // namespace attn
