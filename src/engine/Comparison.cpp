#include "engine/Comparison.h"

#include "engine/ValueStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace attn {

namespace {

constexpr Index comparedRows = 64;
constexpr Index comparedCols = 4096;
constexpr double notComparable = std::numeric_limits<double>::quiet_NaN();

double differenceBetween(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0.0;
    if (!std::isfinite(a) || !std::isfinite(b))
        return notComparable;
    return a - b;
}

/// Mismatched cells count as infinitely far apart.
double distanceOf(const CellDifference &cell)
{
    const double difference = cell.difference();
    return std::isnan(difference) ? std::numeric_limits<double>::infinity() : std::abs(difference);
}

bool isWorse(const CellDifference &a, const CellDifference &b)
{
    return std::tuple(-distanceOf(a), a.cell) < std::tuple(-distanceOf(b), b.cell);
}

/// Two blocks of the same cells, read together.
class BlockPair
{
public:
    BlockPair(const StageValues &a, const StageValues &b)
        : m_a(a)
        , m_b(b)
    {
    }

    void read(Index head, Index row, Index col, Index rowCount, Index colCount)
    {
        m_left.resize(static_cast<std::size_t>(rowCount * colCount));
        m_right.resize(m_left.size());
        m_a.readBlock(head, row, col, rowCount, colCount, m_left.data(), colCount);
        m_b.readBlock(head, row, col, rowCount, colCount, m_right.data(), colCount);
    }
    bool isExact(Index head, Index row, Index col, Index rowCount, Index colCount) const
    {
        return m_a.blockStatus(head, row, col, rowCount, colCount) == BlockStatus::Exact &&
               m_b.blockStatus(head, row, col, rowCount, colCount) == BlockStatus::Exact;
    }
    double a(Index i) const { return m_left[static_cast<std::size_t>(i)]; }
    double b(Index i) const { return m_right[static_cast<std::size_t>(i)]; }

private:
    const StageValues &m_a;
    const StageValues &m_b;
    std::vector<double> m_left;
    std::vector<double> m_right;
};

/// Adds up one stage, block by block.
class StageComparer
{
public:
    StageComparer(StageComparison &result, const StageValues &a, const StageValues &b, std::size_t worstCells)
        : m_result(result)
        , m_blocks(a, b)
        , m_worstCells(worstCells)
    {
    }

    void addBlock(Index head, Index row, Index col, Index rowCount, Index colCount)
    {
        m_blocks.read(head, row, col, rowCount, colCount);
        m_result.isExact = m_result.isExact && m_blocks.isExact(head, row, col, rowCount, colCount);
        for (Index i = 0; i < rowCount * colCount; ++i) {
            const double b = m_blocks.b(i);
            if (std::isfinite(b))
                m_result.largestB = std::max(m_result.largestB, std::abs(b));
            const double difference = differenceBetween(m_blocks.a(i), b);
            ++m_result.cells;
            if (difference != 0.0)
                addDifferent({{head, row + i / colCount, col + i % colCount}, m_blocks.a(i), b}, difference);
        }
    }

    void finish()
    {
        const Index counted = m_result.cells - m_result.mismatched;
        m_result.mean = counted > 0 ? m_sum / static_cast<double>(counted) : 0.0;
        std::sort(m_result.worst.begin(), m_result.worst.end(), isWorse);
    }

private:
    void addDifferent(const CellDifference &cell, double difference)
    {
        ++m_result.different;
        if (std::isnan(difference)) {
            ++m_result.mismatched;
        } else {
            m_result.largest = std::max(m_result.largest, std::abs(difference));
            m_sum += std::abs(difference);
        }
        std::vector<CellDifference> &worst = m_result.worst;
        if (worst.size() >= m_worstCells) {
            // A heap with the least bad in front.
            if (worst.empty() || !isWorse(cell, worst.front()))
                return;
            std::pop_heap(worst.begin(), worst.end(), isWorse);
            worst.pop_back();
        }
        worst.push_back(cell);
        std::push_heap(worst.begin(), worst.end(), isWorse);
    }

    StageComparison &m_result;
    BlockPair m_blocks;
    std::size_t m_worstCells;
    double m_sum = 0.0;
};

class DifferenceValues final : public StageValues
{
public:
    DifferenceValues(StageValuesPtr a, StageValuesPtr b)
        : m_a(std::move(a))
        , m_b(std::move(b))
        , m_statistics(m_a->shape())
    {
    }

