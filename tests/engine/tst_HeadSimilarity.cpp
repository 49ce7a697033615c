#include "engine/heads/HeadSimilarity.h"

#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

/// Heads of one row over three keys.
HeadSimilarity similarityOf(const std::vector<double> &weights)
{
    Experiment experiment;
    experiment.tokens = TokenList({"q"});
    experiment.tokensKv = TokenList({"x", "y", "z"});
    experiment.nHeads = static_cast<Index>(weights.size() / 3);
    experiment.nKvHeads = 1;
    experiment.given = {{Stage::A, Tensor::fromDoubles({experiment.nHeads, 1, 3}, weights)},
                        {Stage::V, Tensor::fromDoubles({1, 3, 1}, std::vector<double>{1, 2, 3})}};
    return headSimilarity(*evaluated(std::make_shared<const Experiment>(experiment)));
}

using Groups = std::vector<std::vector<Index>>;

} // namespace

class TestHeadSimilarity : public QObject
{
    Q_OBJECT

private slots:
    void distancesByHand();
    void distanceIsAMetric();
    void groupsJoinTheNearest();
    void groupsAreStable();
    void manyRowsAreSampled();
};

void TestHeadSimilarity::distancesByHand()
{
    const HeadSimilarity similarity = similarityOf({1, 0, 0, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0});
    QCOMPARE(similarity.heads, Index(4));
    QCOMPARE(similarity.distance(0, 1), 1.0); // no key in common
    QCOMPARE(similarity.distance(0, 3), 0.0);
    // Middle (3/4, 1/4): entropy 0.8113 bits, less half of one bit.
    const double middle = -(0.75 * std::log2(0.75) + 0.25 * std::log2(0.25));
    QVERIFY(std::abs(similarity.distance(0, 2) - std::sqrt(middle - 0.5)) < 1e-12);
    QCOMPARE(similarity.distance(2, 0), similarity.distance(0, 2));
    QCOMPARE(similarity.rowsRead, Index(1));
}

void TestHeadSimilarity::distanceIsAMetric()
{
    RandomExperiments random(9);
    for (int i = 0; i < 80; ++i) {
        Experiment experiment = random.next();
        experiment.pins.clear();
        if (experiment.isGiven(Stage::A))
            continue;
        const HeadSimilarity similarity =
            headSimilarity(*evaluated(std::make_shared<const Experiment>(experiment)));
        for (Index a = 0; a < similarity.heads; ++a)
            for (Index b = 0; b < similarity.heads; ++b) {
                const double ab = similarity.distance(a, b);
                if (std::isnan(ab))
                    continue;
                QVERIFY(ab >= 0.0 && ab <= 1.0 + 1e-12);
                QCOMPARE(similarity.distance(b, a), ab);
                QVERIFY(a != b || ab == 0.0);
            }
    }
}

void TestHeadSimilarity::groupsJoinTheNearest()
{
    HeadSimilarity similarity;
    similarity.heads = 4;
    similarity.distances = {0.0, 0.9, 0.1, 0.8, 0.9, 0.0, 0.7, 0.2, 0.1, 0.7, 0.0, 0.6, 0.8, 0.2, 0.6, 0.0};
    QCOMPARE(headGroups(similarity, 0.0), (Groups{{0}, {1}, {2}, {3}}));
    QCOMPARE(headGroups(similarity, 0.15), (Groups{{0, 2}, {1}, {3}}));
    QCOMPARE(headGroups(similarity, 0.3), (Groups{{0, 2}, {1, 3}}));
    QCOMPARE(headGroups(similarity, 0.85), (Groups{{0, 2}, {1, 3}})); // 0 and 1 lie 0.9 apart
    QCOMPARE(headGroups(similarity, 0.9), (Groups{{0, 1, 2, 3}}));
}

void TestHeadSimilarity::groupsAreStable()
{
    const HeadSimilarity similarity = similarityOf({1, 0, 0, 0, 1, 0, 0.99, 0.01, 0, 0.01, 0.99, 0});
    const HeadSimilarity again = similarityOf({1, 0, 0, 0, 1, 0, 0.98, 0.02, 0, 0.02, 0.98, 0});
    QCOMPARE(headGroups(similarity, 0.3), (Groups{{0, 2}, {1, 3}}));
    QCOMPARE(headGroups(again, 0.3), headGroups(similarity, 0.3));
}

void TestHeadSimilarity::manyRowsAreSampled()
{
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(1200, "t"));
    experiment.nHeads = experiment.nKvHeads = 12;
    RandomExperiments random(3);
    experiment.given = {{Stage::Q, random.matrix({1, 1200, 24})},
                        {Stage::K, random.matrix({1, 1200, 24})},
                        {Stage::V, random.matrix({1, 1200, 24})}};
    const HeadSimilarity similarity =
        headSimilarity(*evaluated(std::make_shared<const Experiment>(experiment)));
    QCOMPARE(similarity.rows, Index(1200));
    QVERIFY(similarity.rowsRead >= 16 && similarity.rowsRead < 1200);
    QVERIFY(similarity.distance(0, 11) > 0.0);
}

QTEST_APPLESS_MAIN(TestHeadSimilarity)
#include "tst_HeadSimilarity.moc"
