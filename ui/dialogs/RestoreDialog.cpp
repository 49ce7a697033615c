#include "dialogs/RestoreDialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace attn {

namespace {

QString workText(const RecoverableWork &work)
{
    const QString title = work.title.isEmpty() ? RestoreDialog::tr("Untitled document") : work.title;
    const QString when = QLocale().toString(work.when, QLocale::ShortFormat);
    return work.file.isEmpty()
               ? RestoreDialog::tr("%1, changed %2, never saved").arg(title, when)
               : RestoreDialog::tr("%1, changed %2, saved before in %3").arg(title, when, work.file);
}

} // namespace

RestoreDialog::RestoreDialog(const std::vector<RecoverableWork> &works, QWidget *parent)
    : QDialog(parent)
    , m_works(works)
    , m_list(new QListWidget(this))
{
    setWindowTitle(tr("Restore unsaved work"));
    auto *text = new QLabel(tr("The program ended before the changes to these documents were saved."), this);
    text->setWordWrap(true);
    m_list->setAccessibleName(tr("Unsaved work"));
    m_list->setWordWrap(true);
    for (const RecoverableWork &work : m_works)
        m_list->addItem(workText(work));
    m_list->setCurrentRow(0);
    auto *buttons = new QDialogButtonBox(this);
    QPushButton *restore = buttons->addButton(tr("&Restore"), QDialogButtonBox::AcceptRole);
    QPushButton *discard = buttons->addButton(tr("&Discard"), QDialogButtonBox::DestructiveRole);
    buttons->addButton(tr("Ask &later"), QDialogButtonBox::RejectRole);
    restore->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
    resize(520, 240);
    connect(m_list, &QListWidget::itemActivated, this, &RestoreDialog::restoreSelected);
    connect(buttons, &QDialogButtonBox::accepted, this, &RestoreDialog::restoreSelected);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(discard, &QPushButton::clicked, this, &RestoreDialog::discardSelected);
}

void RestoreDialog::restoreSelected()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    accept();
    emit restoreWanted(m_works[static_cast<std::size_t>(row)]);
}

void RestoreDialog::discardSelected()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    const RecoverableWork work = m_works[static_cast<std::size_t>(row)];
    m_works.erase(m_works.begin() + row);
    delete m_list->takeItem(row);
    emit discardWanted(work);
    if (m_works.empty())
        reject();
}

} // namespace attn
