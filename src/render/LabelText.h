#pragma once

#include <QString>

#include <functional>

namespace attn {

/// A token label as it is drawn: on one line, visible even when empty or blank; line breaks, tabs, leading
/// and trailing spaces and control characters shown by signs. The raw text stays in the document.
QString visibleLabel(const QString &raw);

/// "44: word", the place counted from 1, for lists too long to see where in them one is. The label alone
/// where it is only the number that stands for a text there is none of: "43" is not "44: 43".
QString placedLabel(qsizetype index, const QString &raw);

/// visibleLabel shortened to a width with an ellipsis; never splits a grapheme. widthOf: of a text
QString fittedLabel(const QString &raw, const std::function<double(const QString &)> &widthOf, double width);

} // namespace attn
