#include "engine/pooling/PooledMap.h"
#include "engine/pooling/PooledMaps.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <span>
#include <utility>

using namespace attn;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

bool never()
{
    return false;
}

/// Numbers of a formula, of any size; rows from `exactRows` on are not there yet.
class FormulaValues : public StageValues
{
public:
    FormulaValues(Index rows, Index cols, double shift = 0.0)
        : m_shape{1, rows, cols}
        , m_shift(shift)
        , exactRows(rows)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return true; }
    double value(Index, Index row, Index col) const override
    {
        return static_cast<double>((row * 7919 + col * 104729) % 1000) / 8.0 + m_shift;
    }
    BlockStatus blockStatus(Index, Index row, Index, Index rowCount, Index) const override
    {
        return row + rowCount <= exactRows ? BlockStatus::Exact : BlockStatus::Updating;
    }
    ValueStatistics statistics(Index) const override { return {}; }

private:
    Shape m_shape;
    double m_shift;

public:
    Index exactRows;
};

/// Random numbers with every special one among them.
StageValuesPtr mixedValues(Index rows, Index cols)
{
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(static_cast<std::size_t>(rows * cols));
    for (float &number : numbers) {
        const auto kind = random() % 2000;
        number = kind == 0   ? std::numeric_limits<float>::quiet_NaN()
                 : kind == 1 ? infinity
                 : kind < 40 ? -infinity
                             : normal(random);
    }
    // A whole corner is hidden, as by a causal mask.
    for (Index row = 0; row < rows / 2; ++row)
        std::fill_n(numbers.begin() + row * cols + cols / 2, cols - cols / 2, -infinity);
    return valuesOf(Tensor::fromFloats({1, rows, cols}, numbers));
}

void fillBase(PooledMap &map, const StageValues &values, int level)
{
    const PoolSize pool = map.poolAt(level);
    const PooledArea all{0, 0, (values.rows() + pool.rows - 1) / pool.rows,
                         (values.cols() + pool.cols - 1) / pool.cols};
    for (const auto &[tile, computedAt, distance] : map.wanted(level, all))
        map.insert(tile, pooledTile(values, 0, map.base(), tile.row, tile.col, never));
}

/// One pool from single cells.
float bruteForce(const StageValues &values, const PoolSize &pool, Index row, Index col, Pooling pooling)
{
    float greatest = -infinity;
    double sum = 0.0;
    Index count = 0;
    for (Index r = row * pool.rows; r < std::min(values.rows(), (row + 1) * pool.rows); ++r) {
        for (Index c = col * pool.cols; c < std::min(values.cols(), (col + 1) * pool.cols); ++c) {
            const double value = values.value(0, r, c);
            if (std::isnan(value) || std::isnan(greatest))
                greatest = std::numeric_limits<float>::quiet_NaN();
            else
                greatest = std::max(greatest, static_cast<float>(value));
            sum += std::isfinite(value) ? value : 0.0;
            count += std::isfinite(value) ? 1 : 0;
        }
    }
    if (pooling == Pooling::Max)
        return greatest;
    return count == 0 ? std::numeric_limits<float>::quiet_NaN()
                      : static_cast<float>(sum / static_cast<double>(count));
}

Index countOf(const PoolReading &reading, PoolState state)
{
    return std::ranges::count(reading.states, state);
}

PoolReading readAll(PooledMap &map, const PoolSize &pool, const PooledArea &area,
                    Pooling pooling = Pooling::Max)
{
    PoolReading reading;
    reading.fit({0, pool, area, pooling});
    map.read(pool, area, pooling, reading);
    return reading;
}

} // namespace

