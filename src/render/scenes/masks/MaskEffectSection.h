#pragma once

#include "render/MasksScene.h"
#include "render/scenes/SceneDraft.h"

namespace attn {

/// A and the output before and after a mask, their differences, and what happens to each row.
class MaskEffectSection
{
public:
    MaskEffectSection(SceneDraft &draft, const MasksOptions &options);

    /// Draws from `top` downwards; returns where it ends.
    double addTo(double left, double top);

private:
    double addStage(Stage stage, double left, double top);
    double addSummary(double left, double top);
    double addTable(double left, double top);
    void addTableRow(Index row, double left, double top);
    std::vector<Index> listedRows() const;
    QString seenKeys(Index row) const;
    QString keyName(Index key) const;
    QString queryName(Index row) const;
    const Snapshot &after() const { return m_draft.maps().snapshot(); }

    SceneDraft &m_draft;
    const MasksOptions &m_options;
};

} // namespace attn
