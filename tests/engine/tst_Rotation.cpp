#include "engine/Rotation.h"
#include "engine/kernels/KernelTable.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <numeric>

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

/// Rotates each row at its own position, by the kernels.
template<typename Scalar>
std::vector<double> rotatedRows(const Json &entry)
{
    const Rotary rotary = rotaryOf(entry);
    const Tensor rows = goldenTensor(entry["rows"]);
    const Tensor positions = goldenTensor(entry["positions"]);
    std::vector<double> rotated;
    for (Index row = 0; row < rows.rows(); ++row) {
        std::vector<Scalar> line(static_cast<std::size_t>(rows.cols()));
        rows.copyRows(0, row, 1, line.data());
        const Index pairs = rotatedColumns(rotary, rows.cols()) / 2;
        std::vector<Scalar> angles(static_cast<std::size_t>(2 * pairs));
        rotaryAngles(rotary, static_cast<Index>(positions.at(0, row)), 1, pairs, angles.data(),
                     angles.data() + pairs, pairs);
        kernels().of<Scalar>().rotate(line.data(), rows.cols(), angles.data(), angles.data() + pairs, pairs,
                                      1, pairs, rotary.pairing == Rotary::Pairing::Interleaved);
        rotated.insert(rotated.end(), line.begin(), line.end());
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
    std::vector<double> line(5, 1.0);
    rotateRow(line, 3, partial);
    QVERIFY(line[0] != 1.0 && line[1] != 1.0);
    QVERIFY(std::all_of(line.begin() + 2, line.end(), [](double number) { return number == 1.0; }));
}

void TestRotation::scoresDependOnDistanceOnly()
{
    const std::vector<double> q = {0.3, -1.2, 0.7, 0.1, 2.0, -0.4};
    const std::vector<double> k = {1.1, 0.2, -0.5, 0.9, -0.3, 0.8};
    for (const auto pairing : {Rotary::Pairing::Interleaved, Rotary::Pairing::Half}) {
        Rotary rotary;
        rotary.pairing = pairing;
        const auto score = [&](Index p, Index j) {
            std::vector<double> query = q;
            std::vector<double> key = k;
            rotateRow(query, p, rotary);
            rotateRow(key, j, rotary);
            return std::inner_product(query.begin(), query.end(), key.begin(), 0.0);
        };
        // Rounding of six products of numbers near 1.
        QVERIFY(std::abs(score(7, 3) - score(104, 100)) < 1e-13);
        QVERIFY(std::abs(score(-2, -6) - score(4, 0)) < 1e-13);
        QVERIFY(std::abs(score(7, 3) - score(3, 7)) > 1e-3);
    }
}

QTEST_APPLESS_MAIN(TestRotation)
#include "tst_Rotation.moc"
