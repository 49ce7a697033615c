#include "widgets/SceneView.h"

#include "SceneFixture.h"

#include <QContextMenuEvent>
#include <QTest>

using namespace attn;
using namespace attn::test;

/// Cells of a scene that are painted with mouse and keys.
class TestScenePainting : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }

    void linesHaveNoGaps();
    void strokePaintsWhatItPasses();
    void rightButtonAndCtrlPaintTheOther();
    void shiftPaintsARectangle();
    void rectanglesCanBeTheRule();
    void escapeGivesUpARectangle();
    void tinyCellsArePaintedInRectangles();
    void keysPaintTheBlock();
    void otherMapsAreSelected();
    void rightButtonOpensNoMenuThere();
    void newSceneDuringAStroke();
    void mapMovesDuringAStroke();

private:
    struct Stroke
    {
        std::vector<GridPosition> cells;
        PaintInk ink;
        GesturePhase phase;
    };
    QPoint at(std::size_t map, Index row, Index col) const
    {
        return m_view->fromScene(cellRect(m_scene->maps[map], row, col)).center().toPoint();
    }
    void press(std::size_t map, Index row, Index col, Qt::MouseButton button = Qt::LeftButton,
               Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(m_view->viewport(), button, modifiers, at(map, row, col));
    }
    void drag(std::size_t map, Index row, Index col, Qt::MouseButton button = Qt::LeftButton)
    {
        const QPoint to = at(map, row, col);
        QMouseEvent move(QEvent::MouseMove, to, m_view->viewport()->mapToGlobal(to), Qt::NoButton, button,
                         {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
    }
    void release(std::size_t map, Index row, Index col, Qt::MouseButton button = Qt::LeftButton)
    {
        QTest::mouseRelease(m_view->viewport(), button, {}, at(map, row, col));
    }

    std::shared_ptr<Scene> m_scene;
    std::unique_ptr<SceneView> m_view;
    std::vector<Stroke> m_strokes;
    std::vector<std::pair<MapBlock, PaintInk>> m_blocks;
    int m_menus = 0;
};

void TestScenePainting::init()
{
    m_strokes.clear();
    m_blocks.clear();
    m_menus = 0;
    m_scene = smallScene();
    m_view = std::make_unique<SceneView>();
    m_view->resize(400, 300);
    m_view->setScene(m_scene);
    m_view->setPaintTest([](const MapKey &map) { return map.stage == Stage::X; });
    connect(
        m_view.get(), &SceneView::painted, this,
        [this](const MapKey &map, const std::vector<GridPosition> &cells, PaintInk ink, GesturePhase phase) {
            QCOMPARE(map.stage, Stage::X);
            m_strokes.push_back({cells, ink, phase});
        });
    connect(m_view.get(), &SceneView::blockPainted, this,
            [this](const MapBlock &block, PaintInk ink) { m_blocks.emplace_back(block, ink); });
    connect(m_view.get(), &SceneView::contextMenuWanted, this, [this] { ++m_menus; });
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
}

void TestScenePainting::linesHaveNoGaps()
{
    QVERIFY(cellsBetween({2, 2}, {2, 2}).empty());
    const std::vector<GridPosition> steep = {{1, 0}, {2, 1}, {3, 1}};
    QCOMPARE(cellsBetween({0, 0}, {3, 1}), steep);
    const std::vector<GridPosition> back = {{1, 1}, {0, 0}};
    QCOMPARE(cellsBetween({2, 2}, {0, 0}), back);
}

void TestScenePainting::strokePaintsWhatItPasses()
{
    press(0, 0, 0);
    drag(0, 0, 3); // fast: two cells are skipped by the mouse
    drag(0, 1, 3);
    release(0, 1, 3);
    QCOMPARE(m_strokes.size(), std::size_t(4));
    QCOMPARE(m_strokes[0].phase, GesturePhase::Begin);
    QCOMPARE(m_strokes[0].ink, PaintInk::Brush);
    const std::vector<GridPosition> passed = {{0, 1}, {0, 2}, {0, 3}};
    QCOMPARE(m_strokes[1].cells, passed);
    QCOMPARE(m_strokes[2].cells, std::vector<GridPosition>{GridPosition({1, 3})});
    QCOMPARE(m_strokes[3].phase, GesturePhase::End);
    QCOMPARE(m_view->currentCell(), GridPosition({1, 3}));
    QVERIFY(m_blocks.empty());
}

void TestScenePainting::rightButtonAndCtrlPaintTheOther()
{
    press(0, 1, 1, Qt::RightButton);
    drag(0, 1, 2, Qt::RightButton);
    release(0, 1, 2, Qt::RightButton);
    QCOMPARE(m_strokes.size(), std::size_t(3));
    QCOMPARE(m_strokes[1].ink, PaintInk::Other);
    m_strokes.clear();
    press(0, 1, 1, Qt::LeftButton, Qt::ControlModifier);
    release(0, 1, 1);
    QCOMPARE(m_strokes.front().ink, PaintInk::Other);
}

void TestScenePainting::shiftPaintsARectangle()
{
    press(0, 2, 3, Qt::LeftButton, Qt::ShiftModifier);
    drag(0, 1, 1);
    QVERIFY(m_blocks.empty());
    release(0, 1, 1);
    QVERIFY(m_strokes.empty());
    QCOMPARE(m_blocks.size(), std::size_t(1));
    QCOMPARE(m_blocks[0].second, PaintInk::Brush);
    QCOMPARE(m_blocks[0].first, (MapBlock{m_scene->maps[0].key, 1, 2, 1, 3}));
}

void TestScenePainting::rectanglesCanBeTheRule()
{
    m_view->setPaintsRectangles(true);
    press(0, 0, 0, Qt::RightButton);
    drag(0, 2, 2, Qt::RightButton);
    release(0, 2, 2, Qt::RightButton);
    QCOMPARE(m_blocks.size(), std::size_t(1));
    QCOMPARE(m_blocks[0].second, PaintInk::Other);
    QCOMPARE(m_blocks[0].first.lastRow, Index(2));
}

void TestScenePainting::escapeGivesUpARectangle()
{
    press(0, 0, 0, Qt::LeftButton, Qt::ShiftModifier);
    drag(0, 2, 2);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    release(0, 2, 2);
    QVERIFY(m_blocks.empty());
}

void TestScenePainting::tinyCellsArePaintedInRectangles()
{
    m_scene = smallScene();
    m_scene->maps[0].values = std::make_shared<MatrixValues>(90, 200, countedCells(90, 200));
    m_scene->maps[0].rowLabels.clear();
    m_scene->maps[0].colLabels.clear();
    m_view->setScene(m_scene);
    press(0, 10, 10);
    drag(0, 60, 100);
    release(0, 60, 100);
    QVERIFY(m_strokes.empty());
    QCOMPARE(m_blocks.size(), std::size_t(1));
    QVERIFY(m_blocks[0].first.lastRow - m_blocks[0].first.firstRow >= 49);
}

void TestScenePainting::keysPaintTheBlock()
{
    m_view->selectCell(m_scene->maps[0].key, {0, 0});
    QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(m_view.get(), Qt::Key_Down, Qt::ShiftModifier);
    const std::pair<int, PaintInk> keys[] = {
        {Qt::Key_Space, PaintInk::Toggle}, {Qt::Key_K, PaintInk::Keep}, {Qt::Key_D, PaintInk::Drop}};
    for (const auto &[key, ink] : keys) {
        QTest::keyClick(m_view.get(), static_cast<Qt::Key>(key));
        QCOMPARE(m_blocks.back().second, ink);
        QCOMPARE(m_blocks.back().first, (MapBlock{m_scene->maps[0].key, 0, 1, 0, 1}));
    }
    QVERIFY(!m_view->isEditing());
    QTest::keyClick(m_view.get(), Qt::Key_5); // numbers are typed as ever
    QVERIFY(m_view->isEditing());
}

void TestScenePainting::otherMapsAreSelected()
{
    press(1, 0, 0);
    drag(1, 2, 1);
    release(1, 2, 1);
    QVERIFY(m_strokes.empty() && m_blocks.empty());
    QCOMPARE(m_view->currentBlock()->lastRow, Index(2));
    QTest::keyClick(m_view.get(), Qt::Key_D);
    QVERIFY(m_blocks.empty());
}

void TestScenePainting::rightButtonOpensNoMenuThere()
{
    const auto ask = [&](std::size_t map, QContextMenuEvent::Reason reason) {
        QContextMenuEvent event(reason, at(map, 0, 0), m_view->viewport()->mapToGlobal(at(map, 0, 0)));
        QCoreApplication::sendEvent(m_view->viewport(), &event);
    };
    ask(0, QContextMenuEvent::Mouse);
    QCOMPARE(m_menus, 0);
    ask(0, QContextMenuEvent::Keyboard);
    ask(1, QContextMenuEvent::Mouse);
    QCOMPARE(m_menus, 2);
}

/// Each part of a stroke changes the document, and so the scene.
void TestScenePainting::newSceneDuringAStroke()
{
    press(0, 0, 0);
    m_scene = smallScene();
    m_view->setScene(m_scene);
    drag(0, 0, 2);
    release(0, 0, 2);
    QCOMPARE(m_strokes.size(), std::size_t(3));
    QCOMPARE(m_strokes[1].cells.size(), std::size_t(2));
    QCOMPARE(m_strokes[2].phase, GesturePhase::End);
}

/// A warning that the stroke itself brings up takes room above the map.
void TestScenePainting::mapMovesDuringAStroke()
{
    press(0, 1, 0);
    const QPoint underTheHand = at(0, 1, 3);
    m_scene = smallScene();
    m_scene->maps[0].rect.translate(0.0, 16.0);
    m_view->setScene(m_scene);
    QVERIFY(at(0, 1, 3) != underTheHand);
    QMouseEvent move(QEvent::MouseMove, underTheHand, m_view->viewport()->mapToGlobal(underTheHand),
                     Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_view->viewport(), &move);
    release(0, 1, 3);
    for (const Stroke &stroke : m_strokes)
        for (const GridPosition &cell : stroke.cells)
            QCOMPARE(cell.row, Index(1));
}

QTEST_MAIN(TestScenePainting)
#include "tst_ScenePainting.moc"
