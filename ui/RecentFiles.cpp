#include "ActionRegistry.h"
#include "FileController.h"
#include "MessageBoxWidth.h"
#include "SettingsStore.h"

#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

/// The list of recent files, and what becomes of one that is not there any more.

namespace attn {

using namespace Qt::StringLiterals;

bool FileController::isGone(const QString &file) const
{
    return m_settings->recentFiles().contains(file) && !QFileInfo::exists(file);
}

void FileController::offerToForget(const QString &file)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Open recent"),
                                tr("%1 is not there any more.").arg(QFileInfo(file).fileName()),
                                QMessageBox::Cancel, m_window);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(
        tr("It was moved, renamed or deleted, or its disk is not connected:\n%1").arg(file));
    widenMessageBox(box);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton *remove = box->addButton(tr("&Remove from list"), QMessageBox::AcceptRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(remove, &QPushButton::clicked, this, [this, file] {
        m_settings->removeRecentFile(file);
        if (m_recentMenu)
            refillLater(m_recentMenu);
    });
    box->open();
}

void FileController::refillLater(QMenu *recentMenu)
{
    // Not at once: one of its actions may be the cause.
    QMetaObject::invokeMethod(
        recentMenu, [this, recentMenu] { fillRecentMenu(recentMenu); }, Qt::QueuedConnection);
}

void FileController::fillRecentMenu(QMenu *menu)
{
    menu->clear();
    const QStringList files = m_settings->recentFiles();
    int number = 0;
    for (const QString &file : files) {
        const QFileInfo info(file);
        ++number;
        QString name = info.fileName();
        name.replace(u'&', u"&&"_s);
        if (!info.exists())
            name = tr("%1 (not there)").arg(name);
        QAction *action = menu->addAction(u"&%1  %2"_s.arg(number % 10).arg(name));
        action->setShortcut(ActionRegistry::chord(QString(u"O, "_s + QString::number(number % 10))));
        action->setToolTip(file);
        connect(action, &QAction::triggered, this, [this, file] { open({file}); });
    }
    menu->addSeparator();
    QAction *clear = menu->addAction(tr("&Clear list"));
    clear->setShortcut(ActionRegistry::chord(u"O, C"_s));
    clear->setEnabled(!files.isEmpty());
    connect(clear, &QAction::triggered, this, [this, menu] {
        m_settings->clearRecentFiles();
        refillLater(menu);
    });
}

} // namespace attn
