#include "render/scenes/lab/VectorStatements.h"

#include "engine/lab/StandardLabs.h"

#include <QCoreApplication>

namespace attn {

namespace {

QString vectorSymbol(Index index)
{
    return subscripted(QStringLiteral("v"), index + 1);
}

QString coefficientSymbol(Index index)
{
    return subscripted(QStringLiteral("x"), index + 1);
}

/// "2·v₁ + (−1)·v₂"; factors of 1 are left out.
QString symbolSum(std::span<const double> factors, std::span<const Index> vectors)
{
    QStringList terms;
    for (std::size_t i = 0; i < vectors.size(); ++i)
        // As shown: a fitted factor may be 1 but for its rounding.
        terms.append(
            labNumber(factors[i]) == QStringLiteral("1")
                ? vectorSymbol(vectors[i])
                : QString(bracketedFactor(factors[i]) + QStringLiteral("·") + vectorSymbol(vectors[i])));
    return terms.join(QStringLiteral(" + "));
}

std::vector<Index> allIndices(Index count)
{
    std::vector<Index> indices;
    for (Index i = 0; i < count; ++i)
        indices.push_back(i);
    return indices;
}

QStringList valueTexts(std::span<const double> values)
{
    QStringList texts;
    for (const double value : values)
        texts.append(labNumber(value));
    return texts;
}

Statement columnConvention(const VectorsInView &view)
{
    Statement statement;
    statement.kind = StatementKind::Convention;
    statement.title =
        QCoreApplication::translate("Scene", "A vector is a column of %1 numbers").arg(view.vectors.rows);
    QStringList names;
    for (Index i = 0; i < view.vectors.cols; ++i)
        names.append(QString(vectorSymbol(i) + QStringLiteral(" = ") + tupleText(view.vectors.column(i))));
    statement.lines.append(names.join(QStringLiteral(",  ")));
    statement.reason =
        QCoreApplication::translate("Scene", "Drawn as an arrow from the origin; written on one line here.");
    return statement;
}

Statement scalingStatement(const VectorsInView &view)
{
    Statement statement;
    statement.title = QCoreApplication::translate("Scene", "Scaling: every number times the same factor");
    for (Index i = 0; i < view.vectors.cols; ++i) {
        const double x = view.coefficients[std::size_t(i)];
        const std::vector<double> v = view.vectors.column(i);
        statement.lines.append(QStringLiteral("%1·%2 = %3·%4 = %5")
                                   .arg(coefficientSymbol(i), vectorSymbol(i), labNumber(x), tupleText(v),
                                        tupleText(scaled(x, v))));
    }
    return statement;
}

Statement addingStatement(const VectorsInView &view)
{
    Statement statement;
    statement.title = QCoreApplication::translate("Scene", "Adding: number by number, head to tail");
    QStringList names;
    QStringList tuples;
    std::vector<double> sum(std::size_t(view.vectors.rows), 0.0);
    for (Index i = 0; i < view.vectors.cols; ++i) {
        names.append(vectorSymbol(i));
        tuples.append(tupleText(view.vectors.column(i)));
        sum = added(sum, view.vectors.column(i));
    }
    statement.lines.append(
        QStringLiteral("%1 = %2 = %3")
            .arg(names.join(QStringLiteral(" + ")), tuples.join(QStringLiteral(" + ")), tupleText(sum)));
    return statement;
}

Statement combinationStatement(const VectorsInView &view)
{
    Statement statement;
    statement.title = QCoreApplication::translate("Scene", "Linear combination: scale each, then add");
    QStringList tuples;
    for (Index i = 0; i < view.vectors.cols; ++i)
        tuples.append(tupleText(scaled(view.coefficients[std::size_t(i)], view.vectors.column(i))));
    const std::vector<Index> all = allIndices(view.vectors.cols);
    statement.lines.append(QStringLiteral("%1 = %2 = %3")
                               .arg(symbolSum(view.coefficients, all), tuples.join(QStringLiteral(" + ")),
                                    tupleText(combination(view.vectors, view.coefficients))));
    return statement;
}

QString spanName(const SpanFacts &facts)
{
    switch (facts.rank) {
    case 0:
        return QCoreApplication::translate("Scene", "The span is the origin alone");
    case 1:
        return QCoreApplication::translate("Scene", "The span is a line through the origin");
    case 2:
        return facts.dimension == 2
                   ? QCoreApplication::translate("Scene", "The span is the whole plane")
                   : QCoreApplication::translate("Scene", "The span is a plane through the origin");
    default:
        return facts.dimension == 3
                   ? QCoreApplication::translate("Scene", "The span is all of space")
                   : QCoreApplication::translate("Scene", "The span has %1 dimensions").arg(facts.rank);
    }
}

Statement spanStatement(const VectorsInView &view)
{
    const SpanFacts &facts = view.facts;
    Statement statement;
    statement.kind = StatementKind::Consequence;
    statement.title = spanName(facts);
    statement.lines.append(QCoreApplication::translate("Scene", "rank %1; singular values: %2")
                               .arg(facts.rank)
                               .arg(valueTexts(facts.singularValues).join(QStringLiteral(", "))));
    statement.reason = QCoreApplication::translate(
        "Scene", "The span is all that combinations reach. The rank counts the singular values above 10⁻¹⁰ "
                 "of the largest one, once the vectors are brought to one size.");
    return statement;
}

Statement independenceStatement(const VectorsInView &view)
{
    const SpanFacts &facts = view.facts;
    Statement statement;
    statement.title = facts.isIndependent() ? QCoreApplication::translate("Scene", "Independent")
                                            : QCoreApplication::translate("Scene", "Not independent");
    for (const VectorRelation &relation : facts.relations) {
        const QString sum = relation.pivots.empty()
                                ? tupleText(std::vector<double>(std::size_t(facts.dimension), 0.0))
                                : symbolSum(relation.coefficients, relation.pivots);
        statement.lines.append(QString(vectorSymbol(relation.index) + QStringLiteral(" = ") + sum));
    }
    if (facts.isIndependent() && facts.count == 1)
        statement.lines.append(QCoreApplication::translate("Scene", "rank 1 = one vector, and it is not 0"));
    else if (facts.isIndependent())
        statement.lines.append(
            QCoreApplication::translate("Scene", "rank %1 = %1 vectors: none is a combination of the others")
                .arg(facts.rank));
    else
        statement.reason =
            QCoreApplication::translate("Scene", "rank %1 < %2 vectors: one of them adds nothing new")
                .arg(facts.rank)
                .arg(facts.count);
    return statement;
}

Statement basisStatement(const VectorsInView &view)
{
    const SpanFacts &facts = view.facts;
    Statement statement;
    if (facts.isBasis()) {
        statement.title =
            QCoreApplication::translate("Scene", "A basis of the %1 dimensions").arg(facts.dimension);
        statement.lines.append(
            QCoreApplication::translate("Scene", "independent, and as many as dimensions: every point is "
                                                 "reached, in exactly one way"));
    } else {
        statement.title =
            QCoreApplication::translate("Scene", "Not a basis of the %1 dimensions").arg(facts.dimension);
        statement.lines.append(
            facts.spansSpace()
                ? QCoreApplication::translate("Scene", "every point is reached, but in more than one way")
            : facts.isIndependent()
                ? QCoreApplication::translate("Scene", "rank %1: not every point is reached").arg(facts.rank)
                : QCoreApplication::translate("Scene",
                                              "not independent, and rank %1: not every point is reached")
                      .arg(facts.rank));
    }
    if (facts.determinant)
        statement.reason =
            QCoreApplication::translate("Scene", "determinant %1").arg(labNumber(*facts.determinant));
    return statement;
}

QString targetSum(const VectorsInView &view)
{
    const std::vector<Index> all = allIndices(view.vectors.cols);
    return symbolSum(view.reach.coefficients, all);
}

Statement targetStatement(const VectorsInView &view)
{
    Statement statement;
    statement.kind = StatementKind::Consequence;
    const QString target = tupleText(view.target);
    const Reach &reach = view.reach;
    statement.title =
        !reach.isReachable ? QCoreApplication::translate("Scene", "The target t = %1 is not reachable")
        : reach.isUnique
            ? QCoreApplication::translate("Scene", "Coordinates of the target t = %1")
            : QCoreApplication::translate("Scene", "The target t = %1 is reached in infinitely many ways");
    statement.title = statement.title.arg(target);
    if (reach.isReachable && reach.isUnique)
        statement.lines.append(
            QCoreApplication::translate("Scene", "t = %1: in exactly one way").arg(targetSum(view)));
    else if (reach.isReachable)
        statement.lines.append(
            QCoreApplication::translate("Scene", "one of them, the shortest: t = %1").arg(targetSum(view)));
    else
        statement.lines.append(
            QCoreApplication::translate("Scene", "residual %1; the nearest point reached is %2 = %3")
                .arg(labNumber(reach.distance), tupleText(reach.closest), targetSum(view)));
    QStringList terms;
    for (std::size_t i = 0; i < view.target.size(); ++i)
        terms.append(QString(bracketedFactor(view.target[i]) + QStringLiteral("·") +
                             subscripted(QStringLiteral("e"), Index(i) + 1)));
    if (!view.source.isScratch())
        statement.reason = QCoreApplication::translate(
            "Scene", "t is a point of the picture: it is measured against the vectors as they are drawn.");
    else
        statement.reason = QCoreApplication::translate(
                               "Scene", "In the standard basis t's coordinates are its own numbers: t = %1")
                               .arg(terms.join(QStringLiteral(" + ")));
    return statement;
}

std::vector<double> firstNumbers(const Tensor &matrix, Index count)
{
    std::vector<double> numbers(std::size_t(count), 0.0);
    for (Index i = 0; i < count && !matrix.isNull() && i < matrix.rows(); ++i)
        numbers[std::size_t(i)] = matrix.at(i, 0);
    return numbers;
}

} // namespace

std::vector<std::vector<double>> VectorsInView::path() const
{
    std::vector<std::vector<double>> sums = {std::vector<double>(std::size_t(vectors.rows), 0.0)};
    for (Index i = 0; i < vectors.cols; ++i)
        sums.push_back(added(sums.back(), vectors.column(i), coefficients[std::size_t(i)]));
    return sums;
}

VectorsInView vectorsInView(const Snapshot &snapshot, const VectorSource &source, SmallMatrix vectors,
                            SmallMatrix drawn)
{
    const Experiment &experiment = snapshot.experiment();
    VectorsInView view;
    view.source = source;
    view.points = drawn.transposed() * vectors;
    view.coefficients = firstNumbers(experiment.lab(standardLab::coefficients), vectors.cols);
    view.facts = spanFacts(vectors);
    view.target = firstNumbers(experiment.lab(standardLab::target), source.isScratch() ? vectors.rows : 2);
    view.reach = reachOf(source.isScratch() ? vectors : view.points, view.target);
    view.vectors = std::move(vectors);
    view.drawn = std::move(drawn);
    return view;
}

std::vector<Statement> vectorStatements(const VectorsInView &view)
{
    std::vector<Statement> statements = {columnConvention(view), scalingStatement(view)};
    if (view.vectors.cols > 1)
        statements.push_back(addingStatement(view));
    statements.push_back(combinationStatement(view));
    statements.push_back(spanStatement(view));
    statements.push_back(independenceStatement(view));
    statements.push_back(basisStatement(view));
    statements.push_back(targetStatement(view));
    return statements;
}

} // namespace attn
