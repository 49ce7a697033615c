#include "engine/lab/Span.h"
#include "engine/lab/StandardLabs.h"
#include "engine/lab/VectorSource.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

namespace {

SnapshotPtr example()
{
    return evaluated(goldenExperiment(readGolden(QStringLiteral("seed_a_computed"))["state"]));
}

VectorSource columnsOf(Stage stage, Index first, Index second)
{
    VectorSource source;
    source.kind = VectorSource::Kind::Columns;
    source.stage = stage;
    source.first = first;
    source.second = second;
    return source;
}

} // namespace

/// Vectors of the document in the labs: read, drawn, moved, and written back as edits.
class TestVectorSource : public QObject
{
    Q_OBJECT

private slots:
    void readsColumnsAndRows();
    void staysInsideTheStage();
    void scratchNeedsNoDocument();
    void editsTheStage();
    void computedStagesArePinned();
    void movesInItsOwnPlane();
    void refusesWhatCannotBeDrawn();
    void viewOfSpaceIsOrthonormal();
};

void TestVectorSource::readsColumnsAndRows()
{
    const SnapshotPtr snapshot = example();
    const Tensor &Wq = snapshot->experiment().matrix(Stage::Wq);
    const VectorSource columns = columnsOf(Stage::Wq, 4, 1);
    const Result<SmallMatrix> read = chosenVectors(*snapshot, columns, {});
    QVERIFY(read.ok());
    QCOMPARE(read->rows, Index(6));
    for (Index i = 0; i < 6; ++i) {
        QCOMPARE(read->at(i, 0), Wq.at(i, 4));
        QCOMPARE(read->at(i, 1), Wq.at(i, 1));
        QVERIFY((vectorCell(columns, 1, i) == CellIndex{0, i, 1}));
    }
    VectorSource rows = columnsOf(Stage::X, 3, 0);
    rows.kind = VectorSource::Kind::Rows;
    const Result<SmallMatrix> tokens = chosenVectors(*snapshot, rows, {});
    QVERIFY(tokens.ok());
    for (Index i = 0; i < 6; ++i)
        QCOMPARE(tokens->at(i, 0), snapshot->experiment().matrix(Stage::X).at(3, i));
    QVERIFY((vectorCell(rows, 0, 5) == CellIndex{0, 3, 5}));
}

void TestVectorSource::staysInsideTheStage()
{
    const SnapshotPtr snapshot = example();
    VectorSource source = columnsOf(Stage::X, 99, 99);
    source.head = 7;
    source.axisX = -1;
    source.axisY = 0;
    source = insideStage(source, *snapshot);
    QCOMPARE(source.first, Index(5));
    QCOMPARE(source.second, Index(4));
    QCOMPARE(source.head, Index(0));
    QCOMPARE(source.axisX, Index(0));
    QCOMPARE(source.axisY, Index(1));
}

void TestVectorSource::scratchNeedsNoDocument()
{
    const SnapshotPtr snapshot = example();
    const Result<SmallMatrix> vectors = chosenVectors(*snapshot, {}, standardLab::vectors);
    QVERIFY(vectors.ok());
    QVERIFY((vectors->column(0) == std::vector<double>{1, 2}));
    const Result<Edit> edit = vectorEdit(snapshot->experiment(), {}, standardLab::vectors,
                                         SmallMatrix::of(2, 2, {0, 0, 1, 0}), 0, std::vector<double>{1, 5});
    QVERIFY(edit.ok());
    QCOMPARE(std::get<SetLabCells>(*edit).cells.size(), std::size_t(1)); // the first number is not moved
    const Result<EditOutcome> outcome = applyEdit(snapshot->experiment(), *edit);
    QCOMPARE(outcome->experiment.lab(standardLab::vectors).at(1, 0), 5.0);
}

void TestVectorSource::editsTheStage()
{
    const SnapshotPtr snapshot = example();
    const VectorSource source = columnsOf(Stage::Wq, 0, 1);
    const SmallMatrix vectors = *chosenVectors(*snapshot, source, {});
    const SmallMatrix plane = drawnPlane(source, vectors);
    const Result<Edit> edit = vectorEdit(snapshot->experiment(), source, {}, plane, 1,
                                         movedVector(plane, vectors.column(1), 0.75, -2.0));
    QVERIFY(edit.ok());
    const Result<EditOutcome> outcome = applyEdit(snapshot->experiment(), *edit);
    const Tensor &Wq = outcome->experiment.matrix(Stage::Wq);
    QCOMPARE(Wq.at(0, 1), 0.75);
    QCOMPARE(Wq.at(1, 1), -2.0);
    QCOMPARE(Wq.at(2, 1), vectors.at(2, 1));
    QCOMPARE(Wq.at(0, 0), vectors.at(0, 0));
}

void TestVectorSource::computedStagesArePinned()
{
    const SnapshotPtr snapshot = example();
    const VectorSource source = columnsOf(Stage::Q, 0, 1);
    const SmallMatrix vectors = *chosenVectors(*snapshot, source, {});
    const Result<Edit> edit =
        vectorEdit(snapshot->experiment(), source, {}, drawnPlane(source, vectors), 0,
                   movedVector(drawnPlane(source, vectors), vectors.column(0), 1.0, 2.0));
    QVERIFY(edit.ok());
    QCOMPARE(std::get<PinCells>(*edit).cells.size(), std::size_t(2));
}

/// The drawn point goes where it is dragged, and the vector stays in the plane.
void TestVectorSource::movesInItsOwnPlane()
{
    const SnapshotPtr snapshot = example();
    VectorSource source = columnsOf(Stage::Wq, 2, 3);
    source.ownPlane = true;
    const SmallMatrix vectors = *chosenVectors(*snapshot, source, {});
    const SmallMatrix plane = drawnPlane(source, vectors);
    const std::vector<double> moved = movedVector(plane, vectors.column(0), 0.3, 0.4);
    COMPARE_MATRIX(plane.transposed() * moved, (std::vector<double>{0.3, 0.4}), 1e-13);
    COMPARE_MATRIX(plane * (plane.transposed() * moved), moved, 1e-13);
    QVERIFY(std::abs(normOf(moved) - 0.5) <= 1e-13);
}

void TestVectorSource::refusesWhatCannotBeDrawn()
{
    const SnapshotPtr snapshot = example();
    QVERIFY(!chosenVectors(*snapshot, columnsOf(Stage::Xkv, 0, 1), {}).ok());
    QVERIFY(!chosenVectors(*snapshot, {}, "nothing of that name").ok());
    const Result<SmallMatrix> masked = chosenVectors(*snapshot, columnsOf(Stage::Masked, 0, 1), {});
    QVERIFY(masked.ok());
    Experiment causal = snapshot->experiment();
    causal.causal = true;
    const SnapshotPtr hidden = evaluated(std::make_shared<const Experiment>(causal));
    QVERIFY(!chosenVectors(*hidden, columnsOf(Stage::Masked, 1, 2), {}).ok()); // -inf
}

void TestVectorSource::viewOfSpaceIsOrthonormal()
{
    for (const double azimuth : {0.0, 0.7, 3.0})
        for (const double elevation : {0.0, 0.4, -1.5}) {
            const SmallMatrix view = viewOfSpace(azimuth, elevation);
            COMPARE_MATRIX((view.transposed() * view).data, SmallMatrix::identity(2).data, 1e-14);
        }
}

QTEST_APPLESS_MAIN(TestVectorSource)
#include "tst_VectorSource.moc"
