#include "render/scenes/heads/HeadProjections.h"

#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

namespace {

constexpr double projectionGap = 24.0;
constexpr double projectionTitle = 42.0; ///< symbol and shape above a map
constexpr double projectionBelow = 46.0; ///< colour bar and its numbers
constexpr double mostBlockHeight = 220.0;

/// All blocks take the width they can get, so that columns of one head stay wide enough to be seen.
QSizeF blockCells(Index rows, Index cols, double share)
{
    return {axisExtent(cols, 42.0, share, share), axisExtent(rows, 26.0, mostBlockHeight, mostBlockHeight)};
}

/// One of Q, K, V with what it is made of.
struct Projection
{
    Stage input;
    Stage weight;
    Stage result;
    LineRange cols;
    QString slice; ///< "Q_{2}"
};

class ProjectionsPicture
{
public:
    ProjectionsPicture(HeadDraft &page, const HeadCut &cut);

    void add();

private:
    bool has(Stage stage) const { return m_page.maps().state(stage).hasValues(); }
    const StageValues &values(Stage stage) const { return *m_page.maps().state(stage).values; }
    bool isComputed(const Projection &projection) const
    {
        return has(projection.input) && has(projection.weight);
    }
    double labelsOf(Stage stage) const { return m_page.maps().rowLabelWidth(stage); }
    double blockWidth() const;
    double above(Stage stage, double width) const;
    void measureRows(double share);
    double addInput(Stage input, double x, double share);
    double addProjection(const Projection &projection, double x, double share, bool withLabels);
    void addSlice(const Projection &projection, const QRectF &whole);

