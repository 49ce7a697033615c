#pragma once

#include <QRectF>
#include <QString>

#include <vector>

namespace attn {

struct Scene;

/// A title, number or sentence of a picture, whole again where it is painted in several lines.
struct SceneStatement
{
    QString text; ///< without markup
    QRectF rect;
};

/// What a picture says in words, in the order in which it was laid out; without what only stands below a
/// control for figures, which have none.
std::vector<SceneStatement> statementsOf(const Scene &scene);

} // namespace attn
