#include "widgets/SceneView.h"

#include "SceneFixture.h"
#include "engine/pooling/PooledMaps.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

class TestSceneView : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void fitsUntilZoomed();
    void largePicturesBeginAtTheirStart();
    void zoomsToACell();
    void wheelZoomsAboutThePointer();
    void scrollsAndPans();
    void hoverNamesTheCell();
    void clickSelects();
    void shiftClickAndDragExtend();
    void keysMoveInTheMap_data();
    void keysMoveInTheMap();
    void returnAndTabWalkInTheBlock();
    void returnGoesBackToWhereTabbingBegan();
    void tabNeverTraps();
    void nextMapAndControls();
    void piecesArePassedOver();
    void keysScrollThePicture();
    void oneCursor();
    void selectionComesFromOutside();
    void offsetMapsSpeakOfTheirStage();

    void typingReplacesAndReturnGoesDown();
    void editorKeys_data();
    void editorKeys();
    void editorKeepsToTheMap();
    void f2KeepsFullPrecision();
    void unchangedTextIsNoEdit();
    void escapeDrops();
    void wrongTextStaysOpen_data();
    void wrongTextStaysOpen();
    void checkRefusesInPlace();
    void controlReturnWritesTheBlock();
    void clickElsewhereCommits();
    void readOnlySaysSo();
    void deleteCopyPaste();
    void editorSurvivesRecompute();

    void shiftWheelScrubs();
    void scrubEndsWithSelection();
    void controlsAreClicked();
    void paintsOnWholePixels();
    void largeMapsStayWhileNewNumbersAreOnTheirWay();

private:
    QPoint cellPoint(std::size_t map, Index row, Index col) const;
    void click(std::size_t map, Index row, Index col, Qt::KeyboardModifiers modifiers = {});
    void wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers);
    /// The open editor; closed ones are hidden until they are deleted.
    CellEditor *editor() const
    {
        for (CellEditor *found : m_view->viewport()->findChildren<CellEditor *>())
            if (found->isVisible())
                return found;
        return nullptr;
    }
    GridPosition cell() const { return m_view->currentCell(); }

    std::shared_ptr<Scene> m_scene;
    std::unique_ptr<QWidget> m_window;
    SceneView *m_view = nullptr;
    QLineEdit *m_other = nullptr;
};

void TestSceneView::init()
{
    m_window = std::make_unique<QWidget>();
    m_window->resize(500, 460);
    m_view = new SceneView(m_window.get());
    m_view->setGeometry(0, 0, 400, 300);
    m_other = new QLineEdit(m_window.get());
    m_other->setGeometry(0, 400, 100, 30);
    m_scene = smallScene();
    m_view->setScene(m_scene);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_view->setFocus();
}

void TestSceneView::cleanup()
{
    m_window.reset();
}

QPoint TestSceneView::cellPoint(std::size_t map, Index row, Index col) const
{
    return m_view->fromScene(cellRect(m_scene->maps[map], row, col)).center().toPoint();
}

void TestSceneView::click(std::size_t map, Index row, Index col, Qt::KeyboardModifiers modifiers)
{
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, modifiers, cellPoint(map, row, col));
}

void TestSceneView::wheel(QPoint at, int delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, m_view->viewport()->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_view->viewport(), &event);
}

void TestSceneView::fitsUntilZoomed()
{
    QVERIFY(m_view->isFitted());
    QCOMPARE(m_view->zoom(), 1.0);
    m_view->resize(320, 240);
    QCOMPARE(m_view->zoom(), 0.8);
    QVERIFY(!m_view->horizontalScrollBar()->isVisible());
    QVERIFY(!m_view->verticalScrollBar()->isVisible());
    m_view->resize(240, 180); // the whole of it, as long as its texts can be read
    QCOMPARE(m_view->zoom(), 0.6);
    m_view->resize(160, 120); // smaller shows nothing: it scrolls, and then larger again
    QCOMPARE(m_view->zoom(), 0.75);
    QVERIFY(m_view->horizontalScrollBar()->maximum() > 0);
    m_view->zoomFit(); // asked for: all of it
    QCOMPARE(m_view->zoom(), 0.4);
    m_view->resetZoom();
    QCOMPARE(m_view->zoom(), 0.75);
    m_view->setFit(SceneCanvas::Fit::Width); // what is read line by line stays readable
    m_view->resize(200, 150);
    QCOMPARE(m_view->zoom(), 0.6);
    QVERIFY(m_view->horizontalScrollBar()->maximum() >= 40);
    m_view->setFit(SceneCanvas::Fit::Whole);
    QSignalSpy zoomed(m_view, &SceneCanvas::zoomChanged);
    m_view->zoomActual();
    QCOMPARE(m_view->zoom(), 1.0);
    QCOMPARE(zoomed.size(), 1);
    m_view->resize(300, 200);
    QCOMPARE(m_view->zoom(), 1.0);
    m_view->zoomFit();
    QCOMPARE(m_view->zoom(), 200.0 / 300.0);
    m_view->resize(32, 24); // asked for: all of it
    QCOMPARE(m_view->zoom(), 0.08);
    m_view->zoomActual();
    m_view->resize(120, 90);
    m_view->resetZoom(); // another picture begins
    QVERIFY(m_view->isFitted());
    QCOMPARE(m_view->zoom(), 0.75);
}

