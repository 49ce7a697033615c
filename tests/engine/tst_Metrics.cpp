#include "engine/Metrics.h"
#include "support/GoldenFile.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

/// One head with these weights over three keys and one-dimensional values 1, 2, 3.
Experiment givenWeights(const std::vector<double> &weights)
{
    const auto rows = static_cast<Index>(weights.size() / 3);
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(rows), "query"));
    experiment.tokensKv = TokenList({"x", "y", "z"});
    experiment.given = {{Stage::A, Tensor::fromDoubles({1, rows, 3}, weights)},
                        {Stage::V, Tensor::fromDoubles({1, 3, 1}, std::vector<double>{1, 2, 3})}};
    return experiment;
}

Metrics metricsFor(const Experiment &experiment)
{
    return metricsOf(*evaluated(std::make_shared<const Experiment>(experiment)));
}

} // namespace

/// Definitions by hand; the golden forward files compare every metric of every case.
class TestMetrics : public QObject
{
    Q_OBJECT

private slots:
    void rowsByHand();
    void patternsByHand();
    void rowsWithoutChoiceAreLeftOut();
    void tiesTakeTheLowestKey();
    void nothingWithoutAttention();
    void notANumberIsNotHidden();
};

void TestMetrics::rowsByHand()
{
    Experiment experiment = givenWeights({0.5, 0.5, 0.0, 0.25, 0.25, 0.5});
    experiment.qOffset = 1;
    const Metrics metrics = metricsFor(experiment);
    QCOMPARE(metrics.rows.heads, Index(1));
    QCOMPARE(metrics.rows.rows, Index(2));
    QCOMPARE(metrics.rows.entropy[0], std::log(2.0));
    QCOMPARE(metrics.rows.entropyNormalised[0], std::log(2.0) / std::log(3.0));
    QCOMPARE(metrics.rows.effectiveTokens[0], 2.0);
    QCOMPARE(metrics.rows.argmax[1], Index(2));
    QCOMPARE(metrics.rows.meanDistance[0], 0.5);      // position 1: distances 1, 0, 1
    QCOMPARE(metrics.rows.meanSignedOffset[0], -0.5); // offsets -1, 0, 1
    QCOMPARE(metrics.rows.meanDistance[1], 0.75);     // position 2: distances 2, 1, 0
}

void TestMetrics::patternsByHand()
{
    Experiment experiment = givenWeights({0.5, 0.5, 0.0, 0.25, 0.25, 0.5});
    experiment.qOffset = 1;
    const HeadMetrics head = metricsFor(experiment).heads.front();
    QCOMPARE(head.all.previousToken, (0.5 + 0.25) / 2);
    QCOMPARE(head.all.selfToken, (0.5 + 0.5) / 2);
    QCOMPARE(head.all.firstToken, (0.5 + 0.25) / 2);
    QVERIFY(std::isnan(head.all.back3Token));
    QCOMPARE(head.all.deviationFromUniform, (1.0 / 3.0 + (0.5 - 1.0 / 3.0)) / 2);
    QCOMPARE(head.attentionReceived, (std::vector<double>{0.375, 0.375, 0.25}));
    QCOMPARE(head.contributionNorm, std::sqrt(1.5 * 1.5 + 2.25 * 2.25));
    QCOMPARE(head.contributionShare, 1.0);
}

void TestMetrics::rowsWithoutChoiceAreLeftOut()
{
    Experiment experiment = givenWeights({1.0, 0.0, 0.0, 0.25, 0.75, 0.0});
    experiment.causal = true;
    const Metrics metrics = metricsFor(experiment);
    QVERIFY(std::isnan(metrics.rows.entropyNormalised[0]));
    QCOMPARE(metrics.heads.front().all.selfToken, (1.0 + 0.75) / 2);
    QCOMPARE(metrics.heads.front().choice.selfToken, 0.75);
}

void TestMetrics::tiesTakeTheLowestKey()
{
    QCOMPARE(metricsFor(givenWeights({0.2, 0.4, 0.4})).rows.argmax[0], Index(1));
}

void TestMetrics::nothingWithoutAttention()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a"});
    QCOMPARE(metricsFor(experiment).rows.heads, Index(0));
    QVERIFY(metricsFor(experiment).heads.empty());
}

void TestMetrics::notANumberIsNotHidden()
{
    constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
    const Metrics metrics = metricsFor(givenWeights({0.5, notANumber, 0.5}));
    QVERIFY(std::isnan(metrics.rows.entropy[0]));
    QVERIFY(std::isnan(metrics.heads.front().all.deviationFromUniform));
    QCOMPARE(metrics.rows.argmax[0], Index(1));
}

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_Metrics.moc"
