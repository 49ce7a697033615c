#include "render/scenes/heads/HeadDraft.h"

#include "render/MathText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>

namespace attn {

namespace {

constexpr double headMargin = 24.0;
constexpr double sectionPadding = 16.0;
constexpr double sectionGap = 16.0;
constexpr double headMapGap = 28.0;
constexpr double mapTitle = 22.0;
constexpr double mapNote = 17.0;
constexpr double buttonHeight = 24.0;
constexpr double barAndNumbers = cardMetrics::axisRoom + cardMetrics::barRoom;

double titleRoomOf(const LabelledMap &map)
{
    return (map.title.isEmpty() ? 0.0 : mapTitle) + (map.note.isEmpty() ? 0.0 : mapNote);
}

double roomBelow(const LabelledMap &map)
{
    return map.withBar ? barAndNumbers : 6.0;
}

} // namespace

QSizeF headCells(Index rows, Index cols, const QSizeF &most)
{
    const double height = axisExtent(rows, 26.0, most.height(), most.height());
    double width = axisExtent(cols, 42.0, most.width(), most.width());
    // Cells of large matrices stay square, so that a triangle looks like one.
    const double cell = height / static_cast<double>(std::max<Index>(rows, 1));
    if (cell < 12.0)
        width = std::clamp(cell * static_cast<double>(cols), std::min(width, 48.0), width);
    return {width, height};
}

double HeadDraft::innerWidth() const
{
    return m_width - 2.0 * (headMargin + sectionPadding);
}

double HeadDraft::left() const
{
    return headMargin + sectionPadding;
}

double HeadDraft::textWidth(const QString &text) const
{
    return QFontMetricsF(maps().theme().textFont).horizontalAdvance(text);
}

void HeadDraft::addHeading(const QString &title, const QString &explanation)
{
    const double width = m_width - 2.0 * headMargin;
    m_draft.addText({headMargin, m_y, width, 26.0}, title, SceneText::Style::Heading);
    m_y = m_draft.addParagraph({headMargin, m_y + 28.0}, width, explanation) + 12.0;
}

void HeadDraft::beginSection(const QString &title, const QString &explanation)
{
    m_sectionTop = m_y;
    m_sectionTexts = m_draft.scene().texts.size();
    m_y += sectionPadding - 4.0;
    m_draft.addText({left(), m_y, innerWidth(), 22.0}, title, SceneText::Style::Heading);
    m_y += 24.0;
    if (!explanation.isEmpty())
        addParagraph(explanation);
    m_y += 4.0;
}

void HeadDraft::makeSectionHint()
{
    m_draft.makeHints(m_sectionTexts);
}

void HeadDraft::endSection()
{
    m_y += sectionPadding - 4.0;
    m_sections.push_back(m_draft.scene().boxes.size());
    m_draft.addBox({headMargin, m_sectionTop, m_width - 2.0 * headMargin, m_y - m_sectionTop});
    const auto &texts = m_draft.scene().texts;
    const bool hasMaps = std::ranges::any_of(
        m_draft.scene().maps, [this](const SceneMap &map) { return map.rect.top() >= m_sectionTop; });
    m_draft.scene().boxes.back().isHint =
        !hasMaps && std::all_of(texts.begin() + std::ptrdiff_t(m_sectionTexts), texts.end(),
                                [](const SceneText &text) { return text.isHint; });
    m_y += sectionGap;
}

void HeadDraft::addParagraph(const QString &text, SceneText::Style style)
{
    m_y = m_draft.addParagraph({left(), m_y}, innerWidth(), text, style) + 4.0;
}

void HeadDraft::addLine(const QString &text, SceneText::Style style)
{
    m_draft.addText({left(), m_y, innerWidth(), 19.0}, text, style);
    m_y += 20.0;
}

LabelledMap HeadDraft::stage(Stage stage, Index head, const QSizeF &cells, const QString &title,
                             bool withRowLabels) const
{
    LabelledMap labelled;
    labelled.map = maps().stageMap(stage, head, QRectF(QPointF(), cells));
    labelled.map.rowLabelWidth = withRowLabels ? maps().rowLabelWidth(stage) : 0.0;
    if (!withRowLabels)
        labelled.map.rowLabels.clear();
    const Index cols = std::max<Index>(labelled.map.values->cols(), 1);
    labelled.map.colLabelHeight = columnLabelHeight(maps(), stage, cells.width() / static_cast<double>(cols));
    labelled.title = title;
    labelled.note =
        QString::fromStdString(shapeText({1, labelled.map.values->rows(), labelled.map.values->cols()}));
    const QString state = stateText(maps().state(stage));
    if (!state.isEmpty())
        labelled.note += QStringLiteral(" · ") + state;
    return labelled;
}

LabelledMap HeadDraft::stageColumns(Stage stage, Index head, Index col, Index colCount, const QSizeF &cells,
                                    const QString &title) const
{
    LabelledMap labelled;
    const Index rows = maps().state(stage).values->rows();
    labelled.map = m_draft.stageBlock(stage, head, 0, rows, col, colCount, QRectF(QPointF(), cells));
    labelled.map.rowLabelWidth = maps().rowLabelWidth(stage);
    labelled.map.colLabelHeight =
        columnLabelHeight(maps(), stage, cells.width() / static_cast<double>(std::max<Index>(colCount, 1)));
    labelled.title = title;
    labelled.note = QString::fromStdString(shapeText({1, rows, colCount}));
    return labelled;
}

LabelledMap HeadDraft::derived(const QString &id, const QString &name, const StageValuesPtr &values,
                               const QSizeF &cells, const QString &title, ColorMap::Kind kind,
                               std::optional<Stage> labelled) const
{
    LabelledMap made;
    made.map = m_draft.derived(id, name, values, QRectF(QPointF(), cells), kind);
    if (labelled)
        addLabelsOf(*labelled, made.map);
    made.title = title;
    made.note = QString::fromStdString(shapeText({1, values->rows(), values->cols()}));
    return made;
}

void HeadDraft::addLabelsOf(Stage stage, SceneMap &map) const
{
    const StageValuesPtr &like = maps().state(stage).values;
    if (like && like->rows() == map.values->rows()) {
        map.rowLabels = maps().rowLabels(stage);
        map.rowLabelWidth = maps().rowLabelWidth(stage);
    }
    if (like && like->cols() == map.values->cols()) {
        map.colLabels = maps().colLabels(stage);
        map.colLabelHeight = columnLabelHeight(
            maps(), stage, map.rect.width() / static_cast<double>(std::max<Index>(like->cols(), 1)));
    }
}

QSizeF HeadDraft::outerSize(const LabelledMap &map) const
{
    const double titleWidth = mathTextWidth(map.title, maps().theme().symbolFont) + 4.0;
    const double width = std::max({map.left() + map.map.rect.width(), titleWidth, textWidth(map.note) + 4.0});
    return {width, titleRoomOf(map) + map.above() + map.map.rect.height() + roomBelow(map)};
}

QRectF HeadDraft::place(LabelledMap map, const QPointF &corner, double above, double titleRoom)
{
    const double width = outerSize(map).width();
    if (!map.title.isEmpty())
        m_draft.addText({corner.x(), corner.y(), width, mapTitle - 2.0}, map.title, SceneText::Style::Title);
    if (!map.note.isEmpty())
        m_draft.addText({corner.x(), corner.y() + mapTitle, width, mapNote - 1.0}, map.note,
                        SceneText::Style::Muted);
    const QPointF cells = corner + QPointF(map.left(), titleRoom + above);
    map.map.rect.moveTopLeft(cells);
    if (map.withBar)
        map.map.colorBar = {cells.x(), map.map.rect.bottom() + cardMetrics::axisRoom,
                            std::min(map.map.rect.width(), 240.0), cardMetrics::barHeight};
    const QRectF rect = map.map.rect;
    m_draft.extendTo(corner.x() + width, rect.bottom() + roomBelow(map));
    m_draft.addMap(std::move(map.map));
    return rect;
}

void HeadDraft::placeCells(LabelledMap map, const QPointF &cells)
{
    const double above = map.above();
    const double titleRoom = titleRoomOf(map);
    place(std::move(map), cells - QPointF(map.left(), titleRoom + above), above, titleRoom);
}

std::vector<QRectF> HeadDraft::addMaps(std::vector<LabelledMap> row)
{
    std::vector<QRectF> rects;
    std::size_t first = 0;
    while (first < row.size()) {
        std::size_t last = first;
        double x = left();
        double above = 0.0;
        double titleRoom = 0.0;
        double below = 0.0;
        for (; last < row.size(); ++last) {
            const double width = outerSize(row[last]).width();
            if (last > first && x + width > left() + innerWidth())
                break;
            x += width + headMapGap;
            above = std::max(above, row[last].above());
            titleRoom = std::max(titleRoom, titleRoomOf(row[last]));
            below = std::max(below, row[last].map.rect.height() + roomBelow(row[last]));
        }
        x = left();
        for (std::size_t i = first; i < last; ++i) {
            const double width = outerSize(row[i]).width();
            rects.push_back(place(std::move(row[i]), {x, m_y}, above, titleRoom));
            x += width + headMapGap;
        }
        m_y += titleRoom + above + below + 8.0;
        first = last;
    }
    return rects;
}

void HeadDraft::addButtons(const QString &caption, const std::vector<Button> &buttons)
{
    double x = left();
    if (!caption.isEmpty()) {
        const double width = textWidth(caption) + 12.0;
        m_draft.addText({x, m_y, width, buttonHeight}, caption, SceneText::Style::Label);
        x += width;
    }
    const double start = x;
    for (const Button &button : buttons) {
        const double width = std::max(textWidth(button.text) + 22.0, 36.0);
        if (x > start && x + width > left() + innerWidth()) {
            x = start;
            m_y += buttonHeight + 4.0;
        }
        m_draft.addControl(button.id, {x, m_y, width, buttonHeight}, button.text, button.name);
        SceneControl &control = m_draft.scene().controls.back();
        control.checkable = button.isCheckable;
        control.checked = button.isChecked;
        control.enabled = button.isEnabled;
        x += width + 6.0;
    }
    m_y += buttonHeight + 8.0;
}

void HeadDraft::addHeadButtons(Index focus)
{
    const Index heads = maps().experiment().nHeads;
    if (heads <= 1)
        return;
    std::vector<Button> buttons;
    for (Index head = 0; head < heads; ++head)
        buttons.push_back({QStringLiteral("head:%1").arg(head), QString::number(head + 1),
                           QCoreApplication::translate("Scene", "Focus head %1").arg(head + 1), head == focus,
                           true, true});
    addButtons(QCoreApplication::translate("Scene", "In focus: head %1").arg(focus + 1), buttons);
}

Scene HeadDraft::finished()
{
    Scene scene = m_draft.finished(0.0);
    double right = m_width - headMargin;
    for (const SceneMap &map : scene.maps)
        right = std::max(right, map.rect.right() + sectionPadding);
    for (const std::size_t section : m_sections)
        scene.boxes[section].rect.setRight(right);
    scene.size = {right + headMargin, m_y - sectionGap + headMargin};
    return scene;
}

} // namespace attn
