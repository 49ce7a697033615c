#pragma once

#include "BackgroundTask.h"
#include "base/Generation.h"
#include "engine/Stage.h"
#include "engine/StageValues.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace attn {

class CalmLabel;
class EditController;
struct Derivation;
class NumberScrubField;
class Workbench;

/// The selected cell: its name, its number in full precision, whether it is set by hand, where the number
/// came from, and the statistics of its stage.
class InspectorView : public QWidget
{
    Q_OBJECT

public:
    InspectorView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    /// Begins to edit the number: with this text, or with the whole number when it is empty. The keyboard
    /// goes back to where it was once a number is taken.
    void editValue(const QString &typed);

    bool isBusy() const { return m_counting.isBusy(); }
    /// Tests only.
    void waitUntilIdle() { m_counting.waitUntilIdle(); }

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void schedule();
    int derivationWidth() const;
    void showDerivation(const StageValues &values);
    void showDerivation(const Derivation &derivation, Stage stage);
    QString linkHtml(Stage stage) const;
    void openSoftmaxLab();
    QString stateText() const;
    /// Counts the cells of the stage, of a large one in the background.
    void showStatistics(const StageValuesPtr &values);
    QString statisticsText(const StageValues &values, const ValueStatistics &statistics) const;
    QString statisticsName(const StageValues &values) const;
    void showRowSum(const StageValues &values);

    Workbench *m_workbench;
    EditController *m_edits;
    QLabel *m_name;
    NumberScrubField *m_value;
    QLabel *m_state;
    QPushButton *m_unpin;
    CalmLabel *m_rowSum;
    CalmLabel *m_statistics;
    QTextBrowser *m_derivation;
    QTimer m_timer;
    QElapsedTimer m_sinceRefresh;
    int m_gesture = 0;
    QPointer<QWidget> m_cameFrom; ///< where the keyboard was before editValue()

    /// One head of a stage, whose numbers are not kept alive.
    struct Counted
    {
        std::weak_ptr<const StageValues> values;
        Index head = 0;

        bool is(const StageValuesPtr &others, Index otherHead) const
        {
            return head == otherHead && values.lock() == others;
        }
    };
    Counted m_counted;
    Counted m_asked;
    ValueStatistics m_counts;
    BackgroundTask m_counting;

    /// What the derivation that stands there is of.
    struct Derived
    {
        Stage stage = Stage::X;
        CellIndex cell;
        Generation generation;

        bool operator==(const Derived &) const = default;
    };
    Derived m_derived;
    QString m_html; ///< of the derivation
    BackgroundTask m_deriving;
};

} // namespace attn
