#include "engine/evaluation/OnDemandValues.h"

#include "engine/ValueStatistics.h"
#include "engine/evaluation/MaskStatistics.h"
#include "engine/evaluation/ProjectionStages.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>

namespace attn {

namespace {

/// Tiles are computed in pieces of at most so many rows and columns.
constexpr Index tileRows = 64;
constexpr Index tileCols = 256;
/// Stages of at most so many cells, all heads together, are counted cell by cell: after an edit a picture
/// waits for it.
constexpr Index mostCountedCells = Index(1) << 18;

template<typename Scalar, typename Out>
void convert(const Scalar *from, Index stride, Index rows, Index cols, Out *out, Index outStride)
{
    const Kernels<Scalar> &functions = kernels().of<Scalar>();
    for (Index row = 0; row < rows; ++row) {
        if constexpr (std::is_same_v<Out, float>)
            functions.toFloat(from + row * stride, out + row * outStride, cols);
        else
            functions.toDouble(from + row * stride, out + row * outStride, cols);
    }
}

/// Values that are computed tile by tile. Derived: void tile(const TileArea &, Scalar *, Index stride) const
template<typename Scalar, typename Derived>
class TileValues : public StageValues
{
public:
    bool isSinglePrecision() const override { return std::is_same_v<Scalar, float>; }
    double value(Index head, Index row, Index col) const override
    {
        Scalar number = 0;
        static_cast<const Derived *>(this)->tile({head, row, 1, col, 1}, &number, 1);
        return static_cast<double>(number);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        read({head, row, rowCount, col, colCount}, out, stride);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        read({head, row, rowCount, col, colCount}, out, stride);
    }

private:
    template<typename Out>
    void read(const TileArea &area, Out *out, Index stride) const
    {
        constexpr bool isConverted = !std::is_same_v<Out, Scalar>;
        std::vector<Scalar> converted(isConverted ? static_cast<std::size_t>(std::min(area.rows, tileRows) *
                                                                             std::min(area.cols, tileCols))
                                                  : 0);
        for (Index row = 0; row < area.rows;) {
            // Pieces end where strips do.
            const Index rows = std::min(area.rows - row, tileRows - (area.row + row) % tileRows);
            for (Index col = 0; col < area.cols;) {
                const Index cols = std::min(area.cols - col, tileCols - (area.col + col) % tileCols);
                const TileArea piece{area.head, area.row + row, rows, area.col + col, cols};
                Out *place = out + row * stride + col;
                if constexpr (isConverted) {
                    static_cast<const Derived *>(this)->tile(piece, converted.data(), cols);
                    convert(converted.data(), cols, rows, cols, place, stride);
                } else {
                    static_cast<const Derived *>(this)->tile(piece, place, stride);
                }
                col += cols;
            }
            row += rows;
        }
    }
};

/// Whether any of the blocks that hold these rows is marked.
template<typename Scalar>
bool anyMarked(const std::vector<std::uint8_t> &marks, const StageBlocks<Scalar> &blocks, Index head,
               Index first, Index count)
{
    if (marks.empty() || blocks.blocks.empty() || count < 1)
        return false;
    for (Index block = first / blocks.blockRows; block <= (first + count - 1) / blocks.blockRows; ++block)
        if (marks[blocks.indexOf(head, block)] != 0)
            return true;
    return false;
}

/// The least of many weights, nearly all of them without an exponential.
class LeastWeight
{
public:
    /// exp(exponent) / sum
    void add(double exponent, double sum)
    {
        if (!mayBeLess(exponent, sum))
            return;
        const double weight = std::exp(exponent) / sum;
        if (weight < m_weight) {
            m_weight = weight;
            m_logarithm = std::log(weight);
        }
    }
    /// Infinite without any.
    double value() const { return m_weight; }

private:
    bool mayBeLess(double exponent, double sum) const
    {
        if (!std::isnormal(sum) || sum < 0.0)
            return true;
        constexpr double slack = 1e-6;
        constexpr double ln2 = 0.6931471805599453;
        constexpr int bitsOfFraction = 52;
        constexpr int powerOfOne = 1023;
        // sum < 2^(power + 1)
        const auto power = static_cast<int>(std::bit_cast<std::uint64_t>(sum) >> bitsOfFraction) - powerOfOne;
        return !(exponent > m_logarithm + (power + 1) * ln2 + slack);
    }

