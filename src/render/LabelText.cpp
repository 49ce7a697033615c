#include "render/LabelText.h"

#include "base/VisibleLabel.h"

#include <QList>
#include <QTextBoundaryFinder>

#include <string>
#include <vector>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr char16_t ellipsis = u'\u2026';

} // namespace

QString visibleLabel(const QString &raw)
{
    const QList<uint> codePoints = raw.toUcs4();
    const std::u32string visible = visibleLabel(std::u32string(codePoints.begin(), codePoints.end()));
    return QString::fromUcs4(visible.data(), static_cast<qsizetype>(visible.size()));
}

QString placedLabel(qsizetype index, const QString &raw)
{
    return raw == QString::number(index) ? raw : u"%1: %2"_s.arg(index + 1).arg(visibleLabel(raw));
}

QString fittedLabel(const QString &raw, const std::function<double(const QString &)> &widthOf, double width)
{
    const QString label = visibleLabel(raw);
    if (widthOf(label) <= width)
        return label;
    std::vector<qsizetype> boundaries;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, label);
    for (qsizetype position = 0; position >= 0; position = finder.toNextBoundary())
        boundaries.push_back(position);
    const auto shortened = [&label](qsizetype length) {
        return QString(label.left(length) % QChar(ellipsis));
    };
    // The longest beginning that fits; boundaries[0] = 0 stands for the ellipsis alone.
    std::size_t low = 0;
    std::size_t high = boundaries.size();
    while (high - low > 1) {
        const std::size_t middle = (low + high) / 2;
        if (widthOf(shortened(boundaries[middle])) <= width)
            low = middle;
        else
            high = middle;
    }
    const QString text = shortened(boundaries[low]);
    return low == 0 && widthOf(text) > width ? QString() : text;
}

} // namespace attn
