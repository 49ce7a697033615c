#include "io/Import.h"
#include "support/FileCases.h"
#include "support/ImportRun.h"
#include "support/ProcessorTime.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace attn;
using namespace attn::test;

/// Cases of tests/data/cases about what the tensors of a file mean: attention, heatmap, labels.
class TestImportCases : public QObject
{
    Q_OBJECT

private slots:
    void attentionResults_data();
    void attentionResults();
    void causalAlignmentCanBeChosen();
    void fullyMaskedRowsAreFlagged_data();
    void fullyMaskedRowsAreFlagged();
    void zeroOneMaskIsSaid();
    void maskPolarityCanBeChosen();
    void squareWeightCanBeRead();
    void rotaryStylesDiffer();
    void weightsThatAreNoWeights();
    void refusedWithBothShapes();
    void rawScoresWithoutQueries();
    void headSplitIsByColumns();
    void heatmapTables_data();
    void heatmapTables();
    void nullIsMasked();
    void tooFewLabels();
    void labelFiles_data();
    void labelFiles();
    void labelLines_data();
    void labelLines();
    void tokenNames_data();
    void tokenNames();
    void longSequenceIsQuick();
};

namespace {

Result<ImportRun> importedCase(const QString &folder, const QString &name,
                               const std::function<void(ImportPlan &)> &change = {})
{
    return importRun({QStringLiteral(ATTN_TEST_DATA "/cases/%1/%2").arg(folder, name)}, change);
}

QString failure(const Result<ImportRun> &result)
{
    return result ? QString() : QString::fromStdString(result.error().message);
}

QString sentences(const std::vector<std::string> &list)
{
    QString text;
    for (const std::string &sentence : list)
        text += QString::fromStdString(sentence) + u'\n';
    return text;
}

void numbersOf(const Json &json, std::vector<double> &numbers)
{
    if (!json.isArray()) {
        numbers.push_back(json.toDouble());
        return;
    }
    for (const Json &item : json.toArray())
        numbersOf(item, numbers);
}

/// Compares a stage with nested numbers; 1e-6 as cases/README.md says.
void compareStage(const ImportRun &imported, Stage stage, const Json &expected)
{
    const StageState &state = imported.snapshot->stage(stage);
    QVERIFY2(state.hasValues(), (std::string(stageName(stage)) + ": " + state.reason).c_str());
    std::vector<double> wanted;
    numbersOf(expected, wanted);
    const Shape shape = state.values->shape();
    QCOMPARE(static_cast<std::size_t>(shape.size()), wanted.size());
    for (Index i = 0; i < shape.size(); ++i) {
        const double actual =
            state.values->value(i / (shape.rows * shape.cols), i / shape.cols % shape.rows, i % shape.cols);
        QVERIFY2(std::abs(actual - wanted[static_cast<std::size_t>(i)]) <= 1e-6,
                 qPrintable(QStringLiteral("%1, element %2: %3, expected %4")
                                .arg(QLatin1String(stageName(stage)))
                                .arg(i)
                                .arg(actual)
                                .arg(wanted[static_cast<std::size_t>(i)])));
    }
}

Json attentionCase(const QString &name)
{
    for (const FileCase &fileCase : fileCases(QStringLiteral("attention")))
        if (fileCase.fileName == name)
            return fileCase.expected;
    qFatal("no such case: %s", qPrintable(name));
}

/// The parameters of expect.json, as a user would set them.
void applyParameters(const Json &parameters, ImportPlan &plan)
{
    if (parameters.contains("heads"))
        plan.nHeads = parameters["heads"].toInteger();
    if (parameters.contains("kv_heads"))
        plan.nKvHeads = parameters["kv_heads"].toInteger();
    if (parameters.contains("scale"))
        plan.scale = parameters["scale"].toDouble();
    if (parameters.contains("causal"))
        plan.causal = parameters["causal"].toBool();
}

} // namespace

