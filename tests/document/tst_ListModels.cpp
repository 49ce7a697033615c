#include "document/DifferenceModel.h"
#include "document/OutlineModel.h"
#include "document/PinModel.h"

#include "ModelFixture.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace attn;

/// Outline, differences and pins.
class TestListModels : public QObject
{
    Q_OBJECT

private slots:
    void outlineListsStagesWithShapeAndState();
    void outlineKeepsRowsWhileStagesStay();
    void differencesCarryTheirRevert();
    void pinsListCellsAndWholeStages();
    void pinsKeepTheirRowsWhenOtherNumbersChange();
};

void TestListModels::outlineListsStagesWithShapeAndState()
{
    OutlineModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Experiment experiment = edited(smallExperiment(), PinCells{Stage::A, {{{0, 1, 2}, 0.5}}});
    model.setSnapshot(evaluated(experiment));
    const auto text = [&](Stage stage, int column) {
        return model.index(model.rowOf(stage), column).data().toString();
    };
    QCOMPARE(text(Stage::X, OutlineModel::NameColumn), QStringLiteral("X"));
    QCOMPARE(text(Stage::X, OutlineModel::ShapeColumn), QStringLiteral("3×4"));
    QCOMPARE(text(Stage::X, OutlineModel::StateColumn), QStringLiteral("given"));
    QCOMPARE(text(Stage::Q, OutlineModel::StateColumn), QString()); // nothing special
    const QModelIndex query = model.index(model.rowOf(Stage::Q), OutlineModel::StateColumn);
    QCOMPARE(query.data(Qt::AccessibleTextRole).toString(), QStringLiteral("computed"));
    QVERIFY(query.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("computed")));
    QCOMPARE(text(Stage::A, OutlineModel::StateColumn), QStringLiteral("1 pin"));
    QCOMPARE(model.rowOf(Stage::Xkv), -1);
    QVERIFY(model.rowOf(Stage::Q) < model.rowOf(Stage::A));
}

void TestListModels::outlineKeepsRowsWhileStagesStay()
{
    OutlineModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Experiment experiment = smallExperiment();
    model.setSnapshot(evaluated(experiment));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setSnapshot(evaluated(edited(experiment, PinCells{Stage::A, {{{0, 0, 0}, 1.0}}}), {2}));
    QCOMPARE(resets.size(), 0);
    QCOMPARE(changes.size(), 1);
    model.setSnapshot(
        evaluated(edited(experiment, SetTensor{Stage::MaskBool, Tensor::filled({1, 3, 3}, 1.0)}), {3}));
    QCOMPARE(resets.size(), 1);
    QVERIFY(model.rowOf(Stage::MaskBool) >= 0);
}

void TestListModels::differencesCarryTheirRevert()
{
    DifferenceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Experiment before = smallExperiment();
    const Experiment after = edited(before, SetCells{Stage::X, {{{0, 1, 2}, 9.0}}});
    model.setDifferences(differencesBetween(before, after));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, DifferenceModel::WhatColumn).data().toString(), QStringLiteral("X[love, f3]"));
    QCOMPARE(model.index(0, DifferenceModel::NowColumn).data().toString(), QStringLiteral("9"));
    QVERIFY(sameContent(before, edited(after, model.at(0).revert)));
}

void TestListModels::pinsListCellsAndWholeStages()
{
    PinModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Experiment plain = smallExperiment();
    Experiment experiment = edited(plain, PinCells{Stage::A, {{{0, 1, 2}, 0.5}, {{0, 0, 0}, 0.25}}});
    experiment = edited(experiment, PinStage{Stage::V, Tensor::zeros({1, 3, 2})});
    model.setExperiment(std::make_shared<const Experiment>(experiment));
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.stageAt(0), Stage::V);
    QCOMPARE(model.index(2, PinModel::CellColumn).data().toString(), QStringLiteral("A[love, NLP]"));
    QCOMPARE(model.index(2, PinModel::ValueColumn).data().toString(), QStringLiteral("0.5"));
    for (const int row : {2, 1, 0})
        experiment = edited(experiment, model.unpinEdit(row));
    QVERIFY(sameContent(plain, experiment));
}

void TestListModels::pinsKeepTheirRowsWhenOtherNumbersChange()
{
    PinModel model;
    QSignalSpy reset(&model, &PinModel::modelReset);
    QSignalSpy changed(&model, &PinModel::dataChanged);
    const Experiment plain = smallExperiment();
    model.setExperiment(std::make_shared<const Experiment>(plain));
    QCOMPARE(reset.count() + changed.count(), 0); // there are none
    Experiment experiment = edited(plain, PinCells{Stage::A, {{{0, 1, 2}, 0.5}}});
    model.setExperiment(std::make_shared<const Experiment>(experiment));
    QCOMPARE(reset.count(), 1);
    experiment = edited(experiment, SetCells{Stage::X, {{{0, 0, 0}, 7.0}}});
    experiment = edited(experiment, PinCells{Stage::A, {{{0, 1, 2}, 0.75}}});
    model.setExperiment(std::make_shared<const Experiment>(experiment));
    QCOMPARE(reset.count(), 1);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.index(0, PinModel::ValueColumn).data().toString(), QStringLiteral("0.75"));
    experiment = edited(experiment, PinCells{Stage::A, {{{0, 0, 0}, 0.25}}});
    model.setExperiment(std::make_shared<const Experiment>(experiment));
    QCOMPARE(reset.count(), 2);
}

QTEST_GUILESS_MAIN(TestListModels)
#include "tst_ListModels.moc"
