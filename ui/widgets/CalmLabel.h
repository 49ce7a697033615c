#pragma once

#include <QWidget>

class QLabel;

namespace attn {

/// A plain text that changes often. Only when it needs more room, or lines, than before is its surroundings
/// laid out again: a label of Qt has the whole window laid out for each text.
class CalmLabel : public QWidget
{
    Q_OBJECT

public:
    explicit CalmLabel(QWidget *parent = nullptr);

    void setText(const QString &text);
    QString text() const;
    QLabel *label() { return m_label; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    bool fits() const;

    QLabel *m_label;
    QSize m_room; ///< as much as a text needed so far
};

} // namespace attn
