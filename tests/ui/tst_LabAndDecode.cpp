#include "WorkspaceFixture.h"
#include "engine/lab/SoftmaxInverse.h"
#include "views/DecodeView.h"
#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSlider>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

class TestLabAndDecode : public QObject
{
    Q_OBJECT

private slots:
    void keysReachTheWorkspaces();
    void sharpnessChangesThePicture();
    void typingInARowPinsAndUndoes();
    void usedScoresGiveAAndUndo();
    void rowFollowsTheSelection();
    void inspectorSaysWhyAndLeadsToTheScores();
    void pagesAndStepsAreSaved();
    void scalingPageDraws();
    void playbackFeedsTokens();
    void editedTokenIsMarked();
    void chunksAreFed();
    void cursorAtNumbersOfThePicture();
    void keysReachTheEndOfThePage();
};

void TestLabAndDecode::keysReachTheWorkspaces()
{
    WindowFixture fixture;
    for (const QString &name : {u"decode"_s, u"lab"_s}) {
        bool isReached = false;
        for (const ActionRegistry::Entry &entry : fixture.window.actionRegistry().entries()) {
            if (entry.action->objectName() != QString(u"view."_s + name))
                continue;
            QVERIFY(!entry.action->shortcuts().isEmpty());
            entry.action->trigger();
            isReached = fixture.bench()->viewState().workspace == name;
        }
        QVERIFY2(isReached, qPrintable(name));
    }
}

void TestLabAndDecode::sharpnessChangesThePicture()
{
    LabFixture fixture(u"softmax"_s);
    auto *sharpness = fixture.field<QDoubleSpinBox>(u"Sharpness"_s);
    QVERIFY(sharpness);
    const double plain = fixture.map(u"softmax:weights"_s)->values->statistics(0).maximum;
    sharpness->setValue(4.0);
    QVERIFY(fixture.map(u"softmax:sharpened"_s));
    QVERIFY(fixture.map(u"softmax:weights"_s)->values->statistics(0).maximum > plain);
    QVERIFY(fixture.texts().contains(u"β = 4.00"_s));
    QVERIFY(!fixture.window.isWindowModified()); // what is looked at, not the document
}

void TestLabAndDecode::typingInARowPinsAndUndoes()
{
    LabFixture fixture(u"softmax"_s);
    fixture.bench()->select(Stage::Scaled, {0, 1, 3});
    QCoreApplication::processEvents();
    const double before = fixture.value(Stage::A, 1, 3);
    QVERIFY(fixture.window.edits()->setCells(Stage::Scaled, {{{0, 1, 3}, 2.5}}));
    QVERIFY(fixture.value(Stage::A, 1, 3) > 2.0 * before);
    const SceneMap *weights = fixture.map(u"softmax:weights"_s);
    QVERIFY(std::abs(weights->values->value(0, 0, 3) - fixture.value(Stage::A, 1, 3)) < 1e-15);
    fixture.undoStack()->undo();
    QCOMPARE(fixture.value(Stage::A, 1, 3), before);
}

void TestLabAndDecode::usedScoresGiveAAndUndo()
{
    LabFixture fixture(u"softmax"_s, u"example:by-hand"_s);
    QCOMPARE(fixture.value(Stage::A, 1, 3), 0.5);
    fixture.lab()->page()->onControl(u"inverse:apply"_s);
    QVERIFY(fixture.bench()->experiment().pinsOf(Stage::A).isEmpty());
    QVERIFY(!fixture.bench()->experiment().pinsOf(Stage::Scores).isEmpty());
    QVERIFY(std::abs(fixture.value(Stage::A, 1, 3) - 0.5) < 1e-14);
    QVERIFY(fixture.texts().contains(u"the same row"_s));
    fixture.undoStack()->undo();
    QVERIFY(!fixture.bench()->experiment().pinsOf(Stage::A).isEmpty());
}

