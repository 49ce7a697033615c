#include "render/HeadPages.h"

#include "base/NumberText.h"
#include "engine/heads/HeadPresets.h"
#include "engine/heads/WeightTimesLength.h"
#include "render/SceneCases.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

/// A row of a map as its cells show it.
QString shownRow(const SceneMap *map, Index row)
{
    if (!map)
        return u"no such map"_s;
    QStringList cells;
    for (Index col = 0; col < map->values->cols(); ++col)
        cells.append(
            QString::fromStdString(displayText(map->values->value(map->head, row, col), map->decimals)));
    return cells.join(u' ');
}

SnapshotPtr handSetHeads()
{
    return goldenSnapshot(u"seed_d2_two_heads_attention_pinned"_s);
}

Scene pageOf(HeadsPage page, const SnapshotPtr &snapshot, double width = 1200.0)
{
    switch (page) {
    case HeadsPage::Grid:
        break;
    case HeadsPage::Cut: {
        HeadCutOptions options;
        options.width = width;
        return headCutScene(snapshot, {}, options);
    }
    case HeadsPage::Single: {
        HeadSingleOptions options;
        options.heads = otherHeadCount(snapshot->experiment());
        options.width = width;
        return headSingleScene(snapshot, {}, options);
    }
    case HeadsPage::Combine: {
        HeadCombineOptions options;
        options.heads = {0};
        options.width = width;
        return headCombineScene(snapshot, {}, options);
    }
    case HeadsPage::Patterns: {
        HeadPatternsOptions options;
        options.width = width;
        return headPatternsScene(snapshot, {}, options);
    }
    }
    HeadsOptions options;
    options.width = width;
    options.withLengths = true;
    return headsScene(snapshot, {}, options);
}

} // namespace

class TestHeadPages : public QObject
{
    Q_OBJECT

private slots:
    void pagesFit_data();
    void pagesFit();
    void namesComeBack();
    void cutShowsTheWorkedWidths();
    void cutFramesColumnsNotRows();
    void cutIsTheSameCellByCell();
    void cutOfGroupedHeads();
    void contributionsAreTheEngines();
    void singleShowsBothDivisors();
    void singleListsTheRows();
    void hiddenKeysAreMarkedInAllWeights();
    void singleSaysWhyNot();
    void combineByHand();
    void patternsAreTheEngines();
    void patternsAreSorted();
    void keysOfAnotherSequenceHaveNoPositions();
    void workedRowsAreWritten();
    void sinkIsReadFromTheGrid();
    void withoutWeightsPagesSayWhy();
};

void TestHeadPages::pagesFit_data()
{
    QTest::addColumn<QString>("golden");
    QTest::addColumn<double>("width");
    for (const char *golden :
         {"seed_a_computed", "seed_d1x_two_heads_from_x", "random_025_alibi_six_heads",
          "random_007_grouped_query", "random_040_cross_padding", "given_08_cross_rectangular",
          "random_000_one_token_smallest", "random_019_padding_everything", "random_041_no_wo",
          "seed_f2_cross_attention_two_heads", "given_03_scores", "random_002_largest_causal"})
        for (const double width : {960.0, 1256.0, 1900.0})
            QTest::addRow("%s, %g", golden, width) << QString::fromLatin1(golden) << width;
}

void TestHeadPages::pagesFit()
{
    QFETCH(QString, golden);
    QFETCH(double, width);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    for (const HeadsPage page :
         {HeadsPage::Grid, HeadsPage::Cut, HeadsPage::Single, HeadsPage::Combine, HeadsPage::Patterns}) {
        const Scene scene = pageOf(page, snapshot, width);
        QVERIFY2(layoutFault(scene).isEmpty(),
                 qPrintable(QLatin1String(headsPageName(page)) + u": "_s + layoutFault(scene)));
        QVERIFY(scene.size.width() <= width + 1.0 || page == HeadsPage::Grid);
        QVERIFY(!scene.texts.empty());
    }
}

