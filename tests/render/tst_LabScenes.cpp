#include "base/NumberText.h"
#include "engine/lab/SoftmaxSteps.h"
#include "render/SceneCases.h"
#include "render/SceneFixture.h"
#include "render/scenes/Chart.h"
#include "render/scenes/lab/LabScenes.h"
#include "support/ImportRun.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

const SceneMap *stageRow(const Scene &scene, Stage stage)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Stage && map.key.stage == stage)
            return &map;
    return nullptr;
}

/// The numbers of a row of a map as they are drawn.
QStringList shownRow(const SceneMap &map, Index row = 0)
{
    QStringList texts;
    for (Index col = 0; col < map.values->cols(); ++col)
        texts.append(
            QString::fromStdString(displayText(map.values->value(map.head, row, col), map.decimals)));
    return texts;
}

QString allTexts(const Scene &scene)
{
    QStringList texts;
    for (const SceneText &text : scene.texts)
        texts.append(text.text);
    return texts.join(u'\n');
}

} // namespace

class TestLabScenes : public QObject
{
    Q_OBJECT

private slots:
    void namesOfCurvesStandInTheOrderOfTheirEnds();
    void printedRowOfLoveIsShown();
    void hiddenHonestRowAndHandSetRow();
    void reasonsOfARowAreGiven();
    void scoresThatWouldGiveAFollowTheRow();
    void stepsAppearOneAfterTheOther();
    void numbersAreTheEngines_data();
    void numbersAreTheEngines();
    void editableRowsAreStageCells();
    void scoresOfTheHandSetWeightsAreShown();
    void documentsThatStartAtA();
    void fullyMaskedRowSaysSo();
    void causalRowsGoOverTheKeysTheySee();
    void textsStayInTheirCards();
    void trainedHeads_data();
    void trainedHeads();
    void manyKeys();
    void scalingShowsTheSample();
    void scalingBarsHoldEveryNumber();
    void scalingSentencesAreWhole();
};

/// CURRICULUM 1.12: e-values 1.374, 1.342, 1.358, 1.443 and weights 0.249, 0.243, 0.246, 0.262, with √6.
void TestLabScenes::printedRowOfLoveIsShown()
{
    SoftmaxLabOptions options;
    options.row = 1;
    options.subtractLargest = false;
    const Scene scene = softmaxLabScene(goldenSnapshot(QStringLiteral("seed_g_as_printed")), {}, options);
    QCOMPARE(shownRow(*derivedMap(scene, QStringLiteral("softmax:exp"))),
             (QStringList{QStringLiteral("1.374"), QStringLiteral("1.342"), QStringLiteral("1.358"),
                          QStringLiteral("1.443")}));
    QCOMPARE(shownRow(*derivedMap(scene, QStringLiteral("softmax:weights"))),
             (QStringList{QStringLiteral("0.249"), QStringLiteral("0.243"), QStringLiteral("0.246"),
                          QStringLiteral("0.262")}));
    const QString texts = allTexts(scene);
    QVERIFY(texts.contains(QStringLiteral("2.449")));
    QVERIFY(texts.contains(QStringLiteral("1.374 + 1.342 + 1.358 + 1.443")));
    QVERIFY(texts.contains(QStringLiteral("love")));
}

void TestLabScenes::hiddenHonestRowAndHandSetRow()
{
    SoftmaxLabOptions options;
    options.row = 1;
    const Scene honest = softmaxLabScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {}, options);
    QVERIFY(allTexts(honest).contains(QStringLiteral("the same row")));
    const Scene byHand =
        softmaxLabScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {}, options);
    QVERIFY(allTexts(byHand).contains(QStringLiteral("set by hand")));
    QCOMPARE(shownRow(*stageRow(byHand, Stage::A)),
             (QStringList{QStringLiteral("0.250"), QStringLiteral("0.150"), QStringLiteral("0.100"),
                          QStringLiteral("0.500")}));
}

