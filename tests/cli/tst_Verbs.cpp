#include "cli/CliRun.h"

#include "engine/kernels/KernelTable.h"
#include "io/DocumentFile.h"
#include "io/OpenInput.h"
#include "support/JsonCompare.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

/// What the verbs say and write, read back.
class TestVerbs : public QObject
{
    Q_OBJECT

private slots:
    void helpAndVersion();
    void infoListsExamples();
    void infoOfAFile();
    void infoOfADocument();
    void infoTellsFeaturesFromKeys();
    void infoNamesTheInstructionSet();
    void infoNamesWhatCannotBeRead();
    void infoShowsCorrections();
    void computeWritesEveryFormat_data();
    void computeWritesEveryFormat();
    void computeWritesAFolder_data();
    void computeWritesAFolder();
    void computeSomeStages();
    void optionsChangeTheExperiment();
    void documentKeepsEverything();
    void renderDraws_data();
    void renderDraws();
    void renderComparesTwoInputs();
    void renderPages_data();
    void renderPages();
    void renderWidthsOfTheFlow();
    void renderDrawsRowsAsVectors();
    void renderDrawsTheSavedLab_data();
    void renderDrawsTheSavedLab();
    void renderOptions();
    void convertKeepsTensors_data();
    void convertKeepsTensors();
    void convertToFolder();
    void convertADocument();

private:
    QString file(const QString &name) const { return m_folder.filePath(name); }
    Json json(const QString &name) const;

    QTemporaryDir m_folder;
};

namespace {

Json parsed(const QByteArray &bytes)
{
    const Result<JsonText> text = parseJson(bytes);
    return text ? text->value : Json();
}

const Json *tensorNamed(const Json &info, std::string_view name)
{
    for (const Json &tensor : info["tensors"].toArray())
        if (tensor["name"].toString() == name)
            return &tensor;
    return nullptr;
}

OpenedInput opened(const QString &path)
{
    Result<OpenedInput> input = openInput({path});
    if (!input)
        qFatal("%s", input.error().message.c_str());
    return std::move(*input);
}

} // namespace

Json TestVerbs::json(const QString &name) const
{
    const Result<QByteArray> bytes = readFile(file(name));
    return bytes ? parsed(*bytes) : Json();
}

void TestVerbs::helpAndVersion()
{
    for (const QStringList &arguments : {QStringList{u"--help"_s}, QStringList{u"render"_s, u"--help"_s}}) {
        const CliRun help = runCli(arguments);
        QCOMPARE(help.code, 0);
        QVERIFY(help.out.contains("attnscope-cli replay"));
        QCOMPARE(help.err, QByteArray());
    }
    const CliRun version = runCli({u"--version"_s});
    QCOMPARE(version.code, 0);
    QVERIFY(version.out.startsWith("attnscope-cli "));
}

void TestVerbs::infoListsExamples()
{
    const CliRun text = runCli({u"info"_s, u"example:"_s});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains("example:computed\t"));
    const Json list = parsed(runCli({u"info"_s, u"example:"_s, u"--json"_s}).out);
    QVERIFY(list["examples"].toArray().size() >= 8);
    for (const Json &example : list["examples"].toArray()) {
        const QString name = u"example:"_s + QString::fromStdString(example["name"].toString());
        const CliRun run = runCli({u"info"_s, name});
        QVERIFY2(run.code == 0, run.story().constData());
    }
}

void TestVerbs::infoOfAFile()
{
    const CliRun run = runCli({u"info"_s, testData(u"cases/attention/gqa-4-over-2.npz"_s), u"--json"_s});
    QVERIFY2(run.code == 0, run.story().constData());
    const Json info = parsed(run.out);
    for (const char *member : {"file", "tensors", "labels", "guesses", "notes", "isa"})
        QVERIFY2(info.contains(member), member);
    const Json *Q = tensorNamed(info, "Q");
    QVERIFY(Q != nullptr);
    QCOMPARE((*Q)["dtype"].toString(), std::string("F64"));
    QCOMPARE(jsonDifference((*Q)["shape"], Json::Array{3, 8}), QString());
    QCOMPARE((*Q)["stage"].toString(), std::string("Q"));
    QCOMPARE(jsonDifference((*Q)["axes"], Json::Array{"row", "col"}), QString());
}

