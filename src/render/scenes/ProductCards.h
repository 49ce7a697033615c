#pragma once

#include "render/scenes/ProductLook.h"

namespace attn {

/// The cards of the products workspace, each built with its corner at (0, 0); Scene::size is the card's.

/// left and result in Falk's scheme: right above the result, so that row and column of a cell meet in it.
Scene falkCard(const ProductLook &look);
/// The terms of cell (i, k) one below the other, with their sum.
Scene innerCard(const ProductLook &look);
/// Columns of the left, weighted by column k of the right.
Scene columnCard(const ProductLook &look);
/// Rows of the right, weighted by row i of the left.
Scene rowCard(const ProductLook &look);
/// Layers of rank 1, their running sum and what is missing.
Scene outerCard(const ProductLook &look);

/// Puts a card into a scene.
void addCard(Scene &scene, const Scene &card, const QPointF &corner);

} // namespace attn
