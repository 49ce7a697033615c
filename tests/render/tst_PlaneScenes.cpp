#include "engine/Edit.h"
#include "engine/lab/StandardLabs.h"
#include "render/SceneCases.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "support/GoldenFile.h"
#include "support/ImportRun.h"

#include <QSet>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

SmallMatrix columns(Index rows, Index cols, std::vector<double> values)
{
    return SmallMatrix::of(rows, cols, std::move(values));
}

/// The example with other scratch matrices.
/// The start values of a scratch matrix, but for the first.
SmallMatrix standardWith(const std::string &lab, double first)
{
    SmallMatrix numbers = SmallMatrix::of(standardLabMatrix(lab));
    numbers.at(0, 0) = first;
    return numbers;
}

SnapshotPtr withLabs(const std::map<std::string, SmallMatrix> &labs)
{
    Experiment experiment = goldenExperiment(u"seed_a_computed"_s);
    for (const auto &[name, matrix] : labs)
        experiment.labs[name] = matrix.tensor();
    return snapshotOf(std::move(experiment));
}

QString textsOf(const Scene &scene)
{
    QStringList all;
    for (const SceneText &text : scene.texts)
        all.append(text.text);
    return all.join(u' '); // titles may be broken into lines
}

const SceneGrip *gripOf(const Scene &scene, const QString &id)
{
    for (const SceneGrip &grip : scene.grips)
        if (grip.id == id)
            return &grip;
    return nullptr;
}

VectorsLabOptions scratch(Index dimension, Index count)
{
    VectorsLabOptions options;
    options.source.dimension = dimension;
    options.source.count = count;
    return options;
}

} // namespace

/// The lab pages on vectors, maps and weights: the worked numbers of CURRICULUM 1.2 as they are shown, what
/// is said about sets and maps, and that dragged points mean what they show.
class TestPlaneScenes : public QObject
{
    Q_OBJECT

private slots:
    void workedNumbersAreShown();
    void spansAreNamed_data();
    void spansAreNamed();
    void goldenSpansAreNamed();
    void targetsAreAnswered();
    void everyStatementSaysWhatItIs();
    void gripsStandWhereTheirNumbersAre();
    void stepsGrowThePath();
    void stageVectorsAreTheStages();
    void scratchTargetDoesNotScaleAStage();
    void weightsFillTheirPlane_data();
    void weightsFillTheirPlane();
    void refusalsAreSaid();
    void mapsSayWhatTheyAre_data();
    void mapsSayWhatTheyAre();
    void compositionPrintsTheDifference();
    void factorsAreShown();
    void mapsMoveFromTheIdentity();
    void weightsShowTheirSingularValues_data();
    void weightsShowTheirSingularValues();
    void numbersThatAreNoneCanBeMended_data();
    void numbersThatAreNoneCanBeMended();
    void ticksAreRoundNumbers();
    void namesDoNotOverlap_data();
    void namesDoNotOverlap();
    void axesAreNamed();
    void planeAndNumbersFitTheRoom_data();
    void planeAndNumbersFitTheRoom();
    void picturesLieInside_data();
    void picturesLieInside();
};

/// [N] 3·(1, 2) = (3, 6) and (1, 0) + (0, 1) = (1, 1).
void TestPlaneScenes::workedNumbersAreShown()
{
    const SnapshotPtr scaling = withLabs({{standardLab::vectors, columns(3, 3, {1, 3, 0, 2, 1, 0, 0, 0, 0})},
                                          {standardLab::coefficients, columns(3, 1, {3, 1, 1})}});
    QVERIFY(textsOf(vectorsLabScene(scaling, {}, scratch(2, 1)).scene).contains(u"3·(1, 2) = (3, 6)"_s));
    const SnapshotPtr adding = withLabs({{standardLab::vectors, columns(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 0})},
                                         {standardLab::coefficients, columns(3, 1, {1, 1, 1})}});
    const QString texts = textsOf(vectorsLabScene(adding, {}, scratch(2, 2)).scene);
    QVERIFY(texts.contains(u"v₁ + v₂ = (1, 0) + (0, 1) = (1, 1)"_s));
}

