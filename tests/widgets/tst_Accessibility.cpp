#include "widgets/SceneView.h"

#include "SceneFixture.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::test;

class TestAccessibility : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void tablesAndButtons();
    void statementsAreText();
    void cellsAreNamed();
    void headersComeFromLabels();
    void statesFollowTheSelection();
    void childrenAreFoundBack();
    void placesAreThoseOnScreen();
    void focusFollowsTheCurrentCell();
    void cellsKeepTheirObjects();
    void valuesCanBeWritten();
    void actionsPressAndEdit();
    void scenesComeAndGo();
    void hugeMapsShowAWindow();
    void outOfRangeIsHarmless();

private:
    QAccessibleInterface *pane() const { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleTableInterface *table(int index) const { return pane()->child(index)->tableInterface(); }

    std::shared_ptr<Scene> m_scene;
    std::unique_ptr<QWidget> m_window;
    SceneView *m_view = nullptr;
};

void TestAccessibility::init()
{
    m_window = std::make_unique<QWidget>();
    m_window->resize(400, 300);
    m_view = new SceneView(m_window.get());
    m_view->setGeometry(0, 0, 400, 300);
    m_scene = smallScene();
    m_view->setScene(m_scene);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_view->setFocus();
}

void TestAccessibility::cleanup()
{
    m_window.reset();
}

void TestAccessibility::tablesAndButtons()
{
    QCOMPARE(pane()->role(), QAccessible::Pane);
    QCOMPARE(pane()->childCount(), 5); // the map without cells is no table
    QCOMPARE(pane()->child(0)->role(), QAccessible::Table);
    QCOMPARE(pane()->child(1)->text(QAccessible::Name), QStringLiteral("A, head 1"));
    QCOMPARE(pane()->child(2)->text(QAccessible::Description),
             QStringLiteral("2 rows, 3 columns, read-only"));
    QCOMPARE(pane()->child(3)->role(), QAccessible::Button);
    QCOMPARE(pane()->child(3)->text(QAccessible::Name), QStringLiteral("Head 1"));
    QCOMPARE(pane()->child(4)->text(QAccessible::Name), QStringLiteral("Mute love"));
    QVERIFY(pane()->child(4)->state().checked);
    for (int i = 0; i < 3; ++i) {
        QVERIFY(table(i)->rowCount() > 0);
        QVERIFY(table(i)->columnCount() > 0);
        QCOMPARE(pane()->child(i)->childCount(), table(i)->rowCount() * table(i)->columnCount());
    }
}

/// What is painted in words is read in words, whole sentences and without markup; what only stands below a
/// control for figures is not said twice.
void TestAccessibility::statementsAreText()
{
    auto scene = std::make_shared<Scene>(*m_scene);
    const int others = pane()->childCount();
    SceneText text;
    text.rect = {10, 950, 200, 18};
    text.text = QStringLiteral("A sentence that");
    scene->texts.push_back(text);
    text.rect.translate(0, 18);
    text.text = QStringLiteral("goes on.");
    text.continues = true;
    scene->texts.push_back(text);
    text = {};
    text.rect = {10, 990, 200, 18};
    text.text = QStringLiteral("W^{Q}");
    text.style = SceneText::Style::Title;
    scene->texts.push_back(text);
    text.text = QStringLiteral("below a control");
    text.rect = scene->controls.front().rect;
    scene->texts.push_back(text);
    m_view->setScene(scene);
    QCOMPARE(pane()->childCount(), others + 2);
    QAccessibleInterface *sentence = pane()->child(others);
    QCOMPARE(sentence->role(), QAccessible::StaticText);
    QCOMPARE(sentence->text(QAccessible::Name), QStringLiteral("A sentence that goes on."));
    QVERIFY(sentence->state().readOnly);
    QCOMPARE(sentence->rect().height(), m_view->fromScene({10, 950, 200, 36}).toAlignedRect().height());
    QCOMPARE(pane()->child(others + 1)->text(QAccessible::Name), QStringLiteral("W^Q"));
    for (int i = 0; i < pane()->childCount(); ++i)
        QCOMPARE(pane()->indexOfChild(pane()->child(i)), i);
    m_view->setScene(m_scene);
    QCOMPARE(pane()->childCount(), others);
}