/// A picture too large to be read as a whole begins at the selected cell's place, not in its middle.
void TestSceneView::largePicturesBeginAtTheirStart()
{
    m_view->resize(240, 180);
    QCOMPARE(m_view->zoom(), 0.6);
    const auto ofSize = [this](QSizeF size) {
        auto scene = std::make_shared<Scene>(*m_view->scene());
        scene->size = size;
        return scene;
    };
    // An edit that needs a little more room makes it a little smaller.
    m_view->setScene(ofSize({420.0, 300.0}));
    QCOMPARE(m_view->zoom(), 240.0 / 420.0);
    // Much larger: it begins at its start, and edits then leave it where it was scrolled to.
    m_view->setScene(ofSize({900.0, 700.0}));
    QCOMPARE(m_view->zoom(), 0.75);
    QCOMPARE(m_view->horizontalScrollBar()->value(), 0);
    QCOMPARE(m_view->verticalScrollBar()->value(), 0);
    m_view->horizontalScrollBar()->setValue(60);
    m_view->setScene(ofSize({910.0, 700.0}));
    QCOMPARE(m_view->zoom(), 0.75);
    QCOMPARE(m_view->horizontalScrollBar()->value(), 60);
    // Another document begins anew.
    m_view->resetZoom();
    m_view->setScene(ofSize({920.0, 700.0}));
    QCOMPARE(m_view->horizontalScrollBar()->value(), 0);
}

void TestSceneView::zoomsToACell()
{
    const auto zoomedTo = [this](Index rows, Index cols) {
        auto scene = std::make_shared<Scene>();
        scene->size = {400.0, 300.0};
        scene->maps.push_back(matrixMap(Stage::X, QStringLiteral("X"), {20, 20, 320, 240}, rows, cols));
        m_view->setScene(scene);
        m_view->selectCell(scene->maps[0].key, {rows / 2, cols / 2});
        m_view->zoomToCell();
        return m_view->fromScene(cellRect(scene->maps[0], rows / 2, cols / 2));
    };
    QCOMPARE(qRound(zoomedTo(60, 80).height()), 32); // room for its number
    // A stripe is not drawn larger than the window to be as wide as a number.
    const QRectF stripe = zoomedTo(2, 4000);
    QVERIFY(stripe.height() <= m_view->viewport()->height());
    QVERIFY(QRectF(m_view->viewport()->rect()).intersects(stripe));
}

void TestSceneView::wheelZoomsAboutThePointer()
{
    const QPoint at = cellPoint(0, 1, 3);
    const QPointF under = m_view->toScene(at);
    wheel(at, 120, Qt::ControlModifier);
    wheel(at, 120, Qt::ControlModifier);
    QVERIFY(m_view->zoom() > 1.4);
    QVERIFY(!m_view->isFitted());
    QVERIFY(std::abs(m_view->toScene(at).x() - under.x()) < 1.0);
    QVERIFY(std::abs(m_view->toScene(at).y() - under.y()) < 1.0);
}

void TestSceneView::scrollsAndPans()
{
    m_view->setZoom(2.0, {0, 0});
    QCOMPARE(m_view->verticalScrollBar()->value(), 0);
    wheel({50, 50}, -120, {});
    const int scrolled = m_view->verticalScrollBar()->value();
    QVERIFY(scrolled > 0);
    QTest::mousePress(m_view->viewport(), Qt::MiddleButton, {}, {200, 200});
    QTest::mouseMove(m_view->viewport(), {150, 190});
    QTest::mouseRelease(m_view->viewport(), Qt::MiddleButton, {}, {150, 190});
    QCOMPARE(m_view->horizontalScrollBar()->value(), 50);
    QCOMPARE(m_view->verticalScrollBar()->value(), scrolled + 10);

    QSignalSpy selected(m_view, &SceneView::cellSelected);
    QTest::keyPress(m_view, Qt::Key_Space);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(m_view->viewport(), {130, 100});
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, {130, 100});
    QTest::keyRelease(m_view, Qt::Key_Space);
    QCOMPARE(m_view->horizontalScrollBar()->value(), 20);
    QCOMPARE(selected.size(), 0);
}