    double m_weight = std::numeric_limits<double>::infinity();
    double m_logarithm = std::numeric_limits<double>::infinity();
};

template<typename Scalar>
bool isFinite(const RowStatistics<Scalar> &row)
{
    return std::isfinite(row.greatest) && std::isfinite(row.smallest);
}

/// Of the rows of a strip that hold finite numbers.
struct StripRange
{
    template<typename Scalar>
    static StripRange of(std::span<const RowStatistics<Scalar>> rows)
    {
        StripRange range;
        LeastWeight leastWeight;
        for (const RowStatistics<Scalar> &row : rows) {
            if (!isFinite(row))
                continue;
            const auto least = static_cast<double>(row.smallest);
            const auto most = static_cast<double>(row.greatest);
            const auto sum = static_cast<double>(row.sum);
            range.smallest = std::min(range.smallest, least);
            range.greatest = std::max(range.greatest, most);
            leastWeight.add(least - most, sum);
            range.leastSum = std::min(range.leastSum, sum);
            ++range.finiteRows;
        }
        range.leastWeight = leastWeight.value();
        return range;
    }

    Index finiteRows = 0;
    double smallest = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();
    double leastWeight = std::numeric_limits<double>::infinity();
    double leastSum = std::numeric_limits<double>::infinity();
};

template<typename Scalar>
class AttentionValues final : public TileValues<Scalar, AttentionValues<Scalar>>, public TracesChanges
{
public:
    AttentionValues(Stage stage, std::shared_ptr<const AttentionSnapshot<Scalar>> source)
        : m_stage(stage)
        , m_source(std::move(source))
        , m_statistics(m_source->shape)
        , m_ranges(static_cast<std::size_t>(m_source->shape.heads))
    {
    }

    Shape shape() const override { return m_source->shape; }

    void tile(const TileArea &area, Scalar *tile, Index stride) const
    {
        const ScoreTiles<Scalar> &tiles = m_source->tiles;
        if (m_stage == Stage::Allowed)
            return tiles.allowed(area, tile, stride);
        if (m_stage == Stage::Bias)
            return tiles.bias(area, tile, stride);
        if (!isReady(area)) {
            for (Index row = 0; row < area.rows; ++row)
                std::fill_n(tile + row * stride, area.cols, std::numeric_limits<Scalar>::quiet_NaN());
            return;
        }
        if (m_stage == Stage::Scores)
            return tiles.scores(area, tile, stride);
        if (m_stage == Stage::Scaled)
            return tiles.scaled(area, tile, stride);
        if (m_stage == Stage::Masked)
            return tiles.masked(area, tile, stride);
        weights(area, tile, stride);
    }

    BlockStatus blockStatus(Index head, Index row, Index col, Index rowCount, Index colCount) const override
    {
        if (isMask())
            return BlockStatus::Exact;
        const Index kvHead = head / m_source->tiles.headsPerKvHead;
        const bool isOld =
            anyMarked(m_source->inexactQ, m_source->Q, head, row, rowCount) ||
            anyMarked(m_source->inexactK, m_source->K, kvHead, col, colCount) ||
            (isWeight() && anyMarked(m_source->inexactRows, m_source->rows, head, row, rowCount));
        return isOld ? BlockStatus::Updating : BlockStatus::Exact;
    }

    ChangedCells changedSince(const StageValues &before, Index head) const override
    {
        const auto *older = dynamic_cast<const AttentionValues *>(&before);
        if (!older || older->m_stage != m_stage || !older->m_source->tiles.followsSameRules(m_source->tiles))
            return {};
        ChangedCells changed{false, {}, {}};
        const AttentionSnapshot<Scalar> &was = *older->m_source;
        const AttentionSnapshot<Scalar> &is = *m_source;
        if (isMask())
            return changed;
        if (!was.Q.liesAs(is.Q) || !was.K.liesAs(is.K) || !was.rows.liesAs(is.rows))
            return {};
        if (!is.Q.blocks.empty())
            is.Q.addChangedRows(was.Q, head, changed.rows);
        if (!is.K.blocks.empty())
            is.K.addChangedRows(was.K, head / is.tiles.headsPerKvHead, changed.cols);
        // A key that changed is in the sum of every row that sees it; the statistics tell which.
        if (isWeight() && !hasRows())
            return {};
        if (isWeight())
            for (Index strip = 0; strip < is.rows.blocksPerHead; ++strip)
                if (!sameStatistics(was, is, is.rows.indexOf(head, strip)))
                    addLines(changed.rows, {strip * is.rows.blockRows, is.rows.rowsIn(strip)});
        return changed;
    }

