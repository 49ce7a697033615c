#include "benchmarks/Benchmarks.h"
#include "benchmarks/EngineSession.h"
#include "engine/kernels/KernelTable.h"
#include "engine/pooling/PooledTile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::bench {

namespace {

constexpr Index viewPx = 1000;
constexpr Index overviewPool = 32;

Measurement mapMeasurement(const std::string &what, Index n, const BenchOptions &options, const Times &times)
{
    Measurement m;
    m.what = what;
    m.n = n;
    m.d = options.dHead;
    m.h = 1;
    m.dtype = options.isDouble ? "f64" : "f32";
    m.threads = options.threads;
    m.isa = isaName();
    m.medianMs = times.medianMs;
    m.minMs = times.minMs;
    m.peakRssMib = peakRssMib();
    return m;
}

std::vector<double> rowOf(const Tensor &tensor, Index row)
{
    std::vector<double> numbers(static_cast<std::size_t>(tensor.cols()));
    tensor.copyRows(0, row, 1, numbers.data());
    return numbers;
}

/// One row of weights in double.
std::vector<double> weightRow(const Experiment &experiment, Index row)
{
    const Tensor &K = experiment.matrix(Stage::K);
    const std::vector<double> q = rowOf(experiment.matrix(Stage::Q), row);
    std::vector<double> weights(static_cast<std::size_t>(K.rows()));
    double greatest = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < K.rows(); ++j) {
        const std::vector<double> k = rowOf(K, j);
        double score = 0.0;
        for (std::size_t c = 0; c < k.size(); ++c)
            score += q[c] * k[c];
        weights[static_cast<std::size_t>(j)] = score / std::sqrt(static_cast<double>(q.size()));
        greatest = std::max(greatest, weights[static_cast<std::size_t>(j)]);
    }
    double sum = 0.0;
    for (double &weight : weights)
        sum += weight = std::exp(weight - greatest);
    for (double &weight : weights)
        weight /= sum;
    return weights;
}

/// Worst difference of a drawn row, relative to its largest weight.
double cellError(const float *cells, Index count, const std::vector<double> &weights, Index firstCol)
{
    double difference = 0.0;
    double largest = 0.0;
    for (Index c = 0; c < count; ++c) {
        const double expected = weights[static_cast<std::size_t>(firstCol + c)];
        const double off = std::abs(static_cast<double>(cells[c]) - expected);
        difference = std::isnan(off) ? std::numeric_limits<double>::infinity() : std::max(difference, off);
        largest = std::max(largest, expected);
    }
    return difference / largest;
}