void TestAccessibility::cellsAreNamed()
{
    QAccessibleInterface *cell = table(0)->cellAt(1, 2);
    QCOMPARE(cell->role(), QAccessible::Cell);
    QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("X[love, f3], 1.20"));
    QCOMPARE(cell->text(QAccessible::Value), QStringLiteral("1.2"));
    QCOMPARE(cell->valueInterface()->currentValue().toDouble(), 1.2);
    QCOMPARE(table(1)->cellAt(3, 1)->text(QAccessible::Name), QStringLiteral("A[3, 1], head 1, 3.10"));
    m_view->setCellNamer([](const SceneMap &map, Index row, Index col) {
        return QStringLiteral("%1 at %2 %3").arg(map.name).arg(row).arg(col);
    });
    QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("X at 1 2, 1.20"));
}

void TestAccessibility::headersComeFromLabels()
{
    QCOMPARE(table(0)->rowDescription(2), QStringLiteral("prog"));
    QCOMPARE(table(0)->columnDescription(4), QStringLiteral("f5"));
    QCOMPARE(table(1)->rowDescription(3), QStringLiteral("3"));
}

void TestAccessibility::statesFollowTheSelection()
{
    m_view->setSelection(Stage::X, {0, 1, 2}, {0, 0, 1});
    const QAccessible::State current = table(0)->cellAt(1, 2)->state();
    QVERIFY(current.focused && current.selected && current.editable && !current.readOnly);
    const QAccessible::State selected = table(0)->cellAt(0, 1)->state();
    QVERIFY(!selected.focused && selected.selected);
    QVERIFY(!table(0)->cellAt(2, 2)->state().selected);
    QCOMPARE(table(0)->selectedCellCount(), 4);
    QCOMPARE(table(0)->selectedCells().size(), 4);
    QCOMPARE(table(1)->selectedCellCount(), 0);
    const QAccessible::State readOnly = table(2)->cellAt(0, 0)->state();
    QVERIFY(readOnly.readOnly && !readOnly.editable);
    m_view->setSelection(Stage::X, {0, 1, 4}, {0, 1, 0});
    QVERIFY(table(0)->isRowSelected(1));
    QVERIFY(!table(0)->isRowSelected(0));
    QCOMPARE(table(0)->selectedRows(), QList<int>{1});
    QVERIFY(table(0)->selectColumn(3));
    QCOMPARE(table(0)->selectedColumns(), QList<int>{3});
}

void TestAccessibility::childrenAreFoundBack()
{
    for (int i = 0; i < pane()->childCount(); ++i) {
        QCOMPARE(pane()->indexOfChild(pane()->child(i)), i);
        QCOMPARE(pane()->child(i)->parent(), pane());
    }
    QAccessibleInterface *map = pane()->child(1);
    for (int i = 0; i < map->childCount(); ++i) {
        QCOMPARE(map->indexOfChild(map->child(i)), i);
        QAccessibleTableCellInterface *cell = map->child(i)->tableCellInterface();
        QCOMPARE(cell->rowIndex() * 2 + cell->columnIndex(), i);
        QCOMPARE(cell->table(), map);
    }
}

void TestAccessibility::placesAreThoseOnScreen()
{
    const QRect cell = table(0)->cellAt(2, 4)->rect();
    QCOMPARE(cell, QRect(m_view->viewport()->mapToGlobal(QPoint(180, 80)), QSize(40, 30)));
    QAccessibleInterface *under = pane()->childAt(cell.center().x(), cell.center().y());
    QCOMPARE(under, pane()->child(0));
    QCOMPARE(under->childAt(cell.center().x(), cell.center().y()), table(0)->cellAt(2, 4));
    QVERIFY(pane()->child(0)->rect().contains(cell));
}

void TestAccessibility::focusFollowsTheCurrentCell()
{
    m_view->setSelection(Stage::X, {0, 0, 0}, {0, 0, 0});
    QCOMPARE(pane()->focusChild(), table(0)->cellAt(0, 0));
    QTest::keyClick(m_view, Qt::Key_Right);
    QCOMPARE(pane()->focusChild(), table(0)->cellAt(0, 1));
    QTest::keyClick(m_view, Qt::Key_PageUp, Qt::ControlModifier);
    QCOMPARE(pane()->focusChild(), pane()->child(4));
    QVERIFY(pane()->child(4)->state().focused);
    QVERIFY(!table(0)->cellAt(0, 1)->state().focused);
    QTest::keyClick(m_view, Qt::Key_Escape);
    QCOMPARE(pane()->focusChild(), table(0)->cellAt(0, 1));
    m_view->clearFocus();
    QVERIFY(!pane()->focusChild());
}