void TestImportCases::attentionResults_data()
{
    QTest::addColumn<QString>("name");
    for (const FileCase &fileCase : fileCases(QStringLiteral("attention")))
        if (fileCase.outcome != QLatin1String("error"))
            QTest::newRow(qPrintable(fileCase.fileName)) << fileCase.fileName;
}

/// Every result of expect.json that is a stage, as the file is guessed and with the case's parameters set.
void TestImportCases::attentionResults()
{
    QFETCH(QString, name);
    const Json expected = attentionCase(name);
    const auto imported = importedCase(QStringLiteral("attention"), name,
                                       [&](ImportPlan &plan) { applyParameters(expected["params"], plan); });
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QVERIFY2(imported->snapshot->problem().empty(), imported->snapshot->problem().c_str());
    // "scores" of these cases are scaled.
    const std::vector<std::pair<const char *, Stage>> stages = {{"Q", Stage::Q},
                                                                {"QKt", Stage::Scores},
                                                                {"raw", Stage::Scores},
                                                                {"scores", Stage::Scaled},
                                                                {"scaled", Stage::Scaled},
                                                                {"A", Stage::A},
                                                                {"head_out", Stage::HeadOut},
                                                                {"concat", Stage::Concat},
                                                                {"out", Stage::Output},
                                                                {"A_keep", Stage::A},
                                                                {"A_true_keep", Stage::A},
                                                                {"Q_heads", Stage::Qh},
                                                                {"XW", Stage::Q}};
    for (const auto &[key, stage] : stages)
        if (expected["results"].contains(key))
            compareStage(*imported, stage, expected["results"][key]);
    if (expected["params"].contains("offset"))
        QCOMPARE(imported->result.experiment.qOffset, Index(expected["params"]["offset"].toInteger()));
}

void TestImportCases::causalAlignmentCanBeChosen()
{
    const QString name = QStringLiteral("causal-2-of-5.npz");
    const auto upperLeft = importedCase(QStringLiteral("attention"), name, [](ImportPlan &plan) {
        plan.causal = true;
        plan.qOffset = 0;
    });
    QVERIFY2(upperLeft.ok(), qPrintable(failure(upperLeft)));
    compareStage(*upperLeft, Stage::A, attentionCase(name)["results"]["A_upper_left"]);
}

void TestImportCases::fullyMaskedRowsAreFlagged_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("rows");
    QTest::newRow("boolean mask") << QStringLiteral("fully-masked-row.npz")
                                  << QStringLiteral("query row 1 is");
    QTest::newRow("padding and causal")
        << QStringLiteral("left-padding-causal.npz") << QStringLiteral("query rows 0 and 1 are");
}

void TestImportCases::fullyMaskedRowsAreFlagged()
{
    QFETCH(QString, name);
    QFETCH(QString, rows);
    const Json expected = attentionCase(name);
    const auto imported = importedCase(QStringLiteral("attention"), name,
                                       [&](ImportPlan &plan) { applyParameters(expected["params"], plan); });
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    const QString notes = sentences(imported->result.notes);
    QVERIFY2(notes.contains(rows) && notes.contains(QLatin1String("fully masked")), qPrintable(notes));
    QVERIFY(imported->snapshot->stage(Stage::FullyMasked).values->value(0, 0, 1) == 1.0);
}

void TestImportCases::zeroOneMaskIsSaid()
{
    const QString name = QStringLiteral("zero-one-float-mask.npz");
    const auto added = importedCase(QStringLiteral("attention"), name, [](ImportPlan &plan) {
        plan.maskMeaning = ImportPlan::MaskMeaning::Add;
    });
    QVERIFY2(added.ok(), qPrintable(failure(added)));
    QVERIFY2(sentences(added->plan.questions).contains(QLatin1String("0 and 1")),
             qPrintable(sentences(added->plan.questions)));
    compareStage(*added, Stage::A, attentionCase(name)["results"]["A_if_added"]);
}

