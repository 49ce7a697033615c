#include "render/MathText.h"

#include "render/painting/TextCache.h"

#include <QFontMetricsF>
#include <QPainter>

#include <vector>

namespace attn {

namespace {

enum class MathLevel
{
    Base,
    Raised,
    Lowered,
};

struct MathRun
{
    QString text;
    MathLevel level = MathLevel::Base;
    bool italic = false;
};

/// A lower-case word (softmax, head) is a name and stands upright; one letter, or capitals side by side
/// (QK), are symbols.
bool isSymbol(QStringView letters)
{
    if (letters.size() == 1)
        return true;
    for (const QChar letter : letters) {
        if (!letter.isUpper())
            return false;
    }
    return true;
}

void appendRuns(QStringView text, MathLevel level, std::vector<MathRun> &runs)
{
    qsizetype begin = 0;
    while (begin < text.size()) {
        const bool letters = text.at(begin).isLetter();
        qsizetype end = begin;
        while (end < text.size() && text.at(end).isLetter() == letters)
            ++end;
        const QStringView part = text.sliced(begin, end - begin);
        runs.push_back({part.toString(), level, letters && isSymbol(part)});
        begin = end;
    }
}

/// The text raised or lowered by the '^' or '_' before `position`, which moves behind it.
QStringView scriptPart(QStringView markup, qsizetype &position)
{
    const qsizetype begin = position;
    if (begin < markup.size() && markup.at(begin) == u'{') {
        const qsizetype close = markup.indexOf(u'}', begin);
        const qsizetype end = close < 0 ? markup.size() : close;
        position = close < 0 ? end : end + 1;
        return markup.sliced(begin + 1, end - begin - 1);
    }
    position = std::min(begin + 1, markup.size());
    return markup.sliced(begin, position - begin);
}

std::vector<MathRun> mathRuns(const QString &markup)
{
    std::vector<MathRun> runs;
    const QStringView view(markup);
    qsizetype position = 0;
    qsizetype begin = 0;
    while (position < view.size()) {
        const QChar character = view.at(position);
        if (character != u'^' && character != u'_') {
            ++position;
            continue;
        }
        appendRuns(view.sliced(begin, position - begin), MathLevel::Base, runs);
        ++position;
        const MathLevel level = character == u'^' ? MathLevel::Raised : MathLevel::Lowered;
        appendRuns(scriptPart(view, position), level, runs);
        begin = position;
    }
    appendRuns(view.sliced(begin), MathLevel::Base, runs);
    return runs;
}

QFont runFont(const MathRun &run, const QFont &font)
{
    QFont result = font;
    result.setItalic(run.italic);
    if (run.level != MathLevel::Base) {
        if (font.pixelSize() > 0)
            result.setPixelSize(std::max(1, qRound(font.pixelSize() * 0.72)));
        else
            result.setPointSizeF(font.pointSizeF() * 0.72);
    }
    return result;
}

struct PlacedRun
{
    MathRun run;
    QFont font;
    double x = 0.0;
};

/// Runs from left to right; a lowered part directly behind a raised one stands under it.
std::vector<PlacedRun> placedRuns(const QString &markup, const QFont &font, TextCache *texts, double *width)
{
    std::vector<PlacedRun> placed;
    double x = 0.0;
    double scriptBegin = 0.0;
    double scriptEnd = 0.0;
    MathLevel previous = MathLevel::Base;
    for (const MathRun &run : mathRuns(markup)) {
        const QFont used = runFont(run, font);
        if (run.level != previous) {
            const bool stacks = run.level != MathLevel::Base && previous != MathLevel::Base;
            scriptEnd = std::max(scriptEnd, x);
            x = stacks ? scriptBegin : scriptEnd;
            if (previous == MathLevel::Base)
                scriptBegin = x;
        }
        placed.push_back({run, used, x});
        x += textWidth(texts, used, run.text);
        previous = run.level;
    }
    *width = std::max(x, scriptEnd);
    return placed;
}

} // namespace

void drawMathText(QPainter &painter, const QRectF &rect, Qt::Alignment alignment, const QString &markup,
                  const QFont &font, TextCache *texts)
{
    double width = 0.0;
    const std::vector<PlacedRun> placed = placedRuns(markup, font, texts, &width);
    const QFontMetricsF metrics(font);
    double left = rect.left();
    if (alignment & Qt::AlignRight)
        left = rect.right() - width;
    else if (alignment & Qt::AlignHCenter)
        left = rect.center().x() - width / 2;
    double baseline = rect.top() + metrics.ascent();
    if (alignment & Qt::AlignBottom)
        baseline = rect.bottom() - metrics.descent();
    else if (!(alignment & Qt::AlignTop))
        baseline = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2;

    const QFont before = painter.font();
    for (const PlacedRun &part : placed) {
        double shift = 0.0;
        if (part.run.level == MathLevel::Raised)
            shift = -metrics.capHeight() * 0.55;
        else if (part.run.level == MathLevel::Lowered)
            shift = metrics.capHeight() * 0.22;
        painter.setFont(part.font);
        drawText(texts, painter, QPointF(left + part.x, baseline + shift), part.run.text);
    }
    painter.setFont(before);
}

double mathTextWidth(const QString &markup, const QFont &font)
{
    double width = 0.0;
    placedRuns(markup, font, nullptr, &width);
    return width;
}

QString plainMathText(const QString &markup)
{
    QString result = markup;
    result.remove(u'{').remove(u'}');
    return result;
}

} // namespace attn
