#include "base/NumberText.h"
#include "engine/lab/ConceptDirection.h"
#include "engine/lab/DirectionSet.h"
#include "render/SceneCases.h"
#include "render/SceneFixture.h"
#include "render/Theme.h"
#include "render/scenes/lab/OrthogonalityLabScene.h"
#include "render/scenes/lab/PositionsLabScene.h"
#include "render/scenes/lab/TokensLabScene.h"
#include "support/ImportRun.h"

#include <QFontMetricsF>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

const SceneMap *labMap(const Scene &scene, const QString &id)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.id == id)
            return &map;
    return nullptr;
}

QString shownTexts(const Scene &scene)
{
    QStringList texts;
    for (const SceneText &text : scene.texts)
        texts.append(text.text);
    return texts.join(u'\n');
}

bool hasControl(const Scene &scene, const QString &id)
{
    return std::any_of(scene.controls.begin(), scene.controls.end(),
                       [&](const SceneControl &control) { return control.id == id; });
}

SnapshotPtr afterEdit(const SnapshotPtr &snapshot, const Result<Edit> &edit)
{
    ATTN_ASSERT(edit.ok(), "an edit");
    Result<EditOutcome> outcome = applyEdit(snapshot->experiment(), *edit);
    ATTN_ASSERT(outcome.ok(), "the edit fits");
    return snapshotOf(std::move(outcome->experiment));
}

SnapshotPtr seedSnapshot()
{
    return goldenSnapshot(QStringLiteral("seed_a_computed"));
}

/// Texts of one line of a table, by height, from the left.
QStringList lineWith(const Scene &scene, const QString &first)
{
    for (const SceneText &start : scene.texts) {
        if (start.text != first)
            continue;
        QStringList cells;
        for (const SceneText &text : scene.texts)
            if (std::abs(text.rect.top() - start.rect.top()) < 0.5)
                cells.append(text.text);
        if (cells.size() > 2)
            return cells;
    }
    return {};
}

} // namespace

/// The pages "Tokens as vectors", "Positions" and "Near-orthogonality".
class TestEmbeddingScenes : public QObject
{
    Q_OBJECT

private slots:
    void directionOfTheTutorialIsRead();
    void tablesAndPlaneAreShown();
    void severalDirectionsAreShownTogether();
    void namesInThePlaneDoNotOverlap();
    void longStagesAreCutAndSaySo();
    void documentsWithoutVectors();
    void scenesStayInsideTheirSize_data();
    void scenesStayInsideTheirSize();
    void boundsOfTheTutorialAreShown();
    void sizeOfAnEmbeddingIsShown();
    void anglesHoldEveryPair();
    void sumOfTheTutorialIsShown();
    void keptEncodingIsEditable();
    void tablesOfManyTokensAreLegible_data();
    void tablesOfManyTokensAreLegible();
    void shareOfPairsFitsItsLine();
    void deletedTokensLeaveOtherPositions();
    void orderMattersOnlyWithPositions();
    void rotaryAndAlibiFollowTheDocument();
    void trainedRecords_data();
    void trainedRecords();
};

/// CURRICULUM 1.8: the direction (0.3, 0.5, 0.1, 0.6, 0.2, 0.4), read by dot products of the rows of Q.
void TestEmbeddingScenes::directionOfTheTutorialIsRead()
{
    const Scene scene = tokensLabScene(goldenSnapshot(QStringLiteral("seed_b_qkv_pinned")), {}, {});
    const QString texts = shownTexts(scene);
    QVERIFY(texts.contains(QStringLiteral("“needs an object” = (0.3, 0.5, 0.1, 0.6, 0.2, 0.4)")));
    // q_I = (0.38, 0.42, 0.28, 0.47, 0.29, 0.44): dot 0.868, |direction| = √0.91, |q_I| = 0.9475...
    const QStringList line = lineWith(scene, QStringLiteral("I"));
    QCOMPARE(line.mid(1, 3),
             (QStringList{QStringLiteral("0.868"), QStringLiteral("0.910"), QStringLiteral("0.960")}));
    QVERIFY(line.contains(QStringLiteral("0.47 in column 4")));
    for (const char *dot : {"0.845", "0.832", "0.938"})
        QVERIFY(texts.contains(QString::fromLatin1(dot)));
    // prog has the largest dot product, I the largest cosine: different questions.
    QVERIFY(texts.contains(QStringLiteral("The largest dot product has “prog”, the largest cosine “I”")));
    QVERIFY(hasControl(scene, QStringLiteral("direction:keep")));
}

