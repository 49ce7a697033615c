#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace attn {

class EditController;
class StageValues;
class NumberScrubField;
class Workbench;

/// The selected cell: its name, its number in full precision, whether it is set by hand, where the number
/// came from, and the statistics of its stage.
class InspectorView : public QWidget
{
    Q_OBJECT

public:
    InspectorView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void schedule();
    int derivationWidth() const;
    QString stateText() const;
    QString statisticsText(const StageValues &values) const;

    Workbench *m_workbench;
    EditController *m_edits;
    QLabel *m_name;
    NumberScrubField *m_value;
    QLabel *m_state;
    QPushButton *m_unpin;
    QLabel *m_statistics;
    QTextBrowser *m_derivation;
    QTimer m_timer;
    QElapsedTimer m_sinceRefresh;
    int m_gesture = 0;
};

} // namespace attn
