#pragma once

#include "render/FigureExport.h"

class QPainter;

namespace attn {

/// The drawing all figure formats share, in scene units.
class FigureDrawing
{
public:
    FigureDrawing(const Scene &scene, const FigureOptions &options);

    /// Title and scene, without the room that the window has at its right beyond the last thing drawn.
    QSizeF size() const;
    QSizeF sizeMm() const;
    /// Draws everything; the painter's transform maps scene units to the device.
    void paint(QPainter &painter, bool vector) const;

private:
    ScenePaintOptions paintOptions() const;
    double titleHeight() const;

    const Scene m_scene; ///< its holes closed
    const FigureOptions &m_options;
    double m_width;
};

/// A PDF of one page, its size exact to a thousandth of a point.
Result<QByteArray> pdfFigure(const FigureDrawing &drawing, const QString &title);

} // namespace attn
