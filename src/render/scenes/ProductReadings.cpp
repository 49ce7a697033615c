#include "render/scenes/ProductReadings.h"

#include "render/scenes/ProductText.h"

namespace attn {

namespace {

/// "a₁₂": an entry of a matrix, counted from 1.
QString entryLetter(QChar matrix, Index row, Index col)
{
    const bool isLong = row >= 9 || col >= 9;
    QString indices = QStringLiteral("%1%2%3").arg(row + 1).arg(isLong ? u"," : u"").arg(col + 1);
    for (QChar &digit : indices)
        if (digit.isDigit())
            digit = QChar(0x2080 + digit.digitValue());
    return QString(matrix + indices);
}

QString ofProjection(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr(
            "Column k of the weights asks one question of every token; the cell is how strongly "
            "token i answers it.");
    case ProductViewKind::Column:
        return ProductText::tr(
            "Feature k of all tokens at once: a mix of the input features, by the recipe in column k "
            "of the weights.");
    case ProductViewKind::Row:
        return ProductText::tr(
            "Token i alone makes row i: no other token takes part, and all tokens share the weights.");
    case ProductViewKind::Outer:
        return ProductText::tr(
            "Layer j is what input feature j brings to all tokens; the layers lie on top of each other.");
    }
    return {};
}

QString ofScores(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr(
            "What token i looks for against what token k offers: large where they point the same way. "
            "The features vanish in the sum.");
    case ProductViewKind::Column:
        return ProductText::tr(
            "How all queries meet the key of token k: the columns of Q, weighted by that key.");
    case ProductViewKind::Row:
        return ProductText::tr(
            "How query i meets all keys: the rows of the transposed keys, weighted by that query.");
    case ProductViewKind::Outer:
        return ProductText::tr("Layer j is the part of all scores that feature j makes.");
    }
    return {};
}

QString ofMixing(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr(
            "Feature k of the output of token i: that feature of every token, weighted by attention. "
            "The tokens vanish in the sum.");
    case ProductViewKind::Column:
        return ProductText::tr(
            "Feature k of all outputs: the columns of A, weighted by feature k of the values.");
    case ProductViewKind::Row:
        return ProductText::tr(
            "The output of token i is a mix of the value rows; row i of A holds the shares.");
    case ProductViewKind::Outer:
        return ProductText::tr(
            "Layer j is the footprint of token j: its value, put into every row by how much that row "
            "attends to it.");
    }
    return {};
}

QString ofOutput(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr(
            "Output feature k of token i: all heads' features of that token, weighted by column k.");
    case ProductViewKind::Column:
        return ProductText::tr("Output feature k of all tokens: a mix of the heads' features.");
    case ProductViewKind::Row:
        return ProductText::tr(
            "The heads of token i, side by side, pass through the weights together: here they mix.");
    case ProductViewKind::Outer:
        return ProductText::tr("Layer j is what one feature of one head adds to the output.");
    }
    return {};
}

QString ofHeadsPart(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr(
            "What this head adds to output feature k of token i: its features of that token, "
            "weighted by its rows of column k.");
    case ProductViewKind::Column:
        return ProductText::tr(
            "What this head adds to output feature k of all tokens: a mix of its features.");
    case ProductViewKind::Row:
        return ProductText::tr(
            "This head's features of token i pass through its own rows of the weights; the other "
            "heads add theirs.");
    case ProductViewKind::Outer:
        return ProductText::tr("Layer j is what one feature of this head adds to the output.");
    }
    return {};
}

QString ofAny(ProductViewKind view)
{
    switch (view) {
    case ProductViewKind::Inner:
        return ProductText::tr("How well row i and column k agree (similarity, projection).");
    case ProductViewKind::Column:
        return ProductText::tr("Column k lies in the column space of the left; the right holds the recipe.");
    case ProductViewKind::Row:
        return ProductText::tr("Row i lies in the row space of the right; the left holds the mix.");
    case ProductViewKind::Outer:
        return ProductText::tr(
            "A sum of layers; every column of a layer is a multiple of one column, every row a "
            "multiple of one row.");
    }
    return {};
}

} // namespace

QString productLetters(const CellTerms &terms, Index row, Index col)
{
    QStringList parts;
    for (const ProductTerm &term : terms.terms)
        parts.append(QString(entryLetter(u'a', row, term.j) + entryLetter(u'b', term.j, col)));
    if (terms.restCount > 0)
        parts.append(QStringLiteral("…"));
    return QStringLiteral("%1 = %2").arg(entryLetter(u'c', row, col), parts.join(QStringLiteral(" + ")));
}

QString productReading(const Product &product, ProductViewKind view)
{
    switch (product.kind) {
    case ProductKind::Query:
    case ProductKind::Key:
    case ProductKind::Value:
        return ofProjection(view);
    case ProductKind::Scores:
        return ofScores(view);
    case ProductKind::HeadOut:
        return ofMixing(view);
    case ProductKind::Output:
        return product.head < 0 ? ofOutput(view) : ofHeadsPart(view);
    case ProductKind::Free:
        break;
    }
    return ofAny(view);
}

} // namespace attn
