#include "render/FigureExport.h"
#include "render/MasksScene.h"
#include "render/SceneCases.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

MasksOptions optionsFor(const SnapshotPtr &snapshot, Index head = 0)
{
    MasksOptions options;
    options.head = head;
    options.beforeName = QStringLiteral("no mask");
    options.before = snapshotOf(withoutMask(snapshot->experiment()));
    options.counts = std::make_shared<const MaskCounts>(maskCountsOf(snapshot->experiment(), head));
    if (snapshot->stage(Stage::A).hasValues())
        options.effect = std::make_shared<const MaskEffect>(maskEffectOf(*options.before, *snapshot, head));
    return options;
}

} // namespace

class TestMasksScene : public QObject
{
    Q_OBJECT

private slots:
    void causalPatternOfTheArticle();
    void whatTheCausalMaskRemoves();
    void allowedCellsAreHatched();
    void partsAreCounted();
    void bothConventionsArePrinted();
    void fullyMaskedRowsAreNamed();
    void pinnedWeightsAreSaid();
    void additiveNumbersAndBiasAreShown();
    void alignmentOfOtherLengths();
    void largeMapsSayWhatIsMissing();
    void layouts_data();
    void layouts();
    void exports();
};

/// Row 1 of AV contains v_I alone, love v_I and v_love, GPU three, prog all four.
void TestMasksScene::causalPatternOfTheArticle()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_e_a_causal"));
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    const QString contained[] = {QStringLiteral("v_I"), QStringLiteral("v_I, v_love"),
                                 QStringLiteral("v_I, v_love, v_GPU"),
                                 QStringLiteral("v_I, v_love, v_GPU, v_prog")};
    for (const QString &text : contained) {
        const auto isIt = [&](const SceneText &shown) {
            return shown.text == text;
        };
        QVERIFY2(std::ranges::any_of(scene.texts, isIt), qPrintable(text));
    }
    const SceneMap *allowed = findMap(scene, Stage::Allowed);
    QVERIFY(allowed);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            QCOMPARE(allowed->values->value(0, row, col), col <= row ? 1.0 : 0.0);
    QVERIFY(hasText(scene, QStringLiteral("6 of 16 keys hidden")));
    QVERIFY(hasText(scene, QStringLiteral("causal: 6, of these 6 alone")));
}

void TestMasksScene::whatTheCausalMaskRemoves()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_e_a_causal"));
    MasksOptions options = optionsFor(snapshot);
    options.row = 1;
    const Scene scene = masksScene(snapshot, {}, options);
    // love: 0.2480 on GPU and 0.2605 on prog are hidden; what is left grows by 1 / (1 - 0.5085).
    QVERIFY(hasText(
        scene, QStringLiteral("“love” loses 0.5085 of its weight, most of it (0.2605) to hiding “prog”")));
    QVERIFY(hasText(scene, QStringLiteral("0.5085, most on “prog” (0.2605)")));
    QVERIFY(hasText(scene, QStringLiteral("×2.03")));
    const SceneMap *difference = derivedMap(scene, QStringLiteral("difference:A"));
    const SceneMap *before = derivedMap(scene, QStringLiteral("before:A"));
    const SceneMap *after = findMap(scene, Stage::A);
    QVERIFY(difference && before && after);
    QCOMPARE(before->range.maximum, after->range.maximum);
    QCOMPARE(difference->range.minimum, -difference->range.maximum);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            QCOMPARE(difference->values->value(0, row, col),
                     after->values->value(0, row, col) - before->values->value(0, row, col));
    QVERIFY(std::abs(after->values->value(0, 1, 0) - 0.505848) < 5e-7);
    QVERIFY(derivedMap(scene, QStringLiteral("difference:output")));
}

