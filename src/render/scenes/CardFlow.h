#pragma once

#include "render/Scene.h"

#include <vector>

namespace attn {

/// Puts cards side by side while they fit, then below. Cards of one line are of one height, and all lines end
/// at the same right edge.
class CardFlow
{
public:
    /// corner: of the first card. right: where a line must end, at the latest.
    CardFlow(Scene &scene, const QPointF &corner, double right, double gap);

    /// Where the next card stands; the next box of the scene must be its ground.
    QPointF next(const QSizeF &size);
    /// The lower right corner of all cards, whose grounds have their final size then.
    QPointF finish();

private:
    void breakLine();

    Scene &m_scene;
    double m_left;
    double m_limit;
    double m_gap;
    double m_x;
    double m_y;
    double m_lineHeight = 0.0;
    double m_right = 0.0;
    std::vector<std::size_t> m_line; ///< indices of the boxes of this line
    std::vector<std::size_t> m_ends; ///< of the last box of each line before
};

} // namespace attn