/// Headings over a matrix of features name features; only those over queries and keys name keys.
/// Damage and pickles cost only the arrays they are in.
void TestVerbs::infoNamesWhatCannotBeRead()
{
    const QByteArray pickle = runCli({u"info"_s, testData(u"cases/npz/one-good-one-pickle.npz"_s)}).out;
    QVERIFY2(pickle.contains("  ok   F32   2x2 "), pickle.constData());
    QVERIFY2(pickle.contains("  bad  ?     ?             cannot be read: byte 24: this is an object array"),
             pickle.constData());
    const QByteArray damaged = runCli({u"info"_s, testData(u"cases/npz/wrong-crc.npz"_s)}).out;
    QVERIFY2(damaged.contains("  Q  F32   3x4           Q (row, col)\n"), damaged.constData());
    QVERIFY2(damaged.contains("  K  F32   5x4           cannot be read: it is damaged: its CRC-32"),
             damaged.constData());
    QVERIFY2(damaged.contains("  V  F32   5x2           V (row, col)\n"), damaged.constData());
    const QByteArray mismatch = runCli({u"info"_s, testData(u"cases/attention/inner-mismatch.npz"_s)}).out;
    QVERIFY2(mismatch.contains("  X   F64   4x6           X (row, col)\n"), mismatch.constData());
    QVERIFY2(mismatch.contains("not usable as it is: inner-mismatch.npz: X is 4\xc3\x97"
                               "6, Wq is"),
             mismatch.constData());
}

void TestVerbs::infoTellsFeaturesFromKeys()
{
    QVERIFY(writeFileAtomically(file(u"X.csv"_s), "t,warm,cold\nI,1,2\nlove,3,4\n").ok());
    const Json features = parsed(runCli({u"info"_s, file(u"X.csv"_s), u"--json"_s}).out)["labels"];
    QCOMPARE(features["tokens"].toArray()[1].toString(), std::string("love"));
    QVERIFY(features["tokens_kv"].isNull());
    QCOMPARE(features["columns"].toArray()[1].toString(), std::string("cold"));
    const QByteArray text = runCli({u"info"_s, file(u"X.csv"_s)}).out;
    QVERIFY2(text.contains("column names\n  warm | cold\n") && !text.contains("key tokens"),
             text.constData());
    QVERIFY(writeFileAtomically(file(u"A.csv"_s), "q,I,love\nI,1,0\nlove,0.5,0.5\n").ok());
    const Json keys = parsed(runCli({u"info"_s, file(u"A.csv"_s), u"--json"_s}).out)["labels"];
    QCOMPARE(keys["tokens_kv"].toArray()[0].toString(), std::string("I"));
    QVERIFY(!keys.contains("columns"));
}

void TestVerbs::infoNamesTheInstructionSet()
{
    const QByteArray before = qgetenv("ATTNSCOPE_ISA");
    for (const KernelTable *const *table = kernelTables(); *table; ++table) {
        qputenv("ATTNSCOPE_ISA", (*table)->isa);
        const Json info = parsed(runCli({u"info"_s, u"example:computed"_s, u"--json"_s}).out);
        QCOMPARE(info["isa"].toString(), std::string((*table)->isa));
        const CliRun text = runCli({u"info"_s, u"example:computed"_s});
        const QByteArray line = QByteArray("computed with\n  ").append((*table)->isa).append('\n');
        QVERIFY(text.out.contains(line));
    }
    qputenv("ATTNSCOPE_ISA", "mmx");
    const CliRun run = runCli({u"info"_s, u"example:computed"_s});
    qputenv("ATTNSCOPE_ISA", before);
    QVERIFY2(run.code == 0, run.story().constData());
    QVERIFY(run.out.contains("ATTNSCOPE_ISA: expected one of "));
    QVERIFY(run.out.contains("found \"mmx\"; using "));
}

