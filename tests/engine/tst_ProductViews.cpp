#include "engine/MatrixRank.h"
#include "engine/ProductViews.h"
#include "io/StateJson.h"
#include "support/GoldenFile.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

/// Terms and sums are those of the golden script in another order of addition.
constexpr double rounding = 1e-13;

Tensor seededMatrix(Index rows, Index cols, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> numbers(static_cast<std::size_t>(rows * cols));
    for (double &number : numbers)
        number = normal(random);
    return Tensor::fromDoubles({1, rows, cols}, numbers);
}

std::vector<double> numbersOf(const StageValues &values)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.rows() * values.cols()));
    values.readBlock(0, 0, 0, values.rows(), values.cols(), numbers.data(), values.cols());
    return numbers;
}

double largestDifference(const std::vector<double> &a, const std::vector<double> &b)
{
    if (a.size() != b.size())
        return HUGE_VAL;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

/// The block [layer] of a golden tensor with three axes.
std::vector<double> goldenLayer(const Tensor &tensor, Index layer)
{
    std::vector<double> numbers(static_cast<std::size_t>(tensor.rows() * tensor.cols()));
    tensor.copyRows(layer, 0, tensor.rows(), numbers.data());
    return numbers;
}

} // namespace

class TestProductViews : public QObject
{
    Q_OBJECT

private slots:
    void goldenViews_data();
    void goldenViews();
    void viewsAddUpToTheProduct_data();
    void viewsAddUpToTheProduct();
    void largestTermsAreListed();
    void largestLayersComeFirst();
    void notFiniteTermsComeFirst();
    void productsOfTheSeed();
    void productsOfHeads_data();
    void productsOfHeads();
    void transposedBlocksKnowTheirCells();
    void pooledBlocksAreThoseOfTheStage();
    void unavailableProductsSayWhy();
    void givenNumbersLeaveAGap();
    void rowsDependOnTheirOwnTokenOnly();
};

void TestProductViews::goldenViews_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("matmul")))
        QTest::newRow(qPrintable(name)) << name;
}

void TestProductViews::goldenViews()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const Product product = plainProduct(goldenTensor(golden["A"]), goldenTensor(golden["B"]));
    const Tensor C = goldenTensor(golden["C"]);
    const Tensor inner = goldenTensor(golden["inner"]);
    const Tensor columns = goldenTensor(golden["columns"]);
    const Tensor rows = goldenTensor(golden["rows"]);
    const Tensor outer = goldenTensor(golden["outer"]);
    const Tensor partial = goldenTensor(golden["outer_partial"]);
    const Index m = product.rows();
    const Index n = product.inner();
    const Index p = product.cols();
    QVERIFY(largestDifference(numbersOf(*product.result.values), C.toDoubles()) <= rounding);
    const std::vector<Index> order = layerOrder(product, LayerOrder::ByIndex);
    for (Index j = 0; j < n; ++j) {
        const StageValuesPtr layer = layerValues(product, j);
        QVERIFY(largestDifference(numbersOf(*layer), goldenLayer(outer, j)) <= rounding);
        const double layerRank =
            golden["outer_rank"]["data"].toArray()[static_cast<std::size_t>(j)].toDouble();
        QCOMPARE(numericalRank(*layer), static_cast<Index>(layerRank));
        const RunningSum sum = runningSum(product, order, j + 1);
        QVERIFY(largestDifference(numbersOf(*sum.sum), goldenLayer(partial, j)) <= rounding);
        QVERIFY(sum.rank <= j + 1);
        for (Index i = 0; i < m; ++i)
            for (Index k = 0; k < p; ++k) {
                QVERIFY(std::abs(layer->value(0, i, k) - columns.at(k, j, i)) <= rounding);
                QVERIFY(std::abs(layer->value(0, i, k) - rows.at(i, j, k)) <= rounding);
            }
    }
    for (Index i = 0; i < m; ++i) {
        for (Index k = 0; k < p; ++k) {
            const CellTerms terms = cellTerms(product, i, k, n);
            QCOMPARE(terms.restCount, Index(0));
            QVERIFY(std::abs(terms.sum - C.at(i, k)) <= rounding);
            for (const ProductTerm &term : terms.terms) {
                QVERIFY(std::abs(term.value - inner.at(i, k, term.j)) <= rounding);
                QCOMPARE(term.value, term.left * term.right);
            }
        }
    }
    QCOMPARE(numericalRank(*product.result.values), static_cast<Index>(golden["rank_C"].toDouble()));
}

