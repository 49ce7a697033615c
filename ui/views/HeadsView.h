#pragma once

#include "views/SceneWorkspace.h"

class QCheckBox;
class QComboBox;

namespace attn {

/// All heads in a grid, with one colour range or each its own; one of them large.
class HeadsView : public SceneWorkspace
{
    Q_OBJECT

public:
    HeadsView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;
    void refreshControls() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void setFocusedHead(Index head);
    void setSharedRange(bool shared);

    QCheckBox *m_sharedRange;
    QComboBox *m_focusBox;
    bool m_hasFocusedHead = false;
    SnapshotPtr m_metricsOf; ///< the snapshot whose metrics are kept
    std::shared_ptr<const Metrics> m_metrics;
};

} // namespace attn
