#include "engine/pooling/PooledMaps.h"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace attn {

namespace {

using namespace std::chrono_literals;

/// Numbers that are read and pooled well within a frame.
constexpr Index mostReadAtOnce = Index(1) << 20;
/// What was not read for so long is not on screen any more: whoever shows it is told of each change and reads
/// again.
constexpr auto shownFor = 2s;
constexpr auto announcedEvery = 50ms;

/// Refining a picture takes the processor from nobody who draws or edits. Where a thread has no priority of
/// its own, nothing is done.
void yieldToOthers()
{
#ifdef __linux__
    constexpr int background = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), background);
#endif
}

PoolSize baseOfPool(const PoolSize &pool)
{
    return {std::min<Index>(pool.rows, 32), std::min<Index>(pool.cols, 32)};
}

/// Pools may be known of rows that the values themselves do not vouch for yet.
std::vector<std::uint8_t> updatingRows(const PooledMaps::Request &request)
{
    const StageValues &values = *request.values;
    const PooledArea &area = request.area;
    const Index firstCol = area.col * request.pool.cols;
    const Index colCount = std::min(values.cols() - firstCol, area.cols * request.pool.cols);
    std::vector<std::uint8_t> isUpdating(static_cast<std::size_t>(area.rows));
    for (Index row = 0; row < area.rows; ++row) {
        const Index firstRow = (area.row + row) * request.pool.rows;
        const Index rowCount = std::min(values.rows() - firstRow, request.pool.rows);
        isUpdating[static_cast<std::size_t>(row)] =
            values.blockStatus(request.head, firstRow, firstCol, rowCount, colCount) == BlockStatus::Updating;
    }
    return isUpdating;
}

/// Rows that are up to date now are to be read anew.
void noteUpdated(const std::vector<std::uint8_t> &isUpdating, PoolReading &reading)
{
    for (std::size_t row = 0; row < isUpdating.size(); ++row)
        if (reading.isUpdating[row] && !isUpdating[row])
            std::fill_n(reading.newOf(static_cast<Index>(row)), reading.spans.size(), std::uint8_t(1));
}

void markUpdating(const std::vector<std::uint8_t> &isUpdating, Index cols, PoolReading &reading)
{
    for (std::size_t line = 0; line < isUpdating.size(); ++line) {
        if (!isUpdating[line])
            continue;
        const auto row = static_cast<Index>(line);
        std::uint8_t *isNew = reading.newOf(row);
        for (const PoolReading::Span &span : reading.spans) {
            if (!reading.isUpdating[line] || *isNew) {
                makeStale(reading.states.data() + row * cols + span.first, span.count);
                *isNew = 1;
            }
            ++isNew;
        }
    }
    reading.isUpdating = isUpdating;
}

} // namespace

PooledMaps::PooledMaps(std::size_t bytes)
    : m_limit(bytes)
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

PooledMaps::~PooledMaps()
{
    m_thread.request_stop();
    m_thread.join();
}

bool PooledMaps::keeps(Index rows, Index cols)
{
    return rows * cols > mostReadAtOnce;
}

bool PooledMaps::isWorthwhile(const StageValues &values, const PoolSize &pool)
{
    return !pool.isNone() && keeps(values.rows(), values.cols());
}

PooledMaps::Entry &PooledMaps::entryFor(const Key &key, const Request &request)
{
    const Shape shape{1, request.values->rows(), request.values->cols()};
    auto found = m_entries.find(key);
    if (found != m_entries.end() && !(found->second.shape == shape)) {
        m_entries.erase(found);
        found = m_entries.end();
    }
    if (found == m_entries.end())
        found = m_entries.emplace(key, Entry(key, ++m_lastNumber, shape)).first;
    Entry &entry = found->second;
    entry.isQueued =
        entry.isQueued && entry.values == request.values && entry.pools.stamp() == request.version;
    entry.pools.setClock(m_clock);
    if (entry.pools.stamp() != request.version)
        entry.pools.setStamp(request.version, entry.values
                                                  ? changedCells(*entry.values, *request.values, key.head)
                                                  : ChangedCells());
    entry.values = request.values;
    return entry;
}

