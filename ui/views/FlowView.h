#pragma once

#include "BackgroundTask.h"
#include "views/FlowChoice.h"
#include "views/SceneWorkspace.h"

#include <memory>
#include <optional>
#include <utility>

namespace attn {

class FlowControls;

/// The flow workspace: ribbons from token to token, and how one row of Q, K, V or the output comes about.
/// Pointing at a token, or going to it by keyboard, shows it alone, a click or Return keeps it so. A click on
/// a ribbon, or going to it, selects the cell it is as wide as; digits typed there edit that cell.
class FlowView : public SceneWorkspace
{
    Q_OBJECT

public:
    FlowView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

    FlowChoice choice() const;
    /// Whether links are being computed in the background.
    bool isBusy() const;
    /// Tests only.
    void waitUntilIdle();

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    SceneWorker::Build heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void refreshControls() override;
    bool dependsOnSelection() const override { return true; }
    void onShapeHovered(const QString &id) override;
    void onShapeClicked(const QString &id) override;
    void onShapeFocused(const QString &id) override;
    void onShapeTyped(const QString &id, const QString &text) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// Links that were computed, and what for.
    struct Computed
    {
        SnapshotPtr snapshot;
        FlowQuestion question;
        FlowFilter filter;
        std::shared_ptr<const FlowLinks> links;

        bool isFor(const SnapshotPtr &other, const FlowQuestion &asked, const FlowFilter &filtered) const;
    };
    struct ComputedRow
    {
        SnapshotPtr snapshot;
        RowFlowQuestion question;
        FlowFilter filter;
        std::shared_ptr<const RowFlow> flow;
    };
    struct Alone
    {
        FlowChoice::Alone kind = FlowChoice::Alone::None;
        Index node = 0;

        bool operator==(const Alone &) const = default;
    };

    /// The picture of all tokens, of what is known now.
    SceneWorker::Build tokenBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                  const FlowChoice &choice);
    Scene rowScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const FlowChoice &choice);
    /// The links, computed now when they are few, else asked for; null while there are none.
    std::shared_ptr<const FlowLinks> linksFor(const SnapshotPtr &snapshot, const FlowQuestion &question,
                                              const FlowFilter &filter, Computed &store, Computed &asked,
                                              BackgroundTask &task);
    std::shared_ptr<const RowFlow> rowFor(const SnapshotPtr &snapshot, const RowFlowQuestion &question,
                                          const FlowFilter &filter);
    Alone aloneOf(const QString &id) const;
    Alone shownAlone(const FlowChoice &choice) const;
    /// The cell whose number a ribbon has the width of; none for tokens and for what is a sum of numbers.
    std::optional<std::pair<Stage, CellIndex>> cellOf(const QString &id) const;
    void setChoice(const FlowChoice &choice);
    void followSelection();
    void tellSelectedTokens();

    FlowControls *m_controls;
    TokenList m_listedQueries; ///< of which m_queryNames are
    TokenList m_listedKeys;
    QStringList m_queryNames;
    QStringList m_keyNames;
    BackgroundTask m_task;
    BackgroundTask m_aloneTask;
    Computed m_links;
    Computed m_askedLinks;
    Computed m_aloneLinks;
    Computed m_askedAlone;
    ComputedRow m_row;
    ComputedRow m_askedRow;
    Alone m_hovered;
    Alone m_focused; ///< by keyboard
};

} // namespace attn
