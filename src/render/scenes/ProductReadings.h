#pragma once

#include "engine/ProductViews.h"

#include <QString>

namespace attn {

enum class ProductViewKind
{
    Inner,
    Column,
    Row,
    Outer,
};

/// What a view of a product says, in one or two sentences: in words of tokens and features where the product
/// is one of the pipeline.
QString productReading(const Product &product, ProductViewKind view);

/// The entry formula of one cell in letters, c = a b: "c₁₁ = a₁₁b₁₁ + a₁₂b₂₁ + …", as far as the terms are
/// listed.
QString productLetters(const CellTerms &terms, Index row, Index col);

} // namespace attn
