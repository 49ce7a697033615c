#include "views/MessageBar.h"

#include "LineIcon.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <chrono>

namespace attn {

namespace {

constexpr int widestMessage = 720;
constexpr int messageMargin = 12;

/// Time to notice a sentence and to read it twice.
std::chrono::milliseconds readingTime(const QString &text)
{
    return std::chrono::milliseconds(4000 + 100 * std::min<qsizetype>(text.size(), 300));
}

} // namespace

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
{
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    m_label->setForegroundRole(QPalette::ToolTipText);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &QWidget::hide);

    auto *close = new QToolButton(this);
    close->setIcon(lineIcon(QStringLiteral("close")));
    close->setText(tr("Dismiss message"));
    close->setToolTip(tr("Dismiss this message"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 6, 6);
    layout->addWidget(m_label, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    parent->installEventFilter(this);
    hide();
}

void MessageBar::showMessage(const QString &text, MessageLife life)
{
    m_timer.stop();
    m_life = life;
    m_label->setText(text);
    setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    place();
    raise();
    if (life == MessageLife::Passing && !underMouse())
        m_timer.start(readingTime(text));
    QAccessibleEvent event(m_label, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_label->text();
}

void MessageBar::moveOn()
{
    if (m_life == MessageLife::Passing)
        hide();
}

void MessageBar::forgetDocument()
{
    if (m_life != MessageLife::Standing)
        hide();
}

void MessageBar::place()
{
    const QRect room = parentWidget()->rect().adjusted(messageMargin, 0, -messageMargin, -messageMargin);
    const QMargins margins = layout()->contentsMargins();
    const int around = width() - m_label->width();
    const int oneLine = m_label->fontMetrics().horizontalAdvance(m_label->text()) + margins.left() +
                        margins.right() + std::clamp(around, 40, 80);
    const int width = std::min({oneLine, widestMessage, room.width()});
    const int height = std::max(layout()->totalHeightForWidth(width), layout()->totalMinimumSize().height());
    setGeometry(room.center().x() - width / 2, room.bottom() - height + 1, width, height);
}

/// In front of cards of the same ground: a frame and an edge in the accent colour.
void MessageBar::paintEvent(QPaintEvent *)
{
    constexpr int edgeWidth = 4;
    QPainter painter(this);
    const QColor accent = palette().color(QPalette::Link);
    painter.setPen(accent);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    painter.fillRect(QRect(0, 0, edgeWidth, height()), accent);
}

void MessageBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

void MessageBar::enterEvent(QEnterEvent *event)
{
    m_timer.stop();
    QFrame::enterEvent(event);
}

void MessageBar::leaveEvent(QEvent *event)
{
    if (m_life == MessageLife::Passing && isVisible())
        m_timer.start(readingTime(m_label->text()));
    QFrame::leaveEvent(event);
}

bool MessageBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && !isHidden())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace attn
