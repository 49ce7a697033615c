#include "WorkspaceFixture.h"

#include "views/ProductsView.h"
#include "views/TableView.h"
#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolBar>
#include <QWidgetAction>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

/// The window with the products workspace on show.
struct ProductsFixture : WorkspaceFixture
{
    explicit ProductsFixture(const QString &document = u"example:computed"_s)
        : WorkspaceFixture(u"products"_s, document)
        , view(window.findChild<ProductsView *>())
    {
    }

    ProductsOptions options() { return productsFromJson(bench()->viewState().workspaceState(u"products"_s)); }

    ProductsView *view;
};

} // namespace

class TestProductsView : public QObject
{
    Q_OBJECT

private slots:
    void documentsThatStartLaterShowTheirFirstProduct();
    void settingsComeBackFromJson();
    void viewsAreInSightTogether();
    void selectionChoosesTheCell();
    void cellsOfViewsChooseToo();
    void stepsWalkThroughTheSum();
    void playingFillsTheSum();
    void editsAreSeenInEveryView();
    void freeProductIsMadeEditedAndSaved();
    void sizesOfTheFreeProductChange();
    void keysReachTheViews();
    void mainMapsAreFewStops();
    void everyProductOfHeads();
};

/// Not a word on the missing X, as long as nobody has asked for its product.
void TestProductsView::documentsThatStartLaterShowTheirFirstProduct()
{
    ProductsFixture fixture;
    QCOMPARE(fixture.field<QComboBox>(u"Product"_s)->currentIndex(), static_cast<int>(ProductKind::Query));
    Experiment later;
    later.tokens = TokenList({"a", "b", "c"});
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        later.given[stage] = Tensor::filled({1, 3, 4}, 0.25);
    later.nHeads = later.nKvHeads = 2;
    ViewState here;
    here.workspace = u"products"_s;
    fixture.bench()->document()->load(std::make_shared<const Experiment>(later), here, {}, {});
    QCoreApplication::processEvents();
    QCOMPARE(fixture.field<QComboBox>(u"Product"_s)->currentIndex(), static_cast<int>(ProductKind::Scores));
    QVERIFY(fixture.map(u"inner:terms"_s));
    // Asked for, it says why there is none.
    fixture.choose(fixture.field<QComboBox>(u"Product"_s), static_cast<int>(ProductKind::Query));
    QVERIFY(fixture.hasText(u"this document has no X"_s));
}

void TestProductsView::settingsComeBackFromJson()
{
    ProductsOptions options;
    options.choice = {ProductKind::HeadOut, 3};
    options.i = 4;
    options.j = 5;
    options.k = 6;
    options.step = 2;
    options.order = LayerOrder::LargestFirst;
    options.vectors = ProductsOptions::Vectors::AsColumns;
    options.compact = true;
    QVERIFY(productsFromJson(productsToJson(options)) == options);
    QVERIFY(productsFromJson({}) == ProductsOptions());
    const QJsonObject damaged{{u"product"_s, 7}, {u"i"_s, -3}, {u"k"_s, u"x"_s}, {u"step"_s, -9}};
    QVERIFY(productsFromJson(damaged) == ProductsOptions());
}

/// With all panes at their first sizes nothing has to be scrolled to.
void TestProductsView::viewsAreInSightTogether()
{
    ProductsFixture fixture;
    for (const QSize &size : {QSize(1424, 852), QSize(1264, 672)}) {
        fixture.window.resize(size);
        const auto actions = fixture.window.findChildren<QAction *>();
        const auto reset = std::ranges::find_if(
            actions, [](const QAction *action) { return action->objectName() == u"view.resetLayout"_s; });
        QVERIFY(reset != actions.end());
        (*reset)->trigger();
        for (const int kind :
             {static_cast<int>(ProductKind::Query), static_cast<int>(ProductKind::HeadOut)}) {
            fixture.choose(fixture.field<QComboBox>(u"Product"_s), kind);
            fixture.scene();
            const SceneView *view = fixture.view->view();
            QCOMPARE(view->verticalScrollBar()->maximum(), 0);
            QCOMPARE(view->horizontalScrollBar()->maximum(), 0);
            QVERIFY2(view->zoom() > 0.54, qPrintable(QString::number(view->zoom())));
        }
    }
}