/// Maxima and means of large maps: exact at every level, and honest about what is not there yet.
class TestPooledMap : public QObject
{
    Q_OBJECT

private slots:
    void poolsArePowersOfTwo();
    void everyLevelEqualsBruteForce_data();
    void everyLevelEqualsBruteForce();
    void unfinishedRowsStayUnknown();
    void oldPoolsAreStaleUntilReplaced();
    void poolsOfUnchangedCellsStayExact();
    void allRowsOfATile();
    void coarserPoolsStandIn();
    void wantedComesFromTheMiddle();
    void unknownTilesComeFirst();
    void allTilesGetTheirTurn();
    void fineTilesCanBeForgotten();
    void serviceRefinesWhatIsRead();
    void serviceComputesNewVersionsAgain();
    void serviceWaitsForUnfinishedValues();
    void serviceKeepsToItsLimit();
    void keptReadingsEqualFreshOnes_data();
    void keptReadingsEqualFreshOnes();
    void readingsOfAnotherMapAreNotKept();
    void serviceGivesWay();
};

void TestPooledMap::poolsArePowersOfTwo()
{
    QVERIFY((poolOfPyramid({1, 1}) == PoolSize{1, 1}));
    QVERIFY((poolOfPyramid({3, 17}) == PoolSize{4, 32}));
    QVERIFY((poolOfPyramid({132, 131}) == PoolSize{256, 256}));
    QVERIFY((poolOfPyramid({200, 40}) == PoolSize{256, 256}));
    QVERIFY((poolOfPyramid({200, 1}) == PoolSize{256, 1}));
}

void TestPooledMap::everyLevelEqualsBruteForce_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::addColumn<int>("poolRows");
    QTest::addColumn<int>("poolCols");
    QTest::newRow("square pools of 32") << 700 << 500 << 32 << 32;
    QTest::newRow("square pools of 64") << 700 << 500 << 64 << 64;
    QTest::newRow("one pool over everything") << 700 << 500 << 1024 << 1024;
    QTest::newRow("several tiles") << 2500 << 2100 << 128 << 128;
    QTest::newRow("beyond the last level") << 4500 << 200 << 4096 << 4096;
    QTest::newRow("pools of 4") << 300 << 301 << 4 << 4;
    QTest::newRow("long and narrow") << 5000 << 12 << 256 << 1;
    QTest::newRow("wide and flat") << 9 << 5000 << 1 << 64;
    QTest::newRow("2 by 16") << 200 << 700 << 2 << 16;
}

void TestPooledMap::everyLevelEqualsBruteForce()
{
    QFETCH(int, rows);
    QFETCH(int, cols);
    QFETCH(int, poolRows);
    QFETCH(int, poolCols);
    const PoolSize pool{poolRows, poolCols};
    const StageValuesPtr values = mixedValues(rows, cols);
    PooledMap map({1, rows, cols}, {std::min<Index>(poolRows, 32), std::min<Index>(poolCols, 32)});
    map.setStamp(1);
    const int level = map.levelOf(pool);
    fillBase(map, *values, level);
    const PooledArea all{0, 0, (rows + poolRows - 1) / poolRows, (cols + poolCols - 1) / poolCols};
    for (const Pooling pooling : {Pooling::Max, Pooling::Mean}) {
        const PoolReading reading = readAll(map, pool, all, pooling);
        QCOMPARE(countOf(reading, PoolState::Exact), all.rows * all.cols);
        for (Index row = 0; row < all.rows; ++row) {
            for (Index col = 0; col < all.cols; ++col) {
                const float found = reading.numbers[static_cast<std::size_t>(row * all.cols + col)];
                const float expected = bruteForce(*values, pool, row, col, pooling);
                if (std::isnan(expected) || pooling == Pooling::Max || std::isnan(found))
                    QVERIFY((std::isnan(expected) && std::isnan(found)) || found == expected);
                else // float sums of 32 numbers, joined in double
                    QVERIFY(std::abs(found - expected) <= 2e-6f);
            }
        }
    }
}

void TestPooledMap::unfinishedRowsStayUnknown()
{
    FormulaValues values(400, 300);
    values.exactRows = 100;
    PooledMap map({1, 400, 300}, {4, 4});
    map.setStamp(1);
    const PooledTile tile = pooledTile(values, 0, {4, 4}, 0, 0, never);
    QVERIFY(!tile.isComplete());
    map.insert({0, 0}, tile);
    const PoolReading reading = readAll(map, {4, 4}, {0, 0, 64, 64});
    QCOMPARE(countOf(reading, PoolState::Exact), Index(25 * 64));
    QCOMPARE(countOf(reading, PoolState::Unknown), Index(39 * 64));
    QVERIFY(std::isnan(reading.numbers.back()));
    QCOMPARE(map.wanted(0, {0, 0, 64, 64}).size(), std::size_t(1));
}

