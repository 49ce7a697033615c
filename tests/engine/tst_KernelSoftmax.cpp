#include "KernelFixture.h"

#include <algorithm>
#include <array>

using namespace attn;
using namespace attn::test;

namespace {

template<typename Scalar>
constexpr Scalar notANumber = std::numeric_limits<Scalar>::quiet_NaN();

/// Weights of one row by long double; NaN goes into all of them, a row of -inf gives 0.
template<typename Scalar>
std::vector<double> referenceWeights(const Scalar *scores, KernelIndex count)
{
    long double greatest = static_cast<long double>(minusInfinity<double>);
    for (KernelIndex c = 0; c < count; ++c)
        greatest = std::max(greatest, static_cast<long double>(scores[c]));
    long double sum = 0.0L;
    for (KernelIndex c = 0; c < count; ++c)
        sum += std::isinf(scores[c]) ? 0.0L : std::exp(static_cast<long double>(scores[c]) - greatest);
    std::vector<double> weights;
    for (KernelIndex c = 0; c < count; ++c) {
        const bool isHidden = std::isinf(scores[c]);
        weights.push_back(
            isHidden ? 0.0
                     : static_cast<double>(std::exp(static_cast<long double>(scores[c]) - greatest) / sum));
    }
    return weights;
}

template<typename Scalar>
StridedMatrix<Scalar> maskedScores(KernelIndex rows, KernelIndex cols, std::mt19937 &generator)
{
    auto scores = StridedMatrix<Scalar>::random(rows, cols, generator, 4.0);
    for (KernelIndex r = 0; r < rows; ++r)
        for (KernelIndex c = r + 1; c < cols; ++c)
            if (r % 2 == 1)
                scores(r, c) = minusInfinity<Scalar>;
    for (KernelIndex c = 0; c < cols; ++c)
        scores(rows - 1, c) = minusInfinity<Scalar>;
    return scores;
}

template<typename Scalar>
using Leaves = std::vector<RowStatistics<Scalar>>;

/// Leaves of `width` columns, exponentials in place, statistics at [leaf * rows + row].
template<typename Scalar>
Leaves<Scalar> leafPass(const Kernels<Scalar> &kernels, StridedMatrix<Scalar> &tile, KernelIndex width)
{
    Leaves<Scalar> leaves;
    for (KernelIndex col = 0; col < tile.cols(); col += width) {
        Leaves<Scalar> leaf(static_cast<std::size_t>(tile.rows()));
        kernels.leafWeights(tile.data() + col, tile.stride(), tile.rows(), std::min(width, tile.cols() - col),
                            leaf.data());
        leaves.insert(leaves.end(), leaf.begin(), leaf.end());
    }
    return leaves;
}

} // namespace

class TestKernelSoftmax : public QObject
{
    Q_OBJECT

private slots:
    void exponentialsAreAccurate_data() { addKernelTables(); }
    void exponentialsAreAccurate();
    void exponentialsOfTheExtremes_data() { addKernelTables(); }
    void exponentialsOfTheExtremes();
    void oneLeafGivesTheWeights_data() { addKernelTables(); }
    void oneLeafGivesTheWeights();
    void statisticsOfRows_data() { addKernelTables(); }
    void statisticsOfRows();
    void troubleFillsTheRow_data() { addKernelTables(); }
    void troubleFillsTheRow();
    void rowsDoNotDependOnTheirPlace_data() { addKernelTables(); }
    void rowsDoNotDependOnTheirPlace();
    void hiddenTailChangesNoBit_data() { addKernelTables(); }
    void hiddenTailChangesNoBit();
    void leavesCombine_data() { addKernelTables(); }
    void leavesCombine();
    void hiddenLeavesKeepTrouble_data() { addKernelTables(); }
    void hiddenLeavesKeepTrouble();
};

