#include "SceneCases.h"
#include "base/NumberText.h"
#include "io/TensorJson.h"
#include "render/FigureExport.h"
#include "render/ProductsScene.h"

#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

/// The numbers of a map as they stand in its cells.
QStringList shownNumbers(const SceneMap &map)
{
    QStringList texts;
    for (Index row = 0; row < map.values->rows(); ++row)
        for (Index col = 0; col < map.values->cols(); ++col)
            texts.append(
                QString::fromStdString(displayText(map.values->value(map.head, row, col), map.decimals)));
    return texts;
}

QStringList shownNumbers(const Scene &scene, const QString &id)
{
    const SceneMap *map = derivedMap(scene, id);
    return map ? shownNumbers(*map) : QStringList();
}

Scene seedScene(const QString &name, ProductKind kind, Index i, Index k, Index j = 0, Index step = -1,
                int decimals = 2)
{
    ProductsOptions options;
    options.choice = {kind, hasAllHeads(kind) ? -1 : 0};
    options.i = i;
    options.j = j;
    options.k = k;
    options.step = step;
    DisplayOptions display;
    display.decimals = decimals;
    return productsScene(goldenSnapshot(name), display, options);
}

SnapshotPtr freeSnapshot(const Shape &left, const Shape &right)
{
    Experiment experiment = seededQkv(2, 1, 2);
    experiment.labs["A"] = seededTensor(left, 7);
    experiment.labs["B"] = seededTensor(right, 8);
    return snapshotOf(experiment);
}

ProductsOptions freeOptions()
{
    ProductsOptions options;
    options.choice = {ProductKind::Free, -1};
    return options;
}

bool isMarked(const SceneMap &map, Index row, Index col, MapEmphasis::Style style)
{
    return std::ranges::any_of(map.emphasis, [&](const MapEmphasis &mark) {
        return mark.style == style && row >= mark.firstRow && row <= mark.lastRow && col >= mark.firstCol &&
               col <= mark.lastCol;
    });
}

} // namespace

class TestProductsScene : public QObject
{
    Q_OBJECT

private slots:
    void goldenViewsAreShown_data();
    void goldenViewsAreShown();
    void firstCellOfQueriesIsWrittenOut();
    void queriesAreShown();
    void scoreOfLoveAndProgIsWrittenOut();
    void keysStandTransposed();
    void outputOfLoveIsARowOfValues();
    void footprintOfProgIsALayer();
    void heldFixedIsWritten();
    void runningSumShowsRankAndRest();
    void oneChoiceLightsInAllViews();
    void picksGoBackToIndices_data();
    void picksGoBackToIndices();
    void conventionChoosesTheBasicView();
    void compactFormsShowWholeFactors();
    void factorsAreEdited();
    void hiddenKeysAreHatched();
    void outputIsCutIntoHeads();
    void givenNumbersAreCompared();
    void manyTermsShowTheLargest();
    void largeProductsSaySo();
    void missingFactorsSayWhy();
    void viewsAreInSightTogether_data();
    void viewsAreInSightTogether();
    void nothingOverlaps_data();
    void nothingOverlaps();
    void exportsAsVectors();
};

void TestProductsScene::goldenViewsAreShown_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"matmul_2x3_3x2", "matmul_outer_only", "matmul_row_times_column",
                             "matmul_random_0", "seed_product_xwq", "seed_product_qkt", "seed_product_av"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Every number of the golden views stands in a map of the scene.
