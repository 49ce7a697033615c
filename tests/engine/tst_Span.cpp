#include "engine/Edit.h"
#include "engine/lab/Span.h"
#include "engine/lab/StandardLabs.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

/// Decompositions of another library: rounding of a few units in the last place of the largest number.
constexpr double rounding = 1e-12;

/// Golden files list one vector a row.
SmallMatrix columnsOf(const Json &rows)
{
    return SmallMatrix::of(goldenTensor(rows)).transposed();
}

bool isNear(double actual, double expected)
{
    return std::isnan(expected) ? std::isnan(actual)
                                : std::abs(actual - expected) <= rounding * std::max(1.0, std::abs(expected));
}

std::vector<Index> indices(const Json &array)
{
    std::vector<Index> list;
    for (const Json &entry : array.toArray())
        list.push_back(entry.toInteger());
    return list;
}

} // namespace

/// What sets of vectors reach: golden `vectors` and the properties behind it.
class TestSpan : public QObject
{
    Q_OBJECT

private slots:
    void goldenSets();
    void goldenReach();
    void goldenPairs();
    void workedNumbers();
    void basisReachesEverythingInOneWay();
    void planesAreOrthonormalAndHoldTheVectors();
    void lengthSaysNothingAboutIndependence_data();
    void lengthSaysNothingAboutIndependence();
    void lengthsBeyondTheirSquares();
    void standardMatricesNeedNoDocument();
};

void TestSpan::goldenSets()
{
    const Json file = readGolden(QStringLiteral("vectors"));
    QCOMPARE(file["sets"].toArray().size(), std::size_t(24));
    for (const Json &entry : file["sets"].toArray()) {
        const Json &expected = entry["facts"];
        const SmallMatrix vectors = columnsOf(entry["vectors"]);
        const SpanFacts facts = spanFacts(vectors);
        QCOMPARE(facts.rank, Index(expected["rank"].toInteger()));
        QCOMPARE(facts.isIndependent(), expected["independent"].toBool());
        QCOMPARE(facts.spansSpace(), expected["spans_space"].toBool());
        QCOMPARE(facts.isBasis(), expected["is_basis"].toBool());
        QVERIFY(facts.pivots == indices(expected["pivots"]));
        QCOMPARE(facts.determinant.has_value(), !expected["determinant"].isNull());
        if (facts.determinant)
            QVERIFY(isNear(*facts.determinant, expected["determinant"].toDouble()));
        COMPARE_MATRIX(facts.singularValues, goldenTensor(expected["singular_values"]).toDoubles(), rounding);
        QCOMPARE(facts.relations.size(), expected["relations"].toArray().size());
        for (std::size_t i = 0; i < facts.relations.size(); ++i) {
            const Json &relation = expected["relations"].toArray()[i];
            QCOMPARE(facts.relations[i].index, Index(relation["index"].toInteger()));
            QVERIFY(facts.relations[i].pivots == indices(relation["pivots"]));
            if (!facts.relations[i].pivots.empty())
                COMPARE_MATRIX(facts.relations[i].coefficients,
                               goldenTensor(relation["coefficients"]).toDoubles(), rounding);
        }
    }
}

void TestSpan::goldenReach()
{
    const Json file = readGolden(QStringLiteral("vectors"));
    for (const Json &entry : file["sets"].toArray()) {
        const SmallMatrix vectors = columnsOf(entry["vectors"]);
        COMPARE_MATRIX(combination(vectors, goldenTensor(entry["combination"]["coefficients"]).toDoubles()),
                       goldenTensor(entry["combination"]["result"]).toDoubles(), rounding);
        for (const Json &expected : entry["reach"].toArray()) {
            const std::vector<double> target = goldenTensor(expected["target"]).toDoubles();
            const Reach reach = reachOf(vectors, target);
            QCOMPARE(reach.isReachable, expected["reachable"].toBool());
            QCOMPARE(reach.isUnique, expected["unique"].toBool());
            COMPARE_MATRIX(reach.coefficients, goldenTensor(expected["coefficients"]).toDoubles(), rounding);
            COMPARE_MATRIX(reach.closest, goldenTensor(expected["closest"]).toDoubles(), rounding);
            QVERIFY(isNear(reach.distance, expected["distance"].toDouble()));
        }
    }
}

