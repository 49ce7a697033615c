#include "widgets/SceneView.h"

#include "SceneFixture.h"

#include <QAccessible>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::test;

/// Grips and shapes in the view of a scene.
class TestSceneGrips : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_view.reset(); }

    void dragIsOneGesture();
    void clickWithoutMoveSaysNothing();
    void boundsHoldTheGrip();
    void escapeTakesADragBack();
    void arrowKeysMove();
    void tabGoesFromGripToGrip();
    void cellsAndControlsComeBeforeGrips();
    void goneGripLosesTheFocus();
    void screenReadersHearOfIt();
    void shapesAreHoveredAndClicked();

private:
    QPoint at(double x, double y) const
    {
        return m_view->fromScene(QRectF(x, y, 0.0, 0.0)).topLeft().toPoint();
    }
    void press(double x, double y) { QTest::mousePress(m_view->viewport(), Qt::LeftButton, {}, at(x, y)); }
    void drag(double x, double y)
    {
        QMouseEvent move(QEvent::MouseMove, at(x, y), m_view->viewport()->mapToGlobal(at(x, y)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
    }
    void hover(double x, double y)
    {
        QMouseEvent move(QEvent::MouseMove, at(x, y), m_view->viewport()->mapToGlobal(at(x, y)), Qt::NoButton,
                         Qt::NoButton, {});
        QCoreApplication::sendEvent(m_view->viewport(), &move);
    }
    void release(double x, double y)
    {
        QTest::mouseRelease(m_view->viewport(), Qt::LeftButton, {}, at(x, y));
    }

    std::shared_ptr<Scene> m_scene;
    std::unique_ptr<SceneView> m_view;
};

void TestSceneGrips::init()
{
    m_scene = smallScene();
    SceneGrip first;
    first.id = QStringLiteral("v1");
    first.pos = {300, 200};
    first.name = QStringLiteral("vector v1");
    first.value = QStringLiteral("(3, 6)");
    SceneGrip second = first;
    second.id = QStringLiteral("v2");
    second.pos = {350, 250};
    second.bounds = {340, 240, 20, 20};
    m_scene->grips = {first, second};
    m_view = std::make_unique<SceneView>();
    m_view->resize(400, 300);
    m_view->setScene(m_scene);
    m_view->show();
    QVERIFY(QTest::qWaitForWindowActive(m_view.get()));
    m_view->setFocus();
}

void TestSceneGrips::dragIsOneGesture()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    press(302, 201); // taken hold of beside its middle: it does not jump
    drag(312, 201);
    drag(312, 221);
    release(312, 221);
    QCOMPARE(moved.size(), 3);
    QCOMPARE(moved.at(0).at(0).toString(), QStringLiteral("v1"));
    QCOMPARE(moved.at(0).at(1).toPointF(), QPointF(310, 200));
    QCOMPARE(moved.at(0).at(2).value<GesturePhase>(), GesturePhase::Begin);
    QCOMPARE(moved.at(1).at(2).value<GesturePhase>(), GesturePhase::Update);
    QCOMPARE(moved.at(2).at(1).toPointF(), QPointF(310, 220));
    QCOMPARE(moved.at(2).at(2).value<GesturePhase>(), GesturePhase::End);
    QVERIFY(m_view->focusedGrip());
}

void TestSceneGrips::clickWithoutMoveSaysNothing()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    press(300, 200);
    release(300, 200);
    QCOMPARE(moved.size(), 0);
    QCOMPARE(m_view->focusedGrip()->id, QStringLiteral("v1"));
}

void TestSceneGrips::boundsHoldTheGrip()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    press(350, 250);
    drag(390, 100);
    release(390, 100);
    QCOMPARE(moved.at(0).at(1).toPointF(), QPointF(360, 240));
}

void TestSceneGrips::escapeTakesADragBack()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    press(300, 200);
    drag(310, 210);
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QCOMPARE(moved.last().at(1).toPointF(), QPointF(300, 200));
    QCOMPARE(moved.last().at(2).value<GesturePhase>(), GesturePhase::End);
    const auto count = moved.size();
    drag(320, 220);
    release(320, 220);
    QCOMPARE(moved.size(), count);
}

