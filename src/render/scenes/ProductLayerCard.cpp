#include "render/scenes/ProductCardFrame.h"
#include "render/scenes/ProductCards.h"
#include "render/scenes/ProductReadings.h"

#include "render/LabelText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

using namespace productCard;

namespace {

constexpr double factorRoom = 28.0;
constexpr double captionRoom = 20.0;
constexpr double legendRoom = 44.0;

QString layerText(const char *text)
{
    return QCoreApplication::translate("Products", text);
}

std::vector<double> columnNumbers(const StageValues &values, Index col)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.rows()));
    values.readBlock(0, 0, col, values.rows(), 1, numbers.data(), 1);
    return numbers;
}

std::vector<double> rowNumbers(const StageValues &values, Index row)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.cols()));
    values.readBlock(0, row, 0, 1, values.cols(), numbers.data(), values.cols());
    return numbers;
}

/// The chosen cell in a map of the result's shape.
MapEmphasis cellMark(const ProductLook &look)
{
    return {look.options().i, look.options().i, look.options().k, look.options().k, MapEmphasis::Style::Soft};
}

/// Small pictures of the shown layers, in order, the chosen one framed, those not added yet faded.
void addGallery(ProductCardFrame &card, const ProductLook &look)
{
    const Product &product = look.product();
    const double width = std::clamp(static_cast<double>(product.cols()) * 16.0, 40.0, 96.0);
    const double height = std::clamp(static_cast<double>(product.rows()) * 12.0, 24.0, 64.0);
    const double y = card.top() + 16.0;
    double x = padding;
    for (std::size_t at = 0; at < look.shown().size(); ++at) {
        const Index j = look.shown()[at];
        const QString label = visibleLabel(look.jLabel(j));
        if (at > 0) {
            card.addSign(x, y, height, QStringLiteral("+"));
            x += operatorWidth;
        }
        card.addText({x, y - 16.0, width, 16.0}, label, SceneText::Style::Muted, Qt::AlignCenter);
        SceneMap map = look.layerMap(QStringLiteral("layer:%1").arg(j), layerText("layer of %1").arg(label),
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
        card.addText({x + 8.0, y, 160.0, height}, layerText("+ %1 more").arg(look.terms().restCount),
                     SceneText::Style::Label);
}

/// The layer of the chosen j with its two factors at its edges.
double addLayer(ProductCardFrame &card, const ProductLook &look, double x, double y, const QSizeF &cells)
{
    const Product &product = look.product();
    const Index j = look.options().j;
    const QString label = visibleLabel(look.jLabel(j));
    const double labels = look.labelWidth(look.iLabels());
    card.addText({x, y, labels + factorRoom + 12.0 + cells.width(), captionRoom},
                 layerText("layer of j = %1").arg(label), SceneText::Style::Label);
    const QRectF place(QPointF(x + labels + 40.0, y + captionRoom + factorRoom), cells);
    SceneMap column =
        look.factorMap(QStringLiteral("outer:column"), layerText("column %1 of the left").arg(label),
                       product.left, listValues(columnNumbers(*product.left.values, j), true),
                       {place.left() - 40.0, place.top(), 36.0, cells.height()});
    setLabels(column, look.iLabels(), {look.jLabel(j)}, labels, 0.0);
    SceneMap row = look.factorMap(QStringLiteral("outer:row"), layerText("row %1 of the right").arg(label),
                                  product.right, listValues(rowNumbers(*product.right.values, j), false),
                                  {place.left(), place.top() - 24.0, cells.width(), 20.0});
    setLabels(row, {look.jLabel(j)}, look.kLabels(), 0.0, 0.0);
    SceneMap layer = look.layerMap(QStringLiteral("outer:layer"), layerText("layer of %1").arg(label),
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
              const StageValuesPtr &values, const QRectF &place)
{
    card.addText({place.left(), place.top() - captionRoom, std::max(place.width(), 150.0), captionRoom},
                 caption, SceneText::Style::Label);
    SceneMap map = look.sumMap(id, caption, values, place);
    setLabels(map, look.iLabels(), look.kLabels(), 0.0, 0.0);
    map.emphasis = {cellMark(look)};
    map.colorBar = {place.left(), place.bottom() + 8.0, std::min(place.width(), 128.0), 8.0};
    card.addMap(std::move(map));
    return std::max(place.right(), place.left() + 150.0);
}

QString rankSentence(const ProductLook &look)
{
    const RunningSum &sums = look.sums();
    const double share = sums.wholeNorm > 0.0 ? sums.restNorm / sums.wholeNorm * 100.0 : 0.0;
    const QString missing = layerText("Missing: norm %1 of %2 (%3 %).")
                                .arg(look.figure(sums.restNorm), look.figure(sums.wholeNorm),
                                     look.figure(std::round(share * 10.0) / 10.0));
    if (sums.rank < 0)
        return layerText("Rank not computed at this size. %1").arg(missing);
    return layerText("Rank of the sum: %1. %2").arg(sums.rank).arg(missing);
}

} // namespace

Scene outerCard(const ProductLook &look)
{
    const Product &product = look.product();
    ProductCardFrame card(520.0);
    card.addHeader(layerText("Outer view: layers of rank 1"),
                   layerText("Held fixed in a layer: j = %1. The layers are added up over j.")
                       .arg(visibleLabel(look.jLabel(look.options().j))),
                   false);
    addGallery(card, look);
    const QSizeF cells(look.widthOf(product.cols()), look.heightOf(product.rows()));
    const double y = card.bottom() + 12.0;
    double x = addLayer(card, look, padding, y, cells);
    const double top = y + captionRoom + factorRoom;
    const Index step = look.step();
    x = addSum(card, look, QStringLiteral("outer:sum"),
               layerText("sum of %1 of %2 layers").arg(step).arg(product.inner()), look.sums().sum,
               {QPointF(x + 24.0, top), cells});
    addSum(card, look, QStringLiteral("outer:rest"), layerText("what is missing"), look.sums().rest,
           {QPointF(x + 24.0, top), cells});
    card.addText({padding, card.bottom() + legendRoom, 480.0, line}, rankSentence(look),
                 SceneText::Style::Label);
    card.addFooter(look.options().order == LayerOrder::LargestFirst
                       ? layerText("Added largest layer first: the start of a low-rank approximation.")
                       : layerText("Added in the order of j."));
    card.addFooter(productReading(look.product().kind, ProductViewKind::Outer));
    return card.finished();
}

} // namespace attn
