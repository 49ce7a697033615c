#include "engine/masks/MaskPainting.h"

#include "engine/masks/MaskCells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace attn {

namespace {

constexpr double minusInfiniteBias = -std::numeric_limits<double>::infinity();
/// Cells written one by one; above, whole matrices are replaced.
constexpr Index mostCellsListed = 65536;

bool isPainted(Stage mask)
{
    return mask == Stage::MaskBool || mask == Stage::MaskAdd || mask == Stage::MaskPadding;
}

Shape maskShape(const Experiment &experiment, Stage mask)
{
    const Sizes sizes = sizesOf(experiment);
    return mask == Stage::MaskPadding ? Shape{1, 1, sizes.nK} : Shape{1, sizes.nQ, sizes.nK};
}

Tensor maskOrNeutral(const Experiment &experiment, Stage mask)
{
    const Tensor &matrix = experiment.matrix(mask);
    return matrix.isNull() ? Tensor::filled(maskShape(experiment, mask), allowingValue(mask)) : matrix;
}

/// Larger masks of ones and zeros are held as float32, in half the memory.
constexpr Index mostCellsAsDoubles = 1 << 20;

/// fillRow(head, row, out): writes one row of doubles or floats.
template<typename T, typename FillRow>
std::vector<T> rowsFilled(const Shape &shape, const FillRow &fillRow)
{
    std::vector<T> numbers(static_cast<std::size_t>(shape.size()));
    for (Index head = 0; head < shape.heads; ++head)
        for (Index row = 0; row < shape.rows; ++row)
            fillRow(head, row, numbers.data() + (head * shape.rows + row) * shape.cols);
    return numbers;
}

template<typename FillRow>
Tensor maskOfRows(Stage mask, const Shape &shape, const FillRow &fillRow)
{
    if (mask == Stage::MaskBool && shape.size() > mostCellsAsDoubles)
        return Tensor::fromFloats(shape, rowsFilled<float>(shape, fillRow));
    return Tensor::fromDoubles(shape, rowsFilled<double>(shape, fillRow));
}

/// A mask shared by all heads as one for each.
Tensor perHead(Stage mask, const Tensor &shared, Index heads)
{
    return maskOfRows(mask, {heads, shared.rows(), shared.cols()},
                      [&](Index, Index row, auto *out) { shared.copyRows(0, row, 1, out); });
}

Result<void> checkRects(const Shape &shape, const std::vector<MaskRect> &rects)
{
    for (const MaskRect &rect : rects) {
        const bool isInside = rect.row >= 0 && rect.col >= 0 && rect.rowCount > 0 && rect.colCount > 0 &&
                              rect.row + rect.rowCount <= shape.rows &&
                              rect.col + rect.colCount <= shape.cols;
        if (!isInside)
            return Error{ErrorCode::BadInput, "the painted cells lie outside of the mask, which is " +
                                                  shapeText({1, shape.rows, shape.cols})};
    }
    return {};
}

Result<void> checkHead(const Experiment &experiment, std::optional<Index> head)
{
    if (head && (*head < 0 || *head >= experiment.nHeads))
        return Error{ErrorCode::BadInput, "head " + std::to_string(*head) + ": expected 0 to " +
                                              std::to_string(experiment.nHeads - 1)};
    return {};
}

/// The heads of a mask matrix that a brush writes to.
std::vector<Index> writtenHeads(const Tensor &matrix, std::optional<Index> head)
{
    if (head)
        return {matrix.heads() == 1 ? 0 : *head};
    std::vector<Index> heads;
    for (Index i = 0; i < matrix.heads(); ++i)
        heads.push_back(i);
    return heads;
}

std::vector<CellValue> cellsOf(const std::vector<MaskRect> &rects, const std::vector<Index> &heads,
                               double value)
{
    std::vector<CellValue> cells;
    for (const Index head : heads)
        for (const MaskRect &rect : rects)
            for (Index row = rect.row; row < rect.row + rect.rowCount; ++row)
                for (Index col = rect.col; col < rect.col + rect.colCount; ++col)
                    cells.push_back({{head, row, col}, value});
    return cells;
}

/// A few rows at a time, as a list of cells is many times as large as the cells.
Tensor withRect(Tensor matrix, const MaskRect &rect, const std::vector<Index> &heads, double value)
{
    const Index rowsAtOnce = std::max<Index>(1, mostCellsListed / rect.colCount);
    for (Index row = rect.row; row < rect.row + rect.rowCount; row += rowsAtOnce) {
        const Index count = std::min(rowsAtOnce, rect.row + rect.rowCount - row);
        matrix = matrix.withCells(cellsOf({{row, rect.col, count, rect.colCount}}, heads, value));
    }
    return matrix;
}

/// `made` in the place of one head of the boolean mask, or of all of it.
Tensor placedInMask(const Experiment &experiment, const Tensor &made, std::optional<Index> head)
{
    if (!head || experiment.nHeads == 1)
        return made;
    const Tensor before = maskOrNeutral(experiment, Stage::MaskBool);
    return maskOfRows(Stage::MaskBool, {experiment.nHeads, made.rows(), made.cols()},
                      [&](Index i, Index row, auto *out) {
                          if (i == *head)
                              made.copyRows(0, row, 1, out);
                          else
                              before.copyRows(before.heads() == 1 ? 0 : i, row, 1, out);
                      });
}

} // namespace

