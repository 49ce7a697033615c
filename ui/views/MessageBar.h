#pragma once

#include "MessageLife.h"

#include <QFrame>
#include <QTimer>

class QLabel;

namespace attn {

/// One sentence over the lower edge of its parent that never stops the work and never moves it: what was
/// refused or dropped. Goes when it stops being true, by its button, or by Escape.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    explicit MessageBar(QWidget *parent);

    /// Replaces what is shown; an empty text takes it away.
    void showMessage(const QString &text, attn::MessageLife life);
    QString text() const;

    /// The user did something else: a passing sentence goes.
    void moveOn();
    /// The document is another one now: what was said of it goes.
    void forgetDocument();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void enterEvent(QEnterEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    QLabel *m_label;
    QTimer m_timer; ///< runs while a passing sentence is shown and the mouse is elsewhere
    MessageLife m_life = MessageLife::Passing;
};

} // namespace attn