void TestEmbeddingScenes::tablesAndPlaneAreShown()
{
    TokensLabOptions options;
    options.stage = Stage::X;
    const Scene scene = tokensLabScene(seedSnapshot(), {}, options);
    const SceneMap *dots = labMap(scene, QStringLiteral("tokens:dot"));
    const SceneMap *cosines = labMap(scene, QStringLiteral("tokens:cosine"));
    QVERIFY(dots && cosines);
    const auto X = [&](Index row, Index col) {
        return seedSnapshot()->experiment().matrix(Stage::X).at(row, col);
    };
    double dot = 0.0;
    for (Index col = 0; col < 6; ++col)
        dot += X(0, col) * X(1, col);
    QVERIFY(std::abs(dots->values->value(0, 0, 1) - dot) < 1e-14);
    QVERIFY(std::abs(cosines->values->value(0, 2, 2) - 1.0) < 1e-14);
    const PrincipalPlane plane =
        principalPlane(tokenVectors(*seedSnapshot()->stage(Stage::X).values, 0), options.isCentred);
    const QString share = QString::number(plane.shares[0] * 100.0, 'f', 1);
    QVERIFY2(shownTexts(scene).contains(share), qPrintable(share));
    QVERIFY(shownTexts(scene).contains(QStringLiteral("centred: lengths from the mean")));
    options.isCentred = false;
    QVERIFY(shownTexts(tokensLabScene(seedSnapshot(), {}, options)).contains(QStringLiteral("not centred")));
    // Every token is named in the plane.
    for (const char *name : {"I", "love", "GPU", "prog"})
        QVERIFY(shownTexts(scene).split(u'\n').contains(QString::fromLatin1(name)));
}

void TestEmbeddingScenes::severalDirectionsAreShownTogether()
{
    SnapshotPtr snapshot = seedSnapshot();
    const TokenVectors Q = tokenVectors(*snapshot->stage(Stage::Q).values, 0);
    const DirectionSet proposed = directionSet(snapshot->experiment(), Q);
    QVERIFY(!proposed.isKept);
    snapshot = afterEdit(snapshot, directionAdded(proposed, differenceOf(Q, 1, 0)));
    const DirectionSet kept = directionSet(snapshot->experiment(), Q);
    QVERIFY(kept.isKept);
    QCOMPARE(kept.directions.count, Index(2));
    const Scene scene = tokensLabScene(snapshot, {}, {});
    const SceneMap *map = labMap(scene, QStringLiteral("directions (6)"));
    QVERIFY(map && map->key.role == MapKey::Role::Lab && !map->readOnly);
    const SceneMap *between = labMap(scene, QStringLiteral("tokens:between"));
    QVERIFY(between);
    const DirectionReading cosine = readDirection(kept.directions.row(0), kept.directions.row(1));
    QVERIFY(std::abs(between->values->value(0, 0, 1) - cosine.cosine) < 1e-14);
    QVERIFY(labMap(scene, QStringLiteral("tokens:along")));
    snapshot = afterEdit(snapshot, directionRemoved(kept, 0));
    QCOMPARE(directionSet(snapshot->experiment(), Q).directions.count, Index(1));
    snapshot = afterEdit(snapshot, directionRemoved(directionSet(snapshot->experiment(), Q), 0));
    QVERIFY(snapshot->experiment().labs.empty());
}

void TestEmbeddingScenes::namesInThePlaneDoNotOverlap()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(40, 1, 8));
    TokensLabOptions options;
    options.token = 7;
    const Scene scene = tokensLabScene(snapshot, {}, options);
    QRectF plot;
    std::vector<QRectF> dots;
    for (const SceneShape &shape : scene.shapes)
        if (shape.id.startsWith(QStringLiteral("token:")))
            dots.push_back(shape.path.boundingRect());
    QCOMPARE(dots.size(), std::size_t(40));
    for (const QRectF &dot : dots)
        plot = plot.united(dot);
    std::vector<QRectF> names;
    for (const SceneText &text : scene.texts)
        if (plot.contains(text.rect.center()))
            names.push_back(text.rect);
    QVERIFY(names.size() > 10);
    for (std::size_t i = 0; i < names.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            QVERIFY(!names[i].intersects(names[j]));
}

