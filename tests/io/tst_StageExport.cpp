#include "io/StageExport.h"

#include "engine/Evaluator.h"
#include "io/DocumentFile.h"
#include "io/Examples.h"
#include "io/ExportMetadata.h"
#include "io/Import.h"
#include "io/StateJson.h"
#include "io/TensorFile.h"
#include "support/JsonCompare.h"

#include <QDir>
#include <QLocale>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cstdint>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestStageExport : public QObject
{
    Q_OBJECT

private slots:
    void formatsAreToldByTheEnding();
    void tensorsComeBackExactly_data();
    void tensorsComeBackExactly();
    void float32StaysFloat32();
    void metadataDescribesTheExperiment_data();
    void metadataDescribesTheExperiment();
    void masksGoAlong();
    void jsonHasTheGoldenForm();
    void csvHasLabels();
    void csvOfDigitTokensKeepsThem();
    void folderHasOneFilePerMatrix();
    void refusals();
    void exportsReopenWithoutAQuestion_data();
    void exportsReopenWithoutAQuestion();
    void numpyReadsTheFiles();
    void goldenStagesAndMetrics_data();
    void goldenStagesAndMetrics();
};

namespace {

SnapshotPtr snapshotOf(const Experiment &experiment)
{
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(experiment), Generation{1});
}

Experiment exampleOf(const QString &name)
{
    return loadExample(name)->experiment;
}

const std::vector<Stage> someStages = {Stage::X, Stage::Q,       Stage::Scores,      Stage::Masked, Stage::A,
                                       Stage::V, Stage::Allowed, Stage::FullyMasked, Stage::Output};

/// Writes the file and opens it with the program's own readers.
std::unique_ptr<TensorFile> reopened(const QTemporaryDir &folder, const QString &name,
                                     const QByteArray &bytes)
{
    const QString path = folder.filePath(name);
    if (!writeFileAtomically(path, bytes))
        qFatal("cannot write %s", qPrintable(path));
    auto file = openTensorFile(path);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return std::move(*file);
}

bool sameNumbers(const FileTensor &tensor, const StageValues &values)
{
    const Shape shape = values.shape();
    if (tensor.size() != shape.size())
        return false;
    std::int64_t next = 0;
    for (Index head = 0; head < shape.heads; ++head)
        for (Index row = 0; row < shape.rows; ++row)
            for (Index col = 0; col < shape.cols; ++col)
                if (std::bit_cast<std::uint64_t>(tensor.number(next++)) !=
                    std::bit_cast<std::uint64_t>(values.value(head, row, col)))
                    return false;
    return true;
}

FileTensor loaded(const TensorFile &file, std::string_view name)
{
    const auto index = file.find(name);
    if (!index)
        qFatal("no tensor %s", std::string(name).c_str());
    return *file.load(*index);
}

std::string metadataText(const TensorFile &file)
{
    const auto entry = file.metadata.find(exportMetadataKey);
    if (entry != file.metadata.end())
        return entry->second;
    const FileTensor tensor = loaded(file, exportMetadataMember);
    return std::get<std::vector<std::string>>(tensor.data).front();
}

} // namespace

void TestStageExport::formatsAreToldByTheEnding()
{
    QVERIFY(*dataFormatFromSuffix(u"a/b.NPZ"_s) == DataFormat::Npz);
    QVERIFY(*dataFormatFromSuffix(u"x.safetensors"_s) == DataFormat::Safetensors);
    QVERIFY(!dataFormatFromSuffix(u"x.txt"_s).ok());
    QVERIFY(!dataFormatFromSuffix(u"npz"_s).ok());
}

void TestStageExport::tensorsComeBackExactly_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("suffix");
    for (const QString &example : {u"computed"_s, u"causal"_s, u"cross-two-heads"_s, u"trained-stories"_s})
        for (const QString &suffix : {u"npz"_s, u"safetensors"_s})
            QTest::addRow("%s as %s", qPrintable(example), qPrintable(suffix)) << example << suffix;
}

void TestStageExport::tensorsComeBackExactly()
{
    QFETCH(QString, example);
    QFETCH(QString, suffix);
    const SnapshotPtr snapshot = snapshotOf(exampleOf(example));
    const auto bytes = stagesAsFile(*snapshot, someStages, *dataFormatFromSuffix(u"x."_s + suffix));
    QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().message.c_str());
    const QTemporaryDir folder;
    const auto file = reopened(folder, u"stages."_s + suffix, *bytes);
    for (const Stage stage : someStages) {
        const FileTensor tensor = loaded(*file, stageName(stage));
        QVERIFY2(sameNumbers(tensor, *snapshot->stage(stage).values), stageName(stage));
        const bool isFlag = stage == Stage::Allowed || stage == Stage::FullyMasked;
        QCOMPARE(tensor.dtype == Dtype::Bool, isFlag);
    }
    QCOMPARE(loaded(*file, "A").shape.size(), std::size_t(3));
    QCOMPARE(loaded(*file, "fully_masked").shape.size(), std::size_t(2));
}