void TestProductsScene::goldenViewsAreShown()
{
    QFETCH(QString, name);
    QFile file(QStringLiteral(ATTN_TEST_DATA "/golden/%1.json").arg(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Result<JsonText> text = parseJson(file.readAll());
    QVERIFY(text.ok());
    const auto golden = [&](const char *key) {
        return tensorFromJson(text->value[key], key).value();
    };
    Experiment experiment = seededQkv(2, 1, 2);
    experiment.labs["A"] = golden("A");
    experiment.labs["B"] = golden("B");
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Index n = experiment.labs["A"].cols();
    QVERIFY(n <= mostProductPieces);
    const auto at = [](const Scene &scene, const QString &id, Index row, Index col) {
        return derivedMap(scene, id)->values->value(0, row, col);
    };
    ProductsOptions options = freeOptions();
    for (options.i = 0; options.i < experiment.labs["A"].rows(); ++options.i) {
        for (options.k = 0; options.k < experiment.labs["B"].cols(); ++options.k) {
            for (Index j = 0; j < n; ++j) {
                options.j = j;
                options.step = j + 1;
                const Scene scene = productsScene(snapshot, {}, options);
                const Index i = options.i;
                const Index k = options.k;
                const QString number = QString::number(j);
                QVERIFY(std::abs(at(scene, u"inner:terms"_s, j, 0) - golden("inner").at(i, k, j)) < 1e-13);
                const double column =
                    at(scene, u"column:"_s + number, i, 0) * at(scene, u"column:weight:"_s + number, 0, 0);
                QVERIFY(std::abs(column - golden("columns").at(k, j, i)) < 1e-13);
                const double row =
                    at(scene, u"row:"_s + number, 0, k) * at(scene, u"row:weight:"_s + number, 0, 0);
                QVERIFY(std::abs(row - golden("rows").at(i, j, k)) < 1e-13);
                QVERIFY(std::abs(at(scene, u"layer:"_s + number, i, k) - golden("outer").at(j, i, k)) <
                        1e-13);
                const double partial = golden("outer_partial").at(j, i, k);
                QVERIFY(std::abs(at(scene, u"outer:sum"_s, i, k) - partial) < 1e-13);
                QVERIFY(std::abs(at(scene, u"row:sum"_s, 0, k) - partial) < 1e-13);
                QVERIFY(std::abs(at(scene, u"column:sum"_s, i, 0) - partial) < 1e-13);
            }
        }
    }
}

void TestProductsScene::firstCellOfQueriesIsWrittenOut()
{
    const Scene scene = seedScene(u"seed_a_computed"_s, ProductKind::Query, 0, 0);
    QVERIFY(hasText(scene, u"1·0.1 + 0.2·0 + 0.3·0.3 + 0.5·0.2 + 0.1·0.1 + 0.4·0.2 = 0.38"_s));
    QVERIFY(hasText(scene, u"sum of all 6 terms: 0.38"_s));
    QCOMPARE(shownNumbers(scene, u"inner:left"_s),
             (QStringList{u"1.00"_s, u"0.20"_s, u"0.30"_s, u"0.50"_s, u"0.10"_s, u"0.40"_s}));
    QCOMPARE(shownNumbers(scene, u"inner:right"_s),
             (QStringList{u"0.10"_s, u"0.00"_s, u"0.30"_s, u"0.20"_s, u"0.10"_s, u"0.20"_s}));
}

/// The computed Q, cell by cell, in the row and the column view.
void TestProductsScene::queriesAreShown()
{
    const std::array rows = {QStringList{u"0.38"_s, u"0.43"_s, u"0.24"_s, u"0.50"_s, u"0.35"_s, u"0.45"_s},
                             QStringList{u"0.24"_s, u"0.34"_s, u"0.50"_s, u"0.49"_s, u"0.45"_s, u"0.26"_s},
                             QStringList{u"0.43"_s, u"0.30"_s, u"0.30"_s, u"0.24"_s, u"0.30"_s, u"0.47"_s},
                             QStringList{u"0.51"_s, u"0.47"_s, u"0.57"_s, u"0.36"_s, u"0.46"_s, u"0.54"_s}};
    for (Index i = 0; i < 4; ++i) {
        const Scene scene = seedScene(u"seed_a_computed"_s, ProductKind::Query, i, i);
        QCOMPARE(shownNumbers(scene, u"row:sum"_s), rows[static_cast<std::size_t>(i)]);
        QStringList column;
        for (const QStringList &row : rows)
            column.append(row[i]);
        QCOMPARE(shownNumbers(scene, u"column:sum"_s), column);
    }
}

void TestProductsScene::scoreOfLoveAndProgIsWrittenOut()
{
    const Scene scene = seedScene(u"seed_b_qkv_pinned"_s, ProductKind::Scores, 1, 3);
    QCOMPARE(shownNumbers(scene, u"inner:terms"_s),
             (QStringList{u"0.1568"_s, u"0.1634"_s, u"0.2300"_s, u"0.1485"_s, u"0.1365"_s, u"0.1734"_s}));
    QVERIFY(
        hasText(scene, u"0.32·0.49 + 0.43·0.38 + 0.5·0.46 + 0.45·0.33 + 0.39·0.35 + 0.34·0.51 = 1.0086"_s));
    QVERIFY(hasText(scene, u"i = love, k = prog"_s));
}

/// K turned to 6x4, as the source prints it: the feature axis meets that of Q and disappears.
void TestProductsScene::keysStandTransposed()
{
    const Scene scene = seedScene(u"seed_g_as_printed"_s, ProductKind::Scores, 0, 0);
    const QStringList keys = u"0.45 0.31 0.34 0.49 0.22 0.39 0.29 0.38 0.30 0.20 0.44 0.46 "
                             "0.55 0.43 0.33 0.33 0.24 0.37 0.28 0.35 0.40 0.28 0.46 0.51"_s.split(u' ');
    QCOMPARE(shownNumbers(*findMap(scene, Stage::K)), keys);
    QVERIFY(hasText(scene, u"4×6"_s) && hasText(scene, u"6×4"_s) && hasText(scene, u"4×4"_s));
}

void TestProductsScene::outputOfLoveIsARowOfValues()
{
    const Scene scene = seedScene(u"seed_c_attention_pinned"_s, ProductKind::HeadOut, 1, 0, 0, -1, 4);
    QCOMPARE(shownNumbers(scene, u"row:sum"_s),
             (QStringList{u"0.3800"_s, u"0.4095"_s, u"0.3600"_s, u"0.3810"_s, u"0.4110"_s, u"0.3485"_s}));
    QCOMPARE(shownNumbers(scene, u"row:weight:3"_s), QStringList{u"0.5000"_s});
    QCOMPARE(shownNumbers(scene, u"row:3"_s),
             (QStringList{u"0.3500"_s, u"0.4900"_s, u"0.3300"_s, u"0.4700"_s, u"0.4400"_s, u"0.3800"_s}));
}

void TestProductsScene::footprintOfProgIsALayer()
{
    const Scene scene = seedScene(u"seed_c_attention_pinned"_s, ProductKind::HeadOut, 1, 0, 3, -1, 4);
    QCOMPARE(shownNumbers(scene, u"outer:column"_s),
             (QStringList{u"0.1500"_s, u"0.5000"_s, u"0.5000"_s, u"0.1500"_s}));
    const QStringList layer = shownNumbers(scene, u"outer:layer"_s);
    QCOMPARE(layer.mid(6, 6),
             (QStringList{u"0.1750"_s, u"0.2450"_s, u"0.1650"_s, u"0.2350"_s, u"0.2200"_s, u"0.1900"_s}));
    QCOMPARE(layer.mid(0, 6), layer.mid(18, 6));
    QVERIFY(hasText(scene, u"layer of j = prog"_s));
}

void TestProductsScene::heldFixedIsWritten()
{
    const Scene scene = productsScene(freeSnapshot({1, 2, 3}, {1, 3, 2}), {}, freeOptions());
    QVERIFY(hasText(scene, u"Held fixed: i = 1, k = 1. Summed over j."_s));
    QVERIFY(hasText(scene, u"Held fixed: k = 1. Summed over j."_s));
    QVERIFY(hasText(scene, u"Held fixed: i = 1. Summed over j."_s));
    QVERIFY(hasText(scene, u"Held fixed in a layer: j = 1."_s));
    for (const QString &shape : {u"2×3"_s, u"3×2"_s, u"2×2"_s})
        QVERIFY2(hasText(scene, shape), qPrintable(shape));
    // A is cut into 3 columns of 2, B into 3 rows of 2.
    for (const QString &j : {u"0"_s, u"1"_s, u"2"_s}) {
        QCOMPARE(derivedMap(scene, u"column:"_s + j)->values->shape(), (Shape{1, 2, 1}));
        QCOMPARE(derivedMap(scene, u"row:"_s + j)->values->shape(), (Shape{1, 1, 2}));
        QCOMPARE(derivedMap(scene, u"layer:"_s + j)->values->shape(), (Shape{1, 2, 2}));
    }
}

void TestProductsScene::runningSumShowsRankAndRest()
{
    const QString name = u"seed_a_computed"_s;
    QVERIFY(hasText(seedScene(name, ProductKind::Query, 0, 0, 0, 0), u"Rank of the sum: 0."_s));
    QVERIFY(hasText(seedScene(name, ProductKind::Query, 0, 0, 0, 2), u"Rank of the sum: 2."_s));
    const Scene half = seedScene(name, ProductKind::Query, 0, 0, 0, 3);
    QVERIFY(hasText(half, u"sum of 3 of 6 terms: 0.19"_s)); // 0.1 + 0 + 0.09
    QVERIFY(hasText(half, u"sum of 3 of 6 layers"_s));
    const SceneMap *sum = derivedMap(half, u"outer:sum"_s);
    const SceneMap *rest = derivedMap(half, u"outer:rest"_s);
    QVERIFY(std::abs(sum->values->value(0, 0, 0) - 0.19) < 1e-12);
    QVERIFY(std::abs(sum->values->value(0, 0, 0) + rest->values->value(0, 0, 0) - 0.38) < 1e-12);
    QVERIFY(!isMarked(*derivedMap(half, u"layer:2"_s), 0, 0, MapEmphasis::Style::Veiled));
    QVERIFY(isMarked(*derivedMap(half, u"layer:3"_s), 0, 0, MapEmphasis::Style::Veiled));
    QVERIFY(isMarked(*derivedMap(half, u"inner:terms"_s), 3, 0, MapEmphasis::Style::Veiled));
    QVERIFY(isMarked(*derivedMap(half, u"row:3"_s), 0, 2, MapEmphasis::Style::Veiled));
    QVERIFY(isMarked(*derivedMap(half, u"column:3"_s), 2, 0, MapEmphasis::Style::Veiled));
    const Scene all = seedScene(name, ProductKind::Query, 0, 0);
    QVERIFY(hasText(all, u"Rank of the sum: 4."_s));
    QVERIFY(hasText(all, u"Missing: norm 0 of"_s));
}

void TestProductsScene::oneChoiceLightsInAllViews()
{
    const Scene scene = seedScene(u"seed_a_computed"_s, ProductKind::Query, 1, 2, 4);
    using Style = MapEmphasis::Style;
    QVERIFY(isMarked(*findMap(scene, Stage::X), 1, 0, Style::Soft));
    QVERIFY(isMarked(*findMap(scene, Stage::X), 0, 4, Style::Soft));
    QVERIFY(isMarked(*findMap(scene, Stage::Wq), 0, 2, Style::Soft));
    QVERIFY(isMarked(*findMap(scene, Stage::Q), 1, 2, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"inner:terms"_s), 4, 0, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"column:4"_s), 0, 0, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"column:sum"_s), 1, 0, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"row:4"_s), 0, 0, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"row:sum"_s), 0, 2, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"layer:4"_s), 0, 0, Style::Framed));
    QVERIFY(isMarked(*derivedMap(scene, u"outer:layer"_s), 1, 2, Style::Soft));
    QVERIFY(!isMarked(*derivedMap(scene, u"layer:3"_s), 0, 0, Style::Framed));
}

