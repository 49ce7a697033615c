#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QString>

class QMenu;
class QMenuBar;
class QWidget;

namespace attn {

/// Every fixed action of the window, with its menu and keys.
class ActionRegistry
{
public:
    /// The keys of a rarer action, one after the other: Ctrl+K, then those of `rest` ("H, 2").
    static QKeySequence chord(const QString &rest);
    /// Names the n-th of a list of choices in a chord: "1" … "9", then "A" … "Z"; empty beyond these.
    static QString ordinalKey(int index);

    struct Entry
    {
        QString menu; ///< title of the menu, without mnemonic
        QAction *action;
    };

    explicit ActionRegistry(QWidget *window)
        : m_window(window)
    {
    }

    /// A new action at the end of the menu. Keys are explicit because several standard keys are empty or
    /// claim more than one key in Qt 6.4. The text has a mnemonic; icon: a name of resources/icons or empty.
    QAction *add(QMenu *menu, const QString &id, const QString &text, const QList<QKeySequence> &keys = {},
                 const QString &icon = {});
    /// Takes in an action that was made elsewhere (undo stack, docks).
    void adopt(QMenu *menu, const QString &id, QAction *action, const QList<QKeySequence> &keys = {},
               const QString &icon = {});

    QAction *action(const QString &id) const { return m_byId.value(id); }
    const QList<Entry> &entries() const { return m_entries; }

private:
    QWidget *m_window;
    QList<Entry> m_entries;
    QHash<QString, QAction *> m_byId;
};

/// All actions of all menus, in their order, with the title of their menu; those of filled-in lists (recent
/// files, numbers of heads) too.
QList<ActionRegistry::Entry> menuEntries(const QMenuBar &bar);

} // namespace attn
