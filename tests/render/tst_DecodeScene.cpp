#include "base/NumberText.h"
#include "render/SceneCases.h"
#include "render/SceneFixture.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/decode/DecodeScene.h"
#include "support/ImportRun.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

QString decodeTexts(const Scene &scene)
{
    QStringList texts;
    for (const SceneText &text : scene.texts)
        texts.append(text.text);
    return texts.join(u'\n');
}

const SceneMap *decodeMap(const Scene &scene, const QString &id)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.id == id)
            return &map;
    return nullptr;
}

const SceneMap *cacheMap(const Scene &scene, Stage stage)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Stage && map.key.stage == stage)
            return &map;
    return nullptr;
}

DecodeOptions optionsAt(Index position, Index head = 0)
{
    DecodeOptions options;
    options.position = position;
    options.head = head;
    return options;
}

} // namespace

class TestDecodeScene : public QObject
{
    Q_OBJECT

private slots:
    void cacheGrowsRowByRow();
    void newRowIsTheEngines_data();
    void newRowIsTheEngines();
    void costsAreWritten();
    void proofIsWritten();
    void weightsSetByHandActOnlyOnWhatIsKept();
    void openModeShowsWhatMoves();
    void editedTokenMarksWhatIsStale();
    void whatIsSetByHandIsNotWrong();
    void keysOfAnotherSequence();
    void documentsWithoutXSpeakOfNone();
    void reasonsInsteadOfPictures();
    void nothingOverlaps();
    void trainedHeads_data();
    void trainedHeads();
    void manyTokens();
};

void TestDecodeScene::cacheGrowsRowByRow()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("kv_cache_0"));
    QVERIFY(!cacheMap(decodeScene(snapshot, {}, optionsAt(0)), Stage::K));
    for (Index position = 1; position <= 4; ++position) {
        const Scene scene = decodeScene(snapshot, {}, optionsAt(position, 1));
        for (const Stage stage : {Stage::K, Stage::V}) {
            const SceneMap *map = cacheMap(scene, stage);
            QVERIFY(map);
            QCOMPARE(map->values->rows(), position);
            QCOMPARE(map->key.colOffset, Index(3)); // head 2 of two heads of width 3
            QVERIFY(!map->readOnly);
            QCOMPARE(map->emphasis.size(), std::size_t(1));
            QCOMPARE(map->emphasis.front().firstRow, position - 1);
            QCOMPARE(map->values->value(0, 0, 0), snapshot->stage(stage).values->value(0, 0, 3));
        }
        QVERIFY(decodeTexts(scene).contains(QStringLiteral("%1 kept, 1 new").arg(position - 1)));
    }
}

void TestDecodeScene::newRowIsTheEngines_data()
{
    QTest::addColumn<QString>("golden");
    for (const char *golden : {"kv_cache_0", "kv_cache_1", "kv_cache_2", "seed_e_a_causal",
                               "seed_f_cross_attention", "random_009_grouped_query_rope_half"})
        QTest::newRow(golden) << QString::fromLatin1(golden);
}

void TestDecodeScene::newRowIsTheEngines()
{
    QFETCH(QString, golden);
    Experiment experiment = test::goldenExperiment(golden);
    experiment.causal = experiment.causal || experiment.isSelfAttention();
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const Index last = snapshot->sizes().nQ - 1;
    const Scene scene = decodeScene(snapshot, {}, optionsAt(last + 1));
    const SceneMap *output = decodeMap(scene, QStringLiteral("decode:output"));
    const SceneMap *weights = decodeMap(scene, QStringLiteral("decode:weights"));
    QVERIFY(output && weights);
    const StageValues &full = *snapshot->stage(Stage::Output).values;
    for (Index col = 0; col < full.cols(); ++col)
        QVERIFY(std::abs(output->values->value(0, 0, col) - full.value(0, last, col)) < 1e-13);
    const StageValues &A = *snapshot->stage(Stage::A).values;
    for (Index col = 0; col < weights->values->cols(); ++col)
        QVERIFY(std::abs(weights->values->value(0, 0, col) - A.value(0, last, col)) < 1e-13);
}