void TestProductsScene::picksGoBackToIndices_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("col");
    QTest::addColumn<QList<int>>("indices"); // i, j, k; before 1, 1, 1
    const auto row = [](const char *id, int at, int col, const QList<int> &indices) {
        QTest::newRow(id) << QString::fromLatin1(id) << at << col << indices;
    };
    row("inner:left", 2, 0, {1, 2, 1});
    row("inner:terms", 0, 0, {1, 0, 1});
    row("column:2", 0, 0, {0, 2, 1});
    row("column:weight:2", 0, 0, {1, 2, 1});
    row("column:left", 0, 2, {0, 2, 1});
    row("column:sum", 0, 0, {0, 1, 1});
    row("row:2", 0, 0, {1, 2, 0});
    row("row:weight:0", 0, 0, {1, 0, 1});
    row("row:left", 0, 2, {1, 2, 1});
    row("row:right", 2, 0, {1, 2, 0});
    row("row:sum", 0, 0, {1, 1, 0});
    row("layer:2", 0, 0, {0, 2, 0});
    row("outer:layer", 0, 0, {0, 1, 0});
    row("outer:column", 0, 0, {0, 1, 1});
    row("outer:row", 0, 0, {1, 1, 0});
    row("outer:sum", 0, 1, {0, 1, 1});
    row("result", 0, 1, {0, 1, 1});
}

