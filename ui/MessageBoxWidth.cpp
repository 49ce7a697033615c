#include "MessageBoxWidth.h"

#include <QGridLayout>
#include <QMessageBox>

namespace attn {

void widenMessageBox(QMessageBox *box)
{
    constexpr int lineWidth = 400;
    if (auto *grid = qobject_cast<QGridLayout *>(box->layout()))
        grid->addItem(new QSpacerItem(lineWidth, 0, QSizePolicy::Minimum, QSizePolicy::Fixed),
                      grid->rowCount(), 0, 1, grid->columnCount());
}

} // namespace attn
