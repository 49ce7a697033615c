#include "engine/Evaluator.h"
#include "engine/masks/MaskEffect.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotFor(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

Experiment seedExperiment(const char *name)
{
    return *goldenExperiment(readGolden(QString::fromLatin1(name))["state"]);
}

double weight(const Snapshot &snapshot, Index row, Index col, Index head = 0)
{
    return snapshot.stage(Stage::A).values->value(head, row, col);
}

} // namespace

class TestMaskEffect : public QObject
{
    Q_OBJECT

private slots:
    void causalMaskOfTheExample();
    void maskingIsRemovingAndSharingOut();
    void causalOutputDependsOnThePastAlone();
    void pinnedWeightsAreNotMoved();
    void partsAreTakenAway();
    void maskOfAnother();
    void fullyMaskedRowLosesAll();
};

/// The worked numbers: love keeps 0.4915 of its weight, GPU 0.7369, prog all of it.
void TestMaskEffect::causalMaskOfTheExample()
{
    const Json golden = readGolden(QStringLiteral("seed_e_a_causal"));
    const Experiment causal = *goldenExperiment(golden["state"]);
    const SnapshotPtr before = snapshotFor(withoutMask(causal));
    const SnapshotPtr after = snapshotFor(causal);
    COMPARE_MATRIX(*before->stage(Stage::A).values,
                   goldenTensor(readGolden(QStringLiteral("seed_a_computed"))["stages"]["A"]), 1e-12);
    COMPARE_MATRIX(*after->stage(Stage::A).values, goldenTensor(golden["stages"]["A"]), 1e-12);
    const MaskEffect effect = maskEffectOf(*before, *after, 0);
    QVERIFY(effect.isExact && effect.hasOutput);
    for (Index row = 0; row < 4; ++row) {
        const MaskRowEffect &change = effect.rows[static_cast<std::size_t>(row)];
        QCOMPARE(change.keysBefore, Index(4));
        QCOMPARE(change.keysAfter, row + 1); // I contains v_I alone, love v_I and v_love ...
        double hidden = 0.0;
        for (Index col = row + 1; col < 4; ++col) {
            hidden += weight(*before, row, col);
            QCOMPARE(weight(*after, row, col), 0.0);
        }
        QVERIFY(std::abs(change.removed - hidden) < 1e-15);
        QVERIFY(std::abs(change.moved - hidden) < 1e-12); // what is removed goes to the keys that are left
        QCOMPARE(change.added, 0.0);
    }
    QVERIFY(std::abs(effect.rows[1].removed - 0.5085) < 5e-5);
    QCOMPARE(effect.rows[1].mostRemoved, Index(3)); // prog
    QCOMPARE(effect.rows[1].mostGained, Index(0));
    QCOMPARE(effect.rows[3].removed, 0.0);
    QCOMPARE(effect.rows[3].mostRemoved, Index(-1));
    QCOMPARE(effect.rows[3].outputChange, 0.0);
    double squares = 0.0;
    for (Index col = 0; col < 6; ++col)
        squares += std::pow(after->stage(Stage::Output).values->value(0, 0, col) -
                                before->stage(Stage::Output).values->value(0, 0, col),
                            2.0);
    QVERIFY(std::abs(effect.rows[0].outputChange - std::sqrt(squares)) < 1e-15);
}

/// Masked softmax = unmasked softmax renormalised over the allowed keys.
void TestMaskEffect::maskingIsRemovingAndSharingOut()
{
    RandomExperiments random(30);
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
        Experiment masked = random.next();
        masked.pins.clear();
        masked.given.erase(Stage::MaskAdd); // a bias does more than hide
        masked.given.erase(Stage::MaskAlibi);
        if (masked.isGiven(Stage::A))
            continue;
        const SnapshotPtr before = snapshotFor(withoutMask(masked));
        const SnapshotPtr after = snapshotFor(masked);
        if (!after->stage(Stage::A).hasValues())
            continue;
        const StageValues &allowed = *after->stage(Stage::Allowed).values;
        for (Index head = 0; head < masked.nHeads; ++head) {
            const MaskEffect effect = maskEffectOf(*before, *after, head);
            for (Index row = 0; row < allowed.rows(); ++row) {
                const MaskRowEffect &change = effect.rows[static_cast<std::size_t>(row)];
                for (Index col = 0; col < allowed.cols(); ++col) {
                    const double now = weight(*after, row, col, head);
                    if (allowed.value(head, row, col) == 0.0)
                        QCOMPARE(now, 0.0); // exactly
                    else if (change.removed < 1.0 - 1e-6)
                        QVERIFY(std::abs(now - weight(*before, row, col, head) * change.growth()) < 1e-8);
                    ++checked;
                }
            }
        }
    }
    QVERIFY(checked > 1000);
}