void TestPooledMap::oldPoolsAreStaleUntilReplaced()
{
    const FormulaValues before(256, 256);
    const FormulaValues after(256, 256, 1000.0);
    PooledMap map({1, 256, 256}, {2, 2});
    map.setStamp(1);
    fillBase(map, before, 0);
    map.setStamp(2);
    const PooledArea all{0, 0, 128, 128};
    QCOMPARE(countOf(readAll(map, {2, 2}, all), PoolState::Stale), Index(128 * 128));
    map.insert({1, 0}, pooledTile(after, 0, {2, 2}, 1, 0, never));
    const PoolReading reading = readAll(map, {2, 2}, all);
    QCOMPARE(countOf(reading, PoolState::Exact), Index(64 * 64));
    QVERIFY(reading.states[64 * 128] == PoolState::Exact);
    QVERIFY(reading.numbers[64 * 128] >= 1000.0f);
    QVERIFY(reading.numbers[0] < 1000.0f);
    fillBase(map, after, 0);
    QCOMPARE(countOf(readAll(map, {2, 2}, all), PoolState::Exact), Index(128 * 128));
}

void TestPooledMap::poolsOfUnchangedCellsStayExact()
{
    const FormulaValues values(4096, 4096);
    PooledMap map({1, 4096, 4096}, {32, 32});
    map.setStamp(1);
    fillBase(map, values, 0);
    map.setStamp(2, {false, {{100, 64}}, {{2080, 1}}});
    const PooledArea all{0, 0, 128, 128};
    // Rows 100-163 lie in the pools 3 to 5, column 2080 in pool 65.
    const PoolReading reading = readAll(map, {32, 32}, all);
    QCOMPARE(countOf(reading, PoolState::Stale), Index(3 * 128 + 125));
    QVERIFY(reading.states[2 * 128] == PoolState::Exact && reading.states[3 * 128] == PoolState::Stale);
    QVERIFY(reading.states[65] == PoolState::Stale && reading.states[66] == PoolState::Exact);
    QCOMPARE(countOf(readAll(map, {64, 64}, {0, 0, 64, 64}), PoolState::Stale), Index(2 * 64 + 62));
    QCOMPARE(map.wanted(0, all).size(), std::size_t(3));
    map.insert({0, 0}, pooledTile(values, 0, {32, 32}, 0, 0, never));
    QCOMPARE(countOf(readAll(map, {32, 32}, all), PoolState::Stale), Index(3 * 64 + 125));
    map.setStamp(3, {});
    QCOMPARE(countOf(readAll(map, {32, 32}, all), PoolState::Stale), Index(128 * 128));
}

/// Edits that follow each other change all rows each time; what was read of them once is not read again.
void TestPooledMap::allRowsOfATile()
{
    const FormulaValues values(4096, 4096);
    const PooledArea all{0, 0, 128, 128};
    PooledMap map({1, 4096, 4096}, {32, 32});
    map.setClock(1);
    map.setStamp(1);
    for (const PooledMap::TileIndex place : {PooledMap::TileIndex{0, 0}, {0, 1}, {1, 0}, {1, 1}})
        map.insert(place, pooledTile(values, 0, {32, 32}, place.row, place.col, never));
    PoolReading reading;
    const auto partsRead = [&](std::uint64_t now) {
        map.setClock(now);
        reading.fit({0, {32, 32}, all, Pooling::Max});
        map.read({32, 32}, all, Pooling::Max, reading);
        reading.readAt = now;
        return std::ranges::count(reading.isNew, 1);
    };
    QCOMPARE(partsRead(2), std::ptrdiff_t(2 * 128));
    map.setClock(3);
    map.setStamp(2, {false, {{0, 2048}}, {}});
    QCOMPARE(partsRead(4), std::ptrdiff_t(2 * 64));
    QCOMPARE(countOf(reading, PoolState::Stale), Index(64 * 128));
    map.setClock(5);
    map.setStamp(3, {false, {{0, 2080}}, {}});
    QCOMPARE(partsRead(6), std::ptrdiff_t(2 * 64)); // of the lower tiles, which were exact until now
    QCOMPARE(countOf(reading, PoolState::Stale), Index(65 * 128));
    QVERIFY(!map.isExact(0, {0, 0}) && !map.isExact(0, {1, 0}));
    map.setClock(7);
    map.insert({0, 1}, pooledTile(values, 0, {32, 32}, 0, 1, never));
    QCOMPARE(partsRead(8), std::ptrdiff_t(64));
    QCOMPARE(countOf(reading, PoolState::Stale), Index(65 * 128 - 64 * 64));
}

