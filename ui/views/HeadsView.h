#pragma once

#include "views/SceneWorkspace.h"

#include <memory>
#include <mutex>

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
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;
    void refreshControls() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Keeps the metrics of one snapshot; asked from both threads.
    class KnownMetrics
    {
    public:
        std::shared_ptr<const Metrics> of(const SnapshotPtr &snapshot);
        bool areOf(const SnapshotPtr &snapshot);

    private:
        std::mutex m_mutex;
        SnapshotPtr m_snapshot;
        std::shared_ptr<const Metrics> m_metrics;
    };

    HeadsOptions options() const;
    void setFocusedHead(Index head);
    void setSharedRange(bool shared);

    QCheckBox *m_sharedRange;
    QComboBox *m_focusBox;
    bool m_hasFocusedHead = false;
    std::shared_ptr<KnownMetrics> m_metrics;
};

} // namespace attn