/// Why A is nearly even in the computed example, and what "prog" would need; CURRICULUM 1.12 and 4.6.
void TestLabScenes::reasonsOfARowAreGiven()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    SoftmaxLabOptions options;
    options.row = 1;
    options.key = 3;
    const auto sentences = [&] {
        return allTexts(softmaxLabScene(snapshot, {}, options)).replace(u'\n', u' ');
    };
    QVERIFY(sentences().contains(
        QStringLiteral("The scores lie 0.070 apart, so the largest weight is only e^0.070 = 1.073 times the "
                       "smallest: the row is nearly even.")));
    QVERIFY(sentences().contains(QStringLiteral(
        "For a weight of ½, the scaled score of “prog” alone would have to rise by 1.043, to 1.422; before "
        "scaling, q·k would have to rise by 2.556.")));
    // Sharpened, it is the sharpened scores that count, and half the weight is another question.
    options.sharpness = 8.0;
    QVERIFY(sentences().contains(
        QStringLiteral("The scores lie 0.560 apart, so the largest weight is e^0.560 = 1.751 times")));
    QVERIFY(!sentences().contains(QStringLiteral("For a weight of ½")));
}

/// In the window they are not to be searched for below other cards.
void TestLabScenes::scoresThatWouldGiveAFollowTheRow()
{
    SoftmaxLabOptions options;
    options.row = 1;
    const Scene scene =
        softmaxLabScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {}, options);
    const SceneMap *wanted = derivedMap(scene, QStringLiteral("softmax:inverse"));
    const SceneMap *jacobian = derivedMap(scene, QStringLiteral("softmax:jacobian"));
    QVERIFY(wanted && jacobian);
    QVERIFY(wanted->rect.top() < jacobian->rect.top());
    QVERIFY(findControl(scene, QStringLiteral("show:inverse:scores")));
    QVERIFY(findControl(scene, QStringLiteral("inverse:scores")));
    const char *expected[] = {"2.7951 -0.6006 -1.5938 -0.6006", "0.4495 -0.8018 -1.7950 2.1473",
                              "-1.6583 -1.6583 1.0327 2.2840", "-1.7167 -0.0188 2.4591 -0.7235"};
    for (Index row = 0; row < 4; ++row)
        QCOMPARE(shownRow(*wanted, row).join(u' '), QLatin1String(expected[row]));
}

void TestLabScenes::stepsAppearOneAfterTheOther()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const QStringList ids = {QStringLiteral("softmax:shifted"), QStringLiteral("softmax:exp"),
                             QStringLiteral("softmax:weights")};
    const std::vector<int> since = {2, 3, 5};
    QSizeF size;
    for (int step = 0; step <= SoftmaxLabOptions::stepCount; ++step) {
        SoftmaxLabOptions options;
        options.step = step;
        const Scene scene = softmaxLabScene(snapshot, {}, options);
        for (int i = 0; i < 3; ++i)
            QCOMPARE(derivedMap(scene, ids[i]) != nullptr, step >= since[static_cast<std::size_t>(i)]);
        QCOMPARE(stageRow(scene, Stage::Scaled)->emphasis.empty(), step == 0);
        QCOMPARE(allTexts(scene).contains(QStringLiteral("Σ =")), step >= 4);
    }
}

void TestLabScenes::numbersAreTheEngines_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *golden : {"seed_a_computed", "seed_d1x_two_heads_from_x", "seed_e_a_causal",
                               "random_009_grouped_query_rope_half", "random_039_cross_rectangular",
                               "random_024_alibi_causal", "random_044_custom_scale", "given_03_scores"})
        QTest::newRow(golden) << QString::fromLatin1(golden);
}

void TestLabScenes::numbersAreTheEngines()
{
    QFETCH(QString, golden);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    SoftmaxLabOptions options;
    options.head = snapshot->sizes().nHeads - 1;
    options.row = snapshot->sizes().nQ - 1;
    const Scene scene = softmaxLabScene(snapshot, {}, options);
    const SceneMap *weights = derivedMap(scene, QStringLiteral("softmax:weights"));
    QVERIFY(weights);
    const StageValues &A = *snapshot->stage(Stage::A).values;
    for (Index col = 0; col < A.cols(); ++col)
        QVERIFY(std::abs(weights->values->value(0, 0, col) - A.value(options.head, options.row, col)) <
                1e-14);
    const SceneMap *jacobian = derivedMap(scene, QStringLiteral("softmax:jacobian"));
    QCOMPARE(jacobian->values->rows(), A.cols());
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Stage && map.values->rows() == 1)
            for (Index col = 0; col < A.cols(); ++col)
                QCOMPARE(map.values->value(0, 0, col),
                         snapshot->stage(map.key.stage).values->value(options.head, options.row, col));
}

