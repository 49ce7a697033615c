#include "engine/Edit.h"
#include "engine/lab/PositionalEncoding.h"
#include "engine/lab/StandardLabs.h"
#include "render/FigureExport.h"
#include "render/HeadPages.h"
#include "render/MasksScene.h"
#include "render/SceneBuilders.h"
#include "render/SceneCases.h"
#include "render/scenes/decode/DecodeScene.h"
#include "render/scenes/lab/LabScenes.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "render/scenes/lab/PositionsLabScene.h"
#include "render/scenes/lab/TokensLabScene.h"

#include <QPainter>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

SnapshotPtr paperSnapshot(const QString &golden = u"seed_a_computed"_s)
{
    return goldenSnapshot(golden);
}

SnapshotPtr withEncodingKept()
{
    const Experiment experiment = goldenExperiment(u"seed_a_computed"_s);
    const Result<Edit> edit = encodingEdit(experiment, encodingOf(experiment, {}), Staying::X);
    return snapshotOf(applyEdit(experiment, *edit)->experiment);
}

SnapshotPtr withLabNumber(const std::string &lab, double number)
{
    Experiment experiment = goldenExperiment(u"seed_a_computed"_s);
    SmallMatrix numbers = SmallMatrix::of(experiment.lab(lab));
    numbers.at(0, 0) = number;
    experiment.labs[lab] = numbers.tensor();
    return snapshotOf(std::move(experiment));
}

MasksOptions emptyMasks(const SnapshotPtr &snapshot)
{
    MasksOptions options;
    options.beforeName = u"no mask"_s;
    options.before = snapshotOf(withoutMask(snapshot->experiment()));
    options.counts = std::make_shared<const MaskCounts>(maskCountsOf(snapshot->experiment(), 0));
    options.effect = std::make_shared<const MaskEffect>(maskEffectOf(*options.before, *snapshot, 0));
    return options;
}

/// Pictures in the states in which they say most about what can be done.
Scene paperScene(const QString &name)
{
    VectorsLabOptions vectors;
    if (name == u"vectors in space"_s) {
        vectors.source.dimension = 3;
        return vectorsLabScene(paperSnapshot(), {}, vectors).scene;
    }
    if (name == u"vectors of a stage"_s || name == u"vectors in their own plane"_s) {
        vectors.source.kind = VectorSource::Kind::Rows;
        vectors.source.stage = Stage::X;
        vectors.source.ownPlane = name == u"vectors in their own plane"_s;
        return vectorsLabScene(paperSnapshot(), {}, vectors).scene;
    }
    if (name == u"a vector without a number"_s)
        return vectorsLabScene(withLabNumber(standardLab::vectors, std::nan("")), {}, vectors).scene;
    MapsLabOptions maps;
    if (name == u"a map of a stage"_s || name == u"a map of rows"_s) {
        maps.source.kind =
            name == u"a map of rows"_s ? VectorSource::Kind::Rows : VectorSource::Kind::Columns;
        maps.source.stage = Stage::Wq;
        return mapsLabScene(paperSnapshot(), {}, maps).scene;
    }
    if (name == u"a map without a number"_s)
        return mapsLabScene(withLabNumber(standardLab::mapA, std::nan("")), {}, maps).scene;
    if (name == u"weight"_s)
        return weightLabScene(paperSnapshot(), {}, {});
    if (name == u"positions"_s)
        return positionsLabScene(paperSnapshot(), {}, {});
    if (name == u"positions kept"_s)
        return positionsLabScene(withEncodingKept(), {}, {});
    if (name == u"positions of another shape"_s) {
        Experiment odd = withEncodingKept()->experiment();
        odd.labs["E"] = Tensor::zeros({1, 2, 6});
        return positionsLabScene(snapshotOf(odd), {}, {});
    }
    if (name == u"learned positions"_s) {
        PositionsLabOptions options;
        options.choice.kind = PositionChoice::Kind::Learned;
        return positionsLabScene(paperSnapshot(), {}, options);
    }
    if (name == u"tokens"_s)
        return tokensLabScene(paperSnapshot(), {}, {});
    if (name == u"softmax"_s)
        return softmaxLabScene(paperSnapshot(), {}, {});
    if (name == u"softmax of a document that starts at A"_s)
        return softmaxLabScene(paperSnapshot(u"given_06_attention"_s), {}, {});
    if (name == u"decoding"_s || name == u"decoding, nothing fed"_s) {
        DecodeOptions options;
        options.position = name == u"decoding"_s ? 2 : 0;
        return decodeScene(paperSnapshot(u"seed_e_a_causal"_s), {}, options);
    }
    const SnapshotPtr byHand = paperSnapshot(u"seed_c_attention_pinned"_s);
    if (name == u"masks"_s)
        return masksScene(paperSnapshot(), {}, emptyMasks(paperSnapshot()));
    if (name == u"masks, A by hand"_s)
        return masksScene(byHand, {}, emptyMasks(byHand));
    if (name == u"patterns"_s)
        return headPatternsScene(paperSnapshot(u"random_025_alibi_six_heads"_s), {}, {});
    return headPatternsScene(paperSnapshot(), {}, {});
}

