#pragma once

#include <QObject>

namespace attn {

/// Keeps a passing wheel from changing spin boxes, combo boxes and sliders that do not have the focus, as Qt
/// would; the wheel goes on to what scrolls around them. Installed on the application.
class WheelGuard : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace attn
