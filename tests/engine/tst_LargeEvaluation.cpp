#include "engine/Evaluator.h"
#include "engine/MappedNumbers.h"
#include "engine/edits/AxisChange.h"
#include "engine/pooling/ChangedCells.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <cmath>
#include <cstring>

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index tokenCount = 600;

ExperimentPtr shared(const Experiment &experiment)
{
    return std::make_shared<const Experiment>(experiment);
}

Experiment oneHead(Tensor Q, Tensor K, Tensor V)
{
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(static_cast<std::size_t>(Q.rows())));
    experiment.precision = Q.storage() == Tensor::Storage::Float32 ? Precision::Float32 : Precision::Float64;
    experiment.given = {{Stage::Q, std::move(Q)}, {Stage::K, std::move(K)}, {Stage::V, std::move(V)}};
    return experiment;
}

Experiment randomHead()
{
    RandomExperiments random(5);
    return oneHead(random.matrix({1, tokenCount, 8}), random.matrix({1, tokenCount, 8}),
                   random.matrix({1, tokenCount, 8}));
}

Experiment withNumber(const Experiment &experiment, Stage stage, Index row, double value)
{
    Experiment edited = experiment;
    edited.given[stage] = edited.given[stage].withCells(std::vector<CellValue>{{{0, row, 2}, value}});
    return edited;
}

std::vector<double> cellsOf(const StageValues &values)
{
    std::vector<double> cells(static_cast<std::size_t>(values.rows() * values.cols()));
    values.readBlock(0, 0, 0, values.rows(), values.cols(), cells.data(), values.cols());
    return cells;
}

bool isInside(const std::vector<ChangedCells::Lines> &lines, Index line)
{
    return std::any_of(lines.begin(), lines.end(), [line](const ChangedCells::Lines &range) {
        return line >= range.first && line < range.first + range.count;
    });
}

/// Cells that differ although they are said to be the same.
Index unforeseenChanges(const StageValues &before, const StageValues &after, const ChangedCells &changed)
{
    const std::vector<double> left = cellsOf(before);
    const std::vector<double> right = cellsOf(after);
    Index count = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
        const auto row = static_cast<Index>(i) / before.cols();
        const auto col = static_cast<Index>(i) % before.cols();
        if (!changed.everywhere && !isInside(changed.rows, row) && !isInside(changed.cols, col) &&
            std::memcmp(&left[i], &right[i], sizeof(double)) != 0)
            ++count;
    }
    return count;
}

QString linesText(const std::vector<ChangedCells::Lines> &lines)
{
    QStringList texts;
    for (const ChangedCells::Lines &range : lines)
        texts.append(QStringLiteral("%1+%2").arg(range.first).arg(range.count));
    return texts.join(u' ');
}

QString changeText(const ChangedCells &changed)
{
    return changed.everywhere
               ? QStringLiteral("all")
               : QStringLiteral("rows %1 cols %2").arg(linesText(changed.rows), linesText(changed.cols));
}

/// The numbers of a tensor as if they lay in a file, `gap` numbers apart from row to row.
Tensor asMapped(const Tensor &tensor, Index gap)
{
    const Index stride = tensor.cols() + gap;
    const auto memory =
        std::make_shared<std::vector<double>>(static_cast<std::size_t>(tensor.rows() * stride));
    for (Index row = 0; row < tensor.rows(); ++row)
        tensor.copyRows(0, row, 1, memory->data() + row * stride);
    MappedNumbers numbers;
    numbers.mapping = memory;
    numbers.first = reinterpret_cast<const std::byte *>(memory->data());
    numbers.rowStride = stride;
    numbers.pieceCols = tensor.cols();
    return Tensor::mapped(tensor.shape(), Tensor::Storage::Float64, numbers);
}

} // namespace

class TestLargeEvaluation : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhichCellsAnEditLeavesAlone_data();
    void tellsWhichCellsAnEditLeavesAlone();
    void scoresAreThereBeforeWeights();
    void weightsInFocusAreKeptThoughTheRestIsNotDone();
    void rangeIsThatOfAllRows();
    void onlyWhatChangesIsUpdating();
    void countsRangesOfBlocks();
    void hiddenTilesAreExact_data();
    void hiddenTilesAreExact();
    void manyLeavesAreCombinedInGroups_data();
    void manyLeavesAreCombinedInGroups();
    void mappedNumbersAreReadWhereTheyLie();
    void pinsLeaveTheFileAlone();
    void tellsWhatATokenEditReads();
};

