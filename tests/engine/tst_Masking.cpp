#include "engine/evaluation/ScoreTiles.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <limits>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

/// One number per cell of all heads, head first.
template<typename Scalar>
std::vector<double> everyHead(const MaskParts &parts, const Shape &shape,
                              void (ScoreTiles<Scalar>::*tile)(const TileArea &, Scalar *, Index) const)
{
    ScoreTiles<Scalar> tiles;
    tiles.kernels = &kernels().of<Scalar>();
    tiles.mask = parts;
    tiles.hidesNothing = parts.hidesNothing();
    tiles.hasBias = true;
    tiles.nKeys = shape.cols;
    std::vector<double> numbers;
    std::vector<Scalar> head(static_cast<std::size_t>(shape.rows * shape.cols));
    for (Index i = 0; i < shape.heads; ++i) {
        (tiles.*tile)({i, 0, shape.rows, 0, shape.cols}, head.data(), shape.cols);
        numbers.insert(numbers.end(), head.begin(), head.end());
    }
    return numbers;
}

std::vector<double> allowedKeys(const MaskParts &parts, const Shape &shape)
{
    return everyHead<double>(parts, shape, &ScoreTiles<double>::allowed);
}

double sumOf(const std::vector<double> &numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

} // namespace

class TestMasking : public QObject
{
    Q_OBJECT

private slots:
    void causal_data();
    void causal();
    void window_data();
    void window();
    void slopes();
    void alibiBias();
    void partsCombine();
    void hiddenTilesAreKnownByTheirEnds();
    void extremePositionsDoNotOverflow();
};

void TestMasking::causal_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("masks"));
    for (std::size_t i = 0; i < golden["causal"].toArray().size(); ++i) {
        const Json &entry = golden["causal"].toArray()[i];
        QTest::addRow("%d queries, %d keys, offset %d", static_cast<int>(entry["n_q"].toInteger()),
                      static_cast<int>(entry["n_k"].toInteger()),
                      static_cast<int>(entry["q_offset"].toInteger()))
            << static_cast<int>(i);
    }
}

void TestMasking::causal()
{
    QFETCH(int, index);
    const Json golden = readGolden(QStringLiteral("masks"));
    const Json &entry = golden["causal"].toArray()[static_cast<std::size_t>(index)];
    MaskParts parts;
    parts.causal = true;
    parts.qOffset = entry["q_offset"].toInteger();
    const Shape shape{1, entry["n_q"].toInteger(), entry["n_k"].toInteger()};
    COMPARE_MATRIX(allowedKeys(parts, shape), goldenTensor(entry["allowed"]).toDoubles(), 0.0);
}

void TestMasking::window_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("masks"));
    for (std::size_t i = 0; i < golden["window"].toArray().size(); ++i)
        QTest::addRow("window %d", static_cast<int>(i)) << static_cast<int>(i);
}

void TestMasking::window()
{
    QFETCH(int, index);
    const Json golden = readGolden(QStringLiteral("masks"));
    const Json &entry = golden["window"].toArray()[static_cast<std::size_t>(index)];
    const auto limit = [](const Json &value) {
        return value.isNull() ? std::nullopt : std::optional<Index>(value.toInteger());
    };
    MaskParts parts;
    parts.window = Window{limit(entry["left"]), limit(entry["right"])};
    parts.qOffset = entry["q_offset"].toInteger();
    const Shape shape{1, entry["n_q"].toInteger(), entry["n_k"].toInteger()};
    COMPARE_MATRIX(everyHead<float>(parts, shape, &ScoreTiles<float>::allowed),
                   goldenTensor(entry["allowed"]).toDoubles(), 0.0);
}

void TestMasking::slopes()
{
    const Json golden = readGolden(QStringLiteral("masks"));
    for (const Json &entry : golden["alibi_slopes"].toArray())
        COMPARE_MATRIX(*valuesOf(defaultAlibiSlopes(entry["h"].toInteger())), goldenTensor(entry["slopes"]),
                       1e-15); // powers of two, some with a fractional exponent
}

void TestMasking::alibiBias()
{
    const Json golden = readGolden(QStringLiteral("masks"));
    for (const Json &entry : golden["alibi_bias"].toArray()) {
        MaskParts parts;
        parts.alibi = defaultAlibiSlopes(entry["h"].toInteger());
        parts.qOffset = entry["q_offset"].toInteger();
        const Shape shape{entry["h"].toInteger(), entry["n_q"].toInteger(), entry["n_k"].toInteger()};
        COMPARE_MATRIX(everyHead<double>(parts, shape, &ScoreTiles<double>::bias),
                       goldenTensor(entry["bias"]).toDoubles(), 1e-15);
    }
}

void TestMasking::partsCombine()
{
    constexpr double minusInfinity = -std::numeric_limits<double>::infinity();
    MaskParts parts;
    QVERIFY(parts.hidesNothing());
    parts.causal = true;
    parts.padding = Tensor::fromDoubles({1, 1, 3}, std::vector<double>{0, 1, 1});
    parts.add = Tensor::fromDoubles({1, 3, 3}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, minusInfinity, 9});
    parts.alibi = Tensor::filled({1, 1, 1}, 0.5);
    QVERIFY(!parts.hidesNothing());
    const std::vector<double> expectedAllowed = {0, 0, 0, 0, 1, 0, 0, 0, 1};
    COMPARE_MATRIX(allowedKeys(parts, {1, 3, 3}), expectedAllowed, 0.0);
    const std::vector<double> expectedBias = {0, 0, 0, 0, 5, 0, 0, 0, 9};
    COMPARE_MATRIX(everyHead<double>(parts, {1, 3, 3}, &ScoreTiles<double>::bias), expectedBias, 0.0);
}

void TestMasking::hiddenTilesAreKnownByTheirEnds()
{
    MaskParts parts;
    parts.window = Window{3, 1};
    parts.qOffset = 2;
    ScoreTiles<double> tiles;
    tiles.mask = parts;
    tiles.nKeys = 40;
    const std::vector<double> allowed = allowedKeys(parts, {1, 40, 40});
    for (Index row = 0; row < 40; row += 8)
        for (Index col = 0; col < 40; col += 5) {
            bool isHidden = true;
            for (Index cell = 0; cell < 40; ++cell)
                isHidden = isHidden &&
                           allowed[static_cast<std::size_t>((row + cell / 5) * 40 + col + cell % 5)] == 0.0;
            QCOMPARE(tiles.isHidden({0, row, 8, col, 5}), isHidden);
        }
    Pins pins;
    pins.set({0, 0, 39}, 1.0);
    tiles.pinsOfMasked = &pins;
    QVERIFY(!tiles.isHidden({0, 0, 8, 35, 5})); // a number set by hand shows
}

void TestMasking::extremePositionsDoNotOverflow()
{
    MaskParts parts;
    parts.causal = true;
    parts.window = Window{std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()};
    for (const Index offset : {std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()}) {
        parts.qOffset = offset;
        QCOMPARE(sumOf(allowedKeys(parts, {1, 2, 2})), 0.0);
    }
    parts.window.reset();
    QCOMPARE(sumOf(allowedKeys(parts, {1, 2, 2})), 4.0);
}

QTEST_APPLESS_MAIN(TestMasking)
#include "tst_Masking.moc"
