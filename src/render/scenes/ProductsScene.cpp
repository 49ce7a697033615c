#include "render/ProductsScene.h"

#include "base/NumberText.h"
#include "render/LabelText.h"
#include "render/MathText.h"
#include "render/scenes/CardFlow.h"
#include "render/scenes/ProductCards.h"
#include "render/scenes/ProductText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr double margin = 16.0;
constexpr double cardGap = 12.0;
/// Narrower, a card would not stand beside another.
constexpr double leastWidth = 888.0;
/// The numbers of cells are just readable; what is smaller is not shown as a whole.
constexpr double leastTogetherZoom = 0.47;
/// Of a picture that scrolls, beside its bar.
constexpr double scrolledZoom = 0.75;
constexpr double scrollBarRoom = 24.0;

/// In place of the product: why there is none; for a free product a button that makes its factors.
Scene reasonScene(const QString &reason, bool offersFree)
{
    Scene scene;
    scene.size = {480.0, 160.0};
    scene.boxes.push_back({QRectF(margin, margin, 448.0, 128.0)});
    scene.texts.push_back({QRectF(margin + 16.0, margin + 12.0, 416.0, 56.0), reason, SceneText::Style::Label,
                           Qt::AlignLeft | Qt::AlignTop});
    if (offersFree) {
        SceneControl make;
        make.id = QStringLiteral("free:make");
        make.rect = {margin + 16.0, margin + 84.0, 200.0, 28.0};
        make.text = ProductText::tr("Make left A and right B");
        make.name = ProductText::tr("Make two scratch matrices, left A and right B");
        scene.controls.push_back(make);
    }
    return scene;
}

QString conventionSentence(const ProductsOptions &options)
{
    return options.vectors == ProductsOptions::Vectors::AsColumns
               ? ProductText::tr(
                     "Vectors as columns (A·v): the column view is the basic one. Column k of the result is "
                     "the "
                     "left times column k of the right.")
               : ProductText::tr(
                     "Vectors as rows (v·B): the row view is the basic one. Row i of the result is row i of "
                     "the "
                     "left times the right: each row on its own.");
}

/// What pins, given numbers or a bias put between the product and the stage; empty when they agree.
QString gapSentence(const ProductLook &look)
{
    const Product &product = look.product();
    if (product.kind == ProductKind::Free || !look.hasSums())
        return {};
    const Experiment &experiment = look.maps().experiment();
    const auto printed = experiment.decimals.find(product.result.stage);
    const bool isOwn = look.maps().state(product.result.stage).status != StageStatus::Computed ||
                       look.maps().state(product.result.stage).isPinnedWhole;
    double tolerance = -1.0;
    if (isOwn && printed != experiment.decimals.end())
        tolerance = 0.5 * std::pow(10.0, -printed->second) * (1.0 + 1e-9);
    const ProductGap gap = productGap(product, tolerance);
    if (gap.count == 0)
        return {};
    const QString sentence =
        ProductText::tr("%1 holds other numbers than this product in %2 of %3 cells; the largest "
                        "difference is %4, at [%5, %6].");
    return sentence.arg(QString::fromUtf8(stageName(product.result.stage)))
        .arg(gap.count)
        .arg(product.rows() * product.cols())
        .arg(look.figure(gap.largest), visibleLabel(look.iLabel(gap.row)),
             visibleLabel(look.kLabel(gap.col)));
}

/// The product in letters and the convention in one line, then what is to be said of the whole; returns where
/// the cards begin.
double addHeading(Scene &scene, const ProductLook &look)
{
    const Product &product = look.product();
    QString title = QStringLiteral("%1 = %2%3%4")
                        .arg(look.resultSymbol(), look.leftSymbol(),
                             product.kind == ProductKind::Free ? QStringLiteral(" · ") : QStringLiteral(" "),
                             look.rightSymbol());
    if (look.resultSymbol() == QString(look.leftSymbol() + look.rightSymbol()))
        title = look.resultSymbol();
    const double titleWidth = std::ceil(mathTextWidth(title, look.maps().theme().symbolFont)) + 4.0;
    scene.texts.push_back({QRectF(margin, margin, titleWidth, 24.0), title, SceneText::Style::Title});
    double x = margin + titleWidth + 16.0;
    const QFontMetricsF metrics(look.maps().theme().textFont);
    const auto addBeside = [&](const QString &text, SceneText::Style style) {
        const double room = std::ceil(metrics.horizontalAdvance(text)) + 4.0;
        scene.texts.push_back({QRectF(x, margin, room, 24.0), text, style});
        x += room + 16.0;
    };
    if (product.head >= 0 && look.maps().experiment().nHeads > 1)
        addBeside(headTitle(look.maps().experiment(), product.head), SceneText::Style::Label);
    addBeside(conventionSentence(look.options()), SceneText::Style::Muted);
    double y = margin + 26.0;
    const auto addLine = [&](const QString &text, SceneText::Style style) {
        if (text.isEmpty())
            return;
        scene.texts.push_back({QRectF(margin, y, std::ceil(metrics.horizontalAdvance(text)) + 4.0, 18.0),
                               text, style, Qt::AlignLeft | Qt::AlignVCenter});
        y += 18.0;
    };
    if (product.bias)
        addLine(ProductText::tr(
                    "The stage also adds a bias to every row; the views show the product without it."),
                SceneText::Style::Muted);
    if (look.isCutIntoHeads())
        addLine(ProductText::tr(
                    "The first %1 of the %2 features j are those of head 1, the next those of head 2, and so "
                    "on: in each view every head has a block of its own.")
                    .arg(look.headWidth())
                    .arg(product.inner()),
                SceneText::Style::Muted);
    addLine(gapSentence(look), SceneText::Style::Warning);
    if (!look.hasSums())
        addLine(ProductText::tr(
                    "At %1×%2 · %2×%3 single pieces and layers are too many to be drawn and added up; the "
                    "largest "
                    "terms of the chosen cell are shown.")
                    .arg(product.rows())
                    .arg(product.inner())
                    .arg(product.cols()),
                SceneText::Style::Warning);
    return y + 6.0;
}