void TestHeadPages::namesComeBack()
{
    for (const HeadPattern pattern : allHeadPatterns()) {
        QVERIFY(headPatternFromName(headPatternName(pattern)) == pattern);
        QVERIFY(presetText(pattern, 1, 3).contains(u"head 2"_s));
    }
    QVERIFY(headsPageFromName("patterns") == HeadsPage::Patterns);
    QVERIFY(!headsPageFromName("pages"));
}

void TestHeadPages::cutShowsTheWorkedWidths()
{
    const Scene scene = pageOf(HeadsPage::Cut, handSetHeads());
    QVERIFY(hasText(scene, u"d_k = 6 / 2 = 3 · scores are divided by √3 = 1.732"_s));
    QVERIFY(hasText(scene, u"columns 1 to 3 of Q"_s));
    // Q as the source prints it for several heads (0.39 in its first cell), cut into 3 + 3.
    QCOMPARE(shownRow(derivedMap(scene, u"slice:Q"_s), 0), u"0.39 0.42 0.28"_s);
    QCOMPARE(shownRow(derivedMap(scene, u"slice:Q"_s), 1), u"0.32 0.43 0.50"_s);
    QCOMPARE(shownRow(derivedMap(scene, u"slice:Q"_s), 2), u"0.47 0.34 0.33"_s);
    QCOMPARE(shownRow(derivedMap(scene, u"slice:Q"_s), 3), u"0.51 0.46 0.43"_s);
    HeadCutOptions options;
    options.head = 1;
    const Scene second = headCutScene(handSetHeads(), {}, options);
    QVERIFY(hasText(second, u"columns 4 to 6 of Q"_s));
    QCOMPARE(shownRow(derivedMap(second, u"slice:Q"_s), 0), u"0.47 0.29 0.44"_s);
    QCOMPARE(shownRow(derivedMap(second, u"slice:Q"_s), 1), u"0.45 0.39 0.34"_s);
    QCOMPARE(shownRow(derivedMap(second, u"slice:Q"_s), 2), u"0.38 0.32 0.49"_s);
    QCOMPARE(shownRow(derivedMap(second, u"slice:Q"_s), 3), u"0.40 0.34 0.51"_s);
}

void TestHeadPages::cutFramesColumnsNotRows()
{
    const SnapshotPtr snapshot = goldenSnapshot(u"heads_equivalence_0"_s);
    HeadCutOptions options;
    options.head = 1;
    const Scene scene = headCutScene(snapshot, {}, options);
    for (const Stage stage : {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Q, Stage::K, Stage::V, Stage::Concat}) {
        const SceneMap *map = findMap(scene, stage);
        QVERIFY(map);
        const MapEmphasis &frame = map->emphasis.back();
        QVERIFY(frame.style == MapEmphasis::Style::Framed);
        QCOMPARE(frame.firstRow, Index(0)); // every input coordinate reaches the head
        QCOMPARE(frame.lastRow, map->values->rows() - 1);
        QCOMPARE(frame.firstCol, Index(3));
        QCOMPARE(frame.lastCol, Index(5));
    }
    QVERIFY(hasText(scene, u"every input coordinate"_s));
    const SceneMap *X = findMap(scene, Stage::X);
    QVERIFY(X && X->emphasis.empty());
    const MapEmphasis &rows = findMap(scene, Stage::Wo)->emphasis.back();
    QCOMPARE(rows.firstRow, Index(3));
    QCOMPARE(rows.lastRow, Index(5));
    QCOMPARE(rows.lastCol, Index(5));
}

