#pragma once

#include "render/Scene.h"
#include "widgets/ProfileReader.h"

#include <QRectF>

class QPainter;

namespace attn {

/// The curves of the row and the column of the current cell, along the lower and the right edge of the
/// window: over each column what the row holds there, beside each row what the column holds.
class ProfileOverlay : public QObject
{
    Q_OBJECT

public:
    explicit ProfileOverlay(QObject *parent = nullptr);

    /// What a view shows of the map with the current cell.
    struct View
    {
        const SceneMap *map = nullptr;
        Index row = 0;
        Index col = 0;
        QRectF mapRect; ///< all cells, in the viewport
        QRectF viewport;
    };
    /// Draws what has been read, and has what is shown now read.
    void paint(QPainter &painter, const View &view, const Theme &theme);

signals:
    /// More has been read: repaint.
    void changed();

private:
    void paintRow(QPainter &painter, const View &view, const QRectF &strip, const Theme &theme) const;
    void paintColumn(QPainter &painter, const View &view, const QRectF &strip, const Theme &theme) const;

    ProfileReader m_reader;
};

} // namespace attn