    ValueStatistics statistics(Index head) const override
    {
        if (this->heads() * this->rows() * this->cols() <= mostCountedCells)
            return m_statistics.of(*this, head);
        ValueStatistics total = noStatistics();
        for (Index each = head < 0 ? 0 : head; each < (head < 0 ? this->heads() : head + 1); ++each) {
            const std::optional<ValueStatistics> range = knownRange(each);
            if (!range)
                return m_statistics.of(*this, head);
            addStatistics(total, *range);
        }
        return total;
    }

private:
    bool isWeight() const { return m_stage == Stage::A || m_stage == Stage::ASoft; }
    bool hasRows() const { return !m_source->rows.blocks.empty(); }

    /// Whether a strip has the same statistics in both, known to be up to date in both.
    static bool sameStatistics(const AttentionSnapshot<Scalar> &was, const AttentionSnapshot<Scalar> &is,
                               std::size_t index)
    {
        const auto isKnown = [index](const AttentionSnapshot<Scalar> &source) {
            return source.inexactRows.empty() || source.inexactRows[index] == 0;
        };
        return isKnown(was) && isKnown(is) && was.rows.blocks[index] == is.rows.blocks[index];
    }

    bool isMask() const { return m_stage == Stage::Allowed || m_stage == Stage::Bias; }
    std::optional<ValueStatistics> maskStatistics(Index head) const
    {
        const MaskParts &mask = m_source->tiles.mask;
        if (m_stage == Stage::Allowed)
            return allowedStatistics(mask, this->rows(), this->cols());
        return biasStatistics(mask, head, this->rows(), this->cols(), this->isSinglePrecision());
    }

    /// Whether everything is there that the area is computed from.
    bool isReady(const TileArea &area) const
    {
        const auto hasAll = [](const StageBlocks<Scalar> &blocks, Index head, Index first, Index count) {
            if (blocks.blocks.empty())
                return true;
            for (Index block = first / blocks.blockRows; block <= (first + count - 1) / blocks.blockRows;
                 ++block)
                if (!blocks.at(head, block))
                    return false;
            return true;
        };
        const Index kvHead = area.head / m_source->tiles.headsPerKvHead;
        if (!hasAll(m_source->Q, area.head, area.row, area.rows) ||
            !hasAll(m_source->K, kvHead, area.col, area.cols))
            return false;
        return !isWeight() ||
               (hasRows() &&
                !anyMarked(m_source->inexactRows, m_source->rows, area.head, area.row, area.rows) &&
                hasAll(m_source->rows, area.head, area.row, area.rows));
    }

    void weights(const TileArea &area, Scalar *tile, Index stride) const
    {
        const ScoreTiles<Scalar> &tiles = m_source->tiles;
        const StageBlocks<Scalar> &rows = m_source->rows;
        tiles.masked(area, tile, stride);
        for (Index row = 0; row < area.rows;) {
            const Index offset = (area.row + row) % rows.blockRows;
            const Index count = std::min(area.rows - row, rows.blockRows - offset);
            const auto *statistics = rows.at(area.head, (area.row + row) / rows.blockRows)
                                         .template as<const RowStatistics<Scalar>>();
            tiles.kernels->finalWeights(tile + row * stride, stride, count, area.cols, statistics + offset);
            row += count;
        }
        if (m_stage == Stage::A)
            overlayPins(tiles.pinsOfA, area, tile, stride);
    }

    /// Nothing where every cell has to be read.
    std::optional<ValueStatistics> knownRange(Index head) const
    {
        const std::scoped_lock lock(m_mutex);
        std::optional<ValueStatistics> &range = m_ranges[static_cast<std::size_t>(head)];
        if (!range && isMask())
            range = maskStatistics(head);
        else if (!range && hasRows())
            range = rangeOfHead(head);
        return range;
    }

    /// The range over the visible cells of a head, from what is known of its rows.
    ValueStatistics rangeOfHead(Index head) const
    {
        ValueStatistics total = noStatistics();
        const StageBlocks<Scalar> &rows = m_source->rows;
        const double scale = static_cast<double>(m_source->tiles.scale);
        for (Index strip = 0; strip < rows.blocksPerHead; ++strip) {
            const BlockReference &block = rows.at(head, strip);
            if (!block)
                continue;
            const auto range = block->template counted<StripRange>([&] {
                return StripRange::of(std::span(block.template as<const RowStatistics<Scalar>>(),
                                                static_cast<std::size_t>(rows.rowsIn(strip))));
            });
            if (range.finiteRows == 0)
                continue;
            if (isWeight()) {
                take(1.0 / range.leastSum, total);
                take(m_source->tiles.hidesNothing ? range.leastWeight : 0.0, total);
            } else {
                const double factor = m_stage == Stage::Scores && scale != 0.0 ? scale : 1.0;
                take(range.smallest / factor, total);
                take(range.greatest / factor, total);
            }
            total.finiteCount += this->cols() * range.finiteRows;
            total.sum += isWeight() ? static_cast<double>(range.finiteRows) : 0.0;
        }
        if (m_stage == Stage::A && m_source->tiles.pinsOfA)
            for (const auto &[cell, value] : m_source->tiles.pinsOfA->cells())
                if (cell.head == head && std::isfinite(value))
                    take(value, total);
        return total;
    }

