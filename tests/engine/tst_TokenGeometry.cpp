#include "base/NumberText.h"
#include "engine/MatrixFill.h"
#include "engine/lab/ConceptDirection.h"
#include "engine/lab/PrincipalPlane.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

TokenVectors vectorsOf(const Tensor &matrix)
{
    return tokenVectors(*valuesOf(matrix), 0);
}

Tensor normalMatrix(Index rows, Index cols, std::uint64_t seed)
{
    MatrixFill fill;
    fill.kind = MatrixFill::Kind::Normal;
    fill.seed = seed;
    return *filledMatrix(fill, {1, rows, cols}, Tensor::Storage::Float64, {});
}

double squaredLength(std::span<const double> row)
{
    double sum = 0.0;
    for (const double number : row)
        sum += number * number;
    return sum;
}

} // namespace

/// Tokens as vectors: tables, directions, and the plane of the largest spread.
class TestTokenGeometry : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void partsAddUpInSquares();
    void tablesAgreeWithTheDefinition();
    void planeOfAKnownEllipse();
    void planeIsTheSameByBothWays();
    void planeHoldsTheDistances_data();
    void planeHoldsTheDistances();
    void planeOfFewOrEqualRows();
};

void TestTokenGeometry::golden_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("directions"));
    for (std::size_t i = 0; i < golden["cases"].toArray().size(); ++i)
        QTest::newRow(golden["cases"].toArray()[i]["title"].toString().c_str()) << static_cast<int>(i);
}

void TestTokenGeometry::golden()
{
    QFETCH(int, index);
    const Json file = readGolden(QStringLiteral("directions"));
    const Json &entry = file["cases"].toArray()[static_cast<std::size_t>(index)];
    const TokenVectors rows = vectorsOf(goldenTensor(entry["rows"]));
    const std::vector<double> direction = goldenTensor(entry["direction"]).toDoubles();
    std::vector<double> dots, lengths, cosines, parallel, residual;
    for (Index i = 0; i < rows.count; ++i) {
        const DirectionReading reading = readDirection(rows.row(i), direction);
        dots.push_back(reading.dot);
        lengths.push_back(reading.length);
        cosines.push_back(reading.cosine);
        const std::vector<double> along = projectionOn(rows.row(i), direction);
        std::vector<double> rest;
        for (std::size_t c = 0; c < along.size(); ++c)
            rest.push_back(rows.row(i)[c] - along[c]);
        QVERIFY(std::abs(reading.projectionNorm - std::sqrt(squaredLength(along))) < 1e-14);
        QVERIFY(std::abs(reading.residualNorm - std::sqrt(squaredLength(rest))) < 1e-14);
        parallel.insert(parallel.end(), along.begin(), along.end());
        residual.insert(residual.end(), rest.begin(), rest.end());
    }
    COMPARE_MATRIX(dots, goldenTensor(entry["dot"]).toDoubles(), 1e-12);
    COMPARE_MATRIX(lengths, goldenTensor(entry["length"]).toDoubles(), 1e-12);
    COMPARE_MATRIX(cosines, goldenTensor(entry["cosine"]).toDoubles(), 1e-12);
    COMPARE_MATRIX(parallel, goldenTensor(entry["parallel"]).toDoubles(), 1e-12);
    COMPARE_MATRIX(residual, goldenTensor(entry["residual"]).toDoubles(), 1e-12);
}

