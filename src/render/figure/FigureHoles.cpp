#include "render/figure/FigureHoles.h"

#include <algorithm>
#include <vector>

namespace attn {

namespace {

/// From top to bottom.
struct Stretch
{
    double top = 0.0;
    double bottom = 0.0;
};

constexpr double roomOfLegend = 24.0; ///< of numbers below a wide colour bar
constexpr double paddingOfBoxes = 8.0;

Stretch stretchOf(const QRectF &rect)
{
    return {rect.top(), rect.bottom()};
}

std::vector<Stretch> joined(std::vector<Stretch> stretches)
{
    std::ranges::sort(stretches, {}, &Stretch::top);
    std::vector<Stretch> result;
    for (const Stretch &next : stretches) {
        if (!result.empty() && next.top <= result.back().bottom)
            result.back().bottom = std::max(result.back().bottom, next.bottom);
        else
            result.push_back(next);
    }
    return result;
}

/// What a figure shows, without the grounds that it stands on.
std::vector<Stretch> shownStretches(const Scene &scene)
{
    std::vector<Stretch> shown;
    for (const SceneText &text : scene.texts)
        if (!text.isHint && !text.text.isEmpty())
            shown.push_back(stretchOf(text.rect));
    for (const SceneMap &map : scene.maps) {
        shown.push_back({map.rect.top() - map.colLabelHeight, map.rect.bottom()});
        if (!map.colorBar.isNull())
            shown.push_back({map.colorBar.top(), map.colorBar.bottom() + roomOfLegend});
    }
    for (const SceneShape &shape : scene.shapes)
        if (!shape.isHint && !shape.path.isEmpty())
            shown.push_back(stretchOf(shape.path.boundingRect()));
    for (const SceneLine &line : scene.lines)
        shown.push_back(stretchOf(line.points.boundingRect()));
    for (const SceneBox &box : scene.boxes) {
        if (box.isHint)
            continue;
        shown.push_back({box.rect.top(), std::min(box.rect.top() + paddingOfBoxes, box.rect.bottom())});
        shown.push_back({std::max(box.rect.bottom() - paddingOfBoxes, box.rect.top()), box.rect.bottom()});
    }
    return joined(std::move(shown));
}

std::vector<Stretch> hiddenStretches(const Scene &scene)
{
    std::vector<Stretch> hidden;
    for (const SceneControl &control : scene.controls)
        hidden.push_back(stretchOf(control.rect));
    for (const SceneText &text : scene.texts)
        if (text.isHint)
            hidden.push_back(stretchOf(text.rect));
    for (const SceneBox &box : scene.boxes)
        if (box.isHint)
            hidden.push_back(stretchOf(box.rect));
    return hidden;
}

/// What is cut out: of each gap that holds nothing but what is left away, all but the usual distance.
std::vector<Stretch> holesOf(const Scene &scene)
{
    const std::vector<Stretch> shown = shownStretches(scene);
    const std::vector<Stretch> hidden = hiddenStretches(scene);
    std::vector<Stretch> holes;
    for (std::size_t i = 0; i + 1 < shown.size(); ++i) {
        const Stretch gap{shown[i].bottom, shown[i + 1].top};
        Stretch inside{gap.bottom, gap.top};
        for (const Stretch &one : hidden) {
            if (one.bottom <= gap.top || one.top >= gap.bottom)
                continue;
            inside.top = std::min(inside.top, std::max(one.top, gap.top));
            inside.bottom = std::max(inside.bottom, std::min(one.bottom, gap.bottom));
        }
        if (inside.top >= inside.bottom)
            continue;
        const double distance = std::max(inside.top - gap.top, gap.bottom - inside.bottom);
        holes.push_back({gap.top + distance, gap.bottom});
    }
    return holes;
}

/// Where a place of the scene is once the holes are closed.
class Closing
{
public:
    explicit Closing(std::vector<Stretch> holes)
        : m_holes(std::move(holes))
    {
    }

    double at(double y) const
    {
        double up = 0.0;
        for (const Stretch &hole : m_holes)
            up += std::clamp(y, hole.top, hole.bottom) - hole.top;
        return y - up;
    }
    void close(QRectF &rect) const
    {
        if (rect.isNull())
            return;
        const double top = at(rect.top());
        const double bottom = at(rect.bottom());
        rect.setTop(top);
        rect.setBottom(bottom);
    }

private:
    std::vector<Stretch> m_holes;
};

} // namespace

Scene withoutHoles(const Scene &scene)
{
    const Closing closing(holesOf(scene));
    Scene closed = scene;
    closed.controls.clear();
    closed.grips.clear();
    std::erase_if(closed.texts, &SceneText::isHint);
    std::erase_if(closed.boxes, &SceneBox::isHint);
    for (SceneText &text : closed.texts)
        closing.close(text.rect);
    for (SceneBox &box : closed.boxes)
        closing.close(box.rect);
    for (SceneMap &map : closed.maps) {
        closing.close(map.rect);
        closing.close(map.colorBar);
    }
    for (SceneShape &shape : closed.shapes) {
        const double top = shape.path.boundingRect().top();
        shape.path.translate(0.0, closing.at(top) - top);
    }
    for (SceneLine &line : closed.lines)
        for (QPointF &point : line.points)
            point.setY(closing.at(point.y()));
    closed.size.setHeight(closing.at(scene.size.height()));
    return closed;
}

} // namespace attn
