#pragma once

#include "render/scenes/SceneDraft.h"

namespace attn {

/// Places maps with titles, labels and colour bars from left to right, and below each other where they do not
/// fit any more.
class MaskMapRow
{
public:
    MaskMapRow(SceneDraft &draft, double left, double top, double width);

    /// Cells of one map of this shape: small ones large enough for numbers, large ones within `most`.
    static QSizeF cellsFor(Index rows, Index cols, double most);

    /// A map whose labels are those of `labelled`; returns where its cells are.
    QRectF add(SceneMap map, const QString &title, Stage labelled, const QSizeF &cells, bool withBar = true);
    /// Room for something else in the row; returns its place.
    QRectF reserve(double width, double height);
    /// Where the next thing below may begin.
    double bottom() const { return m_y + m_height; }

private:
    QPointF nextCorner(double width, double height);

    SceneDraft &m_draft;
    double m_left;
    double m_width;
    double m_x;
    double m_y;
    double m_height = 0.0;
};

} // namespace attn
