// The processor that the whole program is compiled for: SSE2 on x86-64.
#define Eigen Eigen_baseline

#include "engine/kernels/KernelUnits.h"
#include "engine/kernels/unit/KernelUnit.h"

#if defined(__x86_64__)
#define ATTN_UNIT_ISA "sse2"
#else
#define ATTN_UNIT_ISA "generic"
#endif

extern "C" const attn::KernelTable *attnKernelsBaseline()
{
    static constexpr attn::KernelTable table = attn::unitTable(ATTN_UNIT_ISA);
    return &table;
}