void TestStageExport::float32StaysFloat32()
{
    Experiment experiment = exampleOf(u"computed"_s);
    experiment.precision = Precision::Float32;
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const QTemporaryDir folder;
    const auto file = reopened(folder, u"A.npy"_s, *stagesAsFile(*snapshot, {Stage::A}, DataFormat::Npy));
    const FileTensor tensor = *file->load(0);
    QVERIFY(tensor.dtype == Dtype::F32);
    QVERIFY(sameNumbers(tensor, *snapshot->stage(Stage::A).values));
}

void TestStageExport::metadataDescribesTheExperiment_data()
{
    QTest::addColumn<QString>("suffix");
    QTest::newRow("npz") << u"npz"_s;
    QTest::newRow("safetensors") << u"safetensors"_s;
}

void TestStageExport::metadataDescribesTheExperiment()
{
    QFETCH(QString, suffix);
    Experiment experiment = exampleOf(u"trained-stories"_s);
    experiment.scale = 0.3;
    experiment.qOffset = 2;
    experiment.window = Window{Index(4), std::nullopt};
    experiment.precision = Precision::Float32;
    experiment.decimals = {{Stage::A, 3}};
    Pins pins;
    pins.set({7, 2, 1}, 0.5);
    experiment.pins[Stage::A] = pins;
    const QTemporaryDir folder;
    const auto file =
        reopened(folder, u"x."_s + suffix,
                 *stagesAsFile(*snapshotOf(experiment), {Stage::A}, *dataFormatFromSuffix(u"x."_s + suffix)));
    const Result<Experiment> back = experimentFromMetadata(metadataText(*file));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QVERIFY(back->given.empty());
    QCOMPARE(back->statedDHeadK, Index(8));
    Experiment expected = experiment;
    expected.given.clear();
    expected.notes.clear();
    expected.statedDHeadK = 8;
    expected.statedDHeadV = 8;
    QVERIFY(sameContent(*back, expected));
}

void TestStageExport::masksGoAlong()
{
    Experiment experiment = exampleOf(u"computed"_s);
    experiment.given[Stage::MaskBool] =
        Tensor::filled({1, 4, 4}, 1.0).withCells(std::vector<CellValue>{{{0, 1, 2}, 0.0}});
    experiment.given[Stage::MaskPadding] = Tensor::filled({1, 1, 4}, 1.0);
    const SnapshotPtr snapshot = snapshotOf(experiment);
    const QTemporaryDir folder;
    const auto file = reopened(folder, u"x.npz"_s, *stagesAsFile(*snapshot, {Stage::A}, DataFormat::Npz));
    const FileTensor mask = loaded(*file, "mask.bool");
    QVERIFY(mask.dtype == Dtype::Bool);
    QCOMPARE(mask.shape, (std::vector<std::int64_t>{4, 4}));
    QCOMPARE(mask.number(6), 0.0);
    QCOMPARE(loaded(*file, "mask.key_padding").shape, std::vector<std::int64_t>{4});
}

void TestStageExport::jsonHasTheGoldenForm()
{
    const Experiment experiment = exampleOf(u"as-printed-two-heads"_s);
    const auto bytes =
        stagesAsFile(*snapshotOf(experiment), {Stage::X, Stage::A, Stage::Output}, DataFormat::Json);
    QVERIFY(bytes.ok());
    const Json json = parseJson(*bytes)->value;
    QCOMPARE(json["format"].toString(), std::string("attention-golden"));
    QCOMPARE(json["version"].toInteger(), std::int64_t(1));
    QCOMPARE(json["stages"].toObject().size(), std::size_t(2));
    const Json golden = readTestJson(u"golden/seed_g2_as_printed_two_heads.json"_s);
    QCOMPARE(jsonDifference(json["state"], golden["state"]), QString());
    QCOMPARE(jsonDifference(json["stages"]["A"], golden["stages"]["A"]), QString());
}