/// The newcomer's questions: why is A nearly even, and what would have to change to attend to "prog"?
void TestLabAndDecode::inspectorSaysWhyAndLeadsToTheScores()
{
    WorkspaceFixture fixture(u"board"_s);
    fixture.bench()->select(Stage::A, {0, 1, 3});
    QCoreApplication::processEvents();
    auto *how = fieldNamed<QTextBrowser>(&fixture.window, u"How this number came about"_s);
    QVERIFY(how && how->isVisible());
    const QString text = how->toPlainText();
    QVERIFY2(text.contains(u"So the weights are nearly even: the largest is only e^0.07006 = 1.073 times"_s),
             qPrintable(text));
    QVERIFY(text.contains(u"the score of this key alone would have to rise by 1.043, to 1.422"_s));
    QVERIFY(text.contains(u"Which scores would give this A?"_s));
    emit how->anchorClicked(QUrl(u"lab:softmax"_s));
    QCOMPARE(fixture.bench()->viewState().workspace, u"lab"_s);
    const QString lab = fixture.texts();
    QVERIFY(lab.contains(u"the row of “love”"_s));
    QVERIFY(lab.contains(u"weight of “prog”"_s));
    // The button at the top brings the answer into sight.
    fixture.window.resize(1280, 720);
    QCoreApplication::processEvents();
    const Scene scene = fixture.scene();
    const auto control = std::ranges::find(scene.controls, u"inverse:apply"_s, &SceneControl::id);
    QVERIFY(control != scene.controls.end());
    SceneView *view = fixture.window.currentWorkspace()->view();
    QVERIFY(!view->viewport()->rect().contains(view->fromScene(control->rect).toRect()));
    emit view->controlActivated(u"show:inverse:scores"_s);
    QVERIFY(view->viewport()->rect().contains(view->fromScene(control->rect).toRect()));
    QVERIFY(
        view->viewport()->rect().contains(view->fromScene(fixture.map(u"softmax:inverse"_s)->rect).toRect()));
}

void TestLabAndDecode::rowFollowsTheSelection()
{
    LabFixture fixture(u"softmax"_s);
    fixture.bench()->select(Stage::A, {0, 2, 1});
    QVERIFY(fixture.texts().contains(u"the row of “GPU”"_s));
    fixture.bench()->select(Stage::K, {0, 0, 1}); // no query: the last one stays or the first is shown
    QVERIFY(fixture.texts().contains(u"the row of “"_s));
}

void TestLabAndDecode::pagesAndStepsAreSaved()
{
    LabFixture fixture(u"softmax"_s);
    fixture.lab()->playback()->setPosition(3);
    QVERIFY(!fixture.map(u"softmax:weights"_s));
    fixture.lab()->showPage(u"scaling"_s);
    QCoreApplication::processEvents();
    QTemporaryDir folder;
    const QString path = folder.filePath(u"lab.attn"_s);
    QVERIFY(fixture.window.files()->saveTo(path));
    WindowFixture again(path);
    QCoreApplication::processEvents();
    auto *lab = qobject_cast<LabView *>(again.window.currentWorkspace());
    QVERIFY(lab);
    QCOMPARE(lab->page()->id(), u"scaling"_s);
    lab->showPage(u"softmax"_s);
    QCoreApplication::processEvents();
    QCOMPARE(lab->playback()->position(), 3);
    QVERIFY(!derivedMap(*lab->view()->scene(), u"softmax:weights"_s));
}

void TestLabAndDecode::scalingPageDraws()
{
    LabFixture fixture(u"softmax"_s);
    fixture.lab()->showPage(u"scaling"_s);
    QTRY_VERIFY(fixture.texts().contains(u"√512"_s)); // drawn on another thread
    auto *slider = fixture.field<QSlider>(u"Width d_k of queries and keys"_s);
    QVERIFY(slider);
    slider->setValue(4);
    QVERIFY(fixture.texts().contains(u"√16 = 4.00"_s));
    QVERIFY(!fixture.lab()->playback()->isVisible());
}

void TestLabAndDecode::playbackFeedsTokens()
{
    WorkspaceFixture fixture(u"decode"_s);
    PlaybackBar *playback = fixture.workspace()->playback();
    QCOMPARE(playback->stepCount(), 4);
    QCOMPARE(playback->position(), 4); // the last step at first
    playback->setPosition(2);
    QVERIFY(fixture.texts().contains(u"step 2 of 4"_s));
    QVERIFY(fixture.texts().contains(u"1 kept, 1 new"_s));
    playback->setPosition(0);
    QVERIFY(fixture.texts().contains(u"the cache is empty"_s));
    playback->setPosition(4);
    QVERIFY(fixture.map(u"decode:output"_s));
    QVERIFY(fixture.texts().contains(u"✓"_s));
}

