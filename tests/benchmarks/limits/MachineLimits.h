#pragma once

#include "benchmarks/Measurement.h"

namespace attn::bench {

/// One instruction set's speed, measured by code compiled for it; each returns its number of operations.
template<typename Scalar>
struct LimitFunctions
{
    double (*multiplyAdds)(long rounds);
    double (*eigenTile)(int rounds);
};

struct LimitTable
{
    const char *isa;
    LimitFunctions<float> f32;
    LimitFunctions<double> f64;
};

/// What this machine can do now: multiply-adds and Eigen's cached tile for each instruction set, the
/// exponential of the kernels, copying memory.
void measureLimits(Report &report, double budgetMs);

} // namespace attn::bench

extern "C" {
const attn::bench::LimitTable *attnLimitsBaseline();
#if defined(ATTN_X86_KERNELS)
const attn::bench::LimitTable *attnLimitsAvx2();
const attn::bench::LimitTable *attnLimitsAvx512();
#endif
}
