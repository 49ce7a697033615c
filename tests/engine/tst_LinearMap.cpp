#include "engine/lab/LinearMap.h"
#include "engine/lab/SingularDirections.h"
#include "engine/lab/Span.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <numbers>
#include <random>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double rounding = 1e-12; // of another library's decompositions

SmallMatrix goldenMatrix(const Json &array)
{
    return SmallMatrix::of(goldenTensor(array));
}

SmallMatrix goldenMap(const char *name)
{
    const Json file = readGolden(QStringLiteral("maps"));
    for (const Json &entry : file["maps"].toArray())
        if (entry["map"].toString() == name)
            return goldenMatrix(entry["matrix"]);
    return {};
}

SmallMatrix map2(double a, double b, double c, double d)
{
    return SmallMatrix::of(2, 2, {a, b, c, d});
}

SmallMatrix randomMatrix(std::mt19937 &random, Index rows, Index cols)
{
    std::normal_distribution<double> normal;
    SmallMatrix made = SmallMatrix::zeros(rows, cols);
    for (double &value : made.data)
        value = normal(random);
    return made;
}

double determinant2(const SmallMatrix &M)
{
    return M.at(0, 0) * M.at(1, 1) - M.at(0, 1) * M.at(1, 0);
}

} // namespace

Q_DECLARE_METATYPE(attn::SmallMatrix)

/// Matrices as maps: golden `maps`, the recognised kinds, and properties of composition and of the factors.
class TestLinearMap : public QObject
{
    Q_OBJECT

private slots:
    void goldenMaps();
    void goldenCompositions();
    void compositionsApplyOneAfterTheOther();
    void factorsGiveTheMapBack();
    void pathsBeginAtTheIdentityAndEndAtTheMap();
    void kindsAreRecognised_data();
    void kindsAreRecognised();
    void linearityHolds();
    void singularDirectionsGiveTheMatrixBack();
    void singularDirectionsRefuse();
    void turnedPlanesStayOrthonormal();
};

void TestLinearMap::goldenMaps()
{
    const Json file = readGolden(QStringLiteral("maps"));
    QCOMPARE(file["maps"].toArray().size(), std::size_t(16));
    for (const Json &entry : file["maps"].toArray()) {
        const SmallMatrix M = goldenMatrix(entry["matrix"]);
        const MapFacts facts = mapFacts(M);
        QCOMPARE(facts.rank, Index(entry["rank"].toInteger()));
        COMPARE_MATRIX(facts.singularValues, goldenTensor(entry["singular_values"]).toDoubles(), rounding);
        COMPARE_MATRIX(M.transposed().data, goldenTensor(entry["basis_images_columns"]).toDoubles(), 0.0);
        QCOMPARE(facts.determinant.has_value(), !entry["determinant"].isNull());
        if (facts.determinant) {
            QVERIFY(std::abs(*facts.determinant - entry["determinant"].toDouble()) <= rounding);
            QCOMPARE(facts.orientation, int(entry["orientation"].toInteger()));
            QCOMPARE(facts.isInvertible(M.cols), entry["invertible"].toBool());
            COMPARE_MATRIX(facts.eigenvaluesReal, goldenTensor(entry["eigenvalues_real"]).toDoubles(),
                           1e-7); // a double eigenvalue is only known to the root of the rounding
            COMPARE_MATRIX(facts.eigenvaluesImag, goldenTensor(entry["eigenvalues_imag"]).toDoubles(), 1e-7);
        }
        const SmallMatrix points = goldenMatrix(entry["points"]);
        const SmallMatrix images = goldenMatrix(entry["images"]);
        for (Index i = 0; i < points.rows; ++i)
            COMPARE_MATRIX(M * points.row(i), images.row(i), rounding);
        if (facts.determinant)
            COMPARE_MATRIX((points * M).data, goldenTensor(entry["images_row_vector"]).toDoubles(), rounding);
        // Read as v M, the basis goes to the rows.
        const SmallMatrix rows = goldenMatrix(entry["basis_images_rows"]);
        const SmallMatrix unit = SmallMatrix::identity(M.rows);
        QCOMPARE(rows.rows, M.rows);
        for (Index i = 0; i < M.rows; ++i)
            COMPARE_MATRIX(M.transposed() * unit.row(i), rows.row(i), 0.0);
    }
}