    HeadDraft &m_page;
    const HeadCut &m_cut;
    std::vector<Projection> m_projections;
    std::vector<Stage> m_inputs; ///< that are drawn, in order
    double m_weightTop = 0.0;
    double m_resultTop = 0.0;
    double m_sliceTop = 0.0;
    double m_bottom = 0.0;
};

ProjectionsPicture::ProjectionsPicture(HeadDraft &page, const HeadCut &cut)
    : m_page(page)
    , m_cut(cut)
{
    const Stage keyInput = has(Stage::Xkv) ? Stage::Xkv : Stage::X;
    const Projection all[] = {
        {Stage::X, Stage::Wq, Stage::Q, cut.query, QStringLiteral("Q_{%1}").arg(cut.head + 1)},
        {keyInput, Stage::Wk, Stage::K, cut.key, QStringLiteral("K_{%1}").arg(cut.kvHead + 1)},
        {keyInput, Stage::Wv, Stage::V, cut.value, QStringLiteral("V_{%1}").arg(cut.kvHead + 1)},
    };
    for (const Projection &projection : all) {
        if (!has(projection.result))
            continue;
        m_projections.push_back(projection);
        if (isComputed(projection) && std::ranges::find(m_inputs, projection.input) == m_inputs.end())
            m_inputs.push_back(projection.input);
    }
}

/// What is left for each block beside labels and gaps.
double ProjectionsPicture::blockWidth() const
{
    const auto blocks = static_cast<double>(m_projections.size() + m_inputs.size());
    double labels = 0.0;
    for (const Stage input : m_inputs)
        labels += labelsOf(input);
    for (const Projection &projection : m_projections)
        labels +=
            std::max(labelsOf(projection.result), has(projection.weight) ? labelsOf(projection.weight) : 0.0);
    return std::max(96.0, (m_page.innerWidth() - labels - (blocks - 1.0) * projectionGap) / blocks);
}

double ProjectionsPicture::above(Stage stage, double width) const
{
    return columnLabelHeight(m_page.maps(), stage,
                             width / static_cast<double>(std::max<Index>(values(stage).cols(), 1)));
}

void ProjectionsPicture::measureRows(double share)
{
    double weightAbove = 0.0, weightHeight = 0.0, resultAbove = 0.0, resultHeight = 0.0;
    for (const Projection &projection : m_projections) {
        const StageValues &result = values(projection.result);
        const QSizeF cells = blockCells(result.rows(), result.cols(), share);
        resultAbove = std::max(resultAbove, above(projection.result, cells.width()));
        resultHeight = std::max(resultHeight, cells.height());
        if (!has(projection.weight))
            continue;
        weightAbove = std::max(weightAbove, above(projection.weight, cells.width()));
        weightHeight =
            std::max(weightHeight, blockCells(values(projection.weight).rows(), 1, share).height());
    }
    for (const Stage input : m_inputs)
        resultAbove = std::max(
            resultAbove, above(input, blockCells(values(input).rows(), values(input).cols(), share).width()));
    m_weightTop = m_page.y() + projectionTitle + weightAbove;
    const double resultTop = weightHeight > 0.0 ? m_weightTop + weightHeight + projectionBelow : m_page.y();
    m_resultTop = resultTop + projectionTitle + resultAbove;
    m_sliceTop = m_resultTop + resultHeight + projectionBelow + projectionTitle;
    m_bottom = m_sliceTop + resultHeight + 12.0;
}

double ProjectionsPicture::addInput(Stage input, double x, double share)
{
    const StageValues &numbers = values(input);
    LabelledMap map =
        m_page.stage(input, 0, blockCells(numbers.rows(), numbers.cols(), share), stageSymbol(input));
    const QPointF cells(x + map.left(), m_resultTop);
    const double right = cells.x() + map.map.rect.width();
    m_page.placeCells(std::move(map), cells);
    return right + projectionGap;
}

double ProjectionsPicture::addProjection(const Projection &projection, double x, double share,
                                         bool withLabels)
{
    const StageValues &numbers = values(projection.result);
    const QSizeF cells = blockCells(numbers.rows(), numbers.cols(), share);
    const bool hasWeight = has(projection.weight);
    double labels = 0.0;
    if (withLabels)
        labels = std::max(labelsOf(projection.result), hasWeight ? labelsOf(projection.weight) : 0.0);
    const double left = x + labels;
    if (hasWeight) {
        const double height = blockCells(values(projection.weight).rows(), 1, share).height();
        LabelledMap weight = m_page.stage(projection.weight, 0, {cells.width(), height},
                                          stageSymbol(projection.weight), withLabels);
        frameColumns(weight.map, projection.cols);
        m_page.placeCells(std::move(weight), {left, m_weightTop});
    }
    LabelledMap result =
        m_page.stage(projection.result, 0, cells, stageSymbol(projection.result), withLabels);
    frameColumns(result.map, projection.cols);
    const QRectF whole(QPointF(left, m_resultTop), cells);
    m_page.placeCells(std::move(result), whole.topLeft());
    addSlice(projection, whole);
    return whole.right() + projectionGap;
}

/// Below the framed columns, as wide as they are.
void ProjectionsPicture::addSlice(const Projection &projection, const QRectF &whole)
{
    const StageValues &numbers = values(projection.result);
    const double column = whole.width() / static_cast<double>(numbers.cols());
    const QSizeF cells(column * static_cast<double>(projection.cols.count), whole.height());
    const QString name = QString::fromLatin1(stageName(projection.result));
    LabelledMap slice = m_page.stageColumns(projection.result, 0, projection.cols.first,
                                            projection.cols.count, cells, projection.slice);
    slice.note = QCoreApplication::translate("Scene", "columns %1 to %2 of %3")
                     .arg(projection.cols.first + 1)
                     .arg(projection.cols.last() + 1)
                     .arg(name);
    // The same numbers once more, for reading alone: editing happens in the whole.
    slice.map.key = MapKey::derived(QStringLiteral("slice:%1").arg(name));
    slice.map.readOnly = true;
    slice.map.isPinned = {};
    slice.map.isContradicted = {};
    slice.map.rowLabels.clear();
    slice.map.rowLabelWidth = 0.0;
    slice.map.colLabels.clear();
    slice.map.colLabelHeight = 0.0;
    slice.map.name = QCoreApplication::translate("Scene", "%1 of head %2").arg(name).arg(m_cut.head + 1);
    slice.withBar = false;
    const double x = whole.left() + column * static_cast<double>(projection.cols.first);
    m_page.placeCells(std::move(slice), {x, m_sliceTop});
}

void ProjectionsPicture::add()
{
    if (m_projections.empty())
        return;
    const double share = blockWidth();
    measureRows(share);
    double x = m_page.left();
    std::optional<Stage> shownInput;
    std::optional<Axis> shownRows;
    for (const Projection &projection : m_projections) {
        if (isComputed(projection) && shownInput != projection.input) {
            x = addInput(projection.input, x, share);
            shownInput = projection.input;
        }
        // Labels stand once for all maps of the same rows.
        const Axis rows = stageInfo(projection.result).rows;
        const bool isSameTokens =
            shownRows && (*shownRows == rows || m_page.maps().experiment().isSelfAttention());
        x = addProjection(projection, x, share, !isSameTokens);
        shownRows = rows;
    }
    m_page.moveTo(m_bottom);
}

} // namespace

void frameColumns(SceneMap &map, const LineRange &cols)
{
    const Index lastRow = map.values->rows() - 1;
    const Index lastCol = map.values->cols() - 1;
    if (cols.first > 0)
        map.emphasis.push_back({0, lastRow, 0, cols.first - 1, MapEmphasis::Style::Veiled});
    if (cols.last() < lastCol)
        map.emphasis.push_back({0, lastRow, cols.last() + 1, lastCol, MapEmphasis::Style::Veiled});
    map.emphasis.push_back({0, lastRow, cols.first, cols.last(), MapEmphasis::Style::Framed});
}

void frameRows(SceneMap &map, const LineRange &rows)
{
    const Index lastRow = map.values->rows() - 1;
    const Index lastCol = map.values->cols() - 1;
    if (rows.first > 0)
        map.emphasis.push_back({0, rows.first - 1, 0, lastCol, MapEmphasis::Style::Veiled});
    if (rows.last() < lastRow)
        map.emphasis.push_back({rows.last() + 1, lastRow, 0, lastCol, MapEmphasis::Style::Veiled});
    map.emphasis.push_back({rows.first, rows.last(), 0, lastCol, MapEmphasis::Style::Framed});
}

void addHeadProjections(HeadDraft &page, const HeadCut &cut)
{
    ProjectionsPicture(page, cut).add();
}

} // namespace attn
