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
        if (!pane || !pane->isVisible() || pane->visibleRegion().isEmpty())
            continue;
        if (QWidget *target = focusTarget(pane)) {
            target->setFocus(Qt::TabFocusReason);
            return;
        }
    }
}

} // namespace attn
