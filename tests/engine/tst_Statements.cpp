#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"
#include "support/RandomExperiment.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

/// Attention from X with weights, no mask, no rotary, nothing set by hand.
Experiment plainAttention(RandomExperiments &random, Index tokens, Index heads, Index headWidth)
{
    Experiment experiment;
    std::vector<std::string> labels;
    for (Index token = 0; token < tokens; ++token)
        labels.push_back("t" + std::to_string(token));
    experiment.tokens = TokenList(labels);
    experiment.nHeads = experiment.nKvHeads = heads;
    constexpr Index modelWidth = 5;
    const Index width = heads * headWidth;
    experiment.given = {{Stage::X, random.matrix({1, tokens, modelWidth})},
                        {Stage::Wq, random.matrix({1, modelWidth, width})},
                        {Stage::Wk, random.matrix({1, modelWidth, width})},
                        {Stage::Wv, random.matrix({1, modelWidth, width})},
                        {Stage::Wo, random.matrix({1, width, modelWidth})}};
    return experiment;
}

SnapshotPtr computed(const Experiment &experiment)
{
    return evaluated(std::make_shared<const Experiment>(experiment));
}

} // namespace

/// What a reader is told of attention, that no other test of the engine states by itself.
class TestStatements : public QObject
{
    Q_OBJECT

private slots:
    void scoresAreTokensByTokensWhateverTheWidth_data();
    void scoresAreTokensByTokensWhateverTheWidth();
    void theFirstRowBehindACausalMaskIsItsOwnValue();
    void headsAddUpThroughTheirRowsOfTheOutputWeight();
    void permutedTokensPermuteTheOutput();
};

void TestStatements::scoresAreTokensByTokensWhateverTheWidth_data()
{
    QTest::addColumn<Index>("width");
    for (const Index width : {1, 2, 3, 8, 64})
        QTest::newRow(qPrintable(QStringLiteral("d_k = %1").arg(width))) << width;
}

void TestStatements::scoresAreTokensByTokensWhateverTheWidth()
{
    QFETCH(Index, width);
    RandomExperiments random(5);
    for (const Index tokens : {1, 4, 9}) {
        const SnapshotPtr snapshot = computed(plainAttention(random, tokens, 2, width));
        QCOMPARE(snapshot->stage(Stage::Scores).values->shape(), (Shape{2, tokens, tokens}));
        QCOMPARE(snapshot->stage(Stage::HeadOut).values->shape(), (Shape{2, tokens, width}));
        QCOMPARE(snapshot->stage(Stage::Output).values->shape(), snapshot->stage(Stage::X).values->shape());
    }
}

void TestStatements::theFirstRowBehindACausalMaskIsItsOwnValue()
{
    RandomExperiments random(6);
    for (int i = 0; i < 20; ++i) {
        Experiment experiment = plainAttention(random, random.between(1, 9), 2, 3);
        experiment.causal = true;
        const SnapshotPtr snapshot = computed(experiment);
        const StageValues &concat = *snapshot->stage(Stage::Concat).values;
        const StageValues &V = *snapshot->stage(Stage::V).values;
        for (Index col = 0; col < V.cols(); ++col)
            QCOMPARE(concat.value(0, 0, col), V.value(0, 0, col)); // exactly: the weight is exactly 1
    }
}

void TestStatements::headsAddUpThroughTheirRowsOfTheOutputWeight()
{
    RandomExperiments random(7);
    for (int i = 0; i < 20; ++i) {
        const SnapshotPtr snapshot = computed(plainAttention(random, random.between(1, 9), 3, 2));
        const StageValues &heads = *snapshot->stage(Stage::HeadOut).values;
        const StageValues &Wo = *snapshot->stage(Stage::Wo).values;
        const StageValues &output = *snapshot->stage(Stage::Output).values;
        for (Index row = 0; row < output.rows(); ++row) {
            for (Index col = 0; col < output.cols(); ++col) {
                double sum = 0.0;
                for (Index head = 0; head < heads.heads(); ++head) {
                    double own = 0.0;
                    for (Index c = 0; c < heads.cols(); ++c)
                        own += heads.value(head, row, c) * Wo.value(0, head * heads.cols() + c, col);
                    const double contribution =
                        snapshot->stage(Stage::HeadContribution).values->value(head, row, col);
                    QVERIFY(std::abs(contribution - own) < 1e-12);
                    sum += own;
                }
                QVERIFY(std::abs(sum - output.value(0, row, col)) < 1e-12);
            }
        }
    }
}

void TestStatements::permutedTokensPermuteTheOutput()
{
    RandomExperiments random(8);
    for (int i = 0; i < 20; ++i) {
        const Index tokens = random.between(2, 9);
        const Experiment experiment = plainAttention(random, tokens, 2, 3);
        std::vector<Index> order(static_cast<std::size_t>(tokens));
        std::iota(order.begin(), order.end(), Index(0));
        for (Index place = tokens - 1; place > 0; --place)
            std::swap(order[static_cast<std::size_t>(place)],
                      order[static_cast<std::size_t>(random.between(0, place))]);
        const Tensor &X = experiment.matrix(Stage::X);
        std::vector<double> rows(static_cast<std::size_t>(tokens * X.cols()));
        for (Index row = 0; row < tokens; ++row)
            X.copyRows(0, order[static_cast<std::size_t>(row)], 1, rows.data() + row * X.cols());
        Experiment permuted = experiment;
        permuted.given[Stage::X] = Tensor::fromDoubles(X.shape(), rows);
        const StageValuesPtr before = computed(experiment)->stage(Stage::Output).values;
        const StageValuesPtr after = computed(permuted)->stage(Stage::Output).values;
        // Sums over keys run in another order: rounding.
        for (Index row = 0; row < tokens; ++row)
            for (Index col = 0; col < before->cols(); ++col)
                QVERIFY(std::abs(after->value(0, row, col) -
                                 before->value(0, order[static_cast<std::size_t>(row)], col)) < 1e-12);
    }
}

QTEST_APPLESS_MAIN(TestStatements)
#include "tst_Statements.moc"