void TestKernelSoftmax::exponentialsAreAccurate()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const bool isDouble = sizeof(Scalar) == sizeof(double);
        const double lowest = isDouble ? -708.0 : -87.0;
        std::vector<Scalar> in(20001);
        for (std::size_t i = 0; i < in.size(); ++i)
            in[i] =
                static_cast<Scalar>(lowest + (std::abs(lowest) + 80.0) * static_cast<double>(i) / 20000.0);
        std::vector<Scalar> out(in.size());
        kernels.exponentials(in.data(), out.data(), static_cast<KernelIndex>(in.size()));
        double worst = 0.0;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const long double exact = std::exp(static_cast<long double>(in[i]));
            worst = std::max(worst,
                             static_cast<double>(std::abs(static_cast<long double>(out[i]) - exact) / exact));
        }
        QVERIFY2(worst < (isDouble ? 2.5e-16 : 1.2e-7), qPrintable(QString::number(worst)));
    });
}

void TestKernelSoftmax::exponentialsOfTheExtremes()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const Scalar infinite = std::numeric_limits<Scalar>::infinity();
        const Scalar largest = std::numeric_limits<Scalar>::max();
        const Scalar underflow = static_cast<Scalar>(sizeof(Scalar) == sizeof(double) ? -740.0 : -100.0);
        const std::array<Scalar, 8> in = {-infinite, infinite, notANumber<Scalar>, Scalar(0),
                                          -largest,  largest,  underflow,          Scalar(-0.0)};
        std::array<Scalar, 8> out{};
        kernels.exponentials(in.data(), out.data(), 8);
        QCOMPARE(out[0], Scalar(0));
        QCOMPARE(out[1], infinite);
        QVERIFY(std::isnan(out[2]));
        QCOMPARE(out[3], Scalar(1));
        QCOMPARE(out[4], Scalar(0));
        QCOMPARE(out[5], infinite);
        // Gradual underflow: few bits are left, none of them is lost but by rounding.
        const Scalar step = std::numeric_limits<Scalar>::denorm_min();
        QVERIFY(std::abs(static_cast<double>(out[6]) - std::exp(static_cast<double>(underflow))) <=
                static_cast<double>(step));
        QCOMPARE(out[7], Scalar(1));
    });
}

void TestKernelSoftmax::oneLeafGivesTheWeights()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(1);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        for (const KernelIndex cols : {1, 4, 7, 32, 100, 256}) {
            const StridedMatrix<Scalar> scores = maskedScores<Scalar>(9, cols, generator);
            StridedMatrix<Scalar> weights = scores;
            Leaves<Scalar> statistics(9);
            kernels.leafWeights(weights.data(), weights.stride(), 9, cols, statistics.data());
            kernels.normalize(weights.data(), weights.stride(), 9, cols, statistics.data());
            for (KernelIndex r = 0; r < 9; ++r) {
                const std::vector<double> expected = referenceWeights(scores.row(r), cols);
                for (KernelIndex c = 0; c < cols; ++c)
                    // An error of one unit in the exponent's argument is one of |score| units in the weight.
                    QVERIFY(std::abs(static_cast<double>(weights(r, c)) -
                                     expected[static_cast<std::size_t>(c)]) <= 30.0 * roundingError<Scalar>);
            }
            QVERIFY(weights.gapsAreUntouched());

            StridedMatrix<Scalar> direct = scores;
            kernels.finalWeights(direct.data(), direct.stride(), 9, cols, statistics.data());
            QVERIFY(direct.sameBits(weights));
        }
    });
}

