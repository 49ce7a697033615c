#pragma once

#include "BackgroundTask.h"
#include "render/CompareScene.h"
#include "views/CompareChoice.h"
#include "views/SceneWorkspace.h"

class QComboBox;
class QLabel;
class QLineEdit;

namespace attn {

/// The compare workspace: the document as A beside a state kept as B, the document as opened, the results
/// imported with it, or another file.
class CompareView : public SceneWorkspace
{
    Q_OBJECT

public:
    CompareView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    /// What the document holds now becomes B.
    void keepAsB();
    void askForB();
    /// A document, example or tensor file becomes B; false, and a message, when it cannot be read.
    bool openB(const QString &file);

    CompareChoice choice() const;
    bool isBusy() const { return m_evaluation.isBusy() || m_comparison.isBusy(); }
    /// Tests only.
    void waitUntilIdle();

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void refreshControls() override;
    bool dependsOnSelection() const override { return true; }
    void onControl(const QString &id) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// The other side, once it is known.
    struct Side
    {
        QString name;
        ExperimentPtr experiment; ///< null for imported results
        StageSet stages;
        SnapshotPtr snapshot;       ///< null for imported results
        bool isOnlyResults = false; ///< stages that only A has are left out
    };

    void buildControls();
    void setChoice(const CompareChoice &choice);
    CompareChoice::Source sourceOf(const CompareChoice &choice) const;
    ExperimentPtr keptExperiment(const CompareChoice &choice);
    ExperimentPtr fileExperiment(const CompareChoice &choice);
    /// The stages of B; nothing, and why in `message`, while there are none.
    std::optional<Side> sideB(const CompareChoice &choice, QString &message);
    /// The results imported with the document; the same values as long as they are the same.
    const StageSet &importedStages();
    /// What is to be drawn; nothing, and why in `message`, while there is no B.
    std::optional<CompareOptions> sceneOptions(const SnapshotPtr &snapshot, QString &message);
    /// B's snapshot, computed now when it is small, else asked for.
    SnapshotPtr evaluated(const ExperimentPtr &experiment);
    /// The comparison, made now when it is small, else asked for.
    bool compare(const SnapshotPtr &a, const Side &b);
    /// Some of the results of a comparison that goes on.
    void takeSoFar(const SnapshotPtr &a, const StageSet &b, const std::vector<StageComparison> &results);
    /// What is shown of the comparison that was made last.
    CompareOptions shownOptions() const;
    void readTolerance();
    void showMaps();

    QComboBox *m_source;
    QLineEdit *m_tolerance;
    QComboBox *m_head;
    QLabel *m_headLabel = nullptr;
    BackgroundTask m_evaluation;
    BackgroundTask m_comparison;
    ExperimentPtr m_evaluating;
    SnapshotPtr m_b;
    ExperimentPtr m_kept;
    QString m_keptText; ///< what m_kept was read from
    ExperimentPtr m_file;
    QString m_fileRead;
    QString m_fileProblem;
    std::map<Stage, Tensor> m_imported; ///< of which m_importedStages are
    StageSet m_importedStages;
    SnapshotPtr m_comparedA;
    StageSet m_comparedB;
    SnapshotPtr m_askedA;
    StageSet m_askedB;
    std::vector<StageComparison> m_results;
};

} // namespace attn
