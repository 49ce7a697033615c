#pragma once

namespace attn {

/// Runs the program with its command line: files or example:NAME to open. returns the exit code.
int runApplication(int argc, char **argv);

} // namespace attn