void TestHeadPages::cutIsTheSameCellByCell()
{
    for (const char *golden : {"heads_equivalence_0", "heads_equivalence_1"}) {
        const SnapshotPtr snapshot = goldenSnapshot(QLatin1String(golden));
        for (Index head = 0; head < snapshot->experiment().nHeads; ++head)
            for (const Stage stage : {Stage::Q, Stage::K, Stage::V, Stage::A, Stage::HeadOut}) {
                HeadCutOptions options;
                options.head = head;
                options.compared = stage;
                const Scene scene = headCutScene(snapshot, {}, options);
                QVERIFY(hasText(scene, u"Every number is the same, bit for bit."_s));
                QVERIFY(hasText(scene, QLatin1String(stageName(stage)) + u" 0"_s));
                const SceneMap *difference = derivedMap(scene, u"difference"_s);
                QVERIFY(difference);
                for (Index row = 0; row < difference->values->rows(); ++row) {
                    QCOMPARE(shownRow(derivedMap(scene, u"big"_s), row),
                             shownRow(derivedMap(scene, u"small"_s), row));
                    for (Index col = 0; col < difference->values->cols(); ++col)
                        QCOMPARE(difference->values->value(0, row, col), 0.0);
                }
            }
    }
}

void TestHeadPages::cutOfGroupedHeads()
{
    HeadCutOptions options;
    options.head = 3;
    const Scene scene = headCutScene(goldenSnapshot(u"heads_equivalence_1"_s), {}, options);
    QVERIFY(hasText(scene, u"6 query heads share 3 KV heads: head 4 reads KV head 2"_s));
    QCOMPARE(findMap(scene, Stage::Wk)->emphasis.back().firstCol, Index(2));
    QCOMPARE(findMap(scene, Stage::Wq)->emphasis.back().firstCol, Index(6));
    QVERIFY(findControl(scene, u"head:5"_s));
}

void TestHeadPages::contributionsAreTheEngines()
{
    const SnapshotPtr snapshot = handSetHeads();
    const Scene scene = pageOf(HeadsPage::Cut, snapshot);
    for (Index head = 0; head < 2; ++head) {
        const SceneMap *map = findMap(scene, Stage::HeadContribution, head);
        QVERIFY(map && map->values == snapshot->stage(Stage::HeadContribution).values);
    }
}

void TestHeadPages::singleShowsBothDivisors()
{
    const Scene scene = pageOf(HeadsPage::Single, goldenSnapshot(u"seed_d1x_two_heads_from_x"_s));
    QVERIFY(hasText(scene, u"One head: d_k = 6 · scores are divided by √6 = 2.449"_s));
    QVERIFY(hasText(scene, u"2 heads: d_k = 3 · scores are divided by √3 = 1.732"_s));
    const SceneMap *one = derivedMap(scene, u"other:0"_s);
    QVERIFY(one);
    const SnapshotPtr single = goldenSnapshot(u"seed_a_computed"_s);
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col)
            QVERIFY(std::abs(one->values->value(0, row, col) -
                             single->stage(Stage::A).values->value(0, row, col)) < 1e-12);
    // A document with one head is compared with the smallest cut.
    QCOMPARE(otherHeadCount(single->experiment()), Index(2));
    const Scene several = pageOf(HeadsPage::Single, single);
    QVERIFY(derivedMap(several, u"other:1"_s));
    QVERIFY(hasText(several, u"√3 = 1.732"_s));
}

void TestHeadPages::singleListsTheRows()
{
    HeadSingleOptions options;
    options.row = 1;
    const Scene scene = headSingleScene(handSetHeads(), {}, options);
    const SceneMap *rows = derivedMap(scene, u"rows"_s);
    QVERIFY(rows);
    QCOMPARE(rows->values->rows(), Index(3));
    QCOMPARE(shownRow(rows, 1), u"0.20 0.10 0.10 0.60"_s); // A_1
    QCOMPARE(shownRow(rows, 2), u"0.50 0.20 0.10 0.20"_s); // A_2
    QVERIFY(hasText(scene, u"A of the document is set by hand"_s));
    QVERIFY(hasText(scene, u"The row of “love”"_s));
    // The matrices of the example, row by row.
    const QStringList first = {u"0.50 0.20 0.10 0.20"_s, u"0.20 0.10 0.10 0.60"_s, u"0.10 0.10 0.30 0.50"_s,
                               u"0.10 0.20 0.50 0.20"_s};
    const QStringList second = {u"0.30 0.30 0.20 0.20"_s, u"0.50 0.20 0.10 0.20"_s, u"0.30 0.20 0.30 0.20"_s,
                                u"0.40 0.20 0.20 0.20"_s};
    for (Index row = 0; row < 4; ++row) {
        QCOMPARE(shownRow(findMap(scene, Stage::A, 0), row), first[row]);
        QCOMPARE(shownRow(findMap(scene, Stage::A, 1), row), second[row]);
    }
}

