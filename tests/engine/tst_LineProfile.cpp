#include "engine/pooling/LineProfile.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

StageValuesPtr lineValues()
{
    const std::vector<double> numbers = {1,         2,         -3, 4, 5,
                                         -infinity, 7, //
                                         -infinity, -infinity, 3,  4, std::nan(""),
                                         6,         7};
    return valuesOf(Tensor::fromDoubles({1, 2, 7}, numbers));
}

} // namespace

/// The curve of a row or column: every cell is in it, however few bins there are.
class TestLineProfile : public QObject
{
    Q_OBJECT

private slots:
    void everyCellCounts();
    void binsCoverTheLine_data();
    void binsCoverTheLine();
    void specialNumbers();
    void columns();
};

void TestLineProfile::everyCellCounts()
{
    const LineProfile whole = rowProfile(*lineValues(), 0, 0, 0, 7, 100);
    QCOMPARE(whole.bins.size(), std::size_t(7));
    QCOMPARE(whole.bins[2].greatest, -3.0f);
    const LineProfile two = rowProfile(*lineValues(), 0, 0, 0, 7, 2);
    QCOMPARE(two.bins.size(), std::size_t(2));
    QCOMPARE(two.bins[0].smallest, -3.0f);
    QCOMPARE(two.bins[0].greatest, 2.0f);
    QCOMPARE(two.bins[1].smallest, 4.0f);
    QCOMPARE(two.bins[1].greatest, 7.0f);
    QVERIFY(two.isExact);
    QVERIFY(rowProfile(*lineValues(), 0, 0, 3, 0, 5).bins.empty());
}

void TestLineProfile::binsCoverTheLine_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("bins");
    QTest::newRow("one bin") << 1000 << 1;
    QTest::newRow("uneven") << 1000 << 7;
    QTest::newRow("as many as cells") << 64 << 64;
    QTest::newRow("a long line") << 131072 << 900;
}

void TestLineProfile::binsCoverTheLine()
{
    QFETCH(int, count);
    QFETCH(int, bins);
    const StageValuesPtr values = valuesOf(Tensor::filled({1, 1, count}, 0.5));
    const LineProfile profile = rowProfile(*values, 0, 0, 0, count, bins);
    QCOMPARE(profile.begin(0), Index(0));
    QCOMPARE(profile.begin(profile.bins.size()), Index(count));
    for (std::size_t bin = 0; bin < profile.bins.size(); ++bin) {
        QVERIFY(profile.begin(bin) < profile.begin(bin + 1));
        QCOMPARE(profile.bins[bin].smallest, 0.5f);
    }
}

void TestLineProfile::specialNumbers()
{
    const LineProfile profile = rowProfile(*lineValues(), 0, 1, 0, 7, 7);
    QVERIFY(std::isnan(profile.bins[0].greatest));
    QVERIFY(std::isnan(profile.bins[4].greatest));
    QCOMPARE(profile.bins[2].greatest, 3.0f);
    const LineProfile joined = rowProfile(*lineValues(), 0, 1, 0, 4, 1);
    QCOMPARE(joined.bins[0].smallest, 3.0f);
    QVERIFY(std::isnan(rowProfile(*lineValues(), 0, 1, 0, 7, 1).bins[0].greatest));
}

void TestLineProfile::columns()
{
    const LineProfile profile = columnProfile(*lineValues(), 0, 6, 0, 2, 1);
    QCOMPARE(profile.bins[0].smallest, 7.0f);
    QCOMPARE(columnProfile(*lineValues(), 0, 3, 1, 1, 4).bins[0].greatest, 4.0f);
}

QTEST_APPLESS_MAIN(TestLineProfile)
#include "tst_LineProfile.moc"
