#include "dialogs/ShortcutsDialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <span>
#include <utility>

namespace attn {

namespace {

QString plainText(QString text)
{
    text.replace(QStringLiteral("&&"), QStringLiteral("\u0001"));
    text.remove(u'&');
    text.replace(QStringLiteral("\u0001"), QStringLiteral("&"));
    return text;
}

QTreeWidgetItem *groupNamed(QTreeWidget *tree, const QString &name)
{
    for (int i = 0; i < tree->topLevelItemCount(); ++i)
        if (tree->topLevelItem(i)->text(0) == name)
            return tree->topLevelItem(i);
    auto *group = new QTreeWidgetItem(tree, {name});
    group->setFirstColumnSpanned(true);
    return group;
}

void addRows(QTreeWidget *tree, const QString &group, std::span<const std::pair<QString, QString>> rows)
{
    for (const auto &[what, keys] : rows)
        new QTreeWidgetItem(groupNamed(tree, group), {what, keys});
}

/// Keys that belong to no action of the menus.
void addOtherKeys(QTreeWidget *tree)
{
    const QString group = ShortcutsDialog::tr("In cells");
    const std::pair<QString, QString> rows[] = {
        {ShortcutsDialog::tr("Type over the cell"), ShortcutsDialog::tr("any digit, sign or point")},
        {ShortcutsDialog::tr("Edit the cell's full number"), QStringLiteral("F2")},
        {ShortcutsDialog::tr("Take the number, go down / up"), QStringLiteral("Return / Shift+Return")},
        {ShortcutsDialog::tr("Take the number, go right / left"), QStringLiteral("Tab / Shift+Tab")},
        {ShortcutsDialog::tr("Write the number to all selected cells"), QStringLiteral("Ctrl+Return")},
        {ShortcutsDialog::tr("Drop what was typed"), QStringLiteral("Esc")},
        {ShortcutsDialog::tr("Extend the selection"), ShortcutsDialog::tr("Shift+arrows")},
        {ShortcutsDialog::tr("Go to the edge"), ShortcutsDialog::tr("Ctrl+arrows, Ctrl+Home, Ctrl+End")},
        {ShortcutsDialog::tr("Go to the next / previous matrix of the picture"),
         ShortcutsDialog::tr("Ctrl+PgDown / Ctrl+PgUp")},
        {ShortcutsDialog::tr("The same, and through every piece of a product"),
         ShortcutsDialog::tr("Ctrl+Alt+PgDown / Ctrl+Alt+PgUp")},
        {ShortcutsDialog::tr("Scroll the picture; the selected cell stays"),
         ShortcutsDialog::tr("Alt+PgDown, Alt+PgUp, Alt+Home, Alt+End")},
        {ShortcutsDialog::tr("Scrub the value"), ShortcutsDialog::tr("Shift+wheel")},
        {ShortcutsDialog::tr("Zoom about the pointer"), ShortcutsDialog::tr("Ctrl+wheel")},
        {ShortcutsDialog::tr("Pan"), ShortcutsDialog::tr("Space or middle button, and drag")}};
    addRows(tree, group, rows);
    const QString flow = ShortcutsDialog::tr("In the flow and in planes");
    const std::pair<QString, QString> shapeRows[] = {
        {ShortcutsDialog::tr("Go to the next token, ribbon or point"), ShortcutsDialog::tr("arrows")},
        {ShortcutsDialog::tr("Go to the next list, and out of the picture"),
         QStringLiteral("Tab / Shift+Tab")},
        {ShortcutsDialog::tr("Go far in a list; without a choice: scroll"),
         ShortcutsDialog::tr("Home, End, PgUp, PgDown")},
        {ShortcutsDialog::tr("Keep a token alone, select a ribbon's cell"),
         ShortcutsDialog::tr("Return or Space")},
        {ShortcutsDialog::tr("Edit the number of a ribbon"), ShortcutsDialog::tr("F2 or any digit")},
        {ShortcutsDialog::tr("Let go"), QStringLiteral("Esc")}};
    addRows(tree, flow, shapeRows);
    const std::pair<QString, QString> controlRows[] = {
        {ShortcutsDialog::tr("Go to a control of the workspace"),
         ShortcutsDialog::tr("Alt and its underlined letter")},
        {ShortcutsDialog::tr("Choose another page of the lab"),
         ShortcutsDialog::tr("Alt+P, then up or down")}};
    addRows(tree, ShortcutsDialog::tr("Above the picture"), controlRows);
}

} // namespace

ShortcutsDialog::ShortcutsDialog(const QList<ActionRegistry::Entry> &entries, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    resize(760, 600);
    auto *filter = new QLineEdit(this);
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter"));
    filter->setClearButtonEnabled(true);
    auto *tree = new QTreeWidget(this);
    tree->setAccessibleName(tr("Keyboard shortcuts"));
    tree->setHeaderLabels({tr("Action"), tr("Keys")});
    for (const ActionRegistry::Entry &entry : entries) {
        QStringList keys;
        for (const QKeySequence &key : entry.action->shortcuts())
            keys.append(key.toString(QKeySequence::NativeText));
        new QTreeWidgetItem(groupNamed(tree, entry.menu),
                            {plainText(entry.action->text()), keys.join(QStringLiteral(", "))});
    }
    addOtherKeys(tree);
    tree->expandAll();
    tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    connect(filter, &QLineEdit::textChanged, tree, [tree](const QString &text) {
        for (int i = 0; i < tree->topLevelItemCount(); ++i) {
            QTreeWidgetItem *group = tree->topLevelItem(i);
            int shown = 0;
            for (int j = 0; j < group->childCount(); ++j) {
                const bool fits = group->child(j)->text(0).contains(text, Qt::CaseInsensitive) ||
                                  group->child(j)->text(1).contains(text, Qt::CaseInsensitive);
                group->child(j)->setHidden(!fits);
                shown += fits ? 1 : 0;
            }
            group->setHidden(shown == 0);
        }
    });
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(filter);
    layout->addWidget(tree, 1);
    layout->addWidget(buttons);
}

} // namespace attn
