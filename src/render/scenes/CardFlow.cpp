#include "render/scenes/CardFlow.h"

#include <algorithm>

namespace attn {

CardFlow::CardFlow(Scene &scene, const QPointF &corner, double right, double gap)
    : m_scene(scene)
    , m_left(corner.x())
    , m_limit(right)
    , m_gap(gap)
    , m_x(corner.x())
    , m_y(corner.y())
{
}

QPointF CardFlow::next(const QSizeF &size)
{
    if (!m_line.empty() && m_x + size.width() > m_limit)
        breakLine();
    m_line.push_back(m_scene.boxes.size());
    const QPointF corner(m_x, m_y);
    m_x += size.width() + m_gap;
    m_lineHeight = std::max(m_lineHeight, size.height());
    m_right = std::max(m_right, m_x - m_gap);
    return corner;
}

void CardFlow::breakLine()
{
    if (m_line.empty())
        return;
    for (const std::size_t box : m_line)
        m_scene.boxes[box].rect.setHeight(m_lineHeight);
    m_ends.push_back(m_line.back());
    m_line.clear();
    m_y += m_lineHeight + m_gap;
    m_x = m_left;
    m_lineHeight = 0.0;
}

QPointF CardFlow::finish()
{
    breakLine();
    for (const std::size_t box : m_ends)
        m_scene.boxes[box].rect.setRight(m_right);
    return {m_right, m_y - m_gap};
}

} // namespace attn