void TestProductsScene::picksGoBackToIndices()
{
    QFETCH(QString, id);
    QFETCH(int, row);
    QFETCH(int, col);
    QFETCH(QList<int>, indices);
    const SnapshotPtr snapshot = freeSnapshot({1, 2, 3}, {1, 3, 2});
    const Result<Product> product = productOf(*snapshot, {ProductKind::Free, -1});
    QVERIFY(product.ok());
    ProductsOptions options = freeOptions();
    options.i = options.j = options.k = 1;
    const ProductsOptions picked = pickedInProduct(options, *product, MapKey::derived(id), row, col);
    QCOMPARE((QList<int>{int(picked.i), int(picked.j), int(picked.k)}), indices);
}

void TestProductsScene::conventionChoosesTheBasicView()
{
    const SnapshotPtr snapshot = freeSnapshot({1, 2, 3}, {1, 3, 2});
    ProductsOptions options = freeOptions();
    const auto badgeLine = [&] {
        const Scene scene = productsScene(snapshot, {}, options);
        for (const SceneText &text : scene.texts)
            if (text.text == u"basic view"_s)
                for (const SceneText &title : scene.texts)
                    if (title.style == SceneText::Style::Heading && title.rect.top() == text.rect.top() &&
                        std::abs(title.rect.right() - text.rect.left()) < 8.0)
                        return title.text;
        return QString();
    };
    QVERIFY(badgeLine().startsWith(u"Row view"_s));
    options.vectors = ProductsOptions::Vectors::AsColumns;
    QVERIFY(badgeLine().startsWith(u"Column view"_s));
    QVERIFY(hasText(productsScene(snapshot, {}, options), u"Vectors as columns"_s));
}