/// Where lines of cards end so that all of them are in sight, as large as the room allows. Where they would
/// be illegible they wrap at the width of the room, and the picture scrolls.
double lineEnd(const std::vector<Scene> &cards, double top, const QSizeF &room)
{
    double best = leastTogetherZoom;
    double end = std::max(leastWidth, (room.width() - scrollBarRoom) / scrolledZoom - margin);
    if (room.height() <= 0.0)
        return room.width();
    for (std::size_t first = 0; first < cards.size(); ++first) {
        double limit = margin;
        for (std::size_t last = first; last < cards.size(); ++last) {
            limit += cards[last].size.width() + (last > first ? cardGap : 0.0);
            Scene trial;
            CardFlow flow(trial, {margin, top}, limit, cardGap);
            for (const Scene &card : cards) {
                const QPointF corner = flow.next(card.size);
                trial.boxes.push_back({QRectF(corner, card.size)});
            }
            const QPointF corner = flow.finish() + QPointF(margin, margin);
            const double zoom = std::min(room.width() / corner.x(), room.height() / corner.y());
            if (zoom > best) {
                best = zoom;
                end = limit;
            }
        }
    }
    return end;
}

/// The index after the last colon: "layer:12" gives 12; -1 when there is none.
Index indexIn(const QString &id)
{
    bool isNumber = false;
    const qlonglong index = id.mid(id.lastIndexOf(u':') + 1).toLongLong(&isNumber);
    return isNumber ? static_cast<Index>(index) : -1;
}

} // namespace

Scene productsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                    const ProductsOptions &options)
{
    const Result<Product> product = productOf(*snapshot, options.choice);
    if (!product) {
        const bool isMissing =
            options.choice.kind == ProductKind::Free && product.error().code == ErrorCode::NotFound;
        return reasonScene(
            isMissing ? ProductText::tr("A free product is of two matrices of your own, of any size. There "
                                        "are none in this document yet.")
                      : QString::fromStdString(product.error().message),
            isMissing);
    }
    const MapFactory maps(snapshot, display);
    const ProductLook look(maps, *product, options);
    Scene scene;
    const double top = addHeading(scene, look);
    std::vector<Scene> cards{falkCard(look), innerCard(look)};
    if (look.hasSums()) {
        const bool columnsFirst = options.vectors == ProductsOptions::Vectors::AsColumns;
        cards.push_back(columnsFirst ? columnCard(look) : rowCard(look));
        cards.push_back(columnsFirst ? rowCard(look) : columnCard(look));
        cards.push_back(outerCard(look));
    }
    CardFlow flow(scene, {margin, top}, lineEnd(cards, top, options.room), cardGap);
    for (const Scene &card : cards)
        addCard(scene, card, flow.next(card.size));
    const QPointF end = flow.finish();
    scene.size = {end.x() + margin, end.y() + margin};
    for (const SceneText &text : scene.texts)
        scene.size.setWidth(std::max(scene.size.width(), text.rect.right() + margin));
    return scene;
}

ProductsOptions pickedInProduct(ProductsOptions options, const Product &product, const MapKey &map, Index row,
                                Index col)
{
    options = insideProduct(options, product);
    const QString &id = map.id;
    const auto shown = [&](Index at) {
        const CellTerms terms = cellTerms(product, options.i, options.k, mostProductPieces, options.j);
        const auto place = static_cast<std::size_t>(at);
        return place < terms.terms.size() ? terms.terms[place].j : options.j;
    };
    if (map.role != MapKey::Role::Derived)
        return options;
    if (id.startsWith(QLatin1String("inner:")) || id == QLatin1String("column:weights")) {
        options.j = shown(row);
    } else if (id == QLatin1String("column:left")) {
        options.i = row;
        options.j = col;
    } else if (id == QLatin1String("column:sum")) {
        options.i = row;
    } else if (id.startsWith(QLatin1String("column:weight:"))) {
        options.j = indexIn(id);
    } else if (id.startsWith(QLatin1String("column:"))) {
        options.i = row;
        options.j = indexIn(id);
    } else if (id == QLatin1String("row:left")) {
        options.j = col;
    } else if (id == QLatin1String("row:right")) {
        options.j = row;
        options.k = col;
    } else if (id == QLatin1String("row:sum")) {
        options.k = col;
    } else if (id.startsWith(QLatin1String("row:weight:"))) {
        options.j = indexIn(id);
    } else if (id.startsWith(QLatin1String("row:"))) {
        options.k = col;
        options.j = indexIn(id);
    } else if (id == QLatin1String("outer:column")) {
        options.i = row;
    } else if (id == QLatin1String("outer:row")) {
        options.k = col;
    } else {
        options.i = row;
        options.k = col;
        if (id.startsWith(QLatin1String("layer:")))
            options.j = indexIn(id);
    }
    return insideProduct(options, product);
}

} // namespace attn
