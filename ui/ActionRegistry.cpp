#include "ActionRegistry.h"

#include "LineIcon.h"

#include <QMenu>

namespace attn {

QAction *ActionRegistry::add(QMenu *menu, const QString &id, const QString &text,
                             const QList<QKeySequence> &keys, const QString &icon)
{
    auto *action = new QAction(text, m_window);
    adopt(menu, id, action, keys, icon);
    return action;
}

void ActionRegistry::adopt(QMenu *menu, const QString &id, QAction *action, const QList<QKeySequence> &keys,
                           const QString &icon)
{
    action->setObjectName(id);
    action->setShortcuts(keys);
    if (!icon.isEmpty())
        action->setIcon(lineIcon(icon));
    menu->addAction(action);
    m_window->addAction(action);
    QString title = menu->title();
    m_entries.append({title.remove(u'&'), action});
    m_byId.insert(id, action);
}

} // namespace attn