void TestPooledMap::coarserPoolsStandIn()
{
    const StageValuesPtr values = mixedValues(4096, 2048);
    PooledMap map({1, 4096, 2048}, {32, 32});
    map.setStamp(1);
    map.setClock(1);
    map.insert({0, 0}, pooledTile(*values, 0, {32, 32}, 0, 0, never));
    QVERIFY(map.forgetOldest(2));
    QVERIFY(!map.forgetOldest(2));
    const PoolReading reading = readAll(map, {32, 32}, {0, 0, 128, 64});
    QCOMPARE(countOf(reading, PoolState::Stale), Index(64 * 64));
    QCOMPARE(countOf(reading, PoolState::Unknown), Index(64 * 64));
    const float standIn = bruteForce(*values, {64, 64}, 3, 5, Pooling::Max);
    QVERIFY(reading.numbers[7 * 64 + 10] == standIn || std::isnan(standIn));
    QCOMPARE(countOf(readAll(map, {64, 64}, {0, 0, 32, 32}), PoolState::Exact), Index(32 * 32));
}

void TestPooledMap::wantedComesFromTheMiddle()
{
    const PooledMap map({1, 131072, 131072}, {32, 32});
    const auto all = map.wanted(2, {0, 0, 1024, 1024});
    QCOMPARE(all.size(), std::size_t(64 * 64));
    const auto middle = all.back().tile;
    QVERIFY(middle.row >= 31 && middle.row <= 32 && middle.col >= 31 && middle.col <= 32);
    QVERIFY(all.front().distance > all.back().distance);
    const auto corner = map.wanted(0, {4000, 0, 96, 96});
    QVERIFY(!corner.empty() && corner.back().tile.row >= 62 && corner.back().tile.col <= 1);
    QVERIFY(map.wanted(0, {0, 0, 0, 5}).empty());
}

/// A tile of which some cells were not there yet did not have its turn.
void TestPooledMap::unknownTilesComeFirst()
{
    const FormulaValues values(512, 512);
    FormulaValues missing(512, 512);
    missing.exactRows = 260;
    PooledMap map({1, 512, 512}, {2, 2});
    map.setStamp(1);
    const PooledArea all{0, 0, 256, 256};
    const PooledMap::TileIndex first = map.wanted(0, all).back().tile;
    map.setClock(1);
    map.insert(first, pooledTile(missing, 0, {2, 2}, first.row, first.col, never));
    const PooledMap::TileIndex again = map.wanted(0, all).back().tile;
    QVERIFY(again.row == first.row && again.col == first.col);
    map.insert(first, pooledTile(values, 0, {2, 2}, first.row, first.col, never));
    map.setStamp(2, {});
    const PooledMap::TileIndex next = map.wanted(0, all).back().tile;
    QVERIFY(next.row != first.row || next.col != first.col);
}

/// Where one edit follows the other before all is computed, the tiles at the edge are not left for ever.
void TestPooledMap::allTilesGetTheirTurn()
{
    const FormulaValues values(512, 512);
    const PooledArea all{0, 0, 256, 256};
    PooledMap map({1, 512, 512}, {2, 2});
    std::map<std::pair<Index, Index>, int> computed;
    for (std::uint64_t edit = 1; edit <= 8; ++edit) {
        map.setStamp(edit);
        for (int i = 0; i < 4; ++i) {
            map.setClock(edit * 10 + static_cast<std::uint64_t>(i));
            const PooledMap::TileIndex tile = map.wanted(0, all).back().tile;
            map.insert(tile, pooledTile(values, 0, {2, 2}, tile.row, tile.col, never));
            ++computed[{tile.row, tile.col}];
        }
    }
    QCOMPARE(computed.size(), std::size_t(16));
    for (const auto &[tile, times] : computed)
        QCOMPARE(times, 2);
}

