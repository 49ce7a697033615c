#pragma once

#include "engine/ProductViews.h"
#include "render/SceneBuilders.h"

namespace attn {

/// What the products workspace shows.
struct ProductsOptions
{
    /// Whether one writes A v (columns of A are combined) or v B (rows of B are combined).
    enum class Vectors
    {
        AsColumns,
        AsRows,
    };

    ProductChoice choice;
    Index i = 0;     ///< row of the result
    Index j = 0;     ///< term of the sum
    Index k = 0;     ///< column of the result
    Index step = -1; ///< how many layers are added up; -1 = all
    LayerOrder order = LayerOrder::ByIndex;
    Vectors vectors = Vectors::AsRows;
    bool compact = false; ///< row and column view: one factor as a whole instead of piece by piece
    /// The cards are laid out to be in sight together, as large as this room allows; where they would become
    /// illegible, or without a height, they wrap at its width.
    QSizeF room{1280.0, 0.0};

    bool operator==(const ProductsOptions &) const = default;
};

/// One product in four linked views: inner, column, row and outer; with the terms of the chosen cell, the
/// running sum of the layers, its rank and what is missing. Where the product cannot be made: the reason.
Scene productsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                    const ProductsOptions &options = {});

/// The options with i, j, k and step inside the product.
ProductsOptions insideProduct(ProductsOptions options, const Product &product);

/// i, j, k after a cell of a read-only map of the scene was chosen; unchanged where it names none.
ProductsOptions pickedInProduct(ProductsOptions options, const Product &product, const MapKey &map, Index row,
                                Index col);

/// Single terms are listed, and pieces drawn, of at most so many j; of more the largest.
inline constexpr Index mostProductPieces = 8;
/// Whether the layers of a product are small enough to be added up and drawn.
bool canDrawLayers(const Product &product);

} // namespace attn
