#include "benchmarks/limits/MachineLimits.h"

#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace attn::bench {

namespace {

const LimitTable *limitsOf(const KernelTable &kernels)
{
#if defined(ATTN_X86_KERNELS)
    for (const LimitTable *table : {attnLimitsAvx2(), attnLimitsAvx512()})
        if (std::strcmp(table->isa, kernels.isa) == 0)
            return table;
#endif
    return kernels.isa ? attnLimitsBaseline() : nullptr;
}

Measurement limit(const char *what, const char *isa, const char *dtype, const Times &times, double operations,
                  const char *unit)
{
    Measurement m;
    m.what = what;
    m.isa = isa;
    m.dtype = dtype;
    m.medianMs = times.medianMs;
    m.minMs = times.minMs;
    m.peakRssMib = peakRssMib();
    m.rate = operations / times.minMs * 1e-6;
    m.rateUnit = unit;
    return m;
}

template<typename Scalar>
void measureProcessor(Report &report, const LimitFunctions<Scalar> &functions, const Kernels<Scalar> &kernels,
                      const char *isa, const char *dtype, double budgetMs)
{
    double operations = 0.0;
    const auto timed = [&](auto function) {
        return timesOf(budgetMs, [&] { return millisecondsOf([&] { operations = function(); }); });
    };
    Times times = timed([&] { return 2.0 * functions.multiplyAdds(100000); });
    report.add(limit("limit: multiply-adds on registers", isa, dtype, times, operations, "GFLOP/s"), 0.0);
    times = timed([&] { return functions.eigenTile(4); });
    report.add(limit("limit: Eigen, cached tile 256x256x64", isa, dtype, times, operations, "GFLOP/s"), 0.0);

    constexpr std::ptrdiff_t count = 1 << 14;
    std::vector<Scalar> in(count);
    std::vector<Scalar> out(count);
    for (std::size_t i = 0; i < in.size(); ++i)
        in[i] = static_cast<Scalar>(-20.0 * static_cast<double>(i) / count);
    times = timed([&] {
        kernels.exponentials(in.data(), out.data(), count);
        return static_cast<double>(count);
    });
    Measurement m = limit("exponentials", isa, dtype, times, operations, "Gexp/s");
    for (std::size_t i = 0; i < in.size(); ++i) {
        const long double exact = std::exp(static_cast<long double>(in[i]));
        m.error = std::max(m.error,
                           static_cast<double>(std::abs(static_cast<long double>(out[i]) - exact) / exact));
    }
    report.add(m, sizeof(Scalar) == sizeof(double) ? 1e-15 : 2e-7);
}

} // namespace

void measureLimits(Report &report, double budgetMs)
{
    for (const KernelTable *const *table = kernelTables(); *table; ++table) {
        const LimitTable *limits = limitsOf(**table);
        measureProcessor(report, limits->f32, (*table)->f32, (*table)->isa, "f32", budgetMs);
        measureProcessor(report, limits->f64, (*table)->f64, (*table)->isa, "f64", budgetMs);
    }
    constexpr std::size_t bytes = std::size_t(1) << 28;
    std::vector<char> from(bytes, 1);
    std::vector<char> to(bytes, 2);
    const Times times = timesOf(
        budgetMs, [&] { return millisecondsOf([&] { std::memcpy(to.data(), from.data(), bytes); }); });
    // A copy reads and writes.
    report.add(limit("limit: copy of 256 MiB", "", "", times, 2.0 * static_cast<double>(bytes), "GB/s"), 0.0);
}

} // namespace attn::bench
