#include "render/FigureExport.h"
#include "render/FlowScene.h"
#include "render/SceneCases.h"
#include "render/scenes/StageTexts.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace attn;
using namespace attn::test;

namespace {

const SceneShape *findShape(const Scene &scene, const QString &id)
{
    for (const SceneShape &shape : scene.shapes)
        if (shape.id == id)
            return &shape;
    return nullptr;
}

int countShapes(const Scene &scene, const QString &prefix)
{
    std::set<QString> ids;
    for (const SceneShape &shape : scene.shapes)
        if (shape.id.startsWith(prefix))
            ids.insert(shape.id);
    return static_cast<int>(ids.size());
}

bool hasExactText(const Scene &scene, const QString &text)
{
    return std::any_of(scene.texts.begin(), scene.texts.end(),
                       [&](const SceneText &candidate) { return candidate.text == text; });
}

/// Tokens of a list must not be written over each other.
QString textOverlap(const Scene &scene)
{
    for (std::size_t i = 0; i < scene.texts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (scene.texts[i].rect.adjusted(0.5, 0.5, -0.5, -0.5).intersects(scene.texts[j].rect))
                return scene.texts[i].text + QStringLiteral(" / ") + scene.texts[j].text;
    return {};
}

} // namespace

class TestTokenFlowScene : public QObject
{
    Q_OBJECT

private slots:
    void byHandWeightsAreReadOff();
    void thicknessFollowsTheWeight();
    void loveAloneTakesMostFromProg();
    void keyAlone();
    void layouts_data();
    void layouts();
    void hiddenShareIsStated();
    void contributionsToACell();
    void setOfHeads();
    void manyTokens();
    void veryManyTokensShareBars();
    void cjkIsWrittenDownwards();
    void saysWhyNot();
    void exports();
};

void TestTokenFlowScene::byHandWeightsAreReadOff()
{
    const Scene scene = tokenFlowScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {});
    QCOMPARE(layoutFault(scene), QString());
    QCOMPARE(countShapes(scene, QStringLiteral("link:")), 16);
    // Column sums of A: prog is the most attended token.
    for (const char *sum : {"1.05", "0.60", "1.30", "1.00"})
        QVERIFY2(hasExactText(scene, QString::fromLatin1(sum)), sum);
    QCOMPARE(findShape(scene, QStringLiteral("link:3:1"))->name, QStringLiteral("prog → love: 0.50"));
    QCOMPARE(findShape(scene, QStringLiteral("from:3"))->name, QStringLiteral("prog gives 1.30"));
    for (const char *weight : {"0.60", "0.50", "0.30", "0.55"})
        QVERIFY2(hasExactText(scene, QString::fromLatin1(weight)), weight);
    QVERIFY(hasText(scene, QStringLiteral("nothing is hidden")));
}

void TestTokenFlowScene::thicknessFollowsTheWeight()
{
    const Scene scene = tokenFlowScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {});
    const auto thickness = [&](const char *id) {
        const QPainterPath &path = findShape(scene, QString::fromLatin1(id))->path;
        // The end of the ribbon is the straight line after the first curve.
        return path.elementAt(4).y - path.elementAt(3).y;
    };
    QVERIFY(std::abs(thickness("link:3:1") / thickness("link:0:1") - 2.0) < 1e-9); // 0.50 and 0.25
    QVERIFY(std::abs(thickness("link:0:0") / thickness("link:1:0") - 4.0) < 1e-9); // 0.60 and 0.15
}

void TestTokenFlowScene::loveAloneTakesMostFromProg()
{
    TokenFlowOptions options;
    options.target = 1;
    const Scene scene =
        tokenFlowScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {}, options);
    QCOMPARE(countShapes(scene, QStringLiteral("link:")), 4);
    for (const char *weight : {"0.25", "0.15", "0.10", "0.50"})
        QVERIFY2(hasExactText(scene, QString::fromLatin1(weight)), weight);
    QVERIFY(hasText(scene, QStringLiteral("“love” alone: takes 1.00 in all")));
}

