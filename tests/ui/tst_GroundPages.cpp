#include "WorkspaceFixture.h"
#include "engine/lab/StandardLabs.h"
#include "views/lab/SourcePicker.h"
#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

/// A page of the lab with arrows to drag.
struct GroundFixture : LabFixture
{
    using LabFixture::LabFixture;

    QPointF gripPos(const QString &id)
    {
        for (const SceneGrip &grip : scene().grips)
            if (grip.id == id)
                return grip.pos;
        return {};
    }
    double gripStep(const QString &id)
    {
        for (const SceneGrip &grip : scene().grips)
            if (grip.id == id)
                return grip.step;
        return 0.0;
    }
    /// As the view reports a drag by the mouse.
    void drag(const QString &id, QPointF way, int moves = 4)
    {
        const QPointF from = gripPos(id);
        for (int i = 1; i <= moves; ++i)
            emit lab()->view()->gripMoved(id, from + way * i / moves,
                                          i == 1 ? GesturePhase::Begin : GesturePhase::Update);
        emit lab()->view()->gripMoved(id, from + way, GesturePhase::End);
        QCoreApplication::processEvents();
    }
    double number(const std::string &name, Index row, Index col)
    {
        return bench()->experiment().lab(name).at(row, col);
    }
};

} // namespace

/// The pages on vectors, maps and weights in the window.
class TestGroundPages : public QObject
{
    Q_OBJECT

private slots:
    void draggingIsOneUndoStep();
    void keysMoveVectors();
    void typingNumbersWorksBeforeAnythingWasMade();
    void coefficientsAreDragged();
    void examplesShowTheWorkedNumbers();
    void spaceIsTurned();
    void stageColumnsAreEdited();
    void ownPlaneStandsStill();
    void mapColumnsAreDragged();
    void compositionIsPlayed();
    void weightsFollowTheDocument();
    void weightsOpenAtTheirStart();
    void stateIsSaved();
};

void TestGroundPages::draggingIsOneUndoStep()
{
    GroundFixture fixture(u"vectors"_s);
    QVERIFY(!fixture.window.isWindowModified());
    const int before = fixture.undoStack()->count();
    const double unit = 10.0 * fixture.gripStep(u"v:0"_s);
    fixture.drag(u"v:0"_s, {unit, -unit});
    QCOMPARE(fixture.number(standardLab::vectors, 0, 0), 2.0);
    QCOMPARE(fixture.number(standardLab::vectors, 1, 0), 3.0);
    QCOMPARE(fixture.undoStack()->count(), before + 1);
    fixture.undoStack()->undo();
    QCOMPARE(fixture.number(standardLab::vectors, 0, 0), 1.0);
    QVERIFY(fixture.bench()->experiment().labs.empty());
}

void TestGroundPages::keysMoveVectors()
{
    GroundFixture fixture(u"vectors"_s);
    SceneView *view = fixture.lab()->view();
    view->setFocus();
    fixture.scene();
    // Ctrl+PageDown goes from picture to picture and to the grips; Tab goes on from grip to grip.
    for (int i = 0; i < 20 && !(view->focusedGrip() && view->focusedGrip()->id == u"v:0"_s); ++i)
        QTest::keyClick(view, view->focusedGrip() ? Qt::Key_Tab : Qt::Key_PageDown,
                        view->focusedGrip() ? Qt::NoModifier : Qt::ControlModifier);
    QVERIFY(view->focusedGrip());
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(fixture.number(standardLab::vectors, 0, 0), 1.1);
    QTest::keyClick(view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(fixture.number(standardLab::vectors, 0, 0), 1.11);
}

void TestGroundPages::typingNumbersWorksBeforeAnythingWasMade()
{
    GroundFixture fixture(u"vectors"_s);
    QVERIFY(fixture.bench()->experiment().labs.empty());
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(u"vectors"_s), {{{0, 0, 1}, 2.0}}));
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(u"vectors"_s), {{{0, 1, 1}, 4.0}}));
    QVERIFY(fixture.texts().contains(u"The span is a line"_s));
    QVERIFY(fixture.texts().contains(u"v₂ = 2·v₁"_s));
}

void TestGroundPages::coefficientsAreDragged()
{
    GroundFixture fixture(u"vectors"_s);
    fixture.drag(u"x:0"_s, {10.0 * fixture.gripStep(u"x:0"_s), 0.0});
    QCOMPARE(fixture.number(standardLab::coefficients, 0, 0), 3.0);
    QVERIFY(fixture.texts().contains(u"3·(1, 2) = (3, 6)"_s)); // a worked number of the text
    fixture.drag(u"t"_s, {-20.0 * fixture.gripStep(u"t"_s), 0.0});
    QCOMPARE(fixture.number(standardLab::target, 0, 0), 0.0);
}

