#include "benchmarks/Checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace attn::bench {

namespace {

/// Row-major doubles.
struct Numbers
{
    Index cols = 0;
    std::vector<double> values;

    const double *row(Index index) const { return values.data() + index * cols; }
    double *row(Index index) { return values.data() + index * cols; }
};

/// Columns [first, first + count) of rows of X W, or of a given stage.
Numbers columnsOf(const Experiment &experiment, Stage stage, Stage weight, Index first, Index count,
                  const std::vector<Index> &rows)
{
    Numbers result{count, std::vector<double>(rows.size() * static_cast<std::size_t>(count), 0.0)};
    const bool isGiven = experiment.isGiven(stage);
    const Tensor &source = experiment.matrix(isGiven ? stage : Stage::X);
    Numbers W;
    if (!isGiven)
        W = {experiment.matrix(weight).cols(), experiment.matrix(weight).toDoubles()};
    std::vector<double> line(static_cast<std::size_t>(source.cols()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        source.copyRows(0, rows[r], 1, line.data());
        double *out = result.row(static_cast<Index>(r));
        if (isGiven) {
            std::copy_n(line.begin() + first, count, out);
            continue;
        }
        for (Index k = 0; k < source.cols(); ++k)
            for (Index c = 0; c < count; ++c)
                out[c] += line[static_cast<std::size_t>(k)] * W.row(k)[first + c];
    }
    return result;
}

std::vector<double> weightsOf(const double *q, const Numbers &K, double scale, Index keyCount)
{
    std::vector<double> weights(static_cast<std::size_t>(keyCount));
    double greatest = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < keyCount; ++j) {
        double score = 0.0;
        for (Index c = 0; c < K.cols; ++c)
            score += q[c] * K.row(j)[c];
        weights[static_cast<std::size_t>(j)] = score * scale;
        greatest = std::max(greatest, score * scale);
    }
    double sum = 0.0;
    for (double &weight : weights) {
        weight = std::exp(weight - greatest);
        sum += weight;
    }
    for (double &weight : weights)
        weight /= sum;
    return weights;
}

/// Largest difference and largest number seen.
struct Worst
{
    double difference = 0.0;
    double largest = 0.0;

    void add(double actual, double expected)
    {
        difference = std::isnan(actual) ? std::numeric_limits<double>::infinity()
                                        : std::max(difference, std::abs(actual - expected));
        largest = std::max(largest, std::abs(expected));
    }
};

void checkOutput(const Snapshot &snapshot, Index row, Worst &worst)
{
    const Tensor &Wo = snapshot.experiment().matrix(Stage::Wo);
    const StageValues &concat = *snapshot.stage(Stage::Concat).values;
    const StageValues &output = *snapshot.stage(Stage::Output).values;
    std::vector<double> z(static_cast<std::size_t>(concat.cols()));
    concat.readBlock(0, row, 0, 1, concat.cols(), z.data(), concat.cols());
    const Numbers weights{Wo.cols(), Wo.toDoubles()};
    for (Index c = 0; c < Wo.cols(); ++c) {
        double sum = 0.0;
        for (Index k = 0; k < Wo.rows(); ++k)
            sum += z[static_cast<std::size_t>(k)] * weights.row(k)[c];
        worst.add(output.value(0, row, c), sum);
    }
}

} // namespace

double errorOfRows(const Snapshot &snapshot, Index head, const std::vector<Index> &rows, bool withOutput)
{
    if (!snapshot.stage(Stage::HeadOut).hasValues() ||
        (withOutput && !snapshot.stage(Stage::Output).hasValues()))
        return std::numeric_limits<double>::infinity();
    const Experiment &experiment = snapshot.experiment();
    const Sizes &sizes = snapshot.sizes();
    const Index kvHead = head / (sizes.nHeads / sizes.nKvHeads);
    std::vector<Index> all(static_cast<std::size_t>(sizes.nK));
    for (Index j = 0; j < sizes.nK; ++j)
        all[static_cast<std::size_t>(j)] = j;
    const Numbers Q = columnsOf(experiment, Stage::Q, Stage::Wq, head * sizes.dHeadK, sizes.dHeadK, rows);
    const Numbers K = columnsOf(experiment, Stage::K, Stage::Wk, kvHead * sizes.dHeadK, sizes.dHeadK, all);
    const Numbers V = columnsOf(experiment, Stage::V, Stage::Wv, kvHead * sizes.dHeadV, sizes.dHeadV, all);
    const StageValues &headOut = *snapshot.stage(Stage::HeadOut).values;
    Worst worst;
    Worst worstOutput;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Index keyCount = experiment.causal ? rows[r] + 1 : sizes.nK;
        const std::vector<double> weights = weightsOf(Q.row(static_cast<Index>(r)), K, sizes.scale, keyCount);
        for (Index c = 0; c < sizes.dHeadV; ++c) {
            double sum = 0.0;
            for (Index j = 0; j < keyCount; ++j)
                sum += weights[static_cast<std::size_t>(j)] * V.row(j)[c];
            worst.add(headOut.value(head, rows[r], c), sum);
        }
        if (withOutput)
            checkOutput(snapshot, rows[r], worstOutput);
    }
    const double error = worst.difference / worst.largest;
    return withOutput ? std::max(error, worstOutput.difference / worstOutput.largest) : error;
}

bool sameBits(const Snapshot &a, const Snapshot &b, Stage stage, Index head, Index firstRow, Index rowCount)
{
    const StageState &left = a.stage(stage);
    const StageState &right = b.stage(stage);
    if (!left.hasValues() || !right.hasValues() || left.values->shape() != right.values->shape())
        return false;
    const Index cols = left.values->cols();
    std::vector<double> ofLeft(static_cast<std::size_t>(cols));
    std::vector<double> ofRight(static_cast<std::size_t>(cols));
    const Index lastRow = std::min(firstRow + rowCount, left.values->rows());
    for (Index row = firstRow; row < lastRow; ++row) {
        left.values->readBlock(head, row, 0, 1, cols, ofLeft.data(), cols);
        right.values->readBlock(head, row, 0, 1, cols, ofRight.data(), cols);
        if (std::memcmp(ofLeft.data(), ofRight.data(), ofLeft.size() * sizeof(double)) != 0)
            return false;
    }
    return true;
}

double toleranceOf(bool isDouble)
{
    return isDouble ? 1e-13 : 1e-4;
}

} // namespace attn::bench
