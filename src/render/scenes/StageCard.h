#pragma once

#include "render/scenes/CellSizes.h"
#include "render/scenes/MapFactory.h"
#include "render/scenes/RowSums.h"

namespace attn {

/// Room inside and around cards, on an 8 px grid.
namespace cardMetrics {
inline constexpr double cardPadding = 12.0;
inline constexpr double titleHeight = 24.0;
inline constexpr double tileTitleHeight = 18.0;
inline constexpr double tileGap = 12.0;
inline constexpr double axisRoom = 10.0; ///< below the cells, for the vanishing axis
inline constexpr double barHeight = 8.0;
inline constexpr double barRoom = 32.0; ///< bar and its numbers
} // namespace cardMetrics

/// One stage as a card: symbol, shape, state, the maps of its heads and their legend; or, without values,
/// the reason. Measured first, then placed, then added to a scene.
class StageCard
{
public:
    struct Options
    {
        std::vector<Index> heads = {0}; ///< of the stage's own head axis
        bool headTitles = false;        ///< "head 1" above each map
        double rowLabelWidth = 0.0;     ///< room left of the cells, shared with the cards above and below
        QString title;                  ///< markup; empty = the stage's symbol
        Index tilingHeads = 0;          ///< as small as if it had so many heads; 0 = its own
        int tileColumns = 0;            ///< maps side by side, all in full size; 0 = by headTiling()
        bool framed = true;             ///< with a box and the state; figures go without
    };

    /// cells: size of one head.
    StageCard(const MapFactory &maps, Stage stage, const QSizeF &cells, const Options &options);

    Stage stage() const { return m_stage; }
    bool isAvailable() const { return m_available; }

    QSizeF size() const { return m_size; }
    /// From the card's corner to its first cell.
    QPointF cellsOffset() const { return m_cellsOffset; }
    /// Leaves more room above the cells, so that cards side by side begin at one height.
    void growTop(double cellsTop);
    /// Moves the first cell there.
    void placeCells(const QPointF &topLeft);

    QRectF rect() const { return {m_topLeft, m_size}; }
    /// All maps together.
    QRectF cellsRect() const { return m_cells.translated(m_topLeft); }
    /// One head's map.
    QRectF tileRect(std::size_t tile) const;
    std::size_t tileCount() const { return m_tiles.size(); }

    void addTo(Scene &scene) const;
    /// Strokes along the columns (below the lowest maps) or the rows (right of the rightmost ones).
    void addColumnAxis(Scene &scene, int strokes) const;
    void addRowAxis(Scene &scene, int strokes) const;

private:
    void measureMaps(const QSizeF &cells);
    void measureRowSums(const QSizeF &tile);
    void measureReason();
    void addHeader(Scene &scene) const;
    void addMap(Scene &scene, std::size_t tile) const;
    void addReason(Scene &scene) const;
    double headerWidth() const;
    QString title() const;
    /// "2 pinned", and for weights whether their rows still add to 1.
    /// "2×4×4"; of a card with a title of its own that holds one head, the head's: "4×4".
    QString shape() const;
    QString badge() const;

    const MapFactory &m_maps;
    Stage m_stage;
    Options m_options;
    bool m_available = false;
    QPointF m_topLeft;
    QSizeF m_size;
    QPointF m_cellsOffset;
    QRectF m_cells;                               ///< relative to the corner
    std::vector<QRectF> m_tiles;                  ///< relative to the corner
    std::vector<std::vector<UnevenRow>> m_uneven; ///< of A: by tile, rows that do not add to 1
    bool m_hasUneven = false;
    double m_sumRoom = 0.0; ///< right of each map, for the sums of such rows
    double m_colLabelHeight = 0.0;
    int m_tileRows = 1;
    int m_tileColumns = 1;
    bool m_barPerTile = false;
    QStringList m_reason;
};

/// In place of a workspace: a title and why.
Scene messageScene(const QString &title, const QString &reason);
/// In place of a workspace whose main stage has no values: the reason.
Scene unavailableScene(const Snapshot &snapshot, Stage stage);
/// Breaks a sentence into lines of at most this width.
QStringList wrappedLines(const QString &text, const QFont &font, double width);
/// Room above a map of this stage for its labels at this width of a column.
double columnLabelHeight(const MapFactory &maps, Stage stage, double columnWidth);

} // namespace attn
