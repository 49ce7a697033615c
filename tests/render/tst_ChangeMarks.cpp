#include "render/SceneFixture.h"
#include "render/cells/ChangeMarks.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

class TestChangeMarks : public QObject
{
    Q_OBJECT

private slots:
    void strengthFollowsTheChange();
    void unchangedIsNoMark_data();
    void unchangedIsNoMark();
    void onlyWhatIsVisibleIsRead();
    void tinyCellsAreLeftOut();
    void ringsAreDrawnAndFade();
};

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

SceneMap rangedMap(const std::vector<std::vector<double>> &table, double minimum, double maximum)
{
    SceneMap map = mapOf(table, QRectF(10, 10, 120, 80));
    map.range = {minimum, maximum, false};
    return map;
}

} // namespace

void TestChangeMarks::strengthFollowsTheChange()
{
    const SceneMap before = rangedMap({{0.0, 0.0, 0.0}, {0.5, missing, missing}}, 0.0, 1.0);
    const SceneMap after = rangedMap({{0.0, 0.01, 0.25}, {3.0, missing, 0.5}}, 0.0, 1.0);
    const ChangeMarks marks = changeMarks(before, after, {0, 0, 2, 3});
    QCOMPARE(marks.at(0, 0), 0.0f);
    QVERIFY(std::abs(marks.at(0, 1) - 0.1f) < 1e-6f); // the square root of the share
    QVERIFY(std::abs(marks.at(0, 2) - 0.5f) < 1e-6f);
    QCOMPARE(marks.at(1, 0), 1.0f); // by more than the range
    QCOMPARE(marks.at(1, 1), 0.0f); // NaN stayed NaN
    QCOMPARE(marks.at(1, 2), 1.0f); // NaN became a number
    QCOMPARE(marks.at(7, 7), 0.0f);
}

void TestChangeMarks::unchangedIsNoMark_data()
{
    QTest::addColumn<int>("columns");
    QTest::newRow("same numbers") << 2;
    QTest::newRow("another shape") << 3;
}

void TestChangeMarks::unchangedIsNoMark()
{
    QFETCH(int, columns);
    const SceneMap before = rangedMap({{1.0, 2.0}}, 0.0, 2.0);
    const SceneMap after =
        rangedMap({columns == 2 ? std::vector{1.0, 2.0} : std::vector{1.0, 2.0, 3.0}}, 0.0, 2.0);
    QVERIFY(changeMarks(before, after, {0, 0, 1, columns}).isEmpty());
    QVERIFY(!sceneChanges(sceneOf(before), sceneOf(after), QRectF(0, 0, 500, 500), 1.0));
}

void TestChangeMarks::onlyWhatIsVisibleIsRead()
{
    constexpr Index size = 5000;
    const auto valuesAt = [](double shift) {
        return std::make_shared<CountingValues>(
            Shape{1, size, size}, [shift](Index, Index row, Index col) { return double(row + col) + shift; });
    };
    const auto old = valuesAt(0.0);
    const auto now = valuesAt(1.0);
    const QRectF rect(0, 0, 10.0 * size, 10.0 * size);
    const Scene before = sceneOf(mapOf(old, rect, {0.0, 2.0 * size, false}));
    const Scene after = sceneOf(mapOf(now, rect, {0.0, 2.0 * size, false}));
    const auto changes = sceneChanges(before, after, QRectF(20000, 30000, 800, 600), 1.0);
    QVERIFY(changes);
    QVERIFY(now->cellsRead < 90 * 70);
    QCOMPARE(now->cellsRead, old->cellsRead);
    QCOMPARE(now->blockReads, 1);
    const ChangeMarks *marks = changes->find(after.maps.front().key);
    QVERIFY(marks);
    QVERIFY(marks->at(3000, 2000) > 0.0f);
    QCOMPARE(marks->at(0, 0), 0.0f);
}

void TestChangeMarks::tinyCellsAreLeftOut()
{
    const auto old =
        std::make_shared<CountingValues>(Shape{1, 400, 400}, [](auto, auto, auto) { return 0.0; });
    const auto now =
        std::make_shared<CountingValues>(Shape{1, 400, 400}, [](auto, auto, auto) { return 1.0; });
    const QRectF rect(0, 0, 400, 400);
    QVERIFY(!sceneChanges(sceneOf(mapOf(old, rect, {0.0, 1.0, false})),
                          sceneOf(mapOf(now, rect, {0.0, 1.0, false})), rect, 1.0));
    QCOMPARE(now->cellsRead, Index(0));
}

void TestChangeMarks::ringsAreDrawnAndFade()
{
    const SceneMap before = rangedMap({{0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}}, 0.0, 1.0);
    const SceneMap after = rangedMap({{0.0, 1.0, 1.0}, {0.0, 0.0, 0.0}}, 0.0, 1.0);
    ScenePaintOptions options;
    options.showValues = false;
    options.changes = sceneChanges(sceneOf(before), sceneOf(after), QRectF(0, 0, 200, 200), options.zoom);
    QVERIFY(options.changes);
    const QImage plain = painted(sceneOf(after), options); // a fade of 0
    options.changeFade = 1.0;
    const QImage marked = painted(sceneOf(after), options);
    const QRect cell(50, 10, 40, 40); // the one that changed
    QVERIFY(colorDistance(marked.pixel(cell.left() + 1, cell.center().y()), options.theme.text.rgb()) < 30);
    QCOMPARE(marked.pixel(cell.center()), plain.pixel(cell.center())); // its colour stays a number
    QCOMPARE(marked.pixel(20, 20), plain.pixel(20, 20));
    QCOMPARE(marked.pixel(20, 70), plain.pixel(20, 70));
    options.changeFade = 0.3;
    const QImage fading = painted(sceneOf(after), options);
    const QPoint edge(cell.left() + 1, cell.center().y());
    const int full = colorDistance(marked.pixel(edge), plain.pixel(edge));
    const int rest = colorDistance(fading.pixel(edge), plain.pixel(edge));
    QVERIFY(rest > 0 && rest < full / 2);
}

QTEST_MAIN(TestChangeMarks)
#include "tst_ChangeMarks.moc"
