#include "benchmarks/Benchmarks.h"
#include "benchmarks/EngineSession.h"
#include "engine/kernels/KernelTable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::bench {

namespace {

constexpr Index viewPx = 1000;

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
        m.rate = static_cast<double>(count) * static_cast<double>(n) / times.medianMs * 1e-6;
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

template<typename Scalar>
struct Overview
{
    static constexpr Index rows = 64;
    static constexpr Index leaf = 1024;

    Index n;
    Index d;
    std::vector<Scalar> Q;
    std::vector<Scalar> K;
    std::vector<Scalar> tile = std::vector<Scalar>(rows * leaf);
    std::vector<RowStatistics<Scalar>> leaves;
    std::vector<RowStatistics<Scalar>> whole = std::vector<RowStatistics<Scalar>>(rows);
    std::vector<Scalar> blockGreatest;
    std::vector<Scalar> blockSums;
    std::vector<float> greatest;
    std::vector<float> sums;

    Index leafCount() const { return (n + leaf - 1) / leaf; }
    static constexpr Index blocksOfLeaf = leaf / kernelPoolBlock;

    explicit Overview(const Experiment &experiment)
        : n(experiment.matrix(Stage::K).rows())
        , d(experiment.matrix(Stage::K).cols())
        , Q(static_cast<std::size_t>(rows * d))
        , K(static_cast<std::size_t>(n * d))
    {
        experiment.matrix(Stage::Q).copyRows(0, 0, rows, Q.data());
        experiment.matrix(Stage::K).copyRows(0, 0, n, K.data());
        leaves.resize(static_cast<std::size_t>(leafCount() * rows));
        blockGreatest.resize(static_cast<std::size_t>(leafCount() * rows * blocksOfLeaf));
        blockSums.resize(blockGreatest.size());
        greatest.resize(static_cast<std::size_t>(leafCount() * blocksOfLeaf * (rows / kernelPoolBlock)));
        sums.resize(greatest.size());
    }

    /// Two rows of the pooled picture: one pass over the scores of 64 rows.
    void run(const Kernels<Scalar> &kernels)
    {
        const auto factor = static_cast<Scalar>(1.0 / std::sqrt(static_cast<double>(d)));
        for (Index l = 0; l < leafCount(); ++l) {
            const Index cols = std::min(leaf, n - l * leaf);
            kernels.multiplyTransposed(Q.data(), d, K.data() + l * leaf * d, d, tile.data(), leaf, rows, d,
                                       cols);
            kernels.scale(tile.data(), leaf, rows, cols, factor);
            kernels.leafBlocks(tile.data(), leaf, rows, cols, leaves.data() + l * rows,
                               blockGreatest.data() + l * rows * blocksOfLeaf,
                               blockSums.data() + l * rows * blocksOfLeaf, blocksOfLeaf);
        }
        kernels.combineStatistics(leaves.data(), rows, leafCount(), rows, whole.data());
        std::fill(greatest.begin(), greatest.end(), 0.0f);
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (Index l = 0; l < leafCount(); ++l) {
            for (Index band = 0; band < rows; band += kernelPoolBlock) {
                const Index from = (l * rows + band) * blocksOfLeaf;
                const Index to = (band / kernelPoolBlock * leafCount() + l) * blocksOfLeaf;
                kernels.poolWeights(blockGreatest.data() + from, blockSums.data() + from, blocksOfLeaf,
                                    leaves.data() + l * rows + band, whole.data() + band, kernelPoolBlock,
                                    blocksOfLeaf, greatest.data() + to, sums.data() + to);
            }
        }
    }
};

/// Against 32 rows in double: the greatest and the sum of some blocks.
template<typename Scalar>
double overviewError(const Overview<Scalar> &overview, const Experiment &experiment)
{
    double worst = 0.0;
    std::vector<double> greatest(static_cast<std::size_t>(overview.n / kernelPoolBlock), 0.0);
    std::vector<double> sums(greatest.size(), 0.0);
    for (Index row = 0; row < kernelPoolBlock; ++row) {
        const std::vector<double> weights = weightRow(experiment, row);
        for (std::size_t j = 0; j < greatest.size() * kernelPoolBlock; ++j) {
            const std::size_t block = j / kernelPoolBlock;
            greatest[block] = std::max(greatest[block], weights[j]);
            sums[block] += weights[j];
        }
    }
    for (std::size_t b = 0; b < greatest.size(); ++b) {
        const double offGreatest =
            std::abs(static_cast<double>(overview.greatest[b]) - greatest[b]) / greatest[b];
        const double offSum = std::abs(static_cast<double>(overview.sums[b]) - sums[b]) / sums[b];
        worst = std::max({worst, offGreatest, offSum});
    }
    return worst;
}

template<typename Scalar>
void benchOverview(Report &report, const BenchOptions &options, Index n)
{
    const std::string what = "overview, max and mean, one strip of 64 rows";
    if (!options.wants(what) || n < 64)
        return;
    const Experiment experiment = oneHeadOf(n, options);
    Overview<Scalar> overview(experiment);
    const Kernels<Scalar> &functions = kernels().of<Scalar>();
    const Times times =
        timesOf(options.budgetMs, [&] { return millisecondsOf([&] { overview.run(functions); }); });
    Measurement m = mapMeasurement(what, n, options, times);
    m.threads = 1;
    m.rate = static_cast<double>(Overview<Scalar>::rows) * static_cast<double>(n) / times.medianMs * 1e-6;
    m.rateUnit = "Gcells/s";
    m.error = overviewError(overview, experiment);
    report.add(m, 1e-4); // the picture is in float32
}

} // namespace

void benchMaps(Report &report, const BenchOptions &options, long n)
{
    benchRows(report, options, n);
    if (options.isDouble)
        benchOverview<double>(report, options, n);
    else
        benchOverview<float>(report, options, n);
}

} // namespace attn::bench