void TestEmbeddingScenes::longStagesAreCutAndSaySo()
{
    const SnapshotPtr snapshot = snapshotOf(seededQkv(700, 1, 4));
    TokensLabOptions options;
    options.token = 650;
    const Scene scene = tokensLabScene(snapshot, {}, options);
    QVERIFY(shownTexts(scene)
                .replace(u'\n', u' ')
                .contains(QStringLiteral("The tables show 128 of the 700 rows"))); // over two lines
    QCOMPARE(labMap(scene, QStringLiteral("tokens:dot"))->values->rows(), Index(128));
    QCOMPARE(tokensTableFirst(700, 650), Index(572));
    const StageValues &Q = *snapshot->stage(Stage::Q).values;
    double square = 0.0;
    for (Index col = 0; col < 4; ++col)
        square += Q.value(0, 572, col) * Q.value(0, 572, col);
    QVERIFY(std::abs(labMap(scene, QStringLiteral("tokens:dot"))->values->value(0, 0, 0) - square) < 1e-12);
    QVERIFY(!painted(scene).isNull());
}

void TestEmbeddingScenes::documentsWithoutVectors()
{
    const Scene positions = positionsLabScene(goldenSnapshot(QStringLiteral("given_00_qkv")), {}, {});
    QVERIFY(shownTexts(positions).contains(QStringLiteral("no X of its own")));
    QVERIFY(labMap(positions, QStringLiteral("positions:angles"))); // the queries are there
    const Scene weights = positionsLabScene(goldenSnapshot(QStringLiteral("given_06_attention")), {}, {});
    QVERIFY(shownTexts(weights).contains(QStringLiteral("no queries and keys")));
    const Scene tokens = tokensLabScene(goldenSnapshot(QStringLiteral("given_06_attention")), {}, {});
    QVERIFY(labMap(tokens, QStringLiteral("tokens:dot"))); // rows of V
}

void TestEmbeddingScenes::scenesStayInsideTheirSize_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *golden :
         {"seed_a_computed", "seed_d1x_two_heads_from_x", "random_000_one_token_smallest",
          "random_003_long_narrow", "random_007_grouped_query", "random_010_rope_interleaved_causal",
          "random_025_alibi_six_heads", "random_039_cross_rectangular", "given_00_qkv"})
        QTest::newRow(golden) << QString::fromLatin1(golden);
}

