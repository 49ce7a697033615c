#include "engine/lab/SoftmaxJacobian.h"
#include "engine/lab/SoftmaxSteps.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> randomRow(RandomExperiments &random, Index count)
{
    return random.matrix({1, 1, count}).toDoubles();
}

} // namespace

class TestSoftmaxSteps : public QObject
{
    Q_OBJECT

private slots:
    void golden();
    void goldenEntropies();
    void goldenRedistribution();
    void printedRowOfLove();
    void eachStepFollowsFromTheLast();
    void hiddenKeysStayHidden();
    void largeScoresNeedTheSubtraction();
    void entropyFallsWithSharpness();
    void jacobianIsTheSlope();
    void jacobianOfManyKeys();
};

void TestSoftmaxSteps::golden()
{
    const Json file = readGolden(QStringLiteral("softmax"));
    QVERIFY(file["rows"].toArray().size() >= 20);
    for (const Json &entry : file["rows"].toArray()) {
        const SoftmaxSteps steps = softmaxSteps(goldenTensor(entry["row"]).toDoubles());
        COMPARE_MATRIX(steps.weights, goldenTensor(entry["softmax"]).toDoubles(), 1e-12);
        QCOMPARE(steps.isFullyMasked, entry["fully_masked"].toBool());
        QVERIFY(std::abs(entropyOf(steps.weights) - entry["entropy"].toDouble()) <= 1e-12);
    }
}

void TestSoftmaxSteps::goldenEntropies()
{
    const Json file = readGolden(QStringLiteral("softmax"));
    for (const Json &entry : file["entropies"].toArray())
        QVERIFY(std::abs(entropyOf(goldenTensor(entry["row"]).toDoubles()) - entry["entropy"].toDouble()) <=
                1e-12);
}

void TestSoftmaxSteps::goldenRedistribution()
{
    const Json file = readGolden(QStringLiteral("softmax"));
    for (const Json &entry : file["redistribute"].toArray())
        COMPARE_MATRIX(redistributedWeights(goldenTensor(entry["row"]).toDoubles(), entry["col"].toInteger(),
                                            entry["value"].toDouble()),
                       goldenTensor(entry["result"]).toDoubles(), 1e-12);
}

/// The worked row of the tutorial, which is written without the subtraction: e-values 1.374, 1.342, 1.358,
/// 1.443, weights 0.249, 0.243, 0.246, 0.262. Its sum 5.517 is that of the rounded e-values; 5.5175 is true.
void TestSoftmaxSteps::printedRowOfLove()
{
    const std::vector<double> scaled = {0.318, 0.294, 0.306, 0.367};
    const SoftmaxSteps steps = softmaxSteps(scaled, {.subtractLargest = false});
    const double half = 0.0005; // of a unit in the last printed place
    const std::vector<double> exponentials = {1.374, 1.342, 1.358, 1.443};
    const std::vector<double> weights = {0.249, 0.243, 0.246, 0.262};
    for (std::size_t j = 0; j < 4; ++j) {
        QVERIFY(std::abs(steps.exponentials[j] - exponentials[j]) <= half);
        QVERIFY(std::abs(steps.weights[j] - weights[j]) <= half);
    }
    QVERIFY(std::abs(steps.sum - 5.517) <= 4 * half);
    QVERIFY(std::abs(std::accumulate(exponentials.begin(), exponentials.end(), 0.0) - 5.517) < 1e-12);
    COMPARE_MATRIX(softmaxSteps(scaled).weights, steps.weights, 1e-15);
}

void TestSoftmaxSteps::eachStepFollowsFromTheLast()
{
    RandomExperiments random(3);
    const std::vector<double> row = randomRow(random, 7);
    const SoftmaxSteps steps = softmaxSteps(row, {.sharpness = 2.5});
    double sum = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) {
        QCOMPARE(steps.scores[j], 2.5 * row[j]);
        QVERIFY(steps.scores[j] <= steps.scores[static_cast<std::size_t>(steps.largestAt)]);
        QCOMPARE(steps.shifted[j], steps.scores[j] - steps.shift);
        QCOMPARE(steps.exponentials[j], std::exp(steps.shifted[j]));
        sum += steps.exponentials[j];
        QCOMPARE(steps.weights[j], steps.exponentials[j] / steps.sum);
    }
    QCOMPARE(steps.sum, sum);
}

