#include "render/scenes/lab/MapStatements.h"

#include "engine/lab/Span.h"
#include "engine/lab/StandardLabs.h"

#include <QCoreApplication>

#include <cmath>
#include <numbers>

namespace attn {

namespace {

QString degreesText(double radians)
{
    return labNumber(radians * 180.0 / std::numbers::pi) + QStringLiteral("°");
}

QString axisText(const MapKind &kind)
{
    return tupleText(kind.axis);
}

QString checkMark(bool holds)
{
    return holds ? QStringLiteral("✓") : QStringLiteral("✗");
}

Statement columnsConvention(const MapsInView &view)
{
    Statement statement;
    statement.kind = StatementKind::Convention;
    statement.title = QCoreApplication::translate("Scene", "A matrix lists where e₁ and e₂ go, as columns");
    statement.lines.append(QStringLiteral("e₁ → a₁ = %1,  e₂ → a₂ = %2")
                               .arg(tupleText(view.A.column(0)), tupleText(view.A.column(1))));
    statement.reason = QCoreApplication::translate(
        "Scene", "Known on the basis, a linear map is known everywhere. Attention writes tokens as rows and "
                 "multiplies from the right: then rows of the matrix are the images.");
    return statement;
}

Statement weightedColumns(const MapsInView &view)
{
    Statement statement;
    statement.kind = StatementKind::Consequence;
    statement.title = QCoreApplication::translate("Scene", "Matrix times vector: columns weighted and added");
    const std::vector<double> image = view.A * view.u;
    statement.lines.append(QStringLiteral("A·u = %1·%2 + %3·%4 = %5")
                               .arg(bracketedFactor(view.u[0]), tupleText(view.A.column(0)),
                                    bracketedFactor(view.u[1]), tupleText(view.A.column(1)),
                                    tupleText(image)));
    statement.reason =
        QCoreApplication::translate("Scene",
                                    "Row times column gives the same: first number %1·%2 + %3·%4 = %5")
            .arg(bracketedFactor(view.A.at(0, 0)), bracketedFactor(view.u[0]),
                 bracketedFactor(view.A.at(0, 1)), bracketedFactor(view.u[1]), labNumber(image[0]));
    return statement;
}

Statement linearityStatement(const MapsInView &view)
{
    const LinearityCheck check = linearityCheck(view.A, view.u, view.v, view.c);
    Statement statement;
    statement.title = QCoreApplication::translate("Scene", "Linear: two conditions, here with u, v and c");
    statement.lines.append(QStringLiteral("T(u + v) = %1;  T(u) + T(v) = %2 + %3 = %4 %5")
                               .arg(tupleText(check.mapOfSum), tupleText(view.A * view.u),
                                    tupleText(view.A * view.v), tupleText(check.sumOfMaps),
                                    checkMark(check.holds)));
    statement.lines.append(QStringLiteral("T(c·u) = %1;  c·T(u) = %2·%3 = %4 %5")
                               .arg(tupleText(check.mapOfScaled), labNumber(view.c),
                                    tupleText(view.A * view.u), tupleText(check.scaledMap),
                                    checkMark(check.holds)));
    statement.reason = QCoreApplication::translate(
        "Scene", "So grid lines stay straight, parallel and evenly spaced, and the origin stays.");
    return statement;
}

Statement determinantStatement(const MapsInView &view)
{
    const MapFacts facts = mapFacts(view.A);
    const double determinant = facts.determinant.value_or(0.0);
    Statement statement;
    statement.title = QCoreApplication::translate("Scene", "Determinant %1").arg(labNumber(determinant));
    statement.lines.append(
        facts.orientation == 0
            ? QCoreApplication::translate("Scene", "areas become 0: the plane is flattened")
        : facts.orientation > 0
            ? QCoreApplication::translate("Scene", "areas times %1, orientation kept")
                  .arg(labNumber(determinant))
            : QCoreApplication::translate("Scene", "areas times %1, the plane is turned over")
                  .arg(labNumber(std::abs(determinant))));
    return statement;
}

Statement rankStatement(const MapsInView &view)
{
    const MapFacts facts = mapFacts(view.A);
    Statement statement;
    statement.kind = StatementKind::Consequence;
    statement.title =
        facts.rank == 2
            ? QCoreApplication::translate("Scene", "Rank 2: every point is reached, A can be undone")
        : facts.rank == 1 ? QCoreApplication::translate("Scene", "Rank 1: everything lands on one line")
                          : QCoreApplication::translate("Scene", "Rank 0: everything lands on the origin");
    statement.lines.append(QCoreApplication::translate("Scene", "singular values: %1, %2")
                               .arg(labNumber(facts.singularValues[0]), labNumber(facts.singularValues[1])));
    statement.reason = QCoreApplication::translate(
        "Scene", "The rank counts the singular values above 10⁻¹⁰ of the largest one, once the columns are "
                 "brought to one size.");
    return statement;
}

Statement kindStatement(const MapsInView &view)
{
    Statement statement;
    statement.kind = StatementKind::Consequence;
    statement.title = mapKindText(kindOfMap(view.A));
    const MapFacts facts = mapFacts(view.A);
    if (facts.eigenvaluesImag[0] == 0.0)
        statement.lines.append(
            QCoreApplication::translate("Scene", "eigenvalues: %1, %2")
                .arg(labNumber(facts.eigenvaluesReal[0]), labNumber(facts.eigenvaluesReal[1])));
    else
        statement.lines.append(
            QCoreApplication::translate("Scene", "no direction stays: eigenvalues %1 ± %2·i")
                .arg(labNumber(facts.eigenvaluesReal[0]), labNumber(std::abs(facts.eigenvaluesImag[0]))));
    statement.reason = QCoreApplication::translate("Scene", "Recognised from the four numbers, within 10⁻⁹.");
    return statement;
}

std::vector<double> labColumn(const Tensor &matrix, Index col)
{
    return {matrix.at(0, col), matrix.at(1, col)};
}

bool hasShape(const Tensor &matrix, Index rows, Index cols)
{
    return !matrix.isNull() && matrix.rows() == rows && matrix.cols() == cols &&
           SmallMatrix::of(matrix).isFinite();
}

} // namespace

Result<MapsInView> mapsInView(const Snapshot &snapshot, const VectorSource &source)
{
    VectorSource wanted = insideStage(source, snapshot);
    wanted.dimension = 2;
    wanted.count = 2;
    wanted.ownPlane = false;
    const Result<SmallMatrix> columns = chosenVectors(snapshot, wanted, standardLab::mapA);
    if (!columns)
        return columns.error();
    const Experiment &experiment = snapshot.experiment();
    const Tensor &B = experiment.lab(standardLab::mapB);
    const Tensor &inputs = experiment.lab(standardLab::inputs);
    const Tensor &factor = experiment.lab(standardLab::factor);
    if (!hasShape(B, 2, 2) || !hasShape(inputs, 2, 2) || !hasShape(factor, 1, 1))
        return Error{ErrorCode::ShapeMismatch, "map B and u v: expected 2×2 finite numbers, c: one"};
    MapsInView view;
    view.source = wanted;
    view.A = drawnPlane(wanted, *columns).transposed() * *columns;
    view.B = SmallMatrix::of(B);
    view.u = labColumn(inputs, 0);
    view.v = labColumn(inputs, 1);
    view.c = factor.at(0, 0);
    return view;
}

QString mapKindText(const MapKind &kind)
{
    switch (kind.kind) {
    case MapKind::Kind::Identity:
        return QCoreApplication::translate("Scene", "The identity: nothing moves");
    case MapKind::Kind::Zero:
        return QCoreApplication::translate("Scene", "Zero: everything goes to the origin");
    case MapKind::Kind::Rotation:
        return QCoreApplication::translate("Scene", "A rotation by %1").arg(degreesText(kind.angle));
    case MapKind::Kind::UniformScale:
        return QCoreApplication::translate("Scene", "A stretch by %1 in every direction")
            .arg(labNumber(kind.factor));
    case MapKind::Kind::RotateScale:
        return QCoreApplication::translate("Scene", "A rotation by %1 and a stretch by %2")
            .arg(degreesText(kind.angle), labNumber(kind.factor));
    case MapKind::Kind::Stretch:
        return QCoreApplication::translate("Scene", "A stretch by %1 along %2 and %3 across it")
            .arg(labNumber(kind.factor), axisText(kind), labNumber(kind.otherFactor));
    case MapKind::Kind::Shear:
        return QCoreApplication::translate("Scene", "A shear along %1 by %2")
            .arg(axisText(kind), labNumber(kind.factor));
    case MapKind::Kind::Reflection:
        return QCoreApplication::translate("Scene", "A reflection across the line along %1")
            .arg(axisText(kind));
    case MapKind::Kind::Projection:
        return (kind.isOblique
                    ? QCoreApplication::translate("Scene", "A slanted projection onto the line along %1")
                    : QCoreApplication::translate("Scene", "A projection onto the line along %1"))
            .arg(axisText(kind));
    case MapKind::Kind::Collapse:
        return QCoreApplication::translate("Scene", "Everything is pressed onto the line along %1")
            .arg(axisText(kind));
    case MapKind::Kind::General:
        break;
    }
    return QCoreApplication::translate("Scene", "None of the simple kinds alone");
}

std::vector<Statement> mapStatements(const MapsInView &view)
{
    return {columnsConvention(view),    weightedColumns(view), linearityStatement(view),
            determinantStatement(view), rankStatement(view),   kindStatement(view)};
}

std::vector<Statement> compositionStatements(const MapsInView &view)
{
    const CompositionFacts facts = compositionFacts(view.A, view.B);
    Statement order;
    order.title = QCoreApplication::translate("Scene", "AB means: first B, then A");
    order.lines.append(
        QCoreApplication::translate("Scene", "column 1 of AB is A times column 1 of B: A·%1 = %2")
            .arg(tupleText(view.B.column(0)), tupleText(view.A * view.B.column(0))));
    order.lines.append(
        QCoreApplication::translate("Scene", "column 2 of AB is A times column 2 of B: A·%1 = %2")
            .arg(tupleText(view.B.column(1)), tupleText(view.A * view.B.column(1))));
    Statement grouping;
    grouping.kind = StatementKind::Consequence;
    grouping.title = QCoreApplication::translate("Scene", "(AB)·u = A·(B·u)");
    grouping.lines.append(QStringLiteral("(AB)·u = %1;  A·(B·u) = A·%2 = %3")
                              .arg(tupleText(facts.AB * view.u), tupleText(view.B * view.u),
                                   tupleText(view.A * (view.B * view.u))));
    Statement commuting;
    commuting.kind = StatementKind::Consequence;
    commuting.title = facts.commute
                          ? QCoreApplication::translate("Scene", "These two can be exchanged: AB = BA")
                          : QCoreApplication::translate("Scene", "The order matters: AB ≠ BA");
    commuting.lines.append(QCoreApplication::translate("Scene", "A: %1").arg(mapKindText(kindOfMap(view.A))));
    commuting.lines.append(QCoreApplication::translate("Scene", "B: %1").arg(mapKindText(kindOfMap(view.B))));
    commuting.reason = QCoreApplication::translate("Scene", "length of AB − BA as a list of numbers: %1")
                           .arg(labNumber(facts.differenceNorm));
    return {order, commuting, grouping};
}

std::vector<Statement> factorStatements(const MapsInView &view)
{
    const RotateStretchRotate factors = rotateStretchRotate(view.A);
    Statement steps;
    steps.kind = StatementKind::Consequence;
    steps.title = QCoreApplication::translate("Scene", "Every map is rotate, stretch, rotate");
    steps.lines.append(
        QCoreApplication::translate("Scene", "1. rotate by %1").arg(degreesText(factors.firstAngle)));
    steps.lines.append(QCoreApplication::translate("Scene", "2. stretch by %1 to the right and %2 upwards")
                           .arg(labNumber(factors.stretch[0]), labNumber(factors.stretch[1])));
    steps.lines.append(
        QCoreApplication::translate("Scene", "3. rotate by %1").arg(degreesText(factors.secondAngle)));
    steps.reason = QCoreApplication::translate(
        "Scene", "The singular value decomposition, A = U Σ Vᵀ: first Vᵀ, then Σ, then U. The circle becomes "
                 "an ellipse with the stretches as half axes.");
    Statement sign;
    sign.kind = StatementKind::Convention;
    sign.title = QCoreApplication::translate("Scene", "Both rotations are true ones");
    sign.lines.append(
        factors.stretch[1] < 0.0
            ? QCoreApplication::translate("Scene",
                                          "A turns the plane over, so the second stretch is negative; the "
                                          "singular value is its size.")
            : QCoreApplication::translate(
                  "Scene", "A mirror, where there is one, is written into the second stretch as "
                           "a minus sign."));
    return {steps, sign, determinantStatement(view), rankStatement(view), kindStatement(view)};
}

} // namespace attn
