#pragma once

#include <QDialog>

namespace attn {

/// Version, licence, and the notices of what the program is built on.
class AboutDialog : public QDialog
{
    Q_OBJECT

public:
    explicit AboutDialog(QWidget *parent);
};

} // namespace attn
