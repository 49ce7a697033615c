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
