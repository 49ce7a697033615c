#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "engine/NanSearch.h"

#include "EditFixtures.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

SnapshotPtr withNan(const std::vector<CellIndex> &cells)
{
    Experiment experiment = twoHeads();
    for (const CellIndex &cell : cells)
        experiment = with(experiment, SetCells{Stage::Wo, {{cell, notANumber}}});
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(std::move(experiment)), Generation{1});
}

} // namespace

class TestNanSearch : public QObject
{
    Q_OBJECT

private slots:
    void goesRoundInReadingOrder();
    void thereIsNone();
    void stopsWhenAsked();
};

void TestNanSearch::goesRoundInReadingOrder()
{
    const SnapshotPtr snapshot = withNan({{0, 1, 4}, {0, 3, 0}});
    const auto first = nextNan(*snapshot, {Stage::X, {0, 2, 2}});
    QVERIFY(first && first->stage == Stage::Wo);
    QCOMPARE(first->cell, (CellIndex{0, 1, 4}));
    const auto second = nextNan(*snapshot, *first);
    QVERIFY(second && second->stage == Stage::Wo);
    QCOMPARE(second->cell, (CellIndex{0, 3, 0}));
    // On through the output that they spoil, and round.
    std::optional<StageCell> at = second;
    Index seen = 0;
    do {
        at = nextNan(*snapshot, *at);
        QVERIFY(at);
        ++seen;
        QVERIFY(
            std::isnan(snapshot->stage(at->stage).values->value(at->cell.head, at->cell.row, at->cell.col)));
    } while (!(at->stage == first->stage && at->cell == first->cell) && seen < 1000);
    QVERIFY(seen >= 9); // two columns of the output alone are eight
    QVERIFY(seen < 1000);
}

void TestNanSearch::thereIsNone()
{
    const SnapshotPtr snapshot = withNan({});
    QVERIFY(!nextNan(*snapshot, {Stage::X, {0, 0, 0}}));
    QVERIFY(searchedCells(*snapshot) >= 20 + 30 + 30 + 20 + 28); // X and its weights at least
}

void TestNanSearch::stopsWhenAsked()
{
    const SnapshotPtr snapshot = withNan({{0, 1, 4}});
    std::stop_source source;
    source.request_stop();
    QVERIFY(!nextNan(*snapshot, {Stage::X, {0, 0, 0}}, source.get_token()));
}

QTEST_APPLESS_MAIN(TestNanSearch)
#include "tst_NanSearch.moc"
