#include "engine/decode/KvCacheRun.h"

#include "engine/Projection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace attn {

namespace {

/// [keys, heads * width] -> [heads, keys, width]
Tensor splitIntoHeads(const std::vector<double> &rows, Index keys, Index heads)
{
    if (keys == 0)
        return {};
    const Index width = static_cast<Index>(rows.size()) / keys / heads;
    std::vector<double> numbers;
    numbers.reserve(rows.size());
    for (Index head = 0; head < heads; ++head) {
        for (Index key = 0; key < keys; ++key) {
            const auto first = rows.begin() + (key * heads + head) * width;
            numbers.insert(numbers.end(), first, first + width);
        }
    }
    return Tensor::fromDoubles({heads, keys, width}, numbers);
}

void addDifference(DecodeComparison &comparison, double actual, double expected)
{
    comparison.isComparable = true;
    if (std::bit_cast<std::uint64_t>(actual) == std::bit_cast<std::uint64_t>(expected)) {
        if (std::isfinite(actual))
            comparison.magnitude = std::max(comparison.magnitude, std::abs(actual));
        return;
    }
    if (std::isnan(actual) && std::isnan(expected))
        return;
    comparison.sameBits = false;
    const double difference = actual == expected ? 0.0 : std::abs(actual - expected);
    if (std::isnan(difference) || std::isnan(comparison.largest))
        comparison.largest = std::numeric_limits<double>::quiet_NaN();
    else
        comparison.largest = std::max(comparison.largest, difference);
    if (std::isfinite(expected))
        comparison.magnitude = std::max(comparison.magnitude, std::abs(expected));
}

} // namespace

Result<KvCacheRun> KvCacheRun::start(ExperimentPtr experiment)
{
    const std::string reason = RowForward::reasonAgainst(*experiment);
    if (!reason.empty())
        return Error{ErrorCode::NotFound, reason};
    return KvCacheRun(std::make_shared<const Experiment>(decodeReference(*experiment)));
}

KvCacheRun::KvCacheRun(ExperimentPtr experiment)
    : m_forward(experiment)
    , m_costing(*experiment)
{
}

void KvCacheRun::appendKeys(Index upTo)
{
    const Sizes &sizes = m_forward.sizes();
    const Index keyWidth = sizes.nKvHeads * sizes.dHeadK;
    const Index valueWidth = sizes.nKvHeads * sizes.dHeadV;
    m_keys.resize(static_cast<std::size_t>(upTo * keyWidth));
    m_values.resize(static_cast<std::size_t>(upTo * valueWidth));
    for (; m_cachedKeys < upTo; ++m_cachedKeys) {
        m_forward.keyRow(m_cachedKeys, m_keys.data() + m_cachedKeys * keyWidth);
        m_forward.valueRow(m_cachedKeys, m_values.data() + m_cachedKeys * valueWidth);
    }
}

const DecodeStep &KvCacheRun::feed(Index count)
{
    count = std::min(count, rowCount() - m_fedRows);
    if (count <= 0)
        return m_step;
    DecodeStep step;
    step.firstRow = m_fedRows;
    step.rowCount = count;
    step.keysBefore = m_cachedKeys;
    step.firstKeptRow = std::max(step.firstRow, step.endRow() - mostKeptRows);
    appendKeys(std::max(m_cachedKeys, m_costing.keysOfRow(step.endRow() - 1)));
    step.keysAfter = m_cachedKeys;
    const Sizes &sizes = m_forward.sizes();
    const auto kept = static_cast<std::size_t>(sizes.nHeads * step.keptRows());
    const auto cells = kept * static_cast<std::size_t>(step.keysAfter);
    step.masked.assign(cells, -std::numeric_limits<double>::infinity());
    step.weights.assign(cells, 0.0);
    step.fullyMasked.assign(kept, 0.0);
    step.queries.resize(static_cast<std::size_t>(step.keptRows() * sizes.nHeads * sizes.dHeadK));
    step.concat.resize(static_cast<std::size_t>(count * sizes.nHeads * sizes.dHeadV));
    step.output.resize(static_cast<std::size_t>(count * sizes.dOut));
    for (Index row = step.firstRow; row < step.endRow(); ++row)
        computeRow(row, step);
    step.cost = m_costing.costOf(step.firstRow, count, step.keysAfter - step.keysBefore);
    step.costWithoutCache = m_costing.costWithoutCache(step.endRow());
    m_fedRows = step.endRow();
    m_step = std::move(step);
    return m_step;
}

