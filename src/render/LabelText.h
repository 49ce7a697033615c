#pragma once

#include <QFontMetricsF>
#include <QString>

namespace attn {

/// A token label as it is drawn: on one line, visible even when empty or blank; line breaks, tabs, leading
/// and trailing spaces and control characters shown by signs. The raw text stays in the document.
QString visibleLabel(const QString &raw);

/// visibleLabel shortened to a width with an ellipsis; never splits a grapheme.
QString fittedLabel(const QString &raw, const QFontMetricsF &metrics, double width);

} // namespace attn
