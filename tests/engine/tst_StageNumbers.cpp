#include "engine/StageNumbers.h"

#include "engine/Tensor.h"

#include <QTest>

#include <numeric>
#include <vector>

using namespace attn;

class TestStageNumbers : public QObject
{
    Q_OBJECT

private slots:
    void rowsAndColumnsOfOneHead();
    void bandsCoverTheColumns();
    void stoppedBandsAreNotReadToTheEnd();
};

namespace {

/// Rows 0 … 999 of three numbers that count on: cell (r, c) is 3r + c.
StageValuesPtr counted()
{
    std::vector<double> numbers(3000);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return valuesOf(Tensor::fromDoubles({1, 1000, 3}, numbers));
}

} // namespace

void TestStageNumbers::rowsAndColumnsOfOneHead()
{
    // Two heads of 3 x 4 numbers that count on: cell (h, r, c) is 12h + 4r + c.
    std::vector<double> numbers(24);
    std::iota(numbers.begin(), numbers.end(), 0.0);
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({2, 3, 4}, numbers));
    QCOMPARE(rowNumbers(*values, 0, 2), (std::vector<double>{8, 9, 10, 11}));
    QCOMPARE(rowNumbers(*values, 1, 0), (std::vector<double>{12, 13, 14, 15}));
    QCOMPARE(rowNumbers(*values, 1, 2, 1, 2), (std::vector<double>{21, 22}));
    QCOMPARE(columnNumbers(*values, 0, 3), (std::vector<double>{3, 7, 11}));
    QCOMPARE(columnNumbers(*values, 1, 0), (std::vector<double>{12, 16, 20}));
    QCOMPARE(columnNumbers(*values, 1, 2, 1, 2), (std::vector<double>{18, 22}));
    QVERIFY(columnNumbers(*values, 1, 2, 1, 0).empty());
}

void TestStageNumbers::bandsCoverTheColumns()
{
    const StageValuesPtr values = counted();
    Index next = 0;
    readBands(*values, 0, 1, 2, {}, [&](Index first, const MatrixRef<double> &band) {
        QCOMPARE(first, next);
        QCOMPARE(band.cols(), Index(2));
        for (Index row = 0; row < band.rows(); ++row)
            for (Index col = 0; col < 2; ++col)
                QCOMPARE(band(row, col), double(3 * (first + row) + 1 + col));
        next += band.rows();
    });
    QCOMPARE(next, Index(1000));
}

void TestStageNumbers::stoppedBandsAreNotReadToTheEnd()
{
    const StageValuesPtr values = counted();
    std::stop_source nobodyWaits;
    int bands = 0;
    readBands(*values, 0, 0, 3, nobodyWaits.get_token(), [&](Index, const MatrixRef<double> &) {
        if (++bands == 2)
            nobodyWaits.request_stop();
    });
    QCOMPARE(bands, 2);
}

QTEST_APPLESS_MAIN(TestStageNumbers)
#include "tst_StageNumbers.moc"
