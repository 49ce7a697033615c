#pragma once

#include <QFrame>

class QLabel;

namespace attn {

/// One sentence above the workspaces that never stops the work: what was refused or dropped. Goes away by
/// its button, by Escape, or with the next message.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget *parent = nullptr);

    void showMessage(const QString &text);
    QString text() const;

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    QLabel *m_label;
};

} // namespace attn
