#pragma once

namespace attn::bench {

/// The whole program; returns its exit code: 0, 1 when a result was wrong, 2 for wrong usage.
int runBenchmarks(int argc, char **argv);

} // namespace attn::bench
