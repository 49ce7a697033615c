#include "KernelFixture.h"

#include <algorithm>
#include <array>
#include <string_view>

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
    void blocksOfALeaf_data() { addKernelTables(); }
    void blocksOfALeaf();
    void poolsWeights_data() { addKernelTables(); }
    void poolsWeights();
    void poolsTiles_data() { addKernelTables(); }
    void poolsTiles();
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
        StridedMatrix<Scalar> allowed(6, 40);
        for (KernelIndex r = 0; r < 6; ++r)
            for (KernelIndex c = 0; c < 40; ++c)
                allowed(r, c) = (r + c) % 3 == 0 ? Scalar(0) : Scalar(1);
        StridedMatrix<Scalar> flags = numbers;
        StridedMatrix<Scalar> padding = numbers;
        kernels.hideWhereZero(flags.data(), flags.stride(), allowed.data(), allowed.stride(), 6, 40);
        kernels.hideWhereZero(padding.data(), padding.stride(), allowed.data(), 0, 6, 40);
        for (KernelIndex r = 0; r < 6; ++r) {
            const auto row = static_cast<std::size_t>(r);
            for (KernelIndex c = 0; c < 40; ++c) {
                const bool inside = c >= begin[row] && c < end[row];
                QCOMPARE(spans(r, c), inside ? numbers(r, c) : minusInfinity<Scalar>);
                QCOMPARE(flags(r, c), allowed(r, c) != Scalar(0) ? numbers(r, c) : minusInfinity<Scalar>);
                QCOMPARE(padding(r, c), allowed(0, c) != Scalar(0) ? numbers(r, c) : minusInfinity<Scalar>);
            }
        }
        QVERIFY(spans.gapsAreUntouched() && flags.gapsAreUntouched() && padding.gapsAreUntouched());
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

void TestKernelTiles::blocksOfALeaf()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(4);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        auto scores = StridedMatrix<Scalar>::random(4, 75, generator);
        scores(1, 40) = std::numeric_limits<Scalar>::quiet_NaN();
        std::fill(scores.row(2), scores.row(2) + 32, minusInfinity<Scalar>);
        std::fill(scores.row(3), scores.row(3) + 75, minusInfinity<Scalar>);
        StridedMatrix<Scalar> leaf = scores;
        StridedMatrix<Scalar> tile = scores;
        std::vector<RowStatistics<Scalar>> expected(4);
        std::vector<RowStatistics<Scalar>> statistics(4);
        StridedMatrix<Scalar> greatest(4, 3);
        StridedMatrix<Scalar> sums(4, 3);
        kernels.leafWeights(leaf.data(), leaf.stride(), 4, 75, expected.data());
        kernels.leafBlocks(tile.data(), tile.stride(), 4, 75, statistics.data(), greatest.data(), sums.data(),
                           greatest.stride());
        for (KernelIndex r = 0; r < 4; ++r) {
            const auto row = static_cast<std::size_t>(r);
            QVERIFY(r == 1 || std::memcmp(&statistics[row], &expected[row], sizeof(expected[row])) == 0);
            for (KernelIndex b = 0; b < 3; ++b) {
                const KernelIndex end = std::min<KernelIndex>(75, (b + 1) * kernelPoolBlock);
                Scalar block = minusInfinity<Scalar>;
                double sum = 0.0;
                for (KernelIndex c = b * kernelPoolBlock; c < end; ++c) {
                    block = std::max(block, scores(r, c));
                    sum += static_cast<double>(leaf(r, c));
                }
                if (r == 1) {
                    QCOMPARE(std::isnan(greatest(r, b)), b == 1);
                    QVERIFY(std::isnan(statistics[row].greatest));
                    continue;
                }
                QCOMPARE(greatest(r, b), block);
                QVERIFY(std::abs(static_cast<double>(sums(r, b)) - sum) <=
                        64.0 * roundingError<Scalar> * sum);
            }
        }
        QVERIFY(tile.gapsAreUntouched() && greatest.gapsAreUntouched() && sums.gapsAreUntouched());
    });
}

void TestKernelTiles::poolsWeights()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(5);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        auto scores = StridedMatrix<Scalar>::random(32, 96, generator, 3.0);
        std::fill(scores.row(7), scores.row(7) + 96, minusInfinity<Scalar>);
        StridedMatrix<Scalar> weights = scores;
        StridedMatrix<Scalar> tile = scores;
        std::vector<RowStatistics<Scalar>> statistics(32);
        StridedMatrix<Scalar> blockGreatest(32, 3);
        StridedMatrix<Scalar> blockSums(32, 3);
        kernels.leafBlocks(tile.data(), tile.stride(), 32, 96, statistics.data(), blockGreatest.data(),
                           blockSums.data(), blockSums.stride());
        kernels.finalWeights(weights.data(), weights.stride(), 32, 96, statistics.data());
        std::array<float, 3> greatest{};
        std::array<float, 3> sums{};
        kernels.poolWeights(blockGreatest.data(), blockSums.data(), blockSums.stride(), statistics.data(),
                            statistics.data(), 32, 3, greatest.data(), sums.data());
        for (KernelIndex b = 0; b < 3; ++b) {
            Scalar expected = Scalar(0);
            double sum = 0.0;
            for (KernelIndex r = 0; r < 32; ++r) {
                for (KernelIndex c = b * 32; c < (b + 1) * 32; ++c) {
                    expected = std::max(expected, weights(r, c));
                    sum += static_cast<double>(weights(r, c));
                }
            }
            QCOMPARE(greatest[static_cast<std::size_t>(b)], static_cast<float>(expected));
            QVERIFY(std::abs(static_cast<double>(sums[static_cast<std::size_t>(b)]) - sum) <= 1e-5 * sum);
        }
    });
}

void TestKernelTiles::poolsTiles()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        StridedMatrix<Scalar> tile(3, 5);
        const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
        const Scalar numbers[3][5] = {{1, 2, minusInfinity<Scalar>, minusInfinity<Scalar>, 7},
                                      {3, -4, minusInfinity<Scalar>, minusInfinity<Scalar>, nan},
                                      {5, 9, 0, nan, minusInfinity<Scalar>}};
        for (KernelIndex r = 0; r < 3; ++r)
            for (KernelIndex c = 0; c < 5; ++c)
                tile(r, c) = numbers[r][c];
        std::array<float, 6> greatest{};
        std::array<float, 6> mean{};
        kernels.pool(tile.data(), tile.stride(), 3, 5, 2, greatest.data(), mean.data(), 3);
        QCOMPARE(greatest[0], 3.0f);
        QCOMPARE(mean[0], 0.5f);
        QCOMPARE(greatest[1], minusInfinity<float>);
        QVERIFY(std::isnan(mean[1]));
        QVERIFY(std::isnan(greatest[2]));
        QCOMPARE(mean[2], 7.0f);
        QCOMPARE(greatest[3], 9.0f);
        QCOMPARE(mean[3], 7.0f);
        QVERIFY(std::isnan(greatest[4]));
        QCOMPARE(mean[4], 0.0f);
        QCOMPARE(greatest[5], minusInfinity<float>);
        QVERIFY(std::isnan(mean[5]));
        kernels.pool(tile.data(), tile.stride(), 3, 5, 2, nullptr, mean.data(), 3);
        kernels.pool(tile.data(), tile.stride(), 3, 5, 2, greatest.data(), nullptr, 3);
    });
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