void TestSceneView::hoverNamesTheCell()
{
    QSignalSpy hovered(m_view, &SceneView::cellHovered);
    QSignalSpy left(m_view, &SceneView::hoverLeft);
    QTest::mouseMove(m_view->viewport(), cellPoint(0, 2, 4));
    QTest::mouseMove(m_view->viewport(), cellPoint(0, 2, 4) + QPoint(1, 1));
    QCOMPARE(hovered.size(), 1);
    QCOMPARE(hovered[0][0].value<MapKey>(), m_scene->maps[0].key);
    QCOMPARE(hovered[0][1].value<Index>(), 2);
    QCOMPARE(hovered[0][2].value<Index>(), 4);
    QTest::mouseMove(m_view->viewport(), cellPoint(1, 3, 0));
    QCOMPARE(hovered.size(), 2);
    QCOMPARE(hovered[1][0].value<MapKey>().head, 1);
    QTest::mouseMove(m_view->viewport(), {5, 5});
    QCOMPARE(left.size(), 1);
}

void TestSceneView::clickSelects()
{
    QSignalSpy selected(m_view, &SceneView::cellSelected);
    click(1, 3, 1);
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0][0].value<MapKey>(), m_scene->maps[1].key);
    QCOMPARE(selected[0][1].value<Index>(), 3);
    QCOMPARE(selected[0][2].value<Index>(), 1);
    QCOMPARE(selected[0][3].toBool(), false);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[1]);
}

void TestSceneView::shiftClickAndDragExtend()
{
    click(0, 0, 1);
    click(0, 2, 3, Qt::ShiftModifier);
    QCOMPARE(*m_view->currentBlock(), (MapBlock{m_scene->maps[0].key, 0, 2, 1, 3}));

    QSignalSpy selected(m_view, &SceneView::cellSelected);
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, cellPoint(0, 1, 1));
    QMouseEvent drag(QEvent::MouseMove, QPointF(395, 5), m_view->viewport()->mapToGlobal(QPointF(395, 5)),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_view->viewport(), &drag);
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, {395, 5});
    QCOMPARE(*m_view->currentBlock(), (MapBlock{m_scene->maps[0].key, 0, 1, 1, 4}));
    QCOMPARE(selected.size(), 2);
    QCOMPARE(selected[1][3].toBool(), true);
}

void TestSceneView::keysMoveInTheMap_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("col");
    QTest::addColumn<bool>("extends");
    const int none = Qt::NoModifier;
    const int shift = Qt::ShiftModifier;
    const int control = Qt::ControlModifier;
    QTest::newRow("left") << int(Qt::Key_Left) << none << 1 << 1 << false;
    QTest::newRow("right") << int(Qt::Key_Right) << none << 1 << 3 << false;
    QTest::newRow("up") << int(Qt::Key_Up) << none << 0 << 2 << false;
    QTest::newRow("down") << int(Qt::Key_Down) << none << 2 << 2 << false;
    QTest::newRow("Shift+right extends") << int(Qt::Key_Right) << shift << 1 << 3 << true;
    QTest::newRow("Ctrl+left to the edge") << int(Qt::Key_Left) << control << 1 << 0 << false;
    QTest::newRow("Ctrl+right to the edge") << int(Qt::Key_Right) << control << 1 << 4 << false;
    QTest::newRow("Ctrl+Shift+down extends to the edge")
        << int(Qt::Key_Down) << (control | shift) << 2 << 2 << true;
    QTest::newRow("Home") << int(Qt::Key_Home) << none << 1 << 0 << false;
    QTest::newRow("End") << int(Qt::Key_End) << none << 1 << 4 << false;
    QTest::newRow("Ctrl+Home") << int(Qt::Key_Home) << control << 0 << 0 << false;
    QTest::newRow("Ctrl+End") << int(Qt::Key_End) << control << 2 << 4 << false;
    QTest::newRow("PageUp") << int(Qt::Key_PageUp) << none << 0 << 2 << false;
    QTest::newRow("PageDown") << int(Qt::Key_PageDown) << none << 2 << 2 << false;
    QTest::newRow("Tab") << int(Qt::Key_Tab) << none << 1 << 3 << false;
    QTest::newRow("Shift+Tab") << int(Qt::Key_Backtab) << shift << 1 << 1 << false;
    QTest::newRow("Return") << int(Qt::Key_Return) << none << 2 << 2 << false;
    QTest::newRow("Shift+Return") << int(Qt::Key_Return) << shift << 0 << 2 << false;
}

void TestSceneView::keysMoveInTheMap()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(int, row);
    QFETCH(int, col);
    QFETCH(bool, extends);
    click(0, 1, 2);
    QSignalSpy selected(m_view, &SceneView::cellSelected);
    QTest::keyClick(m_view, Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(selected.size(), 1);
    QCOMPARE(selected[0][1].value<Index>(), row);
    QCOMPARE(selected[0][2].value<Index>(), col);
    QCOMPARE(selected[0][3].toBool(), extends);
    QCOMPARE(m_view->currentBlock()->isSingleCell(), !extends);
    QVERIFY(m_view->hasFocus());
}

