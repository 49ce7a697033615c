#include "widgets/NumberScrubField.h"

#include "base/NumberText.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QStyle>

#include <cmath>

namespace attn {

namespace {

constexpr double pixelsPerStep = 4.0;

double stepsPerNotch(Qt::KeyboardModifiers modifiers)
{
    if (modifiers & Qt::ShiftModifier)
        return 0.1;
    return modifiers & Qt::ControlModifier ? 10.0 : 1.0;
}

bool startsNumber(const QKeyEvent &event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    return !event.text().isEmpty() && event.text().at(0).isPrint() && !event.text().at(0).isSpace();
}

} // namespace

NumberScrubField::NumberScrubField(QWidget *parent)
    : CellEditor(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &CellEditor::commitRequested, this, &NumberScrubField::onCommitRequested);
    connect(this, &CellEditor::dropped, this, &NumberScrubField::stopTyping);
    connect(&m_scrub, &ScrubGesture::scrubbed, this, &NumberScrubField::onScrubbed);
    updateLook();
}

void NumberScrubField::updateLook()
{
    const bool canScrub = m_isEditable && m_hasNumber;
    setReadOnly(!m_isTyping);
    setCursor(m_isTyping ? Qt::IBeamCursor : (canScrub ? Qt::SizeHorCursor : Qt::ArrowCursor));
    if (shownProblem().isEmpty())
        setToolTip(canScrub
                       ? tr("Drag sideways to change it: Shift for fine, Ctrl for coarse steps. Double-click "
                            "to type.")
                       : QString());
}

void NumberScrubField::setNumber(double value, const QString &text)
{
    m_value = value;
    m_text = text;
    m_hasNumber = true;
    setPlaceholderText({});
    if (!m_isTyping) {
        setText(text);
        setCursorPosition(0);
    }
    updateLook();
}

void NumberScrubField::clearNumber(const QString &reason)
{
    m_scrub.finish();
    m_hasNumber = false;
    m_text.clear();
    stopTyping();
    setPlaceholderText(reason);
}

void NumberScrubField::setEditable(bool editable)
{
    m_isEditable = editable;
    if (!editable) {
        m_scrub.finish();
        stopTyping();
    }
    updateLook();
}

void NumberScrubField::startTyping(Opening opening, const QString &typed)
{
    if (!m_isEditable) {
        emit readOnlyHit();
        return;
    }
    if (!m_hasNumber)
        return;
    m_scrub.finish();
    m_isTyping = true;
    updateLook();
    begin(m_text, opening, typed);
}

void NumberScrubField::stopTyping()
{
    m_isTyping = false;
    showProblem({});
    setText(m_text);
    setCursorPosition(0);
    updateLook();
}

void NumberScrubField::onCommitRequested(Leave leave)
{
    const std::optional<double> typed = isChanged() ? number() : std::nullopt;
    stopTyping();
    if (typed)
        emit edited(*typed);
    if (leave == Leave::Right || leave == Leave::Left)
        QLineEdit::focusNextPrevChild(leave == Leave::Right);
}

bool NumberScrubField::beginScrub()
{
    if (m_scrub.isActive())
        return true;
    if (!m_hasNumber || !std::isfinite(m_value))
        return false;
    if (!m_isEditable) {
        emit readOnlyHit();
        return false;
    }
    m_scrub.start(m_value, m_step > 0.0 ? m_step : scrubStepOf(m_value));
    return true;
}

void NumberScrubField::scrubBy(double steps)
{
    const double next = m_scrub.valueAfter(steps);
    const QString problem = problemOfNumber(next);
    showProblem(problem);
    if (problem.isEmpty())
        m_scrub.advance(steps);
}

void NumberScrubField::onScrubbed(double value, GesturePhase phase)
{
    setText(QString::fromStdString(shortestText(value)));
    emit scrubbed(value, phase);
    if (phase == GesturePhase::End)
        updateLook();
}