void TestSpan::goldenPairs()
{
    const Json file = readGolden(QStringLiteral("vectors"));
    QCOMPARE(file["pairs"].toArray().size(), std::size_t(8));
    for (const Json &pair : file["pairs"].toArray()) {
        const AngleFacts facts =
            angleFacts(goldenTensor(pair["u"]).toDoubles(), goldenTensor(pair["v"]).toDoubles());
        QVERIFY(isNear(facts.dot, pair["dot"].toDouble()));
        QVERIFY(isNear(facts.normU, pair["norm_u"].toDouble()));
        QVERIFY(isNear(facts.normV, pair["norm_v"].toDouble()));
        QVERIFY(isNear(facts.cosine, pair["cosine"].toDouble()));
        // acos near ±1 loses half of the places.
        QVERIFY(std::isnan(facts.angleDegrees) == std::isnan(pair["angle_degrees"].toDouble()));
        QVERIFY(std::isnan(facts.angleDegrees) ||
                std::abs(facts.angleDegrees - pair["angle_degrees"].toDouble()) <= 1e-5);
        QVERIFY(std::abs(facts.area - pair["parallelogram_area"].toDouble()) <= 1e-6);
        if (facts.cross.size() == 1)
            QVERIFY(isNear(facts.cross[0], pair["cross"].toDouble()));
        else
            COMPARE_MATRIX(facts.cross, goldenTensor(pair["cross"]).toDoubles(), rounding);
    }
}

/// CURRICULUM 1.2: 3·(1, 2) = (3, 6) and (1, 0) + (0, 1) = (1, 1), exactly.
void TestSpan::workedNumbers()
{
    QVERIFY((scaled(3.0, std::vector<double>{1, 2}) == std::vector<double>{3, 6}));
    QVERIFY((added(std::vector<double>{1, 0}, std::vector<double>{0, 1}) == std::vector<double>{1, 1}));
}

void TestSpan::basisReachesEverythingInOneWay()
{
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 50; ++round) {
        const Index n = 2 + round % 5;
        SmallMatrix basis = SmallMatrix::zeros(n, n);
        std::vector<double> coefficients;
        for (double &value : basis.data)
            value = normal(random);
        for (Index i = 0; i < n; ++i)
            coefficients.push_back(normal(random));
        QVERIFY(spanFacts(basis).isBasis());
        const Reach reach = reachOf(basis, combination(basis, coefficients));
        QVERIFY(reach.isReachable && reach.isUnique);
        COMPARE_MATRIX(reach.coefficients, coefficients, 1e-9); // as the basis may be nearly flat
        SmallMatrix dependent = basis;
        dependent.setColumn(n - 1, added(basis.column(0), basis.column(n == 2 ? 0 : 1), -2.0));
        QCOMPARE(spanFacts(dependent).rank, n - 1);
        QVERIFY(!reachOf(dependent, coefficients).isUnique);
    }
}

void TestSpan::planesAreOrthonormalAndHoldTheVectors()
{
    std::mt19937 random(12);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 40; ++round) {
        const Index n = 2 + round % 6;
        SmallMatrix vectors = SmallMatrix::zeros(n, 2);
        for (Index i = 0; i < n; ++i) {
            vectors.at(i, 0) = round % 4 == 3 ? 0.0 : normal(random);
            vectors.at(i, 1) = round % 4 == 1 ? -3.0 * vectors.at(i, 0) : normal(random);
        }
        const SmallMatrix plane = planeOf(vectors);
        COMPARE_MATRIX((plane.transposed() * plane).data, SmallMatrix::identity(2).data, 1e-14);
        const SmallMatrix back = plane * (plane.transposed() * vectors);
        COMPARE_MATRIX(back.data, vectors.data, 1e-13);
    }
}