void TestSceneView::returnAndTabWalkInTheBlock()
{
    click(0, 1, 2);
    click(0, 2, 3, Qt::ShiftModifier); // a block of 2 x 2
    const MapBlock block = *m_view->currentBlock();
    QSignalSpy walked(m_view, &SceneView::cellWalked);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(cell(), (GridPosition{1, 2})); // from the last cell round to the first
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(cell(), (GridPosition{2, 2}));
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(cell(), (GridPosition{1, 3})); // and up to the next column
    QTest::keyClick(m_view, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(cell(), (GridPosition{2, 2}));
    QTest::keyClick(m_view, Qt::Key_Tab);
    QCOMPARE(cell(), (GridPosition{2, 3}));
    QTest::keyClick(m_view, Qt::Key_Tab);
    QCOMPARE(cell(), (GridPosition{1, 2}));
    QCOMPARE(walked.size(), 6);
    QVERIFY(*m_view->currentBlock() == block);
    // What is typed goes to the current cell alone, and the block stays.
    QTest::keyClick(m_view, Qt::Key_7);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(edited.size(), 1);
    QVERIFY(edited[0][0].value<MapBlock>() == (MapBlock{block.map, 1, 1, 2, 2}));
    QCOMPARE(cell(), (GridPosition{2, 2}));
    QVERIFY(*m_view->currentBlock() == block);
    // The shared selection brings the same block back with the cell inside it.
    m_view->setSelection(Stage::X, {0, 2, 2}, {0, 1, 2}, CellIndex{0, 2, 3});
    QVERIFY(*m_view->currentBlock() == block);
    QCOMPARE(cell(), (GridPosition{2, 2}));
    QTest::keyClick(m_view, Qt::Key_Right);
    QVERIFY(m_view->currentBlock()->isSingleCell());
}

void TestSceneView::returnGoesBackToWhereTabbingBegan()
{
    click(0, 0, 1);
    QTest::keyClick(m_view, Qt::Key_Tab);
    QTest::keyClick(m_view, Qt::Key_Tab);
    QCOMPARE(cell(), (GridPosition{0, 3}));
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(cell(), (GridPosition{1, 1}));
    QTest::keyClick(m_view, Qt::Key_Tab);
    QTest::keyClick(m_view, Qt::Key_Down); // a step of its own: tabbing is over
    QTest::keyClick(m_view, Qt::Key_Return);
    QCOMPARE(cell(), (GridPosition{2, 2}));
}

void TestSceneView::editorKeepsToTheMap()
{
    m_view->setZoom(0.5, {});
    click(0, 0, 0);
    const int mapWidth = m_view->fromScene(m_scene->maps[0].rect).toAlignedRect().width();
    QTest::keyClick(m_view, Qt::Key_1);
    const int narrow = editor()->width();
    QVERIFY2(narrow <= std::max(mapWidth, 56), qPrintable(QString::number(narrow)));
    QTest::keyClicks(editor(), QStringLiteral("23456.789012345678"));
    QVERIFY(editor()->width() >= narrow); // grows with its text
    QVERIFY(editor()->width() <= std::max(mapWidth, 56));
    QTest::keyClick(editor(), Qt::Key_Escape);
}

void TestSceneView::tabNeverTraps()
{
    click(0, 0, 0);
    QTest::keyClick(m_view, Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(m_other->hasFocus());
    m_view->setFocus();
    QTest::keyClick(m_view, Qt::Key_F6);
    QVERIFY(m_other->hasFocus());
    m_view->setFocus();
    m_view->clearSelection();
    QTest::keyClick(m_view, Qt::Key_Tab);
    QVERIFY(m_other->hasFocus());
    // Out of an open editor, too; what was typed is kept.
    click(0, 0, 0);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_7);
    QTest::keyClick(editor(), Qt::Key_Tab, Qt::ControlModifier);
    QVERIFY(m_other->hasFocus());
    QCOMPARE(edited.size(), 1);
}

void TestSceneView::nextMapAndControls()
{
    click(0, 2, 4);
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[1]);
    QCOMPARE(cell(), (GridPosition{2, 1}));
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[2]);
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier); // the map without cells is left out
    QCOMPARE(m_view->focusedControl(), 0);
    QSignalSpy activated(m_view, &SceneView::controlActivated);
    QTest::keyClick(m_view, Qt::Key_Tab);
    QTest::keyClick(m_view, Qt::Key_Space);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toString(), QStringLiteral("mute:0"));
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->focusedControl(), -1);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[0]);
    QTest::keyClick(m_view, Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(m_view->focusedControl(), 1);
    QTest::keyClick(m_view, Qt::Key_Escape);
    QCOMPARE(m_view->focusedControl(), -1);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[0]);
}

void TestSceneView::piecesArePassedOver()
{
    auto scene = std::make_shared<Scene>(*m_scene);
    scene->maps[1].isPiece = true;
    m_view->setScene(scene);
    m_scene = scene;
    click(0, 0, 0);
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->currentMap(), &scene->maps[2]);
    QTest::keyClick(m_view, Qt::Key_PageUp, Qt::ControlModifier | Qt::AltModifier);
    QCOMPARE(m_view->currentMap(), &scene->maps[1]);
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::ControlModifier); // from a piece to what comes after it
    QCOMPARE(m_view->currentMap(), &scene->maps[2]);
}