void TestSoftmaxSteps::hiddenKeysStayHidden()
{
    const std::vector<double> row = {1.0, -infinity, 2.0};
    for (const double sharpness : {0.0, 1.0, 8.0}) {
        const SoftmaxSteps steps = softmaxSteps(row, {.sharpness = sharpness});
        QCOMPARE(steps.weights[1], 0.0);
        QCOMPARE(steps.exponentials[1], 0.0);
    }
    const SoftmaxSteps dead = softmaxSteps(std::vector<double>{-infinity, -infinity});
    QVERIFY(dead.isFullyMasked);
    QCOMPARE(dead.weights, (std::vector<double>{0.0, 0.0}));
    QCOMPARE(dead.largestAt, Index(-1));
    for (const double trouble : {infinity, std::numeric_limits<double>::quiet_NaN()})
        for (const double weight : softmaxSteps(std::vector<double>{1.0, trouble, -infinity}).weights)
            QVERIFY(std::isnan(weight));
}

void TestSoftmaxSteps::largeScoresNeedTheSubtraction()
{
    const std::vector<double> row = {1000.0, 1001.0};
    QVERIFY(std::isnan(softmaxSteps(row, {.subtractLargest = false}).weights[1]));
    const SoftmaxSteps steps = softmaxSteps(row);
    QVERIFY(std::abs(steps.weights[1] - 1.0 / (1.0 + std::exp(-1.0))) < 1e-15);
}

void TestSoftmaxSteps::entropyFallsWithSharpness()
{
    RandomExperiments random(11);
    std::vector<double> sharpnesses;
    for (int i = 0; i <= 40; ++i)
        sharpnesses.push_back(0.25 * i);
    for (int run = 0; run < 20; ++run) {
        const std::vector<double> row = randomRow(random, random.between(2, 12));
        const std::vector<SharpnessPoint> curve = sharpnessCurve(row, sharpnesses);
        QVERIFY(std::abs(curve.front().entropy - std::log(static_cast<double>(row.size()))) < 1e-12);
        for (std::size_t i = 1; i < curve.size(); ++i) {
            QVERIFY(curve[i].entropy <= curve[i - 1].entropy + 1e-12); // rounding of the sums
            QVERIFY(curve[i].largestWeight >= curve[i - 1].largestWeight - 1e-12);
        }
    }
}

void TestSoftmaxSteps::jacobianIsTheSlope()
{
    RandomExperiments random(17);
    const std::vector<double> row = randomRow(random, 6);
    const double sharpness = 1.75;
    const StageValuesPtr jacobian =
        softmaxJacobian(softmaxSteps(row, {.sharpness = sharpness}).weights, sharpness);
    QVERIFY(jacobian->shape() == (Shape{1, 6, 6}));
    const double step = 1e-6;
    ValueStatistics seen{infinity, -infinity, 0.0, 0, 0, 0, 0};
    for (Index i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (Index j = 0; j < 6; ++j) {
            std::vector<double> up = row;
            std::vector<double> down = row;
            up[static_cast<std::size_t>(j)] += step;
            down[static_cast<std::size_t>(j)] -= step;
            const auto at = [&](const std::vector<double> &scores) {
                return softmaxSteps(scores, {.sharpness = sharpness}).weights[static_cast<std::size_t>(i)];
            };
            const double slope = (at(up) - at(down)) / (2 * step);
            // A central difference is off by step^2 and by rounding over step.
            QVERIFY(std::abs(jacobian->value(0, i, j) - slope) < 1e-9);
            QCOMPARE(jacobian->value(0, i, j), jacobian->value(0, j, i));
            sum += jacobian->value(0, i, j);
            seen.minimum = std::min(seen.minimum, jacobian->value(0, i, j));
            seen.maximum = std::max(seen.maximum, jacobian->value(0, i, j));
        }
        QVERIFY(std::abs(sum) < 1e-15);
    }
    QCOMPARE(jacobian->statistics(0).minimum, seen.minimum);
    QCOMPARE(jacobian->statistics(0).maximum, seen.maximum);
    QCOMPARE(jacobian->statistics(0).finiteCount, Index(36));
}

void TestSoftmaxSteps::jacobianOfManyKeys()
{
    const std::vector<double> row(4096, 0.5);
    const StageValuesPtr jacobian = softmaxJacobian(softmaxSteps(row).weights);
    QVERIFY(std::abs(jacobian->value(0, 17, 17) - (1.0 - 1.0 / 4096) / 4096) < 1e-18);
    float pooled[4];
    jacobian->readPooled(0, 0, 0, 2048, 2, 2, Pooling::Max, pooled, 2);
    QVERIFY(pooled[0] > 0.0f);
    QVERIFY(pooled[1] < 0.0f);
    const std::vector<double> broken(3, std::numeric_limits<double>::quiet_NaN());
    QCOMPARE(softmaxJacobian(broken)->statistics(0).nanCount, Index(9));
}

QTEST_APPLESS_MAIN(TestSoftmaxSteps)
#include "tst_SoftmaxSteps.moc"
