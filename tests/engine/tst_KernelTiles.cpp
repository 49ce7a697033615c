#include "KernelFixture.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::test;

class TestKernelTiles : public QObject
{
    Q_OBJECT

private slots:
    void tablesAreOrderedAndNamed();
    void addsAndScales_data() { addKernelTables(); }
    void addsAndScales();
    void hides_data() { addKernelTables(); }
    void hides();
    void rotates_data() { addKernelTables(); }
    void rotates();
    void ranges_data() { addKernelTables(); }
    void ranges();
    void foldsRows_data() { addKernelTables(); }
    void foldsRows();
    void placesOnAScale_data() { addKernelTables(); }
    void placesOnAScale();
    void picksWords_data() { addKernelTables(); }
    void picksWords();
    void converts_data() { addKernelTables(); }
    void converts();
};

void TestKernelTiles::tablesAreOrderedAndNamed()
{
    QVERIFY(kernelTables()[0]);
    const KernelTable *best = nullptr;
    for (const KernelTable *const *table = kernelTables(); *table; ++table)
        best = *table;
    const QByteArray asked = qgetenv("ATTNSCOPE_ISA");
    if (asked.isEmpty()) {
        QCOMPARE(&kernels(), best);
        QCOMPARE(std::string_view(kernelNote()), std::string_view());
    }
    QCOMPARE(std::string_view(isaName()), std::string_view(kernels().isa));
}

void TestKernelTiles::addsAndScales()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(1);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto numbers = StridedMatrix<Scalar>::random(5, 37, generator);
        const auto addends = StridedMatrix<Scalar>::random(5, 37, generator);
        StridedMatrix<Scalar> sum = numbers;
        StridedMatrix<Scalar> biased = numbers;
        StridedMatrix<Scalar> scaled = numbers;
        StridedMatrix<Scalar> target(5, 37, 9);
        kernels.add(sum.data(), sum.stride(), addends.data(), addends.stride(), 5, 37);
        kernels.add(biased.data(), biased.stride(), addends.data(), 0, 5, 37);
        kernels.scale(scaled.data(), scaled.stride(), 5, 37, Scalar(0.3));
        kernels.scaleTo(numbers.data(), numbers.stride(), Scalar(0.3), target.data(), target.stride(), 5, 37);
        for (KernelIndex r = 0; r < 5; ++r) {
            for (KernelIndex c = 0; c < 37; ++c) {
                QCOMPARE(sum(r, c), numbers(r, c) + addends(r, c));
                QCOMPARE(biased(r, c), numbers(r, c) + addends(0, c));
                QCOMPARE(scaled(r, c), numbers(r, c) * Scalar(0.3));
                QCOMPARE(target(r, c), scaled(r, c));
            }
        }
        QVERIFY(sum.gapsAreUntouched() && biased.gapsAreUntouched() && scaled.gapsAreUntouched() &&
                target.gapsAreUntouched());
    });
}

void TestKernelTiles::hides()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(2);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto numbers = StridedMatrix<Scalar>::random(6, 40, generator);
        const std::array<KernelIndex, 6> begin = {0, 3, -5, 40, 100, 10};
        const std::array<KernelIndex, 6> end = {40, 20, 70, 50, 3, 10};
        StridedMatrix<Scalar> spans = numbers;
        kernels.hideOutside(spans.data(), spans.stride(), begin.data(), end.data(), 6, 40);
        for (KernelIndex r = 0; r < 6; ++r) {
            const auto row = static_cast<std::size_t>(r);
            for (KernelIndex c = 0; c < 40; ++c) {
                const bool inside = c >= begin[row] && c < end[row];
                QCOMPARE(spans(r, c), inside ? numbers(r, c) : minusInfinity<Scalar>);
            }
        }
        QVERIFY(spans.gapsAreUntouched());
    });
}