/// What holds no cell is reached by keys too, and the selected cell stays where it is.
void TestSceneView::keysScrollThePicture()
{
    click(0, 1, 1);
    m_view->setZoom(4.0, {0, 0});
    QScrollBar *bar = m_view->verticalScrollBar();
    bar->setValue(0);
    QVERIFY(bar->maximum() > 2 * bar->pageStep());
    QSignalSpy selected(m_view, &SceneView::cellSelected);
    QTest::keyClick(m_view, Qt::Key_PageDown, Qt::AltModifier);
    const int page = bar->value();
    QVERIFY(page > bar->pageStep() / 2 && page < bar->pageStep());
    QTest::keyClick(m_view, Qt::Key_End, Qt::AltModifier);
    QCOMPARE(bar->value(), bar->maximum());
    QTest::keyClick(m_view, Qt::Key_PageUp, Qt::AltModifier);
    QCOMPARE(bar->value(), bar->maximum() - page);
    QTest::keyClick(m_view, Qt::Key_Home, Qt::AltModifier);
    QCOMPARE(bar->value(), 0);
    QCOMPARE(selected.size(), 0);
    QCOMPARE(cell(), (GridPosition{1, 1}));
    // A control with the keyboard scrolls as well.
    QTest::keyClick(m_view, Qt::Key_PageUp, Qt::ControlModifier);
    QVERIFY(m_view->focusedControl() >= 0);
    QTest::keyClick(m_view, Qt::Key_Home, Qt::AltModifier);
    QCOMPARE(bar->value(), 0);
    QVERIFY(m_view->focusedControl() >= 0);
}

/// While the cursor is at a number that only the picture has, the selected cell is marked quietly.
void TestSceneView::oneCursor()
{
    auto scene = std::make_shared<Scene>(*m_scene);
    scene->maps[1].key = MapKey::derived(QStringLiteral("weights"));
    m_view->setScene(scene);
    m_scene = scene;
    m_view->setSelection(Stage::X, {0, 1, 1}, {0, 1, 1});
    const auto shown = [this] {
        return m_view->viewport()->grab().toImage();
    };
    const QColor accent = m_view->theme().accent;
    const auto accents = [&](const QImage &image, std::size_t map) {
        const QRect place = m_view->fromScene(m_scene->maps[map].rect).toAlignedRect().adjusted(-3, -3, 3, 3);
        int count = 0;
        for (int y = place.top(); y < place.bottom(); ++y)
            for (int x = place.left(); x < place.right(); ++x)
                count += image.pixelColor(x, y) == accent ? 1 : 0;
        return count;
    };
    QVERIFY(accents(shown(), 0) > 50);
    click(1, 2, 0);
    const QImage away = shown();
    QCOMPARE(accents(away, 0), 0);
    QVERIFY(accents(away, 1) > 50);
    click(0, 2, 2);
    const QImage back = shown();
    QVERIFY(accents(back, 0) > 50);
    QCOMPARE(accents(back, 1), 0);
}

void TestSceneView::selectionComesFromOutside()
{
    QSignalSpy selected(m_view, &SceneView::cellSelected);
    m_view->setSelection(Stage::A, {1, 3, 1}, {1, 2, 0});
    QCOMPARE(selected.size(), 0);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[1]);
    QCOMPARE(*m_view->currentBlock(), (MapBlock{m_scene->maps[1].key, 2, 3, 0, 1}));
    QVERIFY(m_view->highlight().active);
    QCOMPARE(m_view->highlight().stage, Stage::A);
    QCOMPARE(m_view->highlight().firstRow, 2);
    m_view->setSelection(Stage::A, {0, 0, 0}, {0, 0, 0}); // head 0 is not shown
    QCOMPARE(m_view->currentMap(), nullptr);
    // It becomes current when a scene shows it.
    auto next = smallScene();
    next->maps[1].key.head = 0;
    m_view->setScene(next);
    QCOMPARE(m_view->currentMap(), &next->maps[1]);
    // A smaller matrix keeps the cell inside.
    m_view->setSelection(Stage::X, {0, 2, 4}, {0, 2, 4});
    auto smaller = smallScene();
    smaller->maps[0].values = std::make_shared<MatrixValues>(2, 2, countedCells(2, 2));
    m_view->setScene(smaller);
    QCOMPARE(cell(), (GridPosition{1, 1}));
    m_view->setScene(nullptr);
    QCOMPARE(m_view->currentMap(), nullptr);
}

void TestSceneView::offsetMapsSpeakOfTheirStage()
{
    QSignalSpy selected(m_view, &SceneView::cellSelected);
    click(2, 1, 2);
    const MapKey key = selected[0][0].value<MapKey>();
    QCOMPARE(stageCell(key, 1, 2), (CellIndex{0, 3, 3}));
    m_view->setSelection(Stage::Scores, {0, 2, 1}, {0, 2, 1});
    QCOMPARE(cell(), (GridPosition{0, 0}));
}