    Shape shape() const override { return m_a->shape(); }
    bool isSinglePrecision() const override { return m_a->isSinglePrecision() && m_b->isSinglePrecision(); }
    double value(Index head, Index row, Index col) const override
    {
        return differenceBetween(m_a->value(head, row, col), m_b->value(head, row, col));
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        readDifferences(head, row, col, rowCount, colCount, out, stride, paintedFloat);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        readDifferences(head, row, col, rowCount, colCount, out, stride, [](double value) { return value; });
    }
    void readPooled(Index head, Index row, Index col, Index pool, Index rowCount, Index colCount,
                    Pooling pooling, float *out, Index stride) const override
    {
        if (pooling != Pooling::Max) {
            StageValues::readPooled(head, row, col, pool, rowCount, colCount, pooling, out, stride);
            return;
        }
        const Index width = std::max<Index>(0, std::min(cols() - col, colCount * pool));
        std::vector<double> line(static_cast<std::size_t>(width));
        std::vector<double> farthest;
        for (Index i = 0; i < rowCount; ++i) {
            farthest.assign(static_cast<std::size_t>(colCount), 0.0);
            const Index lastRow = std::min(rows(), row + (i + 1) * pool);
            for (Index r = row + i * pool; r < lastRow; ++r) {
                readBlock(head, r, col, 1, width, line.data(), width);
                for (Index c = 0; c < width; ++c)
                    takeFarther(farthest[static_cast<std::size_t>(c / pool)],
                                line[static_cast<std::size_t>(c)]);
            }
            for (Index j = 0; j < colCount; ++j)
                out[i * stride + j] = paintedFloat(farthest[static_cast<std::size_t>(j)]);
        }
    }
    BlockStatus blockStatus(Index head, Index row, Index col, Index rowCount, Index colCount) const override
    {
        return BlockPair(*m_a, *m_b).isExact(head, row, col, rowCount, colCount) ? BlockStatus::Exact
                                                                                 : BlockStatus::Updating;
    }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    static void takeFarther(double &farthest, double value)
    {
        if (std::isnan(value) || std::abs(value) > std::abs(farthest))
            farthest = value;
    }

    template<typename Out, typename Convert>
    void readDifferences(Index head, Index row, Index col, Index rowCount, Index colCount, Out *out,
                         Index stride, const Convert &convert) const
    {
        BlockPair blocks(*m_a, *m_b);
        blocks.read(head, row, col, rowCount, colCount);
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] =
                    convert(differenceBetween(blocks.a(r * colCount + c), blocks.b(r * colCount + c)));
    }

    StageValuesPtr m_a;
    StageValuesPtr m_b;
    StatisticsCache m_statistics;
};

/// The difference of a matrix from itself, which need not be read.
class NoDifference final : public StageValues
{
public:
    explicit NoDifference(const StageValues &of)
        : m_shape(of.shape())
        , m_isSingle(of.isSinglePrecision())
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return m_isSingle; }
    double value(Index, Index, Index) const override { return 0.0; }
    ValueStatistics statistics(Index) const override
    {
        return {0.0, 0.0, 0.0, m_shape.rows * m_shape.cols, 0, 0, 0};
    }

private:
    Shape m_shape;
    bool m_isSingle;
};

} // namespace

double CellDifference::difference() const
{
    return differenceBetween(a, b);
}

double StageComparison::relative() const
{
    if (largest == 0.0)
        return 0.0;
    return largestB > 0.0 ? largest / largestB : notComparable;
}

bool StageComparison::passes(double tolerance) const
{
    return outcome == Outcome::Compared && mismatched == 0 && largest <= tolerance * largestB;
}

StageSet stagesOf(const Snapshot &snapshot)
{
    StageSet set;
    for (const StageInfo &info : stageTable()) {
        const bool isRepeated = info.stage == Stage::Qh || info.stage == Stage::Kh || info.stage == Stage::Vh;
        const StageState &state = snapshot.stage(info.stage);
        if (!isRepeated && state.hasValues())
            set[info.stage] = state.values;
    }
    return set;
}

StageSet stagesOf(const std::map<Stage, Tensor> &matrices)
{
    StageSet set;
    for (const auto &[stage, matrix] : matrices)
        if (!matrix.isNull())
            set[stage] = valuesOf(matrix);
    return set;
}

std::vector<Stage> stagesOfEither(const StageSet &a, const StageSet &b)
{
    std::vector<Stage> stages;
    for (const StageInfo &info : stageTable())
        if (a.contains(info.stage) || b.contains(info.stage))
            stages.push_back(info.stage);
    return stages;
}

StageComparison compareStage(Stage stage, const StageValuesPtr &a, const StageValuesPtr &b,
                             std::size_t worstCells, std::stop_token stop)
{
    StageComparison result;
    result.stage = stage;
    if (a)
        result.shapeA = a->shape();
    if (b)
        result.shapeB = b->shape();
    if (!a || !b) {
        result.outcome = a ? StageComparison::Outcome::OnlyInA : StageComparison::Outcome::OnlyInB;
        return result;
    }
    if (!(result.shapeA == result.shapeB)) {
        result.outcome = StageComparison::Outcome::ShapesDiffer;
        return result;
    }
    if (a == b) { // nothing to be found out
        result.cells = result.shapeA.size();
        return result;
    }
    StageComparer comparer(result, *a, *b, worstCells);
    for (Index head = 0; head < a->heads(); ++head) {
        for (Index row = 0; row < a->rows(); row += comparedRows) {
            for (Index col = 0; col < a->cols(); col += comparedCols) {
                if (stop.stop_requested())
                    return result;
                comparer.addBlock(head, row, col, std::min(comparedRows, a->rows() - row),
                                  std::min(comparedCols, a->cols() - col));
            }
        }
    }
    comparer.finish();
    return result;
}

StageValuesPtr differenceOf(const StageValuesPtr &a, const StageValuesPtr &b)
{
    if (!a || !b || !(a->shape() == b->shape()))
        return nullptr;
    if (a == b)
        return std::make_shared<const NoDifference>(*a);
    return std::make_shared<const DifferenceValues>(a, b);
}

} // namespace attn
