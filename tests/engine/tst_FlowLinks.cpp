#include "engine/FlowLinks.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

SnapshotPtr golden(const QString &name)
{
    return evaluated(goldenExperiment(readGolden(name)["state"]));
}

/// The strength from its definition.
double strengthOf(const Snapshot &snapshot, const FlowQuestion &question, Index query, Index key)
{
    const StageValues &A = *snapshot.stage(Stage::A).values;
    const Sizes &sizes = snapshot.sizes();
    std::vector<Index> heads = question.heads;
    if (heads.empty()) {
        heads.resize(static_cast<std::size_t>(sizes.nHeads));
        std::iota(heads.begin(), heads.end(), Index(0));
    }
    double sum = 0.0;
    for (const Index head : heads) {
        const double weight = A.value(head, query, key);
        if (question.measure == FlowMeasure::Weight) {
            sum += weight / static_cast<double>(heads.size());
            continue;
        }
        const StageValues &V = *snapshot.stage(Stage::V).values;
        const Index first = head / (sizes.nHeads / sizes.nKvHeads) * sizes.dHeadV;
        double squares = 0.0;
        double along = 0.0;
        for (Index c = 0; c < sizes.dHeadV; ++c) {
            const double v = V.value(0, key, first + c);
            squares += v * v;
            for (std::size_t out = 0; out < question.direction.size(); ++out) {
                const Index row = head * sizes.dHeadV + c;
                const auto col = static_cast<Index>(out);
                const double mapped = snapshot.stage(Stage::Wo).hasValues()
                                          ? snapshot.stage(Stage::Wo).values->value(0, row, col)
                                          : (row == col ? 1.0 : 0.0);
                along += v * mapped * question.direction[out];
            }
        }
        sum += question.measure == FlowMeasure::Contribution
                   ? weight * along
                   : weight * std::sqrt(squares) / static_cast<double>(heads.size());
    }
    return sum;
}

Experiment manyTokens(Index tokens, Index heads)
{
    RandomExperiments random(3);
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(tokens), "t"));
    experiment.nHeads = experiment.nKvHeads = heads;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        experiment.given[stage] = random.matrix({1, tokens, heads * 4});
    return experiment;
}

} // namespace

class TestFlowLinks : public QObject
{
    Q_OBJECT

private slots:
    void weightsOfOneHeadAreTheEngines();
    void everyMeasureAsDefined_data();
    void everyMeasureAsDefined();
    void contributionsAddUpToTheOutput();
    void topMassKeepsTheStrongest();
    void thresholdAndHiddenShare();
    void onlyTheStrongestAreHeld();
    void oneTokenAlone();
    void notFiniteIsCounted();
    void rolloutIsTheFirstLayerOfTheStack_data();
    void rolloutIsTheFirstLayerOfTheStack();
    void rolloutNeedsOneSequence();
    void saysWhyNot();
    void directionOfAnOutputRow();
};

void TestFlowLinks::weightsOfOneHeadAreTheEngines()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    FlowQuestion question;
    question.heads = {0};
    const FlowLinks flow = flowLinks(*snapshot, question, {});
    QCOMPARE(flow.count, 16);
    QCOMPARE(flow.links.size(), std::size_t(16));
    for (const FlowLink &link : flow.links)
        QCOMPARE(link.strength, snapshot->stage(Stage::A).values->value(0, link.target, link.source));
    QCOMPARE(flow.links.front(), (FlowLink{0, 0, 0.60}));
    // love copies mostly from prog.
    const auto love =
        std::find_if(flow.links.begin(), flow.links.end(), [](const FlowLink &l) { return l.target == 1; });
    QCOMPARE(*love, (FlowLink{3, 1, 0.50}));
    // Column sums of the article's A.
    const double received[] = {1.05, 0.60, 1.05, 1.30};
    for (std::size_t j = 0; j < 4; ++j)
        QVERIFY(std::abs(flow.sourceTotals[j] - received[j]) < 1e-14);
    QCOMPARE(flow.hiddenShare(), 0.0);
}

void TestFlowLinks::everyMeasureAsDefined_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("forward")))
        if (name.startsWith(u"random_") || name.startsWith(u"bias_"))
            QTest::newRow(qPrintable(name)) << name;
}

void TestFlowLinks::everyMeasureAsDefined()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = golden(name);
    for (const FlowMeasure measure :
         {FlowMeasure::Weight, FlowMeasure::WeightTimesLength, FlowMeasure::Contribution}) {
        FlowQuestion question;
        question.measure = measure;
        for (Index c = 0; c < snapshot->sizes().dOut; ++c)
            question.direction.push_back(0.5 - 0.25 * static_cast<double>(c));
        for (const bool oneHead : {false, true}) {
            question.heads =
                oneHead ? std::vector<Index>{snapshot->sizes().nHeads - 1} : std::vector<Index>{};
            QCOMPARE(flowProblem(*snapshot, question), std::string());
            FlowFilter all;
            all.mostLinks = 100000;
            const FlowLinks flow = flowLinks(*snapshot, question, all);
            for (const FlowLink &link : flow.links) {
                const double expected = strengthOf(*snapshot, question, link.target, link.source);
                QVERIFY(std::abs(link.strength - expected) <= 1e-12 * std::max(1.0, std::abs(expected)));
            }
            QVERIFY(std::is_sorted(flow.links.begin(), flow.links.end(),
                                   [](const FlowLink &a, const FlowLink &b) {
                                       return std::abs(a.strength) > std::abs(b.strength);
                                   }));
            QCOMPARE(flow.count, static_cast<Index>(flow.links.size()));
        }
    }
}

