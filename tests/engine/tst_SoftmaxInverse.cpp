#include "engine/lab/SoftmaxInverse.h"
#include "engine/lab/SoftmaxSteps.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOfState(const char *name)
{
    return evaluated(goldenExperiment(readGolden(QString::fromLatin1(name))["state"]));
}

/// A with its rows divided by their sums.
Tensor normalisedWeights(const Snapshot &snapshot)
{
    const StageValues &A = *snapshot.stage(Stage::A).values;
    std::vector<double> numbers;
    for (Index head = 0; head < A.heads(); ++head) {
        for (Index row = 0; row < A.rows(); ++row) {
            double sum = 0.0;
            for (Index col = 0; col < A.cols(); ++col)
                sum += A.value(head, row, col);
            for (Index col = 0; col < A.cols(); ++col)
                numbers.push_back(sum == 0.0 ? 0.0 : A.value(head, row, col) / sum);
        }
    }
    return Tensor::fromDoubles(A.shape(), numbers);
}

} // namespace

class TestSoftmaxInverse : public QObject
{
    Q_OBJECT

private slots:
    void scoresOfTheHandSetWeights();
    void editGivesTheSameWeightsBack_data();
    void editGivesTheSameWeightsBack();
    void rowsThatDoNotAddToOneAreRescaled();
    void impossibleWeightsAreRefused();
    void randomExperimentsComeBack();
};

/// The table of row-centred scores that would give the hand-set A; CURRICULUM's four decimals.
void TestSoftmaxInverse::scoresOfTheHandSetWeights()
{
    const SnapshotPtr snapshot = snapshotOfState("seed_c_attention_pinned");
    const std::vector<double> expected = {2.7951,  -0.6006, -1.5938, -0.6006, 0.4495, -0.8018,
                                          -1.7950, 2.1473,  -1.6583, -1.6583, 1.0327, 2.2840,
                                          -1.7167, -0.0188, 2.4591,  -0.7235};
    const Result<InverseSoftmax> inverse = inverseSoftmax(*snapshot, 0, Stage::Scores);
    QVERIFY(inverse.ok());
    QCOMPARE(inverse->restored, Index(4));
    const std::vector<double> scores = inverse->scores.toDoubles();
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(scores[i] - expected[i]) <= 0.00005 + 1e-12,
                 qPrintable(QString::number(scores[i])));
    for (Index row = 0; row < 4; ++row) {
        double sum = 0.0;
        for (Index col = 0; col < 4; ++col)
            sum += inverse->scores.at(row, col);
        QVERIFY(std::abs(sum) < 1e-14);
    }
    const std::vector<double> entropies = {1.5955, 1.7427, 1.6855, 1.6815}; // bits
    for (Index row = 0; row < 4; ++row) {
        std::vector<double> weights(4);
        snapshot->stage(Stage::A).values->readBlock(0, row, 0, 1, 4, weights.data(), 4);
        QVERIFY(std::abs(bitsOf(entropyOf(weights)) - entropies[static_cast<std::size_t>(row)]) <= 0.00005);
    }
}

void TestSoftmaxInverse::editGivesTheSameWeightsBack_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"seed_a_computed", "seed_c_attention_pinned",
                             "seed_d2_two_heads_attention_pinned", "seed_e_a_causal", "seed_g_as_printed",
                             "random_024_alibi_causal", "random_022_additive", "given_06_attention"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestSoftmaxInverse::editGivesTheSameWeightsBack()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const SnapshotPtr before = evaluated(goldenExperiment(golden["state"]));
    const Tensor wanted = normalisedWeights(*before);
    for (const Stage target : {Stage::Scores, Stage::Scaled}) {
        const Result<Edit> edit = inverseSoftmaxEdit(*before, target);
        QVERIFY2(edit.ok(), edit.ok() ? "" : edit.error().message.c_str());
        const Result<EditOutcome> outcome = applyEdit(before->experiment(), *edit);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().message.c_str());
        const SnapshotPtr after = evaluated(std::make_shared<const Experiment>(outcome->experiment));
        QCOMPARE(after->problem(), std::string());
        QVERIFY(after->experiment().pinsOf(Stage::A).isEmpty());
        // ln and exp lose an ulp each.
        COMPARE_MATRIX(*after->stage(Stage::A).values, wanted, 1e-14);
    }
}

