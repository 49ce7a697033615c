#define Eigen Eigen_avx2

#include "engine/kernels/KernelUnits.h"
#include "engine/kernels/unit/KernelUnit.h"

extern "C" const attn::KernelTable *attnKernelsAvx2()
{
    static constexpr attn::KernelTable table = attn::unitTable("avx2");
    return &table;
}
