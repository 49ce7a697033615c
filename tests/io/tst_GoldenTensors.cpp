#include "io/GoldenTensors.h"

#include "engine/Evaluator.h"
#include "io/Import.h"
#include "io/StateJson.h"
#include "support/JsonCompare.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestGoldenTensors : public QObject
{
    Q_OBJECT

private slots:
    void goldenFilesOpenAsTheirState_data();
    void goldenFilesOpenAsTheirState();
    void aStateOpensByItself();
    void errorsNameTheField();
    void otherObjectsAreNoStates();
};

namespace {

Json stagesOf(const Experiment &experiment)
{
    Evaluator evaluator;
    return stagesToJson(*evaluator.evaluate(std::make_shared<const Experiment>(experiment), Generation{1}));
}

Result<ImportResult> imported(const QString &path)
{
    const auto file = openTensorFile(path);
    if (!file)
        return file.error();
    const Result<ImportPlan> plan = guessImport(**file);
    if (!plan)
        return plan.error();
    if (!plan->questions.empty())
        return Error{ErrorCode::BadInput, plan->questions.front()};
    return importExperiment(**file, *plan);
}

QString writtenTo(const QTemporaryDir &folder, const Json &json)
{
    QFile file(folder.filePath(u"state.json"_s));
    if (!file.open(QIODevice::WriteOnly) || file.write(writeJson(json)) < 0)
        qFatal("cannot write");
    return file.fileName();
}

} // namespace

void TestGoldenTensors::goldenFilesOpenAsTheirState_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    for (const QString &pattern :
         {u"seed_?_*.json"_s, u"random_*.json"_s, u"bias_*.json"_s, u"given_*.json"_s})
        for (const QString &name : folder.entryList({pattern}, QDir::Files))
            QTest::newRow(qPrintable(name)) << name;
}

void TestGoldenTensors::goldenFilesOpenAsTheirState()
{
    QFETCH(QString, name);
    const Json state = readTestJson(u"golden/"_s + name)["state"];
    const Result<ImportResult> result = imported(QStringLiteral(ATTN_TEST_DATA "/golden/") + name);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    QCOMPARE(jsonDifference(stateToJson(result->experiment), state), QString());
    QCOMPARE(jsonDifference(stagesOf(result->experiment), stagesOf(*experimentFromState(state))), QString());
}

void TestGoldenTensors::aStateOpensByItself()
{
    const Json state = readTestJson(u"golden/seed_f_cross_attention.json"_s)["state"];
    const QTemporaryDir folder;
    const Result<ImportResult> result = imported(writtenTo(folder, state));
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    QCOMPARE(jsonDifference(stateToJson(result->experiment), state), QString());
}

void TestGoldenTensors::errorsNameTheField()
{
    Json state = readTestJson(u"golden/seed_a_computed.json"_s)["state"];
    Json weight = state["Wq"];
    weight.set("shape", Json::Array{5, 6});
    state.set("Wq", weight);
    const QTemporaryDir folder;
    const Result<ImportResult> result = imported(writtenTo(folder, Json::Object{{"state", state}}));
    QVERIFY(!result.ok());
    QCOMPARE(result.error().message,
             std::string("state.json: state.Wq: shape [5, 6] needs 30 numbers, found 36"));
}

void TestGoldenTensors::otherObjectsAreNoStates()
{
    for (const char *path :
         {"cases/json/object.json", "cases/json/null-scores.json", "cases/json/head-view.json",
          "records/gpt2-small/prompt0-L5.json", "records/stories260K/look-L1-A.json"})
        QVERIFY2(!isGoldenJson(readTestJson(QString::fromLatin1(path))), path);
    QVERIFY(!isGoldenJson(Json()));
}

QTEST_APPLESS_MAIN(TestGoldenTensors)
#include "tst_GoldenTensors.moc"
