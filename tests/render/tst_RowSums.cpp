#include "SceneCases.h"
#include "engine/Edit.h"
#include "render/FlowScene.h"
#include "render/SceneBuilders.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/decode/DecodeScene.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

/// Two heads; in the second, the weight of "love" on "prog" set by hand to 0.9, so that its row adds to more.
SnapshotPtr stretchedRow()
{
    Result<EditOutcome> outcome = applyEdit(goldenExperiment(QStringLiteral("seed_d1x_two_heads_from_x")),
                                            PinCells{Stage::A, {{{1, 1, 3}, 0.9}}});
    if (!outcome)
        qFatal("%s", outcome.error().message.c_str());
    return snapshotOf(std::move(outcome->experiment));
}

} // namespace

/// Whoever sets a weight by hand is told, wherever shares of the row are shown, that it adds to 1 no more.
class TestRowSums : public QObject
{
    Q_OBJECT

private slots:
    void boardMarksTheRow();
    void headsMarkTheRow();
    void sharesSayIt();
    void flowsSayIt();
    void decodingSaysIt();
    void nothingIsSaidOfEvenRows();
    void severalRowsAreOneSentence();
};

void TestRowSums::boardMarksTheRow()
{
    const SnapshotPtr snapshot = stretchedRow();
    const double sum = weightSum(*snapshot->stage(Stage::A).values, 1, 1);
    const Scene scene = boardScene(snapshot, {}, BoardOptions{false, 1});
    QCOMPARE(layoutFault(scene), QString());
    QVERIFY(hasText(scene, QStringLiteral("1 pinned · Σ ≠ 1")));
    const SceneMap *map = findMap(scene, Stage::A, 1);
    QVERIFY(map);
    for (const SceneText &text : scene.texts)
        if (text.text == rowSumText(sum)) {
            QVERIFY(text.rect.left() >= map->rect.right());
            QVERIFY(std::abs(text.rect.center().y() - cellRect(*map, 1, 0).center().y()) < 1.0);
            return;
        }
    QFAIL("the sum does not stand beside its row");
}

void TestRowSums::headsMarkTheRow()
{
    for (const bool withLengths : {false, true}) {
        HeadsOptions options;
        options.withLengths = withLengths;
        const Scene scene = headsScene(stretchedRow(), {}, options);
        QCOMPARE(layoutFault(scene), QString());
        QVERIFY(hasText(scene, QStringLiteral("1 row does not add to 1")));
        QVERIFY(hasText(scene, QStringLiteral("Σ 1.")));
    }
}

void TestRowSums::sharesSayIt()
{
    FootprintsOptions options;
    options.head = 1;
    options.row = 1;
    QVERIFY(hasText(footprintsScene(stretchedRow(), {}, options),
                    QStringLiteral("The weights of “love” add to 1.")));
    options.row = 0;
    QVERIFY(!hasText(footprintsScene(stretchedRow(), {}, options), QStringLiteral("The weights of")));
}

void TestRowSums::flowsSayIt()
{
    const QString said = QStringLiteral("The weights of “love” add to 1.");
    const Scene all = tokenFlowScene(stretchedRow(), {}, {});
    QVERIFY(hasText(all, QStringLiteral("Head 2: ") + said));
    TokenFlowOptions other;
    other.target = 0;
    QVERIFY(!hasText(tokenFlowScene(stretchedRow(), {}, other), said));
    RowFlowOptions row;
    row.question = {RowFlowKind::HeadOut, 1, 1};
    QVERIFY(hasText(rowFlowScene(stretchedRow(), {}, row), said));
    row.question.head = 0;
    QVERIFY(!hasText(rowFlowScene(stretchedRow(), {}, row), said));
}

void TestRowSums::decodingSaysIt()
{
    Result<EditOutcome> outcome = applyEdit(goldenExperiment(QStringLiteral("seed_d1x_two_heads_from_x")),
                                            PinCells{Stage::A, {{{1, 1, 0}, 0.9}}});
    QVERIFY(outcome.ok());
    DecodeOptions options;
    options.head = 1;
    options.position = 2;
    const Scene scene = decodeScene(snapshotOf(std::move(outcome->experiment)), {}, options);
    QVERIFY(hasText(scene, QStringLiteral("The weights of “love” add to 1.")));
}

void TestRowSums::nothingIsSaidOfEvenRows()
{
    const SnapshotPtr snapshot = goldenSnapshot(QStringLiteral("seed_d1x_two_heads_from_x"));
    QVERIFY(unevenLines(*snapshot, {}, {}).isEmpty());
    QVERIFY(!hasText(boardScene(snapshot, {}, {}), QStringLiteral("Σ")));
    QVERIFY(!hasText(headsScene(snapshot, {}, {}), QStringLiteral("add to 1")));
}

void TestRowSums::severalRowsAreOneSentence()
{
    PinCells pins{Stage::A, {}};
    for (Index row = 0; row < 4; ++row)
        pins.cells.push_back({{0, row, 0}, 2.0});
    Result<EditOutcome> outcome =
        applyEdit(goldenExperiment(QStringLiteral("seed_d1x_two_heads_from_x")), pins);
    QVERIFY(outcome.ok());
    const QString text = unevenRowsText(*snapshotOf(std::move(outcome->experiment)), 0);
    QVERIFY2(text.startsWith(QStringLiteral("The weights of 4 rows do not add to 1: “I” 2.")),
             qPrintable(text));
    QVERIFY2(text.endsWith(QStringLiteral(", ….")), qPrintable(text));
}

QTEST_MAIN(TestRowSums)
#include "tst_RowSums.moc"
