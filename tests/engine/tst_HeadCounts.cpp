#include "engine/heads/HeadCounts.h"

#include "engine/Evaluator.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

class TestHeadCounts : public QObject
{
    Q_OBJECT

private slots:
    void countsDivideTheWidths();
    void oneHeadOfTheSameMatrices();
    void groupedHeadsAreCopied();
    void givenWeightsAreRefused();
    void pinsThatGoAreNamed();
};

void TestHeadCounts::countsDivideTheWidths()
{
    const auto two = goldenExperiment(readGolden(QStringLiteral("heads_equivalence_0"))["state"]);
    QCOMPARE(possibleHeadCounts(*two), (std::vector<Index>{1, 2, 3, 6}));
}

void TestHeadCounts::oneHeadOfTheSameMatrices()
{
    const auto two = goldenExperiment(readGolden(QStringLiteral("seed_d1x_two_heads_from_x"))["state"]);
    const auto one = evaluatedWithHeadCount(*two, 1);
    QVERIFY(one.ok());
    QCOMPARE(one->snapshot->sizes().nHeads, Index(1));
    QCOMPARE(one->snapshot->sizes().dHeadK, Index(6));
    QVERIFY(std::abs(one->snapshot->sizes().scale - 1.0 / std::sqrt(6.0)) < 1e-15);
    // Q, K and V are the same; only the cut differs. One head is the computed example.
    const auto single = evaluated(goldenExperiment(readGolden(QStringLiteral("seed_a_computed"))["state"]));
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            QVERIFY(std::abs(one->snapshot->stage(Stage::A).values->value(0, row, col) -
                             single->stage(Stage::A).values->value(0, row, col)) < 1e-12);
    const auto again = withHeadCount(*two, 2);
    QVERIFY(again.ok() && sameContent(again->experiment, *two));
}

void TestHeadCounts::groupedHeadsAreCopied()
{
    const auto grouped = goldenExperiment(readGolden(QStringLiteral("heads_equivalence_1"))["state"]);
    QVERIFY(grouped->nKvHeads < grouped->nHeads);
    const auto every = withHeadCount(*grouped, 6);
    QVERIFY(every.ok());
    QCOMPARE(every->experiment.nKvHeads, Index(6));
    // The same numbers, whether heads share K and V or have copies of their own.
    const auto whole = evaluated(grouped);
    const auto copied = evaluated(std::make_shared<const Experiment>(every->experiment));
    for (Index head = 0; head < 6; ++head)
        for (Index row = 0; row < 3; ++row)
            for (Index col = 0; col < 3; ++col)
                QVERIFY(std::abs(whole->stage(Stage::A).values->value(head, row, col) -
                                 copied->stage(Stage::A).values->value(head, row, col)) < 1e-12);
    const auto one = evaluatedWithHeadCount(*grouped, 1);
    QVERIFY(one.ok());
    QVERIFY(one->snapshot->stage(Stage::A).hasValues());
}

void TestHeadCounts::givenWeightsAreRefused()
{
    const auto given = goldenExperiment(readGolden(QStringLiteral("given_06_attention"))["state"]);
    const Index other = given->nHeads == 1 ? 2 : 1;
    const auto refused = withHeadCount(*given, other);
    QVERIFY(!refused.ok());
    QVERIFY(!refused.error().message.empty());
    QVERIFY(!evaluatedWithHeadCount(*given, other).ok());
}

void TestHeadCounts::pinsThatGoAreNamed()
{
    const auto pinned =
        goldenExperiment(readGolden(QStringLiteral("seed_d2_two_heads_attention_pinned"))["state"]);
    const auto one = withHeadCount(*pinned, 1);
    QVERIFY(one.ok());
    QVERIFY(one->experiment.pinsOf(Stage::A).isEmpty());
    QVERIFY(!one->notes.empty());
}

QTEST_APPLESS_MAIN(TestHeadCounts)
#include "tst_HeadCounts.moc"
