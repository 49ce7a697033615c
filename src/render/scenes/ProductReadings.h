#pragma once

#include "engine/Products.h"

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
QString productReading(ProductKind product, ProductViewKind view);

} // namespace attn
