#include "engine/heads/HeadPresets.h"

#include "engine/Evaluator.h"
#include "support/GoldenFile.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

/// Five tokens, two heads, two of the tokens delimiters.
Experiment fiveTokens(bool causal)
{
    RandomExperiments random(12);
    Experiment experiment;
    experiment.tokens = TokenList({"<s>", "the", "cat", ",", "sat"});
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.causal = causal;
    experiment.given = {{Stage::Q, random.matrix({1, 5, 4})},
                        {Stage::K, random.matrix({1, 5, 4})},
                        {Stage::V, random.matrix({1, 5, 4})}};
    return experiment;
}

Experiment edited(const SnapshotPtr &snapshot, const Result<Edit> &edit)
{
    ATTN_ASSERT(edit.ok(), "the preset exists");
    return applyEdit(snapshot->experiment(), *edit)->experiment;
}

} // namespace

/// Each preset makes the pattern that its detector finds.
class TestHeadPresets : public QObject
{
    Q_OBJECT

private slots:
    void detectorsFindThePresets_data();
    void detectorsFindThePresets();
    void rowsAddToOneAndKeepTheMask();
    void sinkIsSilent();
    void rowsWithoutThePatternAreEven();
    void randomPresetsAreValid();
    void workedRowsAreThreeExamples();
    void workedRowsAreSet();
    void reasonsAreGiven();
};

void TestHeadPresets::detectorsFindThePresets_data()
{
    QTest::addColumn<int>("pattern");
    QTest::addColumn<bool>("causal");
    for (const HeadPattern pattern : allHeadPatterns())
        for (const bool causal : {false, true})
            if (pattern != HeadPattern::Sink)
                QTest::addRow("%d %s", static_cast<int>(pattern), causal ? "causal" : "open")
                    << static_cast<int>(pattern) << causal;
}

void TestHeadPresets::detectorsFindThePresets()
{
    QFETCH(int, pattern);
    QFETCH(bool, causal);
    const auto wanted = static_cast<HeadPattern>(pattern);
    PatternQuestion question;
    question.offset = 2;
    const SnapshotPtr snapshot = snapshotOf(fiveTokens(causal));
    const Experiment after = edited(snapshot, patternEdit(*snapshot, 1, wanted, question));
    const SnapshotPtr made = snapshotOf(after);
    const HeadPatterns patterns = headPatterns(*made, question);
    QVERIFY2(std::abs(patterns.heads[1].of(wanted) - 1.0) < 1e-12,
             qPrintable(QString::number(patterns.heads[1].of(wanted))));
    // The other head stays as it was.
    for (Index row = 0; row < 5; ++row)
        for (Index col = 0; col < 5; ++col)
            QCOMPARE(made->stage(Stage::A).values->value(0, row, col),
                     snapshot->stage(Stage::A).values->value(0, row, col));
}

void TestHeadPresets::rowsAddToOneAndKeepTheMask()
{
    const SnapshotPtr snapshot = snapshotOf(fiveTokens(true));
    for (const HeadPattern pattern : allHeadPatterns()) {
        const auto weights = patternWeights(*snapshot, 0, pattern);
        QVERIFY(weights.ok());
        for (std::size_t row = 0; row < 5; ++row) {
            double sum = 0.0;
            for (std::size_t col = 0; col < 5; ++col) {
                const double weight = (*weights)[row * 5 + col];
                QVERIFY(weight >= 0.0 && (col <= row || weight == 0.0));
                sum += weight;
            }
            QVERIFY(std::abs(sum - 1.0) < 1e-12);
        }
    }
}

void TestHeadPresets::sinkIsSilent()
{
    const SnapshotPtr snapshot = snapshotOf(fiveTokens(true));
    const SnapshotPtr made = snapshotOf(edited(snapshot, patternEdit(*snapshot, 1, HeadPattern::Sink)));
    for (Index row = 0; row < 5; ++row) {
        QCOMPARE(made->stage(Stage::A).values->value(1, row, 0), 1.0);
        for (Index col = 0; col < 2; ++col)
            QCOMPARE(made->stage(Stage::HeadOut).values->value(1, row, col), 0.0);
    }
    // Head 1 reads columns of V of its own.
    QCOMPARE(made->stage(Stage::V).values->value(0, 0, 0), snapshot->stage(Stage::V).values->value(0, 0, 0));
    QCOMPARE(made->stage(Stage::V).values->value(0, 0, 2), 0.0);
}

