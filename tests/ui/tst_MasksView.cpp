#include "WorkspaceFixture.h"

#include "ExportController.h"
#include "render/scenes/StageTexts.h"
#include "views/masks/MaskControls.h"
#include "views/masks/MasksView.h"

#include <QComboBox>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolTip>

#include <algorithm>
#include <limits>

using namespace attn;

namespace {

MasksView *masksView(WindowFixture &fixture)
{
    fixture.window.showWorkspace(QStringLiteral("masks"));
    QCoreApplication::processEvents();
    return qobject_cast<MasksView *>(fixture.window.currentWorkspace());
}

const SceneMap &allowedMap(MasksView *masks)
{
    const auto &maps = masks->view()->scene()->maps;
    return *std::find_if(maps.begin(), maps.end(), [](const SceneMap &map) {
        return map.key.role == MapKey::Role::Stage && map.key.stage == Stage::Allowed;
    });
}

QPoint cellPlace(MasksView *masks, Index row, Index col)
{
    return masks->view()->fromScene(cellRect(allowedMap(masks), row, col)).center().toPoint();
}

void drag(MasksView *masks, GridPosition from, GridPosition to, Qt::MouseButton button = Qt::LeftButton,
          Qt::KeyboardModifiers modifiers = {})
{
    QWidget *viewport = masks->view()->viewport();
    QTest::mousePress(viewport, button, modifiers, cellPlace(masks, from.row, from.col));
    const QPoint place = cellPlace(masks, to.row, to.col);
    QMouseEvent move(QEvent::MouseMove, place, viewport->mapToGlobal(place), Qt::NoButton, button, modifiers);
    QCoreApplication::sendEvent(viewport, &move);
    QTest::mouseRelease(viewport, button, modifiers, place);
    QCoreApplication::processEvents();
}

std::vector<double> maskOf(WindowFixture &fixture, Stage stage = Stage::MaskBool)
{
    return fixture.bench()->experiment().matrix(stage).toDoubles();
}

void trigger(WindowFixture &fixture, const QString &id)
{
    auto *action = fixture.window.findChild<QAction *>(id);
    ATTN_ASSERT(action, "the action exists");
    action->trigger();
    QCoreApplication::processEvents();
}

} // namespace

class TestMasksView : public QObject
{
    Q_OBJECT

private slots:
    void tipsSayInWordsWhatHidesAKey();
    void choiceIsWrittenAndReadAgain();
    void strokeIsOneUndoStep();
    void rightButtonKeepsAgain();
    void shiftDragPaintsARectangle();
    void keysPaint();
    void oneHeadOrAll();
    void additiveAndPadding();
    void stampsInvertsAndConverts();
    void causalMaskIsAnsweredFor();
    void whatStaysHiddenIsSaid();
    void comparedWithTheKeptMask();
    void partsAreSettings();
    void offsetIsAlignedByButtons();
    void conventionSwitchChangesThePictureAlone();
    void isSavedWithTheDocument();
    void everyExampleIsDrawn();
    void largeDocumentsArePaintedInTheBackground();
};

