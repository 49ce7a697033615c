#pragma once

namespace attn {

/// Memory of this machine in bytes; infinite where it cannot be told.
double systemMemoryBytes();

} // namespace attn
