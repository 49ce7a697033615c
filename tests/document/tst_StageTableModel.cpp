#include "document/StageTableModel.h"

#include "ModelFixture.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace attn;

class TestStageTableModel : public QObject
{
    Q_OBJECT

private slots:
    void showsRoundedAndEditsInFull();
    void hasHeadersOfTokensAndFeatures();
    void textsThatAreNoNumbersAreRefused();
    void sameTextIsNoEdit();
    void keepsTheModelForSameShape();
    void announcesWhatChanged();
    void announcesOneCellOfALargeMatrix();
    void neverHasZeroColumns();
    void derivedStagesAreReadOnly();
    void marksPinnedCells();
    void showsScratchMatrices();
};

void TestStageTableModel::showsRoundedAndEditsInFull()
{
    StageTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Experiment experiment = smallExperiment();
    experiment = edited(experiment, SetCells{Stage::X, {{{0, 1, 2}, 0.123456789012345678}}});
    model.setSnapshot(evaluated(experiment));
    model.setTarget(Stage::X, 0);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.columnCount(), 4);
    const QModelIndex index = model.index(1, 2);
    QCOMPARE(index.data().toString(), QStringLiteral("0.12"));
    QCOMPARE(index.data(Qt::EditRole).toString(), QStringLiteral("0.12345678901234568"));
    QCOMPARE(model.flags(QModelIndex()), Qt::NoItemFlags);

    QSignalSpy requests(&model, &StageTableModel::editRequested);
    // Shown with a minus, as on the maps; both signs are read, and what is edited or copied has the plain
    // one.
    model.setSnapshot(evaluated(edited(experiment, SetCells{Stage::X, {{{0, 0, 0}, -0.25}}})));
    QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("−0.25"));
    QCOMPARE(model.index(0, 0).data(Qt::EditRole).toString(), QStringLiteral("-0.25"));
    QVERIFY(model.setData(index, QStringLiteral("−0.5")));
    QCOMPARE(requests.takeFirst().at(1).value<CellValue>().value, -0.5);
    QVERIFY(model.setData(index, QStringLiteral("-1e-300")));
    QCOMPARE(requests.size(), 1);
    QCOMPARE(requests.first().at(0).value<EditTarget>().stage, Stage::X);
    const auto value = requests.first().at(1).value<CellValue>();
    QCOMPARE(value.value, -1e-300);
    QCOMPARE(value.cell.row, Index(1));
    QCOMPARE(value.cell.col, Index(2));
    QCOMPARE(index.data(Qt::EditRole).toString(), QStringLiteral("0.12345678901234568"));
}

void TestStageTableModel::hasHeadersOfTokensAndFeatures()
{
    StageTableModel model;
    model.setSnapshot(evaluated(smallExperiment()));
    model.setTarget(Stage::A, 0);
    QCOMPARE(model.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(), QStringLiteral("love"));
    QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("NLP"));
    model.setTarget(Stage::X, 0);
    QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("f3"));
}

void TestStageTableModel::textsThatAreNoNumbersAreRefused()
{
    StageTableModel model;
    model.setSnapshot(evaluated(smallExperiment()));
    QSignalSpy requests(&model, &StageTableModel::editRequested);
    QSignalSpy refusals(&model, &StageTableModel::editRefused);
    QVERIFY(!model.setData(model.index(0, 0), QStringLiteral("four")));
    QVERIFY(!model.setData(model.index(0, 0), QStringLiteral("1,5")));
    QVERIFY(!model.setData(model.index(0, 0), QString()));
    QCOMPARE(requests.size(), 0);
    QCOMPARE(refusals.size(), 3);
}

void TestStageTableModel::sameTextIsNoEdit()
{
    StageTableModel model;
    model.setSnapshot(evaluated(smallExperiment()));
    QSignalSpy requests(&model, &StageTableModel::editRequested);
    const QModelIndex index = model.index(0, 0);
    QVERIFY(model.setData(index, index.data(Qt::EditRole)));
    QCOMPARE(requests.size(), 0);
}

void TestStageTableModel::keepsTheModelForSameShape()
{
    StageTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Experiment experiment = smallExperiment();
    model.setSnapshot(evaluated(experiment));
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy headers(&model, &QAbstractItemModel::headerDataChanged);
    model.setSnapshot(evaluated(edited(experiment, SetCells{Stage::X, {{{0, 0, 0}, 7.0}}}), {2}));
    QCOMPARE(resets.size(), 0);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().at(0).toModelIndex(), model.index(0, 0));
    QCOMPARE(changes.front().at(1).toModelIndex(), model.index(0, 0));
    QCOMPARE(headers.size(), 0);
    QCOMPARE(model.index(0, 0).data(Qt::EditRole).toString(), QStringLiteral("7"));
    model.setSnapshot(evaluated(edited(experiment, InsertToken{TokenSide::Query, 1, "really", {}}), {3}));
    QCOMPARE(resets.size(), 1);
    QCOMPARE(model.rowCount(), 4);
}

