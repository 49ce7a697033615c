#include "engine/Metrics.h"
#include "engine/Softmax.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

template<typename Scalar>
Matrix<Scalar> rowOf(const Json &array)
{
    const Tensor tensor = goldenTensor(array);
    Matrix<Scalar> row(1, tensor.cols());
    tensor.copyRows(0, 0, 1, row.data());
    return row;
}

template<typename Scalar>
std::vector<double> numbersOf(const Matrix<Scalar> &row)
{
    std::vector<double> numbers;
    for (Index col = 0; col < row.cols(); ++col)
        numbers.push_back(static_cast<double>(row(0, col)));
    return numbers;
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
    const Matrix<double> row = rowOf<double>(entry["row"]);
    const Tensor expected = goldenTensor(entry["softmax"]);
    COMPARE_MATRIX(numbersOf(softmaxRows(row)), expected.toDoubles(), 1e-12);
    QCOMPARE(fullyMaskedRows(row)(0) != 0.0, entry["fully_masked"].toBool());
    for (Index col = 0; col < row.cols(); ++col)
        if (std::isinf(row(0, col)) && row(0, col) < 0.0)
            QCOMPARE(softmaxRows(row)(0, col), expected.at(0, col));
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
    Matrix<double> row(1, 5);
    row << 0.25, -3.0, 1.5, 0.0, -0.75;
    const Matrix<double> A = softmaxRows(row);
    for (const double shift : {1024.0, -1024.0}) { // exact in these numbers, so the bits agree
        const Matrix<double> shifted = row.array() + shift;
        QCOMPARE(softmaxRows(shifted), A);
    }
    QVERIFY(std::abs(A.sum() - 1.0) < 1e-15);
}

void TestSoftmax::rowsWithoutKeysAreFullyMasked()
{
    const Matrix<float> none(2, 0);
    QCOMPARE(softmaxRows(none).size(), Index(0));
    QCOMPARE(fullyMaskedRows(none).sum(), 2.0f);
}

void TestSoftmax::troubleFillsTheRow()
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double trouble : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
        Matrix<double> row(1, 3);
        row << 1.0, trouble, -infinity;
        const Matrix<double> A = softmaxRows(row);
        for (Index col = 0; col < 3; ++col)
            QVERIFY(std::isnan(A(0, col)));
        QCOMPARE(fullyMaskedRows(row)(0), 0.0);
    }
}

QTEST_APPLESS_MAIN(TestSoftmax)
#include "tst_Softmax.moc"
