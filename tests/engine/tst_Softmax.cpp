#include "engine/Metrics.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

struct SoftmaxRow
{
    std::vector<double> weights;
    bool isFullyMasked = false;
};

/// The engine's softmax of one row of scaled scores.
SoftmaxRow softmaxOf(const std::vector<double> &scaled)
{
    const auto nKeys = static_cast<Index>(scaled.size());
    Experiment experiment;
    experiment.tokens = TokenList({"query"});
    experiment.tokensKv = TokenList(std::vector<std::string>(scaled.size(), std::string("key")));
    experiment.given = {{Stage::Scaled, Tensor::fromDoubles({1, 1, nKeys}, scaled)},
                        {Stage::V, Tensor::zeros({1, nKeys, 1})}};
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(experiment));
    SoftmaxRow row{std::vector<double>(scaled.size()),
                   snapshot->stage(Stage::FullyMasked).values->value(0, 0, 0) != 0.0};
    snapshot->stage(Stage::ASoft).values->readBlock(0, 0, 0, 1, nKeys, row.weights.data(), nKeys);
    return row;
}

/// The metrics of one row of weights over one-dimensional values.
RowMetrics metricsOfWeights(const Tensor &weights)
{
    Experiment experiment;
    experiment.tokens = TokenList({"query"});
    experiment.tokensKv =
        TokenList(std::vector<std::string>(static_cast<std::size_t>(weights.cols()), std::string("key")));
    experiment.given = {{Stage::A, weights}, {Stage::V, Tensor::zeros({1, weights.cols(), 1})}};
    return metricsOf(*evaluated(std::make_shared<const Experiment>(experiment))).rows;
}

} // namespace

class TestSoftmax : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void entropies();
    void ignoresShifts();
    void rowsWithoutKeysAreFullyMasked();
    void troubleFillsTheRow();
};

void TestSoftmax::golden_data()
{
    QTest::addColumn<int>("index");
    const Json file = readGolden(QStringLiteral("softmax"));
    for (std::size_t i = 0; i < file["rows"].toArray().size(); ++i)
        QTest::addRow("row %d", static_cast<int>(i)) << static_cast<int>(i);
}

void TestSoftmax::golden()
{
    QFETCH(int, index);
    const Json file = readGolden(QStringLiteral("softmax"));
    const Json &entry = file["rows"].toArray()[static_cast<std::size_t>(index)];
    const std::vector<double> row = goldenTensor(entry["row"]).toDoubles();
    const Tensor expected = goldenTensor(entry["softmax"]);
    const SoftmaxRow softmax = softmaxOf(row);
    COMPARE_MATRIX(softmax.weights, expected.toDoubles(), 1e-12);
    QCOMPARE(softmax.isFullyMasked, entry["fully_masked"].toBool());
    for (std::size_t col = 0; col < row.size(); ++col)
        if (std::isinf(row[col]) && row[col] < 0.0)
            QCOMPARE(softmax.weights[col], expected.at(0, static_cast<Index>(col)));
    const RowMetrics metrics = metricsOfWeights(expected);
    QVERIFY(std::abs(metrics.entropy.front() - entry["entropy"].toDouble()) <= 1e-12);
}

void TestSoftmax::entropies()
{
    const Json file = readGolden(QStringLiteral("softmax"));
    for (const Json &entry : file["entropies"].toArray()) {
        const RowMetrics metrics = metricsOfWeights(goldenTensor(entry["row"]));
        QVERIFY(std::abs(metrics.entropy.front() - entry["entropy"].toDouble()) <= 1e-12);
    }
}

void TestSoftmax::ignoresShifts()
{
    const std::vector<double> row = {0.25, -3.0, 1.5, 0.0, -0.75};
    const std::vector<double> weights = softmaxOf(row).weights;
    for (const double shift : {1024.0, -1024.0}) { // exact in these numbers, so the bits agree
        std::vector<double> shifted = row;
        for (double &score : shifted)
            score += shift;
        QCOMPARE(softmaxOf(shifted).weights, weights);
    }
    QVERIFY(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 1.0) < 1e-15);
}

void TestSoftmax::rowsWithoutKeysAreFullyMasked()
{
    const SoftmaxRow none = softmaxOf({});
    QVERIFY(none.weights.empty());
    QVERIFY(none.isFullyMasked);
}

void TestSoftmax::troubleFillsTheRow()
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double trouble : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
        const SoftmaxRow row = softmaxOf({1.0, trouble, -infinity});
        QVERIFY(std::all_of(row.weights.begin(), row.weights.end(),
                            [](double weight) { return std::isnan(weight); }));
        QVERIFY(!row.isFullyMasked);
    }
}

QTEST_APPLESS_MAIN(TestSoftmax)
#include "tst_Softmax.moc"