void TestImportCases::maskPolarityCanBeChosen()
{
    const QString name = QStringLiteral("true-means-masked.npz");
    const auto kept = importedCase(QStringLiteral("attention"), name);
    QVERIFY2(kept.ok(), qPrintable(failure(kept)));
    QVERIFY2(sentences(kept->result.notes).contains(QLatin1String("true = hidden")),
             qPrintable(sentences(kept->result.notes)));
    QVERIFY2(sentences(kept->plan.questions).contains(QLatin1String("please check")),
             qPrintable(sentences(kept->plan.questions)));
    const auto dropped = importedCase(QStringLiteral("attention"), name, [](ImportPlan &plan) {
        plan.maskMeaning = ImportPlan::MaskMeaning::Drop;
    });
    QVERIFY2(dropped.ok(), qPrintable(failure(dropped)));
    compareStage(*dropped, Stage::A, attentionCase(name)["results"]["A_true_hidden"]);
}

void TestImportCases::squareWeightCanBeRead()
{
    const QString name = QStringLiteral("square-weight-orientation.npz");
    const auto transposed = importedCase(QStringLiteral("attention"), name, [](ImportPlan &plan) {
        for (ImportSlot &slot : plan.tensors)
            if (slot.stage == Stage::Wq)
                slot.transposed = true;
    });
    QVERIFY2(transposed.ok(), qPrintable(failure(transposed)));
    QVERIFY2(sentences(transposed->plan.questions).contains(QLatin1String("square")),
             qPrintable(sentences(transposed->plan.questions)));
    compareStage(*transposed, Stage::Q, attentionCase(name)["results"]["XWt"]);
}

void TestImportCases::rotaryStylesDiffer()
{
    const QString name = QStringLiteral("rope-two-styles.npz");
    for (const auto &[key, pairing] :
         {std::pair("pairs", Rotary::Pairing::Interleaved), std::pair("halves", Rotary::Pairing::Half)}) {
        const auto imported = importedCase(QStringLiteral("attention"), name, [&](ImportPlan &plan) {
            plan.rotary = Rotary{pairing, 10000.0, std::nullopt};
        });
        QVERIFY2(imported.ok(), qPrintable(failure(imported)));
        compareStage(*imported, Stage::Qr, attentionCase(name)["results"][key]);
    }
}

void TestImportCases::weightsThatAreNoWeights()
{
    const auto rows = importedCase(QStringLiteral("attention"), QStringLiteral("rows-not-one.npz"));
    QVERIFY2(rows.ok(), qPrintable(failure(rows)));
    const QString rowNotes = sentences(rows->result.notes);
    QVERIFY2(rowNotes.contains(QLatin1String("0.8000 to 1.2500")), qPrintable(rowNotes));
    const auto columns = importedCase(QStringLiteral("attention"), QStringLiteral("columns-sum-to-one.npz"));
    QVERIFY2(columns.ok(), qPrintable(failure(columns)));
    const QString columnNotes = sentences(columns->result.notes);
    QVERIFY2(columnNotes.contains(QLatin1String("looks transposed")), qPrintable(columnNotes));
}

void TestImportCases::refusedWithBothShapes()
{
    const auto inner = importedCase(QStringLiteral("attention"), QStringLiteral("inner-mismatch.npz"));
    QVERIFY(!inner.ok());
    for (const char *part : {"inner-mismatch.npz", "4×6", "5×6", "6 columns", "5 rows"})
        QVERIFY2(failure(inner).contains(QString::fromUtf8(part)), qPrintable(failure(inner)));
    const auto heads = importedCase(QStringLiteral("attention"), QStringLiteral("heads-do-not-divide.npz"),
                                    [](ImportPlan &plan) { plan.nHeads = 4; });
    QVERIFY(!heads.ok());
    QVERIFY2(failure(heads).contains(QLatin1String("10 is not a multiple of 4")), qPrintable(failure(heads)));
}