void TestSpan::lengthSaysNothingAboutIndependence_data()
{
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("second");
    QTest::newRow("1e300 beside 1") << 1e300 << 1.0;
    QTest::newRow("1 beside 1e-300") << 1.0 << 1e-300;
    QTest::newRow("1e300 beside 1e-300") << 1e300 << 1e-300;
    QTest::newRow("both 1e300") << 1e300 << 1e300;
    QTest::newRow("both 1e-300") << 1e-300 << 1e-300;
}

void TestSpan::lengthSaysNothingAboutIndependence()
{
    QFETCH(double, first);
    QFETCH(double, second);
    const SmallMatrix basis = SmallMatrix::of(2, 2, {first, second, first, -second});
    const SpanFacts facts = spanFacts(basis);
    QVERIFY(facts.isBasis());
    QVERIFY(facts.relations.empty());
    QCOMPARE(columnRank(basis), Index(2));
    const Reach reach = reachOf(basis, std::vector<double>{3.0, 1.0}); // 2 (1, 1) + 1 (1, -1)
    QVERIFY(reach.isReachable && reach.isUnique);
    QVERIFY(std::abs(reach.coefficients[0] / (2.0 / first) - 1.0) <= rounding);
    QVERIFY(std::abs(reach.coefficients[1] / (1.0 / second) - 1.0) <= rounding);
    // Parallel vectors are dependent however long they are.
    const SmallMatrix parallel = SmallMatrix::of(2, 2, {first, second, first, second});
    QCOMPARE(spanFacts(parallel).rank, Index(1));
    QVERIFY(!reachOf(parallel, std::vector<double>{first, -first}).isReachable);
    QVERIFY(reachOf(parallel, std::vector<double>{-first, -first}).isReachable);
    const SmallMatrix plane = planeOf(basis);
    COMPARE_MATRIX((plane.transposed() * plane).data, SmallMatrix::identity(2).data, 1e-14);
}

/// Their squares are infinite or 0; what is asked for is neither.
void TestSpan::lengthsBeyondTheirSquares()
{
    for (const double size : {1e300, 1e-300, 4e-320}) {
        QVERIFY(std::abs(normOf(std::vector<double>{3 * size, 4 * size}) / (5 * size) - 1.0) <= 1e-3);
        const AngleFacts facts =
            angleFacts(std::vector<double>{size, 0}, std::vector<double>{1.0 / 1e10, 1.0 / 1e10});
        QVERIFY(std::abs(facts.angleDegrees - 45.0) < 1e-9);
        const AngleFacts same = angleFacts(std::vector<double>{size, size}, std::vector<double>{0, size});
        QVERIFY(std::abs(same.cosine - std::sqrt(0.5)) < 1e-3);
    }
}

void TestSpan::standardMatricesNeedNoDocument()
{
    const Experiment untouched;
    QVERIFY(untouched.labs.empty());
    QVERIFY((untouched.lab(standardLab::vectors).shape() == Shape{1, 3, 3}));
    const Result<EditOutcome> edited =
        applyEdit(untouched, SetLabCells{standardLab::vectors, {{{0, 0, 1}, 9.0}}});
    QVERIFY(edited.ok());
    QCOMPARE(edited->experiment.labs.size(), std::size_t(1));
    QCOMPARE(edited->experiment.lab(standardLab::vectors).at(0, 1), 9.0);
    QCOMPARE(edited->experiment.lab(standardLab::vectors).at(1, 0), 2.0);
    QCOMPARE(untouched.lab(standardLab::vectors).at(0, 1), 3.0);
}

QTEST_APPLESS_MAIN(TestSpan)
#include "tst_Span.moc"