double hidingValue(Stage mask)
{
    return mask == Stage::MaskAdd ? minusInfiniteBias : 0.0;
}

double allowingValue(Stage mask)
{
    return mask == Stage::MaskAdd ? 0.0 : 1.0;
}

Result<Edit> paintedMask(const Experiment &experiment, const MaskBrush &brush,
                         const std::vector<MaskRect> &rects)
{
    if (!isPainted(brush.mask))
        return Error{ErrorCode::BadInput, std::string(stageName(brush.mask)) + " is no mask to paint"};
    if (brush.mask != Stage::MaskAdd && brush.value != 0.0 && brush.value != 1.0)
        return Error{ErrorCode::BadInput, std::string(stageName(brush.mask)) + " takes 0 and 1 only"};
    if (const Result<void> head = checkHead(experiment, brush.head); !head)
        return head.error();
    Tensor matrix = maskOrNeutral(experiment, brush.mask);
    if (const Result<void> inside = checkRects(matrix.shape(), rects); !inside)
        return inside.error();

    const bool isSplit =
        brush.head && brush.mask != Stage::MaskPadding && experiment.nHeads > 1 && matrix.heads() == 1;
    if (isSplit)
        matrix = perHead(brush.mask, matrix, experiment.nHeads);
    const std::vector<Index> heads =
        writtenHeads(matrix, brush.mask == Stage::MaskPadding ? std::nullopt : brush.head);
    Index cells = 0;
    for (const MaskRect &rect : rects)
        cells += rect.size() * static_cast<Index>(heads.size());
    if (!isSplit && cells <= mostCellsListed)
        return Edit(SetCells{brush.mask, cellsOf(rects, heads, brush.value)});
    for (const MaskRect &rect : rects)
        matrix = withRect(std::move(matrix), rect, heads, brush.value);
    return Edit(SetTensor{brush.mask, matrix});
}

Index hiddenByOthers(const Experiment &experiment, Stage mask, Index head, const std::vector<MaskRect> &rects)
{
    MaskParts others = maskPartsOf(experiment);
    if (mask == Stage::MaskBool)
        others.boolean = {};
    if (mask == Stage::MaskAdd)
        others.add = {};
    if (mask == Stage::MaskPadding)
        others.padding = {};
    Index hidden = 0;
    for (const MaskRect &rect : rects)
        for (Index row = rect.row; row < rect.row + rect.rowCount; ++row)
            hidden += hiddenKeysOf(others, head, row, rect.col, rect.colCount);
    return hidden;
}

bool MaskStamp::allows(Index position, Index key) const
{
    switch (kind) {
    case Kind::Keep:
        return true;
    case Kind::Drop:
        return false;
    case Kind::Causal:
        return key <= position;
    case Kind::Prefix:
        return key <= position || key < size;
    case Kind::Block: {
        const Index block = std::max<Index>(size, 1);
        const Index first = position >= 0 ? position / block : (position - block + 1) / block;
        return key / block == first;
    }
    case Kind::Band:
        return std::abs(key - position) <= size;
    }
    return true;
}