void TestPooledMap::fineTilesCanBeForgotten()
{
    const FormulaValues values(8192, 8192);
    PooledMap map({1, 8192, 8192}, {32, 32});
    map.setStamp(1);
    for (Index i = 0; i < 4; ++i) {
        map.setClock(static_cast<std::uint64_t>(i + 1));
        map.insert({i, i}, pooledTile(values, 0, {32, 32}, i, i, never));
    }
    const std::size_t before = map.bytes();
    QCOMPARE(map.oldestUse(), std::uint64_t(1));
    QVERIFY(map.forgetOldest(3));
    QVERIFY(map.forgetOldest(3));
    QVERIFY(!map.forgetOldest(3));
    QCOMPARE(map.bytes(), before - 2 * PooledMap::bytesPerTile);
    // What is known of coarser pools stays, and asks for nothing.
    QVERIFY(map.wanted(1, {0, 0, 32, 32}).empty());
    QVERIFY(!map.wanted(0, {0, 0, 64, 64}).empty());
    // From far away all that is finer can go, the finest first.
    std::size_t rest = map.bytes();
    for (int level = 0; level < 2; ++level) {
        QVERIFY(map.forgetFinest(2));
        QVERIFY(map.bytes() < rest);
        rest = map.bytes();
    }
    QVERIFY(!map.forgetFinest(2));
    QVERIFY(map.wanted(2, {0, 0, 16, 16}).empty());
    QVERIFY(!map.wanted(1, {0, 0, 32, 32}).empty());
}

namespace {

PooledMaps::Request requestOf(const StageValuesPtr &values, std::uint64_t version, const PoolSize &pool,
                              const PooledArea &area)
{
    PooledMaps::Request request;
    request.stage = Stage::A;
    request.values = values;
    request.version = version;
    request.pool = pool;
    request.area = area;
    return request;
}

PoolReading readNow(PooledMaps &maps, const PooledMaps::Request &request)
{
    PoolReading reading;
    maps.read(request, reading);
    return reading;
}

} // namespace

void TestPooledMap::serviceRefinesWhatIsRead()
{
    PooledMaps maps;
    std::atomic<int> announced = 0;
    maps.setListener([&announced] { ++announced; });
    const StageValuesPtr values = mixedValues(3000, 2000);
    QVERIFY(PooledMaps::isWorthwhile(*values, {4, 4}));
    QVERIFY(!PooledMaps::isWorthwhile(*values, {1, 1}));
    const auto request = requestOf(values, 1, {4, 4}, {100, 50, 130, 70});
    QCOMPARE(countOf(readNow(maps, request), PoolState::Unknown), Index(130 * 70));
    maps.waitUntilIdle();
    const PoolReading reading = readNow(maps, request);
    QCOMPARE(countOf(reading, PoolState::Exact), Index(130 * 70));
    QVERIFY(maps.revision() > 0);
    QTRY_VERIFY(announced > 0);
    const float expected = bruteForce(*values, {4, 4}, 101, 52, Pooling::Max);
    QVERIFY(reading.numbers[70 + 2] == expected || std::isnan(expected));
    maps.clear();
    QCOMPARE(countOf(readNow(maps, request), PoolState::Unknown), Index(130 * 70));
}