void TestLabScenes::editableRowsAreStageCells()
{
    SoftmaxLabOptions options;
    options.row = 2;
    options.head = 1;
    const Scene scene =
        softmaxLabScene(goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x")), {}, options);
    for (const Stage stage : {Stage::Scores, Stage::Scaled, Stage::A}) {
        const SceneMap *map = stageRow(scene, stage);
        QVERIFY(map);
        QVERIFY(!map->readOnly);
        QCOMPARE(map->key.rowOffset, Index(2));
        QCOMPARE(map->key.head, Index(1));
    }
}

/// CURRICULUM 4.6, row-centred, and what the section says of the spreads and entropies.
void TestLabScenes::scoresOfTheHandSetWeightsAreShown()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    const Scene scene = softmaxLabScene(snapshot, {}, {});
    const SceneMap *map = derivedMap(scene, QStringLiteral("softmax:inverse"));
    QVERIFY(map);
    const QStringList rows = {
        QStringLiteral("2.7951 -0.6006 -1.5938 -0.6006"), QStringLiteral("0.4495 -0.8018 -1.7950 2.1473"),
        QStringLiteral("-1.6583 -1.6583 1.0327 2.2840"), QStringLiteral("-1.7167 -0.0188 2.4591 -0.7235")};
    for (Index row = 0; row < 4; ++row)
        QCOMPARE(shownRow(*map, row).join(u' ').replace(QChar(0x2212), u'-'), rows[row]);
    QVERIFY(allTexts(scene).contains(QStringLiteral("up to 4.39, row “I”")));
    const Scene printed = softmaxLabScene(goldenSnapshot(QStringLiteral("seed_g_as_printed")), {}, {});
    QVERIFY(allTexts(printed).contains(QStringLiteral("up to 0.27, row “prog”")));
    QVERIFY(std::any_of(scene.controls.begin(), scene.controls.end(), [](const SceneControl &control) {
        return control.id == QStringLiteral("inverse:apply");
    }));
}

void TestLabScenes::documentsThatStartAtA()
{
    const Scene scene = softmaxLabScene(goldenSnapshot(QStringLiteral("given_06_attention")), {}, {});
    QVERIFY(allTexts(scene).contains(QStringLiteral("starts at A")));
    QVERIFY(derivedMap(scene, QStringLiteral("softmax:inverse")));
    QVERIFY(!derivedMap(scene, QStringLiteral("softmax:exp")));
}

void TestLabScenes::fullyMaskedRowSaysSo()
{
    const Scene scene =
        softmaxLabScene(goldenSnapshot(QStringLiteral("random_019_padding_everything")), {}, {});
    QVERIFY(allTexts(scene).contains(QStringLiteral("Every key is hidden")));
    QVERIFY(!derivedMap(scene, QStringLiteral("softmax:jacobian")));
}