void TestPlaneScenes::spansAreNamed_data()
{
    QTest::addColumn<QList<double>>("vectors");
    QTest::addColumn<int>("dimension");
    QTest::addColumn<int>("count");
    QTest::addColumn<QStringList>("wanted");
    const auto add = [](const char *name, const QList<double> &vectors, int dimension, int count,
                        const QStringList &wanted) {
        QTest::newRow(name) << vectors << dimension << count << wanted;
    };
    add("two that are not parallel", {1, 3, 0, 2, 1, 0, 0, 0, 0}, 2, 2,
        {u"The span is the whole plane"_s, u"Independent"_s, u"A basis of the 2 dimensions"_s,
         u"rank 2; singular values: 3.618, 1.382"_s, u"determinant −5"_s});
    add("two parallel ones", {1, 2, 0, 2, 4, 0, 0, 0, 0}, 2, 2,
        {u"The span is a line"_s, u"Not independent"_s, u"v₂ = 2·v₁"_s, u"Not a basis"_s});
    add("one", {2, 0, 0, 1, 0, 0, 0, 0, 0}, 2, 1,
        {u"The span is a line"_s, u"Independent"_s, u"not every point is reached"_s});
    add("three in the plane", {1, 3, 4, 2, 1, 3, 0, 0, 0}, 2, 3,
        {u"The span is the whole plane"_s, u"v₃ = v₁ + v₂"_s, u"in more than one way"_s});
    add("nothing", {0, 0, 0, 0, 0, 0, 0, 0, 0}, 2, 2, {u"The span is the origin alone"_s, u"v₁ = (0, 0)"_s});
    add("space, a plane", {1, 0, 1, 0, 1, 1, 1, 1, 2}, 3, 3,
        {u"The span is a plane through the origin"_s, u"v₃ = v₁ + v₂"_s});
    add("space, a line", {1, 2, -1, 2, 4, -2, 3, 6, -3}, 3, 3,
        {u"The span is a line"_s, u"v₂ = 2·v₁"_s, u"v₃ = (−1)·v₁"_s});
    add("space, all of it", {1, 0, 1, 1, 1, 0, 0, 1, 1}, 3, 3,
        {u"The span is all of space"_s, u"A basis of the 3 dimensions"_s});
}

void TestPlaneScenes::spansAreNamed()
{
    QFETCH(QList<double>, vectors);
    QFETCH(int, dimension);
    QFETCH(int, count);
    QFETCH(QStringList, wanted);
    const SnapshotPtr snapshot =
        withLabs({{standardLab::vectors, columns(3, 3, {vectors.begin(), vectors.end()})}});
    const QString texts = textsOf(vectorsLabScene(snapshot, {}, scratch(dimension, count)).scene);
    for (const QString &text : wanted)
        QVERIFY2(texts.contains(text), qPrintable(text + u"\nnot in\n"_s + texts));
    QVERIFY(texts.contains(u"10⁻¹⁰"_s)); // the tolerance of the rank
}

/// Each set of golden `vectors` by the name that it has there.
void TestPlaneScenes::goldenSpansAreNamed()
{
    const Json file = readGolden(u"vectors"_s);
    QSet<QString> seen;
    for (const Json &entry : file["sets"].toArray()) {
        const SmallMatrix rows = SmallMatrix::of(goldenTensor(entry["vectors"]));
        if (rows.rows > 3)
            continue; // the page shows three at most
        SmallMatrix numbers = SmallMatrix::zeros(3, 3);
        for (Index i = 0; i < rows.rows; ++i)
            for (Index k = 0; k < rows.cols; ++k)
                numbers.at(k, i) = rows.at(i, k);
        const QString texts = textsOf(
            vectorsLabScene(withLabs({{standardLab::vectors, numbers}}), {}, scratch(rows.cols, rows.rows))
                .scene);
        const QString name = QString::fromStdString(std::string(entry["facts"]["span_name"].toString()));
        const QString wanted = name == u"point"_s   ? u"The span is the origin alone"_s
                               : name == u"line"_s  ? u"The span is a line through the origin"_s
                               : name == u"space"_s ? u"The span is all of space"_s
                               : rows.cols == 2     ? u"The span is the whole plane"_s
                                                    : u"The span is a plane through the origin"_s;
        QVERIFY2(texts.contains(wanted), qPrintable(wanted + u"\nnot in\n"_s + texts));
        seen.insert(name);
    }
    QCOMPARE(seen.size(), 4);
}