void TestSceneView::typingReplacesAndReturnGoesDown()
{
    click(0, 1, 2);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_Minus);
    QVERIFY(editor());
    QVERIFY(editor()->hasFocus());
    QCOMPARE(editor()->text(), QStringLiteral("-"));
    QTest::keyClicks(editor(), QStringLiteral("2.5"));
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].value<MapBlock>(), (MapBlock{m_scene->maps[0].key, 1, 1, 2, 2}));
    QCOMPARE(edited[0][1].toDouble(), -2.5);
    QVERIFY(!m_view->isEditing());
    QVERIFY(m_view->hasFocus());
    QCOMPARE(cell(), (GridPosition{2, 2}));
}

void TestSceneView::editorKeys_data()
{
    QTest::addColumn<bool>("typed");
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<bool>("commits");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("col");
    const int none = Qt::NoModifier;
    const int shift = Qt::ShiftModifier;
    QTest::newRow("Tab goes right") << true << int(Qt::Key_Tab) << none << true << 1 << 3;
    QTest::newRow("Shift+Tab goes left") << true << int(Qt::Key_Backtab) << shift << true << 1 << 1;
    QTest::newRow("Shift+Return goes up") << true << int(Qt::Key_Return) << shift << true << 0 << 2;
    QTest::newRow("left after typing") << true << int(Qt::Key_Left) << none << true << 1 << 1;
    QTest::newRow("right after typing") << true << int(Qt::Key_Right) << none << true << 1 << 3;
    QTest::newRow("up after typing") << true << int(Qt::Key_Up) << none << true << 0 << 2;
    QTest::newRow("down after F2") << false << int(Qt::Key_Down) << none << true << 2 << 2;
    QTest::newRow("left after F2 moves the caret") << false << int(Qt::Key_Left) << none << false << 1 << 2;
}

void TestSceneView::editorKeys()
{
    QFETCH(bool, typed);
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(bool, commits);
    QFETCH(int, row);
    QFETCH(int, col);
    click(0, 1, 2);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, typed ? Qt::Key_9 : Qt::Key_F2);
    if (!typed)
        QTest::keyClick(editor(), Qt::Key_5); // at the end: 1.2 becomes 1.25
    QTest::keyClick(editor(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(edited.size(), commits ? 1 : 0);
    if (commits)
        QCOMPARE(edited[0][1].toDouble(), typed ? 9.0 : 1.25);
    QCOMPARE(m_view->isEditing(), !commits);
    QCOMPARE(cell(), (GridPosition{row, col}));
}

void TestSceneView::f2KeepsFullPrecision()
{
    m_scene = smallScene();
    auto data = countedCells(3, 5);
    data[0] = 0.1 + 0.2;
    data[1] = -0.0;
    data[2] = double(0.1f);
    m_scene->maps[0].values = std::make_shared<MatrixValues>(3, 5, data);
    m_view->setScene(m_scene);
    click(0, 0, 0);
    QTest::keyClick(m_view, Qt::Key_F2);
    QCOMPARE(editor()->text(), QStringLiteral("0.30000000000000004"));
    QCOMPARE(editor()->cursorPosition(), int(editor()->text().size()));
    QVERIFY(!editor()->hasSelectedText());
    QTest::keyClick(editor(), Qt::Key_Escape);
    QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {}, cellPoint(0, 0, 1));
    QCOMPARE(editor()->text(), QStringLiteral("-0"));
    QTest::keyClick(editor(), Qt::Key_Escape);

    m_scene = std::make_shared<Scene>(*m_scene);
    m_scene->maps[0].values = std::make_shared<MatrixValues>(3, 5, data, true);
    m_view->setScene(m_scene);
    click(0, 0, 2);
    QTest::keyClick(m_view, Qt::Key_F2);
    QCOMPARE(editor()->text(), QStringLiteral("0.1"));
}

void TestSceneView::unchangedTextIsNoEdit()
{
    click(0, 1, 2);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_F2);
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(edited.size(), 0);
    QCOMPARE(cell(), (GridPosition{2, 2}));
    QTest::keyClick(m_view, Qt::Key_F2);
    m_other->setFocus();
    QCOMPARE(edited.size(), 0);
    QVERIFY(!m_view->isEditing());
}

void TestSceneView::escapeDrops()
{
    click(0, 1, 2);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClicks(m_view, QStringLiteral("4"));
    QTest::keyClick(editor(), Qt::Key_Escape);
    QCOMPARE(edited.size(), 0);
    QVERIFY(!m_view->isEditing());
    QVERIFY(m_view->hasFocus());
    QCOMPARE(cell(), (GridPosition{1, 2}));
}

void TestSceneView::wrongTextStaysOpen_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("word") << "abc"
                          << "abc";
    QTest::newRow("beyond double") << "1e400"
                                   << "too large";
    QTest::newRow("decimal comma") << "1,5"
                                   << "comma";
    QTest::newRow("half an exponent") << "1e"
                                      << "not a number";
    QTest::newRow("two numbers") << "1 2"
                                 << "not a number";
}

