#define Eigen Eigen_limits_avx512

#include "benchmarks/limits/MachineLimits.h"

#include "benchmarks/limits/LimitUnit.h"

extern "C" const attn::bench::LimitTable *attnLimitsAvx512()
{
    static constexpr attn::bench::LimitTable table{"avx512", attn::bench::limitFunctions<float>,
                                                   attn::bench::limitFunctions<double>};
    return &table;
}
