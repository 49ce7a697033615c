#include "io/Examples.h"

#include "engine/Evaluator.h"
#include "io/StateJson.h"
#include "io/TensorFile.h"
#include "support/JsonCompare.h"
#include "support/MatrixCompare.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestExamples : public QObject
{
    Q_OBJECT

private slots:
    void computedComesFirst();
    void everyExampleLoadsAndEvaluates_data();
    void everyExampleLoadsAndEvaluates();
    void statesEqualTheGoldenOnes_data();
    void statesEqualTheGoldenOnes();
    void printedExamplesKnowTheirDecimals();
    void causalByHandIsTheHandSetMatrixRenormalised();
    void fourSizesDiffer();
    void trainedLayerKeepsFloat32AndItsLicence();
    void unknownNamesAreRefused();
};

namespace {

Experiment exampleExperiment(const QString &name)
{
    Result<DocumentFileData> data = loadExample(name);
    if (!data)
        qFatal("%s", data.error().message.c_str());
    return data->experiment;
}

SnapshotPtr evaluated(const Experiment &experiment)
{
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(experiment), Generation{1});
}

} // namespace

void TestExamples::computedComesFirst()
{
    QCOMPARE(QString::fromLatin1(examples().front().name), u"computed"_s);
    std::set<std::string> names;
    for (const ExampleInfo &info : examples())
        names.insert(info.name);
    QCOMPARE(names.size(), examples().size());
}

void TestExamples::everyExampleLoadsAndEvaluates_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("title");
    for (const ExampleInfo &info : examples())
        QTest::newRow(info.name) << QString::fromLatin1(info.name) << QString::fromUtf8(info.title);
}

void TestExamples::everyExampleLoadsAndEvaluates()
{
    QFETCH(QString, name);
    QFETCH(QString, title);
    const Result<DocumentFileData> data = loadExample(name);
    QVERIFY2(data.ok(), data.ok() ? "" : data.error().message.c_str());
    QCOMPARE(data->title, title);
    QVERIFY(!data->experiment.notes.empty());
    const Result<void> valid = validate(data->experiment);
    QVERIFY2(valid.ok(), valid.ok() ? "" : valid.error().message.c_str());

    const SnapshotPtr snapshot = evaluated(data->experiment);
    QCOMPARE(snapshot->problem(), std::string());
    for (const Stage stage :
         {Stage::Q, Stage::K, Stage::V, Stage::Scores, Stage::Scaled, Stage::A, Stage::Output}) {
        const StageState &state = snapshot->stage(stage);
        QVERIFY2(state.hasValues(), stageName(stage));
        const ValueStatistics statistics = state.values->statistics(-1);
        QVERIFY(statistics.finiteCount > 0 && statistics.nanCount == 0 && statistics.plusInfCount == 0);
    }
    QVERIFY(sameContent(parseDocument(documentBytes(*data), name)->experiment, data->experiment));
}

void TestExamples::statesEqualTheGoldenOnes_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("golden");
    QTest::newRow("computed") << u"computed"_s << u"seed_a_computed"_s;
    QTest::newRow("as printed") << u"as-printed"_s << u"seed_g_as_printed"_s;
    QTest::newRow("as printed, two heads") << u"as-printed-two-heads"_s << u"seed_g2_as_printed_two_heads"_s;
    QTest::newRow("by hand") << u"by-hand"_s << u"seed_c_attention_pinned"_s;
    QTest::newRow("cross") << u"cross"_s << u"seed_f_cross_attention"_s;
}

void TestExamples::statesEqualTheGoldenOnes()
{
    QFETCH(QString, name);
    QFETCH(QString, golden);
    const QString difference = jsonDifference(stateToJson(exampleExperiment(name)),
                                              readTestJson(u"golden/%1.json"_s.arg(golden))["state"]);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestExamples::printedExamplesKnowTheirDecimals()
{
    const Experiment printed = exampleExperiment(u"as-printed"_s);
    QCOMPARE(printed.decimals.at(Stage::Scaled), 3);
    QCOMPARE(printed.decimals.at(Stage::X), 1);
    const auto sum =
        std::find_if(printed.printedFacts.begin(), printed.printedFacts.end(), [](const PrintedFact &fact) {
            return fact.name == "row love: sum of the exponentials";
        });
    QVERIFY(sum != printed.printedFacts.end());
    QCOMPARE(sum->values, std::vector<double>{5.517});
    QCOMPARE(sum->decimals, 3);
    QVERIFY(exampleExperiment(u"computed"_s).decimals.empty());
}

void TestExamples::causalByHandIsTheHandSetMatrixRenormalised()
{
    const SnapshotPtr snapshot = evaluated(exampleExperiment(u"causal-by-hand"_s));
    const StageValues &A = *snapshot->stage(Stage::A).values;
    // Row love of the matrix set by hand is 0.25 0.15 0.10 0.50; the past holds 0.40 of it.
    QVERIFY(std::abs(A.value(0, 1, 0) - 0.625) < 1e-12);
    QVERIFY(std::abs(A.value(0, 1, 1) - 0.375) < 1e-12);
    QCOMPARE(A.value(0, 1, 2), 0.0);
    QCOMPARE(A.value(0, 0, 0), 1.0);
}

void TestExamples::fourSizesDiffer()
{
    const Sizes sizes = sizesOf(exampleExperiment(u"four-sizes"_s));
    const std::set<Index> lengths = {sizes.nQ, sizes.dModel, sizes.dHeadK, sizes.dHeadV};
    QCOMPARE(lengths.size(), std::size_t(4));
}

void TestExamples::trainedLayerKeepsFloat32AndItsLicence()
{
    const Experiment experiment = exampleExperiment(u"trained-stories"_s);
    QVERIFY(experiment.matrix(Stage::Wq).storage() == Tensor::Storage::Float32);
    QCOMPARE(experiment.nHeads, Index(8));
    QCOMPARE(experiment.nKvHeads, Index(4));
    QVERIFY(experiment.causal && experiment.rotary &&
            experiment.rotary->pairing == Rotary::Pairing::Interleaved);
    QCOMPARE(experiment.tokens.at(1), std::string(" Once"));
    QVERIFY(experiment.notes.find("Permission is hereby granted") != std::string::npos);

    const auto record =
        openTensorFile(QStringLiteral(ATTN_TEST_DATA "/records/stories260K/lily-L2.safetensors"));
    QVERIFY2(record.ok(), record.ok() ? "" : record.error().message.c_str());
    const auto expected = [&](const char *name) {
        const Result<FileTensor> tensor = (*record)->load((*record)->find(name).value());
        std::vector<double> numbers;
        for (std::int64_t i = 0; i < tensor->size(); ++i)
            numbers.push_back(tensor->number(i));
        return numbers;
    };
    // The tolerance of the record's README.
    const SnapshotPtr snapshot = evaluated(experiment);
    COMPARE_MATRIX(*snapshot->stage(Stage::A).values, Tensor::fromDoubles({8, 16, 16}, expected("A")), 1e-5);
    COMPARE_MATRIX(*snapshot->stage(Stage::Output).values, Tensor::fromDoubles({1, 16, 64}, expected("out")),
                   1e-5);
}

void TestExamples::unknownNamesAreRefused()
{
    const Result<DocumentFileData> data = loadExample(u"../computed"_s);
    QVERIFY(!data.ok());
    QCOMPARE(data.error().code, ErrorCode::NotFound);
    QVERIFY(data.error().message.starts_with(
        "example:../computed: there is no such example; there are computed, "));
}

QTEST_APPLESS_MAIN(TestExamples)
#include "tst_Examples.moc"
