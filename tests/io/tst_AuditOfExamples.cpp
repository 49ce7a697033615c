#include "engine/Audit.h"
#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "engine/lab/PackingBounds.h"
#include "engine/lab/Span.h"
#include "io/Examples.h"
#include "support/GoldenFile.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

/// The audit finds what is wrong in the examples as printed, without being told where.
class TestAuditOfExamples : public QObject
{
    Q_OBJECT

private slots:
    void listsTheGoldenDisagreements();
    void listsTheGoldenRest();
    void computesWhatTheGoldenFileComputes();
    void boundsOfTheGoldenFacts();
    void weightsOfTheGoldenFile();
    void saysWhichPrintedNumbersAgree();
    void findsRowsWhoseOrderIsPrintedWrong();
    void checksTheNumbersOfTheProse();
    void checksTheTwoHeadsToo();
    void followsAnEditOfAPrintedNumber();
    void adoptingEveryCellLeavesNoDifference();
    void whatNothingGivesIsNotChecked();
    void halfAUnitIsTheTolerance();
};

namespace {

ExperimentPtr exampleOf(const QString &name)
{
    Result<DocumentFileData> data = loadExample(name);
    if (!data)
        qFatal("%s", data.error().message.c_str());
    return std::make_shared<const Experiment>(data->experiment);
}

const AuditedFact &factOf(const Audit &audit, const Experiment &experiment, const std::string &name)
{
    for (const AuditedFact &fact : audit.facts)
        if (experiment.printedFacts[fact.index].name == name)
            return fact;
    qFatal("no fact %s", name.c_str());
}

ExperimentPtr edited(const ExperimentPtr &experiment, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(*experiment, edit);
    if (!outcome)
        qFatal("%s", outcome.error().message.c_str());
    return std::make_shared<const Experiment>(std::move(outcome->experiment));
}

} // namespace

void TestAuditOfExamples::listsTheGoldenDisagreements()
{
    const Audit audit = auditOf(exampleOf(u"as-printed"_s));
    const std::map<std::string, Stage> stages = {{"Q = X W^Q", Stage::Q},
                                                 {"scores = Q K^T", Stage::Scores},
                                                 {"scaled = scores / sqrt(6)", Stage::Scaled},
                                                 {"output = A V", Stage::Output}};
    std::map<Stage, std::vector<AuditedCell>> expected;
    const Json golden = readGolden(u"seed_disagreements"_s);
    for (const Json &entry : golden["cells"].toArray()) {
        const auto stage = stages.find(entry["quantity"].toString());
        if (stage == stages.end())
            continue;
        const Json::Array &cell = entry["cell"].toArray();
        expected[stage->second].push_back(
            {{0, static_cast<Index>(cell[0].toDouble()), static_cast<Index>(cell[1].toDouble())},
             {entry["printed"].toDouble(), entry["computed"].toDouble(), 0, false}});
    }
    QCOMPARE(expected.size(), stages.size());
    for (const auto &[stage, cells] : expected) {
        const AuditedStage *found = audit.stage(stage);
        QVERIFY2(found, stageName(stage));
        QCOMPARE(found->differing.size(), cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            QVERIFY(found->differing[i].cell == cells[i].cell);
            QCOMPARE(found->differing[i].number.printed, cells[i].number.printed);
            // Both are sums of six products of two-place numbers: equal but for their last bits.
            QVERIFY(std::abs(found->differing[i].number.computed - cells[i].number.computed) < 1e-14);
        }
    }
}

