#pragma once

#include <string>
#include <vector>

namespace attn::bench {

struct BenchOptions
{
    bool asJson = false;
    bool limits = false;
    bool withLarge = true; ///< also 131072 tokens
    bool processorTime = false;
    std::string only; ///< measurements whose name contains this
    std::vector<long> sizes = {512, 2048, 4096};
    long heads = 12;
    long dHead = 64;
    int threads = 1;
    bool isDouble = false;
    double budgetMs = 1000.0; ///< for each measurement; at least three repeats
    std::string child;        ///< what a process started by this one does
    std::string file;

    bool wants(const std::string &what) const { return what.find(only) != std::string::npos; }
};

/// Exits with 2 and a sentence on wrong usage, with 0 after --help.
BenchOptions parseOptions(int argc, char **argv);

} // namespace attn::bench
