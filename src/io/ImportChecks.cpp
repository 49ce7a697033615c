#include "io/ImportChecks.h"

#include "base/NumberText.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// Checks that visit every pair of query and key stop here: they are hints, not results.
constexpr Index largestCheckedSide = 4096;

std::string counted(Index count, const char *noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "rows 0 and 1", "rows 0, 1, 2, 3 and 8 more".
std::string rowList(const std::vector<Index> &rows)
{
    std::string text = rows.size() == 1 ? "row " : "rows ";
    constexpr std::size_t shown = 4;
    for (std::size_t i = 0; i < std::min(rows.size(), shown); ++i)
        text += (i == 0 ? "" : i + 1 == rows.size() ? " and " : ", ") + std::to_string(rows[i]);
    if (rows.size() > shown)
        text += " and " + std::to_string(rows.size() - shown) + " more";
    return text;
}

struct Extremes
{
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    void add(double value)
    {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    }
    bool isOne(double tolerance) const
    {
        return std::abs(least - 1) <= tolerance && std::abs(greatest - 1) <= tolerance;
    }
};

/// Half the last digit of a weight, over a row, with a margin.
double sumTolerance(Dtype dtype)
{
    return dtype == Dtype::BF16 ? 3e-2 : dtype == Dtype::F16 ? 4e-3 : 1e-3;
}

std::vector<Index> rowsWithoutKey(const Tensor &mask, bool trueIsHidden)
{
    std::vector<Index> rows;
    std::vector<double> row(static_cast<std::size_t>(mask.cols()));
    for (Index i = 0; i < mask.rows(); ++i) {
        mask.copyRows(0, i, 1, row.data());
        if (std::none_of(row.begin(), row.end(), [&](double cell) { return (cell != 0.0) != trueIsHidden; }))
            rows.push_back(i);
    }
    return rows;
}

double rotatedCell(const std::vector<double> &row, Index first, Index d, Index col, double position,
                   const Rotary &rotary)
{
    const Index turned = d - d % 2;
    if (col >= turned)
        return row[static_cast<std::size_t>(first + col)];
    const bool isHalf = rotary.pairing == Rotary::Pairing::Half;
    const Index pair = isHalf ? col % (turned / 2) : col / 2;
    const bool isSecond = isHalf ? col >= turned / 2 : col % 2 == 1;
    const Index x = isHalf ? pair : 2 * pair;
    const Index y = isHalf ? pair + turned / 2 : 2 * pair + 1;
    const double angle =
        position * std::pow(rotary.base, -2.0 * static_cast<double>(pair) / static_cast<double>(turned));
    const double left = row[static_cast<std::size_t>(first + x)];
    const double right = row[static_cast<std::size_t>(first + y)];
    return isSecond ? left * std::sin(angle) + right * std::cos(angle)
                    : left * std::cos(angle) - right * std::sin(angle);
}

/// Largest difference between plain turned by `rotary` and rotated, over a few rows.
double rotationError(const Tensor &plain, const Tensor &rotated, Index offset, const Rotary &rotary)
{
    const Index d = rotated.cols();
    std::vector<double> row(static_cast<std::size_t>(plain.cols()));
    double error = 0.0;
    for (Index i = 0; i < std::min<Index>(plain.rows(), 8); ++i) {
        plain.copyRows(0, i, 1, row.data());
        for (Index head = 0; head < rotated.heads(); ++head)
            for (Index col = 0; col < d; ++col)
                error = std::max(error, std::abs(rotatedCell(row, head * d, d, col,
                                                             static_cast<double>(i + offset), rotary) -
                                                 rotated.at(head, i, col)));
    }
    return error;
}

double largestMagnitude(const Tensor &tensor, Index rows)
{
    std::vector<double> row(static_cast<std::size_t>(tensor.cols()));
    double largest = 0.0;
    for (Index i = 0; i < std::min(rows, tensor.rows()); ++i) {
        tensor.copyRows(0, i, 1, row.data());
        for (const double value : row)
            largest = std::max(largest, std::abs(value));
    }
    return largest;
}

/// Tolerance of these checks: coarser than bfloat16, far finer than what a wrong convention gives.
constexpr double conventionTolerance = 2e-2;

} // namespace

bool isZeroOne(const FileTensor &tensor)
{
    if (tensor.dtype == Dtype::Text)
        return false;
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        if (const double value = tensor.number(i); value != 0.0 && value != 1.0)
            return false;
    return tensor.size() > 0;
}