/// The rest of the golden file: the cell of the other document, the weights set by hand, what agrees.
void TestAuditOfExamples::listsTheGoldenRest()
{
    const Json golden = readGolden(u"seed_disagreements"_s);
    const ExperimentPtr experiment = exampleOf(u"as-printed"_s);
    const Audit audit = auditOf(experiment);
    std::size_t read = 0;
    for (const Json &entry : golden["cells"].toArray())
        if (entry["printed"].toDouble() == 0.39 && entry["cell"].toArray()[0].toDouble() == 0.0 &&
            entry["cell"].toArray()[1].toDouble() == 0.0) {
            const AuditedNumber &number =
                factOf(audit, *experiment, "Q[I, f1] in the part on several heads").numbers.front();
            QCOMPARE(number.printed, 0.39);
            QVERIFY(std::abs(number.computed - entry["computed"].toDouble()) < 1e-14);
            ++read;
        }
    QCOMPARE(read, std::size_t(1));
    // Not from the printed scaled scores, as the document's own A, but from the products of the printed Q and
    // K.
    const Json &A = golden["facts"]["A, labelled softmax(Q K^T / sqrt(d_k)) but set by hand"];
    Experiment variant = *experiment;
    for (const Stage stage : {Stage::Scores, Stage::Scaled, Stage::A})
        variant.pins.erase(stage);
    Evaluator evaluator;
    const StageValuesPtr computed =
        evaluator.evaluate(std::make_shared<const Experiment>(variant), Generation{1})
            ->stage(Stage::A)
            .values;
    for (Index row = 0; row < 4; ++row)
        for (Index col = 0; col < 4; ++col) {
            const auto at = static_cast<std::size_t>(row * 4 + col);
            QCOMPARE(*experiment->pinsOf(Stage::A).at({0, row, col}),
                     A["printed"]["data"].toArray()[at].toDouble());
            QVERIFY(std::abs(computed->value(0, row, col) - A["computed"]["data"].toArray()[at].toDouble()) <
                    1e-14);
        }
    const std::map<std::string, Stage> stages = {{"Q = X W^Q", Stage::Q},
                                                 {"scores = Q K^T", Stage::Scores},
                                                 {"scaled = scores / sqrt(6)", Stage::Scaled},
                                                 {"output = A V", Stage::Output}};
    for (const auto &[name, stage] : stages)
        QCOMPARE(audit.stage(stage)->agreeing(), golden["cells_that_agree"][name].toInteger());
}

/// `computed` and the sums of `facts`: each step from the printed numbers of the one before.
void TestAuditOfExamples::computesWhatTheGoldenFileComputes()
{
    const Json golden = readGolden(u"seed_disagreements"_s);
    const ExperimentPtr printed = exampleOf(u"as-printed"_s);
    const auto without = [&](const std::vector<Stage> &stages) {
        Experiment variant = *printed;
        for (const Stage stage : stages)
            variant.pins.erase(stage);
        Evaluator evaluator;
        return evaluator.evaluate(std::make_shared<const Experiment>(variant), Generation{1});
    };
    const auto compare = [&](const SnapshotPtr &snapshot, Stage stage, const char *name) {
        const Tensor expected = goldenTensor(golden["computed"][name]);
        const StageValuesPtr values = snapshot->stage(stage).values;
        QCOMPARE(values->rows(), expected.rows());
        QCOMPARE(values->cols(), expected.cols());
        for (Index row = 0; row < expected.rows(); ++row)
            for (Index col = 0; col < expected.cols(); ++col)
                QVERIFY2(std::abs(values->value(0, row, col) - expected.at(row, col)) < 1e-14, name);
    };
    compare(without({Stage::Q}), Stage::Q, "XWq");
    const SnapshotPtr products = without({Stage::Scores, Stage::Scaled, Stage::A});
    compare(products, Stage::Scores, "scores");
    compare(products, Stage::Scaled, "scaled_from_computed_scores");
    compare(products, Stage::A, "A_from_computed_scores");
    compare(without({Stage::Output, Stage::Concat, Stage::HeadOut}), Stage::Output, "AV");
    const Audit audit = auditOf(printed);
    const Json &facts = golden["facts"];
    const auto same = [&](const char *fact, const char *key) {
        const AuditedNumber &number = factOf(audit, *printed, fact).numbers.front();
        QCOMPARE(number.printed, facts[key]["printed"].toDouble());
        QVERIFY(std::abs(number.computed - facts[key]["computed"].toDouble()) < 1e-14);
    };
    same("q_love · k_prog", "q_love . k_prog, written out in step 2.1");
    same("row love: sum of the exponentials", "sum of the four exponentials of the love row");
}

