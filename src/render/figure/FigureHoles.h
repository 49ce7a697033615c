#pragma once

#include "render/Scene.h"

namespace attn {

/// The scene as a figure has it: without its controls, grips and hints, and without the rows that they alone
/// stood in. What stands below such a row moves up; what stands beside a control keeps it its place.
Scene withoutHoles(const Scene &scene);

} // namespace attn