void TestLargeEvaluation::tellsWhichCellsAnEditLeavesAlone_data()
{
    QTest::addColumn<int>("edited");
    QTest::addColumn<int>("asked");
    QTest::addColumn<QString>("changed");
    const auto row = [](const char *name, Stage edited, Stage asked, const char *changed) {
        QTest::newRow(name) << static_cast<int>(edited) << static_cast<int>(asked)
                            << QString::fromUtf8(changed);
    };
    row("Q in scores", Stage::Q, Stage::Scores, "rows 64+64 cols ");
    row("Q in A", Stage::Q, Stage::A, "rows 64+64 64+64 cols ");
    row("Q in head_out", Stage::Q, Stage::HeadOut, "rows 64+64 cols ");
    row("K in scores", Stage::K, Stage::Scores, "rows  cols 0+256");
    row("K in A", Stage::K, Stage::A, "rows 0+600 cols 0+256");
    row("V in A", Stage::V, Stage::A, "rows  cols ");
    row("V in head_out", Stage::V, Stage::HeadOut, "rows 0+600 cols ");
}

void TestLargeEvaluation::tellsWhichCellsAnEditLeavesAlone()
{
    QFETCH(int, edited);
    QFETCH(int, asked);
    QFETCH(QString, changed);
    const Experiment experiment = randomHead();
    Evaluator evaluator;
    const SnapshotPtr before = evaluator.evaluate(shared(experiment), Generation{1});
    const SnapshotPtr after = evaluator.evaluate(
        shared(withNumber(experiment, static_cast<Stage>(edited), 100, 0.75)), Generation{2});
    const StageValues &old = *before->stage(static_cast<Stage>(asked)).values;
    const StageValues &now = *after->stage(static_cast<Stage>(asked)).values;
    const ChangedCells cells = changedCells(old, now, 0);
    QCOMPARE(changeText(cells), changed);
    QCOMPARE(unforeseenChanges(old, now, cells), Index(0));

    // Rows that do not see the edited key keep their sums.
    if (static_cast<Stage>(edited) == Stage::K && static_cast<Stage>(asked) == Stage::A) {
        Experiment causal = experiment;
        causal.causal = true;
        const SnapshotPtr hidden = evaluator.evaluate(shared(causal), Generation{3});
        const SnapshotPtr late =
            evaluator.evaluate(shared(withNumber(causal, Stage::K, 500, 0.75)), Generation{4});
        const StageValues &seen = *hidden->stage(Stage::A).values;
        const ChangedCells few = changedCells(seen, *late->stage(Stage::A).values, 0);
        QCOMPARE(changeText(few), QStringLiteral("rows 448+152 cols 256+256"));
        QCOMPARE(unforeseenChanges(seen, *late->stage(Stage::A).values, few), Index(0));
    }

    Experiment scaled = experiment;
    scaled.scale = 0.5;
    const SnapshotPtr other = evaluator.evaluate(shared(scaled), Generation{3});
    QVERIFY(changedCells(now, *other->stage(Stage::A).values, 0).everywhere);
}

void TestLargeEvaluation::scoresAreThereBeforeWeights()
{
    std::vector<SnapshotPtr> published;
    EvaluateOptions options;
    options.focus = {Stage::A, 0, 256, 64};
    options.publish = [&published](const SnapshotPtr &snapshot) {
        published.push_back(snapshot);
    };
    Evaluator evaluator;
    const Experiment experiment = randomHead();
    const SnapshotPtr complete = evaluator.evaluate(shared(experiment), Generation{1}, {}, options);
    const auto statusOf = [&](std::size_t snapshot, Stage stage) {
        return published[snapshot]->stage(stage).values->blockStatus(0, 256, 0, 64, tokenCount);
    };
    QVERIFY(published.size() >= 2);
    QVERIFY(statusOf(0, Stage::Scores) == BlockStatus::Exact &&
            statusOf(0, Stage::A) == BlockStatus::Updating);
    QVERIFY(statusOf(1, Stage::A) == BlockStatus::Exact);
    QCOMPARE(published[0]->stage(Stage::Scores).values->value(0, 300, 7),
             complete->stage(Stage::Scores).values->value(0, 300, 7));
    // Once there are weights, they are not given up for a moment.
    published.clear();
    evaluator.evaluate(shared(withNumber(experiment, Stage::Q, 300, 0.5)), Generation{2}, {}, options);
    QVERIFY(statusOf(0, Stage::A) == BlockStatus::Exact);
}