void TestTokenGeometry::partsAddUpInSquares()
{
    const TokenVectors rows = vectorsOf(normalMatrix(20, 9, 1));
    const TokenVectors directions = vectorsOf(normalMatrix(3, 9, 2));
    for (Index i = 0; i < rows.count; ++i) {
        for (Index j = 0; j < directions.count; ++j) {
            const DirectionReading reading = readDirection(rows.row(i), directions.row(j));
            const double squares =
                reading.projectionNorm * reading.projectionNorm + reading.residualNorm * reading.residualNorm;
            QVERIFY(std::abs(squares - squaredLength(rows.row(i))) < 1e-12);
            QVERIFY(std::abs(reading.cosine) <= 1.0 + 1e-15);
            QCOMPARE(reading.largest, rows.row(i)[static_cast<std::size_t>(reading.largestAt)]);
        }
    }
    const std::vector<double> nothing(9, 0.0);
    QVERIFY(std::isnan(readDirection(rows.row(0), nothing).cosine));
    QVERIFY(std::isnan(readDirection(nothing, rows.row(0)).cosine));
    QCOMPARE(readDirection(nothing, rows.row(0)).dot, 0.0);
}

void TestTokenGeometry::tablesAgreeWithTheDefinition()
{
    const TokenVectors rows =
        vectorsOf(Tensor::fromDoubles({1, 3, 2}, std::vector<double>{3, 4, 0, 2, 0, 0}));
    const std::vector<double> dots = {25, 8, 0, 8, 4, 0, 0, 0, 0};
    for (Index i = 0; i < 9; ++i)
        QCOMPARE(dotTable(rows)->value(0, i / 3, i % 3), dots[static_cast<std::size_t>(i)]);
    QCOMPARE(cosineTable(rows)->value(0, 0, 1), 0.8);
    QCOMPARE(cosineTable(rows)->value(0, 0, 0), 1.0);
    QVERIFY(std::isnan(cosineTable(rows)->value(0, 2, 0)));
}

/// Points (±2, 0) and (0, ±1) turned by 30 degrees and moved: the plane finds the turn and the place.
void TestTokenGeometry::planeOfAKnownEllipse()
{
    const double c = std::sqrt(3.0) / 2.0;
    const double s = 0.5;
    const std::vector<double> points = {5 + 2 * c, 7 + 2 * s, 5 - 2 * c, 7 - 2 * s,
                                        5 - s,     7 + c,     5 + s,     7 - c};
    const PrincipalPlane plane = principalPlane(vectorsOf(Tensor::fromDoubles({1, 4, 2}, points)), true);
    QVERIFY(std::abs(plane.origin[0] - 5.0) < 1e-14 && std::abs(plane.origin[1] - 7.0) < 1e-14);
    QVERIFY(std::abs(plane.axes[0][0] - c) < 1e-14 && std::abs(plane.axes[0][1] - s) < 1e-14);
    QVERIFY(std::abs(plane.axes[1][0] + s) < 1e-14 && std::abs(plane.axes[1][1] - c) < 1e-14);
    QVERIFY(std::abs(plane.shares[0] - 0.8) < 1e-14 && std::abs(plane.shares[1] - 0.2) < 1e-14);
    QVERIFY(std::abs(plane.points[0].x - 2.0) < 1e-14 && std::abs(plane.points[0].y) < 1e-14);
    QVERIFY(std::abs(plane.footOf(std::vector<double>{c, s}).x - 1.0) < 1e-14);
}

/// Above 128 rows and columns the leading pair is iterated; a wide gap lets both agree to rounding.
void TestTokenGeometry::planeIsTheSameByBothWays()
{
    std::vector<double> numbers = normalMatrix(140, 132, 5).toDoubles();
    for (std::size_t i = 0; i < numbers.size(); i += 132) {
        numbers[i] *= 40.0;
        numbers[i + 1] *= 20.0;
    }
    const TokenVectors wide = vectorsOf(Tensor::fromDoubles({1, 140, 132}, numbers));
    const PrincipalPlane iterated = principalPlane(wide, true);
    // The first 128 columns alone are computed directly; the four left out carry about 0.2 % of the spread.
    std::vector<double> cut;
    for (std::size_t i = 0; i < numbers.size(); i += 132)
        cut.insert(cut.end(), numbers.begin() + static_cast<std::ptrdiff_t>(i),
                   numbers.begin() + static_cast<std::ptrdiff_t>(i + 128));
    const PrincipalPlane direct = principalPlane(vectorsOf(Tensor::fromDoubles({1, 140, 128}, cut)), true);
    for (std::size_t i = 0; i < 140; ++i)
        QVERIFY(std::abs(iterated.points[i].x - direct.points[i].x) < 1.0);
    QVERIFY(std::abs(iterated.shares[0] / direct.shares[0] - 1.0) < 0.01);
    // Optimal: the axes are eigenvectors, X^T X a = lambda a.
    double total = 0.0;
    std::vector<double> image(132, 0.0);
    for (Index i = 0; i < 140; ++i)
        for (std::size_t c = 0; c < 132; ++c) {
            const double centred = wide.row(i)[c] - iterated.origin[c];
            total += centred * centred;
            image[c] += centred * iterated.points[static_cast<std::size_t>(i)].x;
        }
    for (std::size_t c = 0; c < 132; ++c)
        QVERIFY(std::abs(image[c] - iterated.shares[0] * total * iterated.axes[0][c]) < 1e-4 * total);
}