void TestLinearMap::goldenCompositions()
{
    const Json file = readGolden(QStringLiteral("maps"));
    QCOMPARE(file["compositions"].toArray().size(), std::size_t(11));
    for (const Json &entry : file["compositions"].toArray()) {
        const SmallMatrix A = goldenMatrix(entry["matrix_A"]);
        const SmallMatrix B = goldenMatrix(entry["matrix_B"]);
        const CompositionFacts facts = compositionFacts(A, B);
        COMPARE_MATRIX(facts.AB.data, goldenTensor(entry["AB"]).toDoubles(), rounding);
        COMPARE_MATRIX(facts.BA.data, goldenTensor(entry["BA"]).toDoubles(), rounding);
        COMPARE_MATRIX(facts.difference.data, goldenTensor(entry["commutator"]).toDoubles(), rounding);
        QVERIFY(std::abs(facts.differenceNorm - entry["commutator_norm"].toDouble()) <= rounding);
        QCOMPARE(facts.commute, entry["commute"].toBool());
        const SmallMatrix columns = goldenMatrix(entry["columns_of_AB"]);
        for (Index j = 0; j < B.cols; ++j)
            COMPARE_MATRIX(A * B.column(j), columns.row(j), rounding);
    }
}

/// CURRICULUM section 6, 8: AB ≠ BA in general; (AB)v = A(Bv).
void TestLinearMap::compositionsApplyOneAfterTheOther()
{
    std::mt19937 random(21);
    for (int round = 0; round < 100; ++round) {
        const Index n = 2 + round % 4;
        const SmallMatrix A = randomMatrix(random, n, n);
        const SmallMatrix B = randomMatrix(random, n, n);
        const std::vector<double> v = randomMatrix(random, n, 1).data;
        COMPARE_MATRIX((A * B) * v, A * (B * v), 1e-13);
        QVERIFY(!compositionFacts(A, B).commute);
        QVERIFY(compositionFacts(A, SmallMatrix::identity(n)).commute);
    }
}

void TestLinearMap::factorsGiveTheMapBack()
{
    std::mt19937 random(22);
    std::vector<SmallMatrix> maps = {map2(0, 0, 0, 0),  map2(1, 2, 2, 4), map2(1, 0, 0, -1),
                                     map2(0, -1, 1, 0), map2(2, 0, 0, 1), map2(-1, 0, 0, -1),
                                     map2(1, 1, 0, 1)};
    for (int round = 0; round < 100; ++round)
        maps.push_back(randomMatrix(random, 2, 2));
    for (const SmallMatrix &M : maps) {
        const RotateStretchRotate factors = rotateStretchRotate(M);
        COMPARE_MATRIX((factors.second() * (factors.stretching() * factors.first())).data, M.data, 1e-14);
        const MapFacts facts = mapFacts(M);
        QVERIFY(std::abs(factors.stretch[0] - facts.singularValues[0]) <= 1e-14 * (1.0 + factors.stretch[0]));
        QVERIFY(std::abs(std::abs(factors.stretch[1]) - facts.singularValues[1]) <=
                1e-14 * (1.0 + factors.stretch[0]));
        if (facts.orientation != 0)
            QCOMPARE(factors.stretch[1] > 0.0, facts.orientation > 0);
    }
}