/// No text runs out of the scene, and no two maps overlap.
/// What a row does not see is a count, and no part of its sum, its largest weights or its entropy.
void TestLabScenes::causalRowsGoOverTheKeysTheySee()
{
    Experiment experiment = seededQkv(33, 1, 4);
    experiment.causal = true;
    const SnapshotPtr snapshot = snapshotOf(std::move(experiment));
    SoftmaxLabOptions options;
    options.row = 9;
    const QString ten = allTexts(softmaxLabScene(snapshot, {}, options));
    QVERIFY2(ten.contains(QStringLiteral("over 10 keys; hidden keys: 23")), qPrintable(ten));
    QVERIFY(ten.contains(QStringLiteral("of 10 keys")));
    QVERIFY(ten.contains(QStringLiteral("of 3.322 bits"))); // log2(10)
    QVERIFY(ten.contains(QStringLiteral("The 8 largest of 10 weights")));
    options.row = 2;
    const QString three = allTexts(softmaxLabScene(snapshot, {}, options));
    QVERIFY(three.contains(QStringLiteral("The 3 largest of 3 weights")));
    QVERIFY(three.contains(QStringLiteral("Hidden keys: 30.")));
    QVERIFY(!three.contains(QStringLiteral("+ 0.000")));
    options.key = 7;
    const Scene hidden = softmaxLabScene(snapshot, {}, options);
    QVERIFY(allTexts(hidden).contains(QStringLiteral("this key is hidden")));
    for (const char *step : {"softmax:shifted", "softmax:exp", "softmax:weights"}) {
        const SceneMap *map = derivedMap(hidden, QString::fromLatin1(step)); // hatched as in A
        QVERIFY2(map && map->allowed, step);
        QCOMPARE(map->allowed->value(0, 0, 2), 1.0);
        QCOMPARE(map->allowed->value(0, 0, 3), 0.0);
    }
    // One key: its entropy is 0, on an axis that means something.
    options.row = 0;
    options.key = -1;
    const QString one = allTexts(softmaxLabScene(snapshot, {}, options));
    QVERIFY(one.contains(QStringLiteral("only one key can be looked at")));
    QVERIFY2(!one.contains(QStringLiteral("e-")), qPrintable(one));
}

void TestLabScenes::textsStayInTheirCards()
{
    for (const char *golden : {"seed_a_computed", "seed_d1x_two_heads_from_x", "random_002_largest_causal",
                               "random_039_cross_rectangular"}) {
        for (const double width : {960.0, 1400.0}) {
            SoftmaxLabOptions options;
            options.width = width;
            const Scene scene = softmaxLabScene(goldenSnapshot(QString::fromLatin1(golden)), {}, options);
            const QRectF all(QPointF(), scene.size);
            for (const SceneText &text : scene.texts)
                QVERIFY2(all.contains(text.rect), qPrintable(text.text));
            for (std::size_t i = 0; i < scene.maps.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!scene.maps[i].rect.intersects(scene.maps[j].rect));
            QVERIFY(scene.size.width() <= width + 1.0);
        }
    }
}

void TestLabScenes::trainedHeads_data()
{
    QTest::addColumn<QString>("record");
    for (const char *record : {"stories260K/lily-L2.npz", "gpt2-small/prompt0.safetensors",
                               "dates-seq2seq/dec0-cross.safetensors"})
        QTest::newRow(record) << QString::fromLatin1(record);
}

void TestLabScenes::trainedHeads()
{
    QFETCH(QString, record);
    const auto run = importRun({QStringLiteral(ATTN_TEST_DATA "/records/") + record});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
    const SnapshotPtr &snapshot = run->snapshot;
    SoftmaxLabOptions options;
    options.head = snapshot->sizes().nHeads - 1;
    options.row = snapshot->sizes().nQ / 2;
    const Scene scene = softmaxLabScene(snapshot, {}, options);
    const SceneMap *weights = derivedMap(scene, QStringLiteral("softmax:weights"));
    QVERIFY(weights);
    const StageValues &A = *snapshot->stage(Stage::A).values;
    for (Index col = 0; col < A.cols(); ++col)
        QVERIFY(std::abs(weights->values->value(0, 0, col) - A.value(options.head, options.row, col)) <
                1e-6); // float32 documents are computed in float32
    QVERIFY(allTexts(scene).contains(QStringLiteral("the same row")));
    QVERIFY(!painted(scene).isNull());
}

void TestLabScenes::manyKeys()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(700, 1, 4));
    SoftmaxLabOptions options;
    options.row = 699;
    const Scene scene = softmaxLabScene(snapshot, {}, options);
    QVERIFY(allTexts(scene).contains(QStringLiteral("The 8 largest of 700 weights")));
    QVERIFY(allTexts(scene).contains(QStringLiteral("at most")));
    QVERIFY(derivedMap(scene, QStringLiteral("softmax:jacobian")));
    QVERIFY(!painted(scene).isNull());
}

