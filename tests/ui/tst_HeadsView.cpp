#include "WorkspaceFixture.h"

#include "engine/heads/HeadPresets.h"
#include "views/HeadsView.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolBar>
#include <QUndoStack>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

/// The window with the heads workspace on show.
struct HeadsFixture : WorkspaceFixture
{
    explicit HeadsFixture(const QString &document = u"example:two-heads"_s)
        : WorkspaceFixture(u"heads"_s, document)
        , view(window.findChild<HeadsView *>())
    {
    }

    void choosePage(HeadsPage page) { choose(field<QComboBox>(u"Page"_s), static_cast<int>(page)); }
    HeadsView *view;
};

} // namespace

class TestHeadsView : public QObject
{
    Q_OBJECT

private slots:
    void settingsComeBackFromJson();
    void pagesAreChosenAndSaved();
    void largeHeadIsRemembered();
    void lengthsStandBesideTheWeights();
    void comparedStageIsChosen();
    void comparedWithoutWhatIsSetByHand();
    void outputPresetsAreSet();
    void otherCutIsChosen();
    void headsAreCombined();
    void tableSortsAndFocuses();
    void questionsChangeTheScores();
    void presetsAreOneUndoStepEach();
    void workedRowGoesToTheSelectedQuery();
    void keysReachTheControls();
    void everyPageOfEveryExample_data();
    void everyPageOfEveryExample();
    void largePagesAreBuiltElsewhere();
};

void TestHeadsView::settingsComeBackFromJson()
{
    HeadsSettings settings;
    settings.page = HeadsPage::Patterns;
    settings.isLarge = true;
    settings.withLengths = true;
    settings.compared = Stage::HeadOut;
    settings.otherHeads = 3;
    settings.combined = std::vector<Index>{0, 2};
    settings.mix = HeadMix::Max;
    settings.question = {-2, {".", "[SEP]"}};
    settings.order = HeadPatternsOptions::Order::ByScore;
    settings.sortedBy = HeadPattern::Sink;
    settings.groupDistance = 0.4;
    QVERIFY(headsFromJson(headsToJson(settings)) == settings);
    settings.order = HeadPatternsOptions::Order::BySimilarity;
    settings.sortedBy = HeadPattern::First;
    settings.combined = std::vector<Index>{};
    QVERIFY(headsFromJson(headsToJson(settings)) == settings);
    QVERIFY(headsFromJson({}) == HeadsSettings());
    const QJsonObject damaged{{u"page"_s, 3},           {u"compared"_s, u"Wq"_s}, {u"combined"_s, u"x"_s},
                              {u"mix"_s, u"least"_s},   {u"other_heads"_s, -4},   {u"group_distance"_s, 7.0},
                              {u"sort"_s, u"nothing"_s}};
    QVERIFY(headsFromJson(damaged) == HeadsSettings());
}

void TestHeadsView::pagesAreChosenAndSaved()
{
    QTemporaryDir folder;
    const QString file = folder.filePath(u"heads.attn"_s);
    {
        HeadsFixture fixture;
        fixture.choosePage(HeadsPage::Cut);
        QVERIFY(fixture.hasText(u"The cut into heads"_s));
        fixture.choosePage(HeadsPage::Single);
        QVERIFY(fixture.hasText(u"Single head versus several"_s));
        fixture.choosePage(HeadsPage::Combine);
        QVERIFY(fixture.hasText(u"Several heads in one picture"_s));
        fixture.choosePage(HeadsPage::Patterns);
        QVERIFY(fixture.hasText(u"Which pattern does each head follow?"_s));
        QCOMPARE(fixture.undoStack()->count(), 0); // looking is no edit
        QVERIFY(fixture.window.files()->saveTo(file));
    }
    HeadsFixture again(file);
    QVERIFY(again.view->settings().page == HeadsPage::Patterns);
    QVERIFY(again.map(u"patterns"_s));
    // Exports draw the page on show.
    QVERIFY(!again.view->sceneWith({}).maps.empty());
    QCOMPARE(again.view->sceneWith({}).maps.size(), again.scene().maps.size());
}