void TestMasksScene::allowedCellsAreHatched()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_e_a_causal"));
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    const SceneMap *allowed = findMap(scene, Stage::Allowed);
    QCOMPARE(allowed->allowed, snapshot->stage(Stage::Allowed).values);
    QVERIFY(findMap(scene, Stage::A)->allowed);
    // The causal edge lies over the map.
    QVERIFY(std::ranges::any_of(scene.shapes, [&](const SceneShape &shape) {
        return shape.aboveMaps && !shape.dashed && allowed->rect.contains(shape.path.boundingRect());
    }));
}

void TestMasksScene::partsAreCounted()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.causal = true;
    experiment.given[Stage::MaskPadding] = Tensor::fromDoubles({1, 1, 4}, std::vector<double>{0, 1, 1, 1});
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    QVERIFY(hasText(scene, QStringLiteral("10 of 16 keys hidden")));
    QVERIFY(hasText(scene, QStringLiteral("seen: 6")));
    QVERIFY(hasText(scene, QStringLiteral("padding: 4, of these 4 alone")));
    QVERIFY(!hasText(scene, QStringLiteral("several parts")));
    const SceneMap *parts = derivedMap(scene, QStringLiteral("parts"));
    QVERIFY(parts);
    QCOMPARE(parts->values->value(0, 3, 0), double(HidingCode::of(MaskPart::Padding)));
    QCOMPARE(parts->values->value(0, 0, 3), double(HidingCode::of(MaskPart::Causal)));
    QVERIFY(findMap(scene, Stage::MaskPadding));
    QCOMPARE(hiddenByText(hiddenBy(maskPartsOf(experiment), {0, 3, 0})), QStringLiteral("hidden by padding"));
}

void TestMasksScene::bothConventionsArePrinted()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    std::vector<double> keep(16, 1.0);
    keep[3] = 0.0;
    experiment.given[Stage::MaskBool] = Tensor::fromDoubles({1, 4, 4}, keep);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    MasksOptions options = optionsFor(snapshot);
    for (const bool trueIsDrop : {false, true}) {
        options.trueIsDrop = trueIsDrop;
        const Scene scene = masksScene(snapshot, {}, options);
        QVERIFY(hasText(scene, QStringLiteral("true = keep: 1 lets the query see the key, 0 hides it")));
        QVERIFY(
            hasText(scene, QStringLiteral("true = drop: 1 hides the key from the query, 0 lets it be seen")));
        for (const Stage stage : {Stage::Allowed, Stage::MaskBool}) {
            const SceneMap *map = findMap(scene, stage);
            QVERIFY(map);
            QCOMPARE(map->values->value(0, 0, 3), trueIsDrop ? 1.0 : 0.0);
            QCOMPARE(map->values->value(0, 0, 0), trueIsDrop ? 0.0 : 1.0);
        }
    }
}

void TestMasksScene::fullyMaskedRowsAreNamed()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    std::vector<double> keep(16, 1.0);
    std::fill_n(keep.begin() + 8, 4, 0.0);
    experiment.given[Stage::MaskBool] = Tensor::fromDoubles({1, 4, 4}, keep);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    MasksOptions options = optionsFor(snapshot);
    options.row = 2;
    const Scene scene = masksScene(snapshot, {}, options);
    QVERIFY(hasText(scene, QStringLiteral("Fully masked rows: “GPU” (row 3).")));
    QVERIFY(hasText(scene, QStringLiteral("nothing: all its weights are 0")));
    QVERIFY(hasText(scene, QStringLiteral("“GPU” sees no key now")));
    // Scores of −∞ mask a row as well.
    const SnapshotPtr given = goldenSnapshot(QStringLiteral("given_05_scaled_masked_row"));
    QVERIFY(hasText(masksScene(given, {}, optionsFor(given)), QStringLiteral("Their scores are −∞")));
}

void TestMasksScene::pinnedWeightsAreSaid()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_e_c_causal_pin_wins"));
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    QVERIFY(hasText(scene, QStringLiteral("A is set by hand here")));
}