void TestLinearMap::pathsBeginAtTheIdentityAndEndAtTheMap()
{
    std::mt19937 random(23);
    for (int round = 0; round < 50; ++round) {
        const SmallMatrix M = randomMatrix(random, 2, 2);
        QVERIFY(partOfMap(M, 1.0) == M);
        QVERIFY(partOfFactors(M, 3.0) == M);
        COMPARE_MATRIX(partOfMap(M, 0.0).data, SmallMatrix::identity(2).data, 1e-14);
        COMPARE_MATRIX(partOfFactors(M, 0.0).data, SmallMatrix::identity(2).data, 1e-14);
        COMPARE_MATRIX(partOfMap(M, 1.0 - 1e-12).data, M.data, 1e-10); // no jump at the end
        COMPARE_MATRIX(partOfFactors(M, 3.0 - 1e-12).data, M.data, 1e-10);
        const RotateStretchRotate factors = rotateStretchRotate(M);
        COMPARE_MATRIX(partOfFactors(M, 1.0).data, factors.first().data, 1e-14);
        COMPARE_MATRIX(partOfFactors(M, 2.0).data, (factors.stretching() * factors.first()).data, 1e-14);
    }
    // A rotation stays one all the way: nothing shrinks.
    for (const double t : {0.1, 0.5, 0.9})
        QVERIFY(std::abs(determinant2(partOfMap(map2(0, -1, 1, 0), t)) - 1.0) <= 1e-14);
}

void TestLinearMap::kindsAreRecognised_data()
{
    QTest::addColumn<SmallMatrix>("M");
    QTest::addColumn<int>("kind");
    using Kind = MapKind::Kind;
    const auto add = [](const char *name, const SmallMatrix &M, Kind kind) {
        QTest::newRow(name) << M << int(kind);
    };
    add("golden identity", goldenMap("identity"), Kind::Identity);
    add("golden rotation by 30 degrees", goldenMap("rotation_30"), Kind::Rotation);
    add("golden rotation by 90 degrees", goldenMap("rotation_90"), Kind::Rotation);
    add("golden stretch along x", goldenMap("stretch_x"), Kind::Stretch);
    add("golden shear", goldenMap("shear"), Kind::Shear);
    add("golden reflection across x", goldenMap("reflection_x"), Kind::Reflection);
    add("golden projection on the diagonal", goldenMap("projection_diagonal"), Kind::Projection);
    add("golden collapse", goldenMap("collapse"), Kind::Collapse);
    add("golden zero", goldenMap("zero"), Kind::Zero);
    add("golden general", goldenMap("general"), Kind::General);
    add("twice as large", map2(2, 0, 0, 2), Kind::UniformScale);
    add("turned and twice as large", map2(0, -2, 2, 0), Kind::RotateScale);
    add("half a turn", map2(-1, 0, 0, -1), Kind::Rotation);
    add("oblique projection", map2(1, 1, 0, 0), Kind::Projection);
    add("slanted stretch", map2(2, 1, 1, 2), Kind::Stretch);
    add("slanted shear", map2(0, 1, -1, 2), Kind::Shear);
    add("nilpotent", map2(0, 1, 0, 0), Kind::Collapse);
}

void TestLinearMap::kindsAreRecognised()
{
    QFETCH(SmallMatrix, M);
    QFETCH(int, kind);
    const MapKind found = kindOfMap(M);
    QCOMPARE(int(found.kind), kind);
    const std::vector<double> axis = {found.axis[0], found.axis[1]};
    const std::vector<double> image = M * axis;
    QVERIFY(std::abs(normOf(axis) - 1.0) <= 1e-14);
    switch (found.kind) {
    case MapKind::Kind::Rotation:
        COMPARE_MATRIX(rotationMatrix(found.angle).data, M.data, 1e-14);
        break;
    case MapKind::Kind::RotateScale:
        COMPARE_MATRIX((found.factor * rotationMatrix(found.angle)).data, M.data, 1e-14);
        break;
    case MapKind::Kind::Stretch:
        COMPARE_MATRIX(image, scaled(found.factor, axis), 1e-14);
        QVERIFY(std::abs(determinant2(M) - found.factor * found.otherFactor) <= 1e-13);
        break;
    case MapKind::Kind::Shear:
    case MapKind::Kind::Reflection:
    case MapKind::Kind::Projection:
        COMPARE_MATRIX(image, axis, 1e-14); // what lies on the line stays
        break;
    default:
        break;
    }
    if (found.kind == MapKind::Kind::Shear) {
        const std::vector<double> across = {-axis[1], axis[0]};
        COMPARE_MATRIX(M * across, added(across, axis, found.factor), 1e-14);
    }
}

