#include "io/MatrixText.h"

#include "io/DelimitedText.h"

#include <cmath>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

QString blockNumber(const TextBlock &block, Index row, Index col)
{
    return QString::fromStdString(
        numberText(*block.values, block.head, block.firstRow + row, block.firstCol + col));
}

DelimitedTable tableOf(const TextBlock &block)
{
    return {block.rowCount,
            block.colCount,
            [&block](Index row, Index col) {
                return numberText(*block.values, block.head, block.firstRow + row, block.firstCol + col);
            },
            block.rowLabels,
            block.colLabels,
            QString()};
}

/// A label on one line, without the characters that would end it.
QString oneLine(const QString &label)
{
    QString line;
    for (const QChar c : label)
        line += c == u'\n' || c == u'\r' || c == u'\t' || c == QChar::LineSeparator ? QChar(u' ') : c;
    return line;
}

QString latexLabel(const QString &label)
{
    QString text;
    for (const QChar c : oneLine(label)) {
        if (c == u'\\')
            text += u"\\textbackslash{}"_s;
        else if (c == u'~')
            text += u"\\textasciitilde{}"_s;
        else if (c == u'^')
            text += u"\\textasciicircum{}"_s;
        else if (u"#$%&_{}"_s.contains(c))
            text += QString(u'\\') + c;
        else
            text += c;
    }
    return u"\\text{"_s + text + u'}';
}

/// 1e-05 as 1 \times 10^{-5}; infinities and NaN as symbols.
QString latexNumber(const QString &number)
{
    if (number == u"inf"_s || number == u"-inf"_s)
        return QString(number).replace(u"inf"_s, u"\\infty"_s);
    if (number == u"nan"_s)
        return u"\\mathrm{NaN}"_s;
    const qsizetype exponent = number.indexOf(u'e');
    if (exponent < 0)
        return number;
    return number.left(exponent) + u" \\times 10^{"_s + QString::number(number.mid(exponent + 1).toInt()) +
           u'}';
}

/// Pipes and what Markdown would read as markup.
QString markdownLabel(const QString &label)
{
    QString text;
    for (const QChar c : oneLine(label)) {
        if (u"\\`*_{}[]<>|#~"_s.contains(c))
            text += u'\\';
        text += c;
    }
    return text;
}

QString htmlLabel(const QString &label)
{
    QString text = label.toHtmlEscaped();
    return text.replace(u'\n', u"<br>"_s);
}

} // namespace

QString tsvText(const TextBlock &block)
{
    return delimitedText(tableOf(block), u'\t');
}

QString csvText(const TextBlock &block)
{
    return delimitedText(tableOf(block), u',');
}

QString htmlText(const TextBlock &block)
{
    // Spreadsheets keep the blanks and line breaks of a label only when told to.
    QString html =
        u"<meta charset=\"utf-8\"><style>th{white-space:pre}br{mso-data-placement:same-cell}</style>"
        "<table>\n"_s;
    if (!block.colLabels.isEmpty()) {
        html += block.rowLabels.isEmpty() ? u"<tr>"_s : u"<tr><td></td>"_s;
        for (Index col = 0; col < block.colCount; ++col)
            html += u"<th>"_s + htmlLabel(block.colLabels.value(col)) + u"</th>"_s;
        html += u"</tr>\n"_s;
    }
    for (Index row = 0; row < block.rowCount; ++row) {
        html += u"<tr>"_s;
        if (!block.rowLabels.isEmpty())
            html += u"<th>"_s + htmlLabel(block.rowLabels.value(row)) + u"</th>"_s;
        for (Index col = 0; col < block.colCount; ++col)
            html += u"<td>"_s + blockNumber(block, row, col) + u"</td>"_s;
        html += u"</tr>\n"_s;
    }
    return html + u"</table>\n"_s;
}

QString latexText(const TextBlock &block, const QString &symbol)
{
    const QString lead = symbol.isEmpty() ? QString() : QString(symbol + u" = "_s);
    const bool hasLabels = !block.rowLabels.isEmpty() || !block.colLabels.isEmpty();
    const QString columns = (block.rowLabels.isEmpty() ? u""_s : u"l|"_s) + QString(block.colCount, u'r');
    QString text = lead + (hasLabels ? u"\\begin{array}{"_s + columns + u"}\n"_s : u"\\begin{bmatrix}\n"_s);
    const auto joined = [](const QStringList &cells) {
        return QString(u"  "_s + cells.join(u" & "_s));
    };
    if (!block.colLabels.isEmpty()) {
        QStringList head = block.rowLabels.isEmpty() ? QStringList() : QStringList(QString());
        for (Index col = 0; col < block.colCount; ++col)
            head += latexLabel(block.colLabels.value(col));
        text += joined(head) + u" \\\\ \\hline\n"_s;
    }
    for (Index row = 0; row < block.rowCount; ++row) {
        QStringList cells;
        if (!block.rowLabels.isEmpty())
            cells += latexLabel(block.rowLabels.value(row));
        for (Index col = 0; col < block.colCount; ++col)
            cells += latexNumber(blockNumber(block, row, col));
        text += joined(cells) + (row + 1 < block.rowCount ? u" \\\\\n"_s : u"\n"_s);
    }
    return text + (hasLabels ? u"\\end{array}\n"_s : u"\\end{bmatrix}\n"_s);
}

QString numpyText(const TextBlock &block, const QString &name)
{
    const auto number = [](const QString &text) {
        QString python = text;
        return python.replace(u"inf"_s, u"np.inf"_s).replace(u"nan"_s, u"np.nan"_s);
    };
    QStringList rows;
    for (Index row = 0; row < block.rowCount; ++row) {
        QStringList cells;
        for (Index col = 0; col < block.colCount; ++col)
            cells += number(blockNumber(block, row, col));
        rows += u"    ["_s + cells.join(u", "_s) + u']';
    }
    const QString type = block.values->isSinglePrecision() ? u"np.float32"_s : u"np.float64"_s;
    const QString lead = name.isEmpty() ? QString() : QString(name + u" = "_s);
    // Without rows the literal alone would lose the number of columns.
    if (rows.isEmpty() || block.colCount == 0)
        return lead + u"np.zeros((%1, %2), dtype=%3)\n"_s.arg(block.rowCount).arg(block.colCount).arg(type);
    return lead + u"np.array([\n"_s + rows.join(u",\n"_s) + u",\n], dtype="_s + type + u")\n"_s;
}

QString markdownText(const TextBlock &block)
{
    const bool hasRowLabels = !block.rowLabels.isEmpty();
    const auto line = [](const QStringList &cells) {
        return QString(u"| "_s + cells.join(u" | "_s) + u" |\n"_s);
    };
    QStringList head = hasRowLabels ? QStringList(QString()) : QStringList();
    QStringList rule = hasRowLabels ? QStringList(u"---"_s) : QStringList();
    for (Index col = 0; col < block.colCount; ++col) {
        head += markdownLabel(block.colLabels.value(col));
        rule += u"---:"_s;
    }
    QString text = line(head) + line(rule);
    for (Index row = 0; row < block.rowCount; ++row) {
        QStringList cells;
        if (hasRowLabels)
            cells += markdownLabel(block.rowLabels.value(row));
        for (Index col = 0; col < block.colCount; ++col)
            cells += blockNumber(block, row, col);
        text += line(cells);
    }
    return text;
}

} // namespace attn