/// Statistics of rows that no one has looked at yet, then their cells.
void benchRows(Report &report, const BenchOptions &options, Index n)
{
    const std::string statistics = "row statistics, 1000 rows";
    const std::string first = "row statistics, 64 rows";
    const std::string tile = "map tile, 1000 x 1000 cells of A";
    if (!options.wants(statistics) && !options.wants(first) && !options.wants(tile))
        return;
    const Index rows = std::min(n, viewPx);
    EngineSession session(oneHeadOf(n, options), options);
    // Each focus lies behind the one before: nothing of it is known. Back at the top all begins anew.
    Index at = n;
    const auto lookAt = [&](Index count) {
        std::optional<Edit> edit;
        if (at + count > n) {
            at = 0;
            edit = cellEdit(session.experiment(), Stage::K, 5, 0);
        }
        session.setFocus({Stage::A, 0, at, count});
        at += count;
        return session.visibleMs(edit);
    };
    std::vector<float> cells(static_cast<std::size_t>(rows * viewPx));
    const auto error = [&](Index firstRow, Index firstCol, Index colCount) {
        session.snapshot().stage(Stage::A).values->readBlock(0, firstRow, firstCol, rows, colCount,
                                                             cells.data(), colCount);
        return cellError(cells.data(), colCount, weightRow(session.experiment(), firstRow), firstCol);
    };
    for (const Index count : {Index(64), rows}) {
        const std::string &what = count == 64 ? first : statistics;
        const Times times = timesOf(options.budgetMs, [&] { return lookAt(count); });
        Measurement m = mapMeasurement(what, n, options, times);
        m.rate = static_cast<double>(count) * static_cast<double>(n) / times.minMs * 1e-6;
        m.rateUnit = "Gcells/s";
        const Index firstRow = at - count;
        session.snapshot().stage(Stage::A).values->readBlock(0, firstRow, 0, 1, std::min(n, viewPx),
                                                             cells.data(), std::min(n, viewPx));
        m.error = cellError(cells.data(), std::min(n, viewPx), weightRow(session.experiment(), firstRow), 0);
        if (options.wants(what))
            report.add(m, toleranceOf(options.isDouble));
    }
    if (!options.wants(tile))
        return;
    const Index firstRow = at - rows;
    const Index colCount = std::min(n, viewPx);
    Index col = 0;
    const Times times = timesOf(options.budgetMs, [&] {
        col = (col + 321) % (n - colCount + 1);
        return millisecondsOf([&] {
            session.snapshot().stage(Stage::A).values->readBlock(0, firstRow, col, rows, colCount,
                                                                 cells.data(), colCount);
        });
    });
    Measurement m = mapMeasurement(tile, n, options, times);
    m.error = error(firstRow, col, colCount);
    report.add(m, toleranceOf(options.isDouble));
}

/// Against 32 rows in double: the greatest and the mean of the pools of the first row.
double overviewError(const PooledTile &tile, const Experiment &experiment)
{
    const auto cols = static_cast<std::size_t>(tile.cols);
    std::vector<double> greatest(cols, 0.0);
    std::vector<double> sums(cols, 0.0);
    for (Index row = 0; row < overviewPool; ++row) {
        const std::vector<double> weights = weightRow(experiment, row);
        for (std::size_t j = 0; j < cols * overviewPool; ++j) {
            const std::size_t pool = j / overviewPool;
            greatest[pool] = std::max(greatest[pool], weights[j]);
            sums[pool] += weights[j];
        }
    }
    double worst = 0.0;
    for (std::size_t pool = 0; pool < cols; ++pool) {
        const double mean = sums[pool] / static_cast<double>(overviewPool * overviewPool);
        worst = std::max({worst, std::abs(static_cast<double>(tile.greatest[pool]) / greatest[pool] - 1.0),
                          std::abs(static_cast<double>(tile.mean[pool]) / mean - 1.0)});
    }
    return worst;
}

/// What the program computes for a picture from far away, a tile of pools at a time.
void benchOverview(Report &report, const BenchOptions &options, Index n)
{
    constexpr Index side = PooledTile::side * overviewPool;
    const std::string what = "overview of A, max and mean, a tile of 2048 x 2048 cells";
    if (!options.wants(what) || n < side)
        return;
    EngineSession session(oneHeadOf(n, options), options);
    session.setFocus({Stage::A, 0, 0, side});
    session.visibleMs(std::nullopt);
    const StageValues &A = *session.snapshot().stage(Stage::A).values;
    PooledTile tile(1, 1);
    const Times times = timesOf(options.budgetMs, [&] {
        return millisecondsOf([&] {
            tile = pooledTile(A, 0, {overviewPool, overviewPool}, 0, 0, [] { return false; });
        });
    });
    Measurement m = mapMeasurement(what, n, options, times);
    m.threads = 1;
    m.rate = static_cast<double>(side * side) / times.minMs * 1e-6;
    m.rateUnit = "Gcells/s";
    m.error = overviewError(tile, session.experiment());
    report.add(m, 1e-4); // the picture is in float32
}

} // namespace

void benchMaps(Report &report, const BenchOptions &options, long n)
{
    benchRows(report, options, n);
    benchOverview(report, options, n);
}

} // namespace attn::bench
