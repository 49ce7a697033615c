#include "cli/CliRun.h"

#include "io/DocumentFile.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

/// Exit codes, and the one line on stderr that names file, field, what was expected and what was found.
class TestErrors : public QObject
{
    Q_OBJECT

private slots:
    void oneLine_data();
    void oneLine();
    void failedRunLeavesTheOldFile();
    void unwritableTargets();
    void newerDocumentsAreRefused();
    void noArguments();

private:
    QTemporaryDir m_folder;
};

void TestErrors::oneLine_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("message");
    const QString out = m_folder.filePath(u"out.json"_s);
    const QString png = m_folder.filePath(u"out.png"_s);
    const QString mismatch = testData(u"cases/attention/inner-mismatch.npz"_s);
    const QString example = u"example:two-heads"_s;
    const auto row = [](const char *name, const QStringList &arguments, int code, const char *message) {
        QTest::newRow(name) << arguments << code << QByteArray(message);
    };
    const auto compute = [&](const QStringList &options) {
        return QStringList{u"compute"_s, example, u"--out"_s, out} + options;
    };
    const auto render = [&](const QStringList &options) {
        return QStringList{u"render"_s, example, u"--view"_s, u"stage"_s, u"--out"_s, png} + options;
    };
    row("unknown verb", {u"draw"_s}, 2, "\"draw\": expected info, compute, render, convert or replay");
    row("unknown option", compute({u"--colour"_s, u"1"_s}), 2, "--colour: there is no such option");
    row("option of another verb", compute({u"--dpi"_s, u"300"_s}), 2,
        "--dpi: no option of compute, only of render");
    row("setting of a verb that only describes", {u"info"_s, example, u"--set"_s, u"X[0,0]=1"_s}, 2,
        "--set: no option of info, only of compute and render");
    row("nothing to compare with", {u"render"_s, example, u"--view"_s, u"compare"_s, u"--out"_s, png}, 1,
        "name another input by --with, or give a file that has some beside its inputs");
    row("other side that is not there",
        {u"render"_s, example, u"--view"_s, u"compare"_s, u"--with"_s, u"nowhere.npz"_s, u"--out"_s, png}, 1,
        "nowhere.npz");
    row("JSON about something else", {u"info"_s, testData(u"cases/csv/expect.json"_s)}, 1,
        "expect.json: there is no attention in it: expected a matrix named Q, K, V");
    row("missing value", {u"compute"_s, example, u"--out"_s}, 2, "--out: a value is missing");
    row("flag with a value", compute({u"--causal=yes"_s}), 2, "--causal: takes no value");
    row("missing output", {u"compute"_s, example}, 2, "--out is missing");
    row("missing input", {u"compute"_s, u"--out"_s, out}, 2, "expected an input");
    row("no such format", {u"compute"_s, example, u"--out"_s, m_folder.filePath(u"out.xls"_s)}, 2,
        "--out: expected a .json");
    row("folder format", compute({u"--format"_s, u"npz"_s}), 2,
        "--format: expected npy or csv, found \"npz\"");
    row("no such view", {u"render"_s, example, u"--view"_s, u"map"_s, u"--out"_s, png}, 2,
        "--view: expected one of board, heads, footprints, masks, products, flow, compare, stage, decode, "
        "softmax, scaling, tokens, positions, orthogonality, vectors, maps, weights, found \"map\"");
    const auto products = [&](const QStringList &options) {
        return QStringList{u"render"_s, example, u"--view"_s, u"products"_s, u"--out"_s, png} + options;
    };
    row("no such page",
        {u"render"_s, example, u"--view"_s, u"maps"_s, u"--page"_s, u"cut"_s, u"--out"_s, png}, 2,
        "--page: expected one of map, compose, factors, found \"cut\"");
    row("no such product", products({u"--product"_s, u"xyz"_s}), 2,
        "--product: expected q, k, v, scores, head_out, output or free, found \"xyz\"");
    row("cell outside", products({u"--cell"_s, u"4,0"_s}), 2,
        "--cell: expected ROW,COL inside 4\xc3\x97"
        "6, counted from 0, found \"4,0\"");
    row("no free product", products({u"--product"_s, u"free"_s}), 1,
        "this document has no scratch matrix left A");
    row("no such theme", render({u"--theme"_s, u"blue"_s}), 2, "--theme: expected light or dark");
    row("backward range", render({u"--range"_s, u"1:0"_s}), 2, "--range: expected LOW:HIGH");
    row("no such map", render({u"--colormap"_s, u"jet"_s}), 2, "--colormap: expected one of viridis");
    row("comma in a number", compute({u"--scale"_s, u"0,5"_s}), 2,
        "--scale: expected a number, found \"0,5\"");
    row("no cell", compute({u"--set"_s, u"X[1]=2"_s}), 2, "--set: expected STAGE[row,col]=NUMBER");
    row("no number", compute({u"--set"_s, u"X[1,1]=two"_s}), 2, "--set: expected a number, found \"two\"");
    row("no such token", compute({u"--set"_s, u"X[hate, f1]=2"_s}), 1,
        "--set: X: no token is called \"hate\"");
    row("no stage", compute({u"--set"_s, u"Y[1,1]=2"_s}), 2, "--set: there is no stage \"Y\"");
    row("import option of a document", compute({u"--layer"_s, u"1"_s}), 2, "--layer: only for tensor files");
    row("replay of two", {u"replay"_s, out, out, u"--out"_s, out}, 2, "replay: expected one file of edits");
    row("convert without target", {u"convert"_s, example}, 2, "convert: expected an input and an output");
    row("empty array", {u"info"_s, testData(u"cases/json/empty-array.json"_s)}, 1,
        "attnscope-cli: empty-array.json: the array is empty: there are no numbers in it");
    row("no such file", {u"compute"_s, u"/nowhere/x.npz"_s, u"--out"_s, out}, 1, "x.npz");
    row("no such example", {u"info"_s, u"example:nothing"_s}, 1, "nothing");
    row("shapes that contradict", {u"compute"_s, mismatch, u"--out"_s, out}, 1,
        "inner-mismatch.npz: X is 4\xc3\x97"
        "6, Wq is 5\xc3\x97"
        "6");
    row("cell outside", compute({u"--set"_s, u"X[9,0]=1"_s}), 1,
        "example:two-heads: --set: X[9,0]: expected a cell of 4\xc3\x97"
        "6");
    row("derived stage", compute({u"--set"_s, u"allowed[0,0,0]=1"_s}), 1,
        "allowed follows from other stages: edit the mask");
    row("heads that do not divide", compute({u"--heads"_s, u"4"_s}), 1, "6 is not a multiple of 4 heads");
    row("head beyond", render({u"--head"_s, u"2"_s}), 1, "--head: expected 0 to 1, found 2");
    row("stage that is not there", compute({u"--stages"_s, u"Qr"_s}), 1, "--stages: Qr: ");
    row("no tensor of that name",
        {u"info"_s, testData(u"cases/attention/gqa-4-over-2.npz"_s), u"--map"_s, u"Q=query"_s}, 1,
        "--map: there is no tensor \"query\"; the file has Q, K, V");
    row("not edits",
        {u"replay"_s, testData(u"golden/seed_a_computed.json"_s), u"--out"_s, m_folder.filePath(u"r"_s)}, 1,
        "expected an object with \"state\" and \"steps\"");
}

