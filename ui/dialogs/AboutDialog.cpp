#include "dialogs/AboutDialog.h"

#include "engine/kernels/KernelTable.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QIcon>
#include <QLabel>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace attn {

AboutDialog::AboutDialog(QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("About AttnScope"));
    resize(520, 460);
    auto *picture = new QLabel(this);
    picture->setPixmap(QIcon(QStringLiteral(":/attnscope.svg")).pixmap(64, 64));
    auto *text = new QTextBrowser(this);
    text->setAccessibleName(tr("About AttnScope"));
    text->setFrameShape(QFrame::NoFrame);
    text->setOpenLinks(false);
    QFile notices(QStringLiteral(":/THIRD_PARTY.md"));
    const bool hasNotices = notices.open(QIODevice::ReadOnly);
    text->setMarkdown(
        tr("# AttnScope %1\n\nAttention you can edit: see every number of an attention layer, change any "
           "of them, export the figure.\n\nMIT licence. Built on Qt %2 (LGPL-3.0), Eigen (MPL-2.0), "
           "RapidJSON (MIT) and zlib.\n\nInstruction set in use: %3\n\n")
            .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                 QString::fromLatin1(isaName())) +
        (hasNotices ? QString::fromUtf8(notices.readAll()) : QString()));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(picture);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
}

} // namespace attn