/// The picture of what hides each key has codes for numbers, which nobody is to read.
void TestMasksView::tipsSayInWordsWhatHidesAKey()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    const auto &maps = masks->view()->scene()->maps;
    const auto parts = std::find_if(
        maps.begin(), maps.end(), [](const SceneMap &map) { return map.key.id == QStringLiteral("parts"); });
    QVERIFY(parts != maps.end());
    QSignalSpy hovered(masks, &SceneWorkspace::textHovered);
    QWidget *viewport = masks->view()->viewport();
    const auto tipAt = [&](Index row, Index col) {
        const QPoint place = masks->view()->fromScene(cellRect(*parts, row, col)).center().toPoint();
        QMouseEvent move(QEvent::MouseMove, place, viewport->mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(viewport, &move);
        QHelpEvent help(QEvent::ToolTip, place, viewport->mapToGlobal(place));
        QCoreApplication::sendEvent(viewport, &help);
        return QToolTip::text();
    };
    const QString hidden = tipAt(0, 3);
    QVERIFY2(hidden.endsWith(QStringLiteral("hidden by causal")), qPrintable(hidden));
    QCOMPARE(hovered.last().first().toString(), hidden);
    const QString seen = tipAt(3, 0);
    QVERIFY2(seen.endsWith(QStringLiteral("allowed")), qPrintable(seen));
    // Other maps go on saying their numbers.
    const QPoint place = cellPlace(masks, 0, 3);
    QHelpEvent help(QEvent::ToolTip, place, viewport->mapToGlobal(place));
    QCoreApplication::sendEvent(viewport, &help);
    QVERIFY2(QToolTip::text().endsWith(QStringLiteral("= 0")), qPrintable(QToolTip::text()));
}

void TestMasksView::choiceIsWrittenAndReadAgain()
{
    MaskChoice choice;
    choice.mask = Stage::MaskAdd;
    choice.ink = MaskChoice::Ink::Number;
    choice.number = -std::numeric_limits<double>::infinity();
    choice.allHeads = false;
    choice.rectangles = true;
    choice.stamp = {MaskStamp::Kind::Block, 3};
    choice.trueIsDrop = true;
    choice.against = MaskChoice::Against::WithoutPart;
    choice.part = MaskPart::Padding;
    choice.keptName = QStringLiteral("12:00:00");
    QCOMPARE(MaskChoice::fromJson(choice.toJson()), choice);
    QCOMPARE(MaskChoice::fromJson({}), MaskChoice());
    QCOMPARE(
        MaskChoice::fromJson({{QStringLiteral("ink"), 77}, {QStringLiteral("mask"), QStringLiteral("A")}})
            .mask,
        Stage::MaskBool);
}

void TestMasksView::strokeIsOneUndoStep()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    QVERIFY(masks);
    QVERIFY(!fixture.bench()->experiment().isGiven(Stage::MaskBool));
    drag(masks, {0, 1}, {0, 3});
    const std::vector<double> expected = {1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    QCOMPARE(maskOf(fixture), expected);
    QCOMPARE(fixture.value(Stage::A, 0, 0), 1.0);
    QCOMPARE(fixture.value(Stage::A, 0, 2), 0.0);
    QVERIFY(shows(masks, QStringLiteral("3 of 16 keys hidden")));
    QVERIFY(shows(masks, QStringLiteral("boolean mask: 3, of these 3 alone")));
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QVERIFY(!fixture.bench()->experiment().isGiven(Stage::MaskBool));
    QVERIFY(shows(masks, QStringLiteral("0 of 16 keys hidden")));
}

void TestMasksView::rightButtonKeepsAgain()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    drag(masks, {2, 0}, {2, 3});
    QVERIFY(shows(masks, QStringLiteral("Fully masked rows: “GPU” (row 3).")));
    drag(masks, {2, 1}, {2, 2}, Qt::RightButton);
    QVERIFY(!shows(masks, QStringLiteral("Fully masked rows")));
    QCOMPARE(maskOf(fixture)[8], 0.0);
    QCOMPARE(maskOf(fixture)[9], 1.0);
    QCOMPARE(maskOf(fixture)[10], 1.0);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 2);
}

void TestMasksView::shiftDragPaintsARectangle()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    drag(masks, {1, 1}, {3, 2}, Qt::LeftButton, Qt::ShiftModifier);
    const std::vector<double> expected = {1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    QCOMPARE(maskOf(fixture), expected);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
}

