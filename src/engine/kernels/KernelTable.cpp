#include "engine/kernels/KernelTable.h"

#include "engine/kernels/KernelUnits.h"

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

namespace attn {

namespace {

using TableList = std::array<const KernelTable *, 4>;

TableList runnableTables()
{
    TableList tables{};
    std::size_t count = 0;
    tables[count++] = attnKernelsBaseline();
#if defined(ATTN_X86_KERNELS)
    // What the units are compiled with, no more and no less.
    __builtin_cpu_init();
    const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (hasAvx2)
        tables[count++] = attnKernelsAvx2();
    if (hasAvx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        tables[count++] = attnKernelsAvx512();
#endif
    return tables;
}

struct KernelChoice
{
    TableList tables = runnableTables();
    const KernelTable *used = nullptr;
    std::string note;

    KernelChoice()
    {
        const char *asked = std::getenv("ATTNSCOPE_ISA");
        const std::string_view wanted = asked ? asked : "";
        std::string names;
        for (const KernelTable *table : tables) {
            if (!table)
                break;
            names += names.empty() ? "" : ", ";
            names += table->isa;
            if (wanted == table->isa) {
                used = table;
                return;
            }
            used = table;
        }
        if (!wanted.empty())
            note = "ATTNSCOPE_ISA: expected one of " + names + ", found \"" + std::string(wanted) +
                   "\"; using " + used->isa;
    }
};

const KernelChoice &kernelChoice()
{
    static const KernelChoice choice;
    return choice;
}

} // namespace

const KernelTable &kernels()
{
    return *kernelChoice().used;
}

const char *isaName()
{
    return kernels().isa;
}

const char *kernelNote()
{
    return kernelChoice().note.c_str();
}

const KernelTable *const *kernelTables()
{
    return kernelChoice().tables.data();
}

} // namespace attn
