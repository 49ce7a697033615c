#include "io/DelimitedText.h"

#include "base/NumberText.h"

#include <algorithm>

namespace attn {

namespace {

QString quotedLabel(const QString &label, QChar delimiter)
{
    const auto isSpecial = [delimiter](QChar c) {
        return c == delimiter || c == u'"' || c == u'\n' || c == u'\r' || c == u'\t' ||
               c == QChar::LineSeparator || c == QChar::ParagraphSeparator;
    };
    const bool needsQuotes = label.isEmpty() || label.front().isSpace() || label.back().isSpace() ||
                             std::any_of(label.begin(), label.end(), isSpecial);
    if (!needsQuotes)
        return label;
    QString escaped = label;
    escaped.replace(u'"', QStringLiteral("\"\""));
    return u'"' + escaped + u'"';
}

} // namespace

std::string numberText(const StageValues &values, Index head, Index row, Index col)
{
    const double value = values.value(head, row, col);
    return values.isSinglePrecision() ? shortestText(static_cast<float>(value)) : shortestText(value);
}

QString delimitedText(const DelimitedTable &table, QChar delimiter)
{
    QString text;
    if (!table.colLabels.isEmpty()) {
        if (!table.rowLabels.isEmpty())
            text += table.corner + delimiter;
        for (Index col = 0; col < table.cols; ++col) {
            if (col > 0)
                text += delimiter;
            text += quotedLabel(table.colLabels.value(col), delimiter);
        }
        text += u'\n';
    }
    for (Index row = 0; row < table.rows; ++row) {
        if (!table.rowLabels.isEmpty())
            text += quotedLabel(table.rowLabels.value(row), delimiter);
        for (Index col = 0; col < table.cols; ++col) {
            if (col > 0 || !table.rowLabels.isEmpty())
                text += delimiter;
            text += QLatin1String(table.cell(row, col));
        }
        text += u'\n';
    }
    return text;
}

} // namespace attn