QImage drawn(const Scene &scene, bool withControls)
{
    QImage image(scene.size.toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    ScenePaintOptions options;
    options.drawControls = withControls;
    paintScene(painter, scene, options);
    return image;
}

} // namespace

/// A figure on paper has no buttons and nothing to drag: it does not speak of them either.
class TestPaperPictures : public QObject
{
    Q_OBJECT

private slots:
    void figuresGiveNoInstructions_data();
    void figuresGiveNoInstructions();
    void hintsAreOnScreenOnly();
};

void TestPaperPictures::figuresGiveNoInstructions_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"vectors in space",
                             "vectors of a stage",
                             "vectors in their own plane",
                             "a vector without a number",
                             "a map of a stage",
                             "a map of rows",
                             "a map without a number",
                             "weight",
                             "positions",
                             "positions kept",
                             "positions of another shape",
                             "learned positions",
                             "tokens",
                             "softmax",
                             "softmax of a document that starts at A",
                             "decoding",
                             "decoding, nothing fed",
                             "masks",
                             "masks, A by hand",
                             "patterns",
                             "patterns of four keys"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestPaperPictures::figuresGiveNoInstructions()
{
    QFETCH(QString, name);
    const Scene scene = paperScene(name);
    QVERIFY(!scene.texts.empty());
    static const QRegularExpression instruction(
        u"\\b(press|click|drag|dragging|paint|type|typed|button|buttons|unpin|undo|turn the|"
        "change it|keep it|select a|choose|step forward|anew)\\b"_s,
        QRegularExpression::CaseInsensitiveOption);
    for (const SceneText &text : scene.texts)
        if (!text.isHint)
            QVERIFY2(!text.text.contains(instruction), qPrintable(text.text));
    FigureOptions options;
    options.format = FigureOptions::Format::Svg;
    const Result<QByteArray> svg = figureBytes(scene, options);
    QVERIFY(svg.ok());
    const QString figure = QString::fromUtf8(*svg);
    for (const SceneText &text : scene.texts)
        if (text.isHint && text.style != SceneText::Style::Heading)
            QVERIFY2(!figure.contains(text.text.toHtmlEscaped()), qPrintable(text.text));
}

void TestPaperPictures::hintsAreOnScreenOnly()
{
    Scene scene;
    scene.size = {200.0, 60.0};
    scene.texts.push_back({{4.0, 4.0, 190.0, 20.0}, u"Press here"_s});
    scene.texts.back().isHint = true;
    SceneShape ground;
    ground.path.addRect({10.0, 30.0, 20.0, 20.0});
    ground.fill = ScenePaint::of(ScenePaint::Role::Text);
    ground.isHint = true;
    scene.shapes.push_back(ground);
    scene.boxes.push_back({{40.0, 30.0, 20.0, 20.0}, true, false, true});
    QImage white(200, 60, QImage::Format_RGB32);
    white.fill(Qt::white);
    QCOMPARE(drawn(scene, false), white);
    const QImage screen = drawn(scene, true);
    QVERIFY(screen.pixel(20, 40) != white.pixel(20, 40));
    QVERIFY(screen.copy(0, 0, 100, 28) != white.copy(0, 0, 100, 28));
    QVERIFY(screen.copy(38, 28, 24, 24) != white.copy(38, 28, 24, 24));
}

QTEST_MAIN(TestPaperPictures)
#include "tst_PaperPictures.moc"