/// One rule for the weights of the document, of the heads cut anew and of heads taken together.
void TestHeadPages::hiddenKeysAreMarkedInAllWeights()
{
    Experiment experiment = goldenExperiment(u"seed_d1x_two_heads_from_x"_s);
    experiment.causal = true;
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const auto isHidden = [](const SceneMap *map, Index row, Index key) {
        return map && map->allowed && map->allowed->value(map->allowedHead, row, key) == 0.0;
    };
    const Scene single = pageOf(HeadsPage::Single, snapshot);
    const SceneMap *one = derivedMap(single, u"other:0"_s);
    QVERIFY(isHidden(one, 1, 2));
    QVERIFY(!isHidden(one, 2, 2));
    QVERIFY(isHidden(findMap(single, Stage::A, 1), 1, 2));
    const SceneMap *rows = derivedMap(single, u"rows"_s); // of the first query
    for (Index row = 0; row < rows->values->rows(); ++row) {
        QVERIFY(!isHidden(rows, row, 0));
        QVERIFY(isHidden(rows, row, 1));
    }
    const Scene combined = pageOf(HeadsPage::Combine, snapshot);
    QVERIFY(isHidden(derivedMap(combined, u"mixed"_s), 1, 2));

    // What one of the heads sees is not hidden in the mixture.
    experiment.causal = false;
    std::vector<double> perHead(32, 1.0);
    perHead[2] = perHead[3] = perHead[16 + 3] = 0.0; // head 1: keys 2 and 3 of the first query; head 2: key 3
    experiment.given[Stage::MaskBool] = Tensor::fromDoubles({2, 4, 4}, perHead);
    HeadCombineOptions both;
    both.heads = {0, 1};
    const Scene mixture = headCombineScene(snapshotOf(experiment), {}, both);
    QVERIFY(!isHidden(derivedMap(mixture, u"mixed"_s), 0, 2));
    QVERIFY(isHidden(derivedMap(mixture, u"mixed"_s), 0, 3));
}

void TestHeadPages::singleSaysWhyNot()
{
    const SnapshotPtr given = goldenSnapshot(u"given_04_scores_per_head"_s);
    const Scene scene = pageOf(HeadsPage::Single, given);
    QVERIFY(hasText(scene, u"It cannot be cut into"_s));
    QVERIFY(findMap(scene, Stage::A));
}

void TestHeadPages::combineByHand()
{
    const SnapshotPtr snapshot = handSetHeads();
    HeadCombineOptions options;
    options.heads = {0, 1};
    Scene scene = headCombineScene(snapshot, {}, options);
    QCOMPARE(shownRow(derivedMap(scene, u"mixed"_s), 1), u"0.35 0.15 0.10 0.40"_s);
    QVERIFY(findControl(scene, u"mix:1"_s)->checked);
    QVERIFY(findControl(scene, u"how:mean"_s)->checked);
    options.mix = HeadMix::Max;
    scene = headCombineScene(snapshot, {}, options);
    QCOMPARE(shownRow(derivedMap(scene, u"mixed"_s), 1), u"0.50 0.20 0.10 0.60"_s);
    options.mix = HeadMix::Sum;
    scene = headCombineScene(snapshot, {}, options);
    QCOMPARE(shownRow(derivedMap(scene, u"mixed"_s), 1), u"0.70 0.30 0.20 0.80"_s);
    const auto sum = headSum(snapshot, {0, 1});
    QVERIFY(hasText(scene, figureText(sum->chosenNorm, 3)));
    options.heads = {};
    scene = headCombineScene(snapshot, {}, options);
    QVERIFY(hasText(scene, u"No head is chosen."_s));
    QVERIFY(!derivedMap(scene, u"mixed"_s));
    QVERIFY(derivedMap(scene, u"rest"_s));
}

