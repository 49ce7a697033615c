#pragma once

#include "render/scenes/SceneDraft.h"

#include <QString>
#include <QStringList>

#include <span>
#include <string>
#include <vector>

namespace attn {

/// At most four significant digits, with a real minus sign: "−0.5".
QString labNumber(double value);
/// "(3, 6)"; long ones show their first numbers.
QString tupleText(std::span<const double> numbers);
/// A factor in front of a symbol or a tuple, in brackets where it is negative: "2", "(−1)".
QString bracketedFactor(double factor);
/// "v₁": a letter with a lowered number, 0 to 99.
QString subscripted(const QString &letter, Index number);

/// What a statement rests on; written beside each.
enum class StatementKind
{
    Convention,  ///< could be otherwise; agreed on
    Definition,  ///< says what a word means
    Consequence, ///< follows from the definitions
};

struct Statement
{
    StatementKind kind = StatementKind::Definition;
    QString title;
    QStringList lines;    ///< with numbers
    QString reason;       ///< small, below; may be empty
    bool isAlert = false; ///< the reason is a warning
};

QString statementKindText(StatementKind kind);

/// Adds a statement at `corner`; returns where it ends, with the gap to the next.
double addStatement(SceneDraft &draft, const QPointF &corner, double width, const Statement &statement);

/// "…" beside a row of cells that shows only the first numbers of what it is.
void addMoreMark(SceneDraft &draft, const QRectF &cells);

/// The first `cols` columns of some rows of a scratch matrix, editable.
SceneMap labCells(const SceneDraft &draft, const std::string &lab, Index row, Index rows, Index cols,
                  const QRectF &rect);

} // namespace attn