void TestProductsView::selectionChoosesTheCell()
{
    ProductsFixture fixture;
    fixture.bench()->select(Stage::Q, {0, 2, 3});
    QCOMPARE(fixture.options().i, Index(2));
    QCOMPARE(fixture.options().k, Index(3));
    fixture.bench()->select(Stage::X, {0, 1, 5});
    QCOMPARE(fixture.options().i, Index(1));
    QCOMPARE(fixture.options().j, Index(5));
    QCOMPARE(fixture.options().k, Index(3));
    fixture.bench()->select(Stage::Wq, {0, 4, 0});
    QCOMPARE(fixture.options().j, Index(4));
    QCOMPARE(fixture.options().k, Index(0));
    QVERIFY(fixture.hasText(u"i = love, k = f1"_s));
    fixture.bench()->select(Stage::V, {0, 3, 2}); // no part of this product
    QCOMPARE(fixture.options().i, Index(1));
}

void TestProductsView::cellsOfViewsChooseToo()
{
    ProductsFixture fixture;
    const SceneMap *layer = fixture.map(u"layer:2"_s);
    QVERIFY(layer);
    fixture.view->view()->selectCell(layer->key, {3, 1});
    QCOMPARE(fixture.options().i, Index(3));
    QCOMPARE(fixture.options().j, Index(2));
    QCOMPARE(fixture.options().k, Index(1));
    QVERIFY(fixture.hasText(u"i = prog, k = f2"_s));
    // The cursor stays where it is, so that arrow keys go on from there.
    QVERIFY(fixture.view->view()->currentMap()->key == MapKey::derived(u"layer:2"_s));
}

void TestProductsView::stepsWalkThroughTheSum()
{
    ProductsFixture fixture;
    PlaybackBar *bar = fixture.view->playback();
    QCOMPARE(bar->stepCount(), 6);
    QCOMPARE(bar->position(), 6);
    bar->setPosition(3);
    QCOMPARE(fixture.options().step, Index(3));
    QVERIFY(fixture.hasText(u"sum of 3 of 6 terms: 0.19"_s));
    bar->setPosition(6);
    QCOMPARE(fixture.options().step, Index(-1));
    QVERIFY(fixture.hasText(u"sum of all 6 terms: 0.38"_s));
    fixture.view->view()->setFocus(); // the keys work wherever the focus is
    QTest::keyClick(fixture.view->view(), Qt::Key_F9, Qt::ShiftModifier);
    QCOMPARE(bar->position(), 5);
    QTest::keyClick(fixture.view->view(), Qt::Key_F9);
    QCOMPARE(bar->position(), 6);
    QTest::keyClick(fixture.view->view(), Qt::Key_F8);
    QVERIFY(bar->isPlaying());
    QTest::keyClick(fixture.view->view(), Qt::Key_F8);
    QVERIFY(!bar->isPlaying());
}

void TestProductsView::playingFillsTheSum()
{
    ProductsFixture fixture;
    PlaybackBar *bar = fixture.view->playback();
    bar->findChild<QComboBox *>()->setCurrentIndex(4);
    QSignalSpy moved(bar, &PlaybackBar::positionChanged);
    bar->play();
    QVERIFY(fixture.hasText(u"sum of 0 of 6 terms: 0"_s));
    QTRY_VERIFY(!bar->isPlaying());
    QCOMPARE(moved.size(), 7);
    QVERIFY(fixture.hasText(u"sum of all 6 terms"_s));
    fixture.bench()->setReducedMotion(true);
    bar->play();
    QVERIFY(!bar->isPlaying());
}