void TestSoftmaxInverse::rowsThatDoNotAddToOneAreRescaled()
{
    Experiment experiment;
    experiment.tokens = TokenList({"q", "r", "s"});
    experiment.tokensKv = TokenList({"a", "b"});
    experiment.given = {{Stage::A, Tensor::fromDoubles({1, 3, 2}, std::vector<double>{0.2, 0.2, 0, 0, 1, 0})},
                        {Stage::V, Tensor::zeros({1, 2, 1})}};
    const SnapshotPtr snapshot = evaluated(std::make_shared<const Experiment>(experiment));
    const Result<InverseSoftmax> inverse = inverseSoftmax(*snapshot, 0, Stage::Scaled);
    QVERIFY(inverse.ok());
    QCOMPARE(inverse->rescaled, Index(1));
    QCOMPARE(inverse->restored, Index(1));
    QCOMPARE(inverse->left, Index(1));
    QCOMPARE(softmaxSteps(std::vector<double>{inverse->scores.at(0, 0), inverse->scores.at(0, 1)}).weights[0],
             0.5);
    QVERIFY(std::isinf(inverse->scores.at(2, 1)));
}

void TestSoftmaxInverse::impossibleWeightsAreRefused()
{
    const SnapshotPtr snapshot = snapshotOfState("seed_c_attention_pinned");
    const Edit negative = PinCells{Stage::A, {{{0, 1, 2}, -0.5}}};
    const Result<EditOutcome> outcome = applyEdit(snapshot->experiment(), negative);
    const SnapshotPtr edited = evaluated(std::make_shared<const Experiment>(outcome->experiment));
    const Result<InverseSoftmax> inverse = inverseSoftmax(*edited, 0, Stage::Scaled);
    QVERIFY(!inverse.ok());
    QVERIFY(QString::fromStdString(inverse.error().message).contains(QStringLiteral("A[0, 1, 2] is -0.5")));
    const Result<EditOutcome> noScale = applyEdit(snapshot->experiment(), SetScale{0.0});
    QVERIFY(
        !inverseSoftmax(*evaluated(std::make_shared<const Experiment>(noScale->experiment)), 0, Stage::Scores)
             .ok());
}

void TestSoftmaxInverse::randomExperimentsComeBack()
{
    RandomExperiments random(29);
    int compared = 0;
    for (int run = 0; run < 150; ++run) {
        const SnapshotPtr before = evaluated(std::make_shared<const Experiment>(random.next()));
        if (!before->stage(Stage::A).hasValues() || before->sizes().scale == 0.0)
            continue;
        bool addsToOne = true;
        for (Index head = 0; head < before->sizes().nHeads && addsToOne; ++head) {
            const Result<InverseSoftmax> inverse = inverseSoftmax(*before, head, Stage::Scaled);
            addsToOne = inverse.ok() && inverse->restored == before->sizes().nQ;
        }
        const Result<Edit> edit = inverseSoftmaxEdit(*before, Stage::Scaled);
        if (!addsToOne || !edit.ok())
            continue;
        const Result<EditOutcome> outcome = applyEdit(before->experiment(), *edit);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().message.c_str());
        const SnapshotPtr after = evaluated(std::make_shared<const Experiment>(outcome->experiment));
        COMPARE_MATRIX(*after->stage(Stage::A).values, normalisedWeights(*before), 1e-12);
        ++compared;
    }
    QVERIFY2(compared >= 30, qPrintable(QString::number(compared)));
}

QTEST_APPLESS_MAIN(TestSoftmaxInverse)
#include "tst_SoftmaxInverse.moc"