/// Edits that follow each other so fast that the rest is never finished.
void TestLargeEvaluation::weightsInFocusAreKeptThoughTheRestIsNotDone()
{
    std::vector<SnapshotPtr> published;
    std::stop_source stop;
    const auto isFocusExact = [](const Snapshot &snapshot) {
        return snapshot.stage(Stage::A).values->blockStatus(0, 256, 0, 64, tokenCount) == BlockStatus::Exact;
    };
    EvaluateOptions options;
    options.focus = {Stage::A, 0, 256, 64};
    options.publish = [&](const SnapshotPtr &snapshot) {
        published.push_back(snapshot);
        if (isFocusExact(*snapshot))
            stop.request_stop();
    };
    Evaluator evaluator;
    const Experiment experiment = randomHead();
    QVERIFY(!evaluator.evaluate(shared(experiment), Generation{1}, stop.get_token(), options));
    QVERIFY(isFocusExact(*published.back()) && !isFocusExact(*published.front()));
    published.clear();
    stop = std::stop_source();
    const Experiment next = withNumber(experiment, Stage::Q, 300, 0.5);
    QVERIFY(!evaluator.evaluate(shared(next), Generation{2}, stop.get_token(), options));
    QCOMPARE(published.size(), std::size_t(1));
    QVERIFY(isFocusExact(*published.front()));
}

/// The range is known from statistics of rows, which follow the scores: who asks early must not get the range
/// of the first rows for good.
void TestLargeEvaluation::rangeIsThatOfAllRows()
{
    EvaluateOptions options;
    options.focus = {Stage::A, 0, 256, 64};
    options.publish = [](const SnapshotPtr &snapshot) {
        for (const Stage stage : {Stage::Scores, Stage::Scaled, Stage::Masked})
            if (snapshot->stage(stage).hasValues())
                snapshot->stage(stage).values->statistics(0);
    };
    Evaluator evaluator;
    Experiment experiment = randomHead();
    // The greatest score by far stands in the last row.
    experiment = withNumber(experiment, Stage::Q, tokenCount - 1, 50.0);
    const SnapshotPtr complete = evaluator.evaluate(shared(experiment), Generation{1}, {}, options);
    for (const Stage stage : {Stage::Scores, Stage::Scaled, Stage::Masked}) {
        const StageValues &values = *complete->stage(stage).values;
        QVERIFY(values.shape().size() > (Index(1) << 18)); // smaller ones are counted cell by cell
        std::vector<double> cells(static_cast<std::size_t>(values.shape().size()));
        values.readBlock(0, 0, 0, values.rows(), values.cols(), cells.data(), values.cols());
        const auto [least, most] = std::ranges::minmax(cells);
        QVERIFY(std::abs(values.statistics(0).minimum - least) <= 1e-9 * std::abs(least));
        QVERIFY(std::abs(values.statistics(0).maximum - most) <= 1e-9 * std::abs(most));
    }
}

void TestLargeEvaluation::onlyWhatChangesIsUpdating()
{
    const Experiment experiment = randomHead();
    Evaluator evaluator;
    evaluator.evaluate(shared(experiment), Generation{1});
    std::vector<SnapshotPtr> published;
    EvaluateOptions options;
    options.publish = [&published](const SnapshotPtr &snapshot) {
        published.push_back(snapshot);
    };
    // Looking elsewhere makes nothing uncertain.
    options.focus = {Stage::A, 0, 256, 64};
    evaluator.evaluate(shared(experiment), Generation{2}, {}, options);
    QVERIFY(published.front()->isComplete());
    // An edited query leaves all rows but those of its strip as they are.
    published.clear();
    evaluator.evaluate(shared(withNumber(experiment, Stage::Q, 100, 0.5)), Generation{3}, {}, options);
    const StageValues &A = *published.front()->stage(Stage::A).values;
    QVERIFY(!published.front()->isComplete());
    QVERIFY(A.blockStatus(0, 0, 0, 64, tokenCount) == BlockStatus::Exact);
    QVERIFY(A.blockStatus(0, 64, 0, 64, tokenCount) == BlockStatus::Updating);
    QVERIFY(A.blockStatus(0, 128, 0, tokenCount - 128, tokenCount) == BlockStatus::Exact);
    QVERIFY(std::isnan(A.value(0, 100, 0)) && !std::isnan(A.value(0, 20, 0)));
    // An edited value leaves all weights.
    published.clear();
    evaluator.evaluate(shared(withNumber(experiment, Stage::V, 100, 0.5)), Generation{4}, {}, options);
    const Snapshot &first = *published.front();
    QVERIFY(first.stage(Stage::HeadOut).values->blockStatus(0, 0, 0, 64, 8) == BlockStatus::Updating);
}

