#pragma once

#include "render/ProductsScene.h"

#include <QJsonObject>

namespace attn {

/// What the products workspace keeps in the view state. What is missing or makes no sense is the default.
QJsonObject productsToJson(const ProductsOptions &options);
ProductsOptions productsFromJson(const QJsonObject &state);

} // namespace attn