void PooledMaps::read(const Request &request, PoolReading &reading)
{
    const PoolSize base = baseOfPool(request.pool);
    const std::vector<std::uint8_t> isUpdating = updatingRows(request);
    {
        const std::lock_guard lock(m_mutex);
        ++m_clock;
        Entry &entry = entryFor({request.stage, request.name, request.head, base.rows, base.cols}, request);
        const int level = entry.pools.levelOf(request.pool);
        const PooledArea area = entry.pools.areaAt(level, request.pool, request.area);
        entry.isQueued = entry.isQueued && level == entry.level && area == entry.area;
        entry.level = level;
        entry.area = area;
        entry.readAt = Clock::now();
        entry.readClock = m_clock;
        reading.fit({entry.number, request.pool, request.area, request.pooling});
        noteUpdated(isUpdating, reading);
        entry.pools.read(request.pool, request.area, request.pooling, reading);
        reading.readAt = m_clock;
    }
    markUpdating(isUpdating, request.area.cols, reading);
    m_changed.notify_all();
}

void PooledMaps::setListener(std::function<void()> listener)
{
    const std::lock_guard lock(m_mutex);
    m_listener = std::move(listener);
}

void PooledMaps::giveWay(std::chrono::milliseconds atMost)
{
    const std::lock_guard lock(m_mutex);
    m_restsUntil = Clock::now() + atMost;
}

void PooledMaps::carryOn()
{
    const std::lock_guard lock(m_mutex);
    m_restsUntil = {};
    m_changed.notify_all();
}

void PooledMaps::clear()
{
    const std::lock_guard lock(m_mutex);
    m_entries.clear();
    ++m_revision;
}

void PooledMaps::waitUntilIdle()
{
    std::unique_lock lock(m_mutex);
    ++m_waiting;
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return !m_isComputing && !hasJob(); });
    --m_waiting;
}

/// Whether there is a tile to compute for this map.
bool PooledMaps::fillQueue(Entry &entry)
{
    if (!entry.isQueued)
        entry.queue = entry.pools.wanted(entry.level, entry.area);
    entry.isQueued = true;
    while (!entry.queue.empty() && entry.pools.isExact(entry.level, entry.queue.back().tile))
        entry.queue.pop_back();
    return !entry.queue.empty();
}

bool PooledMaps::isWanted(const Entry &entry, Clock::time_point now) const
{
    return m_waiting > 0 || now - entry.readAt <= shownFor;
}

/// Of all maps that are shown, the one with the tile whose turn it is.
PooledMaps::Entry *PooledMaps::nextEntry()
{
    Entry *next = nullptr;
    const auto now = Clock::now();
    for (auto &[key, entry] : m_entries) {
        if (!entry.values || !isWanted(entry, now) || !fillQueue(entry))
            continue;
        if (!next || entry.queue.back().comesBefore(next->queue.back()))
            next = &entry;
    }
    return next;
}

bool PooledMaps::hasJob()
{
    return nextEntry() != nullptr;
}

std::optional<PooledMaps::Job> PooledMaps::takeJob()
{
    Entry *entry = nextEntry();
    if (!entry)
        return std::nullopt;
    const PooledMap::TileIndex tile = entry->queue.back().tile;
    entry->queue.pop_back();
    return Job{entry->key, entry->values, entry->pools.stamp(), tile, entry->pools.base()};
}

bool PooledMaps::isGivingWay() const
{
    return m_waiting == 0 && Clock::now() < m_restsUntil;
}

