#include "engine/Masking.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <limits>

using namespace attn;
using namespace attn::test;

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
    void headsThatAgreeShareOneBlock();
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
    COMPARE_MATRIX(*valuesOf(allowedKeys<double>(parts, shape)), goldenTensor(entry["allowed"]), 0.0);
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
    COMPARE_MATRIX(*valuesOf(allowedKeys<float>(parts, shape)), goldenTensor(entry["allowed"]), 0.0);
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
        const auto bias = maskBias(parts, allowedKeys<double>(parts, shape));
        COMPARE_MATRIX(*valuesOf(bias), goldenTensor(entry["bias"]), 1e-15);
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
    const auto allowed = allowedKeys<double>(parts, {1, 3, 3});
    const std::vector<double> expectedAllowed = {0, 0, 0, 0, 1, 0, 0, 0, 1};
    COMPARE_MATRIX(*valuesOf(allowed), Tensor::fromDoubles({1, 3, 3}, expectedAllowed), 0.0);
    const std::vector<double> expectedBias = {0, 0, 0, 0, 5, 0, 0, 0, 9};
    COMPARE_MATRIX(*valuesOf(maskBias(parts, allowed)), Tensor::fromDoubles({1, 3, 3}, expectedBias), 0.0);
}

void TestMasking::headsThatAgreeShareOneBlock()
{
    MaskParts parts;
    parts.causal = true;
    const auto shared = allowedKeys<float>(parts, {3, 4, 4});
    QCOMPARE(shared.block(2), shared.block(0));
    parts.boolean = Tensor::filled({3, 4, 4}, 1.0);
    const auto own = allowedKeys<float>(parts, {3, 4, 4});
    QVERIFY(own.block(2) != own.block(0));
}

void TestMasking::extremePositionsDoNotOverflow()
{
    MaskParts parts;
    parts.causal = true;
    parts.window = Window{std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()};
    for (const Index offset : {std::numeric_limits<Index>::min(), std::numeric_limits<Index>::max()}) {
        parts.qOffset = offset;
        const auto allowed = allowedKeys<double>(parts, {1, 2, 2});
        QCOMPARE(allowed.head(0).sum(), 0.0);
    }
    parts.window.reset();
    QCOMPARE(allowedKeys<double>(parts, {1, 2, 2}).head(0).sum(), 4.0);
}

QTEST_APPLESS_MAIN(TestMasking)
#include "tst_Masking.moc"
