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

QTEST_GUILESS_MAIN(TestAuditModel)
#include "tst_AuditModel.moc"
