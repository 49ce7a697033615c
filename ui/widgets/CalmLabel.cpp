#include "widgets/CalmLabel.h"

#include <QEvent>
#include <QLabel>

namespace attn {

CalmLabel::CalmLabel(QWidget *parent)
    : QWidget(parent)
    , m_label(new QLabel(this))
{
    m_label->setTextFormat(Qt::PlainText);
}

void CalmLabel::setText(const QString &text)
{
    if (text == m_label->text())
        return;
    // Without a layout of this widget the label's wish to be laid out ends here.
    m_label->setText(text);
    if (!fits()) {
        m_room = m_label->sizeHint();
        updateGeometry();
    }
}

QString CalmLabel::text() const
{
    return m_label->text();
}

bool CalmLabel::fits() const
{
    if (hasHeightForWidth())
        return isVisible() && heightForWidth(width()) == height();
    const QSize wanted = m_label->sizeHint();
    return wanted.width() <= m_room.width() && wanted.height() == m_room.height();
}

QSize CalmLabel::sizeHint() const
{
    return hasHeightForWidth() ? m_label->sizeHint() : m_room.expandedTo(m_label->sizeHint());
}

QSize CalmLabel::minimumSizeHint() const
{
    return m_label->minimumSizeHint();
}

bool CalmLabel::hasHeightForWidth() const
{
    return m_label->hasHeightForWidth();
}

int CalmLabel::heightForWidth(int width) const
{
    return m_label->heightForWidth(width);
}

void CalmLabel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_label->setGeometry(rect());
}

void CalmLabel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        m_room = {};
        updateGeometry();
    }
}

} // namespace attn
