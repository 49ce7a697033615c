#define Eigen Eigen_limits_baseline

#include "benchmarks/limits/MachineLimits.h"

#include "benchmarks/limits/LimitUnit.h"

extern "C" const attn::bench::LimitTable *attnLimitsBaseline()
{
    static constexpr attn::bench::LimitTable table{"baseline", attn::bench::limitFunctions<float>,
                                                   attn::bench::limitFunctions<double>};
    return &table;
}