Result<Edit> stampedMask(const Experiment &experiment, const MaskStamp &stamp, std::optional<Index> head)
{
    if (const Result<void> inside = checkHead(experiment, head); !inside)
        return inside.error();
    const Index least = stamp.kind == MaskStamp::Kind::Block ? 1 : 0;
    if (stamp.hasSize() && stamp.size < least)
        return Error{ErrorCode::BadInput, "the pattern's size: expected at least " + std::to_string(least) +
                                              ", found " + std::to_string(stamp.size)};
    const Shape shape = maskShape(experiment, Stage::MaskBool);
    const Tensor pattern = maskOfRows(Stage::MaskBool, shape, [&](Index, Index row, auto *out) {
        for (Index key = 0; key < shape.cols; ++key)
            out[key] = stamp.allows(row + experiment.qOffset, key) ? 1 : 0;
    });
    const Edit painted = SetTensor{Stage::MaskBool, placedInMask(experiment, pattern, head)};
    const bool replacesCausal =
        stamp.kind == MaskStamp::Kind::Causal || stamp.kind == MaskStamp::Kind::Prefix;
    if (!replacesCausal || !experiment.causal)
        return painted;
    return Edit(Compound{{SetCausal{false}, painted}});
}

Result<Edit> invertedMask(const Experiment &experiment, std::optional<Index> head)
{
    const Tensor &mask = experiment.matrix(Stage::MaskBool);
    if (mask.isNull())
        return Error{ErrorCode::NotFound, "this document has no boolean mask to invert"};
    if (const Result<void> inside = checkHead(experiment, head); !inside)
        return inside.error();
    const bool isOneOfMany = head && experiment.nHeads > 1;
    const Index heads = isOneOfMany ? experiment.nHeads : mask.heads();
    const Tensor inverted =
        maskOfRows(Stage::MaskBool, {heads, mask.rows(), mask.cols()}, [&](Index i, Index row, auto *out) {
            mask.copyRows(mask.heads() == 1 ? 0 : i, row, 1, out);
            if (!isOneOfMany || i == *head)
                std::transform(out, out + mask.cols(), out, [](auto value) { return 1 - value; });
        });
    return Edit(SetTensor{Stage::MaskBool, inverted});
}

Result<Edit> movedToAdditive(const Experiment &experiment)
{
    const Tensor &mask = experiment.matrix(Stage::MaskBool);
    if (mask.isNull())
        return Error{ErrorCode::NotFound, "this document has no boolean mask to convert"};
    const Tensor add = maskOrNeutral(experiment, Stage::MaskAdd);
    std::vector<double> bias(static_cast<std::size_t>(mask.cols()));
    const Tensor together = maskOfRows(
        Stage::MaskAdd, {std::max(mask.heads(), add.heads()), mask.rows(), mask.cols()},
        [&](Index head, Index row, auto *out) {
            mask.copyRows(mask.heads() == 1 ? 0 : head, row, 1, out);
            add.copyRows(add.heads() == 1 ? 0 : head, row, 1, bias.data());
            std::transform(out, out + mask.cols(), bias.begin(), out,
                           [](double keep, double more) { return keep == 0.0 ? minusInfiniteBias : more; });
        });
    return Edit(Compound{{SetTensor{Stage::MaskAdd, together}, SetTensor{Stage::MaskBool, {}}}});
}

Result<Edit> movedToBoolean(const Experiment &experiment)
{
    const Tensor &add = experiment.matrix(Stage::MaskAdd);
    if (add.isNull())
        return Error{ErrorCode::NotFound, "this document has no additive mask to convert"};
    const Tensor before = maskOrNeutral(experiment, Stage::MaskBool);
    const Shape shape{std::max(add.heads(), before.heads()), add.rows(), add.cols()};
    std::vector<double> bias(static_cast<std::size_t>(shape.cols));
    bool hasBias = false;
    const Tensor keep = maskOfRows(Stage::MaskBool, shape, [&](Index head, Index row, auto *out) {
        before.copyRows(before.heads() == 1 ? 0 : head, row, 1, out);
        add.copyRows(add.heads() == 1 ? 0 : head, row, 1, bias.data());
        for (Index col = 0; col < shape.cols; ++col) {
            const double added = bias[static_cast<std::size_t>(col)];
            const bool hides = std::isinf(added) && added < 0.0;
            hasBias = hasBias || (!hides && added != 0.0);
            out[col] = hides ? 0 : out[col];
        }
    });
    Tensor rest;
    if (hasBias)
        rest = maskOfRows(Stage::MaskAdd, add.shape(), [&](Index head, Index row, auto *out) {
            add.copyRows(head, row, 1, out);
            for (Index col = 0; col < shape.cols; ++col)
                out[col] = std::isinf(out[col]) && out[col] < 0 ? 0 : out[col];
        });
    return Edit(Compound{{SetTensor{Stage::MaskBool, keep}, SetTensor{Stage::MaskAdd, rest}}});
}

} // namespace attn