void TestAccessibility::cellsKeepTheirObjects()
{
    m_view->setSelection(Stage::X, {0, 0, 1}, {0, 0, 1});
    QAccessibleInterface *cell = table(0)->cellAt(0, 1);
    auto next = smallScene();
    auto data = countedCells(3, 5);
    data[1] = 7.0;
    next->maps[0].values = std::make_shared<MatrixValues>(3, 5, data);
    m_view->setScene(next);
    QCOMPARE(table(0)->cellAt(0, 1), cell);
    QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("X[I, f2], 7.00"));
}

void TestAccessibility::valuesCanBeWritten()
{
    QSignalSpy edited(m_view, &SceneView::cellsEdited);
    QSignalSpy hit(m_view, &SceneView::readOnlyHit);
    table(0)->cellAt(2, 3)->valueInterface()->setCurrentValue(0.25);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].value<MapBlock>(), (MapBlock{m_scene->maps[0].key, 2, 2, 3, 3}));
    QCOMPARE(edited[0][1].toDouble(), 0.25);
    table(2)->cellAt(0, 0)->valueInterface()->setCurrentValue(0.25);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(hit.size(), 1);
}

void TestAccessibility::actionsPressAndEdit()
{
    QSignalSpy activated(m_view, &SceneView::controlActivated);
    pane()->child(3)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].toString(), QStringLiteral("head:1"));
    QAccessibleActionInterface *cell = table(0)->cellAt(1, 1)->actionInterface();
    cell->doAction(QAccessibleActionInterface::setFocusAction());
    QCOMPARE(m_view->currentCell(), (GridPosition{1, 1}));
    cell->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(m_view->isEditing());
    QCOMPARE(table(2)->cellAt(0, 0)->actionInterface()->actionNames(),
             QStringList{QAccessibleActionInterface::setFocusAction()});
}

void TestAccessibility::scenesComeAndGo()
{
    pane()->child(0)->child(0);
    auto without = smallScene();
    without->maps.erase(without->maps.begin());
    without->controls.clear();
    m_view->setScene(without);
    QCOMPARE(pane()->childCount(), 2);
    QCOMPARE(pane()->child(0)->text(QAccessible::Name), QStringLiteral("A, head 1"));
    auto smaller = std::make_shared<Scene>(*without);
    smaller->maps[0].values = std::make_shared<MatrixValues>(2, 2, countedCells(2, 2));
    m_view->setScene(smaller);
    QCOMPARE(pane()->child(0)->childCount(), 4);
    m_view->setScene(nullptr);
    QCOMPARE(pane()->childCount(), 0);
}

void TestAccessibility::hugeMapsShowAWindow()
{
    auto scene = std::make_shared<Scene>();
    scene->size = {500, 500};
    scene->maps.push_back(matrixMap(Stage::A, QStringLiteral("A"), {0, 0, 500, 10}, 2, 5000));
    m_view->setScene(scene);
    QCOMPARE(table(0)->columnCount(), 4096);
    QCOMPARE(table(0)->cellAt(1, 4095)->text(QAccessible::Value), QStringLiteral("410.5"));
    QVERIFY(!table(0)->cellAt(1, 4096));
    m_view->setSelection(Stage::A, {0, 1, 4999}, {0, 1, 4999});
    QCOMPARE(pane()->focusChild()->text(QAccessible::Name), QStringLiteral("A[1, 4999], 500.90"));
    QCOMPARE(table(0)->columnCount(), 904);
    QCOMPARE(table(0)->cellAt(1, 903), pane()->focusChild());
}

void TestAccessibility::outOfRangeIsHarmless()
{
    QVERIFY(!pane()->child(-1));
    QVERIFY(!pane()->child(5));
    QVERIFY(!table(0)->cellAt(3, 0));
    QVERIFY(!table(0)->cellAt(0, -1));
    QVERIFY(!pane()->child(0)->child(15));
    QVERIFY(!table(0)->selectRow(3));
    QVERIFY(!table(0)->isColumnSelected(99));
    QCOMPARE(pane()->child(0)->indexOfChild(pane()->child(3)), -1);
}

QTEST_MAIN(TestAccessibility)
#include "tst_Accessibility.moc"