void TestPooledMap::serviceComputesNewVersionsAgain()
{
    PooledMaps maps;
    const auto before = std::make_shared<const FormulaValues>(2000, 2000);
    const auto after = std::make_shared<const FormulaValues>(2000, 2000, 1000.0);
    const PooledArea area{0, 0, 63, 63};
    readNow(maps, requestOf(before, 1, {32, 32}, area));
    maps.waitUntilIdle();
    // Another object with the same numbers: nothing to do.
    const auto same = std::make_shared<const FormulaValues>(2000, 2000);
    QCOMPARE(countOf(readNow(maps, requestOf(same, 1, {32, 32}, area)), PoolState::Exact), Index(63 * 63));
    QCOMPARE(countOf(readNow(maps, requestOf(after, 2, {32, 32}, area)), PoolState::Stale), Index(63 * 63));
    maps.waitUntilIdle();
    const PoolReading reading = readNow(maps, requestOf(after, 2, {32, 32}, area));
    QCOMPARE(countOf(reading, PoolState::Exact), Index(63 * 63));
    QVERIFY(reading.numbers.front() >= 1000.0f);
}

void TestPooledMap::serviceWaitsForUnfinishedValues()
{
    PooledMaps maps;
    const auto unfinished = std::make_shared<FormulaValues>(2000, 2000);
    unfinished->exactRows = 640;
    const PooledArea area{0, 0, 63, 63};
    readNow(maps, requestOf(unfinished, 1, {32, 32}, area));
    maps.waitUntilIdle();
    PoolReading reading = readNow(maps, requestOf(unfinished, 1, {32, 32}, area));
    QCOMPARE(countOf(reading, PoolState::Exact), Index(20 * 63));
    QCOMPARE(countOf(reading, PoolState::Unknown), Index(43 * 63));
    const auto complete = std::make_shared<const FormulaValues>(2000, 2000);
    readNow(maps, requestOf(complete, 1, {32, 32}, area));
    maps.waitUntilIdle();
    reading = readNow(maps, requestOf(complete, 1, {32, 32}, area));
    QCOMPARE(countOf(reading, PoolState::Exact), Index(63 * 63));
}

void TestPooledMap::serviceKeepsToItsLimit()
{
    // Room for less than the four fine tiles of the map: the coarse picture still becomes exact.
    PooledMaps maps(2 * PooledMap::bytesPerTile);
    const auto values = std::make_shared<const FormulaValues>(4096, 4096);
    const PooledArea area{0, 0, 64, 64};
    readNow(maps, requestOf(values, 1, {64, 64}, area));
    maps.waitUntilIdle();
    QCOMPARE(countOf(readNow(maps, requestOf(values, 1, {64, 64}, area)), PoolState::Exact), Index(64 * 64));
    // So do several side by side, seen from further away.
    const PooledArea far{0, 0, 16, 16};
    PooledMaps::Request other = requestOf(values, 1, {256, 256}, far);
    other.stage = Stage::Scores;
    readNow(maps, requestOf(values, 1, {256, 256}, far));
    readNow(maps, other);
    maps.waitUntilIdle();
    QCOMPARE(countOf(readNow(maps, requestOf(values, 1, {256, 256}, far)), PoolState::Exact), Index(16 * 16));
    QCOMPARE(countOf(readNow(maps, other), PoolState::Exact), Index(16 * 16));
}

void TestPooledMap::keptReadingsEqualFreshOnes_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 4; ++seed)
        QTest::addRow("seed %d", seed) << seed;
}

