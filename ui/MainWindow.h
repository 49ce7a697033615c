#pragma once

#include <QMainWindow>

namespace attn {

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow();
};

} // namespace attn
