#include "engine/lab/ScalingSample.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::test;

class TestScalingSample : public QObject
{
    Q_OBJECT

private slots:
    void widthsDoubleFrom4To4096();
    void theSameSeedGivesTheSameNumbers();
    void spreadGrowsWithTheRootOfTheWidth();
    void scalingKeepsTheSoftmaxAlive();
    void cosinesLieBetweenMinusOneAndOne();
    void positiveEntriesShareAConstant();
    void histogramCountsEveryNumber();
};

void TestScalingSample::widthsDoubleFrom4To4096()
{
    const ScalingSample sample({.queries = 2, .keys = 3});
    QCOMPARE(sample.widths(), (std::vector<Index>{4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}));
    QCOMPARE(sample.scores(4, ScoreKind::Dot).size(), std::size_t(6));
}

void TestScalingSample::theSameSeedGivesTheSameNumbers()
{
    const ScalingSample one({.queries = 3, .keys = 4, .seed = 7});
    const ScalingSample two({.queries = 3, .keys = 4, .seed = 7});
    const ScalingSample other({.queries = 3, .keys = 4, .seed = 8});
    QCOMPARE(one.scores(64, ScoreKind::Dot), two.scores(64, ScoreKind::Dot));
    QVERIFY(one.scores(64, ScoreKind::Dot) != other.scores(64, ScoreKind::Dot));
}

void TestScalingSample::spreadGrowsWithTheRootOfTheWidth()
{
    const ScalingSample sample({});
    for (const Index width : sample.widths()) {
        const double root = std::sqrt(static_cast<double>(width));
        // 2048 products, but of 32 + 64 vectors only: the spread of the narrowest ones is off by up to 20 %.
        QVERIFY(std::abs(sample.figures(width, ScoreKind::Dot).deviation / root - 1.0) < 0.2);
        QVERIFY(std::abs(sample.figures(width, ScoreKind::Scaled).deviation - 1.0) < 0.2);
        const std::vector<double> dots = sample.scores(width, ScoreKind::Dot);
        std::vector<double> scaled = sample.scores(width, ScoreKind::Scaled);
        for (double &score : scaled)
            score *= root;
        COMPARE_MATRIX(scaled, dots, 1e-15);
    }
}

void TestScalingSample::scalingKeepsTheSoftmaxAlive()
{
    const ScalingSample sample({});
    QVERIFY(sample.figures(512, ScoreKind::Dot).largestWeight > 0.9);
    QVERIFY(sample.figures(4096, ScoreKind::Dot).largestWeight >
            sample.figures(16, ScoreKind::Dot).largestWeight);
    for (const Index width : sample.widths()) {
        QVERIFY(sample.figures(width, ScoreKind::Scaled).largestWeight < 0.3);
        QVERIFY(sample.figures(width, ScoreKind::Scaled).effectiveTokens > 20.0);
        const std::vector<double> weights = sample.weights(width, ScoreKind::Scaled);
        QVERIFY(std::abs(std::accumulate(weights.begin(), weights.end(), 0.0) - 32.0) < 1e-12);
    }
}

void TestScalingSample::cosinesLieBetweenMinusOneAndOne()
{
    const ScalingSample sample({});
    for (const Index width : {Index(4), Index(4096)})
        for (const double cosine : sample.scores(width, ScoreKind::Cosine))
            QVERIFY(std::abs(cosine) <= 1.0 + 1e-12);
    // Not what the division by the root does: cosines of wide vectors shrink towards 0.
    QVERIFY(sample.figures(4096, ScoreKind::Cosine).deviation < 0.05);
}

void TestScalingSample::positiveEntriesShareAConstant()
{
    const ScalingSample sample({.entries = ScalingOptions::Entries::Positive});
    const ScalingFigures &figures = sample.figures(4096, ScoreKind::Dot);
    QVERIFY(std::abs(figures.mean / 1024.0 - 1.0) < 0.02); // d / 4
    QVERIFY(figures.rowSpread < figures.mean / 20.0);
}

void TestScalingSample::histogramCountsEveryNumber()
{
    const std::vector<double> numbers = {-3.0, -1.0, -0.9, 0.0, 0.4, 1.0, 5.0, std::nan("")};
    const Histogram histogram = histogramOf(numbers, -1.0, 1.0, 4);
    QCOMPARE(histogram.counts, (std::vector<Index>{2, 0, 2, 1}));
    QCOMPARE(histogram.below, Index(1));
    QCOMPARE(histogram.above, Index(1));
    QCOMPARE(histogram.notFinite, Index(1));
    QCOMPARE(histogram.largestCount(), Index(2));
    QCOMPARE(histogram.binLow(2), 0.0);
}

QTEST_APPLESS_MAIN(TestScalingSample)
#include "tst_ScalingSample.moc"
