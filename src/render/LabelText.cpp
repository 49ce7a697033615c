#include "render/LabelText.h"

#include <QList>
#include <QTextBoundaryFinder>

#include <vector>

namespace attn {

namespace {

constexpr char16_t spaceSign = u'\u2423';     // open box
constexpr char16_t wideSpaceSign = u'\u237d'; // shouldered open box: any other blank
constexpr char16_t lineBreakSign = u'\u21b5';
constexpr char16_t carriageReturnSign = u'\u21e4';
constexpr char16_t tabSign = u'\u21e5';
constexpr char16_t emptySign = u'\u2205';
constexpr char16_t ellipsis = u'\u2026';
constexpr char16_t bytePairSpace = u'\u0120'; // how byte-level tokenizers write a space
constexpr char16_t sentencePieceSpace = u'\u2581';
constexpr char16_t bytePairLineBreak = u'\u010a';

bool isBlank(QChar character)
{
    return character.category() == QChar::Separator_Space;
}

QChar blankSign(QChar character)
{
    return character == u' ' ? spaceSign : wideSpaceSign;
}

QString codePointSign(char32_t codePoint)
{
    return u"\u27e8U+" % QString::number(static_cast<uint>(codePoint), 16).toUpper().rightJustified(4, u'0') %
           u"\u27e9";
}

/// Joiners and emoji tags belong to a grapheme; every other format character is invisible on its own.
bool shapesGrapheme(char32_t codePoint)
{
    return codePoint == 0x200c || codePoint == 0x200d || (codePoint >= 0xe0020 && codePoint <= 0xe007f);
}

QString visibleCharacter(char32_t codePoint)
{
    if (codePoint == U'\n' || codePoint == 0x2028 || codePoint == 0x2029)
        return QString(QChar(lineBreakSign));
    if (codePoint == U'\t')
        return QString(QChar(tabSign));
    if (codePoint == U'\r')
        return QString(QChar(carriageReturnSign));
    const QChar::Category category = QChar::category(codePoint);
    if (category == QChar::Other_Surrogate)
        return QString(QChar(QChar::ReplacementCharacter));
    if (category == QChar::Other_Control || (category == QChar::Other_Format && !shapesGrapheme(codePoint)))
        return codePointSign(codePoint);
    return QString::fromUcs4(&codePoint, 1);
}

/// Leading space markers of tokenizers, and labels of nothing but line break markers; returns how many
/// characters they took.
qsizetype appendMarkers(const QString &raw, QString &result)
{
    qsizetype count = 0;
    bool onlyLineBreaks = true;
    for (const QChar character : raw)
        onlyLineBreaks = onlyLineBreaks && (character == bytePairLineBreak || character == bytePairSpace);
    while (count < raw.size()) {
        const QChar character = raw.at(count);
        if (character == bytePairSpace || character == sentencePieceSpace)
            result += QChar(spaceSign);
        else if (character == bytePairLineBreak && onlyLineBreaks)
            result += QChar(lineBreakSign);
        else
            break;
        ++count;
    }
    return count;
}

} // namespace

QString visibleLabel(const QString &raw)
{
    if (raw.isEmpty())
        return QString(QChar(emptySign));
    QString result;
    qsizetype begin = appendMarkers(raw, result);
    while (begin < raw.size() && isBlank(raw.at(begin)))
        result += blankSign(raw.at(begin++));
    qsizetype end = raw.size();
    while (end > begin && isBlank(raw.at(end - 1)))
        --end;
    const QList<uint> codePoints = raw.mid(begin, end - begin).toUcs4();
    for (const uint codePoint : codePoints)
        result += visibleCharacter(codePoint);
    for (qsizetype i = end; i < raw.size(); ++i)
        result += blankSign(raw.at(i));
    return result;
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
