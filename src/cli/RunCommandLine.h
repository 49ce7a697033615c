#pragma once

namespace attn {

/// The whole program: reads the arguments, runs the verb, prints. returns the exit code: 0 done, 1 bad input,
/// 2 wrong usage. Works without a display.
int runCommandLine(int argc, char *argv[]);

} // namespace attn
