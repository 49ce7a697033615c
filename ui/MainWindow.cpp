#include "MainWindow.h"

namespace attn {

MainWindow::MainWindow()
{
    setWindowTitle(QStringLiteral("AttnScope"));
    resize(1280, 800);
}

} // namespace attn
