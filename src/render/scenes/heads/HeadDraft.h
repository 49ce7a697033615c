#pragma once

#include "render/scenes/SceneDraft.h"

#include <optional>

namespace attn {

/// A map with a symbol above it and room for labels, measured before it is placed.
struct LabelledMap
{
    SceneMap map;  ///< rect: the size of its cells alone
    QString title; ///< markup
    QString note;  ///< muted, below the title
    bool withBar = true;

    double left() const { return map.rowLabelWidth; }
    double above() const { return map.colLabelHeight; }
};

/// A page of the heads workspace, built from its top downwards in sections with a ground of their own; maps
/// stand side by side and wrap.
class HeadDraft
{
public:
    HeadDraft(const MapFactory &maps, double width)
        : m_draft(maps)
        , m_width(width)
    {
    }

    SceneDraft &draft() { return m_draft; }
    const MapFactory &maps() const { return m_draft.maps(); }
    const Snapshot &snapshot() const { return maps().snapshot(); }
    /// Room for content inside a section.
    double innerWidth() const;
    double left() const;
    double y() const { return m_y; }
    void moveTo(double y) { m_y = y; }

    void addHeading(const QString &title, const QString &explanation);
    void beginSection(const QString &title, const QString &explanation = {});
    void endSection();
    /// Texts of the section so far are about what can be pressed: a figure leaves them out.
    void makeSectionHint();
    void addParagraph(const QString &text, SceneText::Style style = SceneText::Style::Muted);
    /// One short text; returns nothing, moves down.
    void addLine(const QString &text, SceneText::Style style = SceneText::Style::Label);

    /// The whole of one head of a stage.
    LabelledMap stage(Stage stage, Index head, const QSizeF &cells, const QString &title,
                      bool withRowLabels = true) const;
    /// Columns of one head of a stage.
    LabelledMap stageColumns(Stage stage, Index head, Index col, Index colCount, const QSizeF &cells,
                             const QString &title) const;
    /// Numbers of this page alone, with the labels of a stage of the same rows and columns; none = without.
    LabelledMap derived(const QString &id, const QString &name, const StageValuesPtr &values,
                        const QSizeF &cells, const QString &title, ColorMap::Kind kind,
                        std::optional<Stage> labelled) const;

    /// Places maps side by side, those of a line with their cells at one height; returns the rect of each
    /// map's cells.
    std::vector<QRectF> addMaps(std::vector<LabelledMap> row);
    /// One map with its first cell there and its title right above its labels.
    void placeCells(LabelledMap map, const QPointF &cells);
    /// Small buttons side by side, wrapped.
    struct Button
    {
        QString id;
        QString text;
        QString name;
        bool isChecked = false;
        bool isCheckable = true;
        bool isEnabled = true;
    };
    void addButtons(const QString &caption, const std::vector<Button> &buttons);
    /// "head:0" …: which head is in focus. Nothing for one head.
    void addHeadButtons(Index focus);

    Scene finished();

private:
    void addLabelsOf(Stage stage, SceneMap &map) const;
    QSizeF outerSize(const LabelledMap &map) const;
    QRectF place(LabelledMap map, const QPointF &corner, double above, double titleRoom);
    double textWidth(const QString &text) const;

    SceneDraft m_draft;
    double m_width;
    double m_y = 24.0;
    double m_sectionTop = 0.0;
    std::size_t m_sectionTexts = 0; ///< texts before the section
    double m_right = 0.0;
    std::vector<std::size_t> m_sections; ///< boxes that end at the same right edge
};

/// Height of rows of tokens, width of columns: cells with numbers while they fit.
QSizeF headCells(Index rows, Index cols, const QSizeF &most = {300.0, 220.0});

} // namespace attn