void TestProductViews::viewsAddUpToTheProduct_data()
{
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("p");
    for (const auto &[m, n, p] : {std::tuple{1, 1, 1}, {1, 7, 1}, {5, 1, 3}, {33, 70, 9}, {4, 6, 6}})
        QTest::addRow("%d×%d · %d×%d", m, n, n, p) << m << n << p;
}

/// All four views are slices of one cube of terms, whose sums over j are the product's cells.
void TestProductViews::viewsAddUpToTheProduct()
{
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(int, p);
    const Product product = plainProduct(seededMatrix(m, n, 1), seededMatrix(n, p, 2));
    std::vector<double> layers(static_cast<std::size_t>(m * p), 0.0);
    for (Index j = 0; j < n; ++j) {
        const std::vector<double> layer = numbersOf(*layerValues(product, j));
        for (std::size_t cell = 0; cell < layers.size(); ++cell)
            layers[cell] += layer[cell];
    }
    const std::vector<double> result = numbersOf(*product.result.values);
    QVERIFY(largestDifference(layers, result) <= rounding * n);
    const RunningSum all = runningSum(product, layerOrder(product, LayerOrder::LargestFirst), n);
    QVERIFY(largestDifference(numbersOf(*all.sum), result) <= rounding * n);
    QCOMPARE(all.restNorm, 0.0);
    const RunningSum none = runningSum(product, layerOrder(product, LayerOrder::ByIndex), 0);
    QCOMPARE(none.rank, Index(0));
    QCOMPARE(none.restNorm, none.wholeNorm);
    QVERIFY(std::abs(cellTerms(product, m - 1, p - 1, 3).sum - result.back()) <= rounding * n);
}

void TestProductViews::largestTermsAreListed()
{
    const Product product =
        plainProduct(Tensor::fromDoubles({1, 1, 5}, std::vector<double>{1, -9, 2, 4, 0.5}),
                     Tensor::fromDoubles({1, 5, 1}, std::vector<double>{1, 1, 1, -1, 1}));
    const CellTerms terms = cellTerms(product, 0, 0, 2);
    QCOMPARE(terms.terms.size(), std::size_t(2));
    QCOMPARE(terms.terms[0].j, Index(1));
    QCOMPARE(terms.terms[1].j, Index(3));
    QCOMPARE(terms.terms[1].value, -4.0);
    QCOMPARE(terms.restCount, Index(3));
    QCOMPARE(terms.restSum, 3.5);
    QCOMPARE(terms.sum, -9.5);
    // The one that is asked for stands among them, whatever its size.
    const CellTerms withSmall = cellTerms(product, 0, 0, 2, 2);
    QCOMPARE(withSmall.terms.size(), std::size_t(3));
    QCOMPARE(withSmall.terms[1].j, Index(2));
    QCOMPARE(withSmall.restCount, Index(2));
    QCOMPARE(withSmall.restSum + withSmall.terms[1].value, 3.5);
    QCOMPARE(cellTerms(product, 0, 0, 2, 3).terms.size(), std::size_t(2));
}

void TestProductViews::largestLayersComeFirst()
{
    const Product product =
        plainProduct(Tensor::fromDoubles({1, 2, 3}, std::vector<double>{3, 0, 1, 4, 0, 0}),
                     Tensor::fromDoubles({1, 3, 2}, std::vector<double>{1, 0, 9, 9, 0, 7}));
    const std::vector<double> norms = layerNorms(product);
    QCOMPARE(norms, (std::vector<double>{5.0, 0.0, 7.0}));
    QCOMPARE(layerOrder(product, LayerOrder::LargestFirst), (std::vector<Index>{2, 0, 1}));
    QCOMPARE(layerOrder(product, LayerOrder::ByIndex), (std::vector<Index>{0, 1, 2}));
}