    static void take(double value, ValueStatistics &total)
    {
        total.minimum = std::isnan(total.minimum) ? value : std::min(total.minimum, value);
        total.maximum = std::isnan(total.maximum) ? value : std::max(total.maximum, value);
    }

    Stage m_stage;
    std::shared_ptr<const AttentionSnapshot<Scalar>> m_source;
    StatisticsCache m_statistics;
    mutable std::mutex m_mutex;
    mutable std::vector<std::optional<ValueStatistics>> m_ranges; ///< of each head, once asked for
};

template<typename Scalar>
class ContributionValues final : public TileValues<Scalar, ContributionValues<Scalar>>
{
public:
    ContributionValues(const Kernels<Scalar> &kernels, StageBlocks<Scalar> concat, StageBlocks<Scalar> Wo,
                       const Shape &shape, std::vector<std::uint8_t> inexactConcat)
        : m_kernels(kernels)
        , m_concat(std::move(concat))
        , m_Wo(std::move(Wo))
        , m_shape(shape)
        , m_inexact(std::move(inexactConcat))
        , m_statistics(shape)
    {
    }

    Shape shape() const override { return m_shape; }

    void tile(const TileArea &area, Scalar *tile, Index stride) const
    {
        const BlockReference &block = m_concat.at(area.head, area.row / m_concat.blockRows);
        if (!block) {
            for (Index row = 0; row < area.rows; ++row)
                std::fill_n(tile + row * stride, area.cols, std::numeric_limits<Scalar>::quiet_NaN());
            return;
        }
        const Scalar *from =
            block.template as<const Scalar>() + (area.row % m_concat.blockRows) * block->stride();
        if (m_Wo.blocks.empty()) {
            std::vector<Scalar> whole(static_cast<std::size_t>(area.rows * m_shape.cols));
            ProjectionStages<Scalar>::contribution(m_kernels, nullptr, m_shape.heads, area.head, from,
                                                   block->stride(), area.rows, m_concat.shape.cols,
                                                   whole.data(), m_shape.cols);
            convert(whole.data() + area.col, m_shape.cols, area.rows, area.cols, tile, stride);
            return;
        }
        for (Index panel = 0; panel < m_Wo.blocksPerHead; ++panel) {
            const BlockReference &weight = m_Wo.at(area.head, panel);
            const auto multiply = panel > 0 ? m_kernels.multiplyAdd : m_kernels.multiply;
            multiply(from + panel * m_Wo.blockRows, block->stride(),
                     weight.template as<const Scalar>() + area.col, weight->stride(), tile, stride, area.rows,
                     m_Wo.rowsIn(panel), area.cols);
        }
    }

    BlockStatus blockStatus(Index head, Index row, Index, Index rowCount, Index) const override
    {
        return anyMarked(m_inexact, m_concat, head, row, rowCount) ? BlockStatus::Updating
                                                                   : BlockStatus::Exact;
    }
    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    const Kernels<Scalar> &m_kernels;
    StageBlocks<Scalar> m_concat;
    StageBlocks<Scalar> m_Wo;
    Shape m_shape;
    std::vector<std::uint8_t> m_inexact;
    StatisticsCache m_statistics;
};

} // namespace

template<typename Scalar>
StageValuesPtr valuesOnDemand(Stage stage, std::shared_ptr<const AttentionSnapshot<Scalar>> source)
{
    return std::make_shared<const AttentionValues<Scalar>>(stage, std::move(source));
}

template<typename Scalar>
StageValuesPtr contributionsOnDemand(const Kernels<Scalar> &kernels, StageBlocks<Scalar> concat,
                                     StageBlocks<Scalar> Wo, const Shape &shape,
                                     std::vector<std::uint8_t> inexactConcat)
{
    return std::make_shared<const ContributionValues<Scalar>>(kernels, std::move(concat), std::move(Wo),
                                                              shape, std::move(inexactConcat));
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template StageValuesPtr valuesOnDemand(Stage, std::shared_ptr<const AttentionSnapshot<Scalar>>);         \
    template StageValuesPtr contributionsOnDemand(const Kernels<Scalar> &, StageBlocks<Scalar>,              \
                                                  StageBlocks<Scalar>, const Shape &,                        \
                                                  std::vector<std::uint8_t>);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
