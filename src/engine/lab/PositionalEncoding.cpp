#include "engine/lab/PositionalEncoding.h"

#include "engine/MatrixFill.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// Differences up to here are those of a subtraction and an addition again; more in float32.
bool isSumOf(const Tensor &X, double x, double e, double p)
{
    const double scale = std::max({std::abs(x), std::abs(e), std::abs(p)});
    const double slack = X.storage() == Tensor::Storage::Float32 ? 1e-6 : 1e-14;
    return std::abs(x - X.rounded(e + p)) <= slack * scale;
}

std::vector<double> matrixRow(const Tensor &matrix, Index row)
{
    std::vector<double> numbers(static_cast<std::size_t>(matrix.cols()));
    matrix.copyRows(0, row, 1, numbers.data());
    return numbers;
}

/// Row by row op(a, b), as doubles.
template<typename Operation>
Tensor combined(const Tensor &a, const Tensor &b, Operation operation)
{
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(a.shape().size()));
    for (Index row = 0; row < a.rows(); ++row) {
        const std::vector<double> left = matrixRow(a, row);
        const std::vector<double> right = matrixRow(b, row);
        for (std::size_t col = 0; col < left.size(); ++col)
            numbers.push_back(operation(left[col], right[col]));
    }
    return Tensor::fromDoubles(a.shape(), numbers);
}

Tensor sumInStorageOf(const Tensor &X, const Tensor &E, const Tensor &P)
{
    const Tensor sum = combined(E, P, [](double e, double p) { return e + p; });
    if (X.storage() == Tensor::Storage::Float64)
        return sum;
    const std::vector<double> numbers = sum.toDoubles();
    return Tensor::fromFloats(sum.shape(), std::vector<float>(numbers.begin(), numbers.end()));
}

const std::string *labOf(const Edit &edit)
{
    if (const auto *cells = std::get_if<SetLabCells>(&edit))
        return &cells->name;
    if (const auto *matrix = std::get_if<SetLab>(&edit))
        return &matrix->name;
    return nullptr;
}

/// The rows of E or P that an edit changes.
std::set<Index> touchedRows(const Edit &edit, const Tensor &matrix)
{
    std::set<Index> rows;
    if (const auto *cells = std::get_if<SetLabCells>(&edit))
        for (const CellValue &value : cells->cells)
            rows.insert(value.cell.row);
    else
        for (Index row = 0; row < matrix.rows(); ++row)
            rows.insert(row);
    return rows;
}

Error noX()
{
    return {ErrorCode::NotFound, "the document has no X of its own: it does not start at token vectors"};
}

} // namespace

