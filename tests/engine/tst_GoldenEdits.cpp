#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "io/StateJson.h"

#include "support/JsonCompare.h"
#include "support/StagesCompare.h"

#include <QDir>
#include <QTest>

#include <cstring>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

/// Every golden file of edits, step by step: the state exactly, the stages within the file's tolerance.
class TestGoldenEdits : public QObject
{
    Q_OBJECT

private slots:
    void steps_data();
    void steps();
    void thereAndBack_data();
    void thereAndBack();

private:
    struct Walk
    {
        std::vector<Experiment> states;
        std::vector<SnapshotPtr> snapshots;
        QString problem;
    };
    static Walk walk(const Json &golden);
};

namespace {

Json readEditRecord(const QString &name)
{
    return readTestJson(u"golden/"_s + name);
}

QString stagesProblem(const Snapshot &snapshot, const Json &expected, double tolerance)
{
    return arraysDifference(stagesToJson(snapshot), expected, tolerance);
}

} // namespace

TestGoldenEdits::Walk TestGoldenEdits::walk(const Json &golden)
{
    Walk walk;
    const double tolerance = golden["tolerance"]["float64"].toDouble();
    const Result<Experiment> start = experimentFromState(golden["state"]);
    if (!start) {
        walk.problem = QString::fromStdString(start.error().message);
        return walk;
    }
    Evaluator evaluator;
    Generation generation;
    const auto enter = [&](const Experiment &experiment, const Json &stages, const QString &where) {
        walk.states.push_back(experiment);
        generation = generation.next();
        walk.snapshots.push_back(
            evaluator.evaluate(std::make_shared<const Experiment>(experiment), generation));
        const QString found = stagesProblem(*walk.snapshots.back(), stages, tolerance);
        if (!found.isEmpty())
            walk.problem = where + found;
    };
    enter(*start, golden["stages"], u"start: "_s);
    Json state = golden["state"];
    int number = 0;
    for (const Json &step : golden["steps"].toArray()) {
        const QString where = u"step %1: "_s.arg(++number);
        const Result<Edit> edit = editFromJson(step["edit"], walk.states.back());
        if (!edit) {
            walk.problem = where + QString::fromStdString(edit.error().message);
            return walk;
        }
        const Result<EditOutcome> outcome = applyEdit(walk.states.back(), *edit);
        if (!outcome) {
            walk.problem = where + QString::fromStdString(outcome.error().message);
            return walk;
        }
        for (const auto &[field, value] : step["state_changes"].toObject())
            state.set(field, value);
        const QString found = jsonDifference(stateToJson(outcome->experiment), state, u"state"_s);
        if (!found.isEmpty()) {
            walk.problem = where + found;
            return walk;
        }
        enter(outcome->experiment, step["stages"], where);
        if (!walk.problem.isEmpty())
            return walk;
    }
    return walk;
}

void TestGoldenEdits::steps_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    const QStringList names = folder.entryList({u"edits_*.json"_s}, QDir::Files);
    QVERIFY(names.size() >= 16);
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << name;
}

void TestGoldenEdits::steps()
{
    QFETCH(QString, name);
    const Walk done = walk(readEditRecord(name));
    QVERIFY2(done.problem.isEmpty(), qPrintable(done.problem));
}

void TestGoldenEdits::thereAndBack_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("sameState");
    QTest::newRow("every edit undone by another") << u"edits_there_and_back.json"_s << false;
    QTest::newRow("each edit and its exact inverse") << u"edits_inverse.json"_s << true;
    QTest::newRow("the same with Q, K, V given") << u"edits_inverse_given.json"_s << true;
}

void TestGoldenEdits::thereAndBack()
{
    QFETCH(QString, name);
    QFETCH(bool, sameState);
    const Walk done = walk(readEditRecord(name));
    QVERIFY2(done.problem.isEmpty(), qPrintable(done.problem));
    if (sameState)
        QVERIFY(sameContent(done.states.front(), done.states.back()));
    for (const StageInfo &info : stageTable()) {
        const StageState &first = done.snapshots.front()->stage(info.stage);
        const StageState &last = done.snapshots.back()->stage(info.stage);
        if (info.kind != StageKind::Computed || !first.hasValues())
            continue;
        QVERIFY2(last.hasValues(), info.name);
        const Shape shape = first.values->shape();
        QVERIFY2(shape == last.values->shape(), info.name);
        for (Index head = 0; head < shape.heads; ++head)
            for (Index row = 0; row < shape.rows; ++row)
                for (Index col = 0; col < shape.cols; ++col) {
                    const double before = first.values->value(head, row, col);
                    const double after = last.values->value(head, row, col);
                    QVERIFY2(std::memcmp(&before, &after, sizeof before) == 0, info.name);
                }
    }
}

QTEST_APPLESS_MAIN(TestGoldenEdits)
#include "tst_GoldenEdits.moc"