void TestVerbs::infoOfADocument()
{
    const CliRun run = runCli({u"info"_s, u"example:cross"_s, u"--json"_s});
    QVERIFY2(run.code == 0, run.story().constData());
    const Json labels = parsed(run.out)["labels"];
    QCOMPARE(labels["tokens"].toArray()[0].toString(), std::string("我"));
    QCOMPARE(labels["tokens_kv"].toArray()[3].toString(), std::string("prog"));
}

void TestVerbs::infoShowsCorrections()
{
    const CliRun run = runCli({u"info"_s, testData(u"cases/attention/gqa-4-over-2.npz"_s), u"--map"_s,
                               u"K=V"_s, u"--map"_s, u"none=K"_s, u"--json"_s});
    QVERIFY2(run.code == 0, run.story().constData());
    const Json info = parsed(run.out);
    QCOMPARE((*tensorNamed(info, "V"))["stage"].toString(), std::string("K"));
    QVERIFY((*tensorNamed(info, "K"))["stage"].isNull());
}

void TestVerbs::computeWritesEveryFormat_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : {"all.npz", "all.safetensors", "all.json", "all.attn"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Whatever was written opens again as the same experiment, pins, mask, labels and all.
void TestVerbs::computeWritesEveryFormat()
{
    QFETCH(QString, name);
    const CliRun run = runCli({u"compute"_s, u"example:cross-two-heads"_s, u"--set"_s, u"A[1,0,3]=0.5"_s,
                               u"--set"_s, u"mask.bool[0,1]=0"_s, u"--set"_s, u"X[我, f3]=0.25"_s,
                               u"--scale"_s, u"0.3"_s, u"--rope"_s, u"half:500"_s, u"--out"_s, file(name)});
    QVERIFY2(run.code == 0, run.story().constData());
    const Experiment experiment = opened(file(name)).experiment;
    QCOMPARE(experiment.scale, std::optional(0.3));
    QCOMPARE(experiment.nHeads, Index(2));
    QCOMPARE(experiment.pinsOf(Stage::A).at({1, 0, 3}), std::optional(0.5));
    QCOMPARE(experiment.matrix(Stage::MaskBool).at(0, 1), 0.0);
    QVERIFY(experiment.rotary && experiment.rotary->base == 500.0);
    QCOMPARE(experiment.tokens.at(0), std::string("我"));
    QCOMPARE(experiment.tokensKv->at(3), std::string("prog"));
    QCOMPARE(experiment.matrix(Stage::X).at(0, 2), 0.25); // by labels
    QVERIFY(experiment.matrix(Stage::Xkv)
                .sameBits(opened(u"example:cross-two-heads"_s).experiment.matrix(Stage::Xkv)));
}

void TestVerbs::computeWritesAFolder_data()
{
    QTest::addColumn<QString>("format");
    QTest::newRow("npy") << u"npy"_s;
    QTest::newRow("csv") << u"csv"_s;
}

void TestVerbs::computeWritesAFolder()
{
    QFETCH(QString, format);
    const QString folder = file(u"folder-"_s + format);
    const CliRun run = runCli({u"compute"_s, u"example:two-heads"_s, u"--format"_s, format, u"--out"_s,
                               folder, u"--stages"_s, u"A,Q"_s});
    QVERIFY2(run.code == 0, run.story().constData());
    const QStringList files = QDir(folder).entryList(QDir::Files);
    QVERIFY2(files.contains(u"Q."_s + format), qPrintable(files.join(u' ')));
    const Result<std::unique_ptr<TensorFile>> Q = openTensorFile(folder + u"/Q."_s + format);
    QVERIFY(Q.ok());
    const Result<FileTensor> tensor = (*Q)->load(0);
    QVERIFY(tensor.ok());
    QCOMPARE(tensor->shape, (std::vector<std::int64_t>{4, 6}));
}

void TestVerbs::computeSomeStages()
{
    QVERIFY(runCli({u"compute"_s, u"example:two-heads"_s, u"--stages"_s, u"A,output,metrics"_s, u"--out"_s,
                    file(u"some.json"_s)})
                .code == 0);
    const Json found = json(u"some.json"_s);
    QCOMPARE(found["stages"].toObject().size(), std::size_t(2));
    QCOMPARE(jsonDifference(found["stages"]["A"]["shape"], Json::Array{2, 4, 4}), QString());
    QVERIFY(found.contains("metrics") && !found.contains("footprints"));
}

void TestVerbs::optionsChangeTheExperiment()
{
    const QString out = file(u"options.attn"_s);
    const CliRun run =
        runCli({u"compute"_s, u"example:computed"_s, u"--heads"_s, u"2"_s, u"--causal"_s, u"--window"_s,
                u"2,any"_s, u"--q-offset"_s, u"-1"_s, u"--precision"_s, u"f32"_s, u"--scale"_s, u"none"_s,
                u"--set"_s, u"X[1,2]=1e-3"_s, u"--set"_s, u"scores[1,2,3]=-inf"_s, u"--out"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    const Experiment e = opened(out).experiment;
    QCOMPARE(e.nHeads, Index(2));
    QVERIFY(e.causal);
    QVERIFY(e.window && e.window->left == Index(2) && !e.window->right);
    QCOMPARE(e.qOffset, Index(-1));
    QVERIFY(e.precision == Precision::Float32);
    QCOMPARE(e.scale, std::optional(1.0));
    QCOMPARE(e.matrix(Stage::X).at(1, 2), 1e-3);
    QVERIFY(std::isinf(e.pinsOf(Stage::Scores).at({1, 2, 3}).value_or(0.0)));

    const QString bare = file(u"bare.attn"_s);
    QVERIFY(runCli({u"compute"_s, out, u"--no-mask"_s, u"--no-pins"_s, u"--out"_s, bare}).code == 0);
    const Experiment b = opened(bare).experiment;
    QVERIFY(!b.causal && !b.window && b.pins.empty());
}

void TestVerbs::documentKeepsEverything()
{
    for (const char *name : {"as-printed", "trained-stories", "four-sizes"}) {
        const QString example = u"example:"_s + QString::fromLatin1(name);
        const QString out = file(QString::fromLatin1(name) + u".attn"_s);
        QVERIFY(runCli({u"compute"_s, example, u"--out"_s, out}).code == 0);
        QVERIFY2(sameContent(opened(out).experiment, opened(example).experiment), name);
    }
}

void TestVerbs::renderDraws_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("suffix");
    QTest::addColumn<QByteArray>("start");
    for (const char *view : {"board", "heads", "footprints", "masks", "products", "stage", "tokens",
                             "positions", "orthogonality", "vectors", "maps", "weights"}) {
        const QString name = QString::fromLatin1(view);
        QTest::newRow(qPrintable(name + u".png"_s)) << name << u"png"_s << QByteArray("\x89PNG");
        QTest::newRow(qPrintable(name + u".svg"_s)) << name << u"svg"_s << QByteArray("<?xml");
        QTest::newRow(qPrintable(name + u".pdf"_s)) << name << u"pdf"_s << QByteArray("%PDF");
    }
}

void TestVerbs::renderDraws()
{
    QFETCH(QString, view);
    QFETCH(QString, suffix);
    QFETCH(QByteArray, start);
    const QString out = file(view + u'.' + suffix);
    const CliRun run = runCli({u"render"_s, u"example:two-heads"_s, u"--view"_s, view, u"--out"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    QCOMPARE(run.err, QByteArray());
    const QByteArray bytes = *readFile(out);
    QVERIFY(bytes.startsWith(start));
    QVERIFY(bytes.size() > 2000);
    if (suffix == u"svg"_s)
        QVERIFY2(bytes.contains("<text"), "text stays text");
}

void TestVerbs::renderComparesTwoInputs()
{
    const QString out = file(u"compare.svg"_s);
    const CliRun run = runCli({u"render"_s, u"example:computed"_s, u"--view"_s, u"compare"_s, u"--with"_s,
                               u"example:causal"_s, u"--out"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    const QByteArray bytes = *readFile(out);
    QVERIFY(bytes.contains("example:computed") && bytes.contains("example:causal"));
}

void TestVerbs::renderPages_data()
{
    QTest::addColumn<QString>("view");
    QTest::addColumn<QStringList>("pages");
    QTest::newRow("heads") << u"heads"_s
                           << QStringList{u"grid"_s, u"cut"_s, u"single"_s, u"combine"_s, u"patterns"_s};
    QTest::newRow("vectors") << u"vectors"_s << QStringList{u"plane"_s, u"space"_s};
    QTest::newRow("maps") << u"maps"_s << QStringList{u"map"_s, u"compose"_s, u"factors"_s};
}

void TestVerbs::renderPages()
{
    QFETCH(QString, view);
    QFETCH(QStringList, pages);
    QList<QByteArray> pictures;
    for (const QString &page : pages) {
        const QString out = file(page + u".svg"_s);
        const CliRun run = runCli({u"render"_s, u"example:cross-two-heads"_s, u"--view"_s, view, u"--page"_s,
                                   page, u"--head"_s, u"1"_s, u"--out"_s, out});
        QVERIFY2(run.code == 0, run.story().constData());
        const QByteArray picture = *readFile(out);
        QVERIFY(!pictures.contains(picture));
        pictures.append(picture);
    }
    const CliRun wrong = runCli({u"render"_s, u"example:two-heads"_s, u"--view"_s, u"heads"_s, u"--page"_s,
                                 u"pages"_s, u"--out"_s, file(u"wrong.svg"_s)});
    QCOMPARE(wrong.code, 2);
    QVERIFY(wrong.err.contains("--page"));
}

void TestVerbs::renderWidthsOfTheFlow()
{
    const auto flow = [this](const QString &example, const QString &measure) {
        return runCli({u"render"_s, example, u"--view"_s, u"flow"_s, u"--measure"_s, measure, u"--out"_s,
                       file(u"flow.svg"_s)});
    };
    const CliRun rollout = flow(u"example:two-heads"_s, u"rollout"_s);
    QVERIFY2(rollout.code == 0, rollout.story().constData());
    QVERIFY(readFile(file(u"flow.svg"_s))->contains("Width: rollout"));
    const CliRun length = flow(u"example:two-heads"_s, u"length"_s);
    QVERIFY2(length.code == 0, length.story().constData());
    QVERIFY(readFile(file(u"flow.svg"_s))->contains("length of v"));
    QCOMPARE(flow(u"example:two-heads"_s, u"depth"_s).code, 2);
    // Rollout needs one sequence: cross attention is bad input, and the line says why.
    const CliRun cross = flow(u"example:cross"_s, u"rollout"_s);
    QCOMPARE(cross.code, 1);
    QVERIFY2(cross.err.contains("one sequence"), cross.story().constData());
}

void TestVerbs::renderDrawsRowsAsVectors()
{
    const QString out = file(u"rows.svg"_s);
    const CliRun run = runCli({u"render"_s, u"example:computed"_s, u"--view"_s, u"vectors"_s, u"--stage"_s,
                               u"X"_s, u"--row"_s, u"2"_s, u"--out"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    // X[GPU] and X[love], as they are shown
    const QByteArray bytes = *readFile(out);
    QVERIFY(bytes.contains("0.80") && bytes.contains("0.90"));
}

void TestVerbs::renderDrawsTheSavedLab_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QJsonObject>("own");
    QTest::addColumn<QStringList>("options"); // that take it back
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("softmax") << u"softmax"_s << QJsonObject{{u"sharpness"_s, 2.5}} << QStringList()
                             << QByteArray("2.5");
    QTest::newRow("scaling") << u"scaling"_s << QJsonObject{{u"dHead"_s, 4096}} << QStringList()
                             << QByteArray("4096");
    QTest::newRow("tokens") << u"tokens"_s << QJsonObject{{u"stage"_s, u"K"_s}}
                            << QStringList{u"--stage"_s, u"Q"_s} << QByteArray("the rows of K");
    QTest::newRow("positions") << u"positions"_s << QJsonObject{{u"first"_s, 3}, {u"second"_s, 2}}
                               << QStringList{u"--row"_s, u"0"_s} << QByteArray("prog");
    QTest::newRow("orthogonality") << u"orthogonality"_s << QJsonObject{{u"dimension"_s, 7}} << QStringList()
                                   << QByteArray("7");
    QTest::newRow("vectors") << u"vectors"_s
                             << QJsonObject{{u"source"_s, QJsonObject{{u"dimension"_s, 3}, {u"count"_s, 3}}}}
                             << QStringList{u"--page"_s, u"plane"_s} << QByteArray("v₃");
    QTest::newRow("maps") << u"maps"_s << QJsonObject{{u"mode"_s, 1}} << QStringList{u"--page"_s, u"map"_s}
                          << QByteArray("BA");
    QTest::newRow("weights") << u"weights"_s << QJsonObject{{u"weight"_s, 2}}
                             << QStringList{u"--stage"_s, u"Wq"_s} << QByteArray("V");
}

/// What the window shows of the document, unless an option says otherwise.
void TestVerbs::renderDrawsTheSavedLab()
{
    QFETCH(QString, page);
    QFETCH(QJsonObject, own);
    QFETCH(QStringList, options);
    QFETCH(QByteArray, shown);
    DocumentFileData data;
    data.experiment = opened(u"example:computed"_s).experiment;
    const auto drawn = [&](const QJsonObject &lab, const QStringList &more) {
        data.view = QJsonObject{{u"workspaces"_s, QJsonObject{{u"lab"_s, lab}}}};
        const QString in = file(page + u".attn"_s);
        const QString out = file(page + u"-lab.svg"_s);
        QFile document(in);
        if (!document.open(QIODevice::WriteOnly) || document.write(documentBytes(data)) < 0)
            return QByteArray();
        document.close();
        const CliRun run = runCli(QStringList{u"render"_s, in, u"--view"_s, page, u"--out"_s, out} + more);
        return run.code == 0 ? *readFile(out) : run.err;
    };
    const QByteArray first = drawn({}, {});
    const QByteArray saved = drawn({{page, own}}, {});
    QVERIFY(!first.isEmpty());
    QVERIFY(first != saved);
    QVERIFY(saved.contains(shown));
    if (!options.isEmpty())
        QVERIFY(drawn({{page, own}}, options) != saved);
}

void TestVerbs::renderOptions()
{
    const auto image = [this](const QStringList &options) {
        const QString out = file(u"options.png"_s);
        const CliRun run = runCli(QStringList{u"render"_s, u"example:two-heads"_s, u"--view"_s, u"stage"_s,
                                              u"--stage"_s, u"A"_s, u"--out"_s, out} +
                                  options);
        if (run.code != 0)
            qFatal("%s", run.story().constData());
        return QImage(out);
    };
    const QImage plain = image({u"--size"_s, u"100"_s, u"--dpi"_s, u"254"_s});
    QCOMPARE(plain.width(), 1000);
    QCOMPARE(image({u"--size"_s, u"50"_s, u"--dpi"_s, u"254"_s}).width(), 500);
    const QStringList small = {u"--size"_s, u"100"_s, u"--dpi"_s, u"254"_s};
    QVERIFY(image(small) == plain);
    QVERIFY(image(small + QStringList{u"--theme"_s, u"dark"_s}) != plain);
    QVERIFY(image(small + QStringList{u"--colormap"_s, u"magma"_s}) != plain);
    QVERIFY(image(small + QStringList{u"--range"_s, u"0:1"_s}) != plain);
    QVERIFY(image(small + QStringList{u"--values"_s, u"none"_s}) != plain);
    QVERIFY(image(small + QStringList{u"--values"_s, u"4"_s}) != plain);
    QVERIFY(image(small + QStringList{u"--head"_s, u"1"_s}) != plain);
}

void TestVerbs::convertKeepsTensors_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("suffix");
    for (const char *input : {"cases/attention/rope-two-styles.npz", "cases/attention/additive-mask.npz"})
        for (const char *suffix : {"npz", "safetensors", "json"})
            QTest::newRow(qPrintable(QString::fromLatin1(input) + u" to "_s + QString::fromLatin1(suffix)))
                << QString::fromLatin1(input) << QString::fromLatin1(suffix);
}

void TestVerbs::convertKeepsTensors()
{
    QFETCH(QString, input);
    QFETCH(QString, suffix);
    const QString out = file(u"converted."_s + suffix);
    const CliRun run = runCli({u"convert"_s, testData(input), out});
    QVERIFY2(run.code == 0, run.story().constData());
    const Result<std::unique_ptr<TensorFile>> before = openTensorFile(testData(input));
    const Result<std::unique_ptr<TensorFile>> after = openTensorFile(out);
    QVERIFY(before.ok() && after.ok());
    for (std::size_t i = 0; i < (*before)->entries().size(); ++i) {
        const FileTensorInfo &entry = (*before)->entries()[i];
        const std::optional<std::size_t> found = (*after)->find(entry.name);
        if (entry.dtype == Dtype::Text && !found)
            continue; // safetensors has no texts: they are metadata there
        QVERIFY2(found.has_value(), entry.name.c_str());
        const Result<FileTensor> left = (*before)->load(i);
        const Result<FileTensor> right = (*after)->load(*found);
        QVERIFY(left.ok() && right.ok());
        QCOMPARE(right->shape, left->shape);
        if (entry.dtype == Dtype::Text)
            continue;
        for (std::int64_t k = 0; k < left->size(); ++k) {
            const double a = left->number(k);
            const double b = right->number(k);
            QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
        }
    }
}

void TestVerbs::convertToFolder()
{
    const QString folder = file(u"arrays"_s);
    const CliRun run = runCli(
        {u"convert"_s, testData(u"cases/attention/gqa-4-over-2.npz"_s), folder, u"--format"_s, u"npy"_s});
    QVERIFY2(run.code == 0, run.story().constData());
    const QStringList files = QDir(folder).entryList(QDir::Files);
    for (const char *name : {"Q.npy", "K.npy", "V.npy"})
        QVERIFY2(files.contains(QString::fromLatin1(name)), qPrintable(files.join(u' ')));
    // Several files are one input.
    const QString joined = file(u"joined.npz"_s);
    const CliRun back =
        runCli({u"convert"_s, folder + u"/Q.npy"_s, folder + u"/K.npy"_s, folder + u"/V.npy"_s, joined});
    QVERIFY2(back.code == 0, back.story().constData());
    QVERIFY((*openTensorFile(joined))->find("K").has_value());
}

void TestVerbs::convertADocument()
{
    const QString out = file(u"document.npz"_s);
    const CliRun run = runCli({u"convert"_s, u"example:cross"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    const Experiment before = opened(u"example:cross"_s).experiment;
    const Experiment after = opened(out).experiment;
    QVERIFY(after.tokens == before.tokens && after.tokensKv == before.tokensKv);
    for (const auto &[stage, matrix] : before.given)
        QVERIFY2(after.matrix(stage).sameBits(matrix), stageName(stage));
}

QTEST_GUILESS_MAIN(TestVerbs)
#include "tst_Verbs.moc"
