#pragma once

#include "render/scenes/SceneDraft.h"
#include "render/scenes/decode/DecodeScene.h"

namespace attn {

/// The upper part of the decode workspace: tokens, the cache with its new rows, and the new rows' way from
/// query to output. Token rows keep one height and one level.
class DecodeCachePicture
{
public:
    DecodeCachePicture(SceneDraft &draft, const DecodeOptions &options, const DecodePicture &picture);

    /// Adds everything from `top` on; returns where it ends.
    double addTo(double left, double top);

private:
    double addTokens(double x);
    double addCache(double x, Stage stage, Index head, Index firstCol, Index cols, const QString &title);
    void addEmptyRows(const QRectF &column, Index filled);
    void markStale(const QRectF &cells, Index rows);
    double addNewRows(double left, double top, double width);
    double addNewRow(const QString &symbol, const QString &caption, SceneMap map, double left, double top);
    SceneMap runMap(const QString &id, const QString &name, const std::vector<double> &numbers, Index cols,
                    const QRectF &rect, ColorMap::Kind kind) const;
    /// The corners that the cells of this stage have elsewhere, on rows of them computed by the run.
    void markPins(SceneMap &map, Stage stage, Index head) const;
    std::vector<double> headRows(const std::vector<double> &stacked, Index cols) const;
    double addRowSum(double left, double top, double width);
    double addProof(double left, double top, double width);
    QString rowNames() const;
    double rowTop(Index row) const { return m_cellsTop + m_rowHeight * static_cast<double>(row); }
    double newRowsHeight() const;
    double widthOf(Index cols, double most) const;

    SceneDraft &m_draft;
    const DecodeOptions &m_options;
    const DecodePicture &m_picture;
    Index m_head = 0;
    Index m_kvHead = 0;
    Index m_keyRows = 0; ///< rows that the cache will hold in the end
    double m_rowHeight = 28.0;
    double m_cellsTop = 0.0;
};

} // namespace attn
