#include "render/scenes/ProductLook.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Products of more terms are not added up layer by layer.
constexpr double mostOperations = 33554432.0;

ValueRange joined(const ValueRange &a, const ValueRange &b)
{
    if (a.isEmpty || b.isEmpty)
        return a.isEmpty ? b : a;
    return {std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum), false};
}

/// Cells have numbers while `withNumbers` is room for them; of more the pattern shows in less room too.
double fitted(Index count, double cell, double withNumbers)
{
    const bool isLong = count > 12 && static_cast<double>(count) * cell > withNumbers;
    const double most = isLong ? 168.0 : withNumbers;
    return axisExtent(count, cell, most, most);
}

/// Whether single numbers of it are read, and some have a sign or two digits before the point.
bool showsLongNumbers(const ProductMatrix &matrix)
{
    if (matrix.cols() > 12 || matrix.rows() > 64)
        return false;
    const ValueStatistics statistics = matrix.values->statistics(0);
    return statistics.minimum < 0.0 || statistics.maximum >= 10.0;
}

} // namespace

bool canDrawLayers(const Product &product)
{
    return static_cast<double>(product.rows()) * static_cast<double>(product.inner()) *
               static_cast<double>(product.cols()) <=
           mostOperations;
}

ProductsOptions insideProduct(ProductsOptions options, const Product &product)
{
    const auto inside = [](Index index, Index count) {
        return std::clamp<Index>(index, 0, std::max<Index>(count, 1) - 1);
    };
    options.i = inside(options.i, product.rows());
    options.j = inside(options.j, product.inner());
    options.k = inside(options.k, product.cols());
    if (options.step > product.inner())
        options.step = -1;
    return options;
}

ProductLook::ProductLook(const MapFactory &maps, const Product &product, const ProductsOptions &options)
    : m_maps(maps)
    , m_product(product)
    , m_options(insideProduct(options, product))
    , m_iLabels(labelsOf(product.left, true))
    , m_jLabels(labelsOf(product.left, false))
    , m_kLabels(labelsOf(product.right, false))
    , m_terms(cellTerms(product, m_options.i, m_options.k, mostProductPieces, m_options.j))
    , m_added(static_cast<std::size_t>(product.inner()), true)
{
    for (const ProductTerm &term : m_terms.terms)
        m_shown.push_back(term.j);
    m_step = m_options.step < 0 ? product.inner() : m_options.step;
    if (canDrawLayers(product)) {
        m_order = layerOrder(product, m_options.order);
        m_sums = runningSum(product, m_order, m_step);
        for (std::size_t at = static_cast<std::size_t>(m_step); at < m_order.size(); ++at)
            m_added[static_cast<std::size_t>(m_order[at])] = false;
    }
    const bool few = product.inner() <= mostProductPieces && product.cols() <= 12 && product.rows() <= 12;
    const bool areLong =
        showsLongNumbers(product.left) || showsLongNumbers(product.right) || showsLongNumbers(product.result);
    m_cell = QSizeF(areLong ? 44.0 : 36.0, few ? 22.0 : 20.0);
    chooseRanges();
}

bool ProductLook::isCutIntoHeads() const
{
    const Index heads = m_maps.experiment().nHeads;
    return m_product.kind == ProductKind::Output && m_product.head < 0 && heads > 1 &&
           m_product.inner() % heads == 0;
}

Index ProductLook::headWidth() const
{
    return m_product.inner() / m_maps.experiment().nHeads;
}

bool ProductLook::isAdded(Index j) const
{
    return m_added[static_cast<std::size_t>(j)];
}

void ProductLook::chooseRanges()
{
    constexpr ColorMap::Kind kind = ColorMap::Kind::Diverging;
    const auto range = [](const StageValuesPtr &values) {
        return automaticRange(values->statistics(0), kind);
    };
    if (hasSums()) {
        m_layerRange = range(layerValues(m_product, m_options.j));
        for (const Index j : m_shown)
            m_layerRange = joined(m_layerRange, range(layerValues(m_product, j)));
    } else {
        m_layerRange = range(listValues(termNumbers(), true));
    }
    const bool isOfStage = m_product.result.lab.empty();
    if (!hasSums() || (isOfStage && m_maps.hasFixedRange(m_product.result.stage))) {
        m_sumRange = rangeOf(m_product.result);
        return;
    }
    m_sumRange = joined(range(m_sums.sum), range(m_sums.rest));
    m_sumRange = joined(m_sumRange, range(m_product.result.values));
}

double ProductLook::heightOf(Index count) const
{
    return fitted(count, m_cell.height(), 288.0);
}

double ProductLook::widthOf(Index count) const
{
    return fitted(count, m_cell.width(), 8.0 * m_cell.width());
}

QString ProductLook::labelOf(const ProductMatrix &matrix, bool row, Index at) const
{
    if (!matrix.lab.empty())
        return QString::number(at + 1);
    const CellIndex cell = row ? matrix.cellOf(at, 0) : matrix.cellOf(0, at);
    const bool isStageRow = row != matrix.transposed;
    const Experiment &experiment = m_maps.experiment();
    return QString::fromStdString(isStageRow ? rowLabel(experiment, matrix.stage, cell.row)
                                             : colLabel(experiment, matrix.stage, cell.col));
}

QStringList ProductLook::labelsOf(const ProductMatrix &matrix, bool rows) const
{
    QStringList labels;
    const Index count = rows ? matrix.rows() : matrix.cols();
    labels.reserve(count);
    for (Index at = 0; at < count; ++at)
        labels.append(labelOf(matrix, rows, at));
    return labels;
}

