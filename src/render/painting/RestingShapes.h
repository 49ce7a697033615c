#pragma once

#include "render/Scene.h"

#include <QImage>
#include <QRect>

namespace attn {

/// The picture of the shapes of a scene that stay while others come and go, kept between paints: hundreds of
/// wide ribbons take longer to fill than a frame lasts. One thread.
class RestingShapes
{
public:
    /// Draws the first `scene.resting` shapes. Makes their picture anew only when one of them, the scale or
    /// the theme differs, or when a part is exposed that it does not hold.
    void paint(QPainter &painter, const Scene &scene, const ScenePaintOptions &options,
               const QRectF &exposed);
    /// How many pictures had to be made.
    int misses() const { return m_misses; }

private:
    /// What the picture depends on; paths are shared with the scene.
    struct Look
    {
        std::vector<SceneShape> shapes;
        std::vector<QRgb> colors;
        double scale = 0.0;
        double ratio = 1.0;
    };

    bool isOf(const Look &look) const;
    void make(const Look &look, const QRect &part);

    Look m_look;
    QImage m_image;
    QRect m_part; ///< of the scene in device pixels from its origin
    int m_misses = 0;
};

} // namespace attn