void TestSceneView::wrongTextStaysOpen()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    click(0, 1, 2);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClicks(m_view, text.left(1));
    QTest::keyClicks(editor(), text.mid(1));
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(edited.size(), 0);
    QVERIFY(m_view->isEditing());
    QVERIFY2(editor()->shownProblem().contains(says), qPrintable(editor()->shownProblem()));
    QCOMPARE(editor()->toolTip(), editor()->shownProblem());
    const QColor corner = editor()->grab().toImage().pixelColor(1, editor()->height() / 2);
    QVERIFY2(corner.red() > 150 && corner.green() < 120, qPrintable(corner.name()));
    QCOMPARE(cell(), (GridPosition{1, 2}));
    // A number makes it well again.
    editor()->selectAll();
    QTest::keyClicks(editor(), QStringLiteral("-inf"));
    QVERIFY(editor()->shownProblem().isEmpty());
    QTest::keyClick(editor(), Qt::Key_Return);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][1].toDouble(), -HUGE_VAL);
}

void TestSceneView::checkRefusesInPlace()
{
    m_view->setValueCheck([](const MapKey &map, double value) {
        return map.stage == Stage::X && value > 1.0 ? QStringLiteral("At most 1.") : QString();
    });
    click(0, 0, 0);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_2);
    QTest::keyClick(editor(), Qt::Key_Tab);
    QCOMPARE(edited.size(), 0);
    QCOMPARE(editor()->shownProblem(), QStringLiteral("At most 1."));
    m_other->setFocus(); // the old value stays
    QCOMPARE(edited.size(), 0);
    QVERIFY(!m_view->isEditing());
}

void TestSceneView::controlReturnWritesTheBlock()
{
    click(0, 0, 1);
    click(0, 2, 2, Qt::ShiftModifier);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_3);
    QTest::keyClick(editor(), Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].value<MapBlock>(), (MapBlock{m_scene->maps[0].key, 0, 2, 1, 2}));
    QCOMPARE(edited[0][1].toDouble(), 3.0);
    QVERIFY(!m_view->currentBlock()->isSingleCell());
}

void TestSceneView::clickElsewhereCommits()
{
    click(0, 0, 0);
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QTest::keyClick(m_view, Qt::Key_8);
    m_view->setFocus(Qt::MouseFocusReason); // what a click on the viewport does before its press
    click(1, 0, 0);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].value<MapBlock>().map, m_scene->maps[0].key);
    QCOMPARE(edited[0][1].toDouble(), 8.0);
    QCOMPARE(m_view->currentMap(), &m_scene->maps[1]);
}

void TestSceneView::readOnlySaysSo()
{
    click(2, 0, 0);
    QSignalSpy hit(m_view, &SceneView::readOnlyHit);
    QSignalSpy deleted(m_view, &SceneView::deleteRequested);
    QTest::keyClick(m_view, Qt::Key_1);
    QTest::keyClick(m_view, Qt::Key_F2);
    QTest::keyClick(m_view, Qt::Key_Delete);
    wheel(cellPoint(2, 0, 0), 120, Qt::ShiftModifier);
    QCOMPARE(hit.size(), 4);
    QCOMPARE(hit[0][0].value<MapKey>(), m_scene->maps[2].key);
    QVERIFY(!m_view->isEditing());
    QCOMPARE(deleted.size(), 0);
}