void TestLabAndDecode::editedTokenIsMarked()
{
    WorkspaceFixture fixture(u"decode"_s);
    fixture.bench()->select(Stage::K, {0, 1, 2});
    QVERIFY(fixture.texts().contains(u"“love”, token 2"_s));
    // An ordinary edit of the cached row: everything follows.
    const double before = fixture.map(u"decode:weights"_s)->values->value(0, 0, 1);
    QVERIFY(fixture.window.edits()->setCells(Stage::K, {{{0, 1, 2}, 3.0}}));
    QVERIFY(fixture.map(u"decode:weights"_s)->values->value(0, 0, 1) != before);
    QVERIFY(!fixture.texts().contains(u"✗"_s));
}

void TestLabAndDecode::chunksAreFed()
{
    WorkspaceFixture fixture(u"decode"_s);
    const ViewState state = fixture.bench()->viewState().withWorkspaceState(
        u"decode"_s, QJsonObject{{u"prompt"_s, 2}, {u"chunk"_s, 5}, {u"position"_s, 2}});
    fixture.bench()->setViewState(state);
    QVERIFY(fixture.texts().contains(u"step 2 of 2"_s));
    QVERIFY(fixture.texts().contains(u"2 kept, 2 new"_s));
    QCOMPARE(fixture.workspace()->playback()->stepCount(), 2);
}

/// One cursor: status and inspector say where it is, and of what the inspector speaks meanwhile.
void TestLabAndDecode::cursorAtNumbersOfThePicture()
{
    WorkspaceFixture fixture(u"decode"_s);
    fixture.bench()->select(Stage::Q, {0, 3, 0});
    fixture.scene();
    const auto says = [&fixture](const QString &text) {
        QCoreApplication::processEvents();
        return std::ranges::any_of(fixture.window.findChildren<QLabel *>(), [&](const QLabel *label) {
            return label->isVisible() && label->text().contains(text);
        });
    };
    QVERIFY(says(u"Q[prog, f1] = "_s));
    const SceneMap *weights = fixture.map(u"decode:uncached"_s);
    QVERIFY(weights);
    fixture.sceneView()->selectCell(weights->key, {1, 0});
    QVERIFY(says(u"Without a cache"_s));
    QVERIFY(!says(u"Q[prog, f1] = "_s));
    QVERIFY(says(u"Still selected: Q[prog, f1]"_s));
    QVERIFY(fixture.sceneView()->highlight().isElsewhere);
    // The picture is built anew, the cursor stays; another workspace has its own.
    fixture.workspace()->playback()->setPosition(3);
    QVERIFY(says(u"Without a cache"_s));
    fixture.window.showWorkspace(u"board"_s);
    QVERIFY(says(u"Q[prog, f1] = "_s));
    QVERIFY(!says(u"Still selected"_s));
    fixture.window.showWorkspace(u"decode"_s);
    QVERIFY(says(u"Without a cache"_s));
    fixture.bench()->select(Stage::K, {0, 1, 0});
    QVERIFY(says(u"K[love, f1] = "_s));
    QVERIFY(!says(u"Still selected"_s));
}

void TestLabAndDecode::keysReachTheEndOfThePage()
{
    WorkspaceFixture fixture(u"decode"_s);
    fixture.window.resize(1280, 720);
    fixture.bench()->select(Stage::X, {0, 0, 0});
    const Scene scene = fixture.scene();
    SceneView *view = fixture.sceneView();
    const auto chart = std::ranges::find_if(scene.texts, [](const SceneText &text) {
        return text.text.contains(u"If an old token were edited"_s);
    });
    QVERIFY(chart != scene.texts.end());
    const auto isSeen = [&] {
        return view->viewport()->rect().contains(view->fromScene(chart->rect).toAlignedRect());
    };
    QVERIFY(!isSeen());
    view->setFocus();
    for (int presses = 0; presses < 6 && !isSeen(); ++presses)
        QTest::keyClick(view, Qt::Key_PageDown, Qt::AltModifier);
    QVERIFY(isSeen());
    QVERIFY((fixture.bench()->selection()->cell() == CellIndex{0, 0, 0}));
}

QTEST_MAIN(TestLabAndDecode)
#include "tst_LabAndDecode.moc"
