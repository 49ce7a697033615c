#pragma once

#include "widgets/GridMove.h"

#include <QLineEdit>

#include <functional>
#include <optional>

namespace attn {

/// The line in which one number is typed: over a cell of a map, in a table, in the inspector.
///
/// It knows the keys of a spreadsheet and says in place, by a red frame and a tool tip, why a text is no
/// number; what then happens with the number is the owner's. It never closes itself.
class CellEditor : public QLineEdit
{
    Q_OBJECT

public:
    enum class Opening
    {
        Typing,  ///< the first key replaces the number; arrows commit and move
        Editing, ///< F2, double click: the whole number, caret at the end; left and right move the caret
    };
    /// Where the owner goes after the commit.
    enum class Leave
    {
        Stay,
        Down,
        Up,
        Right,
        Left,
        WholeSelection, ///< Ctrl+Return: write to all selected cells, stay
    };
    /// Why this value is refused here; empty when it is allowed.
    using Check = std::function<QString(double value)>;

    explicit CellEditor(QWidget *parent = nullptr);

    void setCheck(Check check) { m_check = std::move(check); }
    /// Starts with the number as text (full precision). Typing: `typed` stands instead of it.
    void begin(const QString &numberText, Opening opening, const QString &typed = {});
    void setOpening(Opening opening) { m_opening = opening; }
    Opening opening() const { return m_opening; }

    /// Whether the text differs from the number that it began with. A text that was typed over counts as
    /// changed even when it is the same.
    bool isChanged() const;
    /// The number, when the text is one and the check allows it.
    std::optional<double> number() const;
    /// Why number() is nothing; empty when it is something.
    QString problemOfText() const;
    /// Why this number is refused; empty when it is not.
    QString problemOfNumber(double value) const { return m_check ? m_check(value) : QString(); }

    /// Shows a reason in place; empty removes it.
    void showProblem(const QString &problem);
    QString shownProblem() const { return m_problem; }

    /// Asks for the commit, or shows why the text is none. false: refused.
    bool tryCommit(Leave leave);

signals:
    /// The text is a number, or unchanged.
    void commitRequested(attn::CellEditor::Leave leave);
    /// Escape, or the focus went while the text was no number: the old value stays.
    void dropped();

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool focusNextPrevChild(bool next) override;

private:
    std::optional<Leave> leaveOfKey(const QKeyEvent &event) const;
    void onTextEdited();

    Check m_check;
    QString m_startText;
    QString m_problem;
    Opening m_opening = Opening::Editing;
    bool m_isLeaving = false; ///< the owner is committing or closing: a lost focus means nothing
};

/// The step of the current cell that follows a commit.
GridMove gridMoveOfLeave(CellEditor::Leave leave);

} // namespace attn