void TestPlaneScenes::targetsAreAnswered()
{
    const auto answer = [](std::vector<double> vectors, Index count) {
        const SnapshotPtr snapshot = withLabs({{standardLab::vectors, columns(3, 3, std::move(vectors))},
                                               {standardLab::target, columns(3, 1, {3, 4, 0})}});
        return textsOf(vectorsLabScene(snapshot, {}, scratch(2, count)).scene);
    };
    QVERIFY(answer({1, 0, 0, 0, 2, 0, 0, 0, 0}, 2).contains(u"t = 3·v₁ + 2·v₂: in exactly one way"_s));
    QVERIFY(answer({1, 0, 0, 0, 2, 0, 0, 0, 0}, 1)
                .contains(u"residual 4; the nearest point reached is (3, 0)"_s));
    QVERIFY(answer({1, 0, 1, 0, 1, 1, 0, 0, 0}, 3).contains(u"infinitely many ways"_s));
    QVERIFY(answer({1, 0, 0, 0, 2, 0, 0, 0, 0}, 2).contains(u"t = 3·e₁ + 4·e₂"_s));
}

/// CURRICULUM 1.1: each statement is labelled.
void TestPlaneScenes::everyStatementSaysWhatItIs()
{
    const SnapshotPtr snapshot = withLabs({});
    MapsLabOptions compose;
    compose.mode = MapsLabOptions::Mode::Compose;
    for (const Scene &scene : {vectorsLabScene(snapshot, {}).scene, mapsLabScene(snapshot, {}).scene,
                               mapsLabScene(snapshot, {}, compose).scene, weightLabScene(snapshot, {})}) {
        int badges = 0;
        for (const SceneText &text : scene.texts) {
            if (text.style != SceneText::Style::Badge)
                continue;
            ++badges;
            QVERIFY(text.text == u"definition"_s || text.text == u"convention"_s ||
                    text.text == u"consequence"_s);
        }
        QVERIFY(badges >= 3);
    }
}

void TestPlaneScenes::gripsStandWhereTheirNumbersAre()
{
    const PlaneScene made = vectorsLabScene(withLabs({}), {}, scratch(2, 2));
    const SceneGrip *grip = gripOf(made.scene, u"v:1"_s);
    QVERIFY(grip);
    QCOMPARE(made.plane.numbersAt(grip->pos), QPointF(3.0, 1.0));
    QCOMPARE(grip->value, u"(3, 1)"_s);
    // A press of a key is a tenth of a unit.
    QCOMPARE(made.plane.numbersAt(grip->pos + QPointF(grip->step, 0.0)), QPointF(3.1, 1.0));
    const SceneGrip *coefficient = gripOf(made.scene, u"x:1"_s);
    QCOMPARE(made.coefficientAt(1, coefficient->pos), -1.0);
    const PlaneScene space = vectorsLabScene(withLabs({}), {}, scratch(3, 3));
    const VectorsLabOptions start;
    const QPointF angles = space.anglesAt(gripOf(space.scene, u"turn"_s)->pos);
    QVERIFY(std::abs(angles.x() - start.azimuth) < 1e-9 && std::abs(angles.y() - start.elevation) < 1e-9);
}

void TestPlaneScenes::stepsGrowThePath()
{
    const auto sumAt = [](double step) {
        VectorsLabOptions options = scratch(2, 2);
        options.step = step;
        for (const SceneShape &shape : vectorsLabScene(withLabs({}), {}, options).scene.shapes)
            if (shape.name.startsWith(u"the sum so far"_s))
                return shape.name;
        return QString();
    };
    QVERIFY(sumAt(0.5).endsWith(u"(1, 2)"_s)); // half of 2·(1, 2)
    QVERIFY(sumAt(1.0).endsWith(u"(2, 4)"_s));
    QVERIFY(sumAt(2.0).endsWith(u"(−1, 3)"_s));
}