void TestLabScenes::scalingShowsTheSample()
{
    ScalingLabOptions options;
    options.dHead = 512;
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const QString texts = allTexts(scalingLabScene(snapshot, {}, options));
    QVERIFY(texts.contains(QStringLiteral("sample")));
    QVERIFY(texts.contains(QStringLiteral("√512 = 22.63")));
    const ScalingSample sample(options.sample);
    for (const ScoreKind kind : {ScoreKind::Dot, ScoreKind::Scaled, ScoreKind::Cosine}) {
        const ScalingFigures &figures = sample.figures(512, kind);
        QVERIFY(texts.contains(QString::fromStdString(displayText(figures.largestWeight, 3))));
        QVERIFY(texts.contains(
            QString::fromStdString(displayText(figures.deviation, kind == ScoreKind::Dot ? 2 : 3))));
    }
    options.sample.entries = ScalingOptions::Entries::Positive;
    QVERIFY(allTexts(scalingLabScene(snapshot, {}, options)).contains(QStringLiteral("cancels")));
}

/// The bars' names carry their counts: they add up to all 2048 weights in each of the three charts.
/// What a card says of its histogram is wrapped in a narrow column, and stays in the card.
void TestLabScenes::scalingSentencesAreWhole()
{
    ScalingLabOptions options;
    options.width = 800.0;
    const Theme theme;
    const Scene scene = scalingLabScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {}, options);
    const QFontMetricsF metrics(theme.textFont);
    for (const SceneText &text : scene.texts) {
        if (text.style == SceneText::Style::Heading || text.style == SceneText::Style::Title)
            continue;
        QVERIFY2(metrics.horizontalAdvance(text.text) <= text.rect.width() + 0.5, qPrintable(text.text));
        const auto crosses = [&](const SceneBox &box) {
            return box.rect.intersects(text.rect) && !box.rect.contains(text.rect);
        };
        const bool isSentence = text.text.count(u' ') > 2;
        QVERIFY2(!isSentence || std::none_of(scene.boxes.begin(), scene.boxes.end(), crosses),
                 qPrintable(text.text));
    }
}

void TestLabScenes::scalingBarsHoldEveryNumber()
{
    const Scene scene = scalingLabScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {}, {});
    qint64 weights = 0;
    qint64 scores = 0;
    for (const SceneShape &shape : scene.shapes) {
        if (shape.name.contains(QStringLiteral("weight")) && shape.fill.isDrawn())
            weights += shape.name.section(u' ', 0, 0).toLongLong();
        if (shape.name.contains(QStringLiteral(" scores, from")))
            scores += shape.name.section(u' ', 0, 0).toLongLong();
    }
    QCOMPARE(weights, qint64(3 * 2048));
    QCOMPARE(scores, qint64(3 * 2048));
}

void TestLabScenes::namesOfCurvesStandInTheOrderOfTheirEnds()
{
    Scene scene;
    const Chart chart(scene, {0.0, 0.0, 200.0, 200.0}, roundAxis(0.0, 1.0, 4), roundAxis(-1.0, 1.0, 4));
    for (const auto &[name, end] : {std::pair(u"low"_s, 0.15), std::pair(u"high"_s, 0.18),
                                    std::pair(u"highest"_s, 0.2), std::pair(u"lowest"_s, 0.1)}) {
        ChartSeries series;
        series.name = name;
        series.points = {{0.0, 0.0}, {1.0, end}};
        chart.addSeries(series);
    }
    std::vector<std::pair<double, QString>> names;
    for (const SceneText &text : scene.texts)
        names.emplace_back(text.rect.top(), text.text);
    std::ranges::sort(names);
    QCOMPARE(names.size(), std::size_t(4));
    const QStringList expected{u"highest"_s, u"high"_s, u"low"_s, u"lowest"_s};
    for (std::size_t i = 0; i < names.size(); ++i)
        QCOMPARE(names[i].second, expected[qsizetype(i)]);
}

QTEST_MAIN(TestLabScenes)
#include "tst_LabScenes.moc"