void TestDecodeScene::costsAreWritten()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("kv_cache_0"));
    const QString texts = decodeTexts(decodeScene(snapshot, {}, optionsAt(4))).replace(u'\n', u' ');
    // One token: q, k, v 3·36; four keys 4·2·3 + 4·2 and 4·2·3; W^O 36.
    QVERIFY(texts.contains(QStringLiteral("200 multiplications in this step")));
    // All four tokens: 4·108, 10·8 and 10·6, 4·36.
    QVERIFY(texts.contains(QStringLiteral("716 multiplications in this step")));
    DecodeSession session;
    const DecodePicture picture = session.at(snapshot, {}, 4, 0);
    QCOMPARE(picture.totals.back().cached, std::int64_t(716));
    QVERIFY(texts.contains(QStringLiteral("716 with the cache")));
    // The page begins with what it is about.
    QVERIFY(texts.contains(
        QStringLiteral("this step takes 200 instead of 716, all steps so far 716 instead of %1")
            .arg(countText(picture.totals.back().uncached))));
    QVERIFY(texts.contains(QStringLiteral("keeps 384 bytes of K and V; without it 192 bytes of X are kept")));
    QVERIFY(texts.contains(QStringLiteral("because of the causal mask")));
    QVERIFY(texts.contains(QStringLiteral("384 bytes of K and V in the cache; without it 192 bytes of X")));
}

void TestDecodeScene::proofIsWritten()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("kv_cache_1"));
    const QString texts = decodeTexts(decodeScene(snapshot, {}, optionsAt(6)));
    QVERIFY(texts.contains(QStringLiteral("✓ Equal bit for bit to computing all rows again")));
    QVERIFY(texts.contains(QStringLiteral("✓ Equal bit for bit to the engine's full pass")) ||
            texts.contains(QStringLiteral("within rounding")));
    // Weights set by hand look ahead: no cache can reproduce them, and the picture says so.
    const QString byHand =
        decodeTexts(decodeScene(goldenSnapshot(QStringLiteral("seed_c_attention_pinned")), {}, optionsAt(1)));
    QVERIFY(byHand.contains(QStringLiteral("✗ Differs from the engine's full pass")));
}

/// A hidden key shows no weight that would act; the picture says what decoding cannot use, and why.
void TestDecodeScene::weightsSetByHandActOnlyOnWhatIsKept()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    QVERIFY(snapshot->stage(Stage::A).values->value(0, 1, 3) > 0.0);
    const Scene scene = decodeScene(snapshot, {}, optionsAt(4));
    for (const QString &id : {QStringLiteral("decode:cached"), QStringLiteral("decode:uncached")}) {
        const SceneMap *map = decodeMap(scene, id);
        QVERIFY(map && map->allowed);
        for (Index row = 0; row < 4; ++row)
            for (Index col = 0; col < 4; ++col)
                QCOMPARE(map->values->value(0, row, col),
                         col > row ? 0.0 : snapshot->stage(Stage::A).values->value(0, row, col));
    }
    const QString texts = decodeTexts(scene).replace(u'\n', u' ');
    QVERIFY(texts.contains(QStringLiteral("6 weights set by hand look at later tokens and cannot act")));
    QVERIFY(texts.contains(QStringLiteral("decoding is causal, though this document has no causal mask")));
    QVERIFY(texts.contains(QStringLiteral("It can, because decoding is causal")));
    QVERIFY(!texts.contains(QStringLiteral("because of the causal mask")));
    // What is set by hand has the corners that it has everywhere.
    QVERIFY(texts.contains(QStringLiteral("3 kept, 1 new · by hand")));
    for (const Stage stage : {Stage::K, Stage::V})
        QVERIFY(cacheMap(scene, stage)->isPinned && cacheMap(scene, stage)->isPinned(3, 1));
    for (const char *id : {"decode:weights", "decode:cached", "decode:uncached", "decode:open"}) {
        const SceneMap *map = decodeMap(scene, QString::fromLatin1(id));
        QVERIFY2(map && map->isPinned && map->isPinned(0, 0), id);
    }
    QVERIFY(!decodeMap(scene, QStringLiteral("decode:output"))->isPinned);
}

void TestDecodeScene::openModeShowsWhatMoves()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_a_computed"));
    const Scene scene = decodeScene(snapshot, {}, optionsAt(4));
    const SceneMap *open = decodeMap(scene, QStringLiteral("decode:open"));
    QVERIFY(open);
    QCOMPARE(open->values->rows(), Index(4));
    QVERIFY(decodeTexts(scene).contains(QStringLiteral("3 of 3 old rows change")));
    const SceneMap *cached = decodeMap(scene, QStringLiteral("decode:cached"));
    QVERIFY(cached);
    QCOMPARE(cached->values->value(0, 0, 3), 0.0); // causal
    QCOMPARE(cached->emphasis.front().lastRow, Index(2));
}

