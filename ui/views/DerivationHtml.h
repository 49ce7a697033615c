#pragma once

#include "engine/Derivation.h"
#include "render/Theme.h"

#include <QString>

namespace attn {

/// A derivation as rich text: the formula, then each step with its terms and their numbers.
QString derivationHtml(const Derivation &derivation, const Theme &theme, int decimals);

} // namespace attn
