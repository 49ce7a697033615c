#include "engine/masks/MaskCells.h"
#include "engine/masks/MaskEffect.h"
#include "engine/masks/MaskPainting.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

Experiment seedWithHeads(bool twoHeads)
{
    const char *name = twoHeads ? "seed_d1x_two_heads_from_x" : "seed_a_computed";
    return *goldenExperiment(readGolden(QString::fromLatin1(name))["state"]);
}

Experiment afterEdit(const Experiment &experiment, const Result<Edit> &edit)
{
    if (!edit.ok())
        qFatal("%s", edit.error().message.c_str());
    const Result<EditOutcome> outcome = applyEdit(experiment, edit.value());
    if (!outcome.ok())
        qFatal("%s", outcome.error().message.c_str());
    return outcome->experiment;
}

std::vector<double> maskNumbers(const Experiment &experiment, Stage stage = Stage::MaskBool)
{
    return experiment.matrix(stage).toDoubles();
}

} // namespace

class TestMaskPainting : public QObject
{
    Q_OBJECT

private slots:
    void paintingMakesTheMask();
    void paintsOneHeadAlone();
    void paintsTheAdditiveMaskAndPadding();
    void largeRectanglesEqualSmallOnes();
    void refusesWhatLiesOutside();
    void invertingTwiceChangesNothing();
    void invertingOneHead();
    void stampsEqualTheirParametricParts();
    void prefixIsSeenByEverybody();
    void blocks();
    void convertsBothWays();
    void whatOthersHideIsCounted();
};

void TestMaskPainting::paintingMakesTheMask()
{
    const Experiment before = seedWithHeads(false);
    QVERIFY(!before.isGiven(Stage::MaskBool));
    const Experiment after =
        afterEdit(before, paintedMask(before, {Stage::MaskBool, {}, 0.0}, {{0, 1, 2, 3}, {3, 0}}));
    const std::vector<double> expected = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1, 1, 1};
    QCOMPARE(maskNumbers(after), expected);
}

void TestMaskPainting::paintsOneHeadAlone()
{
    const Experiment before = seedWithHeads(true);
    Experiment after = afterEdit(before, paintedMask(before, {Stage::MaskBool, 1, 0.0}, {{0, 3}}));
    QCOMPARE(after.matrix(Stage::MaskBool).heads(), Index(2));
    QCOMPARE(maskCountsOf(after, 0).hiddenCells(), Index(0));
    QCOMPARE(maskCountsOf(after, 1).hiddenCells(), Index(1));
    // All heads of a mask that each head has for itself.
    after = afterEdit(after, paintedMask(after, {Stage::MaskBool, {}, 0.0}, {{1, 0}}));
    QCOMPARE(maskCountsOf(after, 0).hiddenCells(), Index(1));
    QCOMPARE(maskCountsOf(after, 1).hiddenCells(), Index(2));
}

void TestMaskPainting::paintsTheAdditiveMaskAndPadding()
{
    const Experiment before = seedWithHeads(false);
    Experiment after =
        afterEdit(before, paintedMask(before, {Stage::MaskAdd, {}, hidingValue(Stage::MaskAdd)}, {{2, 2}}));
    QCOMPARE(after.matrix(Stage::MaskAdd).at(2, 2), -std::numeric_limits<double>::infinity());
    QCOMPARE(maskCountsOf(after, 0).of(MaskPart::Additive), Index(1));
    after = afterEdit(after, paintedMask(after, {Stage::MaskAdd, {}, -1.5}, {{2, 1}}));
    QCOMPARE(after.matrix(Stage::MaskAdd).at(2, 1), -1.5);
    after = afterEdit(after, paintedMask(after, {Stage::MaskPadding, {}, 0.0}, {{0, 3}}));
    QCOMPARE(maskCountsOf(after, 0).of(MaskPart::Padding), Index(4));
}

void TestMaskPainting::largeRectanglesEqualSmallOnes()
{
    Experiment large;
    large.tokens = TokenList(std::vector<std::string>(400, "t"));
    const Result<Edit> edit = paintedMask(large, {Stage::MaskBool, {}, 0.0}, {{10, 20, 390, 300}});
    QVERIFY(edit.ok() && std::holds_alternative<SetTensor>(*edit));
    const Experiment after = afterEdit(large, edit);
    QCOMPARE(maskCountsOf(after, 0).hiddenCells(), Index(390 * 300));
    QCOMPARE(after.matrix(Stage::MaskBool).at(10, 20), 0.0);
    QCOMPARE(after.matrix(Stage::MaskBool).at(10, 19), 1.0);
    QCOMPARE(after.matrix(Stage::MaskBool).at(399, 319), 0.0);
    QCOMPARE(after.matrix(Stage::MaskBool).at(9, 20), 1.0);
}

void TestMaskPainting::refusesWhatLiesOutside()
{
    const Experiment experiment = seedWithHeads(true);
    QVERIFY(!paintedMask(experiment, {Stage::MaskBool, {}, 0.0}, {{0, 4}}).ok());
    QVERIFY(!paintedMask(experiment, {Stage::MaskBool, {}, 0.0}, {{-1, 0}}).ok());
    QVERIFY(!paintedMask(experiment, {Stage::MaskBool, 2, 0.0}, {{0, 0}}).ok());
    QVERIFY(!paintedMask(experiment, {Stage::MaskBool, {}, 0.5}, {{0, 0}}).ok());
    QVERIFY(!paintedMask(experiment, {Stage::A, {}, 0.0}, {{0, 0}}).ok());
    QVERIFY(!invertedMask(experiment).ok());
    QVERIFY(!movedToAdditive(experiment).ok());
    QVERIFY(!movedToBoolean(experiment).ok());
    QVERIFY(!stampedMask(experiment, {MaskStamp::Kind::Block, 0}, {}).ok());
}