void PooledMaps::waitWhileGivingWay(const std::stop_token &stop, std::unique_lock<std::mutex> &lock)
{
    while (isGivingWay() && !stop.stop_requested()) {
        const Clock::time_point until = m_restsUntil; // a copy: the wait looks at it without the lock
        m_changed.wait_until(lock, stop, until, [this] { return !isGivingWay(); });
    }
}

/// False once there is none to wait for.
bool PooledMaps::waitForJob(const std::stop_token &stop, std::unique_lock<std::mutex> &lock)
{
    do {
        waitWhileGivingWay(stop, lock);
        m_changed.wait(lock, stop, [this] { return hasJob(); });
    } while (isGivingWay() && !stop.stop_requested());
    return !stop.stop_requested();
}

/// Whether the job is still wanted, once the processor is free for it again.
bool PooledMaps::goesOn(const Job &job, const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    waitWhileGivingWay(stop, lock);
    const auto found = m_entries.find(job.key);
    return !stop.stop_requested() && found != m_entries.end() && found->second.pools.stamp() == job.stamp;
}

void PooledMaps::run(const std::stop_token &stop)
{
    yieldToOthers();
    while (true) {
        std::optional<Job> job;
        {
            std::unique_lock lock(m_mutex);
            if (!waitForJob(stop, lock))
                return;
            job = takeJob();
            m_isComputing = true;
        }
        try {
            finish(*job, pooledTile(*job->values, job->key.head, job->base, job->tile.row, job->tile.col,
                                    [&] { return !goesOn(*job, stop); }));
        } catch (const std::bad_alloc &) {
            // The picture stays unrefined there until something else is shown.
        }
        bool isLast = false;
        {
            const std::lock_guard lock(m_mutex);
            m_isComputing = false;
            isLast = !hasJob();
        }
        m_changed.notify_all();
        announce(isLast);
    }
}

void PooledMaps::finish(const Job &job, const PooledTile &tile)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(job.key);
    if (found == m_entries.end() || found->second.pools.stamp() != job.stamp)
        return;
    found->second.pools.setClock(++m_clock);
    found->second.pools.insert(job.tile, tile);
    ++m_revision;
    trim();
}

void PooledMaps::announce(bool isLast)
{
    std::function<void()> listener;
    {
        const std::lock_guard lock(m_mutex);
        const auto now = Clock::now();
        if (m_announced == m_revision || (!isLast && now - m_announcedAt < announcedEvery))
            return;
        m_announced = m_revision;
        m_announcedAt = now;
        listener = m_listener;
    }
    if (listener)
        listener();
}

/// Keeps to the limit: maps that are not shown go first, then fine tiles that were not read lately, then what
/// is finer than what is shown.
void PooledMaps::trim()
{
    std::size_t bytes = 0;
    for (const auto &[key, entry] : m_entries)
        bytes += entry.pools.bytes();
    const auto now = Clock::now();
    while (bytes > m_limit) {
        const auto oldest = std::min_element(m_entries.begin(), m_entries.end(), [](auto &a, auto &b) {
            return a.second.readClock < b.second.readClock;
        });
        if (isWanted(oldest->second, now))
            break;
        bytes -= oldest->second.pools.bytes();
        m_entries.erase(oldest);
    }
    while (bytes > m_limit) {
        const auto oldest = std::min_element(m_entries.begin(), m_entries.end(), [](auto &a, auto &b) {
            return a.second.pools.oldestUse() < b.second.pools.oldestUse();
        });
        Entry &entry = oldest->second;
        if (!entry.pools.forgetOldest(entry.level == 0 ? entry.readClock : m_clock + 1))
            break;
        bytes -= PooledMap::bytesPerTile;
    }
    // A picture from far away needs none of the pools that it was made of; several such pictures side by side
    // would not fit with them.
    for (auto &[key, entry] : m_entries) {
        const std::size_t before = entry.pools.bytes();
        if (bytes > m_limit && entry.pools.forgetFinest(entry.level))
            bytes -= before - entry.pools.bytes();
    }
}

} // namespace attn
