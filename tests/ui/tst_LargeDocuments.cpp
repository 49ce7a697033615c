#include "WindowFixture.h"

#include "views/CompareView.h"
#include "views/InspectorView.h"

#include <QLabel>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

constexpr Index largeTokens = 1200;
constexpr int patience = 60000;

ExperimentPtr largeExperiment()
{
    Experiment large;
    large.tokens = TokenList(std::vector<std::string>(largeTokens, "t"));
    std::vector<double> numbers(static_cast<std::size_t>(largeTokens * 4));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<double>(i) * 0.37);
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        large.given[stage] = Tensor::fromDoubles({1, largeTokens, 4}, numbers);
    large.causal = true;
    return std::make_shared<const Experiment>(large);
}

/// The workspace as it stands when its key has been answered, before anything else.
SceneWorkspace *justOpened(WindowFixture &fixture, const QString &name)
{
    fixture.window.showWorkspace(name);
    return fixture.window.currentWorkspace();
}

bool showsText(SceneWorkspace *workspace, const QString &part)
{
    if (!workspace->view()->scene())
        return false;
    const auto &texts = workspace->view()->scene()->texts;
    return std::ranges::any_of(texts, [&](const SceneText &text) { return text.text.contains(part); });
}

} // namespace

/// What takes long must not keep the window from answering.
class TestLargeDocuments : public QObject
{
    Q_OBJECT

private slots:
    void decodeIsComputedElsewhere();
    void comparedMapsAreBuiltElsewhere();
    void inspectorCountsElsewhere();
};

void TestLargeDocuments::decodeIsComputedElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    SceneWorkspace *decode = justOpened(fixture, u"decode"_s);
    QVERIFY(!showsText(decode, u"step 1200 of 1200"_s));
    QTRY_VERIFY_WITH_TIMEOUT(showsText(decode, u"step 1200 of 1200"_s), patience);
    QVERIFY(showsText(decode, u"over 1200 keys"_s));
    // A small document is decoded at once, also right after a large one.
    fixture.window.files()->open({u"example:computed"_s});
    QCoreApplication::processEvents();
    QVERIFY(showsText(decode, u"step 4 of 4"_s));
}

void TestLargeDocuments::comparedMapsAreBuiltElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    auto *compare = qobject_cast<CompareView *>(justOpened(fixture, u"compare"_s));
    QVERIFY(compare);
    QVERIFY(!showsText(compare, u"compared stages pass"_s));
    QTRY_VERIFY_WITH_TIMEOUT(showsText(compare, u"compared stages pass"_s), patience);
    QVERIFY(fixture.window.edits()->setCells(Stage::V, {{{0, 700, 2}, 9.0}}));
    QTRY_VERIFY_WITH_TIMEOUT(showsText(compare, u"compared stages fail"_s), patience);
    QVERIFY(showsText(compare, u"A = 9"_s));
}

void TestLargeDocuments::inspectorCountsElsewhere()
{
    WindowFixture fixture;
    fixture.bench()->document()->load(largeExperiment(), ViewState(), {}, {});
    auto *inspector = fixture.window.findChild<InspectorView *>();
    QVERIFY(inspector && inspector->isVisible());
    const auto says = [inspector](const QString &part) {
        const auto labels = inspector->findChildren<QLabel *>();
        return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(part); });
    };
    fixture.bench()->select(Stage::A, {0, 700, 3});
    QTRY_VERIFY(says(u"A: its cells are being counted"_s));
    inspector->waitUntilIdle();
    const ValueStatistics expected = fixture.bench()->snapshot()->stage(Stage::A).values->statistics(0);
    QCOMPARE(expected.finiteCount, largeTokens * largeTokens);
    QVERIFY(says(u"A: minimum 0.0000, maximum 1.0000, mean 0.0008"_s));
    // The next cell of the same matrix says the same at once.
    fixture.bench()->select(Stage::A, {0, 701, 3});
    QCoreApplication::processEvents();
    QVERIFY(!inspector->isBusy());
    QVERIFY(says(u"A: minimum 0.0000"_s));
}

QTEST_MAIN(TestLargeDocuments)
#include "tst_LargeDocuments.moc"
