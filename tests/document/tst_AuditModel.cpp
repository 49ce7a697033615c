#include "document/AuditModel.h"

#include "ModelFixture.h"
#include "io/Examples.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace attn;
using namespace Qt::StringLiterals;

class TestAuditModel : public QObject
{
    Q_OBJECT

private slots:
    void listsDifferingCellsAndThenFacts();
    void sumsUpEachStage();
    void adoptingACellTakesItOffTheList();
    void factsAreNoEdits();
    void inconsistenciesAreShown_data();
    void inconsistenciesAreShown();
};

namespace {

ExperimentPtr printedExample()
{
    Result<DocumentFileData> data = loadExample(u"as-printed"_s);
    if (!data)
        qFatal("%s", data.error().message.c_str());
    return std::make_shared<const Experiment>(data->experiment);
}

int rowOf(const AuditModel &model, const QString &what)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.index(row, AuditModel::WhatColumn).data() == what)
            return row;
    return -1;
}

QString text(const AuditModel &model, const QString &what, int column)
{
    return model.index(rowOf(model, what), column).data().toString();
}

} // namespace

void TestAuditModel::listsDifferingCellsAndThenFacts()
{
    AuditModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const ExperimentPtr experiment = printedExample();
    model.setAudit(experiment, auditOf(experiment));
    QCOMPARE(rowOf(model, u"Q[I, f2]"_s), 0);
    QCOMPARE(text(model, u"Q[I, f2]"_s, AuditModel::PrintedColumn), u"0.42"_s);
    QCOMPARE(text(model, u"Q[I, f2]"_s, AuditModel::ComputedColumn), u"0.43000"_s);
    QCOMPARE(text(model, u"Q[I, f2]"_s, AuditModel::DifferenceColumn), u"−0.01000"_s);
    QCOMPARE(rowOf(model, u"Q[I, f1]"_s), model.rowCount() - 7);
    QCOMPARE(text(model, u"Q[I, f1]"_s, AuditModel::DifferenceColumn), u"agrees"_s);
    QCOMPARE(text(model, u"q_love · k_prog"_s, AuditModel::PrintedColumn), u"0.90"_s);
    QCOMPARE(text(model, u"q_love · k_prog"_s, AuditModel::ComputedColumn), u"1.00860"_s);
    QVERIFY(rowOf(model, u"q_love · k_prog"_s) > rowOf(model, u"output[prog, f6]"_s));
}

void TestAuditModel::sumsUpEachStage()
{
    AuditModel model;
    const ExperimentPtr experiment = printedExample();
    model.setAudit(experiment, auditOf(experiment));
    const QStringList summaries = model.summaries();
    // Two cells differ by 0.14 but for their last bits.
    QVERIFY2(summaries[0].startsWith(u"Q: 21 of 24 printed numbers differ, the largest by 0.140 at Q["_s),
             qPrintable(summaries[0]));
    QVERIFY(summaries.contains(u"K: all 24 printed numbers agree."_s));
    QVERIFY(summaries.contains(u"scaled: 1 of 16 printed numbers differ, the largest by 0.0006 at "
                               "scaled[prog, prog]."_s));
    QVERIFY(summaries[3].startsWith(u"scores: 15 of 16 printed numbers differ"_s));
    QVERIFY2(summaries[3].endsWith(
                 u"Row love ranks its keys prog, I, GPU, love; its inputs give prog, GPU, I, love."_s),
             qPrintable(summaries[3]));
}

void TestAuditModel::adoptingACellTakesItOffTheList()
{
    AuditModel model;
    ExperimentPtr experiment = printedExample();
    model.setAudit(experiment, auditOf(experiment));
    const int rows = model.rowCount();
    const std::optional<Edit> adoption = model.adoptEdit(rowOf(model, u"output[I, f2]"_s));
    QVERIFY(adoption);
    const Result<EditOutcome> outcome = applyEdit(*experiment, *adoption);
    QVERIFY(outcome.ok());
    experiment = std::make_shared<const Experiment>(outcome->experiment);
    model.setAudit(experiment, auditOf(experiment));
    QCOMPARE(rowOf(model, u"output[I, f2]"_s), -1);
    QCOMPARE(model.rowCount(), rows - 1);
}

void TestAuditModel::factsAreNoEdits()
{
    AuditModel model;
    const ExperimentPtr experiment = printedExample();
    model.setAudit(experiment, auditOf(experiment));
    const int product = rowOf(model, u"q_love · k_prog"_s);
    QVERIFY(!model.adoptEdit(product));
    const std::optional<AuditModel::Place> place = model.placeAt(product);
    QVERIFY(place && place->stage == Stage::Scores && (place->cell == CellIndex{0, 1, 3}));
    QVERIFY(!model.placeAt(rowOf(model, u"square root of d_k = 6"_s)));
}

