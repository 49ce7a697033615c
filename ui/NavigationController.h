#pragma once

#include "BackgroundTask.h"
#include "engine/NanSearch.h"

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

    /// Goes to the cell this text names, as in engine/CellReference.h: "A[love, prog]", "A[head 1: 0, 3]",
    /// "1, 3" in the selected stage. False, and a message, when there is no such cell.
    bool goTo(const QString &text);
    /// Selects the next row (or column) whose token contains the text, case ignored. False when none does.
    bool findToken(const QString &text);
    /// From the selected number to the next smaller one of its head; equal ones in reading order.
    void nextLargest();
    /// The next NaN after the selected cell, through all stages. In large documents it is found while the
    /// window goes on, unless the selection or the document changes first.
    void nextNan();
    /// NaN is being looked for.
    bool isSearching() const { return m_nanSearch.isBusy(); }

signals:
    /// A cell that was asked for in a dialog is selected: what is typed now is meant for it.
    void cellReached();
    /// The view shall show the selected cell at a readable size.
    void zoomWanted();

private:
    void askForCell();
    void askForToken();
    void goToNan(const std::optional<StageCell> &found);
    void dropSearch();

    Workbench *m_workbench;
    QWidget *m_window;
    QString m_lastToken;
    BackgroundTask m_nanSearch;
};

} // namespace attn