void TestKernelTiles::ranges()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(7);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        for (const KernelIndex cols : {0, 1, 7, 8, 16, 37, 64}) {
            auto numbers = StridedMatrix<Scalar>::random(5, cols, generator);
            FiniteRange expected{std::numeric_limits<double>::infinity(), minusInfinity<double>, 0.0};
            for (KernelIndex r = 0; r < 5; ++r) {
                for (KernelIndex c = 0; c < cols; ++c) {
                    const auto number = static_cast<double>(numbers(r, c));
                    expected = {std::min(expected.smallest, number), std::max(expected.greatest, number),
                                expected.sum + number};
                }
            }
            FiniteRange range{};
            QVERIFY(kernels.finiteRange(numbers.data(), numbers.stride(), 5, cols, &range));
            QVERIFY(range.smallest == expected.smallest && range.greatest == expected.greatest);
            QVERIFY(std::abs(range.sum - expected.sum) <= 400.0 * roundingError<Scalar>);
            for (KernelIndex c = 0; c < cols; ++c) {
                for (const Scalar trouble : {minusInfinity<Scalar>, -minusInfinity<Scalar>,
                                             std::numeric_limits<Scalar>::quiet_NaN()}) {
                    const Scalar before = std::exchange(numbers(3, c), trouble);
                    QVERIFY(!kernels.finiteRange(numbers.data(), numbers.stride(), 5, cols, &range));
                    numbers(3, c) = before;
                }
            }
        }
    });
}

void TestKernelTiles::rotates()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(3);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto numbers = StridedMatrix<Scalar>::random(3, 7, generator);
        const auto angles = StridedMatrix<Scalar>::random(3, 3, generator);
        StridedMatrix<Scalar> cosines(3, 3);
        StridedMatrix<Scalar> sines(3, 3);
        for (KernelIndex r = 0; r < 3; ++r) {
            for (KernelIndex t = 0; t < 3; ++t) {
                cosines(r, t) = std::cos(angles(r, t));
                sines(r, t) = std::sin(angles(r, t));
            }
        }
        for (const bool interleaved : {true, false}) {
            StridedMatrix<Scalar> turned = numbers;
            kernels.rotate(turned.data(), turned.stride(), cosines.data(), sines.data(), cosines.stride(), 3,
                           3, interleaved);
            for (KernelIndex r = 0; r < 3; ++r) {
                for (KernelIndex t = 0; t < 3; ++t) {
                    const KernelIndex first = interleaved ? 2 * t : t;
                    const KernelIndex second = interleaved ? 2 * t + 1 : t + 3;
                    const Scalar x = numbers(r, first);
                    const Scalar y = numbers(r, second);
                    QCOMPARE(turned(r, first), x * cosines(r, t) - y * sines(r, t));
                    QCOMPARE(turned(r, second), x * sines(r, t) + y * cosines(r, t));
                }
                QCOMPARE(turned(r, 6), numbers(r, 6));
            }
            QVERIFY(turned.gapsAreUntouched());
        }
    });
}

void TestKernelTiles::foldsRows()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(5);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        for (const KernelIndex rows : {0, 1, 31, 32}) {
            auto tile = StridedMatrix<Scalar>::random(rows, 45, generator);
            if (rows > 0) {
                tile(rows / 2, 3) = std::numeric_limits<Scalar>::quiet_NaN();
                tile(rows / 2, 44) = minusInfinity<Scalar>;
                tile(0, 7) = minusInfinity<Scalar>;
                tile(rows - 1, 7) = -minusInfinity<Scalar>;
            }
            std::array<Scalar, 46> greatest{};
            std::array<Scalar, 46> sums{};
            kernels.foldRows(tile.data(), tile.stride(), rows, 45, greatest.data(), sums.data());
            QVERIFY(greatest[45] == Scalar(0) && sums[45] == Scalar(0));
            for (KernelIndex c = 0; c < 45; ++c) {
                const auto col = static_cast<std::size_t>(c);
                Scalar most = minusInfinity<Scalar>;
                double sum = 0.0;
                for (KernelIndex r = 0; r < rows; ++r) {
                    most = std::max(most, tile(r, c));
                    sum += static_cast<double>(tile(r, c));
                }
                if (rows > 0 && c == 3) {
                    QVERIFY(std::isnan(greatest[col]) && std::isnan(sums[col]));
                    continue;
                }
                QCOMPARE(greatest[col], most);
                if (!std::isfinite(sum)) {
                    QCOMPARE(std::isfinite(static_cast<double>(sums[col])), false);
                    continue;
                }
                QVERIFY(static_cast<double>(sums[col]) == sum ||
                        std::abs(static_cast<double>(sums[col]) - sum) < 400.0 * roundingError<Scalar>);
            }
        }
    });
}