void TestHeadsView::largeHeadIsRemembered()
{
    HeadsFixture fixture;
    QVERIFY(fixture.press(u"head:1"_s));
    QVERIFY(fixture.view->settings().isLarge);
    QCOMPARE(fixture.bench()->viewState().head, Index(1));
    QCOMPARE(fixture.field<QComboBox>(u"Head"_s)->currentIndex(), 2);
    QVERIFY(fixture.press(u"head:1"_s));
    QVERIFY(!fixture.view->settings().isLarge);
}

void TestHeadsView::lengthsStandBesideTheWeights()
{
    HeadsFixture fixture;
    QVERIFY(!fixture.map(u"taken:0"_s));
    for (QCheckBox *box : fixture.view->findChildren<QCheckBox *>())
        if (box->text().contains(u"‖v‖"_s))
            box->click();
    const SceneMap *taken = fixture.map(u"taken:1"_s);
    QVERIFY(taken);
    double squares = 0.0;
    for (Index col = 3; col < 6; ++col)
        squares += std::pow(fixture.value(Stage::V, 2, col), 2);
    QVERIFY(std::abs(taken->values->value(1, 0, 2) - fixture.value(Stage::A, 0, 2, 1) * std::sqrt(squares)) <
            1e-12);
}

void TestHeadsView::comparedWithoutWhatIsSetByHand()
{
    HeadsFixture fixture(u"example:two-heads-by-hand"_s);
    fixture.choosePage(HeadsPage::Cut);
    QVERIFY(fixture.hasText(u"Both are computed here without what is set by hand"_s));
    QVERIFY(fixture.hasText(u"Every number is the same, bit for bit."_s));
    QVERIFY(fixture.hasText(u"differ from what is computed, most Q["_s));
    // The picture shows what is compared: X W^Q, not the numbers set by hand.
    const double byHand = fixture.value(Stage::Q, 0, 0);
    QVERIFY(fixture.map(u"big"_s)->values->value(0, 0, 0) != byHand);
    QCOMPARE(fixture.map(u"big"_s)->values->value(0, 0, 0), fixture.map(u"small"_s)->values->value(0, 0, 0));
}

void TestHeadsView::comparedStageIsChosen()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Cut);
    QVERIFY(fixture.map(u"small"_s)->name.contains(u"Q"_s));
    QVERIFY(fixture.press(u"compare:head_out"_s));
    QVERIFY(fixture.map(u"small"_s)->name.contains(u"head_out"_s));
    QVERIFY(fixture.hasText(u"Every number is the same, bit for bit."_s));
    // An edit of the last input coordinate reaches the first head.
    const double before = fixture.map(u"slice:Q"_s)->values->value(0, 0, 0);
    fixture.bench()->apply(SetCells{Stage::X, {{{0, 0, 5}, 3.0}}}, u"edit"_s);
    QVERIFY(fixture.map(u"slice:Q"_s)->values->value(0, 0, 0) != before);
    QVERIFY(fixture.press(u"head:1"_s));
    QVERIFY(fixture.hasText(u"columns 4 to 6 of Q"_s));
}

void TestHeadsView::outputPresetsAreSet()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Cut);
    QVERIFY(fixture.press(u"output:identity"_s));
    const auto isSame = [&] {
        return std::ranges::any_of(fixture.scene().texts, [](const SceneText &text) {
            return text.text == u"Output and concat: largest difference 0"_s;
        });
    };
    QVERIFY(isSame());
    QCOMPARE(fixture.undoStack()->undoText(), u"Make W^O the identity"_s);
    fixture.undoStack()->undo();
    QVERIFY(!isSame());
    QVERIFY(fixture.press(u"output:swap"_s));
    QCOMPARE(fixture.value(Stage::Output, 1, 0), fixture.value(Stage::Concat, 1, 3));
}

void TestHeadsView::otherCutIsChosen()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Single);
    QVERIFY(fixture.hasText(u"√6 = 2.449"_s));
    auto *cut = fixture.field<QComboBox>(u"Cut into"_s);
    QCOMPARE(cut->count(), 4); // 1, 2, 3, 6
    cut->setCurrentIndex(2);
    emit cut->activated(2);
    QVERIFY(fixture.hasText(u"√2 = 1.414"_s));
    QVERIFY(fixture.map(u"other:2"_s));
    fixture.bench()->select(Stage::A, {0, 3, 0});
    QVERIFY(fixture.hasText(u"The row of “prog”"_s));
}

