#include "engine/Derivation.h"

#include "base/NumberText.h"
#include "engine/derivation/Formulas.h"

#include <cmath>

namespace attn {

namespace {

/// Products of short numbers come out short; the rounding of the last bits is not shown.
constexpr int termDigits = 10;

std::string numberText(double value)
{
    return significantText(value, termDigits);
}

/// Negative factors in brackets, so that signs never meet.
std::string factorText(double value)
{
    const std::string text = numberText(value);
    return text.starts_with('-') ? "(" + text + ")" : text;
}

std::string termText(const DerivationTerm &term, DerivationStep::Kind kind)
{
    if (term.right.empty())
        return kind == DerivationStep::Kind::Softmax && term.leftValue != term.value
                   ? term.left + " = exp(" + numberText(term.leftValue) + ") = " + numberText(term.value)
                   : term.left + " = " + numberText(term.value);
    const std::string sign = kind == DerivationStep::Kind::Softmax ? " / " : " · ";
    return term.left + sign + term.right + " = " + factorText(term.leftValue) + sign +
           factorText(term.rightValue) + " = " + numberText(term.value);
}

std::string stepText(const DerivationStep &step)
{
    std::string text = step.title + "\n";
    for (const DerivationTerm &term : step.terms)
        text += "  " + termText(term, step.kind) + "\n";
    if (step.omittedCount > 0)
        text += "  " + std::to_string(step.omittedCount) +
                (step.omittedCount == 1 ? " more term" : " more terms") + ", together " +
                numberText(step.omittedSum) + "\n";
    return text + "  = " + shortestText(step.result) + "\n";
}

std::string escapedLatex(const std::string &text)
{
    std::string result;
    for (const char c : text) {
        if (c == '\\')
            result += "\\textbackslash{}";
        else if (c == '~')
            result += "\\textasciitilde{}";
        else if (c == '^')
            result += "\\textasciicircum{}";
        else if (std::string("{}$&#_%").find(c) != std::string::npos)
            result += std::string("\\") + c;
        else
            result += c;
    }
    return result;
}

std::string latexNumber(double value)
{
    if (std::isnan(value))
        return "\\mathrm{NaN}";
    if (std::isinf(value))
        return value < 0 ? "-\\infty" : "\\infty";
    const std::string text = numberText(value);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos)
        return text;
    std::string power = text.substr(exponent + 1);
    const bool isNegative = power.front() == '-';
    power.erase(0, std::min(power.find_first_of("123456789"), power.size() - 1));
    return text.substr(0, exponent) + " \\cdot 10^{" + (isNegative ? "-" : "") + power + "}";
}

std::string latexFactor(double value)
{
    const std::string text = latexNumber(value);
    return text.starts_with('-') ? "(" + text + ")" : text;
}

std::string latexSum(const DerivationStep &step)
{
    std::string text;
    for (const DerivationTerm &term : step.terms) {
        text += text.empty() ? "" : " + ";
        text += latexFactor(term.leftValue);
        text += term.right.empty() ? "" : " \\cdot " + latexFactor(term.rightValue);
    }
    if (step.omittedCount > 0)
        text += std::string(text.empty() ? "" : " + ") + "\\underbrace{" + latexFactor(step.omittedSum) +
                "}_{" + std::to_string(step.omittedCount) + "\\text{ more}}";
    return text;
}

std::string latexSoftmax(const DerivationStep &step)
{
    if (step.terms.size() == 1 && !step.terms.front().right.empty())
        return "\\frac{" + latexNumber(step.terms.front().leftValue) + "}{" +
               latexNumber(step.terms.front().rightValue) + "}";
    std::string text;
    for (const DerivationTerm &term : step.terms)
        text += (text.empty() ? "" : " + ") + (term.leftValue == term.value
                                                   ? latexNumber(term.value)
                                                   : "\\underbrace{" + latexNumber(term.value) + "}_{\\exp(" +
                                                         latexNumber(term.leftValue) + ")}");
    if (step.omittedCount > 0)
        text += std::string(text.empty() ? "" : " + ") + "\\underbrace{" + latexNumber(step.omittedSum) +
                "}_{" + std::to_string(step.omittedCount) + "\\text{ more}}";
    return text;
}

std::string latexLine(const DerivationStep &step)
{
    switch (step.kind) {
    case DerivationStep::Kind::Sum:
    case DerivationStep::Kind::Scale:
    case DerivationStep::Kind::Rotate:
        return "&= " + latexSum(step) + " = " + latexNumber(step.result);
    case DerivationStep::Kind::Softmax:
        return "&\\quad \\text{" + escapedLatex(step.title) + ": } " + latexSoftmax(step) + " = " +
               latexNumber(step.result);
    case DerivationStep::Kind::Mask:
    case DerivationStep::Kind::Copy:
    case DerivationStep::Kind::Pinned:
    case DerivationStep::Kind::Given:
        break;
    }
    return "&= " + latexNumber(step.result) + " \\quad \\text{" + escapedLatex(step.title) + "}";
}

} // namespace

std::string derivationText(const Derivation &derivation)
{
    std::string text = derivation.name + " = " + shortestText(derivation.value) + "\n";
    if (derivation.formula != stageName(derivation.stage))
        text += derivation.formula + "\n";
    for (const DerivationStep &step : derivation.steps)
        text += stepText(step);
    for (const std::string &remark : derivation.remarks)
        text += remark + "\n";
    return text;
}

std::string derivationLatex(const Derivation &derivation)
{
    // "A[head 1: love, prog]" becomes A_{\text{head 1: love, prog}}.
    const std::size_t bracket = derivation.name.find('[');
    std::string labels = derivation.name.substr(std::min(bracket, derivation.name.size() - 1) + 1);
    if (!labels.empty())
        labels.pop_back();
    std::string text = "\\begin{aligned}\n";
    if (!derivation.formulaLatex.empty())
        text += "&" + derivation.formulaLatex + " \\\\\n";
    text += "{" + stageLatex(derivation.stage) + "}_{\\text{" + escapedLatex(labels) + "}}";
    for (const DerivationStep &step : derivation.steps)
        text += "\n" + latexLine(step) + " \\\\";
    return text + "\n\\end{aligned}\n";
}

} // namespace attn