void TestLargeEvaluation::countsRangesOfBlocks()
{
    Experiment experiment = randomHead();
    Evaluator evaluator;
    for (const double value : {9.0, -9.0, std::nan(""), 1.0}) {
        experiment = withNumber(experiment, Stage::V, 300, value);
        const SnapshotPtr snapshot = evaluator.evaluate(shared(experiment), Generation{1});
        for (const Stage stage : {Stage::V, Stage::HeadOut}) {
            const StageValues &values = *snapshot->stage(stage).values;
            const std::vector<double> cells = cellsOf(values);
            const ValueStatistics counted = values.statistics(0);
            const auto isNan = [](double cell) {
                return std::isnan(cell);
            };
            QCOMPARE(counted.nanCount, static_cast<Index>(std::count_if(cells.begin(), cells.end(), isNan)));
            std::vector<double> finite;
            std::remove_copy_if(cells.begin(), cells.end(), std::back_inserter(finite), isNan);
            QCOMPARE(counted.finiteCount, static_cast<Index>(finite.size()));
            QCOMPARE(counted.minimum, *std::min_element(finite.begin(), finite.end()));
            QCOMPARE(counted.maximum, *std::max_element(finite.begin(), finite.end()));
        }
    }
}

void TestLargeEvaluation::hiddenTilesAreExact_data()
{
    QTest::addColumn<double>("score");
    QTest::newRow("finite") << 0.5;
    QTest::newRow("NaN") << std::nan("");
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
}

void TestLargeEvaluation::hiddenTilesAreExact()
{
    QFETCH(double, score);
    Experiment experiment = withNumber(randomHead(), Stage::Q, 10, score);
    const SnapshotPtr open = Evaluator().evaluate(shared(experiment), Generation{1});
    experiment.causal = true;
    const SnapshotPtr causal = Evaluator().evaluate(shared(experiment), Generation{1});
    const StageValues &scaled = *open->stage(Stage::Scaled).values;
    const StageValues &masked = *causal->stage(Stage::Masked).values;
    const StageValues &A = *causal->stage(Stage::A).values;
    for (Index row = 0; row < tokenCount; row += 5) {
        for (Index key = 0; key < tokenCount; key += 3) {
            const double shown = masked.value(0, row, key);
            const double expected =
                key > row ? -std::numeric_limits<double>::infinity() : scaled.value(0, row, key);
            QVERIFY(shown == expected || (std::isnan(shown) && std::isnan(expected)));
            // In a row that holds a NaN or an infinite score every weight is NaN, the hidden ones too.
            if (key > row)
                QVERIFY(row == 10 && !std::isfinite(score) ? std::isnan(A.value(0, row, key))
                                                           : A.value(0, row, key) == 0.0);
        }
    }
}

void TestLargeEvaluation::manyLeavesAreCombinedInGroups_data()
{
    QTest::addColumn<int>("keys");
    QTest::newRow("ten leaves whose outputs are kept") << 2500;
    QTest::newRow("seventeen leaves whose outputs are not") << 17000;
}

void TestLargeEvaluation::manyLeavesAreCombinedInGroups()
{
    QFETCH(int, keys);
    constexpr Index queries = 100;
    RandomExperiments random(23);
    Experiment experiment =
        oneHead(random.matrix({1, queries, 8}), random.matrix({1, keys, 8}), random.matrix({1, keys, 3}));
    experiment.tokensKv = TokenList(std::vector<std::string>(static_cast<std::size_t>(keys)));
    experiment.scale = 0.05; // so that every key has a weight
    Evaluator evaluator(2);
    const auto edit = [&](int step) {
        const Index key = (keys / 7 * step + 300) % keys;
        if (step == 1)
            return withNumber(experiment, Stage::Q, 70, 2.5);
        if (step == 3)
            return withNumber(experiment, Stage::V, key, std::nan("")); // stays in its column, in all rows
        if (step == 4)
            return withNumber(experiment, Stage::V, keys / 7 * 3 + 300, 1.0);
        return withNumber(experiment, step % 2 == 0 ? Stage::K : Stage::V, key, 0.25 * step);
    };
    for (int step = 0; step < 8; ++step) {
        if (step > 0)
            experiment = edit(step);
        const SnapshotPtr snapshot = evaluator.evaluate(shared(experiment), Generation{1});
        const SnapshotPtr fresh = Evaluator().evaluate(shared(experiment), Generation{1});
        const StageValues &headOut = *snapshot->stage(Stage::HeadOut).values;
        const std::vector<double> cells = cellsOf(headOut);
        const std::vector<double> expected = cellsOf(*fresh->stage(Stage::HeadOut).values);
        QVERIFY(std::memcmp(cells.data(), expected.data(), cells.size() * sizeof(double)) == 0);
        QCOMPARE(std::isnan(headOut.value(0, 5, 2)), step == 3);
        QVERIFY(!std::isnan(headOut.value(0, 5, 1)));
        // The weights of a row, as they are shown, make its output.
        const StageValues &A = *snapshot->stage(Stage::A).values;
        double sum = 0.0;
        double output = 0.0;
        for (Index key = 0; key < keys; ++key) {
            sum += A.value(0, 70, key);
            output += A.value(0, 70, key) * experiment.matrix(Stage::V).at(key, 1);
        }
        QVERIFY(std::abs(sum - 1.0) < 1e-12); // thousands of roundings of 1e-16 each
        QVERIFY(std::abs(headOut.value(0, 70, 1) - output) < 1e-11);
    }
}