bool isLowerTriangle(const Tensor &mask)
{
    std::vector<double> row(static_cast<std::size_t>(mask.cols()));
    for (Index i = 0; i < mask.rows(); ++i) {
        mask.copyRows(0, i, 1, row.data());
        for (Index j = 0; j < mask.cols(); ++j)
            if ((row[static_cast<std::size_t>(j)] != 0.0) != (j <= i))
                return false;
    }
    return mask.rows() == mask.cols() && mask.rows() > 0;
}

bool looksCausal(const Tensor &matrix, Index offset, double hidden)
{
    std::vector<double> row(static_cast<std::size_t>(matrix.cols()));
    bool anyFuture = false, anyVisible = false;
    for (Index head = 0; head < matrix.heads(); ++head) {
        for (Index i = 0; i < matrix.rows(); ++i) {
            matrix.copyRows(head, i, 1, row.data());
            for (Index j = 0; j < matrix.cols(); ++j) {
                const bool isHidden = row[static_cast<std::size_t>(j)] == hidden;
                if (j <= i + offset) {
                    anyVisible = anyVisible || !isHidden;
                } else if (!isHidden) {
                    return false;
                } else {
                    anyFuture = true;
                }
            }
        }
    }
    return anyFuture && anyVisible;
}

std::optional<Rotary> findRotary(const Tensor &plain, const Tensor &rotated, Index offset)
{
    if (plain.rows() != rotated.rows() || plain.cols() != rotated.heads() * rotated.cols() ||
        rotated.cols() < 2)
        return std::nullopt;
    const double allowed = conventionTolerance * largestMagnitude(plain, 8);
    for (const double base : {1e4, 5e5, 1e6, 1e5}) {
        for (const auto pairing : {Rotary::Pairing::Interleaved, Rotary::Pairing::Half}) {
            const Rotary rotary{pairing, base, std::nullopt};
            if (rotationError(plain, rotated, offset, rotary) <= allowed)
                return rotary;
        }
    }
    return std::nullopt;
}

std::optional<bool> isStoredOutByIn(const Tensor &X, const Tensor &W, const Tensor &bias,
                                    const Tensor &result)
{
    if (X.cols() != W.rows() || W.rows() != W.cols() || result.cols() != W.cols() ||
        X.rows() != result.rows() || X.rows() == 0 || (!bias.isNull() && bias.cols() != W.cols()))
        return std::nullopt;
    std::array<double, 2> error = {0.0, 0.0};
    for (Index col = 0; col < W.cols(); ++col) {
        for (const bool outByIn : {false, true}) {
            double sum = bias.isNull() ? 0.0 : bias.at(0, col);
            for (Index k = 0; k < W.rows(); ++k)
                sum += X.at(0, k) * (outByIn ? W.at(col, k) : W.at(k, col));
            double &worst = error[outByIn ? 1 : 0];
            worst = std::max(worst, std::abs(sum - result.at(0, col)));
        }
    }
    const double allowed = conventionTolerance * largestMagnitude(result, 1);
    if ((error[0] <= allowed) == (error[1] <= allowed))
        return std::nullopt;
    return error[1] <= allowed;
}

namespace {

std::string sumInWords(double sum)
{
    if (std::isinf(sum))
        return sum < 0.0 ? "minus infinity" : "infinity";
    return displayText(sum, 4);
}

std::string sumsInWords(const Extremes &sums)
{
    const std::string least = sumInWords(sums.least);
    const std::string greatest = sumInWords(sums.greatest);
    return least == greatest ? "every sum is " + least : "sums from " + least + " to " + greatest;
}

} // namespace

std::vector<std::string> weightNotes(const Tensor &A, Dtype storedAs)
{
    Extremes rowSums, colSums;
    Index emptyRows = 0;
    std::vector<Index> nanRows;
    std::vector<double> row(static_cast<std::size_t>(A.cols()));
    for (Index head = 0; head < A.heads(); ++head) {
        std::vector<double> colSum(row.size(), 0.0);
        for (Index i = 0; i < A.rows(); ++i) {
            A.copyRows(head, i, 1, row.data());
            double sum = 0.0;
            for (std::size_t j = 0; j < row.size(); ++j) {
                sum += row[j];
                colSum[j] += row[j];
            }
            if (std::isnan(sum))
                nanRows.push_back(i);
            else if (sum == 0.0)
                ++emptyRows;
            else
                rowSums.add(sum);
        }
        for (const double sum : colSum)
            colSums.add(sum);
    }
    std::vector<std::string> notes;
    if (emptyRows > 0)
        notes.push_back("A: " + counted(emptyRows, "row") + " of zeros (no key is attended)");
    if (!nanRows.empty())
        notes.push_back("A: " + (A.heads() == 1 ? rowList(nanRows) : counted(std::ssize(nanRows), "row")) +
                        (nanRows.size() == 1 ? " sums to NaN" : " sum to NaN"));
    const double tolerance = sumTolerance(storedAs);
    if (A.shape().size() == 0 || rowSums.greatest < rowSums.least || rowSums.isOne(tolerance))
        return notes;
    notes.push_back("A: rows do not sum to 1 (" + sumsInWords(rowSums) + "); A is used as it is");
    if (colSums.isOne(tolerance))
        notes.push_back("A: every column sums to 1, the rows do not: it looks transposed");
    return notes;
}

