#include "engine/heads/OutputPresets.h"

#include "engine/Evaluator.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr withPreset(const Experiment &experiment, OutputPreset preset)
{
    const auto edit = outputPresetEdit(experiment, preset);
    ATTN_ASSERT(edit.ok(), "the preset exists");
    return evaluated(std::make_shared<const Experiment>(applyEdit(experiment, *edit)->experiment));
}

Experiment twoHeads()
{
    return *goldenExperiment(readGolden(QStringLiteral("heads_equivalence_0"))["state"]);
}

} // namespace

/// What W^O does with concat.
class TestOutputPresets : public QObject
{
    Q_OBJECT

private slots:
    void identityKeepsTheHeadsApart();
    void swapExchangesThem();
    void mixingMakesThemMeet();
    void everyExperimentTakesThem();
    void reasonsAreGiven();
};

void TestOutputPresets::identityKeepsTheHeadsApart()
{
    const SnapshotPtr snapshot = withPreset(twoHeads(), OutputPreset::Identity);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 6; ++col)
            QCOMPARE(snapshot->stage(Stage::Output).values->value(0, row, col),
                     snapshot->stage(Stage::Concat).values->value(0, row, col));
}

void TestOutputPresets::swapExchangesThem()
{
    const SnapshotPtr snapshot = withPreset(twoHeads(), OutputPreset::Swap);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 6; ++col)
            QCOMPARE(snapshot->stage(Stage::Output).values->value(0, row, col),
                     snapshot->stage(Stage::Concat).values->value(0, row, (col + 3) % 6));
}

void TestOutputPresets::mixingMakesThemMeet()
{
    const SnapshotPtr snapshot = withPreset(twoHeads(), OutputPreset::Mixing);
    const StageValues &concat = *snapshot->stage(Stage::Concat).values;
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 6; ++col) {
            const double mean = (concat.value(0, row, col % 3) + concat.value(0, row, col % 3 + 3)) / 2.0;
            QVERIFY(std::abs(snapshot->stage(Stage::Output).values->value(0, row, col) - mean) < 1e-15);
        }
}

void TestOutputPresets::everyExperimentTakesThem()
{
    RandomExperiments random(31);
    int taken = 0;
    for (int i = 0; i < 60; ++i) {
        const Experiment experiment = random.next();
        for (const OutputPreset preset : allOutputPresets) {
            const auto edit = outputPresetEdit(experiment, preset);
            if (!edit)
                continue;
            ++taken;
            const auto outcome = applyEdit(experiment, *edit);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().message.c_str());
        }
    }
    QVERIFY(taken > 60);
}

void TestOutputPresets::reasonsAreGiven()
{
    Experiment experiment = twoHeads();
    experiment.given[Stage::Wo] = Tensor::zeros({1, 6, 4});
    experiment.given[Stage::Bo] = Tensor::zeros({1, 1, 4});
    QVERIFY(!outputPresetEdit(experiment, OutputPreset::Identity).ok());
    Experiment empty;
    empty.tokens = TokenList({"a"});
    QVERIFY(!outputPresetEdit(empty, OutputPreset::Identity).ok());
}

QTEST_APPLESS_MAIN(TestOutputPresets)
#include "tst_OutputPresets.moc"