void TestSceneView::deleteCopyPaste()
{
    click(0, 0, 1);
    click(0, 1, 2, Qt::ShiftModifier);
    const MapBlock block{m_scene->maps[0].key, 0, 1, 1, 2};
    QSignalSpy deleted(m_view, &SceneView::deleteRequested);
    QSignalSpy copied(m_view, &SceneView::copyRequested);
    QSignalSpy pasted(m_view, &SceneView::pasteRequested);
    QTest::keyClick(m_view, Qt::Key_Backspace);
    QTest::keyClick(m_view, Qt::Key_C, Qt::ControlModifier);
    QTest::keyClick(m_view, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(deleted.size(), 1);
    QCOMPARE(deleted[0][0].value<MapBlock>(), block);
    QCOMPARE(copied[0][0].value<MapBlock>(), block);
    QCOMPARE(pasted[0][0].value<MapBlock>(), block);
    QTest::keyClick(m_view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(*m_view->currentBlock(), (MapBlock{m_scene->maps[0].key, 0, 2, 0, 4}));
}

void TestSceneView::editorSurvivesRecompute()
{
    click(0, 1, 2);
    QTest::keyClick(m_view, Qt::Key_6);
    auto next = smallScene();
    m_view->setScene(next);
    QVERIFY(m_view->isEditing());
    QCOMPARE(editor()->text(), QStringLiteral("6"));
    auto without = std::make_shared<Scene>(*next);
    without->maps.erase(without->maps.begin());
    m_view->setScene(without);
    QVERIFY(!m_view->isEditing());
}

void TestSceneView::shiftWheelScrubs()
{
    click(0, 1, 2); // 1.2: steps of 0.1
    QSignalSpy scrubbed(m_view, &SceneView::scrubbed);
    wheel(cellPoint(0, 1, 2), 120, Qt::ShiftModifier);
    wheel(cellPoint(0, 1, 2), 60, Qt::ShiftModifier);
    wheel(cellPoint(0, 1, 2), 60, Qt::ShiftModifier);
    wheel(cellPoint(0, 1, 2), -120, Qt::ShiftModifier | Qt::ControlModifier);
    QCOMPARE(scrubbed.size(), 3);
    QCOMPARE(scrubbed[0][0].value<MapKey>(), m_scene->maps[0].key);
    QCOMPARE(scrubbed[0][1].value<Index>(), 1);
    QCOMPARE(scrubbed[0][2].value<Index>(), 2);
    QCOMPARE(scrubbed[0][3].toDouble(), 1.3);
    QCOMPARE(scrubbed[0][4].value<GesturePhase>(), GesturePhase::Begin);
    QCOMPARE(scrubbed[1][3].toDouble(), 1.4);
    QCOMPARE(scrubbed[1][4].value<GesturePhase>(), GesturePhase::Update);
    QCOMPARE(scrubbed[2][3].toDouble(), 0.4);
    QTRY_COMPARE_WITH_TIMEOUT(scrubbed.size(), 4, 3000); // the pause ends it
    QCOMPARE(scrubbed[3][3].toDouble(), 0.4);
    QCOMPARE(scrubbed[3][4].value<GesturePhase>(), GesturePhase::End);
    QVERIFY(m_view->isFitted()); // Shift+Ctrl+wheel does not zoom
}

void TestSceneView::scrubEndsWithSelection()
{
    click(0, 1, 2);
    QSignalSpy scrubbed(m_view, &SceneView::scrubbed);
    wheel(cellPoint(0, 1, 2), 120, Qt::ShiftModifier);
    QTest::keyClick(m_view, Qt::Key_Right);
    QCOMPARE(scrubbed.size(), 2);
    QCOMPARE(scrubbed[1][4].value<GesturePhase>(), GesturePhase::End);
    QCOMPARE(scrubbed[1][2].value<Index>(), 2);
    wheel(cellPoint(0, 1, 3), 120, Qt::ShiftModifier);
    m_other->setFocus();
    QCOMPARE(scrubbed.size(), 4);
    QCOMPARE(scrubbed[3][2].value<Index>(), 3);
    QCOMPARE(scrubbed[3][3].toDouble(), 1.4);
}

void TestSceneView::controlsAreClicked()
{
    QSignalSpy activated(m_view, &SceneView::controlActivated);
    const QPoint at = m_view->fromScene(m_scene->controls[0].rect).center().toPoint();
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toString(), QStringLiteral("head:1"));
    QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, {300, 290});
    QCOMPARE(activated.size(), 1); // let go elsewhere
    m_scene = std::make_shared<Scene>(*m_scene);
    m_scene->controls[0].enabled = false;
    m_view->setScene(m_scene);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(activated.size(), 1);
}

void TestSceneView::paintsOnWholePixels()
{
    m_view->zoomActual();
    m_view->resize(401, 301); // half a pixel of margin on each side
    const QPointF corner = m_view->fromScene({20, 20, 1, 1}).topLeft();
    QCOMPARE(corner, QPointF(std::round(corner.x()), std::round(corner.y())));
    click(2, 0, 0);
    m_view->clearSelection();
    const QImage picture = m_view->grab().toImage();
    const SceneMap &map = m_scene->maps[0];
    for (const Index row : {Index(0), Index(2)})
        for (const Index col : {Index(0), Index(4)}) {
            // off-centre, where no number is printed
            const QPoint at = m_view->fromScene(cellRect(map, row, col)).topLeft().toPoint() + QPoint(4, 4);
            const double value = map.values->value(0, row, col);
            const QColor expected(map.colorMap->rgb(map.range.place(value)));
            const QColor painted = picture.pixelColor(at * picture.devicePixelRatio());
            QCOMPARE(painted.name(), expected.name());
        }
}

void TestSceneView::largeMapsStayWhileNewNumbersAreOnTheirWay()
{
    constexpr Index side = 1536;
    PooledMaps pools;
    m_scene = std::make_shared<Scene>();
    m_scene->size = {200.0, 200.0};
    m_scene->maps.push_back(matrixMap(Stage::A, QStringLiteral("A"), {10, 10, 180, 180}, side, side));
    m_view->setPooledMaps(&pools);
    m_view->setScene(m_scene);
    const QImage unknown = m_view->grab().toImage();
    m_view->setRefining(false);
    pools.waitUntilIdle();
    QCOMPARE(m_view->grab().toImage(), unknown);
    m_view->setRefining(true);
    QVERIFY(m_view->grab().toImage() != unknown);
    m_view->setPooledMaps(nullptr);
}

QTEST_MAIN(TestSceneView)
#include "tst_SceneView.moc"
