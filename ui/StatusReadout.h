#pragma once

#include "engine/Types.h"

#include <QObject>

class QLabel;
class QStatusBar;

namespace attn {

class CalmLabel;
class Workbench;
enum class Stage;
struct EditTarget;

/// The status bar: the cell under the pointer or selected and its value, the stage's shape, whether the
/// picture is exact, how long the last recompute took, and the document's notes.
class StatusReadout : public QObject
{
    Q_OBJECT

public:
    StatusReadout(Workbench *workbench, QStatusBar *bar);

    /// Reads out a hovered cell until clearHover().
    void hover(Stage stage, const CellIndex &cell);
    /// Reads out a text, for cells that belong to no stage.
    void hoverText(const QString &text);
    void clearHover();

private:
    void refresh();
    void showCell(const EditTarget &target, const CellIndex &cell);

    Workbench *m_workbench;
    CalmLabel *m_cell;
    QLabel *m_shape;
    QLabel *m_state;
    CalmLabel *m_time;
};

} // namespace attn