void TestProductViews::notFiniteTermsComeFirst()
{
    const double nan = std::nan("");
    const Product product = plainProduct(Tensor::fromDoubles({1, 1, 3}, std::vector<double>{5, nan, 1}),
                                         Tensor::fromDoubles({1, 3, 1}, std::vector<double>{1, 0, 1}));
    QCOMPARE(cellTerms(product, 0, 0, 1).terms[0].j, Index(1));
    QVERIFY(std::isnan(cellTerms(product, 0, 0, 1).sum));
    QCOMPARE(layerOrder(product, LayerOrder::LargestFirst)[0], Index(1));
    QCOMPARE(runningSum(product, {0, 1, 2}, 3).rank, Index(-1));
}

/// The golden seed products come from the states that documents hold.
void TestProductViews::productsOfTheSeed()
{
    struct Seed
    {
        const char *product;
        const char *state;
        ProductKind kind;
    };
    for (const Seed &seed : {Seed{"seed_product_xwq", "seed_a_computed", ProductKind::Query},
                             Seed{"seed_product_qkt", "seed_b_qkv_pinned", ProductKind::Scores},
                             Seed{"seed_product_av", "seed_c_attention_pinned", ProductKind::HeadOut}}) {
        const Json golden = readGolden(QLatin1String(seed.product));
        const ExperimentPtr experiment = goldenExperiment(readGolden(QLatin1String(seed.state))["state"]);
        QVERIFY(experiment);
        const SnapshotPtr snapshot = evaluated(experiment);
        const Result<Product> product = productOf(*snapshot, {seed.kind, -1});
        QVERIFY(product.ok());
        QVERIFY(largestDifference(numbersOf(*product->left.values), goldenTensor(golden["A"]).toDoubles()) <=
                rounding);
        QVERIFY(largestDifference(numbersOf(*product->right.values), goldenTensor(golden["B"]).toDoubles()) <=
                rounding);
        QVERIFY(largestDifference(numbersOf(*product->result.values),
                                  goldenTensor(golden["C"]).toDoubles()) <= rounding);
        if (seed.kind == ProductKind::Query)
            QCOMPARE(productGap(*product).count, Index(0));
    }
}

void TestProductViews::productsOfHeads_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("forward")))
        QTest::newRow(qPrintable(name)) << name;
}

/// Every product of the pipeline makes its stage, per head and for all heads.
void TestProductViews::productsOfHeads()
{
    QFETCH(QString, name);
    const ExperimentPtr experiment = goldenExperiment(readGolden(name)["state"]);
    QVERIFY(experiment);
    const SnapshotPtr snapshot = evaluated(experiment);
    for (const ProductKind kind : {ProductKind::Query, ProductKind::Key, ProductKind::Value,
                                   ProductKind::Scores, ProductKind::HeadOut, ProductKind::Output}) {
        for (Index head = hasAllHeads(kind) ? -1 : 0; head < experiment->nHeads; ++head) {
            const Result<Product> product = productOf(*snapshot, {kind, head});
            if (!product.ok()) {
                QVERIFY(!product.error().message.empty());
                QVERIFY(name.startsWith(QLatin1String("given")) || kind == ProductKind::Output);
                continue;
            }
            QCOMPARE(product->rows(), product->result.rows());
            QCOMPARE(product->cols(), product->result.cols());
            const Stage stage = product->result.stage;
            const bool isOwn = snapshot->stage(stage).status == StageStatus::Given;
            if (!isOwn && snapshot->stage(stage).pinnedCount == 0)
                QVERIFY2(productGap(*product).count == 0, stageName(stage));
        }
    }
}

void TestProductViews::transposedBlocksKnowTheirCells()
{
    const ExperimentPtr experiment =
        goldenExperiment(readGolden(QStringLiteral("random_004_plain"))["state"]);
    const SnapshotPtr snapshot = evaluated(experiment);
    const Index last = experiment->nHeads - 1;
    const Result<Product> scores = productOf(*snapshot, {ProductKind::Scores, last});
    QVERIFY(scores.ok());
    const ProductMatrix &right = scores->right;
    QVERIFY(right.transposed);
    for (Index j = 0; j < right.rows(); ++j) {
        for (Index t = 0; t < right.cols(); ++t) {
            const CellIndex cell = right.cellOf(j, t);
            QCOMPARE(cell.row, t);
            QCOMPARE(snapshot->stage(right.stage).values->value(cell.head, cell.row, cell.col),
                     right.values->value(0, j, t));
            QVERIFY((right.placeOf(cell) == std::pair{j, t}));
        }
    }
    QVERIFY(!right.placeOf({0, 0, last * right.rows() - 1}) || last == 0);
    std::vector<float> block(4);
    right.values->readBlock(0, 0, 1, 2, 2, block.data(), 2);
    QCOMPARE(block[1], static_cast<float>(right.values->value(0, 0, 2)));
    QCOMPARE(block[2], static_cast<float>(right.values->value(0, 1, 1)));
}