void TestGroundPages::examplesShowTheWorkedNumbers()
{
    GroundFixture fixture(u"vectors"_s);
    auto *examples = fieldNamed<QComboBox>(fixture.lab()->page(), u"Example"_s);
    QVERIFY(examples);
    emit examples->activated(0);
    QVERIFY(fixture.texts().contains(u"3·(1, 2) = (3, 6)"_s));
    emit examples->activated(1);
    QVERIFY(fixture.texts().contains(u"v₁ + v₂ = (1, 0) + (0, 1) = (1, 1)"_s));
    for (int i = 0; i < examples->count(); ++i) {
        emit examples->activated(i);
        QVERIFY(fixture.texts().contains(u"The span is"_s));
    }
}

void TestGroundPages::spaceIsTurned()
{
    GroundFixture fixture(u"vectors"_s);
    auto *dimension = fieldNamed<QComboBox>(fixture.lab()->page(), u"Dimension"_s);
    emit dimension->activated(1);
    QVERIFY(fixture.texts().contains(u"Vectors in space"_s));
    const QPointF before = fixture.gripPos(u"v:0"_s);
    fixture.drag(u"turn"_s, {8.0, 5.0});
    QVERIFY(fixture.gripPos(u"v:0"_s) != before);
    QVERIFY(!fixture.window.isWindowModified()); // what is looked at, not the document
    fixture.drag(u"v:0"_s, {20.0, 20.0});
    QVERIFY(std::abs(fixture.number(standardLab::vectors, 2, 0)) > 0.0);
}

void TestGroundPages::stageColumnsAreEdited()
{
    GroundFixture fixture(u"vectors"_s);
    auto *picker = fixture.lab()->page()->findChild<SourcePicker *>();
    VectorSource source;
    source.kind = VectorSource::Kind::Columns;
    source.stage = Stage::Wq;
    emit picker->chosen(source);
    const double before = fixture.value(Stage::Wq, 1, 0);
    const double result = fixture.value(Stage::Q, 0, 0);
    fixture.drag(u"v:0"_s, {0.0, -40.0});
    QVERIFY(fixture.value(Stage::Wq, 1, 0) > before);
    QVERIFY(fixture.value(Stage::Q, 0, 0) != result);
    fixture.undoStack()->undo();
    QCOMPARE(fixture.value(Stage::Wq, 1, 0), before);
    source.stage = Stage::K; // computed: moving it pins
    emit picker->chosen(source);
    QCoreApplication::processEvents();
    fixture.drag(u"v:1"_s, {15.0, 0.0});
    QVERIFY(!fixture.bench()->experiment().pinsOf(Stage::K).isEmpty());
}

/// While the vectors stay in their plane, the picture does not turn under the pointer.
void TestGroundPages::ownPlaneStandsStill()
{
    GroundFixture fixture(u"vectors"_s);
    auto *picker = fixture.lab()->page()->findChild<SourcePicker *>();
    VectorSource source;
    source.kind = VectorSource::Kind::Rows;
    source.stage = Stage::X;
    source.ownPlane = true;
    emit picker->chosen(source);
    const QPointF from = fixture.gripPos(u"v:0"_s);
    const QPointF other = fixture.gripPos(u"v:1"_s);
    fixture.drag(u"v:0"_s, {-30.0, -25.0});
    const QPointF moved = fixture.gripPos(u"v:0"_s) - from;
    // The scale may follow what is drawn; the other vector stays on its side of the origin.
    const double origin = fixture.scene().grips.front().bounds.center().x();
    QVERIFY((fixture.gripPos(u"v:1"_s).x() - origin) / (other.x() - origin) > 0.0);
    QVERIFY(moved.y() < -5.0); // no longer along the first direction
}

void TestGroundPages::mapColumnsAreDragged()
{
    GroundFixture fixture(u"maps"_s);
    QVERIFY(fixture.texts().contains(u"A rotation by 90°"_s));
    const double unit = 10.0 * fixture.gripStep(u"a:0"_s);
    fixture.drag(u"a:0"_s, {unit, unit}); // (0, 1) → (1, 0)
    QCOMPARE(fixture.number(standardLab::mapA, 0, 0), 1.0);
    QCOMPARE(fixture.number(standardLab::mapA, 1, 0), 0.0);
    QVERIFY(fixture.texts().contains(u"Rank 1"_s)); // both columns lie on one line now
    QVERIFY(fixture.texts().contains(u"areas become 0"_s));
    fixture.drag(u"c"_s, {-10.0 * fixture.gripStep(u"c"_s), 0.0});
    QCOMPARE(fixture.number(standardLab::factor, 0, 0), 1.0);
}