void KvCacheRun::computeRow(Index row, DecodeStep &step)
{
    const Sizes &sizes = m_forward.sizes();
    const Index keys = m_costing.keysOfRow(row);
    const Index local = row - step.firstRow;
    const Index kept = row - step.firstKeptRow;
    std::vector<double> query(static_cast<std::size_t>(sizes.nHeads * sizes.dHeadK));
    std::vector<double> masked(static_cast<std::size_t>(keys));
    std::vector<double> weights(static_cast<std::size_t>(keys));
    m_forward.queryRow(row, query.data());
    double *concat = step.concat.data() + local * sizes.nHeads * sizes.dHeadV;
    for (Index head = 0; head < sizes.nHeads; ++head) {
        const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
        m_forward.maskedScores(head, row, query.data() + head * sizes.dHeadK,
                               m_keys.data() + kvHead * sizes.dHeadK, sizes.nKvHeads * sizes.dHeadK, masked);
        const bool isFullyMasked = m_forward.weights(head, row, masked, weights);
        m_forward.mix(head, row, weights, m_values.data() + kvHead * sizes.dHeadV,
                      sizes.nKvHeads * sizes.dHeadV, concat + head * sizes.dHeadV);
        if (kept >= 0) {
            const Index place = head * step.keptRows() + kept;
            std::copy(masked.begin(), masked.end(), step.masked.begin() + place * step.keysAfter);
            std::copy(weights.begin(), weights.end(), step.weights.begin() + place * step.keysAfter);
            step.fullyMasked[static_cast<std::size_t>(place)] = isFullyMasked ? 1.0 : 0.0;
        }
    }
    if (kept >= 0)
        std::copy(query.begin(), query.end(), step.queries.begin() + kept * static_cast<Index>(query.size()));
    m_forward.output(row, concat, step.output.data() + local * sizes.dOut);
}

void KvCacheRun::skip(Index count)
{
    count = std::min(count, rowCount() - m_fedRows);
    if (count <= 0)
        return;
    m_fedRows += count;
    appendKeys(std::max(m_cachedKeys, m_costing.keysOfRow(m_fedRows - 1)));
    m_step = {};
}

void KvCacheRun::rewind(Index rows)
{
    const Sizes &sizes = m_forward.sizes();
    m_fedRows = std::clamp<Index>(rows, 0, m_fedRows);
    m_cachedKeys = m_fedRows > 0 ? std::min(m_cachedKeys, m_costing.keysOfRow(m_fedRows - 1)) : 0;
    m_keys.resize(static_cast<std::size_t>(m_cachedKeys * sizes.nKvHeads * sizes.dHeadK));
    m_values.resize(static_cast<std::size_t>(m_cachedKeys * sizes.nKvHeads * sizes.dHeadV));
    m_step = {};
}

Tensor KvCacheRun::keyCache() const
{
    return splitIntoHeads(m_keys, m_cachedKeys, m_forward.sizes().nKvHeads);
}

Tensor KvCacheRun::valueCache() const
{
    return splitIntoHeads(m_values, m_cachedKeys, m_forward.sizes().nKvHeads);
}

EditReach KvCacheRun::reachOf(const TokenEdit &edit) const
{
    return attn::reachOf(edit, m_forward, m_costing, m_fedRows);
}

Index DecodeSchedule::stepCount(Index rows) const
{
    if (rows <= 0)
        return 0;
    const Index rest = std::max<Index>(0, rows - prompt);
    return 1 + (rest + chunk - 1) / chunk;
}

Index DecodeSchedule::rowsAfter(Index step, Index rows) const
{
    return step <= 0 ? 0 : std::min(rows, prompt + (step - 1) * chunk);
}

Experiment decodeReference(const Experiment &experiment)
{
    Experiment reference = experiment;
    reference.causal = experiment.causal || experiment.isSelfAttention();
    return reference;
}

bool DecodeComparison::isWithinTolerance(Precision precision) const
{
    const double tolerance = precision == Precision::Float32 ? 1e-5 : 1e-12;
    return isComparable && largest <= tolerance * std::max(magnitude, std::numeric_limits<double>::min());
}

DecodeComparison compareWithFullPass(const DecodeStep &step, const Snapshot &full)
{
    DecodeComparison comparison;
    const StageState &output = full.stage(Stage::Output);
    if (step.rowCount == 0 || !output.hasValues() || output.values->rows() < step.endRow())
        return comparison;
    const Index width = output.values->cols();
    if (static_cast<Index>(step.output.size()) != step.rowCount * width ||
        output.values->blockStatus(0, step.firstRow, 0, step.rowCount, width) != BlockStatus::Exact)
        return comparison;
    std::vector<double> row(static_cast<std::size_t>(width));
    for (Index r = 0; r < step.rowCount; ++r) {
        output.values->readBlock(0, step.firstRow + r, 0, 1, width, row.data(), width);
        for (Index c = 0; c < width; ++c)
            addDifference(comparison, step.output[static_cast<std::size_t>(r * width + c)],
                          row[static_cast<std::size_t>(c)]);
    }
    return comparison;
}

DecodeComparison compareWithStep(const DecodeStep &step, const DecodeStep &other)
{
    DecodeComparison comparison;
    if (step.rowCount == 0 || step.firstRow < other.firstRow || step.endRow() > other.endRow())
        return comparison;
    const std::size_t width = step.output.size() / static_cast<std::size_t>(step.rowCount);
    const std::size_t skipped = static_cast<std::size_t>(step.firstRow - other.firstRow) * width;
    for (std::size_t i = 0; i < step.output.size(); ++i)
        addDifference(comparison, step.output[i], other.output[skipped + i]);
    return comparison;
}

} // namespace attn