void TestStageTableModel::announcesOneCellOfALargeMatrix()
{
    StageTableModel model;
    Experiment experiment;
    experiment.tokens = TokenList(std::vector<std::string>(1500, "t"));
    for (const Stage given : {Stage::Q, Stage::K, Stage::V})
        experiment.given[given] = Tensor::zeros({1, 1500, 64});
    model.setSnapshot(evaluated(experiment));
    model.setTarget(Stage::Q, 0);
    QCOMPARE(model.rowCount(), 1500);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setSnapshot(evaluated(edited(experiment, SetCells{Stage::Q, {{{0, 1234, 56}, 7.0}}}), {2}));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.front().at(0).toModelIndex(), model.index(1234, 56));
    QCOMPARE(changes.front().at(1).toModelIndex(), model.index(1234, 56));
}

void TestStageTableModel::announcesWhatChanged()
{
    StageTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Experiment experiment = smallExperiment();
    model.setSnapshot(evaluated(experiment));
    model.setTarget(Stage::A, 0);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy headers(&model, &QAbstractItemModel::headerDataChanged);
    // A number set by hand to what it was is a change too: it is painted as pinned.
    const double weight = model.values()->value(0, 1, 2);
    experiment = edited(experiment, PinCells{Stage::A, {{{0, 1, 2}, weight}}});
    model.setSnapshot(evaluated(experiment, {2}));
    QCOMPARE(changes.size(), 1);
    QCOMPARE(changes.back().at(0).toModelIndex(), model.index(1, 2));
    QCOMPARE(changes.back().at(1).toModelIndex(), model.index(1, 2));
    experiment = edited(experiment, PinCells{Stage::A, {{{0, 2, 0}, 0.25}, {{0, 0, 1}, 0.5}}});
    model.setSnapshot(evaluated(experiment, {3}));
    QCOMPARE(changes.size(), 2);
    QCOMPARE(changes.back().at(0).toModelIndex(), model.index(0, 0));
    QCOMPARE(changes.back().at(1).toModelIndex(), model.index(2, 1));
    QCOMPARE(headers.size(), 0);
    model.setSnapshot(evaluated(edited(experiment, RenameToken{TokenSide::Query, 0, "We"}), {4}));
    QCOMPARE(changes.size(), 2);
    QCOMPARE(headers.size(), 2);
}

void TestStageTableModel::neverHasZeroColumns()
{
    StageTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.columnCount() > 0);
    model.setSnapshot(evaluated(smallExperiment()));
    model.setTarget(Stage::Xkv, 0);
    QCOMPARE(model.rowCount(), 0);
    QVERIFY(model.columnCount() > 0);
    QVERIFY(!model.values());
}

void TestStageTableModel::derivedStagesAreReadOnly()
{
    StageTableModel model;
    model.setSnapshot(evaluated(smallExperiment()));
    model.setTarget(Stage::Allowed, 0);
    QVERIFY(model.rowCount() > 0);
    QVERIFY(!(model.flags(model.index(0, 0)) & Qt::ItemIsEditable));
    QSignalSpy requests(&model, &StageTableModel::editRequested);
    QSignalSpy refusals(&model, &StageTableModel::editRefused);
    QVERIFY(!model.setData(model.index(0, 0), QStringLiteral("1")));
    QCOMPARE(requests.size(), 0);
    QCOMPARE(refusals.size(), 1);
}

void TestStageTableModel::marksPinnedCells()
{
    StageTableModel model;
    model.setColors(Qt::red, Qt::gray);
    model.setSnapshot(evaluated(edited(smallExperiment(), PinCells{Stage::A, {{{0, 1, 2}, 0.5}}})));
    model.setTarget(Stage::A, 0);
    QVERIFY(model.index(1, 2).data(StageTableModel::PinnedRole).toBool());
    QVERIFY(!model.index(1, 1).data(StageTableModel::PinnedRole).toBool());
    QCOMPARE(model.index(1, 2).data(Qt::ForegroundRole).value<QColor>(), QColor(Qt::red));
    QCOMPARE(model.index(1, 2).data().toString(), QStringLiteral("0.50"));
}

void TestStageTableModel::showsScratchMatrices()
{
    StageTableModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Experiment experiment = smallExperiment();
    experiment = edited(experiment, SetLab{"A", Tensor::filled({1, 2, 5}, 0.125)});
    model.setSnapshot(evaluated(experiment));
    model.setTarget(EditTarget::scratch(QStringLiteral("A")), 0);
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.columnCount(), 5);
    QCOMPARE(model.headerData(1, Qt::Vertical, Qt::DisplayRole).toString(), QStringLiteral("2"));
    QCOMPARE(model.headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("5"));
    const QModelIndex index = model.index(1, 4);
    QVERIFY(model.flags(index) & Qt::ItemIsEditable);
    QVERIFY(!index.data(StageTableModel::PinnedRole).toBool());
    QCOMPARE(index.data(Qt::AccessibleDescriptionRole).toString(), QStringLiteral("left A[2, 5]"));
    QSignalSpy requests(&model, &StageTableModel::editRequested);
    QVERIFY(model.setData(index, QStringLiteral("3")));
    QCOMPARE(requests.first().at(0).value<EditTarget>().lab, QStringLiteral("A"));
    model.setTarget(EditTarget::scratch(QStringLiteral("none")), 0);
    QCOMPARE(model.rowCount(), 0);
}

QTEST_GUILESS_MAIN(TestStageTableModel)
#include "tst_StageTableModel.moc"