void TestPlaneScenes::stageVectorsAreTheStages()
{
    const SnapshotPtr snapshot = withLabs({});
    VectorsLabOptions options;
    options.source.kind = VectorSource::Kind::Columns;
    options.source.stage = Stage::Wq;
    for (const bool ownPlane : {false, true}) {
        options.source.ownPlane = ownPlane;
        const PlaneScene made = vectorsLabScene(snapshot, {}, options);
        const Tensor &Wq = snapshot->experiment().matrix(Stage::Wq);
        for (Index i = 0; i < 6; ++i)
            QCOMPARE(made.vectors.at(i, 1), Wq.at(i, 1));
        const QString texts = textsOf(made.scene);
        QCOMPARE(texts.contains(u"Gram and Schmidt"_s), ownPlane);
        // Both stand as editable cells of the stage.
        int rows = 0;
        for (const SceneMap &map : made.scene.maps) {
            if (map.key.role != MapKey::Role::Stage)
                continue;
            ++rows;
            QVERIFY(map.key.transposed && !map.readOnly);
            QCOMPARE(map.values->value(0, 0, 3), Wq.at(3, map.key.colOffset));
        }
        QCOMPARE(rows, 2);
    }
}

/// The arrows of Wq, 0.1 to 0.3 long, are seen although the scratch target stands at (2, 3): it waits on the
/// border, and the page says so.
void TestPlaneScenes::scratchTargetDoesNotScaleAStage()
{
    const SnapshotPtr snapshot = withLabs({});
    VectorsLabOptions options;
    options.room = {1000.0, 470.0};
    options.source.kind = VectorSource::Kind::Columns;
    options.source.stage = Stage::Wq;
    for (const bool ownPlane : {false, true}) {
        options.source.ownPlane = ownPlane;
        const PlaneScene made = vectorsLabScene(snapshot, {}, options);
        QVERIFY2(made.plane.reach < 2.0, qPrintable(QString::number(made.plane.reach)));
        const SceneGrip *target = gripOf(made.scene, u"t"_s);
        QVERIFY(target && target->value == u"(2, 3)"_s);
        QVERIFY(made.plane.rect.contains(target->pos));
        QVERIFY(textsOf(made.scene).contains(u"lies outside of the picture"_s));
        for (const SceneText &text : made.scene.texts) // what begins in the plane ends there
            if (made.plane.rect.contains(text.rect.topLeft()))
                QVERIFY2(made.plane.rect.contains(text.rect), qPrintable(text.text));
    }
    // Within reach it takes its part in the scale, as ever.
    options.source.ownPlane = false;
    const PlaneScene near =
        vectorsLabScene(withLabs({{standardLab::target, columns(3, 1, {0.3, 0.3, 0.0})}}), {}, options);
    QVERIFY(near.plane.holds(0.3, 0.3));
    QVERIFY(!textsOf(near.scene).contains(u"lies outside of the picture"_s));
}

void TestPlaneScenes::weightsFillTheirPlane_data()
{
    QTest::addColumn<double>("position");
    for (const double position : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0})
        QTest::addRow("at step %g", position) << position;
}

/// Numbers along other directions than those drawn do not press the picture into its origin: here the third
/// number of the tokens is a hundred times the others.
void TestPlaneScenes::weightsFillTheirPlane()
{
    QFETCH(double, position);
    const Result<EditOutcome> changed =
        applyEdit(goldenExperiment(u"seed_a_computed"_s), Edit(SetCells{Stage::X, {{{0, 0, 2}, 100.0}}}));
    QVERIFY(bool(changed));
    WeightLabOptions options;
    options.position = position;
    const Scene scene = weightLabScene(snapshotOf(changed->experiment), {}, options);
    QRectF plane;
    for (const SceneShape &shape : scene.shapes)
        if (shape.fill.role == ScenePaint::Role::Card && shape.path.boundingRect().height() > 100.0)
            plane = shape.path.boundingRect();
    double farthest = 0.0;
    for (const SceneShape &shape : scene.shapes) {
        if (!shape.arrow)
            continue;
        const QPointF tip = shape.path.currentPosition() - plane.center();
        farthest = std::max({farthest, std::abs(tip.x()), std::abs(tip.y())});
    }
    const double share = farthest / (0.5 * plane.width());
    QVERIFY2(share > 0.15 && share <= 1.0, qPrintable(QString::number(share)));
}

void TestPlaneScenes::refusalsAreSaid()
{
    VectorsLabOptions options;
    options.source.kind = VectorSource::Kind::Columns;
    options.source.stage = Stage::Xkv;
    QVERIFY(textsOf(vectorsLabScene(withLabs({}), {}, options).scene).contains(u"Xkv has no values"_s));
    WeightLabOptions weight;
    weight.weight = Stage::A;
    QVERIFY(textsOf(weightLabScene(withLabs({}), {}, weight)).contains(u"expected one of Wq"_s));
    const SnapshotPtr broken = withLabs({{standardLab::mapA, columns(1, 1, {2})}});
    QVERIFY(textsOf(mapsLabScene(broken, {}).scene).contains(u"expected at least 2×2, found 1×1"_s));
}

