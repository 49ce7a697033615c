#include "views/DerivationHtml.h"

#include "base/NumberText.h"

#include <QCoreApplication>
#include <QFontMetrics>

#include <algorithm>

namespace attn {

namespace {

const QString tableStart = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='1'>");
const QString tableEnd = QStringLiteral("</table>");

QString escapedHtml(const std::string &text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString shownNumber(double value, int decimals)
{
    return QString::fromStdString(displayText(value, decimals)).replace(u'-', QChar(0x2212));
}

/// Lays the terms of a step out in lines of a given width. Names are never broken: what has no room beside
/// its number stands above it, and what is wider than a line is shortened in its middle, with the whole as
/// its tip.
class TermLines
{
public:
    TermLines(const QFontMetrics &metrics, int width, const QString &muted, int decimals)
        : m_metrics(metrics)
        , m_width(width)
        , m_muted(muted)
        , m_decimals(decimals)
    {
    }

    /// The lines of all terms; `sign` stands between two factors.
    QString htmlOf(const std::vector<DerivationTerm> &terms, const QString &sign) const
    {
        const bool areBeside = std::ranges::all_of(terms, [this](const DerivationTerm &term) {
            return term.right.empty() && isBeside(textOf(term.left), number(term.value));
        });
        QString html;
        for (const DerivationTerm &term : terms)
            html += term.right.empty() ? factorHtml(term, areBeside) : productHtml(term, sign);
        return html;
    }

    QString lineHtml(const QString &left, const QString &right) const
    {
        return QStringLiteral("<tr><td style='padding-right:8px;white-space:nowrap;'>%1</td>"
                              "<td style='text-align:right;white-space:nowrap;'>%2</td></tr>")
            .arg(left, right);
    }

    /// Words with a number, beside or above it; words may be broken.
    QString wordsHtml(const QString &words, double value) const
    {
        if (isBeside(words, number(value)))
            return lineHtml(name(words), number(value));
        return QStringLiteral("%1<p style='margin:3px 0 0 1px;%2'>%3</p>%4")
                   .arg(tableEnd, m_muted, words.toHtmlEscaped(), tableStart) +
               lineHtml({}, number(value));
    }

    QString name(const QString &text) const
    {
        const QString shown = m_metrics.elidedText(text, Qt::ElideMiddle, m_width);
        const QString tip =
            shown == text ? QString() : QStringLiteral(" title=\"%1\"").arg(text.toHtmlEscaped());
        return QStringLiteral("<span style='%1'%2>%3</span>").arg(m_muted, tip, escaped(shown));
    }

    QString number(double value) const { return shownNumber(value, m_decimals); }

private:
    static QString textOf(const std::string &name) { return QString::fromStdString(name); }
    static QString escaped(const QString &text)
    {
        return text.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;"));
    }

    int advance(const QString &text) const { return m_metrics.horizontalAdvance(text); }
    bool isBeside(const QString &name, const QString &value) const
    {
        constexpr int gap = 16;
        return advance(name) + gap + advance(value) <= m_width;
    }

    QString factorHtml(const DerivationTerm &term, bool isBesideValue) const
    {
        const QString value = number(term.value);
        if (isBesideValue)
            return lineHtml(name(textOf(term.left)), value);
        return aboveHtml(name(textOf(term.left)), true) + lineHtml({}, value);
    }

    QString productHtml(const DerivationTerm &term, const QString &sign) const
    {
        const QString left = textOf(term.left);
        const QString right = textOf(term.right);
        const QString numbers = number(term.leftValue) + sign + number(term.rightValue);
        const QString indent = QStringLiteral("&nbsp;&nbsp;");
        QString html;
        if (advance(left) + advance(sign) + advance(right) <= m_width)
            html = aboveHtml(name(QString(left + sign + right)), true);
        else
            html =
                aboveHtml(name(left), true) + aboveHtml(name(QString(sign.trimmed() + u' ' + right)), false);
        if (isBeside(QString(u"  " + numbers), number(term.value)))
            return html + lineHtml(indent + escaped(numbers), number(term.value));
        return html + aboveHtml(indent + escaped(numbers), false) + lineHtml({}, number(term.value));
    }

    /// Between two tables: a cell over both columns would widen them by all its width.
    static QString aboveHtml(const QString &text, bool isFirst)
    {
        return QStringLiteral("%1<p style='margin:%2px 0 0 1px;white-space:nowrap'>%3</p>%4")
            .arg(tableEnd)
            .arg(isFirst ? 3 : 0)
            .arg(text, tableStart);
    }

    const QFontMetrics &m_metrics;
    int m_width;
    QString m_muted;
    int m_decimals;
};

QString stepHtml(const DerivationStep &step, const TermLines &lines)
{
    QString html = QStringLiteral("<p style='margin:10px 0 2px 0'>%1</p>").arg(escapedHtml(step.title));
    if (step.terms.empty())
        return html;
    html += tableStart;
    const bool divides = step.kind == DerivationStep::Kind::Softmax;
    html += lines.htmlOf(step.terms, divides ? QStringLiteral(" / ") : QStringLiteral(" · "));
    if (step.omittedCount > 0) {
        const QString rest = QCoreApplication::translate("Inspector", "%1 smaller terms together")
                                 .arg(static_cast<qlonglong>(step.omittedCount));
        html += lines.wordsHtml(rest, step.omittedSum);
    }
    html += lines.lineHtml({}, QStringLiteral("<b>%1</b>").arg(lines.number(step.result)));
    html += tableEnd;
    return html.replace(QString(tableStart + tableEnd), QString());
}

} // namespace

QString derivationHtml(const Derivation &derivation, const Theme &theme, int decimals,
                       const QFontMetrics &metrics, int width)
{
    const QString muted = QStringLiteral("color:%1;").arg(theme.mutedText.name());
    const TermLines lines(metrics, width, muted, std::max(4, decimals));
    QString html = QStringLiteral("<p style='%1'>%2</p>").arg(muted, escapedHtml(derivation.formula));
    for (const std::string &remark : derivation.remarks)
        html += QStringLiteral("<p style='margin:8px 0 2px 0'>%1</p>").arg(escapedHtml(remark));
    for (const DerivationStep &step : derivation.steps)
        html += stepHtml(step, lines);
    return html;
}

} // namespace attn
