#include "WheelGuard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace attn {

bool WheelGuard::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::Wheel || !watched->isWidgetType())
        return false;
    const auto *widget = static_cast<QWidget *>(watched);
    const bool changes = qobject_cast<QAbstractSpinBox *>(watched) || qobject_cast<QComboBox *>(watched) ||
                         (qobject_cast<QAbstractSlider *>(watched) && !qobject_cast<QScrollBar *>(watched));
    if (!changes || widget->hasFocus())
        return false;
    event->ignore();
    return true;
}

} // namespace attn
