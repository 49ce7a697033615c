#include "render/scenes/ProductCards.h"

#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/ProductCardFrame.h"
#include "render/scenes/ProductReadings.h"
#include "render/scenes/ProductText.h"

#include <algorithm>
#include <cmath>

namespace attn {

using namespace productCard;

namespace {

/// Of one number that stands alone: wide enough for "−0.24".
constexpr double pieceWidth = 44.0;

/// "i = love"; signs alone are quoted: "i = “,”".
QString named(const char *index, const QString &label)
{
    const bool isWord = std::ranges::any_of(label, [](QChar sign) { return sign.isLetterOrNumber(); });
    return QStringLiteral("%1 = %2").arg(
        QLatin1String(index), isWord ? visibleLabel(label) : QStringLiteral("“%1”").arg(visibleLabel(label)));
}

/// What is not in the running sum fades.
void veilMissing(SceneMap &map, const ProductLook &look, bool asColumn)
{
    const auto &shown = look.shown();
    for (std::size_t at = 0; at < shown.size(); ++at) {
        const auto index = static_cast<Index>(at);
        if (look.isAdded(shown[at]))
            continue;
        map.emphasis.push_back(asColumn ? rowMark(index, map.values->cols(), MapEmphasis::Style::Veiled)
                                        : colMark(index, map.values->rows(), MapEmphasis::Style::Veiled));
    }
}

/// The place of the chosen j among the shown pieces; -1 when it is not one of them.
Index shownPlace(const ProductLook &look)
{
    const auto &shown = look.shown();
    const auto found = std::find(shown.begin(), shown.end(), look.options().j);
    return found == shown.end() ? -1 : static_cast<Index>(found - shown.begin());
}

QStringList shownLabels(const ProductLook &look)
{
    QStringList labels;
    for (const Index j : look.shown())
        labels.append(look.jLabel(j));
    return labels;
}

/// How many pieces are not shown, in a sentence; empty for none.
QString restSentence(const ProductLook &look)
{
    if (look.terms().restCount == 0)
        return {};
    const bool isOneKept = look.shown().size() > static_cast<std::size_t>(mostProductPieces);
    const QString sentence =
        isOneKept
            ? ProductText::tr(
                  "The %1 largest of %2 terms of this cell, and the chosen one; the others add up to %3.")
            : ProductText::tr("The %1 largest of %2 terms of this cell; the others add up to %3.");
    return sentence.arg(mostProductPieces).arg(look.product().inner()).arg(look.figure(look.terms().restSum));
}

double sumAt(const ProductLook &look, Index i, Index k)
{
    return look.hasSums() ? look.sums().sum->value(0, i, k) : look.terms().sum;
}

/// Bars to the right of the terms, from a common zero line.
void addTermBars(ProductCardFrame &card, const ProductLook &look, const QRectF &place)
{
    double largest = 0.0;
    bool hasNegative = false;
    for (const ProductTerm &term : look.terms().terms) {
        if (std::isfinite(term.value))
            largest = std::max(largest, std::abs(term.value));
        hasNegative = hasNegative || term.value < 0.0;
    }
    if (largest <= 0.0)
        return;
    const double zero = hasNegative ? place.center().x() : place.left();
    const double reach = hasNegative ? place.width() / 2.0 : place.width();
    const double row = place.height() / static_cast<double>(look.terms().terms.size());
    double y = place.top();
    for (const ProductTerm &term : look.terms().terms) {
        const double length = std::isfinite(term.value) ? term.value / largest * reach : 0.0;
        SceneShape bar;
        bar.path.addRect(QRectF(zero, y + 4.0, length, row - 8.0).normalized());
        bar.fill = ScenePaint::of(term.j == look.options().j ? ScenePaint::Role::Accent
                                                             : ScenePaint::Role::MutedText,
                                  look.isAdded(term.j) ? 0.75 : 0.2);
        card.addShape(std::move(bar));
        y += row;
    }
    card.reach(place.right(), place.bottom());
}

/// "1·0.1 + 0.2·0 + … = 0.38", as far as the terms are listed.
QString writtenSum(const ProductLook &look)
{
    const auto factor = [&look](double value) {
        return value < 0.0 ? QStringLiteral("(%1)").arg(look.figure(value)) : look.figure(value);
    };
    QStringList parts;
    for (const ProductTerm &term : look.terms().terms)
        parts.append(QStringLiteral("%1·%2").arg(factor(term.left), factor(term.right)));
    if (look.terms().restCount > 0)
        parts.append(QStringLiteral("…"));
    return QStringLiteral("%1 = %2").arg(parts.join(QStringLiteral(" + ")), look.figure(look.terms().sum));
}

/// One line of maps "weights" over pieces, or beside them.
SceneMap weightsMap(const ProductLook &look, const char *id, bool ofLeft, bool asColumn, const QRectF &rect)
{
    std::vector<double> numbers;
    for (const ProductTerm &term : look.terms().terms)
        numbers.push_back(ofLeft ? term.left : term.right);
    const ProductMatrix &like = ofLeft ? look.product().left : look.product().right;
    SceneMap map = look.factorMap(QLatin1String(id),
                                  ofLeft ? ProductText::tr("row i of the left")
                                         : ProductText::tr("column k of the right"),
                                  like, listValues(numbers, asColumn), rect);
    veilMissing(map, look, asColumn);
    if (const Index at = shownPlace(look); at >= 0)
        map.emphasis.push_back(asColumn ? rowMark(at, 1, MapEmphasis::Style::Framed)
                                        : colMark(at, 1, MapEmphasis::Style::Framed));
    return map;
}

} // namespace

void addCard(Scene &scene, const Scene &card, const QPointF &corner)
{
    for (SceneBox box : card.boxes) {
        box.rect.translate(corner);
        scene.boxes.push_back(box);
    }
    for (SceneShape shape : card.shapes) {
        shape.path.translate(corner);
        scene.shapes.push_back(std::move(shape));
    }
    for (SceneMap map : card.maps) {
        map.rect.translate(corner);
        if (!map.colorBar.isNull())
            map.colorBar.translate(corner);
        scene.maps.push_back(std::move(map));
    }
    for (SceneText text : card.texts) {
        text.rect.translate(corner);
        scene.texts.push_back(std::move(text));
    }
}

Scene innerCard(const ProductLook &look)
{
    const ProductsOptions &at = look.options();
    ProductCardFrame card(328.0);
    card.addHeader(ProductText::tr("Inner view: row times column"),
                   ProductText::tr("Held fixed: %1, %2. Summed over j.")
                       .arg(named("i", look.iLabel(at.i)), named("k", look.kLabel(at.k))),
                   false);
    const QStringList labels = shownLabels(look);
    const double labelWidth = look.labelWidth(labels);
    const auto count = static_cast<double>(look.shown().size());
    const double height = count * 20.0;
    double x = padding + labelWidth;
    const double y = card.top();
    SceneMap left = weightsMap(look, "inner:left", true, true, {x, y, 44.0, height});
    setLabels(left, labels, {look.iLabel(at.i)}, labelWidth, 0.0);
    card.addMap(std::move(left));
    x += 44.0;
    card.addSign(x, y, height, QStringLiteral("·"));
    x += operatorWidth;
    SceneMap right = weightsMap(look, "inner:right", false, true, {x, y, 44.0, height});
    setLabels(right, labels, {look.kLabel(at.k)}, 0.0, 0.0);
    card.addMap(std::move(right));
    x += 44.0;
    card.addSign(x, y, height, QStringLiteral("="));
    x += operatorWidth;
    std::vector<double> numbers;
    for (const ProductTerm &term : look.terms().terms)
        numbers.push_back(term.value);
    SceneMap terms = look.layerMap(QStringLiteral("inner:terms"), ProductText::tr("terms"),
                                   listValues(numbers, true), {x, y, 60.0, height});
    terms.decimals += 2;
    setLabels(terms, labels, {ProductText::tr("term")}, 0.0, 0.0);
    veilMissing(terms, look, true);
    if (const Index place = shownPlace(look); place >= 0)
        terms.emphasis.push_back(rowMark(place, 1, MapEmphasis::Style::Framed));
    card.addMap(std::move(terms));
    addTermBars(card, look, {x + 68.0, y, 72.0, height});
    const QString sum = look.product().inner() == 1 && look.step() == 1
                            ? ProductText::tr("the one term: %1").arg(look.figure(look.terms().sum))
                        : look.step() == look.product().inner()
                            ? ProductText::tr("sum of all %1 terms: %2")
                                  .arg(look.product().inner())
                                  .arg(look.figure(look.terms().sum))
                            : ProductText::tr("sum of %1 of %2 terms: %3")
                                  .arg(look.step())
                                  .arg(look.product().inner())
                                  .arg(look.figure(sumAt(look, at.i, at.k)));
    card.addText({padding, y + height + 4.0, x + 140.0 - padding, line}, sum, SceneText::Style::Label);
    card.addFooter(
        ProductText::tr("In letters, with c = a·b: %1").arg(productLetters(look.terms(), at.i, at.k)));
    card.addFooter(writtenSum(look));
    card.addFooter(restSentence(look));
    card.addFooter(productReading(look.product(), ProductViewKind::Inner));
    return card.finished();
}

namespace {

/// The pieces of the column view side by side, each below its weight.
double addColumns(ProductCardFrame &card, const ProductLook &look, double labelWidth, double y)
{
    const Product &product = look.product();
    const QStringList labels = shownLabels(look);
    const double height = look.heightOf(product.rows());
    constexpr double pieceGap = 6.0;
    const double width = pieceWidth;
    double x = padding + labelWidth;
    for (std::size_t at = 0; at < look.shown().size(); ++at) {
        const Index j = look.shown()[at];
        SceneMap piece = look.factorMap(
            QStringLiteral("column:%1").arg(j),
            ProductText::tr("column %1 of the left").arg(labels[static_cast<qsizetype>(at)]), product.left,
            listValues(columnNumbers(*product.left.values, 0, j), true), {x, y + 26.0 + 16.0, width, height});
        setLabels(piece, look.iLabels(), {labels[static_cast<qsizetype>(at)]}, at == 0 ? labelWidth : 0.0,
                  0.0);
        if (!look.isAdded(j))
            piece.emphasis.push_back(colMark(0, product.rows(), MapEmphasis::Style::Veiled));
        piece.emphasis.push_back(rowMark(look.options().i, 1, MapEmphasis::Style::Soft));
        if (j == look.options().j)
            piece.emphasis.push_back(colMark(0, product.rows(), MapEmphasis::Style::Framed));
        SceneMap weight = look.factorMap(
            QStringLiteral("column:weight:%1").arg(j),
            ProductText::tr("weight of column %1").arg(labels[static_cast<qsizetype>(at)]), product.right,
            listValues({look.terms().terms[at].right}, true), {x, y + 16.0, width, 20.0});
        weight.rowLabels = QStringList{labels[static_cast<qsizetype>(at)]};
        if (!look.isAdded(j))
            weight.emphasis.push_back(colMark(0, 1, MapEmphasis::Style::Veiled));
        card.addText({x - 2.0, y, width + 4.0, 16.0}, visibleLabel(labels[static_cast<qsizetype>(at)]),
                     SceneText::Style::Muted, Qt::AlignCenter);
        weight.isPiece = true;
        card.addMap(std::move(weight));
        piece.isPiece = true;
        card.addMap(std::move(piece));
        x += width + pieceGap;
    }
    return x - pieceGap;
}

} // namespace

Scene columnCard(const ProductLook &look)
{
    const Product &product = look.product();
    const ProductsOptions &at = look.options();
    ProductCardFrame card(328.0);
    card.addHeader(ProductText::tr("Column view: columns of the left, weighted"),
                   ProductText::tr("Held fixed: %1. Summed over j.").arg(named("k", look.kLabel(at.k))),
                   at.vectors == ProductsOptions::Vectors::AsColumns);
    const double labelWidth = look.labelWidth(look.iLabels());
    const double height = look.heightOf(product.rows());
    const double y = card.top();
    double x = padding + labelWidth;
    if (at.compact) {
        const double width = look.widthOf(product.inner());
        SceneMap left = look.factorMap(QStringLiteral("column:left"), ProductText::tr("the left"),
                                       product.left, product.left.values, {x, y + 42.0, width, height});
        setLabels(left, look.iLabels(), look.jLabels(), labelWidth, 0.0);
        card.addMap(std::move(left));
        x += width;
        card.addSign(x, y + 42.0, height, QStringLiteral("·"));
        x += operatorWidth;
        SceneMap column =
            weightsMap(look, "column:weights", false, true,
                       {x, y + 42.0, pieceWidth, 20.0 * static_cast<double>(look.shown().size())});
        column.rowLabels = shownLabels(look);
        card.addMap(std::move(column));
        x += pieceWidth;
    } else {
        card.addText({padding, y + 16.0, std::max(labelWidth - 6.0, 12.0), 20.0}, QStringLiteral("×"),
                     SceneText::Style::Muted, Qt::AlignRight | Qt::AlignVCenter);
        x = addColumns(card, look, labelWidth, y);
    }
    card.addSign(x, y + 42.0, height,
                 look.terms().restCount > 0 ? QStringLiteral("…=") : QStringLiteral("="));
    x += operatorWidth;
    const StageValues &whole = look.hasSums() ? *look.sums().sum : *product.result.values;
    SceneMap sum = look.sumMap(QStringLiteral("column:sum"), ProductText::tr("column k of the sum"),
                               listValues(columnNumbers(whole, 0, at.k), true), {x, y + 42.0, 44.0, height});
    setLabels(sum, look.iLabels(), {look.kLabel(at.k)}, 0.0, 0.0);
    sum.emphasis = {rowMark(at.i, 1, MapEmphasis::Style::Framed)};
    card.addText({x - 8.0, y, 60.0, 16.0}, visibleLabel(look.kLabel(at.k)), SceneText::Style::Muted,
                 Qt::AlignCenter);
    card.addMap(std::move(sum));
    card.addFooter(productReading(look.product(), ProductViewKind::Column));
    return card.finished();
}

namespace {

/// The pieces of the row view one below the other, each after its weight.
void addRows(ProductCardFrame &card, const ProductLook &look, double labelWidth, double y)
{
    const Product &product = look.product();
    const double width = look.widthOf(product.cols());
    const QStringList labels = shownLabels(look);
    constexpr double pieceGap = 4.0;
    for (std::size_t at = 0; at < look.shown().size(); ++at) {
        const Index j = look.shown()[at];
        const QString label = labels[static_cast<qsizetype>(at)];
        SceneMap weight = look.factorMap(QStringLiteral("row:weight:%1").arg(j),
                                         ProductText::tr("weight of row %1").arg(label), product.left,
                                         listValues({look.terms().terms[at].left}, true),
                                         {padding + labelWidth, y, pieceWidth, 20.0});
        setLabels(weight, {label}, {look.iLabel(look.options().i)}, labelWidth, 0.0);
        SceneMap piece =
            look.factorMap(QStringLiteral("row:%1").arg(j), ProductText::tr("row %1 of the right").arg(label),
                           product.right, listValues(rowNumbers(*product.right.values, 0, j), false),
                           {padding + labelWidth + pieceWidth + operatorWidth, y, width, 20.0});
        setLabels(piece, {label}, look.kLabels(), 0.0, 0.0);
        if (!look.isAdded(j)) {
            weight.emphasis.push_back(rowMark(0, 1, MapEmphasis::Style::Veiled));
            piece.emphasis.push_back(rowMark(0, product.cols(), MapEmphasis::Style::Veiled));
        }
        piece.emphasis.push_back(colMark(look.options().k, 1, MapEmphasis::Style::Soft));
        if (j == look.options().j)
            piece.emphasis.push_back(rowMark(0, product.cols(), MapEmphasis::Style::Framed));
        weight.isPiece = true;
        card.addMap(std::move(weight));
        card.addSign(padding + labelWidth + pieceWidth, y, 20.0, QStringLiteral("·"));
        piece.isPiece = true;
        card.addMap(std::move(piece));
        y += 20.0 + pieceGap;
    }
}

/// Row i of the left as a whole times the right as a whole.
void addCompactRow(ProductCardFrame &card, const ProductLook &look, double labelWidth, double y)
{
    const Product &product = look.product();
    const double leftWidth = look.widthOf(product.inner());
    SceneMap row =
        look.factorMap(QStringLiteral("row:left"), ProductText::tr("row i of the left"), product.left,
                       listValues(rowNumbers(*product.left.values, 0, look.options().i), false),
                       {padding + labelWidth, y, leftWidth, 20.0});
    setLabels(row, {look.iLabel(look.options().i)}, look.jLabels(), labelWidth, 0.0);
    card.addMap(std::move(row));
    card.addSign(padding + labelWidth + leftWidth, y, 20.0, QStringLiteral("·"));
    const double jWidth = look.labelWidth(look.jLabels());
    SceneMap right = look.factorMap(QStringLiteral("row:right"), ProductText::tr("the right"), product.right,
                                    product.right.values,
                                    {padding + labelWidth + leftWidth + operatorWidth + jWidth, y,
                                     look.widthOf(product.cols()), look.heightOf(product.inner())});
    setLabels(right, look.jLabels(), look.kLabels(), jWidth, 0.0);
    right.emphasis = {colMark(look.options().k, product.inner(), MapEmphasis::Style::Soft)};
    card.addMap(std::move(right));
}

} // namespace

Scene rowCard(const ProductLook &look)
{
    const Product &product = look.product();
    const ProductsOptions &at = look.options();
    ProductCardFrame card(328.0);
    card.addHeader(at.compact ? ProductText::tr("Row view, compact: a row times the whole right")
                              : ProductText::tr("Row view: rows of the right, weighted"),
                   ProductText::tr("Held fixed: %1. Summed over j.").arg(named("i", look.iLabel(at.i))),
                   at.vectors == ProductsOptions::Vectors::AsRows);
    const double labelWidth =
        std::max(look.labelWidth(shownLabels(look)), look.labelWidth({look.iLabel(at.i)}));
    const double y = card.top() + 4.0;
    if (at.compact)
        addCompactRow(card, look, labelWidth, y);
    else
        addRows(card, look, labelWidth, y);
    const double sumY = card.bottom() + 10.0;
    const double width = look.widthOf(product.cols());
    const double x = padding + labelWidth + pieceWidth + operatorWidth;
    SceneShape rule;
    rule.path.moveTo(x, sumY - 5.0);
    rule.path.lineTo(x + width, sumY - 5.0);
    rule.stroke = ScenePaint::of(ScenePaint::Role::MutedText);
    card.addShape(std::move(rule));
    const StageValues &whole = look.hasSums() ? *look.sums().sum : *product.result.values;
    SceneMap sum = look.sumMap(QStringLiteral("row:sum"), ProductText::tr("row i of the sum"),
                               listValues(rowNumbers(whole, 0, at.i), false), {x, sumY, width, 22.0});
    setLabels(sum, {look.iLabel(at.i)}, look.kLabels(), 0.0, 0.0);
    sum.emphasis = {colMark(at.k, 1, MapEmphasis::Style::Framed)};
    card.addText({padding, sumY, x - padding - operatorWidth, 22.0}, visibleLabel(look.iLabel(at.i)),
                 SceneText::Style::Label, Qt::AlignRight | Qt::AlignVCenter);
    card.addSign(x - operatorWidth, sumY, 22.0, QStringLiteral("="));
    card.addMap(std::move(sum));
    card.addFooter(productReading(look.product(), ProductViewKind::Row));
    return card.finished();
}

} // namespace attn