/// Rows of V after a query's position do not matter to its row of the output; row 1 is v_1 exactly.
void TestMaskEffect::causalOutputDependsOnThePastAlone()
{
    Experiment causal = seedExperiment("seed_e_b_causal");
    const SnapshotPtr before = snapshotFor(causal);
    for (Index col = 0; col < 6; ++col)
        QCOMPARE(before->stage(Stage::HeadOut).values->value(0, 0, col),
                 before->stage(Stage::V).values->value(0, 0, col));
    for (Index token = 0; token < 4; ++token) {
        Edit edit = PinCells{Stage::V, {{{0, token, 2}, 9.0}}};
        const Result<EditOutcome> changed = applyEdit(causal, edit);
        QVERIFY(changed.ok());
        const SnapshotPtr after = snapshotFor(changed->experiment);
        for (Index row = 0; row < 4; ++row) {
            const bool differs = after->stage(Stage::HeadOut).values->value(0, row, 2) !=
                                 before->stage(Stage::HeadOut).values->value(0, row, 2);
            QCOMPARE(differs, row >= token);
        }
    }
}

void TestMaskEffect::pinnedWeightsAreNotMoved()
{
    const Experiment pinned = seedExperiment("seed_e_c_causal_pin_wins");
    const MaskEffect effect = maskEffectOf(*snapshotFor(withoutMask(pinned)), *snapshotFor(pinned), 0);
    QCOMPARE(effect.moved, 0.0);
    QVERIFY(effect.removed > 0.0); // what it would hide if the weights were not set by hand
}

void TestMaskEffect::partsAreTakenAway()
{
    RandomExperiments random(31);
    for (int i = 0; i < 60; ++i) {
        const Experiment experiment = random.next();
        QVERIFY(maskPartsSet(withoutMask(experiment)).isEmpty());
        Experiment rest = experiment;
        for (const MaskPart part : maskPartsSet(experiment).parts()) {
            const int before = maskPartsSet(rest).count();
            rest = withoutMaskPart(rest, part);
            QCOMPARE(maskPartsSet(rest).count(), before - 1);
        }
        QVERIFY(sameContent(rest, withoutMask(experiment)));
    }
}

void TestMaskEffect::maskOfAnother()
{
    RandomExperiments random(32);
    for (int i = 0; i < 60; ++i) {
        const Experiment experiment = random.next();
        const Experiment kept = maskAlone(experiment);
        QCOMPARE(maskPartsSet(kept).count(), maskPartsSet(experiment).count());
        const Result<Experiment> again = withMaskOf(withoutMask(experiment), kept);
        QVERIFY(again.ok());
        QVERIFY(sameContent(*again, experiment));
    }
    Experiment other = seedExperiment("seed_f_cross_attention");
    other.given[Stage::MaskBool] = Tensor::filled({1, 3, 4}, 1.0);
    const Result<Experiment> refused = withMaskOf(seedExperiment("seed_a_computed"), other);
    QVERIFY(!refused.ok());
    QVERIFY(refused.error().message.find("expected 4×4, found 3×4") != std::string::npos);
}

void TestMaskEffect::fullyMaskedRowLosesAll()
{
    Experiment experiment = seedExperiment("seed_a_computed");
    experiment.given[Stage::MaskPadding] = Tensor::fromDoubles({1, 1, 4}, std::vector<double>{0, 0, 0, 0});
    const SnapshotPtr after = snapshotFor(experiment);
    const MaskEffect effect = maskEffectOf(*snapshotFor(withoutMask(experiment)), *after, 0);
    for (const MaskRowEffect &row : effect.rows) {
        QCOMPARE(row.keysAfter, Index(0));
        QVERIFY(std::abs(row.removed - 1.0) < 1e-12);
        QVERIFY(std::abs(row.moved - 0.5) < 1e-12); // it goes nowhere
        QCOMPARE(row.mostGained, Index(-1));
    }
}

QTEST_APPLESS_MAIN(TestMaskEffect)
#include "tst_MaskEffect.moc"
