#pragma once

#include "engine/lab/SoftmaxSteps.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/lab/LabScenes.h"

namespace attn {

/// The upper part of the softmax page: the row step by step, one key below the other, with what each step
/// means on its right.
class SoftmaxRowPicture
{
public:
    SoftmaxRowPicture(SceneDraft &draft, const SoftmaxLabOptions &options);

    const SoftmaxSteps &steps() const { return m_steps; }
    /// Adds the rows from `top` on; returns where they end.
    double addTo(double left, double top);

private:
    struct Row
    {
        QString symbol;  ///< markup
        QString caption; ///< under the symbol
        QString note;    ///< right of the cells
        SceneText::Style noteStyle = SceneText::Style::Muted;
    };

    void addStageRow(Stage stage, const Row &row);
    void addStepRow(int step, const QString &id, const std::vector<double> &numbers, ColorMap::Kind kind,
                    const Row &row);
    void addRow(SceneMap map, const Row &row);
    void addInputRows();
    void addStepRows();
    void addResultRow();
    void addWorkedWeight();
    void addReasons();
    void addLargestKeys();
    QString keyName(Index key) const;
    QString number(double value) const;
    QString sumText() const;
    QString resultNote(SceneText::Style &style) const;
    /// The row looks at this key: its score is not −∞.
    bool isSeen(std::size_t key) const;
    Index hiddenCount() const { return keys() - m_steps.seenCount; }
    Index keys() const { return static_cast<Index>(m_input.size()); }
    QRectF cells() const;

    SceneDraft &m_draft;
    const SoftmaxLabOptions &m_options;
    std::vector<double> m_input;
    SoftmaxSteps m_steps;
    Index m_key = 0;
    double m_left = 0.0;
    double m_y = 0.0;
    double m_cellsWidth = 0.0;
    int m_decimals = 3;
};

/// The stage whose rows the softmax takes: masked, or what comes before it where no mask acts; none where
/// only A is there.
std::optional<Stage> softmaxInput(const Snapshot &snapshot);

} // namespace attn
