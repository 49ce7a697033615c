#pragma once

#include "engine/Derivation.h"
#include "render/Theme.h"

#include <QString>

class QFontMetrics;

namespace attn {

/// A derivation as rich text: the formula, then each step with its terms and their numbers. Set in lines of
/// `width` pixels, as `metrics` measures them, so that no name is broken.
QString derivationHtml(const Derivation &derivation, const Theme &theme, int decimals,
                       const QFontMetrics &metrics, int width);

} // namespace attn
