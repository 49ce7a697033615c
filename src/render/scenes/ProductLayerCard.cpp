#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/ProductCardFrame.h"
#include "render/scenes/ProductCards.h"
#include "render/scenes/ProductReadings.h"
#include "render/scenes/ProductText.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

using namespace productCard;

namespace {

constexpr double factorRoom = 28.0;
constexpr double layerCaptionRoom = 20.0;

/// The chosen cell in a map of the result's shape.
MapEmphasis cellMark(const ProductLook &look)
{
    return {look.options().i, look.options().i, look.options().k, look.options().k, MapEmphasis::Style::Soft};
}

/// Small pictures of the shown layers beside the header, in order, the chosen one framed, those not added
/// yet faded.
void addGallery(ProductCardFrame &card, const ProductLook &look, double x)
{
    const Product &product = look.product();
    const double width = std::clamp(static_cast<double>(product.cols()) * 10.0, 32.0, 60.0);
    const double height = std::clamp(static_cast<double>(product.rows()) * 8.0, 24.0, 32.0);
    const double y = padding + 16.0;
    for (std::size_t at = 0; at < look.shown().size(); ++at) {
        const Index j = look.shown()[at];
        const QString label = visibleLabel(look.jLabel(j));
        if (at > 0) {
            card.addSign(x, y, height, QStringLiteral("+"));
            x += operatorWidth;
        }
        card.addText({x, y - 16.0, width, 16.0}, label, SceneText::Style::Muted, Qt::AlignCenter);
        SceneMap map =
            look.layerMap(QStringLiteral("layer:%1").arg(j), ProductText::tr("layer of %1").arg(label),
                          layerValues(product, j), {x, y, width, height});
        map.showNumbers = false;
        map.isPiece = true;
        setLabels(map, look.iLabels(), look.kLabels(), 0.0, 0.0);
        if (!look.isAdded(j))
            map.emphasis.push_back(
                {0, product.rows() - 1, 0, product.cols() - 1, MapEmphasis::Style::Veiled});
        if (j == look.options().j)
            map.emphasis.push_back(
                {0, product.rows() - 1, 0, product.cols() - 1, MapEmphasis::Style::Framed});
        card.addMap(std::move(map));
        x += width;
    }
    if (look.terms().restCount > 0)
        card.addText({x + 8.0, y, 160.0, height}, ProductText::tr("+ %1 more").arg(look.terms().restCount),
                     SceneText::Style::Label);
}

/// The layer of the chosen j with its two factors at its edges.
double addLayer(ProductCardFrame &card, const ProductLook &look, double x, double y, const QSizeF &cells)
{
    const Product &product = look.product();
    const Index j = look.options().j;
    const QString label = visibleLabel(look.jLabel(j));
    // Its name stands in the corner that its factors leave free.
    const QString caption = ProductText::tr("layer of j = %1").arg(label);
    const double captionWidth =
        std::ceil(QFontMetricsF(look.maps().theme().textFont).horizontalAdvance(caption)) + 12.0;
    const double labels = std::max(look.labelWidth(look.iLabels()), captionWidth - 40.0);
    card.addText({x, y, captionWidth, layerCaptionRoom}, caption, SceneText::Style::Label);
    const QRectF place(QPointF(x + labels + 40.0, y + factorRoom), cells);
    SceneMap column =
        look.factorMap(QStringLiteral("outer:column"), ProductText::tr("column %1 of the left").arg(label),
                       product.left, listValues(columnNumbers(*product.left.values, 0, j), true),
                       {place.left() - 40.0, place.top(), 36.0, cells.height()});
    setLabels(column, look.iLabels(), {look.jLabel(j)}, labels, 0.0);
    SceneMap row =
        look.factorMap(QStringLiteral("outer:row"), ProductText::tr("row %1 of the right").arg(label),
                       product.right, listValues(rowNumbers(*product.right.values, 0, j), false),
                       {place.left(), place.top() - 24.0, cells.width(), 20.0});
    setLabels(row, {look.jLabel(j)}, look.kLabels(), 0.0, 0.0);
    SceneMap layer = look.layerMap(QStringLiteral("outer:layer"), ProductText::tr("layer of %1").arg(label),
                                   layerValues(product, j), place);
    setLabels(layer, look.iLabels(), look.kLabels(), 0.0, 0.0);
    layer.emphasis = {cellMark(look)};
    layer.colorBar = {place.left(), place.bottom() + 8.0, std::min(place.width(), 128.0), 8.0};
    card.addMap(std::move(column));
    card.addMap(std::move(row));
    card.addMap(std::move(layer));
    return place.right();
}

/// A map of the result's shape below a caption; returns its right end.
double addSum(ProductCardFrame &card, const ProductLook &look, const QString &id, const QString &caption,
              const StageValuesPtr &values, const QRectF &place, bool withLegend)
{
    card.addText(
        {place.left(), place.top() - layerCaptionRoom, std::max(place.width(), 150.0), layerCaptionRoom},
        caption, SceneText::Style::Label);
    SceneMap map = look.sumMap(id, caption, values, place);
    setLabels(map, look.iLabels(), look.kLabels(), 0.0, 0.0);
    map.emphasis = {cellMark(look)};
    if (withLegend)
        map.colorBar = {place.left(), place.bottom() + 8.0, std::min(place.width(), 128.0), 8.0};
    card.addMap(std::move(map));
    return std::max(place.right(), place.left() + 150.0);
}

/// The rank of the running sum and what is missing, below the map of what is missing.
void addRank(ProductCardFrame &card, const ProductLook &look, const QPointF &corner)
{
    const RunningSum &sums = look.sums();
    const double share = sums.wholeNorm > 0.0 ? sums.restNorm / sums.wholeNorm * 100.0 : 0.0;
    const QStringList sentences = {sums.rank < 0 ? ProductText::tr("Rank not computed at this size.")
                                                 : ProductText::tr("Rank of the sum: %1.").arg(sums.rank),
                                   ProductText::tr("Missing: norm %1 of %2 (%3 %).")
                                       .arg(look.figure(sums.restNorm), look.figure(sums.wholeNorm),
                                            look.figure(std::round(share * 10.0) / 10.0))};
    const QFontMetricsF metrics(look.maps().theme().textFont);
    double y = corner.y();
    for (const QString &sentence : sentences) {
        card.addText({corner.x(), y, std::ceil(metrics.horizontalAdvance(sentence)) + 4.0, line}, sentence,
                     SceneText::Style::Label);
        y += line;
    }
}

} // namespace

