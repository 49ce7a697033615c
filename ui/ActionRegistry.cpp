#include "ActionRegistry.h"

#include "LineIcon.h"

#include <QMenu>
#include <QMenuBar>

namespace attn {

namespace {

void appendEntries(const QMenu &menu, QList<ActionRegistry::Entry> &entries)
{
    QString title = menu.title();
    title.remove(u'&');
    for (QAction *action : menu.actions()) {
        if (const QMenu *inner = action->menu())
            appendEntries(*inner, entries);
        else if (!action->isSeparator())
            entries.append({title, action});
    }
}

} // namespace

QKeySequence ActionRegistry::chord(const QString &rest)
{
    return QKeySequence(QString(QStringLiteral("Ctrl+K, ") + rest), QKeySequence::PortableText);
}

QString ActionRegistry::ordinalKey(int index)
{
    if (index < 9)
        return QString(QChar(u'1' + index));
    return index < 9 + 26 ? QString(QChar(u'A' + index - 9)) : QString();
}

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

QList<ActionRegistry::Entry> menuEntries(const QMenuBar &bar)
{
    QList<ActionRegistry::Entry> entries;
    for (const QAction *action : bar.actions())
        if (const QMenu *menu = action->menu())
            appendEntries(*menu, entries);
    return entries;
}

} // namespace attn