void TestProductViews::pooledBlocksAreThoseOfTheStage()
{
    const ExperimentPtr experiment = goldenExperiment(readGolden(QStringLiteral("seed_a_computed"))["state"]);
    const SnapshotPtr snapshot = evaluated(experiment);
    const Result<Product> mix = productOf(*snapshot, {ProductKind::HeadOut, 0});
    const Result<Product> scores = productOf(*snapshot, {ProductKind::Scores, 0});
    QVERIFY(mix.ok() && scores.ok());
    for (const Pooling pooling : {Pooling::Max, Pooling::Mean}) {
        float own[4];
        float stage[4];
        mix->left.values->readPooled(0, 0, 0, 3, 2, 2, pooling, own, 2);
        snapshot->stage(Stage::A).values->readPooled(0, 0, 0, 3, 2, 2, pooling, stage, 2);
        for (int at = 0; at < 4; ++at)
            QCOMPARE(own[at], stage[at]);
        scores->right.values->readPooled(0, 0, 0, 3, 2, 2, pooling, own, 2); // the keys, transposed
        snapshot->stage(Stage::K).values->readPooled(0, 0, 0, 3, 2, 2, pooling, stage, 2);
        QCOMPARE(own[1], stage[2]);
        QCOMPARE(own[2], stage[1]);
        QCOMPARE(own[3], stage[3]);
    }
}

void TestProductViews::unavailableProductsSayWhy()
{
    const Experiment empty;
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(empty));
    QVERIFY(!productOf(*snapshot, {ProductKind::Query, 0}).ok());
    Experiment free;
    const auto refusal = [](const Experiment &experiment) {
        const Result<Product> product =
            productOf(*evaluated(std::make_shared<const Experiment>(experiment)), {ProductKind::Free, -1});
        return product.ok() ? std::string() : product.error().message;
    };
    QCOMPARE(refusal(free), std::string("this document has no scratch matrix left A"));
    free.labs["A"] = seededMatrix(2, 3, 1);
    free.labs["B"] = seededMatrix(4, 2, 2);
    QCOMPARE(refusal(free), std::string("left A is 2×3, right B is 4×2: the left must have as many columns "
                                        "(3) as the right has rows (4)"));
    free.labs["B"] = seededMatrix(3, 5, 2);
    QCOMPARE(refusal(free), std::string());
}

void TestProductViews::givenNumbersLeaveAGap()
{
    const ExperimentPtr printed = goldenExperiment(readGolden(QStringLiteral("seed_g_as_printed"))["state"]);
    QVERIFY(printed);
    const SnapshotPtr snapshot = evaluated(printed);
    const Result<Product> product = productOf(*snapshot, {ProductKind::Query, -1});
    QVERIFY(product.ok());
    const ProductGap gap = productGap(*product, 0.005); // half a unit of the second place
    QCOMPARE(gap.count, Index(21));
    QVERIFY(std::abs(gap.largest - 0.14) < 1e-9);
}

/// Property: row i of X·W depends on row i of X only.
void TestProductViews::rowsDependOnTheirOwnTokenOnly()
{
    const Tensor X = seededMatrix(5, 4, 1);
    const Tensor W = seededMatrix(4, 3, 2);
    const std::vector<double> before = numbersOf(*plainProduct(X, W).result.values);
    std::vector<CellValue> others;
    for (Index col = 0; col < 4; ++col)
        others.push_back({{0, 2, col}, 100.0});
    const std::vector<double> after = numbersOf(*plainProduct(X.withCells(others), W).result.values);
    for (std::size_t cell = 0; cell < before.size(); ++cell)
        QCOMPARE(before[cell] == after[cell], cell / 3 != 2);
}

QTEST_APPLESS_MAIN(TestProductViews)
#include "tst_ProductViews.moc"
