#define Eigen Eigen_avx512

#include "engine/kernels/KernelUnits.h"
#include "engine/kernels/unit/KernelUnit.h"

extern "C" const attn::KernelTable *attnKernelsAvx512()
{
    static constexpr attn::KernelTable table = attn::unitTable("avx512");
    return &table;
}
