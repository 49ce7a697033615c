#include "cli/CliRun.h"

#include "io/DocumentFile.h"
#include "support/GoldenFile.h"
#include "support/JsonCompare.h"
#include "support/StagesCompare.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

/// `replay`: every golden file of edits through the document's own undo commands.
class TestReplay : public QObject
{
    Q_OBJECT

private slots:
    void everyStep_data();
    void everyStep();
    void badStepIsNamed();

private:
    static Json step(const QTemporaryDir &folder, const QString &name);
};

Json TestReplay::step(const QTemporaryDir &folder, const QString &name)
{
    const Result<QByteArray> bytes = readFile(folder.filePath(name));
    if (!bytes)
        return {};
    const Result<JsonText> text = parseJson(*bytes);
    return text ? text->value : Json();
}

void TestReplay::everyStep_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("locale");
    const QStringList names = goldenNames(u"edits"_s);
    QVERIFY(names.size() >= 16);
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << name << QString();
    QTest::newRow("with decimal commas") << u"edits_biases"_s << u"de_DE.UTF-8"_s;
}

void TestReplay::everyStep()
{
    QFETCH(QString, name);
    QFETCH(QString, locale);
    const Json golden = readGolden(name);
    const double tolerance = golden["tolerance"]["float64"].toDouble();
    const QTemporaryDir folder;
    const CliRun run =
        runCli({u"replay"_s, testData(u"golden/%1.json"_s.arg(name)), u"--out"_s, folder.path()}, locale);
    QVERIFY2(run.code == 0, run.story().constData());
    QCOMPARE(run.err, QByteArray());

    Json state = golden["state"];
    const Json start = step(folder, u"0000.json"_s);
    QCOMPARE(jsonDifference(start["state"], state), QString());
    QCOMPARE(arraysDifference(start["stages"], golden["stages"], tolerance), QString());
    int number = 0;
    for (const Json &expected : golden["steps"].toArray()) {
        const QString file = u"%1.json"_s.arg(++number, 4, 10, QChar(u'0'));
        const Json found = step(folder, file);
        for (const auto &[field, value] : expected["state_changes"].toObject())
            state.set(field, value);
        QVERIFY2(jsonDifference(found["state"], state).isEmpty(),
                 qPrintable(file + u": "_s + jsonDifference(found["state"], state)));
        const QString difference = arraysDifference(found["stages"], expected["stages"], tolerance);
        QVERIFY2(difference.isEmpty(), qPrintable(file + u": "_s + difference));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), number + 2);
    // Undone is the start, bit for bit: the very same bytes of JSON.
    QCOMPARE(*readFile(folder.filePath(u"undone.json"_s)), *readFile(folder.filePath(u"0000.json"_s)));
}

void TestReplay::badStepIsNamed()
{
    Json golden = readGolden(u"edits_cross"_s);
    Json::Array steps = golden["steps"].toArray();
    Json edit = Json::Object{{"op", "set_cell"}, {"matrix", "X"}, {"row", 99}, {"col", 0}, {"value", 1.0}};
    steps[2].set("edit", edit);
    golden.set("steps", steps);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"bad.json"_s);
    QVERIFY(writeFileAtomically(path, writeJson(golden)).ok());
    const CliRun run = runCli({u"replay"_s, path, u"--out"_s, folder.filePath(u"out"_s)});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("step 3 (set_cell): ") && run.err.contains("99"), run.err.constData());
    QCOMPARE(run.err.count('\n'), 1);
    QVERIFY(!QFile::exists(folder.filePath(u"out/undone.json"_s)));
}

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_Replay.moc"