void TestStageExport::csvHasLabels()
{
    const SnapshotPtr snapshot = snapshotOf(exampleOf(u"by-hand"_s));
    const QByteArray table = *stagesAsFile(*snapshot, {Stage::A}, DataFormat::Csv);
    QVERIFY2(table.startsWith("query\\key,I,love,GPU,prog\nI,0.6,0.15,0.1,0.15\n"), table.constData());
    QVERIFY(stagesAsFile(*snapshot, {Stage::X}, DataFormat::Csv)
                ->startsWith("query\\feature,f1,f2,f3,f4,f5,f6\nI,1,0.2,"));
    QVERIFY(stagesAsFile(*snapshot, {Stage::Wq}, DataFormat::Csv)->startsWith("0.1,0.2,0,0.3,0.1,0.2\n"));
}

void TestStageExport::csvOfDigitTokensKeepsThem()
{
    Experiment experiment = exampleOf(u"computed"_s);
    experiment.tokens = TokenList({"2", "0", "1", "a,\"b\"\n"});
    const QTemporaryDir folder;
    const auto file =
        reopened(folder, u"A.csv"_s, *stagesAsFile(*snapshotOf(experiment), {Stage::A}, DataFormat::Csv));
    QCOMPARE(file->rowLabels, experiment.tokens.labels());
    QCOMPARE(file->colLabels, experiment.tokens.labels());
    QVERIFY(sameNumbers(*file->load(0), *snapshotOf(experiment)->stage(Stage::A).values));
}

void TestStageExport::folderHasOneFilePerMatrix()
{
    const SnapshotPtr snapshot = snapshotOf(exampleOf(u"two-heads"_s));
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"new/folder"_s);
    QVERIFY(writeStagesToFolder(*snapshot, {Stage::A, Stage::Q}, DataFormat::Csv, path).ok());
    QCOMPARE(QDir(path).entryList(QDir::Files), (QStringList{u"A-h0.csv"_s, u"A-h1.csv"_s, u"Q.csv"_s}));
    QVERIFY(writeStagesToFolder(*snapshot, {Stage::A, Stage::Q}, DataFormat::Npy, path).ok());
    QCOMPARE(QDir(path).entryList({u"*.npy"_s}, QDir::Files), (QStringList{u"A.npy"_s, u"Q.npy"_s}));
    const auto file = openTensorFile(path + u"/A-h1.csv"_s);
    QVERIFY(file.ok());
    QCOMPARE((*file)->load(0)->number(5), snapshot->stage(Stage::A).values->value(1, 1, 1));
    const Result<void> failed =
        writeStagesToFolder(*snapshot, {Stage::A}, DataFormat::Npy, path + u"/A.npy"_s);
    QVERIFY(!failed.ok());
}

void TestStageExport::refusals()
{
    const SnapshotPtr snapshot = snapshotOf(exampleOf(u"two-heads"_s));
    QCOMPARE(stagesAsFile(*snapshot, {Stage::A, Stage::Q}, DataFormat::Npy).error().code, ErrorCode::Usage);
    QCOMPARE(stagesAsFile(*snapshot, {}, DataFormat::Npz).error().code, ErrorCode::Usage);
    QCOMPARE(stagesAsFile(*snapshot, {Stage::A}, DataFormat::Csv).error().message,
             std::string("csv holds one matrix, A has 2; write into a folder"));
    QCOMPARE(stagesAsFile(*snapshot, {Stage::Qr}, DataFormat::Npz).error().message,
             std::string("Qr is not part of this experiment"));
}

void TestStageExport::exportsReopenWithoutAQuestion_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("suffix");
    for (const ExampleInfo &info : examples())
        for (const char *suffix : {"npz", "safetensors", "json"})
            QTest::addRow("%s as %s", info.name, suffix)
                << QString::fromLatin1(info.name) << QString::fromLatin1(suffix);
}

/// Every stage goes out; what comes back computes the same numbers, bit for bit.
void TestStageExport::exportsReopenWithoutAQuestion()
{
    QFETCH(QString, example);
    QFETCH(QString, suffix);
    const SnapshotPtr snapshot = snapshotOf(exampleOf(example));
    std::vector<Stage> stages;
    for (const StageInfo &info : stageTable())
        if (snapshot->stage(info.stage).hasValues())
            stages.push_back(info.stage);
    const QTemporaryDir folder;
    const auto file = reopened(folder, u"all."_s + suffix,
                               *stagesAsFile(*snapshot, stages, *dataFormatFromSuffix(u"x."_s + suffix)));
    const Result<ImportPlan> plan = guessImport(*file);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    QVERIFY2(plan->questions.empty(), plan->questions.empty() ? "" : plan->questions.front().c_str());
    const Result<ImportResult> imported = importExperiment(*file, *plan);
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().message.c_str());
    const SnapshotPtr again = snapshotOf(imported->experiment);
    QCOMPARE(again->experiment().tokens.labels(), snapshot->experiment().tokens.labels());
    for (const Stage stage : stages) {
        QVERIFY2(again->stage(stage).hasValues(), stageName(stage));
        const FileTensor tensor = [&] {
            FileTensor numbers{"", Dtype::F64, {again->stage(stage).values->shape().size()}, {}, {}};
            std::vector<double> values;
            const StageValues &found = *again->stage(stage).values;
            for (Index head = 0; head < found.heads(); ++head)
                for (Index row = 0; row < found.rows(); ++row)
                    for (Index col = 0; col < found.cols(); ++col)
                        values.push_back(found.value(head, row, col));
            numbers.data = std::move(values);
            return numbers;
        }();
        QVERIFY2(sameNumbers(tensor, *snapshot->stage(stage).values), stageName(stage));
    }
}