void TestProductsScene::compactFormsShowWholeFactors()
{
    ProductsOptions options = freeOptions();
    options.compact = true;
    const Scene scene = productsScene(freeSnapshot({1, 2, 3}, {1, 3, 4}), {}, options);
    QVERIFY(derivedMap(scene, u"row:right"_s)->values->shape() == (Shape{1, 3, 4}));
    QVERIFY(derivedMap(scene, u"row:left"_s)->values->shape() == (Shape{1, 1, 3}));
    QVERIFY(derivedMap(scene, u"column:left"_s)->values->shape() == (Shape{1, 2, 3}));
    QVERIFY(!derivedMap(scene, u"row:0"_s));
    QVERIFY(derivedMap(scene, u"row:sum"_s));
}

void TestProductsScene::factorsAreEdited()
{
    const Scene scores = seedScene(u"seed_b_qkv_pinned"_s, ProductKind::Scores, 1, 3);
    const SceneMap *keys = findMap(scores, Stage::K);
    QVERIFY(keys && keys->key.transposed && !keys->readOnly);
    const Scene free = productsScene(freeSnapshot({1, 2, 3}, {1, 3, 4}), {}, freeOptions());
    QVERIFY(free.maps[0].key == MapKey::lab(u"A"_s));
    QVERIFY(!free.maps[0].readOnly);
    QVERIFY(free.maps[1].key == MapKey::lab(u"B"_s));
    QVERIFY(derivedMap(free, u"result"_s)->readOnly);
}

