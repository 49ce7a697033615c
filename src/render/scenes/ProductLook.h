#pragma once

#include "render/ProductsScene.h"
#include "render/scenes/MapFactory.h"

namespace attn {

/// What the cards of the products workspace share: the product, its labels, colours, sizes of cells, which
/// pieces are shown, and the running sum.
class ProductLook
{
public:
    ProductLook(const MapFactory &maps, const Product &product, const ProductsOptions &options);

    const MapFactory &maps() const { return m_maps; }
    const Product &product() const { return m_product; }
    const ProductsOptions &options() const { return m_options; }
    const CellTerms &terms() const { return m_terms; }
    /// j of the pieces that are shown, ascending.
    const std::vector<Index> &shown() const { return m_shown; }
    bool hasSums() const { return m_sums.sum != nullptr; }
    const RunningSum &sums() const { return m_sums; }
    /// How many layers are in the running sum, and whether that of j is.
    Index step() const { return m_step; }
    bool isAdded(Index j) const;

    QString iLabel(Index i) const { return m_iLabels.at(i); }
    QString jLabel(Index j) const { return m_jLabels.at(j); }
    QString kLabel(Index k) const { return m_kLabels.at(k); }
    const QStringList &iLabels() const { return m_iLabels; }
    const QStringList &jLabels() const { return m_jLabels; }
    const QStringList &kLabels() const { return m_kLabels; }
    /// Room that row labels i (or j) need, at most 64.
    double labelWidth(const QStringList &labels) const;

    /// Room above a map of this width for its column labels, which may have to be turned.
    double labelHeight(const QStringList &labels, double width) const;

    /// Symbols as markup: "X", "W^{Q}", "Q", with the head as an index.
    QString leftSymbol() const;
    QString rightSymbol() const;
    QString resultSymbol() const;

    /// Whether the inner index runs through the features of one head after the other: concat W^O of all
    /// heads.
    bool isCutIntoHeads() const;
    /// Features of each.
    Index headWidth() const;

    double cellWidth() const { return m_cell.width(); }
    double cellHeight() const { return m_cell.height(); }
    /// Size of a matrix whose sides are i, j or k.
    double heightOf(Index count) const;
    double widthOf(Index count) const;

    /// A factor or the result, editable where its stage is.
    SceneMap matrixMap(const ProductMatrix &matrix, const QRectF &rect) const;
    /// Other numbers on the scale of the result.
    SceneMap sumMap(const QString &id, const QString &name, StageValuesPtr values, const QRectF &rect) const;
    /// Terms and layers, on a scale of their own: single ones are often much smaller than their sum.
    SceneMap layerMap(const QString &id, const QString &name, StageValuesPtr values,
                      const QRectF &rect) const;
    /// Numbers of a factor on that factor's scale.
    SceneMap factorMap(const QString &id, const QString &name, const ProductMatrix &like,
                       StageValuesPtr values, const QRectF &rect) const;

    /// A number as it stands in sentences: two places more than in maps, without trailing zeros.
    QString figure(double value) const;

private:
    QString labelOf(const ProductMatrix &matrix, bool row, Index at) const;
    QStringList labelsOf(const ProductMatrix &matrix, bool rows) const;
    QString symbolOf(const ProductMatrix &matrix) const;
    ValueRange rangeOf(const ProductMatrix &matrix) const;
    ColorMap::Kind kindOf(const ProductMatrix &matrix) const;
    void chooseRanges();
    std::vector<double> termNumbers() const;

    const MapFactory &m_maps;
    const Product &m_product;
    ProductsOptions m_options;
    QStringList m_iLabels;
    QStringList m_jLabels;
    QStringList m_kLabels;
    CellTerms m_terms;
    std::vector<Index> m_shown;
    std::vector<Index> m_order;
    std::vector<bool> m_added;
    RunningSum m_sums;
    Index m_step = 0;
    QSizeF m_cell;
    ValueRange m_sumRange;
    ValueRange m_layerRange;
};

/// One column, or one row, of numbers.
StageValuesPtr listValues(const std::vector<double> &numbers, bool asColumn);
/// The label widths and heights around a map.
void setLabels(SceneMap &map, const QStringList &rows, const QStringList &cols, double rowWidth,
               double colHeight);

} // namespace attn
