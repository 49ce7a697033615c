#pragma once

#include "base/Result.h"
#include "engine/StageValues.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace attn {

/// A block of cells as text for the clipboard: full precision, shortest form that reads back the same.
struct TextBlock
{
    StageValuesPtr values;
    Index head = 0;
    Index firstRow = 0, firstCol = 0, rowCount = 0, colCount = 0;
    QStringList rowLabels; ///< empty = without labels
    QStringList colLabels;
};

QString tsvText(const TextBlock &block);
QString csvText(const TextBlock &block);
QString htmlText(const TextBlock &block);
QString latexText(const TextBlock &block, const QString &symbol);
QString numpyText(const TextBlock &block, const QString &name);
QString markdownText(const TextBlock &block);

/// A pasted block: TSV, CSV, semicolons with comma decimals, or blanks. A label row or column is recognised.
struct PastedBlock
{
    Index rows = 0;
    Index cols = 0;
    std::vector<double> values;
    std::vector<QString> rowLabels;
    std::vector<QString> colLabels;
};
/// Errors name the cell: "row 2, column 2: 'four' is not a number". Never writes 0 for what it cannot read.
Result<PastedBlock> parsePastedText(const QString &text);

} // namespace attn