void TestFlowLinks::contributionsAddUpToTheOutput()
{
    for (const char *name :
         {"bias_01_multi_head", "bias_02_grouped_query", "seed_d2_two_heads_attention_pinned"}) {
        const SnapshotPtr snapshot = golden(QString::fromLatin1(name));
        QVERIFY(snapshot != nullptr);
        for (Index column = 0; column < snapshot->sizes().dOut; ++column) {
            FlowQuestion question;
            question.measure = FlowMeasure::Contribution;
            question.direction = outputColumnDirection(*snapshot, column);
            const FlowLinks flow = flowLinks(*snapshot, question, {});
            const StageState &bias = snapshot->stage(Stage::Bo);
            for (Index row = 0; row < snapshot->sizes().nQ; ++row) {
                const double output = snapshot->stage(Stage::Output).values->value(0, row, column);
                const double bo = bias.hasValues() ? bias.values->value(0, 0, column) : 0.0;
                QVERIFY(std::abs(flow.targetSums[static_cast<std::size_t>(row)] + bo - output) < 1e-12);
            }
        }
    }
}

void TestFlowLinks::topMassKeepsTheStrongest()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    FlowFilter filter;
    filter.mass = 0.5;
    const FlowLinks flow = flowLinks(*snapshot, {}, filter);
    // One link is enough in each row: 0.60, 0.50, 0.50, 0.55.
    QCOMPARE(flow.links.size(), std::size_t(4));
    QVERIFY(std::abs(flow.hiddenShare() - (1.0 - 2.15 / 4.0)) < 1e-14);
    QVERIFY(!flow.isCut);
    filter.mass = 0.51;
    QCOMPARE(flowLinks(*snapshot, {}, filter).links.size(), std::size_t(6));
}

void TestFlowLinks::thresholdAndHiddenShare()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    FlowFilter filter;
    filter.threshold = 0.15;
    const FlowLinks flow = flowLinks(*snapshot, {}, filter);
    double shown = 0.0;
    for (const FlowLink &link : flow.links) {
        QVERIFY(link.strength >= 0.15);
        shown += link.strength;
    }
    QCOMPARE(flow.links.size(), std::size_t(11));
    QVERIFY(std::abs(flow.total - 4.0) < 1e-14);
    QVERIFY(std::abs(flow.hiddenShare() - (4.0 - shown) / 4.0) < 1e-14);
    filter.threshold = 2.0;
    QCOMPARE(flowLinks(*snapshot, {}, filter).hiddenShare(), 1.0);
}

void TestFlowLinks::onlyTheStrongestAreHeld()
{
    const SnapshotPtr snapshot = snapshotOf(manyTokens(150, 2));
    for (const double mass : {1.0, 0.8, 0.3}) {
        FlowFilter all;
        all.mass = mass;
        all.mostLinks = 150 * 150;
        FlowFilter few = all;
        few.mostLinks = 37;
        const FlowLinks whole = flowLinks(*snapshot, {}, all);
        const FlowLinks held = flowLinks(*snapshot, {}, few);
        QVERIFY(!whole.isCut);
        QVERIFY(held.isCut);
        QCOMPARE(held.links, std::vector<FlowLink>(whole.links.begin(), whole.links.begin() + few.mostLinks));
        QCOMPARE(held.total, whole.total);
        QCOMPARE(held.targetSums, whole.targetSums);
        QVERIFY(held.hiddenShare() > whole.hiddenShare());
    }
}

void TestFlowLinks::oneTokenAlone()
{
    const SnapshotPtr snapshot = snapshotOf(manyTokens(70, 2));
    FlowQuestion question;
    question.measure = FlowMeasure::WeightTimesLength;
    FlowFilter all;
    all.mostLinks = 70 * 70;
    const FlowLinks whole = flowLinks(*snapshot, question, all);
    question.onlyTarget = 68;
    for (const FlowLink &link : flowLinks(*snapshot, question, all).links)
        QVERIFY(std::find(whole.links.begin(), whole.links.end(), link) != whole.links.end());
    QCOMPARE(flowLinks(*snapshot, question, all).count, 70);
    question.onlyTarget.reset();
    question.onlySource = 66;
    const FlowLinks column = flowLinks(*snapshot, question, all);
    QCOMPARE(column.count, 70);
    QVERIFY(std::abs(column.total - whole.sourceTotals[66]) < 1e-12);
    for (const FlowLink &link : column.links)
        QCOMPARE(link.source, Index(66));
}

