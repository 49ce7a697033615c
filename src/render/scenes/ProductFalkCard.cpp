#include "render/scenes/ProductCards.h"

#include "render/MathText.h"
#include "render/scenes/ProductCardFrame.h"
#include "render/scenes/ProductText.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

using namespace productCard;

namespace {

/// Symbol, shape and legend of a matrix in one line; the numbers of the legend are below it.
constexpr double captionHeight = 22.0;
constexpr double captionRoom = 36.0;
constexpr double captionLegend = 104.0;
/// Above the left: for two lines of text, and for its symbol, shape and legend.
constexpr double leastFalkRoom = 216.0;

/// "W^Q  6×6" with the legend of the map behind it.
struct Caption
{
    Caption(const ProductLook &look, const ProductMatrix &matrix, const QString &markup)
        : symbol(markup)
        , shape(QStringLiteral("%1×%2").arg(matrix.rows()).arg(matrix.cols()))
        , symbolWidth(std::ceil(mathTextWidth(symbol, look.maps().theme().symbolFont)) + 4.0)
        , shapeWidth(std::ceil(QFontMetricsF(look.maps().theme().textFont).horizontalAdvance(shape)) + 4.0)
    {
    }

    double width() const { return symbolWidth + shapeWidth + 3.0 * gap + captionLegend; }

    void addTo(ProductCardFrame &card, SceneMap &map, const QPointF &at) const
    {
        card.addText({at, QSizeF(symbolWidth, captionHeight)}, symbol, SceneText::Style::Title);
        card.addText({at.x() + symbolWidth + gap, at.y(), shapeWidth, captionHeight}, shape);
        map.colorBar = {at.x() + width() - captionLegend, at.y() + 7.0, captionLegend, 8.0};
        card.reach(map.colorBar.right() + gap, at.y() + captionRoom);
    }

    QString symbol;
    QString shape;
    double symbolWidth;
    double shapeWidth;
};

/// Where one head ends and the next begins in concat and W^O.
void addHeadCut(SceneMap &left, SceneMap &right, const ProductLook &look)
{
    const Product &product = look.product();
    if (!look.isCutIntoHeads())
        return;
    const Index width = look.headWidth();
    for (Index first = 0; first < product.inner(); first += width) {
        left.emphasis.push_back({0, product.rows() - 1, first, first + width - 1, MapEmphasis::Style::Soft});
        right.emphasis.push_back({first, first + width - 1, 0, product.cols() - 1, MapEmphasis::Style::Soft});
    }
}

} // namespace

Scene falkCard(const ProductLook &look)
{
    const Product &product = look.product();
    const ProductsOptions &at = look.options();
    ProductCardFrame card(240.0);
    const double iWidth = look.labelWidth(look.iLabels());
    const double jWidth = look.labelWidth(look.jLabels());
    const double leftWidth = look.widthOf(product.inner());
    const double rightHeight = look.heightOf(product.inner());
    const double resultWidth = look.widthOf(product.cols());
    const double resultHeight = look.heightOf(product.rows());
    const double leftLabels = look.labelHeight(look.jLabels(), leftWidth);
    const double rightLabels = look.labelHeight(look.kLabels(), resultWidth);
    const double between = std::max(jWidth + 4.0, 28.0);
    const double x = padding + iWidth;
    const Caption leftCaption(look, product.left, look.leftSymbol());
    // What the card is stands above the left, beside the right; there is room for it.
    const double leftRoom =
        std::max({leftWidth, leastFalkRoom - iWidth, leftCaption.width() + 2.0 * gap - between});
    const double columnX = x + leftRoom + between;
    const double rightY = card.top() + rightLabels;
    card.addText({padding, card.top(), iWidth + leftRoom, 20.0}, ProductText::tr("The product"),
                 SceneText::Style::Heading);
    card.addText({padding, card.top() + 20.0, iWidth + leftRoom, 2.0 * line},
                 ProductText::tr("row i of the left meets column k of the right"), SceneText::Style::Label,
                 Qt::AlignLeft | Qt::AlignTop);
    const double captionY = card.bottom() + gap;
    const double resultY = std::max(rightY + rightHeight + 10.0, captionY + captionRoom) + leftLabels;
    const double below = resultY + resultHeight + 4.0;

    SceneMap left = look.matrixMap(product.left, {x, resultY, leftWidth, resultHeight});
    setLabels(left, look.iLabels(), look.jLabels(), iWidth, leftLabels);
    left.emphasis = {rowMark(at.i, product.inner(), MapEmphasis::Style::Soft),
                     colMark(at.j, product.rows(), MapEmphasis::Style::Soft)};
    SceneMap right = look.matrixMap(product.right, {columnX, rightY, resultWidth, rightHeight});
    setLabels(right, look.jLabels(), look.kLabels(), jWidth, rightLabels);
    right.emphasis = {colMark(at.k, product.inner(), MapEmphasis::Style::Soft),
                      rowMark(at.j, product.cols(), MapEmphasis::Style::Soft)};
    addHeadCut(left, right, look);
    SceneMap result = look.matrixMap(product.result, {columnX, resultY, resultWidth, resultHeight});
    setLabels(result, look.iLabels(), look.kLabels(), 0.0, 0.0);
    result.emphasis = {{at.i, at.i, at.k, at.k, MapEmphasis::Style::Framed}};
    leftCaption.addTo(card, left, {x, below});
    Caption(look, product.right, look.rightSymbol()).addTo(card, right, {padding, captionY});
    Caption(look, product.result, look.resultSymbol()).addTo(card, result, {columnX, below});
    card.addMap(std::move(left));
    card.addMap(std::move(right));
    card.addMap(std::move(result));
    return card.finished();
}

} // namespace attn