void TestTokenGeometry::planeHoldsTheDistances_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::addColumn<bool>("isCentred");
    QTest::newRow("tall, centred") << 30 << 5 << true;
    QTest::newRow("wide, centred") << 5 << 30 << true;
    QTest::newRow("tall, from 0") << 30 << 5 << false;
    QTest::newRow("wide, from 0") << 5 << 30 << false;
    QTest::newRow("one column") << 6 << 1 << true;
}

void TestTokenGeometry::planeHoldsTheDistances()
{
    QFETCH(int, rows);
    QFETCH(int, cols);
    QFETCH(bool, isCentred);
    const TokenVectors vectors = vectorsOf(normalMatrix(rows, cols, 8));
    const PrincipalPlane plane = principalPlane(vectors, isCentred);
    double total = 0.0;
    for (Index i = 0; i < rows; ++i)
        for (std::size_t c = 0; c < static_cast<std::size_t>(cols); ++c)
            total += std::pow(vectors.row(i)[c] - plane.origin[c], 2.0);
    double x = 0.0, y = 0.0, mixed = 0.0;
    for (const PrincipalPlane::Point &point : plane.points) {
        x += point.x * point.x;
        y += point.y * point.y;
        mixed += point.x * point.y;
    }
    QVERIFY(std::abs(x / total - plane.shares[0]) < 1e-12);
    QVERIFY(std::abs(y / total - plane.shares[1]) < 1e-12);
    QVERIFY(std::abs(mixed) < 1e-12 * total);
    QVERIFY(plane.shares[0] >= plane.shares[1]);
    QVERIFY(plane.shares[0] + plane.shares[1] <= 1.0 + 1e-12);
    for (const std::vector<double> &axis : plane.axes) {
        const auto largest = std::max_element(axis.begin(), axis.end(),
                                              [](double a, double b) { return std::abs(a) < std::abs(b); });
        QVERIFY(*largest >= 0.0);
    }
    QCOMPARE(principalPlane(vectors, isCentred).axes[0], plane.axes[0]);
}

void TestTokenGeometry::planeOfFewOrEqualRows()
{
    const PrincipalPlane one = principalPlane(vectorsOf(normalMatrix(1, 4, 1)), true);
    QCOMPARE(one.shares[0], 0.0);
    QCOMPARE(one.points[0].x, 0.0);
    const PrincipalPlane equal = principalPlane(vectorsOf(Tensor::filled({1, 5, 3}, 0.1)), true);
    QVERIFY(equal.shares[0] <= 1.0);
    QCOMPARE(equal.shares[1], 0.0);
    const PrincipalPlane line = principalPlane(
        vectorsOf(Tensor::fromDoubles({1, 3, 2}, std::vector<double>{1, 1, 2, 2, 3, 3})), false);
    QVERIFY(std::abs(line.shares[0] - 1.0) < 1e-14);
    QVERIFY(line.shares[1] < 1e-14);
}

QTEST_APPLESS_MAIN(TestTokenGeometry)
#include "tst_TokenGeometry.moc"
