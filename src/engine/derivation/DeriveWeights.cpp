#include "engine/derivation/DerivationBuilder.h"

#include "base/NumberText.h"
#include "base/VisibleLabel.h"
#include "engine/ScoreSpread.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr double minusInfinity = -std::numeric_limits<double>::infinity();

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : "; ") + part;
    return text;
}

std::string counted(std::size_t count, const std::string &what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Few digits, with the true minus sign.
std::string remarkNumber(double value)
{
    std::string text = significantText(value, 4);
    if (text.starts_with('-'))
        text.replace(0, 1, "−");
    return text;
}

} // namespace

std::vector<std::string> DerivationBuilder::hidingParts() const
{
    std::vector<std::string> parts;
    const Index key = m_cell.col;
    const Index position = m_cell.row + m_experiment.qOffset;
    const std::string keyAt =
        visibleLabel(rowLabel(m_experiment, Stage::K, key)) + " at position " + std::to_string(key);
    const std::string queryAt = visibleLabel(rowLabel(m_experiment, Stage::Q, m_cell.row)) + " at position " +
                                std::to_string(position);
    if (m_experiment.causal && key > position)
        parts.push_back("causal: " + keyAt + " comes after " + queryAt);
    if (m_experiment.window) {
        const Window &window = *m_experiment.window;
        if (window.left && key - position < -*window.left)
            parts.push_back("window: " + keyAt + " is more than " + std::to_string(*window.left) +
                            " before " + queryAt);
        if (window.right && key - position > *window.right)
            parts.push_back("window: " + keyAt + " is more than " + std::to_string(*window.right) +
                            " after " + queryAt);
    }
    const auto cellOf = [&](Stage stage) {
        const Tensor &matrix = m_experiment.matrix(stage);
        return CellIndex{matrix.heads() > 1 ? m_cell.head : 0, matrix.rows() > 1 ? m_cell.row : 0, key};
    };
    const auto holds = [&](Stage stage, double value) {
        if (!m_experiment.isGiven(stage))
            return false;
        const CellIndex cell = cellOf(stage);
        return m_experiment.matrix(stage).at(cell.head, cell.row, cell.col) == value;
    };
    if (holds(Stage::MaskPadding, 0.0))
        parts.push_back("key padding: " + keyAt + " is padding");
    if (holds(Stage::MaskBool, 0.0))
        parts.push_back(name(Stage::MaskBool, cellOf(Stage::MaskBool)) + " is 0");
    if (holds(Stage::MaskAdd, minusInfinity))
        parts.push_back(name(Stage::MaskAdd, cellOf(Stage::MaskAdd)) + " is -inf");
    return parts;
}

void DerivationBuilder::deriveMask()
{
    const std::vector<std::string> parts = hidingParts();
    if (m_stage == Stage::Allowed) {
        addStep(DerivationStep::Kind::Mask,
                parts.empty() ? "Every part of the mask allows this key" : "Hidden by " + joined(parts),
                parts.empty() ? 1.0 : 0.0);
        return;
    }
    if (!has(Stage::Scaled))
        return;
    const double scaled = at(Stage::Scaled, m_cell);
    const bool hasBias = has(Stage::Bias);
    const double bias = hasBias ? at(Stage::Bias, m_cell) : 0.0;
    DerivationStep &step = addStep(DerivationStep::Kind::Mask,
                                   parts.empty() ? (hasBias ? "Allowed: the scaled score plus the bias"
                                                            : "Allowed: the scaled score as it is")
                                                 : "Hidden by " + joined(parts),
                                   parts.empty() ? scaled + bias : minusInfinity);
    addTerm(step, name(Stage::Scaled, m_cell), scaled);
    if (hasBias && parts.empty())
        addTerm(step, name(Stage::Bias, m_cell), bias);
}

void DerivationBuilder::deriveBias()
{
    if (!hidingParts().empty()) {
        addStep(DerivationStep::Kind::Mask, "No bias counts at a hidden key: " + joined(hidingParts()), 0.0);
        return;
    }
    std::vector<Term> terms;
    const Tensor &add = m_experiment.matrix(Stage::MaskAdd);
    const Tensor &slopes = m_experiment.matrix(Stage::MaskAlibi);
    const CellIndex addCell{add.isNull() || add.heads() == 1 ? 0 : m_cell.head, m_cell.row, m_cell.col};
    if (!add.isNull()) {
        const double value = add.at(addCell.head, addCell.row, addCell.col);
        terms.push_back({0, value, 0.0, value});
    }
    if (!slopes.isNull()) {
        const double distance = std::abs(static_cast<double>(m_cell.row + m_experiment.qOffset - m_cell.col));
        const double slope = slopes.at(0, m_cell.head);
        terms.push_back({1, -slope, distance, -slope * distance});
    }
    addSum("What is added to the scaled score", std::move(terms), [&](Index part) -> Names {
        if (part == 0)
            return {name(Stage::MaskAdd, addCell), {}};
        return {"−" + name(Stage::MaskAlibi, {0, 0, m_cell.head}), "distance"};
    });
}

void DerivationBuilder::deriveFullyMasked()
{
    if (!has(Stage::Masked))
        return;
    const std::vector<double> row = rowOf(Stage::Masked, m_cell.row, m_cell.col, 0, m_sizes.nK);
    const auto hidden = std::count(row.begin(), row.end(), minusInfinity);
    addStep(DerivationStep::Kind::Mask,
            std::to_string(hidden) + " of " + std::to_string(row.size()) + " keys of this row are -inf",
            hidden == static_cast<std::ptrdiff_t>(row.size()) ? 1.0 : 0.0);
}