void TestPlaneScenes::mapsSayWhatTheyAre_data()
{
    QTest::addColumn<QList<double>>("A");
    QTest::addColumn<QStringList>("wanted");
    const auto add = [](const char *name, const QList<double> &A, const QStringList &wanted) {
        QTest::newRow(name) << A << wanted;
    };
    add("a quarter turn", {0, -1, 1, 0}, {u"A rotation by 90°"_s, u"Determinant 1"_s, u"orientation kept"_s});
    add("a stretch", {2, 0, 0, 1}, {u"A stretch by 2 along (1, 0) and 1 across it"_s, u"areas times 2"_s});
    add("a shear", {1, 1, 0, 1}, {u"A shear along (1, 0) by 1"_s});
    add("a reflection", {1, 0, 0, -1}, {u"A reflection across the line along (1, 0)"_s, u"turned over"_s});
    add("a projection", {0.5, 0.5, 0.5, 0.5},
        {u"A projection onto the line along (0.7071, 0.7071)"_s, u"Rank 1"_s});
    add("a collapse", {1, 2, 2, 4},
        {u"Everything is pressed onto the line"_s, u"areas become 0"_s, u"Rank 1"_s});
    add("zero", {0, 0, 0, 0}, {u"Zero"_s, u"Rank 0"_s});
}

void TestPlaneScenes::mapsSayWhatTheyAre()
{
    QFETCH(QList<double>, A);
    QFETCH(QStringList, wanted);
    const SnapshotPtr snapshot = withLabs({{standardLab::mapA, columns(2, 2, {A.begin(), A.end()})},
                                           {standardLab::inputs, columns(2, 2, {1, 0, 0, 1})}});
    const QString texts = textsOf(mapsLabScene(snapshot, {}).scene);
    for (const QString &text : wanted)
        QVERIFY2(texts.contains(text), qPrintable(text + u"\nnot in\n"_s + texts));
    QCOMPARE(texts.count(u"✓"_s), qsizetype(2)); // both conditions of a linear map
    QVERIFY(!texts.contains(u"✗"_s));
}

void TestPlaneScenes::compositionPrintsTheDifference()
{
    MapsLabOptions options;
    options.mode = MapsLabOptions::Mode::Compose;
    const SnapshotPtr snapshot = withLabs({}); // a quarter turn and a stretch
    const Scene scene = mapsLabScene(snapshot, {}, options).scene;
    const QString texts = textsOf(scene);
    QVERIFY(texts.contains(u"The order matters: AB ≠ BA"_s));
    QVERIFY(texts.contains(u"AB means: first B, then A"_s));
    QVERIFY(texts.contains(u"A·(2, 0) = (0, 2)"_s));
    bool isShown = false;
    for (const SceneMap &map : scene.maps)
        if (map.key.id == u"compose:difference"_s) {
            isShown = true;
            QCOMPARE(map.values->value(0, 0, 1), 1.0);
            QCOMPARE(map.values->value(0, 1, 0), 1.0);
            QCOMPARE(map.values->value(0, 0, 0), 0.0);
        }
    QVERIFY(isShown);
    const SnapshotPtr exchangeable = withLabs({{standardLab::mapA, columns(2, 2, {3, 0, 0, 2})}});
    QVERIFY(textsOf(mapsLabScene(exchangeable, {}, options).scene).contains(u"AB = BA"_s));
}

void TestPlaneScenes::factorsAreShown()
{
    MapsLabOptions options;
    options.mode = MapsLabOptions::Mode::Factors;
    const SnapshotPtr snapshot = withLabs({{standardLab::mapA, columns(2, 2, {0, 1, 2, 0})}});
    const QString texts = textsOf(mapsLabScene(snapshot, {}, options).scene);
    QVERIFY(texts.contains(u"rotate, stretch, rotate"_s));
    QVERIFY(texts.contains(u"stretch by 2 to the right and −1 upwards"_s)); // it mirrors
    QVERIFY(texts.contains(u"the second stretch is negative"_s));
}