Tensor sinusoidalEncoding(Index rows, Index cols, double base, Index first)
{
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(rows * cols));
    for (Index row = 0; row < rows; ++row) {
        for (Index col = 0; col < cols; ++col) {
            const double power = 2.0 * static_cast<double>(col / 2) / static_cast<double>(cols);
            const double angle = static_cast<double>(first + row) / std::pow(base, power);
            numbers.push_back(col % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return Tensor::fromDoubles({1, rows, cols}, numbers);
}

Tensor encodingOf(const Experiment &experiment, const PositionChoice &choice)
{
    const Shape shape = experiment.matrix(Stage::X).shape();
    if (choice.kind == PositionChoice::Kind::None)
        return Tensor::zeros(shape);
    if (choice.kind == PositionChoice::Kind::Sinusoidal)
        return sinusoidalEncoding(shape.rows, shape.cols, choice.base, choice.first);
    const Tensor &kept = experiment.lab(positionLab);
    if (!kept.isNull() && kept.shape() == shape)
        return kept;
    MatrixFill fill;
    fill.kind = MatrixFill::Kind::Normal;
    fill.deviation = 0.1;
    fill.seed = choice.seed;
    const Result<Tensor> drawn = filledMatrix(fill, shape, Tensor::Storage::Float64, {});
    return drawn ? *drawn : Tensor::zeros(shape);
}

MisplacedRows misplacedRows(const Tensor &P, double base)
{
    constexpr double rounding = 1e-6; // of a P that was once written as float32
    // Deleted tokens leave positions beyond the last row.
    const Index positions = 2 * P.rows() + 64;
    const Tensor rows = sinusoidalEncoding(positions, P.cols(), base);
    std::vector<std::pair<double, Index>> bySine;
    for (Index position = 0; position < positions; ++position)
        bySine.emplace_back(rows.at(position, 0), position);
    std::ranges::sort(bySine);
    const auto isRowOf = [&](Index row, Index position) {
        for (Index col = 0; col < P.cols(); ++col)
            if (!(std::abs(P.at(row, col) - rows.at(position, col)) <= rounding))
                return false;
        return true;
    };
    const auto positionOf = [&](Index row) -> Index {
        if (isRowOf(row, row))
            return row;
        auto candidate = std::ranges::lower_bound(bySine, std::pair(P.at(row, 0) - rounding, Index(0)));
        for (; candidate != bySine.end() && candidate->first <= P.at(row, 0) + rounding; ++candidate)
            if (isRowOf(row, candidate->second))
                return candidate->second;
        return -1;
    };
    MisplacedRows misplaced;
    Index known = 0;
    for (Index row = 0; row < P.rows(); ++row) {
        const Index position = positionOf(row);
        known += position >= 0 ? 1 : 0;
        if (position == row)
            continue;
        if (misplaced.count++ == 0) {
            misplaced.row = row;
            misplaced.position = position;
        }
    }
    return 2 * known >= P.rows() ? misplaced : MisplacedRows{};
}

PositionState positionState(const Experiment &experiment)
{
    PositionState state;
    state.X = experiment.matrix(Stage::X);
    if (state.X.isNull())
        return state;
    state.E = experiment.lab(embeddingLab);
    state.P = experiment.lab(positionLab);
    state.isKept = !state.E.isNull() && !state.P.isNull();
    if (!state.isKept) {
        state.E = state.X;
        state.P = Tensor::zeros(state.X.shape());
        return state;
    }
    state.fits = state.E.shape() == state.X.shape() && state.P.shape() == state.X.shape();
    if (!state.fits)
        return state;
    for (Index row = 0; row < state.X.rows(); ++row) {
        const std::vector<double> x = matrixRow(state.X, row);
        const std::vector<double> e = matrixRow(state.E, row);
        const std::vector<double> p = matrixRow(state.P, row);
        for (std::size_t col = 0; col < x.size(); ++col) {
            if (isSumOf(state.X, x[col], e[col], p[col]))
                continue;
            ++state.differing;
            state.largestGap = std::max(state.largestGap, std::abs(x[col] - e[col] - p[col]));
        }
    }
    return state;
}

Result<Edit> encodingEdit(const Experiment &experiment, const Tensor &P, Staying staying)
{
    const PositionState state = positionState(experiment);
    if (state.X.isNull())
        return noX();
    if (!(P.shape() == state.X.shape()))
        return Error{ErrorCode::ShapeMismatch,
                     "P: expected " + shapeText(state.X.shape()) + " as X, found " + shapeText(P.shape())};
    Compound edit;
    Tensor E = state.E;
    if (staying == Staying::X || !state.fits)
        E = combined(state.X, P, [](double x, double p) { return x - p; });
    edit.edits.push_back(SetLab{embeddingLab, E});
    edit.edits.push_back(SetLab{positionLab, P});
    if (staying == Staying::Embeddings)
        edit.edits.push_back(SetTensor{Stage::X, sumInStorageOf(state.X, E, P)});
    return Edit(edit);
}

Result<Edit> withFollowingX(const Experiment &experiment, const Edit &edit)
{
    const std::string *name = labOf(edit);
    const Tensor &X = experiment.matrix(Stage::X);
    const Tensor &E = experiment.lab(embeddingLab);
    const Tensor &P = experiment.lab(positionLab);
    if (!name || (*name != embeddingLab && *name != positionLab) || X.isNull() || E.isNull() || P.isNull() ||
        !(E.shape() == X.shape()) || !(P.shape() == X.shape()))
        return edit;
    const Result<EditOutcome> outcome = applyEdit(experiment, edit);
    if (!outcome)
        return outcome.error();
    const Tensor &newE = outcome->experiment.lab(embeddingLab);
    const Tensor &newP = outcome->experiment.lab(positionLab);
    if (newE.isNull() || newP.isNull() || !(newE.shape() == X.shape()) || !(newP.shape() == X.shape()))
        return edit;
    SetCells following{Stage::X, {}};
    for (const Index row : touchedRows(edit, E)) {
        for (Index col = 0; col < X.cols(); ++col) {
            const double x = X.at(row, col);
            const double sum = newE.at(row, col) + newP.at(row, col);
            const bool isTouched = newE.at(row, col) != E.at(row, col) || newP.at(row, col) != P.at(row, col);
            if (isTouched && isSumOf(X, x, E.at(row, col), P.at(row, col)))
                following.cells.push_back({{0, row, col}, sum});
        }
    }
    if (following.cells.empty())
        return edit;
    return Edit(Compound{{edit, following}});
}

Result<Edit> swapWordsEdit(const Experiment &experiment, Index i, Index j)
{
    const PositionState state = positionState(experiment);
    if (state.X.isNull())
        return noX();
    const Index count = state.X.rows();
    if (!experiment.isSelfAttention() || i < 0 || j < 0 || i >= count || j >= count ||
        count != experiment.tokens.size())
        return Error{ErrorCode::BadInput, "two tokens of one sequence are needed"};
    std::vector<std::string> labels = experiment.tokens.labels();
    std::swap(labels[static_cast<std::size_t>(i)], labels[static_cast<std::size_t>(j)]);
    Compound edit;
    edit.edits.push_back(SetTokens{TokenSide::Query, std::move(labels)});
    const bool isSum = state.isKept && state.fits && state.differing == 0;
    SetLabCells embeddings{embeddingLab, {}};
    SetCells tokens{Stage::X, {}};
    for (Index col = 0; col < state.X.cols(); ++col) {
        for (const auto &[to, from] : {std::pair(i, j), std::pair(j, i)}) {
            embeddings.cells.push_back({{0, to, col}, state.E.at(from, col)});
            tokens.cells.push_back(
                {{0, to, col}, isSum ? state.E.at(from, col) + state.P.at(to, col) : state.X.at(from, col)});
        }
    }
    if (isSum)
        edit.edits.push_back(std::move(embeddings));
    edit.edits.push_back(std::move(tokens));
    return Edit(edit);
}

} // namespace attn
