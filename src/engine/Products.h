#pragma once

#include "base/Result.h"
#include "engine/Snapshot.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// A product of the pipeline that can be looked at in parts.
enum class ProductKind
{
    Query,   ///< X W^Q
    Key,     ///< X W^K
    Value,   ///< X W^V
    Scores,  ///< Q K^T of one head
    HeadOut, ///< A V of one head
    Output,  ///< concat W^O
    Free,    ///< A B, the scratch matrices of these names
};

/// "q", "k", "v", "scores", "head_out", "output", "free": as on the command line and in files.
const char *productName(ProductKind kind);
std::optional<ProductKind> productFromName(std::string_view name);

struct ProductChoice
{
    ProductKind kind = ProductKind::Query;
    Index head = -1; ///< query head; -1 = all heads at once where that makes sense, else the first

    bool operator==(const ProductChoice &) const = default;
};

/// One matrix of a product: a block of a stage (or of a scratch matrix), as it stands in the product.
struct ProductMatrix
{
    Stage stage = Stage::X;
    std::string lab; ///< not empty: the scratch matrix of this name
    Index head = 0;  ///< head of the stage
    Index firstRow = 0;
    Index firstCol = 0;
    bool transposed = false;
    StageValuesPtr source; ///< the whole stage
    StageValuesPtr values; ///< the block as it stands in the product: [1, rows, cols]

    Index rows() const { return values->rows(); }
    Index cols() const { return values->cols(); }
    /// The cell of the stage that stands at (row, col) of the product's matrix.
    CellIndex cellOf(Index row, Index col) const
    {
        return transposed ? CellIndex{head, firstRow + col, firstCol + row}
                          : CellIndex{head, firstRow + row, firstCol + col};
    }
    /// Where this cell of the stage stands; nothing when it is not part of the block.
    std::optional<std::pair<Index, Index>> placeOf(const CellIndex &cell) const;
};

/// C = left · right (+ bias): left [m, n], right [n, p]. The sum runs over j = 0 … n-1.
struct Product
{
    ProductKind kind = ProductKind::Query;
    Index head = -1; ///< as chosen, brought inside the document's heads
    ProductMatrix left;
    ProductMatrix right;
    ProductMatrix result; ///< the stage it makes; for a free product its own numbers
    StageValuesPtr bias;  ///< [1, 1, p], added to every row; null = none

    Index rows() const { return left.rows(); }
    Index inner() const { return left.cols(); }
    Index cols() const { return right.cols(); }
};

/// Whether the product exists for all heads at once (Q, K, V, concat W^O), for one (also Q K^T and A V).
bool hasAllHeads(ProductKind kind);

/// The product of a snapshot. A factor that is not available: an error with the reason; scratch matrices
/// whose shapes do not fit: an error with both shapes.
Result<Product> productOf(const Snapshot &snapshot, const ProductChoice &choice);

/// A product of two plain matrices of fitting shapes.
Product plainProduct(const Tensor &left, const Tensor &right);

/// How far the stage is from the product (+ bias): of pins, of numbers given by hand, or of rounding.
struct ProductGap
{
    double largest = 0.0; ///< |stage - (product + bias)|; NaN when a number is NaN
    Index row = 0;        ///< where
    Index col = 0;
    Index count = 0; ///< cells that differ by more than `tolerance`
    double tolerance = 0.0;
};
/// tolerance < 0: rounding of a sum of that length (1e-12, in float32 1e-5, of the largest number).
ProductGap productGap(const Product &product, double tolerance = -1.0);

} // namespace attn