void TestHeadPages::patternsAreTheEngines()
{
    const SnapshotPtr snapshot = goldenSnapshot(u"random_025_alibi_six_heads"_s);
    const HeadPatterns patterns = headPatterns(*snapshot);
    const Scene scene = pageOf(HeadsPage::Patterns, snapshot);
    const SceneMap *table = derivedMap(scene, u"patterns"_s);
    QVERIFY(table);
    QVERIFY(table->values->shape() == (Shape{1, 6, 7}));
    for (Index head = 0; head < 6; ++head)
        for (const HeadPattern pattern : allHeadPatterns()) {
            const double shown = table->values->value(0, head, static_cast<Index>(pattern));
            const double expected = patterns.heads[static_cast<std::size_t>(head)].of(pattern);
            QVERIFY(shown == expected || (std::isnan(shown) && std::isnan(expected)));
        }
    QVERIFY(table->colLabels.contains(u"offset −3"_s));
    for (const char *word : {"first:", "delimiter:", "uniform:", "sink:"})
        QVERIFY(hasText(scene, QLatin1String(word)));
    const SceneMap *distances = derivedMap(scene, u"distances"_s);
    const HeadSimilarity similarity = headSimilarity(*snapshot);
    QVERIFY(distances);
    QCOMPARE(distances->values->value(0, 4, 1), similarity.distance(4, 1));
}

void TestHeadPages::keysOfAnotherSequenceHaveNoPositions()
{
    const SnapshotPtr snapshot = goldenSnapshot(u"seed_f2_cross_attention_two_heads"_s);
    QVERIFY(!positionsCorrespond(snapshot->experiment()));
    HeadPatternsOptions options;
    options.order = HeadPatternsOptions::Order::ByScore;
    options.sortedBy = HeadPattern::Self; // as chosen for another document
    const Scene scene = headPatternsScene(snapshot, {}, options);
    const SceneMap *table = derivedMap(scene, u"patterns"_s);
    QCOMPARE(table->colLabels, (QStringList{u"first"_s, u"delimiter"_s, u"uniform"_s, u"sink"_s}));
    QCOMPARE(table->values->cols(), Index(4));
    for (const char *pattern : {"previous", "self", "offset"}) {
        QVERIFY(!findControl(scene, u"sort:"_s + QLatin1String(pattern)));
        QVERIFY(!findControl(scene, u"preset:"_s + QLatin1String(pattern)));
    }
    QVERIFY(findControl(scene, u"sort:head"_s)->checked);
    QVERIFY(findControl(scene, u"preset:first"_s));
    QVERIFY(hasText(scene, u"The keys are of another sequence"_s));
    QVERIFY(!hasText(pageOf(HeadsPage::Grid, snapshot), u"previous"_s));
    QVERIFY(!patternEdit(*snapshot, 0, HeadPattern::Previous, {}).ok());
    QVERIFY(patternEdit(*snapshot, 0, HeadPattern::First, {}).ok());

    // Queries that continue what is cached do have positions among its keys.
    Experiment continued = snapshot->experiment();
    continued.qOffset = 1;
    QVERIFY(positionsCorrespond(continued));
    QCOMPARE(headPatternsOf(continued).size(), headPatternCount);
}

