#pragma once

#include "engine/kernels/KernelTable.h"

/// The tables of the kernel units. Asking for one is safe on every processor; its kernels are not.
extern "C" {
const attn::KernelTable *attnKernelsBaseline();
#if defined(ATTN_X86_KERNELS)
const attn::KernelTable *attnKernelsAvx2();
const attn::KernelTable *attnKernelsAvx512();
#endif
}
