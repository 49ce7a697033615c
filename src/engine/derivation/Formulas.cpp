#include "engine/derivation/Formulas.h"

#include "base/NumberText.h"

namespace attn {

namespace {

struct Notation
{
    bool isLatex;

    std::string operator()(const char *text, const char *latex) const { return isLatex ? latex : text; }
};

bool isOwnMatrix(Stage stage)
{
    const StageKind kind = stageInfo(stage).kind;
    return kind == StageKind::Input || kind == StageKind::Mask;
}

std::string projection(const Experiment &experiment, const Notation &is, Stage stage)
{
    const bool isCross = experiment.isGiven(Stage::Xkv);
    const std::string source = stage != Stage::Q && isCross ? is("Xkv", "X_{kv}") : "X";
    const std::string letter = stageName(stage);
    const Stage bias = stage == Stage::Q ? Stage::Bq : (stage == Stage::K ? Stage::Bk : Stage::Bv);
    const std::string weight = " W^" + letter;
    return letter + " = " + source + weight + (experiment.isGiven(bias) ? " + b^" + letter : "");
}

std::string outputFormula(const Experiment &experiment, const Notation &is)
{
    std::string right = is("concat", "\\text{concat}");
    if (experiment.isGiven(Stage::Wo))
        right += " W^O";
    if (experiment.isGiven(Stage::Bo))
        right += " + b^O";
    return is("output = ", "\\text{output} = ") + right;
}

std::string scoresFormula(const Experiment &experiment, const Notation &is)
{
    return experiment.rotary ? is("scores = Qr Krᵀ", "\\text{scores} = Q_r K_r^{\\top}")
                             : is("scores = Q Kᵀ", "\\text{scores} = Q K^{\\top}");
}

std::string formula(const Experiment &experiment, Stage stage, const Notation &is)
{
    switch (stage) {
    case Stage::Q:
    case Stage::K:
    case Stage::V:
        return projection(experiment, is, stage);
    case Stage::Qh:
    case Stage::Kh:
    case Stage::Vh:
        return is("a head's columns", "\\text{a head's columns}");
    case Stage::Qr:
        return is("Qr = rotate(Q, position)", "Q_r = \\operatorname{rotate}(Q, \\text{position})");
    case Stage::Kr:
        return is("Kr = rotate(K, position)", "K_r = \\operatorname{rotate}(K, \\text{position})");
    case Stage::Scores:
        return scoresFormula(experiment, is);
    case Stage::Scaled:
        return is("scaled = scores · ", "\\text{scaled} = \\text{scores} \\cdot ") +
               (is.isLatex && !experiment.scale ? "\\tfrac{1}{\\sqrt{d_k}}" : scaleText(experiment));
    case Stage::Allowed:
        return is("allowed = all mask parts allow the key", "\\text{all mask parts allow the key}");
    case Stage::Bias:
        return is("bias = mask.add − slope · |p − j|", "\\text{bias} = \\text{add} - m \\, |p - j|");
    case Stage::Masked:
        return is(
            "masked = scaled + bias where allowed, else −inf",
            "\\text{masked} = \\text{scaled} + \\text{bias}, \\text{ or } -\\infty \\text{ where hidden}");
    case Stage::FullyMasked:
        return is("fully_masked = every key is hidden", "\\text{every key is hidden}");
    case Stage::A:
    case Stage::ASoft:
        return is("A = softmax(masked), row by row", "A = \\operatorname{softmax}(\\text{masked})");
    case Stage::HeadOut:
        return is("head = A V", "\\text{head} = A V");
    case Stage::Concat:
        return is("concat = the heads side by side", "\\text{concat} = [\\text{head}_1 \\mid \\dots]");
    case Stage::Output:
        return outputFormula(experiment, is);
    case Stage::HeadContribution:
        return experiment.isGiven(Stage::Wo) ? is("contribution = head W^O", "\\text{head} \\, W^O")
                                             : is("contribution = head", "\\text{head}");
    default:
        return stageLatex(stage);
    }
}

} // namespace

std::string scaleText(const Experiment &experiment)
{
    if (experiment.scale)
        return shortestText(*experiment.scale);
    const Sizes sizes = sizesOf(experiment);
    return sizes.dHeadK > 0 ? "1/√" + std::to_string(sizes.dHeadK) : shortestText(sizes.scale);
}

std::string formulaText(const Experiment &experiment, Stage stage)
{
    return isOwnMatrix(stage) ? std::string(stageName(stage)) : formula(experiment, stage, {false});
}

std::string formulaLatex(const Experiment &experiment, Stage stage)
{
    return isOwnMatrix(stage) ? std::string() : formula(experiment, stage, {true});
}

std::string stageLatex(Stage stage)
{
    switch (stage) {
    case Stage::Xkv:
        return "X_{kv}";
    case Stage::Wq:
        return "W^Q";
    case Stage::Wk:
        return "W^K";
    case Stage::Wv:
        return "W^V";
    case Stage::Wo:
        return "W^O";
    case Stage::Bq:
        return "b^Q";
    case Stage::Bk:
        return "b^K";
    case Stage::Bv:
        return "b^V";
    case Stage::Bo:
        return "b^O";
    case Stage::Qr:
        return "Q_r";
    case Stage::Kr:
        return "K_r";
    case Stage::X:
    case Stage::Q:
    case Stage::K:
    case Stage::V:
    case Stage::A:
        return stageName(stage);
    default:
        break;
    }
    std::string name;
    for (const char c : std::string(stageName(stage)))
        name += c == '_' ? "\\_" : std::string(1, c);
    return "\\text{" + name + "}";
}

} // namespace attn