void TestHeadPages::patternsAreSorted()
{
    const SnapshotPtr snapshot = goldenSnapshot(u"random_025_alibi_six_heads"_s);
    HeadPatternsOptions options;
    options.order = HeadPatternsOptions::Order::ByScore;
    options.sortedBy = HeadPattern::Self;
    options.head = 2;
    const Scene scene = headPatternsScene(snapshot, {}, options);
    const SceneMap *table = derivedMap(scene, u"patterns"_s);
    const auto column = static_cast<Index>(HeadPattern::Self);
    for (Index row = 1; row < 6; ++row)
        QVERIFY(table->values->value(0, row - 1, column) >= table->values->value(0, row, column));
    QVERIFY(findControl(scene, u"sort:self"_s)->checked);
    const MapEmphasis &focus = table->emphasis.back();
    QCOMPARE(table->rowLabels[focus.firstRow], u"Head 3"_s);
}

void TestHeadPages::workedRowsAreWritten()
{
    const Scene scene = pageOf(HeadsPage::Patterns, handSetHeads());
    QVERIFY(hasText(scene, u"single head (0.3, 0.1, 0.1, 0.5) · head A (0.1, 0.1, 0.1, 0.7) · head B (0.6, "
                           u"0.1, 0.1, 0.2)"_s));
    QVERIFY(hasText(scene, u"(0.35, 0.1, 0.1, 0.45)"_s));
    for (int i = 0; i < 3; ++i)
        QVERIFY(findControl(scene, u"worked:%1"_s.arg(i)));
    for (const HeadPattern pattern : allHeadPatterns())
        QVERIFY(findControl(scene, u"preset:%1"_s.arg(QLatin1String(headPatternName(pattern)))));
    QVERIFY(!findControl(scene, u"preset:delimiter"_s)->enabled); // no token here is one
    const Scene five = pageOf(HeadsPage::Patterns, goldenSnapshot(u"random_002_largest_causal"_s));
    QVERIFY(!findControl(five, u"worked:0"_s));
}

void TestHeadPages::sinkIsReadFromTheGrid()
{
    const SnapshotPtr before = handSetHeads();
    const auto silent = patternEdit(*before, 1, HeadPattern::Sink);
    QVERIFY(silent.ok());
    const SnapshotPtr snapshot = snapshotOf(applyEdit(before->experiment(), *silent)->experiment);
    const Scene scene = pageOf(HeadsPage::Grid, snapshot);
    const SceneMap *taken = derivedMap(scene, u"taken:1"_s);
    QVERIFY(taken);
    QCOMPARE(shownRow(findMap(scene, Stage::A, 1), 2), u"1.00 0.00 0.00 0.00"_s);
    QCOMPARE(shownRow(taken, 2), u"0.00 0.00 0.00 0.00"_s);
    QVERIFY(findMap(scene, Stage::A, 1)->rect.right() < taken->rect.left());
    const auto all = weightsTimesLength(snapshot);
    QCOMPARE(derivedMap(scene, u"taken:0"_s)->values->value(0, 1, 3), (*all)->value(0, 1, 3));
}

void TestHeadPages::withoutWeightsPagesSayWhy()
{
    Experiment experiment = goldenExperiment(u"seed_a_computed"_s);
    experiment.given.erase(Stage::Wk);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    for (const HeadsPage page : {HeadsPage::Single, HeadsPage::Combine, HeadsPage::Patterns}) {
        const Scene scene = pageOf(page, snapshot);
        QVERIFY(scene.maps.empty());
        QVERIFY(hasText(scene, QString::fromStdString(snapshot->stage(Stage::A).reason)));
    }
    // What there is of the cut is drawn.
    const Scene cut = pageOf(HeadsPage::Cut, snapshot);
    QCOMPARE(layoutFault(cut), QString());
    QVERIFY(findMap(cut, Stage::Q));
    experiment.given[Stage::Wk] = Tensor::zeros({1, 5, 6});
    QVERIFY(!pageOf(HeadsPage::Cut, snapshotOf(experiment)).texts.empty());
}

QTEST_MAIN(TestHeadPages)
#include "tst_HeadPages.moc"
