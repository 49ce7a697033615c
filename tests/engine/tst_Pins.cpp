#include "engine/Pins.h"

#include <QTest>

using namespace attn;

class TestPins : public QObject
{
    Q_OBJECT

private slots:
    void singleCells();
    void wholeStageWithHoles();
    void coversAll();
    void allIsSorted();
    void sameBitsIgnoresForm();
};

void TestPins::singleCells()
{
    Pins pins;
    QVERIFY(pins.isEmpty());
    pins.set({1, 2, 3}, 0.5);
    pins.set({0, 0, 0}, -0.0);
    QCOMPARE(pins.count(), Index(2));
    QCOMPARE(pins.at({1, 2, 3}), std::optional<double>(0.5));
    QVERIFY(!pins.at({1, 2, 4}).has_value());
    pins.clear({1, 2, 3});
    pins.clear({0, 0, 0});
    QVERIFY(pins.isEmpty());
    QVERIFY(pins.holes().empty());
}

void TestPins::wholeStageWithHoles()
{
    Pins pins(Tensor::filled({1, 2, 2}, 0.25));
    QCOMPARE(pins.count(), Index(4));
    pins.clear({0, 1, 1});
    QCOMPARE(pins.count(), Index(3));
    QVERIFY(!pins.at({0, 1, 1}).has_value());
    pins.set({0, 1, 1}, 0.75);
    QCOMPARE(pins.count(), Index(4));
    QCOMPARE(pins.at({0, 1, 1}), std::optional<double>(0.75));
    QCOMPARE(pins.at({0, 0, 1}), std::optional<double>(0.25));
    QVERIFY(!pins.at({0, 2, 0}).has_value());
    for (Index row = 0; row < 2; ++row)
        for (Index col = 0; col < 2; ++col)
            pins.clear({0, row, col});
    QVERIFY(pins.isEmpty());
}

void TestPins::coversAll()
{
    Pins pins(Tensor::filled({1, 2, 2}, 0.25));
    QVERIFY(pins.coversAll({1, 2, 2}));
    QVERIFY(!pins.coversAll({1, 2, 3}));
    pins.clear({0, 0, 0});
    QVERIFY(!pins.coversAll({1, 2, 2}));

    Pins cells;
    QVERIFY(!cells.coversAll({1, 0, 0}));
    cells.set({0, 0, 0}, 1.0);
    QVERIFY(!cells.coversAll({1, 1, 2}));
    cells.set({0, 0, 1}, 1.0);
    QVERIFY(cells.coversAll({1, 1, 2}));
    QVERIFY(!cells.coversAll({1, 2, 1}));
}

void TestPins::allIsSorted()
{
    Pins pins(Tensor::filled({2, 2, 2}, 0.25));
    pins.set({1, 0, 1}, 9.0);
    pins.clear({0, 1, 0});
    const std::vector<CellValue> all = pins.all();
    QCOMPARE(static_cast<Index>(all.size()), pins.count());
    for (std::size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(pins.at(all[i].cell), std::optional<double>(all[i].value));
        QVERIFY(i == 0 || all[i - 1].cell < all[i].cell);
    }
}

void TestPins::sameBitsIgnoresForm()
{
    Pins whole(Tensor::filled({1, 1, 2}, 0.25));
    Pins cells;
    cells.set({0, 0, 0}, 0.25);
    QVERIFY(!whole.sameBits(cells));
    cells.set({0, 0, 1}, 0.25);
    QVERIFY(whole.sameBits(cells));
    QVERIFY(cells.sameBits(whole));
    cells.set({0, 0, 1}, -0.0);
    Pins zero = cells;
    zero.set({0, 0, 1}, 0.0);
    QVERIFY(!zero.sameBits(cells));
}

QTEST_APPLESS_MAIN(TestPins)
#include "tst_Pins.moc"