void TestImportCases::rawScoresWithoutQueries()
{
    const auto imported = importedCase(QStringLiteral("attention"), QStringLiteral("softmax-extremes.npz"),
                                       [](ImportPlan &plan) { plan.scoresAreScaled = false; });
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QVERIFY(imported->result.experiment.isGiven(Stage::Scores));
    QCOMPARE(imported->result.experiment.scale, std::optional<double>(1.0));
}

void TestImportCases::headSplitIsByColumns()
{
    const auto shared = importedCase(QStringLiteral("attention"), QStringLiteral("gqa-4-over-2.npz"));
    QVERIFY2(shared.ok(), qPrintable(failure(shared)));
    QVERIFY2(sentences(shared->plan.questions).contains(QLatin1String("how many heads")),
             qPrintable(sentences(shared->plan.questions)));
}

void TestImportCases::heatmapTables_data()
{
    QTest::addColumn<QString>("name");
    for (const FileCase &fileCase : fileCases(QStringLiteral("heatmap")))
        if (!fileCase.fileName.endsWith(QLatin1String(".recipe.json")))
            QTest::newRow(qPrintable(fileCase.fileName)) << fileCase.fileName;
}

/// A lone matrix opens as one stage with its numbers and range; missing cells are said.
void TestImportCases::heatmapTables()
{
    QFETCH(QString, name);
    const auto imported = importedCase(QStringLiteral("heatmap"), name);
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QCOMPARE(imported->result.experiment.given.size(), std::size_t(1));
    const Stage stage = imported->result.experiment.given.begin()->first;
    QVERIFY(imported->snapshot->stage(stage).hasValues());
    const ValueStatistics statistics = imported->snapshot->stage(stage).values->statistics(-1);
    for (const FileCase &fileCase : fileCases(QStringLiteral("heatmap"))) {
        if (fileCase.fileName != name)
            continue;
        const Json::Array &range = fileCase.expected["range"].toArray();
        if (range.size() == 2) {
            QCOMPARE(statistics.minimum, range[0].toDouble());
            QCOMPARE(statistics.maximum, range[1].toDouble());
        }
        if (fileCase.expected.contains("missing")) {
            QCOMPARE(statistics.nanCount + statistics.minusInfCount,
                     Index(fileCase.expected["missing"].toInteger()));
            QVERIFY(!imported->result.notes.empty());
        }
        if (fileCase.expected.contains("labels"))
            QCOMPARE(imported->result.experiment.tokens.labels(), stringsOf(fileCase.expected["labels"]));
    }
}

void TestImportCases::nullIsMasked()
{
    const auto imported = importedCase(QStringLiteral("json"), QStringLiteral("null-scores.json"));
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QVERIFY2(sentences(imported->result.notes).contains(QLatin1String("3 missing values are read as -inf")),
             qPrintable(sentences(imported->result.notes)));
    for (const FileCase &fileCase : fileCases(QStringLiteral("json")))
        if (fileCase.fileName == QLatin1String("null-scores.json"))
            compareStage(*imported, Stage::A, fileCase.expected["softmax"]);
    QCOMPARE(imported->result.experiment.tokens.labels(), (std::vector<std::string>{"a", "b", "c"}));
}

void TestImportCases::tooFewLabels()
{
    const auto imported = importedCase(QStringLiteral("labels"), QStringLiteral("too-few.json"));
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QVERIFY2(sentences(imported->result.notes).contains(QLatin1String("3 labels for 4")),
             qPrintable(sentences(imported->result.notes)));
    QCOMPARE(imported->result.experiment.tokens.labels(), (std::vector<std::string>{"a", "b", "c", "3"}));
}

void TestImportCases::labelFiles_data()
{
    QTest::addColumn<QString>("name");
    for (const FileCase &fileCase : fileCases(QStringLiteral("labels")))
        if (fileCase.expected.contains("labels"))
            QTest::newRow(qPrintable(fileCase.fileName)) << fileCase.fileName;
}