void TestPlaneScenes::mapsMoveFromTheIdentity()
{
    const auto columnAt = [](double position) {
        MapsLabOptions options;
        options.position = position;
        for (const SceneShape &shape : mapsLabScene(withLabs({}), {}, options).scene.shapes)
            if (shape.name.startsWith(u"a₁"_s))
                return shape.name;
        return QString();
    };
    QCOMPARE(columnAt(0.0), u"a₁ = (1, 0)"_s);
    QCOMPARE(columnAt(0.5), u"a₁ = (0.7071, 0.7071)"_s); // half of a quarter turn
    QCOMPARE(columnAt(1.0), u"a₁ = (0, 1)"_s);
}

void TestPlaneScenes::weightsShowTheirSingularValues_data()
{
    QTest::addColumn<int>("weight");
    for (const Stage stage : {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo})
        QTest::newRow(stageName(stage)) << int(stage);
}

void TestPlaneScenes::weightsShowTheirSingularValues()
{
    QFETCH(int, weight);
    Experiment twoHeads = goldenExperiment(u"seed_d1x_two_heads_from_x"_s);
    const SnapshotPtr snapshot = snapshotOf(std::move(twoHeads));
    WeightLabOptions options;
    options.weight = static_cast<Stage>(weight);
    options.head = 1;
    options.token = 1;
    for (const double position : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0}) {
        options.position = position;
        const Scene scene = weightLabScene(snapshot, {}, options);
        QVERIFY(textsOf(scene).contains(u"Singular values σ"_s));
        QVERIFY(textsOf(scene).contains(u"The row of “love”"_s));
        QVERIFY(layoutFault(scene).isEmpty());
    }
    // What comes out is the row of the stage behind it.
    const Scene scene = weightLabScene(snapshot, {}, options);
    const Stage result = options.weight == Stage::Wq   ? Stage::Q
                         : options.weight == Stage::Wk ? Stage::K
                         : options.weight == Stage::Wv ? Stage::V
                                                       : Stage::HeadContribution;
    for (const SceneMap &map : scene.maps) {
        if (map.key.id != u"v:2"_s)
            continue;
        const bool isPerHead = result == Stage::HeadContribution;
        for (Index col = 0; col < map.values->cols(); ++col) {
            const double expected =
                snapshot->stage(result).values->value(isPerHead ? 1 : 0, 1, isPerHead ? col : 3 + col);
            QVERIFY(std::abs(map.values->value(0, 0, col) - expected) <= 1e-12);
        }
    }
}

/// A page that cannot be drawn keeps its numbers, so that they can be mended there.
void TestPlaneScenes::numbersThatAreNoneCanBeMended_data()
{
    QTest::addColumn<bool>("isMap");
    QTest::addColumn<QString>("lab");
    for (const std::string &lab : {standardLab::vectors, standardLab::coefficients, standardLab::target})
        QTest::newRow(lab.c_str()) << false << QString::fromStdString(lab);
    for (const std::string &lab :
         {standardLab::mapA, standardLab::mapB, standardLab::inputs, standardLab::factor})
        QTest::newRow(lab.c_str()) << true << QString::fromStdString(lab);
}

void TestPlaneScenes::numbersThatAreNoneCanBeMended()
{
    QFETCH(bool, isMap);
    QFETCH(QString, lab);
    const SnapshotPtr snapshot =
        withLabs({{lab.toStdString(), standardWith(lab.toStdString(), std::nan(""))}});
    const Scene scene =
        isMap ? mapsLabScene(snapshot, {}, {}).scene : vectorsLabScene(snapshot, {}, scratch(2, 2)).scene;
    QVERIFY(hasText(scene, QStringLiteral("cannot be drawn")));
    const auto map = std::ranges::find_if(scene.maps, [&](const SceneMap &one) { return one.key.id == lab; });
    QVERIFY(map != scene.maps.end());
    QVERIFY(!map->readOnly);
    QVERIFY(std::isnan(map->values->value(0, 0, 0)));
    QVERIFY2(layoutFault(scene).isEmpty(), qPrintable(layoutFault(scene)));
}