void TestMasksView::keysPaint()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    masks->view()->setFocus();
    fixture.bench()->select(Stage::Allowed, {0, 0, 2});
    QCoreApplication::processEvents();
    QTest::keyClick(masks->view(), Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(masks->view(), Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(masks->view(), Qt::Key_D);
    QCoreApplication::processEvents();
    const std::vector<double> expected = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    QCOMPARE(maskOf(fixture), expected);
    QTest::keyClick(masks->view(), Qt::Key_Space);
    QCoreApplication::processEvents();
    QCOMPARE(maskOf(fixture), std::vector<double>(16, 1.0));
    QTest::keyClick(masks->view(), Qt::Key_Space);
    QCoreApplication::processEvents();
    QCOMPARE(maskOf(fixture), expected);
    QTest::keyClick(masks->view(), Qt::Key_K);
    QCoreApplication::processEvents();
    QCOMPARE(maskOf(fixture), std::vector<double>(16, 1.0));
    // Back again, the keys still paint.
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QCOMPARE(maskOf(fixture), expected);
    QCOMPARE(fixture.bench()->selection()->stage(), Stage::Allowed);
    QTest::keyClick(masks->view(), Qt::Key_K);
    QCoreApplication::processEvents();
    QVERIFY(maskOf(fixture) != expected);
}

void TestMasksView::oneHeadOrAll()
{
    WindowFixture fixture(QStringLiteral("example:two-heads"));
    MasksView *masks = masksView(fixture);
    MaskChoice choice = masks->choice();
    choice.allHeads = false;
    masks->setChoice(choice);
    ViewState state = fixture.bench()->viewState();
    state.head = 1;
    fixture.bench()->setViewState(state);
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("Head 2")));
    drag(masks, {3, 0}, {3, 0});
    QCOMPARE(fixture.bench()->experiment().matrix(Stage::MaskBool).heads(), Index(2));
    QVERIFY(fixture.value(Stage::A, 3, 0, 0) > 0.0);
    QCOMPARE(fixture.value(Stage::A, 3, 0, 1), 0.0);
    choice.allHeads = true;
    masks->setChoice(choice);
    drag(masks, {2, 0}, {2, 0});
    QCOMPARE(fixture.value(Stage::A, 2, 0, 0), 0.0);
    QCOMPARE(fixture.value(Stage::A, 2, 0, 1), 0.0);
}

void TestMasksView::additiveAndPadding()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    MaskChoice choice;
    choice.mask = Stage::MaskAdd;
    choice.ink = MaskChoice::Ink::Number;
    choice.number = -2.5;
    masks->setChoice(choice);
    drag(masks, {1, 2}, {1, 2});
    QCOMPARE(maskOf(fixture, Stage::MaskAdd)[6], -2.5);
    QVERIFY(shows(masks, QStringLiteral("additive mask (added to the scaled scores)")));
    QVERIFY(shows(masks, QStringLiteral("bias in all")));
    choice.ink = MaskChoice::Ink::Drop;
    masks->setChoice(choice);
    drag(masks, {1, 3}, {1, 3});
    QCOMPARE(maskOf(fixture, Stage::MaskAdd)[7], -std::numeric_limits<double>::infinity());
    QVERIFY(shows(masks, QStringLiteral("additive: 1, of these 1 alone")));
    choice.mask = Stage::MaskPadding;
    masks->setChoice(choice);
    drag(masks, {3, 0}, {3, 0});
    const std::vector<double> padding = {0, 1, 1, 1};
    QCOMPARE(maskOf(fixture, Stage::MaskPadding), padding);
}

