#pragma once

#include "BackgroundTask.h"
#include "engine/Edit.h"
#include "views/HeadsKnowledge.h"
#include "views/HeadsSettings.h"
#include "views/SceneWorkspace.h"

#include <QTimer>

#include <memory>

namespace attn {

class HeadsControls;

/// All heads in a grid, and pages on how they are cut, what they do alone and together, and which patterns
/// they follow.
class HeadsView : public SceneWorkspace
{
    Q_OBJECT

public:
    HeadsView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    HeadsSettings settings() const;

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    bool dependsOnSelection() const override;
    void onControl(const QString &id) override;
    void onDerivedSelected(const MapKey &map, Index row, Index col) override;
    void refreshControls() override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// What the grid says of each head.
    enum class Figures
    {
        Computed, ///< with the picture: an export is complete
        Follow,   ///< of a large document once they are counted; its picture does not wait
    };

    /// The page as it stands, as something that any thread can build.
    SceneWorker::Build pageBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                 Figures figures) const;
    /// Counts every weight of a large document aside from its picture, once nobody edits it.
    void noteMetricsWanted(const SnapshotPtr &snapshot);
    void countMetrics();
    HeadPatternsOptions patternsOptions() const;
    std::vector<Index> combinedHeads() const;
    Index otherHeads() const;
    Index queryRow() const;
    double pageWidth() const;
    void setSettings(const HeadsSettings &settings);
    void setFocusedHead(Index head);
    void setSharedRange(bool shared);
    void toggleCombined(const QString &which);
    void sortBy(const QString &what);
    void makePattern(const QString &name);
    void setWorkedRow(std::size_t which);
    void setOutputWeight(const QString &name);
    void applyPreset(const Result<Edit> &edit, const QString &text);

    HeadsControls *m_controls;
    std::shared_ptr<HeadsKnowledge> m_knowledge;
    std::optional<HeadsPage> m_builtPage;
    SnapshotPtr m_counted;      ///< what was, is, or will be counted
    bool m_isForScreen = false; ///< the scene that is built next
    QTimer m_countTimer;
    BackgroundTask m_counting;
};

} // namespace attn