/// Ticks are 1, 2 or 5 of a decade, and as wide as their room.
void TestPlaneScenes::ticksAreRoundNumbers()
{
    const auto ticks = [](double number) {
        QStringList texts;
        const SnapshotPtr snapshot =
            withLabs({{standardLab::vectors, standardWith(standardLab::vectors, number)}});
        const Scene scene = vectorsLabScene(snapshot, {}, scratch(2, 1)).scene;
        for (const SceneText &text : scene.texts)
            if (text.style == SceneText::Style::Muted && text.rect.height() == 14.0)
                texts.append(text.text);
        return texts;
    };
    QVERIFY(ticks(123456.0).contains(QStringLiteral("200000")));

    QVERIFY(ticks(5.0).contains(QStringLiteral("4")));
    for (const QString &tick : ticks(123456.0))
        QVERIFY2(tick.endsWith(QStringLiteral("0000")), qPrintable(tick));
}

void TestPlaneScenes::namesDoNotOverlap_data()
{
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    QTest::newRow("a small window") << 900.0 << 300.0;
    QTest::newRow("a large window") << 1900.0 << 900.0;
}

/// Of the axes, the numbers on them and what is drawn: none lies on another, wherever the points are.
void TestPlaneScenes::namesDoNotOverlap()
{
    QFETCH(double, width);
    QFETCH(double, height);
    std::mt19937 random(31);
    std::uniform_int_distribution<int> place(-8, 8);
    const auto check = [](const Scene &scene, const QString &what) {
        QList<QRectF> planes;
        for (const SceneShape &shape : scene.shapes)
            if (shape.fill.role == ScenePaint::Role::Card && shape.path.boundingRect().height() > 100.0)
                planes.append(shape.path.boundingRect());
        QVERIFY2(!planes.isEmpty(), qPrintable(what));
        const auto isInPlane = [&planes](const SceneText &text) {
            return std::ranges::any_of(
                planes, [&text](const QRectF &plane) { return plane.contains(text.rect.center()); });
        };
        for (std::size_t i = 0; i < scene.texts.size(); ++i) {
            if (!isInPlane(scene.texts[i]))
                continue;
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!scene.texts[i].rect.intersects(scene.texts[j].rect),
                         qPrintable(u"%1: \"%2\" lies on \"%3\""_s.arg(what, scene.texts[i].text,
                                                                       scene.texts[j].text)));
            if (scene.texts[i].style == SceneText::Style::Title)
                for (const SceneGrip &grip : scene.grips)
                    QVERIFY2(!scene.texts[i].rect.contains(grip.pos) || grip.bounds.height() == 0.0,
                             qPrintable(scene.texts[i].text + u" on "_s + grip.id));
        }
    };
    for (int round = 0; round < 40; ++round) {
        const auto drawn = [&](double unit) {
            SmallMatrix numbers = SmallMatrix::zeros(3, 3);
            for (double &number : numbers.data)
                number = place(random) * unit;
            return numbers;
        };
        // Points at borders, on the axes, on each other and far out.
        const double unit = round % 3 == 0 ? 0.5 : round % 3 == 1 ? 1.0 : 250.0;
        std::map<std::string, SmallMatrix> labs;
        labs[standardLab::vectors] = drawn(unit);
        SmallMatrix target = SmallMatrix::zeros(3, 1);
        for (Index i = 0; i < 3; ++i)
            target.at(i, 0) = round % 4 == 0 ? labs[standardLab::vectors].at(i, 0) : place(random) * unit;
        labs[standardLab::target] = target;
        for (const std::string &name : {standardLab::mapA, standardLab::mapB, standardLab::inputs}) {
            SmallMatrix numbers = SmallMatrix::of(standardLabMatrix(name));
            for (double &number : numbers.data)
                number = place(random) * 0.5;
            labs[name] = numbers;
        }
        const SnapshotPtr snapshot = withLabs(labs);
        VectorsLabOptions vectors = scratch(2 + round % 2, 3);
        vectors.room = {width, height};
        check(vectorsLabScene(snapshot, {}, vectors).scene, u"vectors, round %1"_s.arg(round));
        for (int mode = 0; mode < 3; ++mode) {
            MapsLabOptions maps;
            maps.mode = static_cast<MapsLabOptions::Mode>(mode);
            maps.room = {width, height};
            maps.position = round % 5 * 0.5;
            check(mapsLabScene(snapshot, {}, maps).scene, u"maps, round %1, mode %2"_s.arg(round).arg(mode));
        }
        WeightLabOptions weight;
        weight.room = {width, height};
        weight.position = round % 4;
        weight.token = round % 3;
        check(weightLabScene(snapshot, {}, weight), u"weight, round %1"_s.arg(round));
    }
}