void TestMasksScene::additiveNumbersAndBiasAreShown()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("random_023_additive_per_head"));
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot, 1));
    const SceneMap *add = findMap(scene, Stage::MaskAdd, 1);
    const SceneMap *bias = findMap(scene, Stage::Bias, 1);
    QVERIFY(add && bias);
    QVERIFY(!add->readOnly && bias->readOnly);
    QVERIFY(add->showNumbers);
}

void TestMasksScene::alignmentOfOtherLengths()
{
    Experiment experiment = goldenExperiment(QStringLiteral("seed_f_cross_attention"));
    experiment.causal = true;
    experiment.qOffset = 1;
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    QVERIFY(hasText(scene, QStringLiteral("query row i stands at position i + 1")));
    QVERIFY(findControl(scene, QStringLiteral("offset:0")));
    QVERIFY(findControl(scene, QStringLiteral("offset:end")));
    const SnapshotPtr square = goldenSnapshot(QStringLiteral("seed_a_computed"));
    QVERIFY(!findControl(masksScene(square, {}, optionsFor(square)), QStringLiteral("offset:0")));
}

void TestMasksScene::largeMapsSayWhatIsMissing()
{
    Experiment experiment = seededQkv(1100, 1, 2);
    experiment.causal = true;
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot));
    QVERIFY(findMap(scene, Stage::Allowed));
    QVERIFY(findMap(scene, Stage::A));
    QVERIFY(!derivedMap(scene, QStringLiteral("parts")));
    QVERIFY(!derivedMap(scene, QStringLiteral("difference:A")));
    QVERIFY(derivedMap(scene, QStringLiteral("difference:output")));
    QVERIFY(hasText(scene, QStringLiteral("too many cells to colour each by its part")));
    QVERIFY(hasText(
        scene,
        QStringLiteral("A before and the difference are not drawn at %1 cells").arg(countText(1210000))));
    QVERIFY(hasText(scene, countText(1068) + QStringLiteral(" rows whose weights move less are not listed")));
    QCOMPARE(layoutFault(scene), QString());
}

void TestMasksScene::layouts_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"seed_e_a_causal", "seed_e_d1_causal", "seed_f2_cross_attention_two_heads",
          "random_000_one_token_smallest", "random_002_largest_causal", "random_006_odd_sizes_window",
          "random_014_causal_more_keys", "random_016_causal_fewer_keys", "random_019_padding_everything",
          "random_021_boolean_per_head", "random_025_alibi_six_heads", "random_040_cross_padding",
          "random_045_everything", "given_07_attention_causal", "given_05_scaled_masked_row"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestMasksScene::layouts()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = goldenSnapshot(name);
    for (Index head = 0; head < snapshot->sizes().nHeads; ++head) {
        MasksOptions options = optionsFor(snapshot, head);
        options.row = 0;
        for (const double width : {1016.0, 1600.0}) {
            options.width = width;
            const Scene scene = masksScene(snapshot, {}, options);
            QCOMPARE(layoutFault(scene), QString());
            QVERIFY(scene.size.width() <= width + 8.0);
        }
    }
    MasksOptions waiting;
    waiting.beforeName = QStringLiteral("no mask");
    const Scene scene = masksScene(snapshot, {}, waiting);
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(hasText(scene, QStringLiteral("being computed")));
    QVERIFY(hasText(scene, QStringLiteral("being counted")));
}

void TestMasksScene::exports()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_e_d1_causal"));
    const Scene scene = masksScene(snapshot, {}, optionsFor(snapshot, 1));
    for (const FigureOptions::Format format :
         {FigureOptions::Format::Png, FigureOptions::Format::Svg, FigureOptions::Format::Pdf}) {
        FigureOptions figure;
        figure.format = format;
        const Result<QByteArray> bytes = figureBytes(scene, figure);
        QVERIFY(bytes.ok());
        QVERIFY(bytes->size() > 1000);
    }
}

QTEST_MAIN(TestMasksScene)
#include "tst_MasksScene.moc"