/// What is read bit by bit is what is read at once, whatever came in between; parts that are not called new
/// are the same as before.
void TestPooledMap::keptReadingsEqualFreshOnes()
{
    QFETCH(int, seed);
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&random](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    const PoolSize pool = seed % 2 == 0 ? PoolSize{8, 8} : PoolSize{64, 64};
    const Index side = 2048 / pool.rows;
    const PooledArea area{side / 16, side / 32, side - side / 8, side - side / 16};
    const auto partOf = [&area](const std::vector<float> &numbers, Index row, const PoolReading::Span &span) {
        return std::span(numbers).subspan(static_cast<std::size_t>(row * area.cols + span.first),
                                          static_cast<std::size_t>(span.count));
    };
    PooledMaps maps;
    std::uint64_t version = 1;
    auto values = std::make_shared<FormulaValues>(2048, 2048);
    PoolReading kept;
    int partsKept = 0;
    for (int step = 0; step < 60; ++step) {
        if (below(3) == 0) {
            values = std::make_shared<FormulaValues>(2048, 2048, step);
            values->exactRows = below(2) == 0 ? 2048 : below(2048);
            ++version;
        } else if (below(6) == 0) {
            values = std::make_shared<FormulaValues>(*values);
            values->exactRows = 2048;
        }
        if (below(12) == 0)
            maps.clear();
        const auto request = requestOf(values, version, pool, area);
        maps.giveWay(std::chrono::hours(1));
        PoolReading before;
        PoolReading fresh;
        std::uint64_t revision = 0;
        do { // once more where a last tile came in between the two readings
            revision = maps.revision();
            before = kept;
            maps.read(request, kept);
            fresh = readNow(maps, request);
        } while (revision != maps.revision());
        QCOMPARE(kept.states, fresh.states);
        for (std::size_t i = 0; i < fresh.numbers.size(); ++i)
            QVERIFY(kept.numbers[i] == fresh.numbers[i] ||
                    (std::isnan(kept.numbers[i]) && std::isnan(fresh.numbers[i])));
        for (Index row = 0; row < area.rows; ++row) {
            for (std::size_t i = 0; i < kept.spans.size(); ++i) {
                if (kept.newOf(row)[i] != 0)
                    continue;
                ++partsKept;
                QVERIFY(std::ranges::equal(partOf(before.numbers, row, kept.spans[i]),
                                           partOf(kept.numbers, row, kept.spans[i])));
            }
        }
        maps.carryOn();
        if (below(2) == 0)
            maps.waitUntilIdle();
    }
    QVERIFY(partsKept > 0);
}

/// A reading is not taken for one of another head, which may have been computed long before.
void TestPooledMap::readingsOfAnotherMapAreNotKept()
{
    const auto values = std::make_shared<const FormulaValues>(2048, 2048);
    const auto others = std::make_shared<const FormulaValues>(2048, 2048, 3);
    const auto request = requestOf(values, 1, {32, 32}, {0, 0, 64, 64});
    auto other = requestOf(others, 1, {32, 32}, {0, 0, 64, 64});
    other.head = 1;
    PooledMaps maps;
    readNow(maps, request);
    readNow(maps, other);
    maps.waitUntilIdle();
    PoolReading kept;
    maps.read(request, kept);
    maps.read(other, kept);
    const PoolReading fresh = readNow(maps, other);
    QVERIFY(fresh.numbers != readNow(maps, request).numbers);
    QVERIFY(kept.numbers == fresh.numbers);
    other.pooling = Pooling::Mean;
    maps.read(other, kept);
    QVERIFY(kept.numbers == readNow(maps, other).numbers);
}

/// While it gives way it computes for nobody but who waits for it; it ends all the same.
void TestPooledMap::serviceGivesWay()
{
    const auto values = std::make_shared<const FormulaValues>(2000, 2000);
    const auto request = requestOf(values, 1, {32, 32}, {0, 0, 63, 63});
    {
        PooledMaps maps;
        maps.giveWay(std::chrono::hours(1));
        readNow(maps, request);
        maps.waitUntilIdle();
        QCOMPARE(countOf(readNow(maps, request), PoolState::Exact), Index(63 * 63));
    }
    {
        PooledMaps left; // with work that nobody waits for any more
        left.giveWay(std::chrono::hours(1));
        readNow(left, request);
    }
    PooledMaps maps;
    maps.giveWay(std::chrono::hours(1));
    QCOMPARE(countOf(readNow(maps, request), PoolState::Unknown), Index(63 * 63));
    QCOMPARE(maps.revision(), std::uint64_t(0));
    maps.carryOn();
    QTRY_COMPARE(countOf(readNow(maps, request), PoolState::Exact), Index(63 * 63));
    maps.giveWay(std::chrono::milliseconds(1));
    const auto after = std::make_shared<const FormulaValues>(2000, 2000, 1.0);
    QTRY_COMPARE(countOf(readNow(maps, requestOf(after, 2, {32, 32}, {0, 0, 63, 63})), PoolState::Exact),
                 Index(63 * 63));
}

QTEST_APPLESS_MAIN(TestPooledMap)
#include "tst_PooledMap.moc"
