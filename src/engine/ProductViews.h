#pragma once

#include "engine/Products.h"

namespace attn {

/// A product taken apart. All four views are slices of one cube of terms t(i, j, k) = left(i, j) right(j, k):
///   inner   fixes i and k: the terms of one cell;
///   column  fixes k: columns of the left, weighted by column k of the right, make column k of the result;
///   row     fixes i: rows of the right, weighted by row i of the left, make row i of the result;
///   outer   fixes j: column j times row j, a layer of rank 1.

struct ProductTerm
{
    Index j = 0;
    double left = 0.0;
    double right = 0.0;
    double value = 0.0; ///< left · right
};

/// The inner view of one cell.
struct CellTerms
{
    std::vector<ProductTerm> terms; ///< the largest by |value| and the one kept, by j; NaN counts as largest
    Index restCount = 0;            ///< how many are not listed
    double restSum = 0.0;
    double sum = 0.0; ///< of all terms, added by j
};

/// Terms of cell (i, k); at most `limit` are listed, and besides that of `kept` whatever its size.
CellTerms cellTerms(const Product &product, Index i, Index k, Index limit, Index kept = -1);

/// Frobenius norms of the layers: |column j of the left| · |row j of the right|. Reads both factors once.
std::vector<double> layerNorms(const Product &product);

enum class LayerOrder
{
    ByIndex,
    LargestFirst, ///< by layerNorms, equal ones by index
};
std::vector<Index> layerOrder(const Product &product, LayerOrder order);

/// The layer of j: [1, m, p], computed cell by cell as it is read.
StageValuesPtr layerValues(const Product &product, Index j);

/// What the first `count` layers of an order add up to, and what is left of the product.
struct RunningSum
{
    StageValuesPtr sum;     ///< [1, m, p], added in the order
    StageValuesPtr rest;    ///< product - sum
    Index rank = 0;         ///< numerical rank of the sum; -1 = not computed, too large
    double restNorm = 0.0;  ///< Frobenius norm of the rest
    double wholeNorm = 0.0; ///< of the product
};
RunningSum runningSum(const Product &product, const std::vector<Index> &order, Index count);

} // namespace attn