void TestEmbeddingScenes::scenesStayInsideTheirSize()
{
    QFETCH(QString, golden);
    const SnapshotPtr snapshot = goldenSnapshot(golden);
    for (const double width : {960.0, 1400.0}) {
        TokensLabOptions tokens;
        tokens.width = width;
        PositionsLabOptions positions;
        positions.width = width;
        for (const Scene &scene :
             {tokensLabScene(snapshot, {}, tokens), positionsLabScene(snapshot, {}, positions)}) {
            const QRectF all(QPointF(), scene.size);
            for (const SceneText &text : scene.texts)
                QVERIFY2(all.contains(text.rect), qPrintable(text.text));
            for (const SceneControl &control : scene.controls)
                QVERIFY2(all.contains(control.rect), qPrintable(control.id));
            for (std::size_t i = 0; i < scene.maps.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(!scene.maps[i].rect.intersects(scene.maps[j].rect),
                             qPrintable(scene.maps[i].name + scene.maps[j].name));
            QVERIFY(scene.size.width() <= width + 1.0);
        }
    }
}

/// CURRICULUM I19: 412 and 4102 in 100 dimensions at 85 degrees, 3.8e7 and 2.4e8 in 512.
void TestEmbeddingScenes::boundsOfTheTutorialAreShown()
{
    OrthogonalityLabOptions options;
    options.sample.directions = 40;
    options.sample.tries = 60;
    const QString hundred = shownTexts(orthogonalityLabScene(seedSnapshot(), {}, options));
    QVERIFY(hundred.contains(QStringLiteral("at most 412")));
    QVERIFY(hundred.contains(QStringLiteral("at most 4\u202f102")));
    QVERIFY(hundred.contains(QStringLiteral("85°")));
    QVERIFY(hundred.contains(QStringLiteral("1/√n = 0.1000")));
    options.sample.dimension = 512;
    options.sample.tries = 20;
    const QString wide = shownTexts(orthogonalityLabScene(seedSnapshot(), {}, options));
    QVERIFY(wide.contains(QStringLiteral("at most 3.8 × 10⁷")));
    QVERIFY(wide.contains(QStringLiteral("at most 2.4 × 10⁸")));
    QVERIFY(wide.contains(QStringLiteral("says nothing"))); // the Welch bound
    QVERIFY(wide.contains(QStringLiteral("20 directions tried")));
    QVERIFY(wide.contains(QStringLiteral("seed 1")));
    // Never the impossible figure.
    for (const QString &texts : {hundred, wide})
        QVERIFY(!texts.contains(QStringLiteral("10¹²")));
    QCOMPARE(largeCountText(9.96e9), QStringLiteral("1.0 × 10¹⁰"));
    QCOMPARE(largeCountText(63013.0), QStringLiteral("63\u202f013"));
}

/// CURRICULUM 1.8: 50,000 tokens, 512 dimensions.
void TestEmbeddingScenes::sizeOfAnEmbeddingIsShown()
{
    OrthogonalityLabOptions options;
    options.sample = {512, 85.0, 10, 5, 1};
    const QString texts = shownTexts(orthogonalityLabScene(seedSnapshot(), {}, options));
    QVERIFY(texts.contains(QStringLiteral("50\u202f000 tokens × 512 dimensions")));
    QVERIFY(texts.contains(QStringLiteral("25\u202f600\u202f000 numbers")));
    QVERIFY(texts.contains(QStringLiteral("102.4 MB as float32")));
    QVERIFY(texts.contains(QStringLiteral("1\u202f249\u202f975\u202f000 pairs")));
    QVERIFY(texts.contains(QStringLiteral("6.1 × 10⁷")));
}

void TestEmbeddingScenes::anglesHoldEveryPair()
{
    OrthogonalityLabOptions options;
    options.sample = {10, 80.0, 30, 5, 2};
    qint64 pairs = 0;
    for (const SceneShape &shape : orthogonalityLabScene(seedSnapshot(), {}, options).shapes)
        if (shape.name.contains(QStringLiteral(" pairs, from")))
            pairs += shape.name.section(u' ', 0, 0).toLongLong();
    QCOMPARE(pairs, qint64(30 * 29 / 2));
}

/// CURRICULUM 1.9: X is 4×6, the numbers after embedding plus positional encoding; golden added_to_x.
void TestEmbeddingScenes::sumOfTheTutorialIsShown()
{
    const SnapshotPtr snapshot = seedSnapshot();
    const Scene plain = positionsLabScene(snapshot, {}, {});
    const SceneMap *X = nullptr;
    for (const SceneMap &map : plain.maps)
        if (map.key.role == MapKey::Role::Stage && map.key.stage == Stage::X)
            X = &map;
    QVERIFY(X && !X->readOnly);
    QCOMPARE(displayText(X->values->value(0, 3, 3), X->decimals), std::string("0.900"));
    QVERIFY(shownTexts(plain).contains(QStringLiteral("keeps no E and P")));
    QVERIFY(hasControl(plain, QStringLiteral("position:keepX")));
    const Experiment &experiment = snapshot->experiment();
    const SnapshotPtr added =
        afterEdit(snapshot, encodingEdit(experiment, encodingOf(experiment, {}), Staying::Embeddings));
    const Scene scene = positionsLabScene(added, {}, {});
    QVERIFY(shownTexts(scene).contains(QStringLiteral("X = E + P in every cell")));
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Stage)
            QCOMPARE(displayText(map.values->value(0, 0, 1), 2), std::string("1.20")); // 0.2 + cos 0
}

void TestEmbeddingScenes::keptEncodingIsEditable()
{
    SnapshotPtr snapshot = seedSnapshot();
    snapshot = afterEdit(
        snapshot, encodingEdit(snapshot->experiment(), encodingOf(snapshot->experiment(), {}), Staying::X));
    const Scene scene = positionsLabScene(snapshot, {}, {});
    for (const QString &name : {QStringLiteral("E"), QStringLiteral("P")}) {
        const SceneMap *map = labMap(scene, name);
        QVERIFY(map && map->key.role == MapKey::Role::Lab && !map->readOnly);
    }
    snapshot = afterEdit(snapshot, Edit(SetCells{Stage::X, {{{0, 0, 0}, 3.0}}}));
    QVERIFY(shownTexts(positionsLabScene(snapshot, {}, {}))
                .contains(QStringLiteral("1 of its cells, by up to 2")));
    Experiment odd = snapshot->experiment();
    odd.labs["E"] = Tensor::zeros({1, 2, 6});
    QVERIFY(
        shownTexts(positionsLabScene(snapshotOf(odd), {}, {})).contains(QStringLiteral("Take them anew")));
}

