#include "PaneSwitcher.h"

#include <QApplication>

namespace attn {

namespace {

/// The widget of the pane that takes the keyboard focus, or null.
QWidget *focusTarget(QWidget *pane)
{
    const auto takesFocus = [pane](const QWidget *widget) {
        return widget->focusPolicy() != Qt::NoFocus && widget->isEnabled() &&
               (widget == pane || widget->isVisibleTo(pane));
    };
    if (takesFocus(pane))
        return pane;
    for (QWidget *child : pane->findChildren<QWidget *>())
        if (takesFocus(child))
            return child;
    return nullptr;
}

/// Docks behind another tab are visible to Qt, but lie outside of the window. (The visible region would be
/// empty for a pane that its list covers.)
bool isInSight(const QWidget *pane)
{
    const QRect place(pane->mapTo(pane->window(), QPoint()), pane->size());
    return pane->isVisible() && pane->window()->rect().intersects(place);
}

} // namespace

void PaneSwitcher::step(int direction)
{
    const auto count = m_panes.size();
    const QWidget *focus = QApplication::focusWidget();
    qsizetype here = direction > 0 ? -1 : 0;
    for (qsizetype i = 0; i < count; ++i)
        if (focus && m_panes[i] && (m_panes[i] == focus || m_panes[i]->isAncestorOf(focus)))
            here = i;
    for (qsizetype tried = 1; tried <= count; ++tried) {
        QWidget *pane = m_panes[((here + direction * tried) % count + count) % count];
        if (!pane || !isInSight(pane))
            continue;
        if (QWidget *target = focusTarget(pane)) {
            target->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

} // namespace attn