void TestProductsScene::outputIsCutIntoHeads()
{
    // Two heads of three features: 3 + 3 columns of concat, 3 + 3 rows of W^O.
    const Scene whole = seedScene(u"seed_d1x_two_heads_from_x"_s, ProductKind::Output, 1, 0);
    const auto has = [](const SceneMap *map, const MapEmphasis &block) {
        return std::ranges::find(map->emphasis, block) != map->emphasis.end();
    };
    for (const Index first : {Index(0), Index(3)}) {
        QVERIFY(has(findMap(whole, Stage::Concat), {0, 3, first, first + 2, MapEmphasis::Style::Soft}));
        QVERIFY(has(findMap(whole, Stage::Wo), {first, first + 2, 0, 5, MapEmphasis::Style::Soft}));
    }
    QVERIFY(hasText(whole, u"The first 3 of the 6 features j are those of head 1"_s));
    QCOMPARE(layoutFault(whole), QString());
    // One head's part is one block.
    ProductsOptions options;
    options.choice = {ProductKind::Output, 1};
    const Scene part = productsScene(goldenSnapshot(u"seed_d1x_two_heads_from_x"_s), {}, options);
    QVERIFY(!hasText(part, u"features j are those of head 1"_s));
    QVERIFY(hasText(part, u"This head's features of token i"_s));
}

void TestProductsScene::hiddenKeysAreHatched()
{
    const Scene causal = seedScene(u"seed_e_a_causal"_s, ProductKind::HeadOut, 1, 0);
    const SceneMap *weights = findMap(causal, Stage::A);
    QVERIFY(weights->allowed);
    QCOMPARE(weights->allowed->value(weights->allowedHead, 0, 1), 0.0);
    QVERIFY(!findMap(seedScene(u"seed_a_computed"_s, ProductKind::HeadOut, 1, 0), Stage::A)->allowed);
}

void TestProductsScene::givenNumbersAreCompared()
{
    const Scene printed = seedScene(u"seed_g_as_printed"_s, ProductKind::Query, 0, 0);
    QVERIFY(hasText(printed, u"Q holds other numbers than this product in 21 of 24 cells"_s));
    QVERIFY(hasText(printed, u"the largest difference is 0.14"_s));
    QVERIFY(!hasText(seedScene(u"seed_a_computed"_s, ProductKind::Query, 0, 0), u"other numbers"_s));
}

void TestProductsScene::manyTermsShowTheLargest()
{
    const SnapshotPtr snapshot = freeSnapshot({1, 3, 40}, {1, 40, 5});
    ProductsOptions options = freeOptions();
    const CellTerms largest =
        cellTerms(*productOf(*snapshot, options.choice), options.i, options.k, mostProductPieces);
    options.j = largest.terms.back().j;
    const Scene scene = productsScene(snapshot, {}, options);
    QCOMPARE(derivedMap(scene, u"inner:terms"_s)->values->rows(), mostProductPieces);
    QVERIFY(hasText(scene, u"The 8 largest of 40 terms of this cell; the others add up to"_s));
    QVERIFY(hasText(scene, u"+ 32 more"_s));
    QVERIFY(hasText(scene, u"sum of all 40 terms"_s));
    QCOMPARE(layoutFault(scene), QString());

    // A small one that is chosen stands beside them, lit in every view.
    options.j = 0;
    while (std::ranges::find(largest.terms, options.j, &ProductTerm::j) != largest.terms.end())
        ++options.j;
    const Scene chosen = productsScene(snapshot, {}, options);
    QCOMPARE(derivedMap(chosen, u"inner:terms"_s)->values->rows(), mostProductPieces + 1);
    QVERIFY(hasText(chosen, u"The 8 largest of 40 terms of this cell, and the chosen one"_s));
    QVERIFY(!derivedMap(chosen, u"inner:terms"_s)->emphasis.empty());
    QCOMPARE(layoutFault(chosen), QString());
}

void TestProductsScene::largeProductsSaySo()
{
    const Scene scene = productsScene(freeSnapshot({1, 300, 400}, {1, 400, 300}), {}, freeOptions());
    QVERIFY(hasText(scene, u"At 300×400 · 400×300 single pieces and layers are too many"_s));
    QVERIFY(derivedMap(scene, u"inner:terms"_s));
    QVERIFY(!derivedMap(scene, u"outer:sum"_s));
    QCOMPARE(layoutFault(scene), QString());
}