void TestErrors::oneLine()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, message);
    for (const QString &locale : {QString(), u"de_DE.UTF-8"_s}) {
        const CliRun run = runCli(arguments, locale);
        QVERIFY2(run.code == code, run.story().constData());
        QVERIFY2(run.err.contains(message), run.story().constData());
        QCOMPARE(run.err.count('\n'), 1);
        QVERIFY(run.err.endsWith('\n'));
        QCOMPARE(run.out, QByteArray());
    }
}

void TestErrors::failedRunLeavesTheOldFile()
{
    const QString path = m_folder.filePath(u"old.json"_s);
    QVERIFY(writeFileAtomically(path, "old").ok());
    QCOMPARE(runCli({u"compute"_s, u"example:computed"_s, u"--heads"_s, u"4"_s, u"--out"_s, path}).code, 1);
    QCOMPARE(*readFile(path), QByteArray("old"));
}

void TestErrors::unwritableTargets()
{
    const QString nowhere = m_folder.filePath(u"no/such/folder/out"_s);
    for (const QStringList &arguments :
         {QStringList{u"compute"_s, u"example:computed"_s, u"--out"_s, nowhere + u".json"_s},
          QStringList{u"render"_s, u"example:computed"_s, u"--view"_s, u"board"_s, u"--out"_s,
                      nowhere + u".svg"_s},
          QStringList{u"convert"_s, u"example:computed"_s, nowhere + u".npz"_s}}) {
        const CliRun run = runCli(arguments);
        QVERIFY2(run.code == 1, run.story().constData());
        QVERIFY2(run.err.contains("no/such/folder/out"), run.err.constData());
        QCOMPARE(run.err.count('\n'), 1);
    }
}

void TestErrors::newerDocumentsAreRefused()
{
    const QString path = m_folder.filePath(u"newer.attn"_s);
    QVERIFY(writeFileAtomically(path, R"({"format": "attnscope", "version": 99, "state": {}})").ok());
    const CliRun run = runCli({u"info"_s, path});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("newer.attn: written by a newer version"), run.err.constData());
}

void TestErrors::noArguments()
{
    const CliRun run = runCli({});
    QCOMPARE(run.code, 2);
    QVERIFY(run.err.contains("attnscope-cli compute"));
}

QTEST_GUILESS_MAIN(TestErrors)
#include "tst_Errors.moc"
