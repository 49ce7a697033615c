#include "benchmarks/RunBenchmarks.h"

int main(int argc, char **argv)
{
    return attn::bench::runBenchmarks(argc, argv);
}
