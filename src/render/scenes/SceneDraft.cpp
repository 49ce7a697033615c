#include "render/scenes/SceneDraft.h"

#include "engine/StageSlice.h"
#include "render/scenes/StageCard.h"

#include <algorithm>

namespace attn {

namespace {

constexpr double paragraphLine = 17.0;

} // namespace

void SceneDraft::addText(const QRectF &rect, const QString &text, SceneText::Style style,
                         Qt::Alignment alignment)
{
    m_scene.texts.push_back({rect, text, style, alignment});
    extendTo(rect.right(), rect.bottom());
}

double addParagraph(Scene &scene, const Theme &theme, const QPointF &corner, double width,
                    const QString &text, SceneText::Style style)
{
    double y = corner.y();
    for (const QString &line : wrappedLines(text, theme.textFont, width)) {
        scene.texts.push_back({QRectF(corner.x(), y, width, paragraphLine), line, style});
        scene.texts.back().continues = y > corner.y();
        y += paragraphLine;
    }
    return y;
}

double SceneDraft::addParagraph(const QPointF &corner, double width, const QString &text,
                                SceneText::Style style)
{
    const double bottom = attn::addParagraph(m_scene, m_maps.theme(), corner, width, text, style);
    extendTo(corner.x() + width, bottom);
    return bottom;
}

double SceneDraft::addHint(const QPointF &corner, double width, const QString &text, SceneText::Style style)
{
    const std::size_t before = m_scene.texts.size();
    const double bottom = addParagraph(corner, width, text, style);
    makeHints(before);
    return bottom;
}

void SceneDraft::makeHints(std::size_t texts)
{
    for (std::size_t i = texts; i < m_scene.texts.size(); ++i)
        m_scene.texts[i].isHint = true;
}

void SceneDraft::addBox(const QRectF &rect)
{
    m_scene.boxes.push_back({rect});
    extendTo(rect.right(), rect.bottom());
}

void SceneDraft::addControl(const QString &id, const QRectF &rect, const QString &text, const QString &name)
{
    SceneControl control;
    control.id = id;
    control.rect = rect;
    control.text = text;
    control.name = name;
    m_scene.controls.push_back(control);
    extendTo(rect.right(), rect.bottom());
}

SceneMap SceneDraft::stageBlock(Stage stage, Index head, Index row, Index rowCount, Index col, Index colCount,
                                const QRectF &rect) const
{
    SceneMap map = m_maps.stageMap(stage, head, rect);
    map.key.rowOffset = row;
    map.key.colOffset = col;
    map.values = sliceOf(map.values, head, row, col, rowCount, colCount);
    map.head = 0;
    map.isPinned = pinTest(m_maps.snapshotPtr(), map.key);
    if (map.allowed)
        map.allowed = sliceOf(map.allowed, map.allowedHead, row, col, rowCount, colCount);
    map.allowedHead = 0;
    const auto cut = [](const QStringList &labels, Index first, Index count) {
        return labels.isEmpty() ? labels : labels.mid(first, count);
    };
    map.rowLabels = cut(map.rowLabels, row, rowCount);
    map.colLabels = cut(map.colLabels, col, colCount);
    map.rangeNote.clear();
    return map;
}

SceneMap SceneDraft::derived(const QString &id, const QString &name, StageValuesPtr values,
                             const QRectF &rect, ColorMap::Kind kind) const
{
    SceneMap map = m_maps.valuesMap(MapKey::derived(id), std::move(values), rect, {});
    map.name = name;
    map.colorMap = m_maps.colorMap(kind);
    map.range = automaticRange(map.values->statistics(0), kind);
    return map;
}

ValueRange SceneDraft::united(const ValueRange &one, const ValueRange &other)
{
    if (one.isEmpty || other.isEmpty)
        return one.isEmpty ? other : one;
    return {std::min(one.minimum, other.minimum), std::max(one.maximum, other.maximum), false};
}

void SceneDraft::extendTo(double right, double bottom)
{
    m_right = std::max(m_right, right);
    m_bottom = std::max(m_bottom, bottom);
}

Scene SceneDraft::finished(double margin)
{
    m_scene.size = {m_right + margin, m_bottom + margin};
    return std::move(m_scene);
}

} // namespace attn