void TestHeadPresets::rowsWithoutThePatternAreEven()
{
    const SnapshotPtr snapshot = snapshotOf(fiveTokens(false));
    const auto weights = patternWeights(*snapshot, 0, HeadPattern::Previous);
    QVERIFY(weights.ok());
    for (std::size_t col = 0; col < 5; ++col)
        QCOMPARE((*weights)[col], 0.2);
    QCOMPARE((*weights)[5], 1.0);
}

void TestHeadPresets::randomPresetsAreValid()
{
    RandomExperiments random(21);
    int made = 0;
    for (int i = 0; i < 60; ++i) {
        const SnapshotPtr snapshot = snapshotOf(random.next());
        for (const HeadPattern pattern : allHeadPatterns()) {
            const auto edit = patternEdit(*snapshot, snapshot->sizes().nHeads - 1, pattern);
            if (!edit)
                continue;
            ++made;
            const auto outcome = applyEdit(snapshot->experiment(), *edit);
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().message.c_str());
        }
    }
    QVERIFY(made > 200);
}

void TestHeadPresets::workedRowsAreThreeExamples()
{
    const auto rows = workedRows();
    QVERIFY((rows[0].weights == std::array{0.3, 0.1, 0.1, 0.5}));
    QVERIFY((rows[1].weights == std::array{0.1, 0.1, 0.1, 0.7}));
    QVERIFY((rows[2].weights == std::array{0.6, 0.1, 0.1, 0.2}));
    const std::array mean = meanOfWorkedHeads();
    const std::array expected = {0.35, 0.1, 0.1, 0.45};
    for (std::size_t i = 0; i < 4; ++i)
        QVERIFY(std::abs(mean[i] - expected[i]) < 1e-15);
    // None of them is the row of love in the example's own matrices.
    const auto two = snapshotOf(
        *goldenExperiment(readGolden(QStringLiteral("seed_d2_two_heads_attention_pinned"))["state"]));
    for (const WorkedRow &row : rows)
        for (Index head = 0; head < 2; ++head) {
            bool isSame = true;
            for (Index col = 0; col < 4; ++col)
                isSame = isSame && two->stage(Stage::A).values->value(head, 1, col) ==
                                       row.weights[static_cast<std::size_t>(col)];
            QVERIFY(!isSame);
        }
    // In the second head, rows I and GPU hold I only in a tie for the first place.
    QCOMPARE(two->stage(Stage::A).values->value(1, 0, 0), 0.3);
    QCOMPARE(two->stage(Stage::A).values->value(1, 0, 1), 0.3);
    QCOMPARE(two->stage(Stage::A).values->value(1, 2, 0), 0.3);
    QCOMPARE(two->stage(Stage::A).values->value(1, 2, 2), 0.3);
}

void TestHeadPresets::workedRowsAreSet()
{
    const SnapshotPtr snapshot =
        snapshotOf(*goldenExperiment(readGolden(QStringLiteral("heads_equivalence_0"))["state"]));
    const SnapshotPtr made = snapshotOf(edited(snapshot, workedRowEdit(*snapshot, 1, 1, 2)));
    for (Index col = 0; col < 4; ++col)
        QCOMPARE(made->stage(Stage::A).values->value(1, 1, col),
                 workedRows()[2].weights[static_cast<std::size_t>(col)]);
    QCOMPARE(made->stage(Stage::A).pinnedCount, Index(4));
}

void TestHeadPresets::reasonsAreGiven()
{
    const SnapshotPtr five = snapshotOf(fiveTokens(false));
    QVERIFY(!workedRowEdit(*five, 0, 1, 0).ok()); // five keys
    QVERIFY(!patternEdit(*five, 2, HeadPattern::Self).ok());
    PatternQuestion question;
    question.delimiterLabels = {"nowhere"};
    const auto none = patternEdit(*five, 0, HeadPattern::Delimiter, question);
    QVERIFY(!none.ok());
    QCOMPARE(none.error().message, std::string("no token here is a delimiter"));
    Experiment empty;
    empty.tokens = TokenList({"a"});
    QVERIFY(!patternEdit(*snapshotOf(empty), 0, HeadPattern::Self).ok());
}

QTEST_APPLESS_MAIN(TestHeadPresets)
#include "tst_HeadPresets.moc"