void TestProductsScene::missingFactorsSayWhy()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(2, 1, 2));
    const Scene free = productsScene(snapshot, {}, freeOptions());
    QVERIFY(findControl(free, u"free:make"_s));
    ProductsOptions query;
    const Scene given = productsScene(snapshot, {}, query);
    QVERIFY(given.maps.empty());
    QVERIFY(!given.texts.empty());
    QVERIFY(!findControl(given, u"free:make"_s));
    const Scene clash = productsScene(freeSnapshot({1, 2, 3}, {1, 4, 2}), {}, freeOptions());
    QVERIFY(hasText(clash, u"the left must have as many columns (3) as the right has rows (4)"_s));
    QVERIFY(!findControl(clash, u"free:make"_s));
}

/// The room of the picture in a window of 1440x900 and of 1280x720 with all panes.
void TestProductsScene::viewsAreInSightTogether_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QSizeF>("room");
    QTest::addColumn<double>("leastZoom");
    QTest::newRow("example, 1440x900") << u"seed_a_computed"_s << QSizeF(978, 498) << 0.65;
    QTest::newRow("example, 1280x720") << u"seed_a_computed"_s << QSizeF(832, 368) << 0.54;
    QTest::newRow("two heads, 1440x900") << u"seed_d1_two_heads_computed"_s << QSizeF(978, 498) << 0.65;
    QTest::newRow("cross attention, 1280x720")
        << u"seed_f2_cross_attention_two_heads"_s << QSizeF(832, 368) << 0.54;
    QTest::newRow("many tokens, 1440x900") << u"random_002_largest_causal"_s << QSizeF(978, 498) << 0.5;
}

void TestProductsScene::viewsAreInSightTogether()
{
    QFETCH(QString, name);
    QFETCH(QSizeF, room);
    QFETCH(double, leastZoom);
    const SnapshotPtr snapshot = goldenSnapshot(name);
    for (const ProductKind kind : {ProductKind::Query, ProductKind::Key, ProductKind::Value,
                                   ProductKind::Scores, ProductKind::HeadOut, ProductKind::Output}) {
        ProductsOptions options;
        options.choice = {kind, hasAllHeads(kind) ? -1 : 0};
        if (!productOf(*snapshot, options.choice).ok())
            continue;
        options.room = room;
        const Scene scene = productsScene(snapshot, {}, options);
        const double zoom = std::min(room.width() / scene.size.width(), room.height() / scene.size.height());
        QVERIFY2(zoom >= leastZoom, qPrintable(u"product %1: %2"_s.arg(int(kind)).arg(zoom)));
        QCOMPARE(layoutFault(scene), QString());
    }
}

void TestProductsScene::nothingOverlaps_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"seed_a_computed", "seed_d1_two_heads_computed", "seed_f2_cross_attention_two_heads",
          "random_000_one_token_smallest", "random_001_one_token_wide", "random_003_long_narrow",
          "random_009_grouped_query_rope_half", "random_002_largest_causal"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestProductsScene::nothingOverlaps()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = goldenSnapshot(name);
    for (const ProductKind kind : {ProductKind::Query, ProductKind::Key, ProductKind::Value,
                                   ProductKind::Scores, ProductKind::HeadOut, ProductKind::Output}) {
        for (const bool compact : {false, true}) {
            for (const double width : {880.0, 1600.0}) {
                ProductsOptions options;
                options.choice = {kind, snapshot->experiment().nHeads - 1};
                options.compact = compact;
                options.room = {width, 0.0};
                options.step = 1;
                const QString fault = layoutFault(productsScene(snapshot, {}, options));
                QVERIFY2(fault.isEmpty(), qPrintable(u"product %1: "_s.arg(int(kind)) + fault));
            }
        }
    }
}

void TestProductsScene::exportsAsVectors()
{
    const Scene scene = seedScene(u"seed_a_computed"_s, ProductKind::Query, 0, 0);
    FigureOptions options;
    for (const auto format :
         {FigureOptions::Format::Svg, FigureOptions::Format::Pdf, FigureOptions::Format::Png}) {
        options.format = format;
        const Result<QByteArray> bytes = figureBytes(scene, options);
        QVERIFY(bytes.ok());
        if (format == FigureOptions::Format::Svg) {
            QVERIFY(!bytes->contains("<image"));
            QVERIFY(bytes->contains("1.0086") || bytes->contains("0.38"));
        }
    }
}

QTEST_MAIN(TestProductsScene)
#include "tst_ProductsScene.moc"