void TestKernelSoftmax::statisticsOfRows()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(2);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const StridedMatrix<Scalar> scores = maskedScores<Scalar>(12, 77, generator);
        Leaves<Scalar> statistics(12);
        Leaves<Scalar> kept(12);
        kernels.rowStatistics(scores.data(), scores.stride(), 12, 77, statistics.data());
        StridedMatrix<Scalar> tile = scores;
        kernels.leafWeights(tile.data(), tile.stride(), 12, 77, kept.data());
        QVERIFY(std::memcmp(statistics.data(), kept.data(), sizeof(RowStatistics<Scalar>) * 12) == 0);
        for (KernelIndex r = 0; r < 12; ++r) {
            Scalar greatest = minusInfinity<Scalar>;
            Scalar smallest = -minusInfinity<Scalar>;
            for (KernelIndex c = 0; c < 77; ++c) {
                greatest = std::max(greatest, scores(r, c));
                if (scores(r, c) != minusInfinity<Scalar>)
                    smallest = std::min(smallest, scores(r, c));
            }
            const RowStatistics<Scalar> &row = statistics[static_cast<std::size_t>(r)];
            QCOMPARE(row.greatest, greatest);
            QCOMPARE(row.smallest, smallest);
            QVERIFY(r == 11 ? row.sum == Scalar(0) : row.sum >= Scalar(1));
        }
    });
}

void TestKernelSoftmax::troubleFillsTheRow()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(3);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        for (const KernelIndex at : {0, 20, 64}) {
            auto scores = StridedMatrix<Scalar>::random(3, 65, generator);
            scores(0, at) = notANumber<Scalar>;
            scores(1, at) = std::numeric_limits<Scalar>::infinity();
            scores(2, at) = minusInfinity<Scalar>;
            Leaves<Scalar> statistics(3);
            kernels.leafWeights(scores.data(), scores.stride(), 3, 65, statistics.data());
            QVERIFY(std::isnan(statistics[0].greatest));
            QCOMPARE(statistics[1].greatest, std::numeric_limits<Scalar>::infinity());
            QVERIFY(std::isnan(statistics[0].sum) && std::isnan(statistics[1].sum));
            QVERIFY(std::isfinite(statistics[2].sum));
            QVERIFY(std::isfinite(statistics[0].smallest) && std::isfinite(statistics[2].smallest));
            kernels.normalize(scores.data(), scores.stride(), 3, 65, statistics.data());
            for (KernelIndex c = 0; c < 65; ++c) {
                QVERIFY(std::isnan(scores(0, c)) && std::isnan(scores(1, c)));
                QCOMPARE(scores(2, c) == Scalar(0), c == at);
            }
        }
    });
}

void TestKernelSoftmax::rowsDoNotDependOnTheirPlace()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(4);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const StridedMatrix<Scalar> scores = maskedScores<Scalar>(20, 90, generator);
        StridedMatrix<Scalar> whole = scores;
        Leaves<Scalar> statistics(20);
        kernels.leafWeights(whole.data(), whole.stride(), 20, 90, statistics.data());
        for (KernelIndex r = 0; r < 20; ++r) {
            std::vector<Scalar> alone(scores.row(r), scores.row(r) + 90);
            RowStatistics<Scalar> own{};
            kernels.leafWeights(alone.data(), 90, 1, 90, &own);
            QVERIFY(std::memcmp(alone.data(), whole.row(r), 90 * sizeof(Scalar)) == 0);
            QVERIFY(std::memcmp(&own, &statistics[static_cast<std::size_t>(r)], sizeof(own)) == 0);
        }
    });
}

void TestKernelSoftmax::hiddenTailChangesNoBit()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(5);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto scores = StridedMatrix<Scalar>::random(4, 53, generator);
        StridedMatrix<Scalar> narrow = scores;
        StridedMatrix<Scalar> wide(4, 96);
        for (KernelIndex r = 0; r < 4; ++r)
            for (KernelIndex c = 0; c < 96; ++c)
                wide(r, c) = c < 53 ? scores(r, c) : minusInfinity<Scalar>;
        Leaves<Scalar> ofNarrow(4);
        Leaves<Scalar> ofWide(4);
        kernels.leafWeights(narrow.data(), narrow.stride(), 4, 53, ofNarrow.data());
        kernels.leafWeights(wide.data(), wide.stride(), 4, 96, ofWide.data());
        QVERIFY(std::memcmp(ofNarrow.data(), ofWide.data(), 4 * sizeof(RowStatistics<Scalar>)) == 0);
        for (KernelIndex r = 0; r < 4; ++r)
            QVERIFY(std::memcmp(narrow.row(r), wide.row(r), 53 * sizeof(Scalar)) == 0);
    });
}

