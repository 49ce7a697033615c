#include "benchmarks/Benchmarks.h"
#include "benchmarks/EngineSession.h"
#include "engine/kernels/KernelTable.h"

#include <cmath>

namespace attn::bench {

namespace {

/// Slope of the least-squares line through (ln n, ln ms).
double exponentOf(const std::vector<std::pair<double, double>> &points)
{
    double meanX = 0.0;
    double meanY = 0.0;
    for (const auto &[n, ms] : points) {
        meanX += std::log(n) / static_cast<double>(points.size());
        meanY += std::log(ms) / static_cast<double>(points.size());
    }
    double above = 0.0;
    double below = 0.0;
    for (const auto &[n, ms] : points) {
        above += (std::log(n) - meanX) * (std::log(ms) - meanY);
        below += (std::log(n) - meanX) * (std::log(n) - meanX);
    }
    return above / below;
}

} // namespace

void benchGrowth(Report &report, const BenchOptions &options)
{
    const std::string what = "growth of an X cell, visible head";
    if (!options.wants(what))
        return;
    std::vector<std::pair<double, double>> points;
    Measurement m;
    for (const Index n : {1024, 2048, 4096, 8192, 16384}) {
        EngineSession session(layerOf(n, options), options);
        session.setFocus({Stage::HeadOut, 0, 0, n});
        Index row = 0;
        const auto next = [&] {
            row = (row + 37) % n;
            return cellEdit(session.experiment(), Stage::X, row, 0);
        };
        session.visibleMs(next());
        const Times times = timesOf(options.budgetMs, [&] { return session.visibleMs(next()); });
        session.report(report, what, times, {Stage::HeadOut}, false);
        // The shortest time: what else the machine does must not bend the line.
        points.emplace_back(static_cast<double>(n), times.minMs);
        m.n = n;
        m.medianMs = times.medianMs;
        m.minMs = times.minMs;
    }
    m.what = "growth of an X cell: exponent over n 1024-16384";
    m.d = options.dHead;
    m.h = options.heads;
    m.dtype = options.isDouble ? "f64" : "f32";
    m.threads = options.threads;
    m.isa = isaName();
    m.peakRssMib = peakRssMib();
    m.rate = exponentOf(points);
    m.rateUnit = "exponent";
    report.add(m, 0.0);
}

} // namespace attn::bench
