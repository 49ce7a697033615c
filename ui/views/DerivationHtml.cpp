#include "views/DerivationHtml.h"

#include "base/NumberText.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

namespace {

QString escapedHtml(const std::string &text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString shownNumber(double value, int decimals)
{
    return QString::fromStdString(displayText(value, decimals)).replace(u'-', QChar(0x2212));
}

QString tableCell(const QString &text, const QString &style)
{
    return QStringLiteral("<td style='padding-right:8px;%1'>%2</td>").arg(style, text);
}

QString termRow(const DerivationTerm &term, const QString &sign, const QString &muted, int decimals)
{
    const QString right = QStringLiteral("text-align:right;white-space:nowrap;");
    QString row = QStringLiteral("<tr>");
    if (term.right.empty()) {
        row += QStringLiteral("<td colspan='2' style='padding-right:8px;%1'>%2</td>")
                   .arg(muted, escapedHtml(term.left));
    } else {
        row += tableCell(QString(escapedHtml(term.left) + sign + escapedHtml(term.right)), muted);
        row += tableCell(
            QString(shownNumber(term.leftValue, decimals) + sign + shownNumber(term.rightValue, decimals)),
            right);
    }
    row += tableCell(shownNumber(term.value, decimals), right);
    return QString(row + QStringLiteral("</tr>"));
}

QString stepHtml(const DerivationStep &step, const QString &muted, int decimals)
{
    QString html = QStringLiteral("<p style='margin:8px 0 2px 0'>%1</p>").arg(escapedHtml(step.title));
    if (step.terms.empty())
        return html;
    html += QStringLiteral("<table cellspacing='0' cellpadding='1'>");
    const bool divides = step.kind == DerivationStep::Kind::Softmax;
    const QString sign = divides ? QStringLiteral(" / ") : QStringLiteral(" · ");
    for (const DerivationTerm &term : step.terms)
        html += termRow(term, sign, muted, decimals);
    if (step.omittedCount > 0) {
        const QString rest = QCoreApplication::translate("Inspector", "%1 smaller terms together")
                                 .arg(static_cast<qlonglong>(step.omittedCount));
        html +=
            QStringLiteral("<tr><td colspan='2' style='%1'>%2</td><td style='text-align:right'>%3</td></tr>")
                .arg(muted, rest, shownNumber(step.omittedSum, decimals));
    }
    html +=
        QStringLiteral("<tr><td colspan='2'></td><td style='text-align:right'><b>%1</b></td></tr></table>")
            .arg(shownNumber(step.result, decimals));
    return html;
}

} // namespace

QString derivationHtml(const Derivation &derivation, const Theme &theme, int decimals)
{
    const QString muted = QStringLiteral("color:%1;").arg(theme.mutedText.name());
    const int digits = std::max(4, decimals);
    QString html = QStringLiteral("<p style='%1'>%2</p>").arg(muted, escapedHtml(derivation.formula));
    for (const DerivationStep &step : derivation.steps)
        html += stepHtml(step, muted, digits);
    return html;
}

} // namespace attn