void TestGroundPages::compositionIsPlayed()
{
    GroundFixture fixture(u"maps"_s);
    auto *mode = fixture.lab()->page()->findChildren<QComboBox *>().first();
    for (QComboBox *choice : fixture.lab()->page()->findChildren<QComboBox *>())
        if (choice->findText(u"AB against BA"_s) >= 0)
            mode = choice;
    emit mode->activated(1);
    QVERIFY(fixture.texts().contains(u"AB ≠ BA"_s));
    PlaybackBar *playback = fixture.lab()->playback();
    QVERIFY(playback->isVisible());
    QCOMPARE(playback->stepCount(), 80);
    QCOMPARE(playback->position(), 80);
    const auto firstColumns = [&fixture] {
        QStringList names;
        for (const SceneShape &shape : fixture.scene().shapes)
            if (shape.name.startsWith(u"e₁ ="_s))
                names.append(shape.name);
        return names;
    };
    playback->setPosition(0);
    QCOMPARE(firstColumns(), QStringList({u"e₁ = (1, 0)"_s, u"e₁ = (1, 0)"_s}));
    playback->setPosition(40);
    QCOMPARE(firstColumns(), QStringList({u"e₁ = (2, 0)"_s, u"e₁ = (0, 1)"_s}));
    playback->setPosition(80);
    QCOMPARE(firstColumns(), QStringList({u"e₁ = (0, 2)"_s, u"e₁ = (0, 1)"_s}));
    // The menu and its keys go as far as the buttons of the same name: a whole step.
    playback->setPosition(22);
    QTest::keyClick(&fixture.window, Qt::Key_F9);
    QCOMPARE(playback->position(), 40);
    playback->setPosition(22);
    QTest::keyClick(&fixture.window, Qt::Key_F9, Qt::ShiftModifier);
    QCOMPARE(playback->position(), 0);
    playback->setPosition(80);
    // Columns of B are dragged in its own plane.
    fixture.drag(u"b:1"_s, {0.0, -10.0 * fixture.gripStep(u"b:1"_s)});
    QCOMPARE(fixture.number(standardLab::mapB, 1, 1), 2.0);
    QVERIFY(fixture.texts().contains(u"AB = BA"_s)); // now it stretches both ways alike
}

void TestGroundPages::weightsFollowTheDocument()
{
    GroundFixture fixture(u"weights"_s);
    const QString before = fixture.texts();
    QVERIFY(before.contains(u"Singular values σ"_s));
    QVERIFY(fixture.window.edits()->setCells(Stage::Wq, {{{0, 0, 0}, 5.0}}));
    QVERIFY(fixture.texts() != before);
    auto *token = fixture.lab()->page()->findChildren<QSpinBox *>().last();
    token->setValue(2);
    QVERIFY(fixture.texts().contains(u"The row of “love”"_s));
}

/// From before the first turn, and from the top: also where the selected cell lies far below.
void TestGroundPages::weightsOpenAtTheirStart()
{
    WindowFixture fixture;
    fixture.window.resize(1000, 480);
    fixture.bench()->select(Stage::Output, {0, 3, 5});
    fixture.window.showWorkspace(u"lab"_s);
    QCoreApplication::processEvents();
    auto *lab = qobject_cast<LabView *>(fixture.window.currentWorkspace());
    lab->view()->verticalScrollBar()->setValue(lab->view()->verticalScrollBar()->maximum());
    fixture.bench()->select(Stage::Wq, {0, 5, 5});
    lab->showPage(u"weights"_s);
    QCoreApplication::processEvents();
    QCOMPARE(lab->playback()->position(), 0);
    QVERIFY(lab->view()->verticalScrollBar()->maximum() > 0);
    QCOMPARE(lab->view()->verticalScrollBar()->value(), 0);
}

void TestGroundPages::stateIsSaved()
{
    GroundFixture fixture(u"vectors"_s);
    auto *count = fieldNamed<QSpinBox>(fixture.lab()->page(), u"How many vectors"_s);
    count->setValue(3);
    fixture.drag(u"v:2"_s, {30.0, 10.0});
    const double moved = fixture.number(standardLab::vectors, 0, 2);
    fixture.lab()->playback()->setPosition(50);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"vectors.attn"_s);
    QVERIFY(fixture.window.files()->saveTo(path));
    WindowFixture again(path);
    QCoreApplication::processEvents();
    auto *lab = qobject_cast<LabView *>(again.window.currentWorkspace());
    QVERIFY(lab);
    QCOMPARE(lab->page()->id(), u"vectors"_s);
    QCOMPARE(again.bench()->experiment().lab(standardLab::vectors).at(0, 2), moved);
    QCOMPARE(lab->playback()->position(), 50);
    QCOMPARE(lab->playback()->stepCount(), 120);
}

QTEST_MAIN(TestGroundPages)
#include "tst_GroundPages.moc"
