#pragma once

#include "engine/Stage.h"
#include "engine/Types.h"

#include <QObject>
#include <QString>

class QMenu;
class QWidget;

namespace attn {

class ActionRegistry;
class Workbench;

/// Moves the selection to a cell, a token, the next largest number, the next number that is none.
class NavigationController : public QObject
{
    Q_OBJECT

public:
    NavigationController(Workbench *workbench, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);

    /// Goes to the cell this text names: "A[love, prog]", "A[1: 2, 4]", "2, 4" in the selected stage. Rows
    /// and columns by label, or counted from 1. False, and a message, when there is no such cell.
    bool goTo(const QString &text);
    /// Selects the next row (or column) whose token contains the text, case ignored. False when none does.
    bool findToken(const QString &text);
    /// From the selected number to the next smaller one of its head; equal ones in reading order.
    void nextLargest();
    /// The next NaN after the selected cell, through all stages.
    void nextNan();

signals:
    /// The view shall show the selected cell at a readable size.
    void zoomWanted();

private:
    void askForCell();
    void askForToken();
    bool goToCell(Stage stage, const QString &head, const QString &row, const QString &col);

    Workbench *m_workbench;
    QWidget *m_window;
    QString m_lastToken;
};

} // namespace attn