std::vector<std::string> maskPolarityNotes(const std::string &name, const Tensor &mask,
                                           ImportPlan::MaskMeaning meaning)
{
    if (mask.rows() > largestCheckedSide || mask.cols() > largestCheckedSide)
        return {};
    const bool isDrop = meaning == ImportPlan::MaskMeaning::Drop;
    const std::vector<Index> rows = rowsWithoutKey(mask, isDrop);
    const std::vector<Index> otherRows = rowsWithoutKey(mask, !isDrop);
    std::vector<std::string> notes;
    const std::string reading = isDrop ? "true = hidden" : "true = may attend";
    const std::string other = isDrop ? "true = may attend" : "true = hidden";
    if (!rows.empty())
        notes.push_back("\"" + name + "\" read as " + reading + " leaves " + rowList(rows) +
                        " without any key");
    if (!rows.empty() && otherRows.empty())
        notes.push_back("\"" + name + "\" read as " + other +
                        " would leave no row without a key: please check");
    return notes;
}

std::vector<std::string> fullyMaskedNotes(const Experiment &experiment, Index nQ, Index nK)
{
    const Tensor &padding = experiment.matrix(Stage::MaskPadding);
    const Tensor &mask = experiment.matrix(Stage::MaskBool);
    const Tensor &bias = experiment.matrix(Stage::MaskAdd);
    const bool fits = (padding.isNull() || padding.cols() == nK) &&
                      (mask.isNull() || (mask.rows() == nQ && mask.cols() == nK)) &&
                      (bias.isNull() || (bias.rows() == nQ && bias.cols() == nK));
    if (!fits || (padding.isNull() && mask.isNull() && bias.isNull()) || nQ > largestCheckedSide ||
        nK > largestCheckedSide)
        return {};
    std::vector<Index> rows;
    for (Index i = 0; i < nQ; ++i) {
        bool anyKey = false;
        for (Index j = 0; j < nK && !anyKey; ++j)
            anyKey = (!experiment.causal || j <= i + experiment.qOffset) &&
                     (padding.isNull() || padding.at(0, j) != 0.0) &&
                     (mask.isNull() || mask.at(0, i, j) != 0.0) &&
                     (bias.isNull() || !std::isinf(bias.at(0, i, j)) || bias.at(0, i, j) > 0.0);
        if (!anyKey)
            rows.push_back(i);
    }
    if (rows.empty())
        return {};
    return {"query " + rowList(rows) + (rows.size() == 1 ? " is" : " are") +
            " fully masked: its weights are all 0"};
}

std::vector<std::string> nonFiniteNotes(const std::string &name, const Tensor &tensor, bool mayBeMinusInf)
{
    Index nan = 0, minus = 0, plus = 0;
    std::vector<double> row(static_cast<std::size_t>(tensor.cols()));
    for (Index head = 0; head < tensor.heads(); ++head) {
        for (Index i = 0; i < tensor.rows(); ++i) {
            tensor.copyRows(head, i, 1, row.data());
            for (const double value : row) {
                nan += std::isnan(value) ? 1 : 0;
                minus += std::isinf(value) && value < 0 ? 1 : 0;
                plus += std::isinf(value) && value > 0 ? 1 : 0;
            }
        }
    }
    std::vector<std::string> notes;
    const auto add = [&](Index count, const char *what) {
        if (count > 0)
            notes.push_back(name + ": " + counted(count, "cell") + (count == 1 ? " is " : " are ") + what);
    };
    add(nan, "NaN");
    add(plus, "infinite");
    add(minus, mayBeMinusInf ? "-inf (masked)" : "-inf");
    return notes;
}

} // namespace attn
