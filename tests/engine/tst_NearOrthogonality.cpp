#include "engine/lab/AngleStatistics.h"
#include "engine/lab/DirectionSample.h"
#include "engine/lab/PackingBounds.h"
#include "support/GoldenFile.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

void compareRelative(double actual, double expected, double tolerance = 1e-11)
{
    QVERIFY2(std::abs(actual - expected) <= tolerance * std::max(std::abs(expected), 1e-300),
             qPrintable(QStringLiteral("%1 for %2").arg(actual, 0, 'g', 17).arg(expected, 0, 'g', 17)));
}

} // namespace

class TestNearOrthogonality : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void sharpBoundsAreReached_data();
    void sharpBoundsAreReached();
    void boundsOfTheTutorial();
    void twoSidedNeverExceedsOneSided();
    void densityIsNormalised();
    void theSameSeedGivesTheSameNumbers();
    void sampleFollowsTheClosedForms();
    void packingStaysWithinTheBounds();
    void interferenceGrowsWithTheRoot();
};

void TestNearOrthogonality::golden_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("near_orthogonality"));
    for (std::size_t i = 0; i < golden["dimensions"].toArray().size(); ++i)
        QTest::addRow("n = %d", static_cast<int>(golden["dimensions"].toArray()[i]["d"].toInteger()))
            << static_cast<int>(i);
}

void TestNearOrthogonality::golden()
{
    QFETCH(int, index);
    const Json file = readGolden(QStringLiteral("near_orthogonality"));
    const Json &entry = file["dimensions"].toArray()[static_cast<std::size_t>(index)];
    const Index n = static_cast<Index>(entry["d"].toInteger());
    QCOMPARE(meanAngleDegrees, entry["mean_degrees"].toDouble());
    QCOMPARE(meanDotProduct, entry["cos_mean"].toDouble());
    compareRelative(angleDeviation(n), entry["std_degrees"].toDouble());
    compareRelative(dotDeviation(n), entry["cos_std"].toDouble());
    compareRelative(meanAbsoluteDot(n), entry["cos_abs_mean"].toDouble());
    // The logarithms of Gamma lose digits as n grows.
    for (const Json &point : entry["density"].toArray()) {
        compareRelative(angleDensity(n, point["degrees"].toDouble()), point["per_radian"].toDouble(), 1e-10);
        compareRelative(angleDensityPerDegree(n, point["degrees"].toDouble()), point["per_degree"].toDouble(),
                        1e-10);
    }
    for (const Json &point : entry["prob_angle_beyond"].toArray())
        compareRelative(probabilityBeyond(n, point["degrees"].toDouble()), point["value"].toDouble());
    for (const Json &point : entry["prob_near_orthogonal"].toArray())
        compareRelative(probabilityNearlyOrthogonal(n, point["degrees"].toDouble()),
                        point["value"].toDouble());
    for (const Json &point : entry["pairs"].toArray()) {
        const ExpectedPairs pairs =
            expectedPairs(n, point["directions"].toDouble(), point["degrees"].toDouble());
        compareRelative(pairs.pairs, point["pairs"].toDouble());
        compareRelative(pairs.beyond, point["angle_beyond"].toDouble());
        compareRelative(pairs.nearlyOrthogonal, point["near_orthogonal"].toDouble());
        // 1 - P: what P loses counts in full.
        QVERIFY(std::abs(pairs.failing - point["failing"].toDouble()) <= 1e-11 * pairs.pairs);
    }
    compareRelative(oneSidedBound(n, 85.0).directions, entry["max_points_levenshtein_85"].toDouble(), 1e-9);
    const std::optional<double> welch = welchBound(n, 85.0);
    QCOMPARE(welch.has_value(), !entry["max_directions_welch_85"].isNull());
    if (welch)
        QCOMPARE(std::floor(*welch), entry["max_directions_welch_85"].toDouble());
}

void TestNearOrthogonality::sharpBoundsAreReached_data()
{
    QTest::addColumn<int>("n");
    QTest::addColumn<double>("degrees");
    QTest::addColumn<bool>("isTwoSided");
    QTest::addColumn<double>("directions");
    QTest::newRow("right angles, both ways") << 100 << 90.0 << true << 100.0;
    QTest::newRow("right angles or more") << 100 << 90.0 << false << 200.0;
    QTest::newRow("E8") << 8 << 60.0 << false << 240.0;
    QTest::newRow("Leech") << 24 << 60.0 << false << 196560.0;
    QTest::newRow("lines of E8") << 8 << 60.0 << true << 120.0;
    QTest::newRow("lines of Leech") << 24 << 60.0 << true << 98280.0;
    QTest::newRow("2300 lines in R^23") << 23 << 70.528779365509308 << true << 2300.0;
    QTest::newRow("28 equiangular lines in R^7") << 7 << 70.528779365509308 << true << 28.0;
}

/// Known sets of vectors that reach the bounds: Conway and Sloane, "Sphere Packings, Lattices and Groups".
void TestNearOrthogonality::sharpBoundsAreReached()
{
    QFETCH(int, n);
    QFETCH(double, degrees);
    QFETCH(bool, isTwoSided);
    QFETCH(double, directions);
    const PackingBound bound = isTwoSided ? twoSidedBound(n, degrees) : oneSidedBound(n, degrees);
    compareRelative(bound.directions, directions, 1e-9);
}