bool NumberScrubField::event(QEvent *event)
{
    // Only while a number is typed are Escape and Return of the editor; else they are the window's. An editor
    // in which nothing was typed has nothing to undo: the window has.
    const auto *key = event->type() == QEvent::ShortcutOverride ? static_cast<QKeyEvent *>(event) : nullptr;
    if (key && m_isTyping && !isChanged() &&
        (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)))
        stopTyping();
    if (key && !m_isTyping) {
        if (m_hasNumber && (startsNumber(*key) || (m_scrub.isActive() && key->key() == Qt::Key_Escape)))
            event->accept();
        return true;
    }
    return CellEditor::event(event);
}

void NumberScrubField::keyPressEvent(QKeyEvent *event)
{
    if (m_isTyping) {
        CellEditor::keyPressEvent(event);
        return;
    }
    event->accept();
    const int key = event->key();
    if (key == Qt::Key_F2 || key == Qt::Key_Return || key == Qt::Key_Enter) {
        startTyping(Opening::Editing, {});
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        if (beginScrub()) {
            scrubBy((key == Qt::Key_Up ? 1.0 : -1.0) * stepsPerNotch(event->modifiers()));
            m_scrub.endAfterPause();
        }
    } else if (key == Qt::Key_Escape && m_scrub.isActive()) {
        m_scrub.moveTo(0.0);
        m_scrub.finish();
        m_isPressed = false;
    } else if (event->matches(QKeySequence::Copy) && !hasSelectedText()) {
        QApplication::clipboard()->setText(m_text);
    } else if (startsNumber(*event)) {
        startTyping(Opening::Typing, event->text());
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

void NumberScrubField::mousePressEvent(QMouseEvent *event)
{
    if (m_isTyping || event->button() != Qt::LeftButton) {
        CellEditor::mousePressEvent(event);
        return;
    }
    m_scrub.finish();
    m_isPressed = true;
    m_isDragging = false;
    m_lastX = event->position().toPoint().x();
    m_rest = 0.0;
}

void NumberScrubField::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_isPressed) {
        CellEditor::mouseMoveEvent(event);
        return;
    }
    const int x = event->position().toPoint().x();
    if (!m_isDragging) {
        if (std::abs(x - m_lastX) < QApplication::startDragDistance())
            return;
        if (!beginScrub()) {
            m_isPressed = false;
            return;
        }
        m_isDragging = true;
        m_lastX = x;
        return;
    }
    m_rest += double(x - m_lastX) / pixelsPerStep;
    m_lastX = x;
    const double whole = std::trunc(m_rest);
    m_rest -= whole;
    if (whole != 0.0)
        scrubBy(whole * stepsPerNotch(event->modifiers()));
}

void NumberScrubField::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_isPressed) {
        CellEditor::mouseReleaseEvent(event);
        return;
    }
    m_isPressed = false;
    m_isDragging = false;
    showProblem({});
    m_scrub.finish();
}

void NumberScrubField::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (m_isTyping || event->button() != Qt::LeftButton) {
        CellEditor::mouseDoubleClickEvent(event);
        return;
    }
    m_isPressed = false;
    startTyping(Opening::Editing, {});
}

void NumberScrubField::wheelEvent(QWheelEvent *event)
{
    if (!hasFocus() || m_isTyping || !beginScrub()) {
        event->ignore();
        return;
    }
    event->accept();
    const QPoint delta = event->angleDelta();
    m_rest += double(delta.y() != 0 ? delta.y() : delta.x()) / 120.0;
    const double whole = std::trunc(m_rest);
    m_rest -= whole;
    if (whole != 0.0)
        scrubBy(whole * stepsPerNotch(event->modifiers()));
    m_scrub.endAfterPause();
}

void NumberScrubField::focusOutEvent(QFocusEvent *event)
{
    m_rest = 0.0;
    m_scrub.finish();
    if (m_isTyping)
        CellEditor::focusOutEvent(event);
    else
        QLineEdit::focusOutEvent(event);
}

bool NumberScrubField::focusNextPrevChild(bool next)
{
    return m_isTyping ? false : QLineEdit::focusNextPrevChild(next);
}

} // namespace attn