void TestProductsView::editsAreSeenInEveryView()
{
    ProductsFixture fixture;
    fixture.bench()->select(Stage::X, {0, 0, 0});
    QVERIFY(fixture.view->view()->writeCell(fixture.view->view()->currentMap()->key, {0, 0}, 2.0));
    QVERIFY(fixture.hasText(u"2·0.1 + 0.2·0 + 0.3·0.3 + 0.5·0.2 + 0.1·0.1 + 0.4·0.2 = 0.48"_s));
    const auto valueOf = [&](const QString &id, Index row, Index col) {
        return fixture.map(id)->values->value(0, row, col);
    };
    for (const double value : {valueOf(u"row:sum"_s, 0, 0), valueOf(u"column:sum"_s, 0, 0),
                               valueOf(u"outer:sum"_s, 0, 0), fixture.value(Stage::Q, 0, 0)})
        QVERIFY(std::abs(value - 0.48) < 1e-12);
    fixture.bench()->document()->undoStack()->undo();
    QVERIFY(fixture.hasText(u"= 0.38"_s));
}

void TestProductsView::freeProductIsMadeEditedAndSaved()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"free.attn"_s);
    {
        ProductsFixture fixture;
        fixture.choose(fixture.field<QComboBox>(u"Product"_s), static_cast<int>(ProductKind::Free));
        const auto &controls = fixture.scene().controls;
        QCOMPARE(controls.size(), std::size_t(1));
        fixture.view->view()->setFocus();
        QTest::keyClick(fixture.view->view(), Qt::Key_Tab); // the button is all there is
        QTest::keyClick(fixture.view->view(), Qt::Key_Space);
        QCOMPARE(fixture.bench()->document()->undoStack()->count(), 1);
        QVERIFY(fixture.hasText(u"Held fixed: i = 1, k = 1"_s));
        // Nobody takes its factors for the weights A.
        QVERIFY(fixture.hasText(u"AB = left A · right B"_s));
        QVERIFY(fixture.view->view()->writeCell(MapKey::lab(u"A"_s), {1, 2}, -0.5));
        QCOMPARE(fixture.bench()->experiment().lab("A").at(1, 2), -0.5);
        QCOMPARE(fixture.bench()->document()->undoStack()->undoText(), u"Set left A[2, 3]"_s);
        fixture.bench()->selectLab(u"B"_s, {0, 2, 1});
        QVERIFY(
            fixture.window.findChild<TableView *>()->findChild<QLabel *>()->text().startsWith(u"right B"_s));
        // Picture and table count its rows and columns alike.
        const SceneMap *right = fixture.view->view()->currentMap();
        QVERIFY(right && right->name == u"right B"_s);
        const EditTarget &target = fixture.bench()->selection()->target();
        QCOMPARE(target.rowLabel(fixture.bench()->experiment(), 2), *rowLabelOf(*right, 2));
        QCOMPARE(target.colLabel(fixture.bench()->experiment(), 1), *colLabelOf(*right, 1));
        QCOMPARE(fixture.options().j, Index(2));
        QCOMPARE(fixture.options().k, Index(1));
        QVERIFY(fixture.window.files()->saveTo(file));
    }
    ProductsFixture again(file);
    QVERIFY(again.options().choice.kind == ProductKind::Free);
    QCOMPARE(again.options().k, Index(1));
    QCOMPARE(again.bench()->experiment().lab("A").at(1, 2), -0.5);
    QVERIFY(again.map(u"result"_s));
    QCOMPARE(again.bench()->selection()->target().name(), u"right B"_s);
    QVERIFY((again.bench()->selection()->cell() == CellIndex{0, 2, 1}));
}