void TestAuditOfExamples::boundsOfTheGoldenFacts()
{
    const Json golden = readGolden(u"seed_disagreements"_s);
    const Json &hundred = golden["facts"]["directions of R^100 with mutual angles above 85 degrees"];
    QCOMPARE(std::floor(twoSidedBound(100, 85.0).directions),
             hundred["upper_bound_angles_in_85_95"].toDouble());
    const double most = hundred["upper_bound_angles_at_least_85"].toDouble();
    QVERIFY(std::abs(oneSidedBound(100, 85.0).directions / most - 1.0) < 1e-9);
    QVERIFY(hundred["printed"].toDouble() > 1e8 * most); // what the text claims is impossible
    const Json &wide = golden["facts"]["directions of R^512 with mutual angles above 85 degrees"];
    const double wideMost = wide["upper_bound_angles_at_least_85"].toDouble();
    QVERIFY(std::abs(oneSidedBound(512, 85.0).directions / wideMost - 1.0) < 1e-9);
    QVERIFY(twoSidedBound(512, 85.0).directions > wide["known_construction_angles_in_85_95"].toDouble());
}

/// The weights that the text leaves out: ours give K and V exactly, the shortest ones rounded do not.
void TestAuditOfExamples::weightsOfTheGoldenFile()
{
    const Json golden = readGolden(u"seed_disagreements"_s);
    const ExperimentPtr printed = exampleOf(u"as-printed"_s);
    const SmallMatrix X = SmallMatrix::of(printed->matrix(Stage::X));
    for (const auto &[stage, weight, name] :
         {std::tuple(Stage::K, Stage::Wk, "W^K"), std::tuple(Stage::V, Stage::Wv, "W^V")}) {
        const Json &expected = golden["weight_residuals"][name];
        SmallMatrix result = SmallMatrix::zeros(4, 6);
        SmallMatrix shortest = SmallMatrix::zeros(6, 6);
        for (Index col = 0; col < 6; ++col) {
            for (Index row = 0; row < 4; ++row)
                result.at(row, col) = *printed->pinsOf(stage).at({0, row, col});
            shortest.setColumn(col, reachOf(X, result.column(col)).coefficients);
        }
        const auto largest = [](const SmallMatrix &difference) {
            double most = 0.0;
            for (const double value : difference.data)
                most = std::max(most, std::abs(value));
            return most;
        };
        const auto residual = [&](double places) {
            SmallMatrix rounded = shortest;
            for (double &value : rounded.data)
                value = places > 0.0 ? std::nearbyint(value * places) / places : value;
            return largest(X * rounded - result);
        };
        const SmallMatrix used = SmallMatrix::of(printed->matrix(weight));
        QVERIFY(residual(0.0) < 1e-14);
        QVERIFY(std::abs(residual(100.0) - expected["minimal_norm_rounded_2_decimals"].toDouble()) < 1e-14);
        QVERIFY(std::abs(residual(1000.0) - expected["minimal_norm_rounded_3_decimals"].toDouble()) < 1e-14);
        QVERIFY(largest(X * used - result) <= 10.0 * expected["used_here"].toDouble());
        QVERIFY(std::abs(largest(used - shortest) - expected["distance_to_minimal_norm"].toDouble()) < 1e-12);
    }
}

void TestAuditOfExamples::saysWhichPrintedNumbersAgree()
{
    const Audit audit = auditOf(exampleOf(u"as-printed"_s));
    const std::map<Stage, std::pair<Index, Index>> agreeing = {
        {Stage::Q, {3, 24}},       {Stage::K, {24, 24}}, {Stage::V, {24, 24}},      {Stage::Scores, {1, 16}},
        {Stage::Scaled, {15, 16}}, {Stage::A, {1, 16}},  {Stage::Output, {12, 24}},
    };
    QCOMPARE(audit.stages.size(), agreeing.size());
    for (const auto &[stage, counts] : agreeing) {
        QCOMPARE(audit.stage(stage)->agreeing(), counts.first);
        QCOMPARE(audit.stage(stage)->checked, counts.second);
    }
    // The largest differences of the printed Q and output: 0.14 and 0.026.
    QVERIFY(std::abs(audit.stage(Stage::Q)->largestDifference - 0.14) < 1e-12);
    QVERIFY(std::abs(audit.stage(Stage::Output)->largestDifference - 0.026) < 1e-12);
    QVERIFY((audit.stage(Stage::Output)->largestAt == CellIndex{0, 2, 1}));
}

