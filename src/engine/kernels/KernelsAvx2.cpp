#define Eigen Eigen_avx2

#include "engine/kernels/KernelUnits.h"
#include "engine/kernels/unit/KernelUnit.h"

extern "C" const attn::KernelTable *attnKernelsAvx2()
{
    static constexpr attn::KernelTable table{"avx2", attn::unitKernels<double>, attn::unitKernels<float>};
    return &table;
}
