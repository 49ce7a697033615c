#include "MainWindow.h"

#include <QApplication>

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    attn::MainWindow window;
    window.show();
    return QApplication::exec();
}
