#include "widgets/CellEditor.h"

#include "base/NumberText.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QToolTip>

#include <cmath>

namespace attn {

namespace {

bool isReturn(int key)
{
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

QColor problemColor(const QPalette &palette)
{
    const bool dark = palette.color(QPalette::Base).lightness() < 128;
    return dark ? QColor(255, 110, 100) : QColor(200, 30, 30);
}

} // namespace

CellEditor::CellEditor(QWidget *parent)
    : QLineEdit(parent)
{
    setFrame(true);
    connect(this, &QLineEdit::textEdited, this, &CellEditor::onTextEdited);
}

void CellEditor::begin(const QString &numberText, Opening opening, const QString &typed)
{
    m_startText = numberText;
    m_opening = opening;
    showProblem({});
    setText(opening == Opening::Typing ? typed : numberText);
    deselect();
    end(false);
}

bool CellEditor::isChanged() const
{
    return m_opening == Opening::Typing || text() != m_startText;
}

std::optional<double> CellEditor::number() const
{
    const std::optional<double> value = parseNumber(text().toStdString());
    if (!value || !problemOfNumber(*value).isEmpty())
        return std::nullopt;
    return value;
}

QString CellEditor::problemOfText() const
{
    const QString typed = text().trimmed();
    if (const std::optional<double> value = parseNumber(typed.toStdString()))
        return problemOfNumber(*value);
    if (typed.isEmpty())
        return tr("Type a number, or press Escape to keep %1.").arg(m_startText);
    if (typed.contains(QLatin1Char(',')) && parseNumber(QString(typed).replace(u',', u'.').toStdString()))
        return tr("“%1” has a comma: write the decimal point as a point.").arg(typed);
    if (std::isinf(typed.toDouble()))
        return tr("“%1” is too large: the largest number is %2. Escape keeps %3.")
            .arg(typed, QStringLiteral("1.8e308"), m_startText);
    return tr("“%1” is not a number. Escape keeps %2.").arg(typed, m_startText);
}

void CellEditor::showProblem(const QString &problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    setToolTip(problem);
    setAccessibleDescription(problem);
    if (problem.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(mapToGlobal(QPoint(0, height() - 8)), problem, this);
    update();
}

bool CellEditor::tryCommit(Leave leave)
{
    if (isChanged() || leave == Leave::WholeSelection) {
        const QString problem = problemOfText();
        showProblem(problem);
        if (!problem.isEmpty())
            return false;
    }
    if (m_isLeaving)
        return false;
    const QScopedValueRollback leaving(m_isLeaving, true);
    emit commitRequested(leave);
    return true;
}

std::optional<CellEditor::Leave> CellEditor::leaveOfKey(const QKeyEvent &event) const
{
    const bool control = event.modifiers() & Qt::ControlModifier;
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    if (event.modifiers() & (Qt::AltModifier | Qt::MetaModifier))
        return std::nullopt;
    if (isReturn(event.key())) {
        if (control)
            return Leave::WholeSelection;
        return shift ? Leave::Up : Leave::Down;
    }
    if (control)
        return std::nullopt;
    if (event.key() == Qt::Key_Backtab || (event.key() == Qt::Key_Tab && shift))
        return Leave::Left;
    if (event.key() == Qt::Key_Tab)
        return Leave::Right;
    if (shift)
        return std::nullopt;
    if (event.key() == Qt::Key_Up)
        return Leave::Up;
    if (event.key() == Qt::Key_Down)
        return Leave::Down;
    if (m_opening == Opening::Typing && event.key() == Qt::Key_Left)
        return Leave::Left;
    if (m_opening == Opening::Typing && event.key() == Qt::Key_Right)
        return Leave::Right;
    return std::nullopt;
}

bool CellEditor::event(QEvent *event)
{
    // A window may have Escape or Return as a shortcut; while a number is typed they are ours.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Escape || leaveOfKey(*key)) {
            event->accept();
            return true;
        }
    }
    return QLineEdit::event(event);
}

void CellEditor::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        event->accept();
        const QScopedValueRollback leaving(m_isLeaving, true);
        emit dropped();
        return;
    }
    if (const std::optional<Leave> leave = leaveOfKey(*event)) {
        event->accept();
        tryCommit(*leave);
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void CellEditor::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason ||
        m_isLeaving)
        return;
    if (isChanged() && problemOfText().isEmpty())
        tryCommit(Leave::Stay);
    else
        emit dropped();
}

void CellEditor::paintEvent(QPaintEvent *event)
{
    QLineEdit::paintEvent(event);
    if (m_problem.isEmpty())
        return;
    QPainter painter(this);
    painter.setPen(QPen(problemColor(palette()), 2.0));
    painter.drawRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0));
}

bool CellEditor::focusNextPrevChild(bool)
{
    return false; // Tab is a key of the cell
}

void CellEditor::onTextEdited()
{
    if (!m_problem.isEmpty())
        showProblem(problemOfText());
}

GridMove gridMoveOfLeave(CellEditor::Leave leave)
{
    switch (leave) {
    case CellEditor::Leave::Down:
        return GridMove::Down;
    case CellEditor::Leave::Up:
        return GridMove::Up;
    case CellEditor::Leave::Right:
        return GridMove::Right;
    case CellEditor::Leave::Left:
        return GridMove::Left;
    case CellEditor::Leave::Stay:
    case CellEditor::Leave::WholeSelection:
        break;
    }
    return GridMove::None;
}

} // namespace attn
