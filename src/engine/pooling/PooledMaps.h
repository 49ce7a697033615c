#pragma once

#include "engine/Stage.h"
#include "engine/pooling/PooledMap.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace attn {

/// Pools of maps that are too large to be read while a picture waits. A reader gets at once what is known;
/// what is missing in the part it reads is computed on a thread of its own: what was never computed first,
/// then the oldest, of these the nearest to the middle.
///
/// Pools outlive snapshots: after an edit the old ones are read as stale until exact ones have come in. What
/// nobody reads any more is not computed on. Thread-safe.
class PooledMaps
{
public:
    /// bytes: kept at most, as long as what is on screen fits
    explicit PooledMaps(std::size_t bytes = std::size_t(160) << 20);
    /// Waits for the row of pools that is being computed.
    ~PooledMaps();

    /// Whether pools of a map of this size are kept here, in the sizes of poolOfPyramid: reading them takes
    /// longer than a frame has.
    static bool keeps(Index rows, Index cols);
    /// Whether pools of this map should be read through here.
    static bool isWorthwhile(const StageValues &values, const PoolSize &pool);

    struct Request
    {
        Stage stage = Stage::X; ///< with `name` and `head`: which map of the screen this is
        std::string name;       ///< of a map that shows no stage; empty: the stage itself
        Index head = 0;         ///< of `values`
        StageValuesPtr values;
        std::uint64_t version = 0; ///< differs when numbers differ; pools of another version are stale
        PoolSize pool;             ///< of poolOfPyramid
        PooledArea area;           ///< in pools
        Pooling pooling = Pooling::Max;
    };
    /// Reads what is known. reading: what the same map's area was read into before, or a fresh one.
    void read(const Request &request, PoolReading &reading);

    /// Called on the computing thread when more has become known: at most every 50 ms, and at the end.
    void setListener(std::function<void()> listener);
    /// Counted up whenever more has become known.
    std::uint64_t revision() const { return m_revision; }
    /// Nothing is computed until carryOn(), or for so long: whoever waits for a frame has the processor.
    void giveWay(std::chrono::milliseconds atMost);
    void carryOn();
    /// Forgets all: another document.
    void clear();
    /// Blocks until everything that was read is exact, or cannot be for these values. Tests only.
    void waitUntilIdle();

private:
    using Clock = std::chrono::steady_clock;

    struct Key
    {
        Stage stage;
        std::string name;
        Index head;
        Index baseRows;
        Index baseCols;

        auto operator<=>(const Key &) const = default;
    };
    /// One map: its pools, and what was read last.
    struct Entry
    {
        Key key;
        std::uint64_t number; ///< another one for each map, so that readings are told apart
        PooledMap pools;
        StageValuesPtr values;
        Shape shape;
        int level = 0;
        PooledArea area;
        Clock::time_point readAt;
        std::uint64_t readClock = 0;
        std::vector<PooledMap::Wanted> queue; ///< what is to be computed, the next one last
        bool isQueued = false;                ///< the queue is that of what was read last

        Entry(const Key &mapKey, std::uint64_t mapNumber, const Shape &mapShape)
            : key(mapKey)
            , number(mapNumber)
            , pools(mapShape, {mapKey.baseRows, mapKey.baseCols})
            , shape(mapShape)
        {
        }
    };
    struct Job
    {
        Key key;
        StageValuesPtr values;
        std::uint64_t stamp = 0;
        PooledMap::TileIndex tile;
        PoolSize base;
    };

    Entry &entryFor(const Key &key, const Request &request);
    std::optional<Job> takeJob();
    bool hasJob();
    Entry *nextEntry();
    bool isWanted(const Entry &entry, Clock::time_point now) const;
    static bool fillQueue(Entry &entry);
    bool isGivingWay() const;
    void waitWhileGivingWay(const std::stop_token &stop, std::unique_lock<std::mutex> &lock);
    bool waitForJob(const std::stop_token &stop, std::unique_lock<std::mutex> &lock);
    bool goesOn(const Job &job, const std::stop_token &stop);
    void run(const std::stop_token &stop);
    void finish(const Job &job, const PooledTile &tile);
    void announce(bool isLast);
    void trim();

    const std::size_t m_limit;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<Key, Entry> m_entries;
    std::function<void()> m_listener;
    std::uint64_t m_clock = 0;
    std::uint64_t m_lastNumber = 0; ///< of a map
    std::atomic<std::uint64_t> m_revision = 0;
    std::uint64_t m_announced = 0;
    Clock::time_point m_announcedAt;
    bool m_isComputing = false;
    Clock::time_point m_restsUntil;
    int m_waiting = 0;     ///< who waits wants all maps, shown lately or not
    std::jthread m_thread; ///< last, so that it ends before what it uses
};

} // namespace attn
