#pragma once

#include "render/scenes/SceneDraft.h"
#include "render/scenes/lab/PositionsLabScene.h"

namespace attn {

/// Positions that act inside the scores: rotary turns queries and keys, ALiBi lowers far keys.
class RelativePositionCards
{
public:
    RelativePositionCards(SceneDraft &draft, const PositionsLabOptions &options);

    /// Draws both below `top`; returns where they end.
    double addTo(double left, double top);

private:
    /// Returns where it ends: low where nothing can be turned.
    double addRotary(QRectF card);
    void addRotarySettings(const QRectF &card);
    void addTurns(const QPointF &centre, double radius, std::span<const double> query);
    void addRotaryMaps(const QRectF &card, std::span<const double> query, std::span<const double> key);
    void addAlibi(const QRectF &card);
    void addChoice(const QString &prefix, Index count, Index chosen, const QPointF &corner, double room,
                   const QString &name);
    QString tokenName(const TokenList &tokens, Index index) const;
    std::vector<double> headRow(Stage stage, Index head, Index row) const;
    const Experiment &experiment() const { return m_draft.maps().experiment(); }

    SceneDraft &m_draft;
    PositionsLabOptions m_options;
    Rotary m_rotary; ///< the document's, or the usual one
    Index m_dHead;
    Index m_pairs;
};

} // namespace attn