/// Each plane says what its axes count.
void TestPlaneScenes::axesAreNamed()
{
    const SnapshotPtr snapshot = withLabs({});
    WeightLabOptions weight;
    const QStringList wanted = {u"number 1 of the row"_s, u"along u₁"_s, u"along v₁"_s,
                                u"number 1 of the result"_s};
    for (int position = 0; position < 4; ++position) {
        weight.position = position;
        const QString texts = textsOf(weightLabScene(snapshot, {}, weight));
        QVERIFY2(texts.contains(wanted[position]), qPrintable(texts));
        QVERIFY(texts.contains(
            QString(wanted[position]).replace(u"number 1"_s, u"number 2"_s).replace(u"₁"_s, u"₂"_s)));
    }
    MapsLabOptions maps;
    maps.mode = MapsLabOptions::Mode::Compose;
    QCOMPARE(textsOf(mapsLabScene(snapshot, {}, maps).scene).count(u"number 2"_s), 4);
}

void TestPlaneScenes::planeAndNumbersFitTheRoom_data()
{
    QTest::addColumn<double>("height");
    QTest::newRow("a window of 1440 by 900") << 470.0;
    QTest::newRow("a full screen") << 640.0;
}

/// What is dragged and what is typed are seen together, without scrolling.
void TestPlaneScenes::planeAndNumbersFitTheRoom()
{
    QFETCH(double, height);
    const SnapshotPtr snapshot = withLabs({});
    const QSizeF room(1100.0, height);
    VectorsLabOptions vectors = scratch(2, 2);
    MapsLabOptions maps;
    vectors.room = maps.room = room;
    for (const PlaneScene &made :
         {vectorsLabScene(snapshot, {}, vectors), mapsLabScene(snapshot, {}, maps)}) {
        QVERIFY(made.plane.rect.height() >= 250.0);
        QCOMPARE(made.plane.rect.width(), made.plane.rect.height());
        for (const SceneGrip &grip : made.scene.grips)
            QVERIFY2(grip.pos.y() <= height, qPrintable(grip.id));
        QVERIFY(!made.scene.maps.empty());
        for (const SceneMap &numbers : made.scene.maps)
            QVERIFY2(numbers.rect.bottom() <= height, qPrintable(numbers.name));
    }
}

void TestPlaneScenes::picturesLieInside_data()
{
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("height");
    for (const double width : {960.0, 1256.0, 1900.0})
        for (const double height : {0.0, 300.0, 470.0})
            QTest::addRow("%d wide, %d high", int(width), int(height)) << width << height;
}

void TestPlaneScenes::picturesLieInside()
{
    QFETCH(double, width);
    QFETCH(double, height);
    const SnapshotPtr snapshot = withLabs({});
    VectorsLabOptions vectors = scratch(3, 3);
    vectors.room = {width, height};
    std::vector<Scene> scenes = {vectorsLabScene(snapshot, {}, vectors).scene};
    vectors.source.kind = VectorSource::Kind::Rows;
    vectors.source.stage = Stage::X;
    scenes.push_back(vectorsLabScene(snapshot, {}, vectors).scene);
    for (int mode = 0; mode < 3; ++mode) {
        MapsLabOptions maps;
        maps.mode = static_cast<MapsLabOptions::Mode>(mode);
        maps.room = {width, height};
        scenes.push_back(mapsLabScene(snapshot, {}, maps).scene);
        maps.source.kind = VectorSource::Kind::Columns;
        scenes.push_back(mapsLabScene(snapshot, {}, maps).scene);
    }
    WeightLabOptions weights;
    weights.room = {width, height};
    scenes.push_back(weightLabScene(snapshot, {}, weights));
    for (const Scene &scene : scenes) {
        QVERIFY2(layoutFault(scene).isEmpty(), qPrintable(layoutFault(scene)));
        QVERIFY(scene.size.width() <= width + 1.0);
        for (const SceneGrip &grip : scene.grips)
            QVERIFY(QRectF(QPointF(), scene.size).contains(grip.pos));
    }
}

QTEST_MAIN(TestPlaneScenes)
#include "tst_PlaneScenes.moc"
