#pragma once

#include "engine/Edit.h"
#include "views/HeadsKnowledge.h"
#include "views/HeadsSettings.h"
#include "views/SceneWorkspace.h"

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
    /// The page as it stands, as something that any thread can build.
    SceneWorker::Build pageBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) const;
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
};

} // namespace attn
