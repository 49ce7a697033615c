#pragma once

#include "engine/StageValues.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <string>

namespace attn {

/// The shortest text that reads back to the same number: float32 values as float32.
std::string numberText(const StageValues &values, Index head, Index row, Index col);

/// A table as text, one line per row, with labels where there are any.
struct DelimitedTable
{
    Index rows = 0;
    Index cols = 0;
    std::function<std::string(Index row, Index col)> cell; ///< numbers; never quoted
    QStringList rowLabels;                                 ///< empty = no label column
    QStringList colLabels;                                 ///< empty = no label row
    QString corner;                                        ///< over the label column
};

/// RFC 4180 with any delimiter; lines end with '\n'. Labels that could be taken for more than one cell, for
/// none, or that begin or end with a blank are quoted.
QString delimitedText(const DelimitedTable &table, QChar delimiter);

} // namespace attn
