#pragma once

#include "render/scenes/FootprintChoice.h"
#include "render/scenes/MapFactory.h"

namespace attn {

/// The upper part of the footprints workspace: one small layer per token with its two factors at its edges
/// and its controls, wrapped to the width; above 64 tokens the rest as one layer.
class FootprintLayers
{
public:
    /// sum: of the added layers; its values belong to the scale.
    FootprintLayers(const MapFactory &maps, const FootprintsOptions &options, const FootprintChoice &choice,
                    const StageValuesPtr &sum, const std::stop_token &stop);

    /// One scale for all layers, their sum and the target.
    const ValueRange &range() const { return m_range; }
    /// Adds the layers from `top` on; returns where they end.
    double addTo(Scene &scene, double left, double top) const;
    double width() const { return m_width; }

private:
    struct Layer
    {
        StageValuesPtr cells;
        StageValuesPtr column; ///< its factor in A
    };

    void chooseSizes();
    void chooseRange(const StageValuesPtr &sum);
    void addLayer(Scene &scene, std::size_t layer, const QPointF &corner) const;
    void addRest(Scene &scene, const QPointF &corner) const;
    void addFactorLegends(Scene &scene, double right, double top) const;
    void addControls(Scene &scene, std::size_t layer, const QRectF &place) const;
    void addFactors(Scene &scene, std::size_t layer, const QRectF &cells) const;
    bool isAdded(Index token) const;
    bool hasFactors() const { return m_options.target != FootprintTarget::Token; }
    QString tokenName(Index token) const;

    const MapFactory &m_maps;
    const FootprintsOptions &m_options;
    const FootprintChoice &m_choice;
    std::vector<Layer> m_layers;
    StageValuesPtr m_rest;
    ValueRange m_range;
    Index m_rows = 0;
    Index m_cols = 0;
    QSizeF m_cells;
    QSizeF m_block;
    double m_labelWidth = 0.0;
    int m_columns = 1;
    double m_width = 0.0;
};

/// The stage to which the footprints add up.
Stage footprintTargetStage(FootprintTarget target);

} // namespace attn