void TestLinearMap::linearityHolds()
{
    std::mt19937 random(24);
    for (int round = 0; round < 100; ++round) {
        const SmallMatrix T = randomMatrix(random, 2, 2);
        const std::vector<double> u = randomMatrix(random, 2, 1).data;
        const std::vector<double> v = randomMatrix(random, 2, 1).data;
        const LinearityCheck check = linearityCheck(T, u, v, -2.5);
        QVERIFY(check.holds);
        COMPARE_MATRIX(check.mapOfSum, T * added(u, v), 0.0);
        COMPARE_MATRIX(check.scaledMap, check.mapOfScaled, 1e-13);
    }
}

void TestLinearMap::singularDirectionsGiveTheMatrixBack()
{
    std::mt19937 random(25);
    for (const auto &[rows, cols] : {std::pair<Index, Index>{6, 3}, {3, 6}, {6, 6}, {40, 8}, {2, 1}}) {
        const SmallMatrix M = randomMatrix(random, rows, cols);
        const Result<SingularDirections> found = singularDirections(M);
        QVERIFY(found.ok());
        const Index r = std::min(rows, cols);
        QCOMPARE(found->rank, r);
        SmallMatrix stretched = found->left;
        for (Index j = 0; j < r; ++j)
            stretched.setColumn(j, scaled(found->stretches[std::size_t(j)], found->left.column(j)));
        COMPARE_MATRIX((stretched * found->right.transposed()).data, M.data, 1e-13);
        COMPARE_MATRIX((found->left.transposed() * found->left).data, SmallMatrix::identity(r).data, 1e-13);
        // A row x goes to its amounts along the left directions, stretched, along the right ones.
        const SmallMatrix x = randomMatrix(random, 1, rows);
        const SmallMatrix y = x * M;
        for (Index j = 0; j < r; ++j)
            QVERIFY(std::abs(dotOf(y.data, found->right.column(j)) -
                             found->stretches[std::size_t(j)] * dotOf(x.data, found->left.column(j))) <=
                    1e-12);
    }
}

void TestLinearMap::singularDirectionsRefuse()
{
    SmallMatrix M = SmallMatrix::zeros(2, 2);
    QCOMPARE(singularDirections(M)->rank, Index(0));
    M.at(1, 1) = std::numeric_limits<double>::infinity();
    QVERIFY(!singularDirections(M).ok());
    QVERIFY(!singularDirections(SmallMatrix::zeros(257, 300)).ok());
    QVERIFY(singularDirections(SmallMatrix::zeros(300, 4)).ok());
}

void TestLinearMap::turnedPlanesStayOrthonormal()
{
    std::mt19937 random(26);
    for (int round = 0; round < 20; ++round) {
        const Index n = 2 + round % 5;
        const SmallMatrix from = planeOf(SmallMatrix::identity(n));
        const SmallMatrix to = round == 0 ? -1.0 * from : planeOf(randomMatrix(random, n, 2));
        for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
            const SmallMatrix plane = turnedPlane(from, to, t);
            COMPARE_MATRIX((plane.transposed() * plane).data, SmallMatrix::identity(2).data, 1e-13);
        }
        QVERIFY(turnedPlane(from, to, 0.0) == from);
        QVERIFY(turnedPlane(from, to, 1.0) == to);
    }
}

QTEST_APPLESS_MAIN(TestLinearMap)
#include "tst_LinearMap.moc"