void TestTokenFlowScene::keyAlone()
{
    TokenFlowOptions options;
    options.source = 3;
    const Scene scene =
        tokenFlowScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {}, options);
    // The footprint of prog: rows 0.15, 0.50, 0.50, 0.15.
    QCOMPARE(countShapes(scene, QStringLiteral("link:3:")), 4);
    QCOMPARE(countShapes(scene, QStringLiteral("link:")), 4);
    QVERIFY(hasText(scene, QStringLiteral("hands out 1.30 in all")));
}

void TestTokenFlowScene::layouts_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *name :
         {"seed_a_computed", "seed_d2_two_heads_attention_pinned", "seed_f2_cross_attention_two_heads",
          "random_002_largest_causal", "given_08_cross_rectangular", "random_000_one_token_smallest"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestTokenFlowScene::layouts()
{
    QFETCH(QString, golden);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    for (const FlowLayout layout : {FlowLayout::SideBySide, FlowLayout::Stacked}) {
        for (const int alone : {0, 1, 2}) {
            TokenFlowOptions options;
            options.layout = layout;
            if (alone == 1)
                options.source = 0;
            if (alone == 2)
                options.target = 0;
            const Scene scene = tokenFlowScene(snapshot, {}, options);
            QCOMPARE(layoutFault(scene), QString());
            const QRectF all(QPointF(), scene.size);
            for (const SceneShape &shape : scene.shapes)
                QVERIFY2(all.contains(shape.path.boundingRect()), qPrintable(shape.id));
            for (Index key = 0; key < snapshot->sizes().nK; ++key)
                QVERIFY(findShape(scene, QStringLiteral("from:%1").arg(key)));
            if (alone != 0 || layout == FlowLayout::SideBySide)
                QCOMPARE(textOverlap(scene), QString());
        }
    }
}

void TestTokenFlowScene::hiddenShareIsStated()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    TokenFlowOptions options;
    options.filter.mass = 0.5;
    options.filter.threshold = 0.2;
    const FlowLinks flow = flowLinks(*snapshot, options.question, options.filter);
    const Scene scene = tokenFlowScene(snapshot, {}, options);
    QVERIFY(hasText(scene, QStringLiteral("4 of 16 links are drawn; they hold 53.8 %")));
    QVERIFY(hasText(scene, percentText(flow.hiddenShare()) + QStringLiteral(" is hidden")));
    QVERIFY(hasText(scene, QStringLiteral("up to 50.0 % of its sum; none below 0.20")));
}

void TestTokenFlowScene::contributionsToACell()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    TokenFlowOptions options;
    options.question.measure = FlowMeasure::Contribution;
    options.question.direction = outputColumnDirection(*snapshot, 0);
    options.directionName = QStringLiteral("output column f1");
    options.outputColumn = 0;
    options.target = 1;
    DisplayOptions display;
    display.decimals = 4;
    const Scene scene = tokenFlowScene(snapshot, display, options);
    // 0.25 · 0.45 + 0.15 · 0.41 + 0.10 · 0.31 + 0.50 · 0.35 = 0.38, the first column of the footprints.
    for (const char *term : {"0.1125", "0.0615", "0.0310", "0.1750"})
        QVERIFY2(hasExactText(scene, QString::fromLatin1(term)), term);
    QVERIFY(
        hasText(scene, QStringLiteral("All links of love add up to 0.3800; its output there is 0.3800.")));
    QVERIFY(hasText(scene, QStringLiteral("takes away")));
}

void TestTokenFlowScene::setOfHeads()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d2_two_heads_attention_pinned"));
    TokenFlowOptions options;
    QVERIFY(hasText(tokenFlowScene(snapshot, {}, options), QStringLiteral("mean of both heads")));
    options.question.heads = {1};
    options.target = 1;
    const Scene second = tokenFlowScene(snapshot, {}, options);
    QVERIFY(hasText(second, QStringLiteral("Head 2")));
    // Row love of A₂.
    for (const char *weight : {"0.50", "0.20", "0.10"})
        QVERIFY2(hasExactText(second, QString::fromLatin1(weight)), weight);
    options.question.heads = {};
    const Scene mean = tokenFlowScene(snapshot, {}, options);
    for (const char *weight : {"0.35", "0.15", "0.10", "0.40"})
        QVERIFY2(hasExactText(mean, QString::fromLatin1(weight)), weight);
}

