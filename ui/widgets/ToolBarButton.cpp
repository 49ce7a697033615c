#include "widgets/ToolBarButton.h"

#include <QToolBar>
#include <QToolButton>

namespace attn {

void drawAsButton(QToolBar *bar, QAction *action)
{
    if (auto *button = qobject_cast<QToolButton *>(bar->widgetForAction(action)))
        button->setAutoRaise(false);
}

} // namespace attn
