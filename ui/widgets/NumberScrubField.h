#pragma once

#include "widgets/CellEditor.h"
#include "widgets/ScrubGesture.h"

namespace attn {

/// One number in full precision that is changed by dragging it sideways, by the wheel and the arrow keys
/// while it has the focus, and by typing.
///
/// Shift makes the steps ten times finer, Ctrl ten times coarser. It changes nothing by itself: it emits, and
/// shows what setNumber() says.
class NumberScrubField : public CellEditor
{
    Q_OBJECT

public:
    explicit NumberScrubField(QWidget *parent = nullptr);

    /// text: the value in full precision. What is being typed stays.
    void setNumber(double value, const QString &text);
    /// Nothing to show; `reason` stands in its place.
    void clearNumber(const QString &reason);
    void setEditable(bool editable);
    /// The smallest step of a drag; 0 (as at first) takes one that suits the number.
    void setStep(double step) { m_step = step; }

    bool isTyping() const { return m_isTyping; }

signals:
    /// A number was typed.
    void edited(double value);
    /// One gesture is one undo step.
    void scrubbed(double value, attn::GesturePhase phase);
    /// Typing or dragging while it can not be edited.
    void readOnlyHit();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void startTyping(Opening opening, const QString &typed);
    void stopTyping();
    /// false when nothing can be scrubbed here.
    bool beginScrub();
    void scrubBy(double steps);
    void updateLook();
    void onCommitRequested(Leave leave);
    void onScrubbed(double value, GesturePhase phase);

    ScrubGesture m_scrub;
    QString m_text;
    double m_value = 0.0;
    double m_step = 0.0;
    double m_rest = 0.0; ///< of the drag in pixels, or of the wheel in notches
    int m_lastX = 0;
    bool m_hasNumber = false;
    bool m_isEditable = true;
    bool m_isTyping = false;
    bool m_isPressed = false;
    bool m_isDragging = false;
};

} // namespace attn