void TestMasksView::stampsInvertsAndConverts()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    MaskChoice choice;
    choice.stamp = {MaskStamp::Kind::Prefix, 2};
    masks->setChoice(choice);
    trigger(fixture, QStringLiteral("masks.stamp"));
    const std::vector<double> prefix = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1};
    QCOMPARE(maskOf(fixture), prefix);
    QVERIFY(!fixture.bench()->experiment().causal);
    trigger(fixture, QStringLiteral("masks.invert"));
    QCOMPARE(maskOf(fixture)[0], 0.0);
    QCOMPARE(maskOf(fixture)[2], 1.0);
    QVERIFY(shows(masks, QStringLiteral("Fully masked rows: “prog” (row 4).")));
    trigger(fixture, QStringLiteral("masks.invert"));
    trigger(fixture, QStringLiteral("masks.toAdditive"));
    QVERIFY(!fixture.bench()->experiment().isGiven(Stage::MaskBool));
    QVERIFY(shows(masks, QStringLiteral("additive: 5, of these 5 alone")));
    trigger(fixture, QStringLiteral("masks.toBoolean"));
    QCOMPARE(maskOf(fixture), prefix);
    QVERIFY(!fixture.bench()->experiment().isGiven(Stage::MaskAdd));
    for (int i = 0; i < 5; ++i)
        fixture.bench()->document()->undoStack()->undo();
    QVERIFY(fixture.bench()->experiment().causal);
    QVERIFY(!fixture.bench()->document()->undoStack()->canUndo());
    trigger(fixture, QStringLiteral("masks.invert")); // there is none: said, not done
    QVERIFY(!fixture.bench()->document()->undoStack()->canUndo());
}

/// "What does the causal mask remove?"
void TestMasksView::causalMaskIsAnsweredFor()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    fixture.bench()->select(Stage::A, {0, 1, 0});
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("What the mask does, compared with no mask")));
    QVERIFY(shows(masks, QStringLiteral("“love” loses 0.5085 of its weight")));
    QVERIFY(shows(masks, QStringLiteral("v_I, v_love, v_GPU")));
    MaskChoice choice;
    choice.against = MaskChoice::Against::WithoutPart;
    choice.part = MaskPart::Causal;
    masks->setChoice(choice);
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("compared with all parts but causal")));
    QVERIFY(shows(masks, QStringLiteral("“love” loses 0.5085 of its weight")));
}

void TestMasksView::whatStaysHiddenIsSaid()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    QString said;
    connect(fixture.bench(), &Workbench::messageRaised, this, [&](const QString &text) { said = text; });
    drag(masks, {0, 1}, {0, 2}, Qt::RightButton);
    QVERIFY2(said.contains(QStringLiteral("2 of these cells stay hidden (hidden by causal)")),
             qPrintable(said));
}

void TestMasksView::comparedWithTheKeptMask()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    MaskChoice choice;
    choice.against = MaskChoice::Against::Kept;
    masks->setChoice(choice);
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("No mask has been kept")));
    trigger(fixture, QStringLiteral("masks.keep"));
    QVERIFY(shows(masks, QStringLiteral("held 0.0000 of the weight")));
    drag(masks, {3, 0}, {3, 0});
    QVERIFY(shows(masks, QStringLiteral("held 0.2460 of the weight"))); // prog's weight on I
    fixture.bench()->document()->undoStack()->undo();
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("held 0.0000 of the weight")));
}

void TestMasksView::partsAreSettings()
{
    WindowFixture fixture;
    MasksView *masks = masksView(fixture);
    auto *controls = masks->findChild<MaskControls *>();
    QVERIFY(controls);
    emit controls->editWanted(SetWindow{Window{1, 0}}, QStringLiteral("window"));
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("window: 9, of these 9 alone")));
    emit controls->editWanted(SetCausal{true}, QStringLiteral("causal"));
    QCoreApplication::processEvents();
    QVERIFY(shows(masks, QStringLiteral("causal: 6, of these 0 alone")));
    QVERIFY(shows(masks, QStringLiteral("several parts at once: 6")));
}