double ProductLook::labelWidth(const QStringList &labels) const
{
    const QFontMetricsF metrics(m_maps.theme().textFont);
    double width = 0.0;
    for (const QString &label : labels) {
        width = std::max(width, metrics.horizontalAdvance(visibleLabel(label)) + 8.0);
        if (width >= 64.0)
            return 64.0;
    }
    return width;
}

double ProductLook::labelHeight(const QStringList &labels, double width) const
{
    constexpr double flat = 18.0;
    const double widest = labelWidth(labels);
    const bool fits = labels.isEmpty() || widest <= width / static_cast<double>(labels.size());
    return fits || labels.size() > 64 ? flat : std::max(flat, widest);
}

QString ProductLook::symbolOf(const ProductMatrix &matrix) const
{
    if (!matrix.lab.empty())
        return QString::fromStdString(labTitle(matrix.lab));
    QString symbol = symbolIn(m_maps.snapshot(), matrix.stage);
    if (matrix.transposed)
        symbol += QStringLiteral("^{T}");
    return symbol;
}

QString ProductLook::leftSymbol() const
{
    return symbolOf(m_product.left);
}

QString ProductLook::rightSymbol() const
{
    return symbolOf(m_product.right);
}

QString ProductLook::resultSymbol() const
{
    return symbolOf(m_product.result);
}

ColorMap::Kind ProductLook::kindOf(const ProductMatrix &matrix) const
{
    return matrix.lab.empty() ? defaultKind(matrix.stage) : ColorMap::Kind::Diverging;
}

ValueRange ProductLook::rangeOf(const ProductMatrix &matrix) const
{
    if (matrix.lab.empty())
        return m_maps.range(matrix.stage, matrix.head);
    return automaticRange(matrix.values->statistics(0), ColorMap::Kind::Diverging);
}

SceneMap ProductLook::matrixMap(const ProductMatrix &matrix, const QRectF &rect) const
{
    MapKey key;
    const bool isResultOfFree = m_product.kind == ProductKind::Free && &matrix == &m_product.result;
    if (isResultOfFree) {
        key = MapKey::derived(QStringLiteral("result"));
    } else if (!matrix.lab.empty()) {
        key = MapKey::lab(QString::fromStdString(matrix.lab));
    } else {
        key.stage = matrix.stage;
        key.head = matrix.head;
        key.rowOffset = matrix.firstRow;
        key.colOffset = matrix.firstCol;
        key.transposed = matrix.transposed;
    }
    SceneMap map = m_maps.valuesMap(key, matrix.values, rect,
                                    &matrix == &m_product.result ? m_sumRange : rangeOf(matrix));
    map.colorMap = m_maps.colorMap(kindOf(matrix));
    map.name = matrix.lab.empty() ? m_maps.mapName(matrix.stage, matrix.head) : symbolOf(matrix);
    if (!matrix.lab.empty()) {
        map.readOnly = isResultOfFree;
        return map;
    }
    const StageInfo &info = stageInfo(matrix.stage);
    map.readOnly = info.kind == StageKind::Derived;
    map.isPinned = pinTest(m_maps.snapshotPtr(), key);
    markMasked(map, m_maps.snapshot(), matrix.stage, matrix.head);
    return map;
}

SceneMap ProductLook::sumMap(const QString &id, const QString &name, StageValuesPtr values,
                             const QRectF &rect) const
{
    SceneMap map = m_maps.valuesMap(MapKey::derived(id), std::move(values), rect, m_sumRange);
    map.colorMap = m_maps.colorMap(ColorMap::Kind::Diverging);
    map.name = name;
    return map;
}

SceneMap ProductLook::layerMap(const QString &id, const QString &name, StageValuesPtr values,
                               const QRectF &rect) const
{
    SceneMap map = sumMap(id, name, std::move(values), rect);
    map.range = m_layerRange;
    return map;
}

std::vector<double> ProductLook::termNumbers() const
{
    std::vector<double> numbers;
    for (const ProductTerm &term : m_terms.terms)
        numbers.push_back(term.value);
    return numbers;
}

SceneMap ProductLook::factorMap(const QString &id, const QString &name, const ProductMatrix &like,
                                StageValuesPtr values, const QRectF &rect) const
{
    SceneMap map = m_maps.valuesMap(MapKey::derived(id), std::move(values), rect, rangeOf(like));
    map.colorMap = m_maps.colorMap(kindOf(like));
    map.name = name;
    return map;
}

QString ProductLook::figure(double value) const
{
    QString text = QString::fromStdString(displayText(value, m_maps.display().decimals + 2));
    if (text.contains(u'.') && !text.contains(u'e')) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
    }
    return text.replace(u'-', QChar(0x2212));
}

StageValuesPtr listValues(const std::vector<double> &numbers, bool asColumn)
{
    const auto count = static_cast<Index>(numbers.size());
    return valuesOf(Tensor::fromDoubles(asColumn ? Shape{1, count, 1} : Shape{1, 1, count}, numbers));
}

void setLabels(SceneMap &map, const QStringList &rows, const QStringList &cols, double rowWidth,
               double colHeight)
{
    map.rowLabels = rows;
    map.colLabels = cols;
    map.rowLabelWidth = rowWidth;
    map.colLabelHeight = colHeight;
}

} // namespace attn