void TestSceneGrips::arrowKeysMove()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    m_view->focusGrip(0);
    QTest::keyClick(m_view.get(), Qt::Key_Right);
    QTest::keyClick(m_view.get(), Qt::Key_Up);
    QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(moved.size(), 3);
    QCOMPARE(moved.at(0).at(1).toPointF(), QPointF(308, 200));
    QCOMPARE(moved.at(1).at(1).toPointF(), QPointF(308, 192));
    QVERIFY(QLineF(moved.at(2).at(1).toPointF(), QPointF(307.2, 192)).length() < 1e-9);
    QCOMPARE(moved.at(2).at(2).value<GesturePhase>(), GesturePhase::Update);
    QTRY_COMPARE(moved.size(), 4); // ends after a pause
    QCOMPARE(moved.last().at(2).value<GesturePhase>(), GesturePhase::End);
}

void TestSceneGrips::tabGoesFromGripToGrip()
{
    m_view->focusGrip(0);
    QTest::keyClick(m_view.get(), Qt::Key_Tab);
    QCOMPARE(m_view->focusedGrip()->id, QStringLiteral("v2"));
    QTest::keyClick(m_view.get(), Qt::Key_Backtab);
    QCOMPARE(m_view->focusedGrip()->id, QStringLiteral("v1"));
    QTest::keyClick(m_view.get(), Qt::Key_Escape);
    QVERIFY(!m_view->focusedGrip());
}

void TestSceneGrips::cellsAndControlsComeBeforeGrips()
{
    m_view->selectCell(m_scene->maps[2].key, {0, 0});
    QTest::keyClick(m_view.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QTest::keyClick(m_view.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->focusedControl(), 1);
    QTest::keyClick(m_view.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(m_view->focusedGrip()->id, QStringLiteral("v1"));
    QCOMPARE(m_view->focusedControl(), -1);
    QTest::keyClick(m_view.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QTest::keyClick(m_view.get(), Qt::Key_PageDown, Qt::ControlModifier);
    QVERIFY(!m_view->focusedGrip());
    QVERIFY(m_view->currentMap()->key == m_scene->maps[0].key);
}

void TestSceneGrips::goneGripLosesTheFocus()
{
    QSignalSpy moved(m_view.get(), &SceneView::gripMoved);
    press(300, 200);
    drag(310, 200);
    auto next = std::make_shared<Scene>(*m_scene);
    next->grips.erase(next->grips.begin());
    m_view->setScene(next);
    QVERIFY(!m_view->focusedGrip());
    QCOMPARE(moved.last().at(2).value<GesturePhase>(), GesturePhase::End);
}

void TestSceneGrips::screenReadersHearOfIt()
{
    QAccessibleInterface *pane = QAccessible::queryAccessibleInterface(m_view.get());
    const int count = pane->childCount();
    QAccessibleInterface *grip = pane->child(count - 2);
    QCOMPARE(grip->role(), QAccessible::Slider);
    QCOMPARE(grip->text(QAccessible::Name), QStringLiteral("vector v1"));
    QCOMPARE(grip->text(QAccessible::Value), QStringLiteral("(3, 6)"));
    QVERIFY(!grip->state().focused);
    m_view->focusGrip(0);
    QVERIFY(grip->state().focused);
    QCOMPARE(pane->focusChild(), grip);
    QVERIFY(grip->rect().contains(m_view->viewport()->mapToGlobal(at(300, 200))));
}

void TestSceneGrips::shapesAreHoveredAndClicked()
{
    SceneShape ribbon;
    ribbon.path.addRect(250, 160, 40, 20);
    ribbon.fill = ScenePaint::of(ScenePaint::Role::MutedText);
    ribbon.id = QStringLiteral("ribbon:1:2");
    m_scene->shapes.push_back(ribbon);
    m_view->setScene(std::make_shared<Scene>(*m_scene));
    QSignalSpy hovered(m_view.get(), &SceneView::shapeHovered);
    QSignalSpy clicked(m_view.get(), &SceneView::shapeClicked);
    hover(270, 170);
    QCOMPARE(hovered.size(), 1);
    QCOMPARE(hovered.at(0).at(0).toString(), ribbon.id);
    QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, at(270, 170));
    QCOMPARE(clicked.size(), 1);
    hover(230, 230);
    QCOMPARE(hovered.size(), 2);
    QVERIFY(hovered.at(1).at(0).toString().isEmpty());
}

QTEST_MAIN(TestSceneGrips)
#include "tst_SceneGrips.moc"