void TestMasksView::offsetIsAlignedByButtons()
{
    WindowFixture fixture(QStringLiteral("example:cross"));
    MasksView *masks = masksView(fixture);
    emit masks->view()->controlActivated(QStringLiteral("offset:end"));
    QCoreApplication::processEvents();
    const Sizes sizes = sizesOf(fixture.bench()->experiment());
    QVERIFY(sizes.nK != sizes.nQ);
    QCOMPARE(fixture.bench()->experiment().qOffset, sizes.nK - sizes.nQ);
    QVERIFY(shows(masks, QStringLiteral("position i + %1").arg(sizes.nK - sizes.nQ)));
    emit masks->view()->controlActivated(QStringLiteral("offset:0"));
    QCOMPARE(fixture.bench()->experiment().qOffset, Index(0));
}

void TestMasksView::conventionSwitchChangesThePictureAlone()
{
    WindowFixture fixture(QStringLiteral("example:causal"));
    MasksView *masks = masksView(fixture);
    QCOMPARE(allowedMap(masks).values->value(0, 0, 1), 0.0);
    MaskChoice choice;
    choice.trueIsDrop = true;
    masks->setChoice(choice);
    QCoreApplication::processEvents();
    QCOMPARE(allowedMap(masks).values->value(0, 0, 1), 1.0);
    QVERIFY(!fixture.bench()->document()->undoStack()->canUndo());
    drag(masks, {3, 0}, {3, 0}); // dropping is dropping in either convention
    QCOMPARE(maskOf(fixture)[12], 0.0);
}

void TestMasksView::isSavedWithTheDocument()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("masks.attn"));
    MaskChoice choice;
    {
        WindowFixture fixture(QStringLiteral("example:causal"));
        MasksView *masks = masksView(fixture);
        masks->keepMask();
        choice = masks->choice();
        choice.trueIsDrop = true;
        choice.stamp = {MaskStamp::Kind::Band, 2};
        masks->setChoice(choice);
        drag(masks, {3, 0}, {3, 0});
        QVERIFY(fixture.window.files()->saveTo(path));
    }
    WindowFixture fixture(path);
    QCOMPARE(fixture.bench()->viewState().workspace, QStringLiteral("masks"));
    auto *masks = qobject_cast<MasksView *>(fixture.window.currentWorkspace());
    QVERIFY(masks);
    QCOMPARE(masks->choice(), choice);
    QVERIFY(shows(masks, QStringLiteral("held 0.2460 of the weight")));
}

void TestMasksView::everyExampleIsDrawn()
{
    for (const char *example :
         {"example:computed", "example:as-printed", "example:by-hand", "example:two-heads",
          "example:cross-two-heads", "example:four-sizes", "example:trained-stories"}) {
        WindowFixture fixture(QString::fromLatin1(example));
        MasksView *masks = masksView(fixture);
        masks->waitUntilIdle();
        QCoreApplication::processEvents();
        QVERIFY2(shows(masks, QStringLiteral("keys hidden")), example);
        const Scene scene = masks->sceneWith({});
        QVERIFY(scene.maps.size() >= 5);
    }
}

void TestMasksView::largeDocumentsArePaintedInTheBackground()
{
    WindowFixture fixture;
    Experiment large;
    large.tokens = TokenList(std::vector<std::string>(1200, "t"));
    const Tensor numbers = Tensor::filled({1, 1200, 2}, 0.5);
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        large.given[stage] = numbers;
    fixture.bench()->document()->load(std::make_shared<const Experiment>(large), ViewState(), {}, {});
    MasksView *masks = masksView(fixture);
    QVERIFY(masks);
    const QString missing = QStringLiteral("are not drawn at %1 cells").arg(countText(1440000));
    QTRY_VERIFY_WITH_TIMEOUT(shows(masks, missing), 60000);
    emit masks->view()->blockPainted({allowedMap(masks).key, 0, 599, 0, 1199}, PaintInk::Drop);
    QVERIFY(masks->isBusy());
    const QString hidden = QStringLiteral("%1 of %2 keys hidden").arg(countText(720000), countText(1440000));
    QTRY_VERIFY_WITH_TIMEOUT(shows(masks, hidden), 60000);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
}

QTEST_MAIN(TestMasksView)
#include "tst_MasksView.moc"