void TestDecodeScene::editedTokenMarksWhatIsStale()
{
    DecodeOptions options = optionsAt(4);
    options.edited = {Stage::X, 1};
    options.reach = {true, true, true, true, {1, 2, 3}};
    const Scene scene = decodeScene(goldenSnapshot(QStringLiteral("kv_cache_0")), {}, options);
    const auto marks = std::count_if(scene.shapes.begin(), scene.shapes.end(), [](const SceneShape &shape) {
        return shape.stroke.role == ScenePaint::Role::Warning;
    });
    // Its row of K and of V, there and in the small picture, with the three outputs.
    QCOMPARE(marks, std::ptrdiff_t(2 + 2 + 3));
    QString joined = decodeTexts(scene).replace(u'\n', u' ');
    QVERIFY(joined.contains(QStringLiteral("“love”, token 2")));
    QVERIFY(joined.contains(QStringLiteral("3 of the 4 outputs so far are wrong: rows 2, 3, 4")));
}

/// Numbers set by hand follow nothing: the picture says so, and marks no row of the cache.
void TestDecodeScene::whatIsSetByHandIsNotWrong()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_c_attention_pinned"));
    DecodeSession session;
    DecodeOptions options = optionsAt(4);
    options.picture = std::make_shared<const DecodePicture>(session.at(snapshot, {}, 4, 0));
    options.edited = {Stage::X, 0};
    options.reach = session.reachOf(options.edited);
    const Scene scene = decodeScene(snapshot, {}, options);
    QVERIFY(std::ranges::none_of(scene.shapes, [](const SceneShape &shape) {
        return shape.stroke.role == ScenePaint::Role::Warning;
    }));
    const QString texts = decodeTexts(scene).replace(u'\n', u' ');
    QVERIFY(texts.contains(QStringLiteral("token 1: its rows of K and V in the cache stay right")));
    QVERIFY(texts.contains(QStringLiteral("K is set by hand: it does not follow from the input")));
    QVERIFY(texts.contains(QStringLiteral("No output is wrong")));
    QVERIFY(!texts.contains(QStringLiteral("decoding starts again")));
}

void TestDecodeScene::keysOfAnotherSequence()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_f_cross_attention"));
    const auto edited = [&](const TokenEdit &token, const EditReach &reach) {
        DecodeOptions options = optionsAt(2);
        options.edited = token;
        options.reach = reach;
        return decodeTexts(decodeScene(snapshot, {}, options)).replace(u'\n', u' ');
    };
    const QString key = edited({Stage::Xkv, 3}, {false, true, true, true, {0, 1}});
    QVERIFY(key.contains(QStringLiteral("token 4: its row of K and its row of V in the cache are wrong")));
    QVERIFY(key.contains(QStringLiteral("Every output so far is wrong: rows 1, 2 look at it")));
    QVERIFY(key.contains(QStringLiteral("Nothing follows from it in time")));
    QVERIFY(!key.contains(QStringLiteral("decoding starts again")));
    const QString query = edited({Stage::X, 1}, {true, false, false, false, {1}});
    QVERIFY(query.contains(QStringLiteral("query 2: nothing in the cache is wrong")));
    QVERIFY(query.contains(QStringLiteral("its own, row 2")));
    QVERIFY(!query.contains(QStringLiteral("decoding starts again")));
    const Scene scene = decodeScene(snapshot, {}, optionsAt(2));
    QVERIFY(decodeTexts(scene).contains(QStringLiteral("computed once")));
    QVERIFY(decodeTexts(scene).contains(QStringLiteral("4 kept, 0 new")));
    QVERIFY(!decodeMap(scene, QStringLiteral("decode:open")));
    // Their names stand beside the cache: it does not hold the tokens of X.
    const auto keys = std::ranges::find_if(scene.maps, [](const SceneMap &map) {
        return map.key.role == MapKey::Role::Stage && map.key.stage == Stage::K;
    });
    QVERIFY(keys != scene.maps.end());
    QVERIFY(keys->rowLabelWidth > 0.0);
    QCOMPARE(keys->rowLabels.size(), qsizetype(4));
}