void TestMaskPainting::invertingTwiceChangesNothing()
{
    RandomExperiments random(40);
    int inverted = 0;
    for (int i = 0; i < 100; ++i) {
        const Experiment experiment = random.next();
        if (!experiment.isGiven(Stage::MaskBool))
            continue;
        const Experiment once = afterEdit(experiment, invertedMask(experiment));
        const std::vector<double> before = maskNumbers(experiment);
        const std::vector<double> after = maskNumbers(once);
        for (std::size_t cell = 0; cell < before.size(); ++cell)
            QCOMPARE(after[cell], 1.0 - before[cell]);
        QCOMPARE(maskNumbers(afterEdit(once, invertedMask(once))), before);
        ++inverted;
    }
    QVERIFY(inverted > 10);
}

void TestMaskPainting::invertingOneHead()
{
    Experiment experiment = seedWithHeads(true);
    experiment = afterEdit(experiment, paintedMask(experiment, {Stage::MaskBool, {}, 0.0}, {{0, 3}}));
    const Experiment after = afterEdit(experiment, invertedMask(experiment, 1));
    QCOMPARE(maskCountsOf(after, 0).hiddenCells(), Index(1));
    QCOMPARE(maskCountsOf(after, 1).hiddenCells(), Index(15));
}

/// A painted causal or band mask hides what the settings hide.
void TestMaskPainting::stampsEqualTheirParametricParts()
{
    for (const Index offset : {-2, 0, 1, 7}) {
        Experiment settings =
            *goldenExperiment(readGolden(QStringLiteral("seed_f_cross_attention"))["state"]);
        settings.qOffset = offset;
        Experiment painted = afterEdit(settings, stampedMask(settings, {MaskStamp::Kind::Causal, 0}, {}));
        settings.causal = true;
        QCOMPARE(maskCountsOf(painted, 0).allowedKeys, maskCountsOf(settings, 0).allowedKeys);
        // With the setting on, the stamp takes its place.
        painted = afterEdit(settings, stampedMask(settings, {MaskStamp::Kind::Causal, 0}, {}));
        QVERIFY(!painted.causal);
        QCOMPARE(maskCountsOf(painted, 0).allowedKeys, maskCountsOf(settings, 0).allowedKeys);
        settings.causal = false;
        settings.window = Window{1, 1};
        painted = afterEdit(withoutMaskPart(settings, MaskPart::Window),
                            stampedMask(settings, {MaskStamp::Kind::Band, 1}, {}));
        QCOMPARE(maskCountsOf(painted, 0).allowedKeys, maskCountsOf(settings, 0).allowedKeys);
    }
}

void TestMaskPainting::prefixIsSeenByEverybody()
{
    Experiment experiment = seedWithHeads(false);
    experiment.causal = true;
    const Experiment after = afterEdit(experiment, stampedMask(experiment, {MaskStamp::Kind::Prefix, 2}, {}));
    const std::vector<double> expected = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1};
    QCOMPARE(maskNumbers(after), expected);
    QVERIFY(!after.causal);
    QCOMPARE(maskCountsOf(after, 0).allowedKeys, (std::vector<Index>{2, 2, 3, 4}));
}

void TestMaskPainting::blocks()
{
    const Experiment experiment = seedWithHeads(true);
    const Experiment after = afterEdit(experiment, stampedMask(experiment, {MaskStamp::Kind::Block, 2}, 0));
    QCOMPARE(maskCountsOf(after, 0).allowedKeys, (std::vector<Index>{2, 2, 2, 2}));
    QCOMPARE(maskCountsOf(after, 1).allowedKeys, (std::vector<Index>{4, 4, 4, 4}));
    const MaskStamp stamp{MaskStamp::Kind::Block, 3};
    QVERIFY(stamp.allows(2, 0) && !stamp.allows(3, 2) && stamp.allows(3, 5));
    QVERIFY(!stamp.allows(-1, 0)); // positions before the first key have blocks of their own
}

void TestMaskPainting::convertsBothWays()
{
    RandomExperiments random(41);
    int converted = 0;
    for (int i = 0; i < 100; ++i) {
        const Experiment experiment = random.next();
        if (!experiment.isGiven(Stage::MaskBool))
            continue;
        const Experiment additive = afterEdit(experiment, movedToAdditive(experiment));
        QVERIFY(!additive.isGiven(Stage::MaskBool));
        const Experiment boolean = afterEdit(additive, movedToBoolean(additive));
        for (Index head = 0; head < experiment.nHeads; ++head) {
            const std::vector<Index> allowed = maskCountsOf(experiment, head).allowedKeys;
            QCOMPARE(maskCountsOf(additive, head).allowedKeys, allowed);
            QCOMPARE(maskCountsOf(boolean, head).allowedKeys, allowed);
            QCOMPARE(maskCountsOf(boolean, head).of(MaskPart::Additive), Index(0));
        }
        ++converted;
    }
    QVERIFY(converted > 10);
}

void TestMaskPainting::whatOthersHideIsCounted()
{
    Experiment experiment = seedWithHeads(false);
    experiment.causal = true;
    QCOMPARE(hiddenByOthers(experiment, Stage::MaskBool, 0, {{0, 0, 2, 4}}), Index(5));
    experiment = afterEdit(experiment, paintedMask(experiment, {Stage::MaskBool, {}, 0.0}, {{3, 0}}));
    QCOMPARE(hiddenByOthers(experiment, Stage::MaskBool, 0, {{3, 0}}), Index(0));
    QCOMPARE(hiddenByOthers(experiment, Stage::MaskAdd, 0, {{3, 0}}), Index(1));
}

QTEST_APPLESS_MAIN(TestMaskPainting)
#include "tst_MaskPainting.moc"
