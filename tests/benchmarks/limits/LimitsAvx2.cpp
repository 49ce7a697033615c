#define Eigen Eigen_limits_avx2

#include "benchmarks/limits/MachineLimits.h"

#include "benchmarks/limits/LimitUnit.h"

extern "C" const attn::bench::LimitTable *attnLimitsAvx2()
{
    static constexpr attn::bench::LimitTable table{"avx2", attn::bench::limitFunctions<float>,
                                                   attn::bench::limitFunctions<double>};
    return &table;
}