Scene outerCard(const ProductLook &look)
{
    const Product &product = look.product();
    ProductCardFrame card(520.0);
    card.addHeader(ProductText::tr("Outer view: layers of rank 1"),
                   ProductText::tr("Held fixed in a layer: j = %1.\nThe layers are added up over j.")
                       .arg(visibleLabel(look.jLabel(look.options().j))),
                   false);
    addGallery(card, look, card.headerRight() + 24.0);
    const QSizeF cells(look.widthOf(product.cols()), look.heightOf(product.rows()));
    const double y = card.bottom() + gap;
    double x = addLayer(card, look, padding, y, cells);
    const double top = y + factorRoom;
    const Index step = look.step();
    x = addSum(card, look, QStringLiteral("outer:sum"),
               ProductText::tr("sum of %1 of %2 layers").arg(step).arg(product.inner()), look.sums().sum,
               {QPointF(x + 24.0, top), cells}, true);
    x += 24.0;
    addSum(card, look, QStringLiteral("outer:rest"), ProductText::tr("what is missing"), look.sums().rest,
           {QPointF(x, top), cells}, false);
    addRank(card, look, {x, top + cells.height() + 2.0});
    const QString order =
        look.options().order == LayerOrder::LargestFirst
            ? ProductText::tr("Added largest layer first: the start of a low-rank approximation.")
            : ProductText::tr("Added in the order of j.");
    card.addFooter(
        QStringLiteral("%1 %2").arg(order, productReading(look.product(), ProductViewKind::Outer)));
    return card.finished();
}

} // namespace attn