void TestHeadsView::headsAreCombined()
{
    HeadsFixture fixture(u"example:two-heads-by-hand"_s);
    fixture.choosePage(HeadsPage::Combine);
    QCOMPARE(fixture.map(u"mixed"_s)->values->value(0, 1, 0), 0.35);
    QVERIFY(fixture.press(u"how:max"_s));
    QCOMPARE(fixture.map(u"mixed"_s)->values->value(0, 1, 0), 0.5);
    QVERIFY(fixture.press(u"mix:1"_s));
    QCOMPARE(fixture.map(u"mixed"_s)->values->value(0, 1, 0), 0.2);
    QVERIFY(fixture.press(u"mix:none"_s));
    QVERIFY(!fixture.map(u"mixed"_s));
    QVERIFY(fixture.press(u"mix:1"_s));
    QVERIFY(fixture.press(u"mix:0"_s));
    QVERIFY((fixture.view->settings().combined == std::vector<Index>{0, 1}));
    QVERIFY(fixture.press(u"mix:all"_s));
    QVERIFY(!fixture.view->settings().combined);
}

void TestHeadsView::tableSortsAndFocuses()
{
    HeadsFixture fixture(u"example:trained-stories"_s);
    fixture.choosePage(HeadsPage::Patterns);
    QVERIFY(fixture.press(u"sort:previous"_s));
    const SceneMap *table = fixture.map(u"patterns"_s);
    const auto column = static_cast<Index>(HeadPattern::Previous);
    for (Index row = 1; row < table->values->rows(); ++row)
        QVERIFY(table->values->value(0, row - 1, column) >= table->values->value(0, row, column));
    const QString first = table->rowLabels.first();
    fixture.view->view()->selectCell(table->key, {0, 0});
    QVERIFY(fixture.hasText(first));
    QCOMPARE(u"Head %1"_s.arg(fixture.bench()->viewState().head + 1), first);
    QVERIFY(fixture.press(u"sort:group"_s));
    QVERIFY(fixture.view->settings().order == HeadPatternsOptions::Order::BySimilarity);
}

void TestHeadsView::questionsChangeTheScores()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Patterns);
    fixture.field<QSpinBox>(u"Offset k"_s)->setValue(2);
    QCOMPARE(fixture.view->settings().question.offset, Index(2));
    QVERIFY(fixture.map(u"patterns"_s)->colLabels.contains(u"offset −2"_s));
    QVERIFY(fixture.hasText(u"no token here is one"_s));
    auto *delimiters = fixture.field<QLineEdit>(u"Delimiters"_s);
    delimiters->setText(u"GPU"_s);
    emit delimiters->editingFinished();
    QVERIFY(fixture.hasText(u"“GPU”"_s));
    const double score =
        fixture.map(u"patterns"_s)->values->value(0, 0, static_cast<Index>(HeadPattern::Delimiter));
    double mean = 0.0;
    for (Index row = 0; row < 4; ++row)
        mean += fixture.value(Stage::A, row, 2) / 4.0;
    QVERIFY(std::abs(score - mean) < 1e-12);
    fixture.field<QDoubleSpinBox>(u"Alike within"_s)->setValue(0.0);
    QVERIFY(fixture.hasText(u"No two heads are that near"_s));
}

void TestHeadsView::presetsAreOneUndoStepEach()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Patterns);
    QVERIFY(fixture.press(u"head:1"_s));
    const double before = fixture.value(Stage::A, 2, 1, 1);
    QVERIFY(fixture.press(u"preset:previous"_s));
    QCOMPARE(fixture.undoStack()->count(), 1);
    QCOMPARE(fixture.undoStack()->undoText(), u"Make head 2 look at the previous token"_s);
    QCOMPARE(fixture.value(Stage::A, 2, 1, 1), 1.0);
    QCOMPARE(fixture.map(u"patterns"_s)->values->value(0, 1, static_cast<Index>(HeadPattern::Previous)), 1.0);
    fixture.undoStack()->undo();
    QCOMPARE(fixture.value(Stage::A, 2, 1, 1), before);
    QVERIFY(fixture.press(u"preset:sink"_s));
    QCOMPARE(fixture.undoStack()->undoText(), u"Make head 2 do nothing"_s);
    QCOMPARE(fixture.value(Stage::HeadOut, 3, 2, 1), 0.0);
    QVERIFY(fixture.value(Stage::HeadOut, 3, 2, 0) != 0.0);
    fixture.undoStack()->undo();
    QVERIFY(fixture.value(Stage::HeadOut, 3, 2, 1) != 0.0);
    QVERIFY(fixture.bench()->experiment().pins.empty());
}

