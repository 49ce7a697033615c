#include "engine/Rotation.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

Rotary rotaryOf(const Json &entry)
{
    Rotary rotary;
    rotary.pairing =
        entry["mode"].toString() == "half" ? Rotary::Pairing::Half : Rotary::Pairing::Interleaved;
    rotary.base = entry["base"].toDouble();
    rotary.rotDim = entry["rot_dim"].toInteger();
    return rotary;
}

/// Rotates each row at its own position.
template<typename Scalar>
std::vector<double> rotatedRows(const Json &entry)
{
    const Tensor rows = goldenTensor(entry["rows"]);
    const Tensor positions = goldenTensor(entry["positions"]);
    std::vector<double> rotated;
    for (Index row = 0; row < rows.rows(); ++row) {
        Matrix<Scalar> line(1, rows.cols());
        rows.copyRows(0, row, 1, line.data());
        const Matrix<Scalar> turned =
            rotateHead(line, static_cast<Index>(positions.at(0, row)), rotaryOf(entry));
        for (Index col = 0; col < turned.cols(); ++col)
            rotated.push_back(static_cast<double>(turned(0, col)));
    }
    return rotated;
}

} // namespace

class TestRotation : public QObject
{
    Q_OBJECT

private slots:
    void golden_data();
    void golden();
    void onlyStatedColumnsTurn();
    void scoresDependOnDistanceOnly();
};

void TestRotation::golden_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("rope"));
    for (std::size_t i = 0; i < golden["cases"].toArray().size(); ++i) {
        const Json &entry = golden["cases"].toArray()[i];
        QTest::addRow("%s, %d of %d columns, case %d", entry["mode"].toString().c_str(),
                      static_cast<int>(entry["rot_dim"].toInteger()),
                      static_cast<int>(entry["width"].toInteger()), static_cast<int>(i))
            << static_cast<int>(i);
    }
}

void TestRotation::golden()
{
    QFETCH(int, index);
    const Json file = readGolden(QStringLiteral("rope"));
    const Json &entry = file["cases"].toArray()[static_cast<std::size_t>(index)];
    const std::vector<double> expected = goldenTensor(entry["rotated"]).toDoubles();
    COMPARE_MATRIX(rotatedRows<double>(entry), expected, 1e-12);
    COMPARE_MATRIX(rotatedRows<float>(entry), expected, 1e-6);
}

void TestRotation::onlyStatedColumnsTurn()
{
    QCOMPARE(rotatedColumns(Rotary{}, 6), Index(6));
    QCOMPARE(rotatedColumns(Rotary{}, 5), Index(4));
    QCOMPARE(rotatedColumns(Rotary{}, 1), Index(0));
    Rotary partial;
    partial.rotDim = 2;
    const Matrix<double> line = Matrix<double>::Constant(1, 5, 1.0);
    const Matrix<double> turned = rotateHead(line, 3, partial);
    QVERIFY(turned(0, 0) != 1.0 && turned(0, 1) != 1.0);
    QCOMPARE(turned.rightCols(3), line.rightCols(3));
}

void TestRotation::scoresDependOnDistanceOnly()
{
    Matrix<double> q(1, 6);
    Matrix<double> k(1, 6);
    q << 0.3, -1.2, 0.7, 0.1, 2.0, -0.4;
    k << 1.1, 0.2, -0.5, 0.9, -0.3, 0.8;
    for (const auto pairing : {Rotary::Pairing::Interleaved, Rotary::Pairing::Half}) {
        Rotary rotary;
        rotary.pairing = pairing;
        const auto score = [&](Index p, Index j) {
            return (rotateHead(q, p, rotary) * rotateHead(k, j, rotary).transpose())(0, 0);
        };
        // Rounding of six products of numbers near 1.
        QVERIFY(std::abs(score(7, 3) - score(104, 100)) < 1e-13);
        QVERIFY(std::abs(score(-2, -6) - score(4, 0)) < 1e-13);
        QVERIFY(std::abs(score(7, 3) - score(3, 7)) > 1e-3);
    }
}

QTEST_APPLESS_MAIN(TestRotation)
#include "tst_Rotation.moc"