void TestProductsView::sizesOfTheFreeProductChange()
{
    ProductsFixture fixture;
    fixture.choose(fixture.field<QComboBox>(u"Product"_s), static_cast<int>(ProductKind::Free));
    fixture.view->view()->pressControl(0);
    fixture.scene();
    const QList<QSpinBox *> sizes = fixture.view->findChildren<QSpinBox *>();
    QCOMPARE(sizes.size(), 3);
    const auto actions = fixture.view->findChild<QToolBar *>()->actions();
    const auto action = std::ranges::find_if(actions, [&](const QAction *candidate) {
        const auto *holder = qobject_cast<const QWidgetAction *>(candidate);
        return holder && holder->defaultWidget() == sizes[1];
    });
    QVERIFY(action != actions.end() && (*action)->isVisible());
    QCOMPARE(sizes[1]->value(), 3);
    sizes[1]->setValue(5);
    QVERIFY(fixture.bench()->experiment().lab("A").shape() == (Shape{1, 2, 5}));
    QVERIFY(fixture.bench()->experiment().lab("B").shape() == (Shape{1, 5, 2}));
    QCOMPARE(fixture.bench()->experiment().lab("A").at(1, 2), 6.0);
    QCOMPARE(fixture.bench()->experiment().lab("A").at(1, 4), 0.0);
    QCOMPARE(fixture.bench()->document()->undoStack()->count(), 2);
    fixture.bench()->document()->undoStack()->undo();
    fixture.scene();
    QCOMPARE(sizes[1]->value(), 3);
}

void TestProductsView::keysReachTheViews()
{
    ProductsFixture fixture;
    SceneView *view = fixture.view->view();
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.scene();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Down);
    QTest::keyClick(view, Qt::Key_Right);
    fixture.scene();
    QCOMPARE(fixture.options().i, Index(1));
    QCOMPARE(fixture.options().j, Index(1));
    QTest::keyClick(view, Qt::Key_PageDown, Qt::ControlModifier); // to W^Q
    fixture.scene();
    QTest::keyClick(view, Qt::Key_Right);
    fixture.scene();
    QVERIFY(view->currentMap()->key.stage == Stage::Wq);
    QCOMPARE(fixture.options().k, view->currentCell().col);
    for (int i = 0; i < 2; ++i)
        QTest::keyClick(view, Qt::Key_PageDown, Qt::ControlModifier); // result, terms
    fixture.scene();
    QTest::keyClick(view, Qt::Key_Down);
    fixture.scene();
    QVERIFY(view->currentMap()->key.id.startsWith(u"inner:"_s));
    QCOMPARE(fixture.options().j, view->currentCell().row);
}

/// From map to map, not through every row and column; with Alt these too.
void TestProductsView::mainMapsAreFewStops()
{
    ProductsFixture fixture;
    SceneView *view = fixture.view->view();
    fixture.bench()->select(Stage::X, {0, 0, 0});
    fixture.scene();
    view->setFocus();
    const auto round = [&](Qt::KeyboardModifiers modifiers) {
        QStringList stops;
        for (int i = 0; i < 60; ++i) {
            QTest::keyClick(view, Qt::Key_PageDown, modifiers);
            fixture.scene();
            const QString stop = view->currentMap() ? view->currentMap()->name : QString();
            if (stops.contains(stop))
                break;
            stops.append(stop);
        }
        return stops;
    };
    const QStringList main = round(Qt::ControlModifier);
    QVERIFY2(main.size() <= 14, qPrintable(main.join(u", "_s)));
    for (const QString &part : {u"column k of the sum"_s, u"row i of the sum"_s, u"what is missing"_s})
        QVERIFY2(main.contains(part), qPrintable(part));
    QVERIFY(round(Qt::ControlModifier | Qt::AltModifier).size() > main.size() + 10);
}

void TestProductsView::everyProductOfHeads()
{
    ProductsFixture fixture(u"example:two-heads"_s);
    for (int kind = 0; kind < static_cast<int>(ProductKind::Free); ++kind) {
        fixture.choose(fixture.field<QComboBox>(u"Product"_s), kind);
        QVERIFY2(!fixture.scene().maps.empty(),
                 qPrintable(fixture.field<QComboBox>(u"Product"_s)->currentText()));
        QComboBox *heads = fixture.field<QComboBox>(u"Head"_s);
        QCOMPARE(heads->count(), hasAllHeads(static_cast<ProductKind>(kind)) ? 3 : 2);
        fixture.choose(heads, heads->count() - 1);
        QVERIFY(fixture.hasText(u"Head 2"_s));
        QVERIFY(fixture.hasText(u"Missing: norm 0 of"_s));
    }
}

QTEST_MAIN(TestProductsView)
#include "tst_ProductsView.moc"