void TestKernelTiles::placesOnAScale()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        // A scale from -2 to 2: every step, zero, both ends, beyond them, and what is no number.
        std::vector<Scalar> numbers{Scalar(0), Scalar(-2), Scalar(2), Scalar(-9), Scalar(9)};
        std::vector<int> expected{128, 0, 255, 0, 255};
        for (int step = 0; step < 256; ++step) {
            numbers.push_back(Scalar(-2) + Scalar(4) * Scalar(step) / Scalar(255));
            expected.push_back(step);
        }
        const auto placesOf = [&](std::vector<std::uint16_t> &places) {
            const auto count = static_cast<KernelIndex>(numbers.size());
            places.assign(numbers.size() + 1, 999);
            return kernels.scalePlaces(numbers.data(), count, Scalar(-2), Scalar(4), places.data());
        };
        std::vector<std::uint16_t> places;
        QVERIFY(placesOf(places));
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(int(places[i]), expected[i]);
        QCOMPARE(int(places.back()), 999);

        const Scalar trouble[] = {std::numeric_limits<Scalar>::quiet_NaN(), minusInfinity<Scalar>,
                                  -minusInfinity<Scalar>};
        const int troublePlace[] = {0, 0, 255};
        for (std::size_t kind = 0; kind < 3; ++kind) {
            for (const std::size_t at : {std::size_t(0), numbers.size() - 1}) {
                const Scalar kept = std::exchange(numbers[at], trouble[kind]);
                QVERIFY(!placesOf(places));
                QCOMPARE(int(places[at]), troublePlace[kind]);
                numbers[at] = kept;
            }
        }
    });
}

void TestKernelTiles::picksWords()
{
    QFETCH(const KernelTable *, table);
    std::vector<std::uint32_t> words(768);
    std::iota(words.begin(), words.end(), 0xff000000u);
    for (const std::size_t count : {0, 1, 15, 16, 45}) {
        std::vector<std::uint16_t> places(count);
        for (std::size_t i = 0; i < count; ++i)
            places[i] = static_cast<std::uint16_t>(i * 17 % 768);
        std::vector<std::uint32_t> picked(count + 1, 7);
        table->pickWords(words.data(), places.data(), static_cast<KernelIndex>(count), picked.data());
        for (std::size_t i = 0; i < count; ++i)
            QCOMPARE(picked[i], 0xff000000u + std::uint32_t(places[i]));
        QCOMPARE(picked[count], 7u);
    }
}

void TestKernelTiles::converts()
{
    QFETCH(const KernelTable *, table);
    const std::array<double, 5> in = {0.1, -1e300, 1e300, std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
    std::array<double, 5> doubles{};
    std::array<float, 5> painted{};
    std::array<float, 5> floats{};
    table->f64.fromDouble(in.data(), doubles.data(), 5);
    QVERIFY(std::memcmp(in.data(), doubles.data(), sizeof(in)) == 0);
    table->f64.toFloat(in.data(), painted.data(), 5);
    table->f32.fromDouble(in.data(), floats.data(), 5);
    QCOMPARE(painted[0], 0.1f);
    QCOMPARE(painted[1], -std::numeric_limits<float>::max());
    QCOMPARE(painted[2], std::numeric_limits<float>::max());
    QCOMPARE(painted[3], std::numeric_limits<float>::infinity());
    QVERIFY(std::isnan(painted[4]));
    QCOMPARE(floats[0], 0.1f);
    QCOMPARE(floats[2], std::numeric_limits<float>::infinity());
    table->f32.toDouble(floats.data(), doubles.data(), 1);
    QCOMPARE(doubles[0], static_cast<double>(0.1f));
}

QTEST_APPLESS_MAIN(TestKernelTiles)
#include "tst_KernelTiles.moc"
