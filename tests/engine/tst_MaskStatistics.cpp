#include "engine/evaluation/MaskStatistics.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace attn;

namespace {

/// Cell by cell.
struct CountedMask
{
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    double sum = 0.0;

    void add(double value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
        sum += value;
    }
};

Tensor randomPadding(Index keys, std::mt19937 &random)
{
    std::vector<double> real(static_cast<std::size_t>(keys));
    const unsigned gaps = random() % 4;
    for (double &flag : real)
        flag = random() % 4 < gaps ? 0.0 : 1.0;
    return Tensor::fromDoubles({1, 1, keys}, real);
}

MaskParts randomMask(Index keys, std::mt19937 &random)
{
    MaskParts mask;
    mask.causal = random() % 2 == 0;
    if (random() % 2 == 0)
        mask.window = Window{static_cast<Index>(random() % 5), std::nullopt};
    if (mask.window && random() % 2 == 0)
        mask.window->right = static_cast<Index>(random() % 4);
    mask.qOffset = static_cast<Index>(random() % 9) - 4;
    if (random() % 2 == 0)
        mask.padding = randomPadding(keys, random);
    if (random() % 4 != 0)
        mask.alibi = Tensor::fromDoubles({1, 1, 2}, std::vector<double>{0.25, -0.1});
    return mask;
}

} // namespace

class TestMaskStatistics : public QObject
{
    Q_OBJECT

private slots:
    void countsAsReadingEveryCellWould();
    void matricesHaveToBeRead();
};

void TestMaskStatistics::countsAsReadingEveryCellWould()
{
    std::mt19937 random(3);
    for (int trial = 0; trial < 400; ++trial) {
        const auto rows = static_cast<Index>(1 + random() % 12);
        const auto keys = static_cast<Index>(1 + random() % 12);
        const MaskParts mask = randomMask(keys, random);
        CountedMask allowed;
        CountedMask bias;
        for (Index row = 0; row < rows; ++row) {
            const KeySpan span = mask.allowedSpan(row, keys);
            for (Index key = 0; key < keys; ++key) {
                const bool isAllowed = key >= span.begin && key < span.end &&
                                       (mask.padding.isNull() || mask.padding.at(0, key) != 0.0);
                const double distance = std::abs(static_cast<double>(key - row - mask.qOffset));
                allowed.add(isAllowed ? 1.0 : 0.0);
                bias.add(isAllowed && !mask.alibi.isNull() ? -mask.alibi.at(0, 1) * distance : 0.0);
            }
        }
        const auto check = [&](const std::optional<ValueStatistics> &counted, const CountedMask &expected) {
            QVERIFY(counted);
            QCOMPARE(counted->finiteCount, rows * keys);
            QCOMPARE(counted->nanCount + counted->plusInfCount + counted->minusInfCount, Index(0));
            QVERIFY(counted->minimum == expected.least && counted->maximum == expected.most);
            QVERIFY(std::abs(counted->sum - expected.sum) < 1e-12);
        };
        check(allowedStatistics(mask, rows, keys), allowed);
        check(biasStatistics(mask, 1, rows, keys, false), bias);
        if (QTest::currentTestFailed())
            return;
    }
}

void TestMaskStatistics::matricesHaveToBeRead()
{
    MaskParts mask;
    mask.boolean = Tensor::filled({1, 3, 3}, 1.0);
    QVERIFY(!allowedStatistics(mask, 3, 3) && !biasStatistics(mask, 0, 3, 3, true));
    mask = {};
    mask.alibi = Tensor::filled({1, 1, 1}, std::numeric_limits<double>::infinity());
    QVERIFY(allowedStatistics(mask, 3, 3) && !biasStatistics(mask, 0, 3, 3, true));
}

QTEST_APPLESS_MAIN(TestMaskStatistics)
#include "tst_MaskStatistics.moc"