/// What starts at rotated keys decodes as what they came from, and is not said to hold anything before.
void TestDecodeScene::documentsWithoutXSpeakOfNone()
{
    Experiment later;
    later.tokens = TokenList({"a", "b", "c"});
    later.nHeads = later.nKvHeads = 2;
    for (const Stage stage : {Stage::Qr, Stage::Kr})
        later.given[stage] = seededTensor({2, 3, 4}, 5);
    later.given[Stage::V] = seededTensor({1, 3, 8}, 6);
    const Scene scene = decodeScene(snapshotOf(later), {}, optionsAt(3, 1));
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(cacheMap(scene, Stage::Kr));
    QVERIFY(hasText(scene, QStringLiteral("again with nothing kept")));
    QVERIFY(hasText(scene, QStringLiteral("bytes of K and V in the cache")));
    QVERIFY(!hasText(scene, QStringLiteral("bytes of X")));
    QVERIFY(!hasText(scene, QStringLiteral("X only")));
}

void TestDecodeScene::reasonsInsteadOfPictures()
{
    const Scene scene = decodeScene(goldenSnapshot(QStringLiteral("given_06_attention")), {}, optionsAt(1));
    QVERIFY(scene.maps.empty());
    QVERIFY(decodeTexts(scene).contains(QStringLiteral("starts at A")));
}

void TestDecodeScene::nothingOverlaps()
{
    for (const char *golden : {"seed_a_computed", "kv_cache_1", "random_002_largest_causal",
                               "random_040_cross_padding", "given_00_qkv"}) {
        for (const double width : {960.0, 1400.0}) {
            DecodeOptions options = optionsAt(3);
            options.width = width;
            const Scene scene = decodeScene(goldenSnapshot(QString::fromLatin1(golden)), {}, options);
            QVERIFY(!scene.maps.empty());
            const QRectF all(QPointF(), scene.size);
            for (const SceneText &text : scene.texts)
                QVERIFY2(all.contains(text.rect), qPrintable(text.text));
            for (std::size_t i = 0; i < scene.maps.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(!scene.maps[i].rect.intersects(scene.maps[j].rect), golden);
        }
    }
}

void TestDecodeScene::trainedHeads_data()
{
    QTest::addColumn<QString>("record");
    for (const char *record : {"stories260K/lily-L2.npz", "stories260K/kvcache-L1.safetensors",
                               "dates-seq2seq/dec0-cross.safetensors", "dates-seq2seq/dec0-self.safetensors"})
        QTest::newRow(record) << QString::fromLatin1(record);
}

void TestDecodeScene::trainedHeads()
{
    QFETCH(QString, record);
    const auto run = importRun({QStringLiteral(ATTN_TEST_DATA "/records/") + record});
    QVERIFY2(run.ok(), run.ok() ? "" : run.error().message.c_str());
    const Index rows = run->snapshot->sizes().nQ;
    for (const Index position : {Index{1}, rows / 2, rows}) {
        const Scene scene = decodeScene(run->snapshot, {}, optionsAt(position, 1));
        QVERIFY2(decodeMap(scene, QStringLiteral("decode:output")), qPrintable(decodeTexts(scene)));
        const QString texts = decodeTexts(scene);
        QVERIFY(texts.contains(QStringLiteral("✓ Equal bit for bit to computing all rows again")));
        QVERIFY2(!texts.contains(QStringLiteral("✗")), qPrintable(texts));
        QVERIFY(!painted(scene).isNull());
    }
}

void TestDecodeScene::manyTokens()
{
    Experiment experiment = seededQkv(600, 2, 4);
    const Scene open = decodeScene(snapshotOf(experiment), {}, optionsAt(400));
    QVERIFY(decodeTexts(open).contains(QStringLiteral("too large")));
    QVERIFY(decodeTexts(open).contains(QStringLiteral("too many")));
    experiment.causal = true;
    const Scene causal = decodeScene(snapshotOf(experiment), {}, optionsAt(400));
    QCOMPARE(decodeMap(causal, QStringLiteral("decode:cached"))->values->rows(), Index(400));
    QCOMPARE(decodeMap(causal, QStringLiteral("decode:weights"))->values->cols(), Index(400));
    QVERIFY(!painted(causal).isNull());
}

QTEST_MAIN(TestDecodeScene)
#include "tst_DecodeScene.moc"