void TestImportCases::labelFiles()
{
    QFETCH(QString, name);
    const auto labels = labelsFromFile(QStringLiteral(ATTN_TEST_DATA "/cases/labels/") + name);
    QVERIFY2(labels.ok(), labels ? "" : labels.error().message.c_str());
    for (const FileCase &fileCase : fileCases(QStringLiteral("labels")))
        if (fileCase.fileName == name)
            QCOMPARE(labels->front().tokens, stringsOf(fileCase.expected["labels"]));
}

void TestImportCases::labelLines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("labels");
    QTest::newRow("words") << QStringLiteral("  I love  GPU\tprog\n")
                           << QStringList{QStringLiteral("I"), QStringLiteral("love"), QStringLiteral("GPU"),
                                          QStringLiteral("prog")};
    QTest::newRow("quoted blanks") << QStringLiteral("\" love\" \"say \"\"hi\"\"\" x")
                                   << QStringList{QStringLiteral(" love"), QStringLiteral("say \"hi\""),
                                                  QStringLiteral("x")};
    QTest::newRow("a quotation mark alone")
        << QStringLiteral("a \" b")
        << QStringList{QStringLiteral("a"), QStringLiteral("\""), QStringLiteral("b")};
    QTest::newRow("JSON list") << QStringLiteral("[\"a b\", \"c\"]")
                               << QStringList{QStringLiteral("a b"), QStringLiteral("c")};
    QTest::newRow("empty") << QString() << QStringList();
}

void TestImportCases::labelLines()
{
    QFETCH(QString, line);
    QFETCH(QStringList, labels);
    QStringList actual;
    for (const std::string &label : labelsFromLine(line.toStdString()))
        actual.append(QString::fromStdString(label));
    QCOMPARE(actual, labels);
}

void TestImportCases::tokenNames_data()
{
    QTest::addColumn<QString>("line");
    QTest::newRow("three for four") << QStringLiteral("a b c");
    QTest::newRow("five for four") << QStringLiteral("a b c d e");
}

void TestImportCases::tokenNames()
{
    QFETCH(QString, line);
    const auto imported =
        importedCase(QStringLiteral("attention"), QStringLiteral("tutorial-QKV.npz"), [&](ImportPlan &plan) {
            plan.labels = {{{}, labelsFromLine(line.toStdString()), {}}};
        });
    QVERIFY2(imported.ok(), qPrintable(failure(imported)));
    QCOMPARE(imported->result.experiment.tokens.size(), Index(4));
    QCOMPARE(imported->result.experiment.tokens.at(2), std::string("c"));
    QVERIFY(sentences(imported->result.notes).contains(QLatin1String("for 4 rows")));
}

/// 131072 tokens: nothing in guessing and arranging may visit pairs of tokens.
void TestImportCases::longSequenceIsQuick()
{
    constexpr Index n = 131072;
    constexpr Index d = 8;
    QTemporaryDir folder;
    QStringList paths;
    for (const char *name : {"Q", "K", "V"}) {
        const QByteArray text = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                                QByteArray::number(n) + ", " + QByteArray::number(d) + "), }\n";
        QByteArray bytes("\x93NUMPY\x01\x00", 8);
        bytes += static_cast<char>(text.size());
        bytes += '\0';
        bytes += text + QByteArray(n * d * 4, '\0');
        paths.append(folder.filePath(QLatin1String(name) + QLatin1String(".npy")));
        QFile file(paths.last());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    const ProcessorTime timer;
    const auto file = openTensorFiles(paths);
    QVERIFY2(file.ok(), file ? "" : file.error().message.c_str());
    const auto plan = guessImport(**file);
    QVERIFY(plan.ok());
    const auto result = importExperiment(**file, *plan);
    QVERIFY2(result.ok(), result ? "" : result.error().message.c_str());
    QCOMPARE(result->experiment.tokens.size(), n);
    // A pass over pairs would take minutes; the limit leaves room for sanitizers.
    QVERIFY2(timer.milliseconds() < 15000, qPrintable(QString::number(timer.milliseconds())));
}

QTEST_GUILESS_MAIN(TestImportCases)
#include "tst_ImportCases.moc"