void TestStageExport::numpyReadsTheFiles()
{
    const QString python = QStandardPaths::findExecutable(u"python3"_s, {u"/usr/bin"_s});
    const auto run = [&](const QStringList &arguments) {
        QProcess process;
        process.start(python, arguments);
        process.waitForFinished(60000);
        return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
    };
    if (python.isEmpty() || run({u"-c"_s, u"import numpy; print(1)"_s}).isEmpty())
        QSKIP("numpy is not installed");
    const QTemporaryDir folder;
    const SnapshotPtr snapshot = snapshotOf(exampleOf(u"causal"_s));
    const QString path = folder.filePath(u"x.npz"_s);
    QVERIFY(writeFileAtomically(path, *stagesAsFile(*snapshot, someStages, DataFormat::Npz)).ok());
    const QByteArray answer =
        run({u"-c"_s,
             u"import sys, json, numpy as np\n"
             "f = np.load(sys.argv[1])\n"
             "m = json.loads(f['attnscope_metadata'].item())\n"
             "print(f['A'].shape, f['A'].dtype, f['allowed'].dtype, f['fully_masked'].shape,\n"
             "      m['state']['tokens'][1], repr(float(f['A'][0, 1, 0])), sorted(f)[:3])\n"_s,
             path});
    const QByteArray expected = "(1, 4, 4) float64 bool (1, 4) love " +
                                QByteArray::number(snapshot->stage(Stage::A).values->value(0, 1, 0), 'g',
                                                   QLocale::FloatingPointShortest) +
                                " ['A', 'Q', 'V']";
    QCOMPARE(answer.trimmed(), expected);
}

void TestStageExport::goldenStagesAndMetrics_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name :
         {"seed_a_computed", "seed_d2_two_heads_attention_pinned", "random_009_grouped_query_rope_half",
          "random_022_additive", "random_045_everything", "bias_07_causal_dead_row", "given_03_scores",
          "given_06_attention", "given_08_cross_rectangular"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void TestStageExport::goldenStagesAndMetrics()
{
    QFETCH(QString, name);
    const Json golden = readTestJson(u"golden/%1.json"_s.arg(name));
    const SnapshotPtr snapshot = snapshotOf(*experimentFromState(golden["state"]));
    const auto agree = [&](const Json &actual, const Json &expected, const char *what) {
        for (const auto &[key, array] : expected.toObject()) {
            if (key == "samples")
                continue;
            const Json &found = actual[key];
            QVERIFY2(found.isObject(),
                     qPrintable(QString::fromLatin1(what) + u' ' + QString::fromStdString(key)));
            QCOMPARE(writeJson(found["shape"]), writeJson(array["shape"]));
            QCOMPARE(writeJson(found["dtype"]), writeJson(array["dtype"]));
            for (std::size_t i = 0; i < array["data"].toArray().size(); ++i) {
                const double a = found["data"].toArray()[i].toDouble();
                const double b = array["data"].toArray()[i].toDouble();
                // Rounding differs from the reference; the exact tolerances are tested with the engine.
                const bool isNear =
                    a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9 * (1 + std::abs(b));
                QVERIFY2(isNear, qPrintable(u"%1 %2[%3]: %4, expected %5"_s
                                                .arg(QString::fromLatin1(what), QString::fromStdString(key))
                                                .arg(i)
                                                .arg(a)
                                                .arg(b)));
            }
        }
    };
    const Json stages = stagesToJson(*snapshot);
    agree(stages, golden["stages"], "stage");
    agree(metricsToJson(*snapshot), golden["metrics"], "metric");
    agree(footprintsToJson(snapshot), golden["footprints"], "footprint");
    for (const char *sometimes :
         {"bias", "A_soft", "Qr", "Kr", "scores", "scaled", "masked", "fully_masked", "Q", "K"})
        QCOMPARE(stages.contains(sometimes), golden["stages"].contains(sometimes));
}

QTEST_APPLESS_MAIN(TestStageExport)
#include "tst_StageExport.moc"