void TestAuditOfExamples::findsRowsWhoseOrderIsPrintedWrong()
{
    const Audit audit = auditOf(exampleOf(u"as-printed"_s));
    const std::vector<ReorderedRow> &rows = audit.stage(Stage::Scores)->reorderedRows;
    // Row love: the printed scores put I before GPU, the products GPU before I.
    QCOMPARE(rows.size(), std::size_t(1));
    QCOMPARE(rows.front().row, Index(1));
    QCOMPARE(rows.front().printed, (std::vector<Index>{3, 0, 2, 1}));
    QCOMPARE(rows.front().computed, (std::vector<Index>{3, 2, 0, 1}));
    QVERIFY(audit.stage(Stage::Scaled)->reorderedRows.empty());
    QVERIFY(audit.stage(Stage::Q)->reorderedRows.empty());
}

void TestAuditOfExamples::checksTheNumbersOfTheProse()
{
    const ExperimentPtr experiment = exampleOf(u"as-printed"_s);
    const Audit audit = auditOf(experiment);
    const auto fact = [&](const char *name) -> const AuditedFact & {
        return factOf(audit, *experiment, name);
    };
    QVERIFY(fact("Q[I, f1]").agrees());
    QVERIFY(!fact("q_love · k_prog").agrees());
    QVERIFY(std::abs(fact("q_love · k_prog").numbers.front().computed - 1.0086) < 1e-12);
    QVERIFY(fact("square root of d_k = 6").agrees());
    QVERIFY(fact("row love: softmax, from the printed scaled scores").agrees());
    const AuditedFact &fromProducts = fact("row love: softmax, from the printed Q and K");
    QVERIFY(!fromProducts.agrees());
    const Json golden = readGolden(
        u"seed_disagreements"_s)["facts"]["softmax of the love row, from Q K^T of the printed Q, K"]
                                ["computed"];
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::abs(fromProducts.numbers[i].computed - golden["data"].toArray()[i].toDouble()) < 1e-14);
    QVERIFY(fact("row love: exponentials").agrees());
    // 5.51754 rounds to 5.518: the printed sum adds the rounded exponentials.
    QVERIFY(!fact("row love: sum of the exponentials").agrees());
    QVERIFY(std::abs(fact("row love: sum of the exponentials").numbers.front().computed - 5.517540390557603) <
            1e-14);
    QVERIFY(fact("row love of the output").agrees());
    // 0.39 in the part on several heads, 0.38 in the part on one.
    QVERIFY(!fact("Q[I, f1] in the part on several heads").agrees());
    // The one transposition that is printed is right.
    QVERIFY(fact("K transposed").agrees());
    QCOMPARE(fact("K transposed").numbers.size(), std::size_t(24));
    // 0.243 to 0.262 is true of row love, not of the whole matrix.
    const AuditedFact &range = fact("nearly even: the smallest and the largest weight");
    QVERIFY(!range.agrees());
    QVERIFY(isRoundingOf(0.2368, range.numbers[0].computed, 4) &&
            isRoundingOf(0.2646, range.numbers[1].computed, 4));
    // None of the three rows of the comparison is a row of A.
    QVERIFY(!fact("comparison: row love with one head").agrees());
    QVERIFY(fact("footprint of prog: its weight in each row").agrees());
}

