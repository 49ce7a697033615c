#pragma once

#include "engine/Tensor.h"

#include <string>

namespace attn {

/// Names of scratch matrices that every document has: until somebody changes one it holds its start values
/// and is not saved.
namespace standardLab {
inline const std::string vectors = "vectors";           ///< [3, 3]: one column each; the plane takes two rows
inline const std::string coefficients = "coefficients"; ///< [3, 1]: one for each vector
inline const std::string target = "target";             ///< [3, 1]
inline const std::string mapA = "map A";                ///< [2, 2]
inline const std::string mapB = "map B";                ///< [2, 2]
inline const std::string inputs = "u v";                ///< [2, 2]: what the maps are tried on
inline const std::string factor = "c";                  ///< [1, 1]: and scaled by
} // namespace standardLab

/// The start values of a standard scratch matrix; null for other names.
const Tensor &standardLabMatrix(const std::string &name);

} // namespace attn
