#include "engine/Evaluator.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

/// Rows [first, first + rows) and the first `cols` columns of each head.
Tensor part(const Tensor &tensor, Index first, Index rows, Index cols)
{
    std::vector<double> numbers;
    for (Index head = 0; head < tensor.heads(); ++head)
        for (Index row = first; row < first + rows; ++row)
            for (Index col = 0; col < cols; ++col)
                numbers.push_back(tensor.at(head, row, col));
    return Tensor::fromDoubles({tensor.heads(), rows, cols}, numbers);
}

TokenList labels(const TokenList &tokens, Index first, Index count)
{
    const auto begin = tokens.labels().begin() + first;
    return TokenList(std::vector<std::string>(begin, begin + count));
}

/// The step in which tokens [done, done + count) are new and those before are cached.
ExperimentPtr decodeStep(const Experiment &whole, Index done, Index count)
{
    const Index nK = done + count;
    Experiment step = whole;
    const Tensor &X = whole.matrix(Stage::X);
    step.tokens = labels(whole.tokens, done, count);
    step.tokensKv = labels(whole.tokens, 0, nK);
    step.given[Stage::X] = part(X, done, count, X.cols());
    step.given[Stage::Xkv] = part(X, 0, nK, X.cols());
    step.qOffset = done;
    for (const Stage mask : {Stage::MaskBool, Stage::MaskAdd})
        if (whole.isGiven(mask))
            step.given[mask] = part(whole.matrix(mask), done, count, nK);
    if (whole.isGiven(Stage::MaskPadding))
        step.given[Stage::MaskPadding] = part(whole.matrix(Stage::MaskPadding), 0, 1, nK);
    return std::make_shared<const Experiment>(std::move(step));
}

void addRows(const QString &kind)
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(kind))
        QTest::newRow(qPrintable(name)) << name;
}

Tensor headOf(const StageValues &values, Index head)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.rows() * values.cols()));
    values.readBlock(head, 0, 0, values.rows(), values.cols(), numbers.data(), values.cols());
    return Tensor::fromDoubles({1, values.rows(), values.cols()}, numbers);
}

} // namespace

/// The golden files that run the whole pass in another way.
class TestGoldenSpecial : public QObject
{
    Q_OBJECT

private slots:
    void kvCache_data() { addRows(QStringLiteral("kv_cache")); }
    void kvCache();
    void headsEquivalence_data() { addRows(QStringLiteral("heads_equivalence")); }
    void headsEquivalence();
    void stackedLayers_data() { addRows(QStringLiteral("rollout")); }
    void stackedLayers();
    void notFinite_data();
    void notFinite();
};

void TestGoldenSpecial::kvCache()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const ExperimentPtr whole = goldenExperiment(golden["state"]);
    QVERIFY(whole);
    QCOMPARE(stagesDifference(*evaluated(whole), golden["full"], 1e-12), QString());
    Evaluator evaluator;
    for (const Json &step : golden["steps"].toArray()) {
        const Index done = step["q_offset"].toInteger();
        const SnapshotPtr snapshot =
            evaluator.evaluate(decodeStep(*whole, done, step["new_tokens"].toInteger()),
                               Generation{static_cast<quint64>(done + 1)});
        QCOMPARE(snapshot->problem(), std::string());
        const Stage cachedKeys = whole->rotary ? Stage::Kr : Stage::Kh;
        COMPARE_MATRIX(*snapshot->stage(cachedKeys).values, goldenTensor(step["K_cache"]), 1e-12);
        COMPARE_MATRIX(*snapshot->stage(Stage::Vh).values, goldenTensor(step["V_cache"]), 1e-12);
        for (const Stage stage : {Stage::Masked, Stage::A, Stage::FullyMasked, Stage::Concat, Stage::Output})
            COMPARE_MATRIX(*snapshot->stage(stage).values, goldenTensor(step[stageName(stage)]), 1e-12);
    }
}

void TestGoldenSpecial::headsEquivalence()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const ExperimentPtr experiment = goldenExperiment(golden["state"]);
    QVERIFY(experiment);
    const SnapshotPtr snapshot = evaluated(experiment);
    COMPARE_MATRIX(*snapshot->stage(Stage::Output).values, goldenTensor(golden["output"]), 1e-12);
    COMPARE_MATRIX(*snapshot->stage(Stage::HeadContribution).values,
                   goldenTensor(golden["head_contribution"]), 1e-12);
    for (std::size_t head = 0; head < golden["per_head"].toArray().size(); ++head) {
        const Json &expected = golden["per_head"].toArray()[head];
        const auto index = static_cast<Index>(head);
        const Index kvHead = golden["kv_head_of"].toArray()[head].toInteger();
        const auto compare = [&](Stage stage, Index from, const char *key) {
            return matrixDifference(headOf(*snapshot->stage(stage).values, from).toDoubles(),
                                    goldenTensor(expected[key]).toDoubles(), 1e-12);
        };
        QCOMPARE(compare(Stage::Qh, index, "Q"), QString());
        QCOMPARE(compare(Stage::Kh, kvHead, "K"), QString());
        QCOMPARE(compare(Stage::Vh, kvHead, "V"), QString());
        QCOMPARE(compare(Stage::A, index, "A"), QString());
        QCOMPARE(compare(Stage::HeadOut, index, "head_out"), QString());
    }
}

void TestGoldenSpecial::stackedLayers()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    Tensor previousOutput;
    for (std::size_t layer = 0; layer < golden["layers"].toArray().size(); ++layer) {
        const ExperimentPtr experiment = goldenExperiment(golden["layers"].toArray()[layer]);
        QVERIFY(experiment);
        const SnapshotPtr snapshot = evaluated(experiment);
        COMPARE_MATRIX(*snapshot->stage(Stage::A).values, goldenTensor(golden["A"].toArray()[layer]), 1e-12);
        COMPARE_MATRIX(*snapshot->stage(Stage::Output).values,
                       goldenTensor(golden["outputs"].toArray()[layer]), 1e-12);
        if (!previousOutput.isNull() && !golden["residual_between_layers"].toBool())
            COMPARE_MATRIX(*snapshot->stage(Stage::X).values, previousOutput, 1e-12);
        previousOutput = headOf(*snapshot->stage(Stage::Output).values, 0);
    }
}

void TestGoldenSpecial::notFinite_data()
{
    QTest::addColumn<int>("index");
    const Json golden = readGolden(QStringLiteral("not_finite"));
    for (std::size_t i = 0; i < golden["cases"].toArray().size(); ++i)
        QTest::newRow(golden["cases"].toArray()[i]["title"].toString().c_str()) << static_cast<int>(i);
}

void TestGoldenSpecial::notFinite()
{
    QFETCH(int, index);
    const Json golden = readGolden(QStringLiteral("not_finite"));
    const Json &entry = golden["cases"].toArray()[static_cast<std::size_t>(index)];
    for (const auto &[precision, tolerance] :
         {std::pair(Precision::Float64, 1e-12), std::pair(Precision::Float32, 1e-5)}) {
        const ExperimentPtr experiment = goldenExperiment(entry["state"], precision);
        QVERIFY(experiment);
        QCOMPARE(stagesDifference(*evaluated(experiment), entry["stages"], tolerance), QString());
    }
}

QTEST_APPLESS_MAIN(TestGoldenSpecial)
#include "tst_GoldenSpecial.moc"