void TestAuditOfExamples::checksTheTwoHeadsToo()
{
    const ExperimentPtr experiment = exampleOf(u"as-printed-two-heads"_s);
    const Audit audit = auditOf(experiment);
    const AuditedFact &first = factOf(audit, *experiment, "Q[I, f1] in the part on several heads");
    QVERIFY(!first.agrees());
    QVERIFY(std::abs(first.numbers.front().computed - 0.38) < 1e-12);
    // Neither of the two rows used for comparison is the row of its head.
    QVERIFY(!factOf(audit, *experiment, "comparison: row love in head A").agrees());
    QVERIFY(!factOf(audit, *experiment, "comparison: row love in head B").agrees());
    const AuditedStage *A = audit.stage(Stage::A);
    QCOMPARE(A->checked, Index(32));
    // The largest softmax weight of these heads is 0.268, the smallest 0.239: only 0.2 and 0.3 are roundings.
    QVERIFY(!A->differing.empty());
    QVERIFY(std::all_of(A->differing.begin(), A->differing.end(), [](const AuditedCell &cell) {
        return cell.number.computed > 0.23 && cell.number.computed < 0.27;
    }));
}

void TestAuditOfExamples::followsAnEditOfAPrintedNumber()
{
    const ExperimentPtr printed = exampleOf(u"as-printed"_s);
    const Index before = auditOf(printed).stage(Stage::Q)->agreeing();
    const ExperimentPtr mended = edited(printed, PinCells{Stage::Q, {{{0, 0, 1}, 0.43}}});
    QCOMPARE(auditOf(mended).stage(Stage::Q)->agreeing(), before + 1);
    const ExperimentPtr broken = edited(printed, PinCells{Stage::Q, {{{0, 0, 0}, 0.39}}});
    QCOMPARE(auditOf(broken).stage(Stage::Q)->agreeing(), before - 1);
    // With 0.39 the one score that agreed no longer does: 0.8560 is not 0.85.
    QCOMPARE(auditOf(broken).stage(Stage::Scores)->agreeing(), Index(0));
}

void TestAuditOfExamples::adoptingEveryCellLeavesNoDifference()
{
    ExperimentPtr experiment = exampleOf(u"as-printed"_s);
    for (const Stage stage : {Stage::Q, Stage::Scores, Stage::Scaled, Stage::A, Stage::Output}) {
        const Audit audit = auditOf(experiment);
        UnpinCells adopt{stage, {}};
        for (const AuditedCell &cell : audit.stage(stage)->differing)
            adopt.cells.push_back(cell.cell);
        if (!adopt.cells.empty())
            experiment = edited(experiment, adopt);
        const Audit after = auditOf(experiment);
        QVERIFY(!after.stage(stage) || after.stage(stage)->differing.empty());
    }
}

void TestAuditOfExamples::whatNothingGivesIsNotChecked()
{
    Experiment experiment = *exampleOf(u"as-printed"_s);
    experiment.given.erase(Stage::Wq);
    const Audit audit = auditOf(std::make_shared<const Experiment>(experiment));
    QVERIFY(!audit.stage(Stage::Q));
    QVERIFY(audit.stage(Stage::Scores));
    QCOMPARE(factOf(audit, experiment, "Q[I, f1]").problem, std::string("Q is not available"));
    QVERIFY(auditOf(exampleOf(u"computed"_s)).stages.empty());
}

void TestAuditOfExamples::halfAUnitIsTheTolerance()
{
    QVERIFY(isRoundingOf(0.410, 0.4095, 3));
    QVERIFY(isRoundingOf(0.409, 0.4095, 3));
    QVERIFY(!isRoundingOf(0.408, 0.4095, 3));
    QVERIFY(!isRoundingOf(0.417, 0.41641, 3));
    QVERIFY(isRoundingOf(2.0, 1.5, 0));
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(isRoundingOf(-infinity, -infinity, 2));
    QVERIFY(!isRoundingOf(1.0, infinity, 2));
    QVERIFY(isRoundingOf(nan, nan, 2));
    QVERIFY(!isRoundingOf(1.0, nan, 2));
}

QTEST_GUILESS_MAIN(TestAuditOfExamples)
#include "tst_AuditOfExamples.moc"