void TestLargeEvaluation::mappedNumbersAreReadWhereTheyLie()
{
    const Experiment held = randomHead();
    for (const Index gap : {Index(0), Index(5)}) {
        Experiment mapped = held;
        for (auto &[stage, tensor] : mapped.given)
            tensor = asMapped(tensor, gap);
        Evaluator ofHeld;
        Evaluator ofMapped;
        std::size_t before = 0;
        for (int edit = 0; edit < 4; ++edit) {
            const double value = edit == 2 ? held.matrix(Stage::Q).at(70, 2) : 1.5 * edit;
            const Stage stage = edit == 3 ? Stage::K : Stage::Q;
            const auto change = [&](const Experiment &experiment) {
                return shared(edit == 0 ? experiment : withNumber(experiment, stage, 70, value));
            };
            const SnapshotPtr expected = ofHeld.evaluate(change(held), Generation{1});
            const SnapshotPtr actual = ofMapped.evaluate(change(mapped), Generation{1});
            for (const Stage compared : {Stage::Scores, Stage::A, Stage::HeadOut})
                QVERIFY(cellsOf(*expected->stage(compared).values) ==
                        cellsOf(*actual->stage(compared).values));
            // Ten strips of queries and three blocks each of keys and values need no memory of their own.
            if (edit == 0)
                before = ofHeld.blockBytes() - ofMapped.blockBytes();
        }
        QCOMPARE(before, std::size_t((10 * 64 + 2 * 3 * 256) * 8) * sizeof(double));
    }
}

void TestLargeEvaluation::pinsLeaveTheFileAlone()
{
    Experiment experiment = randomHead();
    const Tensor original = experiment.matrix(Stage::V);
    experiment.given[Stage::V] = asMapped(original, 0);
    Pins pins;
    pins.set({0, 3, 1}, 42.0);
    experiment.pins[Stage::V] = pins;
    const SnapshotPtr snapshot = Evaluator().evaluate(shared(experiment), Generation{1});
    QVERIFY(experiment.matrix(Stage::V).sameBits(original));
    experiment.given[Stage::V] = original;
    const SnapshotPtr expected = Evaluator().evaluate(shared(experiment), Generation{1});
    QVERIFY(cellsOf(*snapshot->stage(Stage::HeadOut).values) ==
            cellsOf(*expected->stage(Stage::HeadOut).values));
}

void TestLargeEvaluation::tellsWhatATokenEditReads()
{
    Experiment experiment = randomHead();
    QCOMPARE(bytesReadByTokenEdit(experiment, TokenSide::Query), 0.0);
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V})
        experiment.given[stage] = asMapped(experiment.matrix(stage), 0);
    const double matrix = tokenCount * 8 * sizeof(double);
    QCOMPARE(bytesReadByTokenEdit(experiment, TokenSide::Query), 3 * matrix);
    const Result<EditOutcome> shorter = applyEdit(experiment, DeleteToken{TokenSide::Query, 5});
    QVERIFY(shorter);
    QVERIFY(!shorter->experiment.matrix(Stage::Q).mapping());
    QCOMPARE(bytesReadByTokenEdit(shorter->experiment, TokenSide::Query), 0.0);
    // With a list of their own the keys move by themselves.
    experiment.tokensKv = experiment.tokens;
    QCOMPARE(bytesReadByTokenEdit(experiment, TokenSide::Query), matrix);
    QCOMPARE(bytesReadByTokenEdit(experiment, TokenSide::KeyValue), 2 * matrix);
}

QTEST_APPLESS_MAIN(TestLargeEvaluation)
#include "tst_LargeEvaluation.moc"