void TestKernelSoftmax::leavesCombine()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(6);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        constexpr KernelIndex rows = 9;
        constexpr KernelIndex cols = 150;
        constexpr KernelIndex width = 64;
        constexpr KernelIndex depth = 21;
        const StridedMatrix<Scalar> scores = maskedScores<Scalar>(rows, cols, generator);
        const auto V = StridedMatrix<Scalar>::random(cols, depth, generator);
        StridedMatrix<Scalar> tile = scores;
        const Leaves<Scalar> leaves = leafPass(kernels, tile, width);
        std::vector<StridedMatrix<Scalar>> partials;
        for (KernelIndex col = 0; col < cols; col += width) {
            StridedMatrix<Scalar> &partial = partials.emplace_back(rows, depth);
            kernels.multiply(tile.data() + col, tile.stride(), V.row(col), V.stride(), partial.data(),
                             partial.stride(), rows, std::min(width, cols - col), depth);
        }
        std::vector<const Scalar *> pointers;
        for (const StridedMatrix<Scalar> &partial : partials)
            pointers.push_back(partial.data());
        Leaves<Scalar> whole(rows);
        kernels.combineStatistics(leaves.data(), rows, 3, rows, whole.data());
        StridedMatrix<Scalar> out(rows, depth);
        kernels.combinePartials(pointers.data(), partials[0].stride(), leaves.data(), rows, whole.data(), 3,
                                out.data(), out.stride(), rows, depth);
        for (KernelIndex r = 0; r < rows; ++r) {
            const std::vector<double> weights = referenceWeights(scores.row(r), cols);
            for (KernelIndex c = 0; c < depth; ++c) {
                double expected = 0.0;
                for (KernelIndex k = 0; k < cols; ++k)
                    expected += weights[static_cast<std::size_t>(k)] * static_cast<double>(V(k, c));
                // Weights of up to |score| units, values of about 3.
                QVERIFY(std::abs(static_cast<double>(out(r, c)) - expected) <= 100.0 * roundingError<Scalar>);
            }
        }
        QVERIFY(out.gapsAreUntouched());
    });
}

void TestKernelSoftmax::hiddenLeavesKeepTrouble()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const RowStatistics<Scalar> hidden{minusInfinity<Scalar>, -minusInfinity<Scalar>, Scalar(0)};
        const RowStatistics<Scalar> shown{Scalar(2), Scalar(2), Scalar(1)};
        const std::array<RowStatistics<Scalar>, 4> leaves = {hidden, hidden, shown,
                                                             hidden}; // [2 leaves, 2 rows]
        std::array<RowStatistics<Scalar>, 2> whole{};
        kernels.combineStatistics(leaves.data(), 2, 2, 2, whole.data());
        QCOMPARE(whole[0].sum, Scalar(1));
        QCOMPARE(whole[1].greatest, minusInfinity<Scalar>);
        const std::array<Scalar, 4> first = {Scalar(0), notANumber<Scalar>, Scalar(0), notANumber<Scalar>};
        const std::array<Scalar, 4> second = {Scalar(5), Scalar(6), Scalar(0), Scalar(0)};
        const std::array<const Scalar *, 2> partials = {first.data(), second.data()};
        std::array<Scalar, 4> out{};
        kernels.combinePartials(partials.data(), 2, leaves.data(), 2, whole.data(), 2, out.data(), 2, 2, 2);
        QCOMPARE(out[0], Scalar(5));
        QVERIFY(std::isnan(out[1]));
        QCOMPARE(out[2], Scalar(0));
        QVERIFY(std::isnan(out[3]));
    });
}

QTEST_APPLESS_MAIN(TestKernelSoftmax)
#include "tst_KernelSoftmax.moc"