/// CURRICULUM I19. The two-sided bound in 512 dimensions is proven by a polynomial of degree 6, here written
/// out: (x - c^2)(x - a)^2 of x = cos^2 with a = 0.0006152860..., whose ratio f(1) / E f is 38179566.
void TestNearOrthogonality::boundsOfTheTutorial()
{
    QCOMPARE(std::floor(twoSidedBound(100, 85.0).directions), 412.0);
    QCOMPARE(std::floor(oneSidedBound(100, 85.0).directions), 4102.0);
    compareRelative(twoSidedBound(100, 85.0).directions, *welchBound(100, 85.0));
    const PackingBound two = twoSidedBound(512, 85.0);
    QVERIFY(two.directions < 3.9e7);
    compareRelative(two.directions, 38179542.0, 1e-6);
    QVERIFY(two.directions <= 38179565.43071958);
    QCOMPARE(two.degree, 6);
    compareRelative(oneSidedBound(512, 85.0).directions, 2.4e8, 5e-3);
    QVERIFY(!welchBound(512, 85.0));
}

void TestNearOrthogonality::twoSidedNeverExceedsOneSided()
{
    for (const Index n : {2, 3, 5, 17, 100, 512, 4096}) {
        double before = std::numeric_limits<double>::infinity();
        for (double degrees = 55.0; degrees <= 90.0; degrees += 2.5) {
            const double two = twoSidedBound(n, degrees).directions;
            const double one = oneSidedBound(n, degrees).directions;
            QVERIFY(two <= one);
            QVERIFY(two >= static_cast<double>(n) * (1.0 - 1e-12)); // n right angles always fit
            QVERIFY(two <= before);                                 // a smaller tolerance leaves less room
            before = two;
        }
    }
}

void TestNearOrthogonality::densityIsNormalised()
{
    for (const Index n : {2, 3, 10, 512}) {
        const int steps = 36000;
        double sum = 0.0;
        for (int i = 0; i < steps; ++i)
            sum += angleDensity(n, (i + 0.5) * 180.0 / steps) * 3.14159265358979323846 / steps;
        QVERIFY(std::abs(sum - 1.0) < 1e-6);
    }
}

void TestNearOrthogonality::theSameSeedGivesTheSameNumbers()
{
    const DirectionOptions options{.dimension = 20, .directions = 12, .tries = 50, .seed = 3};
    const DirectionSample one(options);
    const DirectionSample two(options);
    QCOMPARE(one.angles(), two.angles());
    QCOMPARE(one.twoSided().kept, two.twoSided().kept);
    QCOMPARE(one.angles().size(), std::size_t(66));
    DirectionOptions other = options;
    other.seed = 4;
    QVERIFY(DirectionSample(other).angles() != one.angles());
}

void TestNearOrthogonality::sampleFollowsTheClosedForms()
{
    for (const Index n : {3, 30, 100}) {
        const DirectionSample sample({.dimension = n, .directions = 150, .tries = 10});
        const auto pairs = static_cast<double>(sample.angles().size());
        // 11175 pairs, not all independent: a few percent.
        QVERIFY(std::abs(sample.meanAngle() - meanAngleDegrees) < 1.0);
        QVERIFY(std::abs(sample.meanDot() - meanDotProduct) < 0.05 * dotDeviation(n));
        QVERIFY(std::abs(sample.angleDeviation() / angleDeviation(n) - 1.0) < 0.05);
        QVERIFY(std::abs(sample.dotDeviation() / dotDeviation(n) - 1.0) < 0.05);
        const double share = static_cast<double>(sample.nearlyOrthogonal()) / pairs;
        QVERIFY(std::abs(share - probabilityNearlyOrthogonal(n, 85.0)) < 0.02);
    }
}

void TestNearOrthogonality::packingStaysWithinTheBounds()
{
    for (const Index n : {2, 3, 6, 100}) {
        const DirectionSample sample({.dimension = n, .directions = 2, .tries = 300});
        QCOMPARE(sample.twoSided().tries, Index(300));
        QVERIFY(sample.twoSided().kept >= 1);
        QVERIFY(sample.twoSided().kept <= static_cast<Index>(twoSidedBound(n, 85.0).directions));
        QVERIFY(sample.oneSided().kept <= static_cast<Index>(oneSidedBound(n, 85.0).directions));
    }
}

void TestNearOrthogonality::interferenceGrowsWithTheRoot()
{
    const DirectionSample sample({.dimension = 100, .directions = 128, .tries = 1});
    QCOMPARE(sample.interference().size(), std::size_t(8));
    QCOMPARE(sample.interference().front().expected, 0.0);
    QVERIFY(sample.interference().front().measured < 1e-14);
    for (const Interference &interference : sample.interference())
        if (interference.active > 1)
            QVERIFY(std::abs(interference.measured / interference.expected - 1.0) < 0.3);
    compareRelative(sample.interference()[4].expected, std::sqrt(15.0 / 100.0));
}

QTEST_APPLESS_MAIN(TestNearOrthogonality)
#include "tst_NearOrthogonality.moc"
