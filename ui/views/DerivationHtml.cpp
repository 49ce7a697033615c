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

const QLatin1String numberStyle("text-align:right;white-space:nowrap;");

/// Numbers end at the right edge, one under the other; what they are stands left of them, or above where both
/// factors have names.
QString lineHtml(const QString &left, const QString &right)
{
    return QStringLiteral("<tr><td style='padding-right:8px;'>%1</td><td style='%2'>%3</td></tr>")
        .arg(left, numberStyle, right);
}

QString termHtml(const DerivationTerm &term, const QString &sign, const QString &muted, int decimals)
{
    const auto name = [&muted](const QString &text) {
        return QStringLiteral("<span style='%1'>%2</span>").arg(muted, text);
    };
    const QString value = shownNumber(term.value, decimals);
    if (term.right.empty())
        return lineHtml(name(escapedHtml(term.left)), value);
    const QString names = escapedHtml(term.left) + sign + escapedHtml(term.right);
    const QString numbers =
        shownNumber(term.leftValue, decimals) + sign + shownNumber(term.rightValue, decimals);
    return QStringLiteral("<tr><td colspan='2' style='padding-top:3px;'>%1</td></tr>").arg(name(names)) +
           lineHtml(QString(QStringLiteral("&nbsp;&nbsp;") + numbers), value);
}

QString stepHtml(const DerivationStep &step, const QString &muted, int decimals)
{
    QString html = QStringLiteral("<p style='margin:10px 0 2px 0'>%1</p>").arg(escapedHtml(step.title));
    if (step.terms.empty())
        return html;
    html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='1'>");
    const bool divides = step.kind == DerivationStep::Kind::Softmax;
    const QString sign = divides ? QStringLiteral(" / ") : QStringLiteral(" · ");
    for (const DerivationTerm &term : step.terms)
        html += termHtml(term, sign, muted, decimals);
    if (step.omittedCount > 0) {
        const QString rest = QCoreApplication::translate("Inspector", "%1 smaller terms together")
                                 .arg(static_cast<qlonglong>(step.omittedCount));
        html += lineHtml(QStringLiteral("<span style='%1'>%2</span>").arg(muted, rest),
                         shownNumber(step.omittedSum, decimals));
    }
    html += lineHtml({}, QStringLiteral("<b>%1</b>").arg(shownNumber(step.result, decimals)));
    return QString(html + QStringLiteral("</table>"));
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