void TestAuditModel::inconsistenciesAreShown_data()
{
    QTest::addColumn<QString>("example");
    QTest::addColumn<QString>("what");
    QTest::addColumn<QStringList>("printed");
    QTest::addColumn<QStringList>("computed");
    QTest::addColumn<bool>("agrees");
    const auto add = [](const char *row, const char *example, const char *what, const QStringList &printed,
                        const QStringList &computed, bool agrees = false) {
        QTest::newRow(row) << QString::fromLatin1(example) << QString::fromUtf8(what) << printed << computed
                           << agrees;
    };
    const char *one = "as-printed";
    const char *two = "as-printed-two-heads";
    add("I1: a cell of Q", one, "Q[GPU, f4]", {u"0.38"_s}, {u"0.24000"_s});
    add("I1: the first cell agrees", one, "Q[I, f1]", {u"0.38"_s}, {u"0.38000"_s}, true);
    add("I2: the first cell, elsewhere", one, "Q[I, f1] in the part on several heads", {u"0.39"_s},
        {u"0.38000"_s});
    add("I2: with two heads", two, "Q[I, f1] in the part on several heads", {u"0.39"_s}, {u"0.38000"_s});
    add("I3: the written product", one, "q_love · k_prog", {u"0.90"_s}, {u"1.00860"_s});
    add("I4: a score", one, "scores[prog, GPU]", {u"0.82"_s}, {u"0.95780"_s});
    add("I6: a rounding", one, "scaled[prog, prog]", {u"0.417"_s}, {u"0.416413"_s});
    add("I7: A set by hand", one, "A[I, I]", {u"0.60"_s}, {u"0.25682"_s});
    add("I8: nearly even", one, "nearly even: the smallest and the largest weight", {u"0.243"_s, u"0.262"_s},
        {u"0.236763"_s, u"0.264558"_s});
    add("I9: the output furthest off", one, "output[GPU, f2]", {u"0.43"_s}, {u"0.45600"_s});
    add("I10: rounded half up", one, "row love of the output", {u"0.410"_s, u"0.349"_s},
        {u"0.409500"_s, u"0.348500"_s}, true);
    add("I12: a head set by hand", two, "A[head 1: I, I]", {u"0.5"_s}, {u"0.24"_s});
    add("I13: one head", one, "comparison: row love with one head", {u"0.3"_s, u"0.5"_s}, {u"0.25"_s});
    add("I13: head A", two, "comparison: row love in head A", {u"0.1"_s, u"0.7"_s}, {u"0.2"_s, u"0.6"_s});
    add("I13: head B", two, "comparison: row love in head B", {u"0.6"_s, u"0.1"_s}, {u"0.5"_s, u"0.2"_s});
    add("I18: K transposed", one, "K transposed", {u"0.45"_s}, {u"0.45000"_s}, true);
    add("the square root", one, "square root of d_k = 6", {u"2.449"_s}, {u"2.449490"_s}, true);
    add("the sum of the exponentials", one, "row love: sum of the exponentials", {u"5.517"_s},
        {u"5.517540"_s});
}

/// CURRICULUM section 3: each number that is printed wrong, as the list in the window shows it.
void TestAuditModel::inconsistenciesAreShown()
{
    QFETCH(QString, example);
    QFETCH(QString, what);
    QFETCH(QStringList, printed);
    QFETCH(QStringList, computed);
    QFETCH(bool, agrees);
    const Result<DocumentFileData> data = loadExample(example);
    QVERIFY(data.ok());
    const auto experiment = std::make_shared<const Experiment>(data->experiment);
    AuditModel model;
    model.setAudit(experiment, auditOf(experiment));
    QVERIFY(rowOf(model, what) >= 0);
    for (const QString &number : printed)
        QVERIFY2(text(model, what, AuditModel::PrintedColumn).contains(number),
                 qPrintable(text(model, what, AuditModel::PrintedColumn)));
    for (const QString &number : computed)
        QVERIFY2(text(model, what, AuditModel::ComputedColumn).contains(number),
                 qPrintable(text(model, what, AuditModel::ComputedColumn)));
    QCOMPARE(text(model, what, AuditModel::DifferenceColumn) == u"agrees"_s, agrees);
}

QTEST_GUILESS_MAIN(TestAuditModel)
#include "tst_AuditModel.moc"