void TestFlowLinks::notFiniteIsCounted()
{
    Experiment experiment = manyTokens(4, 1);
    const double nan = std::nan("");
    experiment.given[Stage::V] =
        experiment.given[Stage::V].withCells(std::vector<CellValue>{{{0, 2, 0}, nan}});
    const SnapshotPtr snapshot = snapshotOf(experiment);
    FlowQuestion question;
    question.measure = FlowMeasure::WeightTimesLength;
    const FlowLinks flow = flowLinks(*snapshot, question, {});
    QCOMPARE(flow.notFinite, Index(4));
    QCOMPARE(flow.count, Index(12));
    QVERIFY(std::isfinite(flow.total));
}

void TestFlowLinks::rolloutIsTheFirstLayerOfTheStack_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("rollout")))
        QTest::newRow(qPrintable(name)) << name;
}

/// Against the golden file: of the first layer, which the document holds.
void TestFlowLinks::rolloutIsTheFirstLayerOfTheStack()
{
    QFETCH(QString, name);
    const Json file = readGolden(name);
    const Tensor expected = goldenTensor(file["rollout"].toArray().front());
    if (file["layers"].toArray().empty())
        QSKIP("this file has no states");
    const SnapshotPtr snapshot = evaluated(goldenExperiment(file["layers"].toArray().front()));
    FlowQuestion question;
    question.measure = FlowMeasure::Rollout;
    QCOMPARE(flowProblem(*snapshot, question), std::string());
    const FlowLinks flow = flowLinks(*snapshot, question, {});
    Tensor drawn = Tensor::zeros(expected.shape());
    for (const FlowLink &link : flow.links)
        drawn = drawn.withCells(std::vector<CellValue>{{{0, link.target, link.source}, link.strength}});
    COMPARE_MATRIX(*valuesOf(drawn), expected, 1e-14);
    // A token alone shows the same numbers, although its column is no whole row.
    for (Index source = 0; source < flow.sources; ++source) {
        question.onlySource = source;
        double sum = 0.0;
        for (const FlowLink &link : flowLinks(*snapshot, question, {}).links) {
            QVERIFY(std::abs(link.strength - expected.at(link.target, source)) < 1e-14);
            sum += link.strength;
        }
        QVERIFY(std::abs(sum - flow.sourceTotals[static_cast<std::size_t>(source)]) < 1e-12);
    }
}

void TestFlowLinks::rolloutNeedsOneSequence()
{
    FlowQuestion question;
    question.measure = FlowMeasure::Rollout;
    const std::string problem = flowProblem(*golden(QStringLiteral("seed_f_cross_attention")), question);
    QVERIFY2(problem.find("the queries and the keys are different tokens") != std::string::npos,
             problem.c_str());
    // A long row is made of whole strips.
    const SnapshotPtr many = snapshotOf(manyTokens(70, 2));
    for (const double sum : flowLinks(*many, question, {}).targetSums)
        QVERIFY(std::abs(sum - 1.0) < 1e-13);
}

void TestFlowLinks::saysWhyNot()
{
    Experiment experiment = manyTokens(4, 2);
    FlowQuestion question;
    question.measure = FlowMeasure::Contribution;
    question.direction = {1.0, 0.0};
    QCOMPARE(flowProblem(*snapshotOf(experiment), question),
             std::string("The direction needs 8 numbers, one for each output column; it has 2."));
    question.direction.clear();
    question.measure = FlowMeasure::Weight;
    question.heads = {2};
    QCOMPARE(flowProblem(*snapshotOf(experiment), question), std::string("There is no such head."));
    experiment.given.erase(Stage::K);
    QVERIFY(!flowProblem(*snapshotOf(experiment), {}).empty());
}

void TestFlowLinks::directionOfAnOutputRow()
{
    const SnapshotPtr snapshot = golden(QStringLiteral("seed_c_attention_pinned"));
    const std::vector<double> direction = outputRowDirection(*snapshot, 1);
    double squares = 0.0;
    double along = 0.0;
    for (std::size_t c = 0; c < direction.size(); ++c) {
        squares += direction[c] * direction[c];
        along += direction[c] * snapshot->stage(Stage::Output).values->value(0, 1, static_cast<Index>(c));
    }
    QVERIFY(std::abs(squares - 1.0) < 1e-14);
    FlowQuestion question;
    question.measure = FlowMeasure::Contribution;
    question.direction = direction;
    // What all tokens add along the row's own direction is the row's length.
    QVERIFY(std::abs(flowLinks(*snapshot, question, {}).targetSums[1] - along) < 1e-14);
    QVERIFY(outputRowDirection(*snapshot, 9).empty());
}

QTEST_APPLESS_MAIN(TestFlowLinks)
#include "tst_FlowLinks.moc"