void TestHeadsView::workedRowGoesToTheSelectedQuery()
{
    HeadsFixture fixture;
    fixture.choosePage(HeadsPage::Patterns);
    fixture.bench()->select(Stage::X, {0, 1, 2}); // the row of the selected cell, whatever its stage
    QVERIFY(fixture.press(u"worked:1"_s));
    for (Index col = 0; col < 4; ++col)
        QCOMPARE(fixture.value(Stage::A, 1, col), workedRows()[1].weights[static_cast<std::size_t>(col)]);
    QCOMPARE(fixture.undoStack()->undoText(), u"Set the row of “love” in head 1"_s);
    fixture.bench()->select(Stage::A, {0, 3, 0});
    QVERIFY(fixture.press(u"worked:2"_s));
    QCOMPARE(fixture.value(Stage::A, 3, 0), 0.6);
    QCOMPARE(fixture.undoStack()->count(), 2);
}

void TestHeadsView::keysReachTheControls()
{
    HeadsFixture fixture(u"example:two-heads-by-hand"_s);
    fixture.choosePage(HeadsPage::Combine);
    SceneView *view = fixture.view->view();
    view->setFocus();
    for (int i = 0; i < 10 && view->focusedControl() < 0; ++i)
        QTest::keyClick(view, Qt::Key_PageDown, Qt::ControlModifier);
    QCOMPARE(view->focusedControl(), 0);
    QTest::keyClick(view, Qt::Key_Space);
    QVERIFY((fixture.view->settings().combined == std::vector<Index>{1}));
    QTest::keyClick(view, Qt::Key_Tab);
    QTest::keyClick(view, Qt::Key_Space);
    QVERIFY(fixture.view->settings().combined->empty());
    // The choice of the page is reached by its mnemonic.
    auto *pages = fixture.field<QComboBox>(u"Page"_s);
    pages->setFocus();
    QTest::keyClick(pages, Qt::Key_Down);
    QVERIFY(fixture.view->settings().page == HeadsPage::Patterns);
}

void TestHeadsView::everyPageOfEveryExample_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"computed", "two-heads", "cross-two-heads", "four-sizes", "causal-by-hand", "trained-stories"})
        QTest::newRow(name) << u"example:%1"_s.arg(QLatin1String(name));
}

void TestHeadsView::everyPageOfEveryExample()
{
    QFETCH(QString, name);
    HeadsFixture fixture(name);
    for (const HeadsPage page :
         {HeadsPage::Cut, HeadsPage::Single, HeadsPage::Combine, HeadsPage::Patterns, HeadsPage::Grid}) {
        fixture.choosePage(page);
        QVERIFY2(!fixture.scene().maps.empty(), headsPageName(page));
    }
}

void TestHeadsView::largePagesAreBuiltElsewhere()
{
    HeadsFixture fixture;
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(160, "t"));
    experiment.nHeads = experiment.nKvHeads = 4;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V}) {
        std::vector<double> numbers(160 * 8);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = std::sin(static_cast<double>(i * (static_cast<std::size_t>(stage) + 1)));
        experiment.given[stage] = Tensor::fromDoubles({1, 160, 8}, numbers);
    }
    fixture.bench()->document()->load(std::make_shared<const Experiment>(experiment),
                                      fixture.bench()->viewState(), {}, u"large"_s);
    fixture.choosePage(HeadsPage::Patterns);
    QTRY_VERIFY(fixture.map(u"patterns"_s) && fixture.map(u"patterns"_s)->values->rows() == 4);
    fixture.choosePage(HeadsPage::Combine);
    QTRY_VERIFY(fixture.map(u"mixed"_s));
    // The plain grid is there at once; a head in focus, of which more is read, follows.
    fixture.choosePage(HeadsPage::Grid);
    QVERIFY(!fixture.hasText(u"what it adds to the output"_s));
    QVERIFY(fixture.press(u"head:1"_s));
    QTRY_VERIFY(fixture.hasText(u"Head 2: what it adds to the output"_s));
}

QTEST_MAIN(TestHeadsView)
#include "tst_HeadsView.moc"