void TestEmbeddingScenes::tablesOfManyTokensAreLegible_data()
{
    QTest::addColumn<int>("tokens");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("leastCell");
    QTest::newRow("the example in a small window") << 4 << 930.0 << 34.0;
    QTest::newRow("11 tokens in a small window") << 11 << 930.0 << 30.0; // numbers
    QTest::newRow("27 tokens in a small window") << 27 << 930.0 << 12.0; // every label
    QTest::newRow("11 tokens in a large window") << 11 << 1800.0 << 30.0;
}

void TestEmbeddingScenes::tablesOfManyTokensAreLegible()
{
    QFETCH(int, tokens);
    QFETCH(double, width);
    QFETCH(double, leastCell);
    Experiment experiment = seedSnapshot()->experiment();
    while (experiment.tokens.size() < Index(tokens)) {
        const Result<EditOutcome> longer = applyEdit(
            experiment,
            Edit(InsertToken{
                TokenSide::Query, experiment.tokens.size(), "more", {0.1, 0.2, 0.3, 0.1, 0.2, 0.3}}));
        QVERIFY(bool(longer));
        experiment = longer->experiment;
    }
    TokensLabOptions options;
    options.width = width;
    const Scene scene = tokensLabScene(snapshotOf(std::move(experiment)), {}, options);
    for (const QString &name : {QStringLiteral("tokens:cosine"), QStringLiteral("tokens:dot")}) {
        const SceneMap *map = labMap(scene, name);
        QVERIFY(map);
        const double cell = map->rect.width() / tokens;
        QVERIFY2(cell >= leastCell, qPrintable(QString::number(cell)));
        QVERIFY(map->rect.right() <= width);
    }
}

/// Also where nearly all pairs are, which takes more words.
void TestEmbeddingScenes::shareOfPairsFitsItsLine()
{
    OrthogonalityLabOptions options;
    options.width = 930.0;
    options.sample.dimension = 512;
    options.sample.degrees = 80.0;
    options.sample.tries = 20;
    const Scene scene = orthogonalityLabScene(seedSnapshot(), {}, options);
    QVERIFY(shownTexts(scene).contains(QStringLiteral("> 99.9 % measured, > 99.9 % exactly")));
    const QFontMetricsF metrics(Theme::light().textFont);
    for (const SceneText &text : scene.texts)
        if (text.text.startsWith(QStringLiteral("nearly orthogonal:")) ||
            text.text.startsWith(QStringLiteral("their share:")))
            QVERIFY2(metrics.horizontalAdvance(text.text) <= text.rect.width(), qPrintable(text.text));
    // Every line of a card ends above its border.
    for (const SceneText &text : scene.texts)
        for (const SceneBox &box : scene.boxes)
            if (box.rect.contains(text.rect.topLeft()))
                QVERIFY2(text.rect.bottom() <= box.rect.bottom() - 8.0, qPrintable(text.text));
}

/// The rows of P go with their tokens: what stands behind a deleted one keeps its old position, and the page
/// says so until P is taken anew.
void TestEmbeddingScenes::deletedTokensLeaveOtherPositions()
{
    const QString said = QStringLiteral("not the sinusoidal encoding of its positions");
    SnapshotPtr snapshot = seedSnapshot();
    const auto keepSinusoidal = [&snapshot] {
        snapshot = afterEdit(snapshot, encodingEdit(snapshot->experiment(),
                                                    encodingOf(snapshot->experiment(), {}), Staying::X));
    };
    keepSinusoidal();
    QVERIFY(!shownTexts(positionsLabScene(snapshot, {}, {})).contains(said));
    snapshot = afterEdit(snapshot, Edit(DeleteToken{TokenSide::Query, 1}));
    const QString texts = shownTexts(positionsLabScene(snapshot, {}, {}));
    QVERIFY(texts.contains(said) && texts.contains(QStringLiteral("in 2 of 3 rows")));
    QVERIFY(texts.contains(QStringLiteral("position 1 and has the encoding of position 2")));
    keepSinusoidal();
    QVERIFY(!shownTexts(positionsLabScene(snapshot, {}, {})).contains(said));
    // A cell that was typed, and a P that was never sinusoidal.
    snapshot = afterEdit(snapshot, Edit(SetLabCells{"P", {{{0, 2, 0}, 7.0}}}));
    QVERIFY(
        shownTexts(positionsLabScene(snapshot, {}, {})).contains(QStringLiteral("numbers of no position")));
    snapshot = afterEdit(
        snapshot, encodingEdit(snapshot->experiment(),
                               Tensor::zeros(snapshot->experiment().matrix(Stage::X).shape()), Staying::X));
    QVERIFY(!shownTexts(positionsLabScene(snapshot, {}, {})).contains(said));
}