void DerivationBuilder::deriveSoftmax()
{
    if (!has(Stage::Masked))
        return;
    const std::vector<double> row = rowOf(Stage::Masked, m_cell.head, m_cell.row, 0, m_sizes.nK);
    const auto isTrouble = [](double value) {
        return std::isnan(value) || value == -minusInfinity;
    };
    const auto trouble = std::find_if(row.begin(), row.end(), isTrouble);
    const auto nameOf = [&](std::ptrdiff_t key) {
        return name(Stage::Masked, {m_cell.head, m_cell.row, static_cast<Index>(key)});
    };
    if (trouble != row.end()) {
        DerivationStep &step =
            addStep(DerivationStep::Kind::Softmax, "The row holds a NaN or +inf: all its weights are NaN",
                    std::numeric_limits<double>::quiet_NaN());
        addTerm(step, nameOf(trouble - row.begin()), *trouble);
        return;
    }
    const auto largest = std::max_element(row.begin(), row.end());
    if (largest == row.end() || *largest == minusInfinity) {
        addStep(DerivationStep::Kind::Mask, "Every key of this row is hidden: all its weights are 0", 0.0);
        return;
    }
    const double maximum = *largest;
    DerivationStep &top =
        addStep(DerivationStep::Kind::Softmax,
                "Maximum of the row; subtracted before the exponentials, which changes no weight", maximum);
    addTerm(top, nameOf(largest - row.begin()), maximum);

    // What is summed is e^(s - max), also where e^s itself would be a harmless number.
    std::vector<Term> terms;
    terms.reserve(row.size());
    double sum = 0.0;
    for (std::size_t j = 0; j < row.size(); ++j) {
        if (row[j] == minusInfinity)
            continue; // hidden: adds nothing, and is none of the keys that the row looks at
        const double power = std::exp(row[j] - maximum);
        terms.push_back({static_cast<Index>(j), row[j] - maximum, 0.0, power});
        sum += power;
    }
    const std::size_t hidden = row.size() - terms.size();
    std::string title = "Exponentials of the row's scores s less their maximum, and their sum";
    if (hidden > 0)
        title += ", over the " + counted(terms.size(), "key") + " that the row sees; " +
                 counted(hidden, "hidden key") + (hidden == 1 ? " adds" : " add") + " nothing";
    const double ownScore = row[static_cast<std::size_t>(m_cell.col)];
    const auto powerOf = [&](Index key) {
        return "exp(s" + nameOf(key).substr(std::string(stageName(Stage::Masked)).size()) + " − max)";
    };
    fillTerms(addStep(DerivationStep::Kind::Softmax, title, sum), std::move(terms), [&](Index key) -> Names {
        return {powerOf(key), {}};
    });
    if (ownScore == minusInfinity) {
        addStep(DerivationStep::Kind::Mask, "This key is hidden: its weight is 0", 0.0);
        remarkOnWeights(row);
        return;
    }
    const double own = std::exp(ownScore - maximum);
    DerivationStep &quotient =
        addStep(DerivationStep::Kind::Softmax, "The exponential of this key divided by the sum", own / sum);
    quotient.terms.push_back({powerOf(m_cell.col), "sum", own, sum, own / sum});
    remarkOnWeights(row);
}

void DerivationBuilder::remarkOnWeights(const std::vector<double> &row)
{
    const StageState &weights = m_snapshot.stage(Stage::A);
    const std::optional<ScoreSpread> spread = scoreSpread(row);
    // Of weights set by hand the scores say nothing.
    if (!spread || spread->visible < 2 || weights.isPinnedWhole || weights.pinnedCount > 0)
        return;
    const std::string ratio =
        "e^" + remarkNumber(spread->size()) + " = " + remarkNumber(spread->ratio()) + " times its smallest.";
    m_derivation.remarks.push_back(
        "The " + std::to_string(spread->visible) + " scores of this row that enter the softmax lie between " +
        remarkNumber(spread->lowest) + " and " + remarkNumber(spread->highest) + ", " +
        remarkNumber(spread->size()) + " apart. " +
        (isNearlyEven(*spread) ? "So the weights are nearly even: the largest is only " + ratio
                               : "So the largest weight of the row is " + ratio));
    const std::optional<double> wanted = scoreForWeight(row, m_cell.col, 0.5);
    if (!wanted)
        return;
    const auto change = [](double rise) {
        return (rise < 0.0 ? "fall by " : "rise by ") + remarkNumber(std::abs(rise));
    };
    const double rise = *wanted - row[static_cast<std::size_t>(m_cell.col)];
    std::string sentence = "For a weight of one half, the score of this key alone would have to " +
                           change(rise) + ", to " + remarkNumber(*wanted);
    const StageState &scaled = m_snapshot.stage(Stage::Scaled);
    const bool followsScores = has(Stage::Scores) && !scaled.isPinnedWhole && scaled.pinnedCount == 0;
    if (followsScores && m_sizes.scale != 1.0 && m_sizes.scale != 0.0)
        sentence += "; before scaling, q·k would have to " + change(rise / m_sizes.scale);
    m_derivation.remarks.push_back(sentence + ".");
}

} // namespace attn