void TestTokenFlowScene::manyTokens()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(300, 2, 4));
    TokenFlowOptions options;
    options.filter.mostLinks = 200;
    const Scene scene = tokenFlowScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    QCOMPARE(textOverlap(scene), QString());
    QCOMPARE(countShapes(scene, QStringLiteral("link:")), 200);
    QVERIFY(hasText(scene, QStringLiteral("200 of 90\u202f000 links")));
    QVERIFY(scene.size.height() < 2000.0);
    options.target = 150;
    const Scene alone = tokenFlowScene(snapshot, {}, options);
    QCOMPARE(textOverlap(alone), QString());
    QVERIFY(hasText(alone, QStringLiteral("“151: t151” alone")));
}

/// Bars thinner than a line are drawn where none is yet: thousands of them would keep the window waiting.
void TestTokenFlowScene::veryManyTokensShareBars()
{
    constexpr Index tokens = 3000;
    const SnapshotPtr snapshot = snapshotOf(seededQkv(tokens, 1, 2));
    TokenFlowOptions options;
    options.filter.mostLinks = 100;
    const auto links = std::make_shared<const FlowLinks>(flowLinks(*snapshot, {}, options.filter));
    options.links = links;
    const Scene scene = tokenFlowScene(snapshot, {}, options);
    QCOMPARE(layoutFault(scene), QString());
    const int sources = countShapes(scene, QStringLiteral("from:"));
    QVERIFY2(sources > 300 && sources < 1600, qPrintable(QString::number(sources)));
    const auto strongest = std::ranges::max_element(links->sourceTotals) - links->sourceTotals.begin();
    QVERIFY(findShape(scene, QStringLiteral("from:%1").arg(strongest)));
    // The one that is alone has its bar in any case.
    options.source = std::ranges::min_element(links->sourceTotals) - links->sourceTotals.begin();
    QVERIFY(findShape(tokenFlowScene(snapshot, {}, options), QStringLiteral("from:%1").arg(*options.source)));
}

void TestTokenFlowScene::cjkIsWrittenDownwards()
{
    TokenFlowOptions options;
    options.layout = FlowLayout::Stacked;
    const Scene scene = tokenFlowScene(goldenSnapshot(QStringLiteral("seed_f_cross_attention")), {}, options);
    QVERIFY(hasExactText(scene, QStringLiteral("编")));
    QVERIFY(hasExactText(scene, QStringLiteral("程")));
    QVERIFY(!hasExactText(scene, QStringLiteral("编程")));
    options.layout = FlowLayout::SideBySide;
    QVERIFY(
        hasExactText(tokenFlowScene(goldenSnapshot(QStringLiteral("seed_f_cross_attention")), {}, options),
                     QStringLiteral("编程")));
}

void TestTokenFlowScene::saysWhyNot()
{
    TokenFlowOptions options;
    options.question.measure = FlowMeasure::Contribution;
    options.question.direction = {1.0};
    const Scene scene = tokenFlowScene(goldenSnapshot(QStringLiteral("seed_a_computed")), {}, options);
    QVERIFY(hasText(scene, QStringLiteral("needs 6 numbers")));
    Experiment experiment = goldenExperiment(QStringLiteral("seed_a_computed"));
    experiment.given.erase(Stage::Wk);
    QVERIFY(hasText(tokenFlowScene(snapshotOf(experiment), {}), QStringLiteral("A is not available")));
}

void TestTokenFlowScene::exports()
{
    const Scene scene = tokenFlowScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {});
    for (const FigureOptions::Format format :
         {FigureOptions::Format::Png, FigureOptions::Format::Svg, FigureOptions::Format::Pdf}) {
        FigureOptions options;
        options.format = format;
        const Result<QByteArray> bytes = figureBytes(scene, options);
        QVERIFY(bytes.ok());
        QVERIFY(bytes->size() > 1000);
        if (format == FigureOptions::Format::Svg)
            QVERIFY(bytes->contains("0.60"));
    }
}

QTEST_MAIN(TestTokenFlowScene)
#include "tst_TokenFlowScene.moc"