void TestEmbeddingScenes::orderMattersOnlyWithPositions()
{
    SnapshotPtr snapshot = seedSnapshot();
    snapshot = afterEdit(snapshot, encodingEdit(snapshot->experiment(),
                                                encodingOf(snapshot->experiment(), {}), Staying::Embeddings));
    const QStringList line =
        lineWith(positionsLabScene(snapshot, {}, {}), QStringLiteral("largest of all 4"));
    QCOMPARE(line.size(), 4);
    QVERIFY(parseNumber(line[1].toStdString()).value_or(1.0) < 1e-14);
    QVERIFY(parseNumber(line[2].toStdString()).value_or(0.0) > 1e-3);
    QCOMPARE(line[2], line[3]); // no mask, no rotary: the document is the sum
}

void TestEmbeddingScenes::rotaryAndAlibiFollowTheDocument()
{
    const Scene plain = positionsLabScene(seedSnapshot(), {}, {});
    QVERIFY(shownTexts(plain).contains(QStringLiteral("Not in use in this document; drawn with base 10000")));
    QVERIFY(hasControl(plain, QStringLiteral("rotary:use")) &&
            hasControl(plain, QStringLiteral("alibi:use")));
    const SceneMap *dots = labMap(plain, QStringLiteral("positions:dots"));
    QVERIFY(std::abs(dots->values->value(0, 5, 2) - dots->values->value(0, 9, 6)) < 1e-13);
    Rotary rotary;
    rotary.base = 50.0;
    SnapshotPtr snapshot = afterEdit(seedSnapshot(), Edit(SetRotary{rotary}));
    snapshot = afterEdit(snapshot, Edit(SetTensor{Stage::MaskAlibi, Tensor::filled({1, 1, 1}, 0.25)}));
    const Scene scene = positionsLabScene(snapshot, {}, {});
    QVERIFY(shownTexts(scene).contains(QStringLiteral("In use in this document: base 50")));
    QVERIFY(shownTexts(scene).contains(QStringLiteral("head 1: slope 0.25")));
    QVERIFY(hasControl(scene, QStringLiteral("rotary:remove")) &&
            hasControl(scene, QStringLiteral("alibi:remove")));
    const SceneMap *bias = labMap(scene, QStringLiteral("positions:alibi"));
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
            QCOMPARE(bias->values->value(0, i, j), snapshot->stage(Stage::Bias).values->value(0, i, j) + 0.0);
}

void TestEmbeddingScenes::trainedRecords_data()
{
    QTest::addColumn<QString>("record");
    for (const char *record : {"stories260K/lily-L2.npz", "gpt2-small/prompt0.safetensors",
                               "dates-seq2seq/dec0-cross.safetensors"})
        QTest::newRow(record) << QString::fromLatin1(record);
}

void TestEmbeddingScenes::trainedRecords()
{
    QFETCH(QString, record);
    const auto run = importRun({QStringLiteral(ATTN_TEST_DATA "/records/") + record});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
    for (const Stage stage : vectorStages(*run->snapshot)) {
        TokensLabOptions options;
        options.stage = stage;
        const Scene scene = tokensLabScene(run->snapshot, {}, options);
        QVERIFY(labMap(scene, QStringLiteral("tokens:cosine")));
        QVERIFY(!painted(scene).isNull());
    }
    QVERIFY(!painted(positionsLabScene(run->snapshot, {}, {})).isNull());
}

QTEST_MAIN(TestEmbeddingScenes)
#include "tst_EmbeddingScenes.moc"
