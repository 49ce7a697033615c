#pragma once

#include "render/scenes/MapFactory.h"

namespace attn {

/// Breaks the text into lines of this width and adds them one below the other; returns where they end.
double addParagraph(Scene &scene, const Theme &theme, const QPointF &corner, double width,
                    const QString &text, SceneText::Style style);

/// A scene that is being built from its top downwards: shorthands for what every teaching picture needs.
class SceneDraft
{
public:
    explicit SceneDraft(const MapFactory &maps)
        : m_maps(maps)
    {
    }

    Scene &scene() { return m_scene; }
    const MapFactory &maps() const { return m_maps; }

    void addText(const QRectF &rect, const QString &text, SceneText::Style style = SceneText::Style::Label,
                 Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    /// The same in this scene, which grows to hold it.
    double addParagraph(const QPointF &corner, double width, const QString &text,
                        SceneText::Style style = SceneText::Style::Muted);
    /// The same for a sentence about what to press, drag or type: figures leave it out.
    double addHint(const QPointF &corner, double width, const QString &text,
                   SceneText::Style style = SceneText::Style::Muted);
    /// What was added since there were `texts` texts is such a sentence.
    void makeHints(std::size_t texts);
    void addBox(const QRectF &rect);
    void addControl(const QString &id, const QRectF &rect, const QString &text, const QString &name = {});

    /// Rows [row, row + rowCount) and columns [col, col + colCount) of one head of a stage, editable like the
    /// stage; row and column labels are cut with it. Room for labels and a colour bar is left at zero.
    SceneMap stageBlock(Stage stage, Index head, Index row, Index rowCount, Index col, Index colCount,
                        const QRectF &rect) const;
    /// Numbers that only this picture has.
    SceneMap derived(const QString &id, const QString &name, StageValuesPtr values, const QRectF &rect,
                     ColorMap::Kind kind) const;
    /// As wide as the numbers of both, so that two maps share a scale.
    static ValueRange united(const ValueRange &one, const ValueRange &other);

    void addMap(SceneMap map) { m_scene.maps.push_back(std::move(map)); }
    /// Grows the scene's size to hold this point.
    void extendTo(double right, double bottom);
    /// With the margin at the right and the bottom.
    Scene finished(double margin);

private:
    const MapFactory &m_maps;
    Scene m_scene;
    double m_right = 0.0;
    double m_bottom = 0.0;
};

} // namespace attn
