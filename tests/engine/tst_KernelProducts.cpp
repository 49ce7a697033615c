#include "KernelFixture.h"

using namespace attn;
using namespace attn::test;

namespace {

/// Worst |actual - expected| of A B, in units of the sum of |terms| of its element.
template<typename Scalar>
double productError(const StridedMatrix<Scalar> &A, const StridedMatrix<Scalar> &B,
                    const StridedMatrix<Scalar> &C)
{
    double worst = 0.0;
    for (KernelIndex i = 0; i < C.rows(); ++i) {
        for (KernelIndex j = 0; j < C.cols(); ++j) {
            long double sum = 0.0L;
            long double magnitude = 1e-30L;
            for (KernelIndex k = 0; k < A.cols(); ++k) {
                const long double term =
                    static_cast<long double>(A(i, k)) * static_cast<long double>(B(k, j));
                sum += term;
                magnitude += std::abs(term);
            }
            const long double error = std::abs(static_cast<long double>(C(i, j)) - sum) / magnitude;
            worst = std::max(worst, static_cast<double>(error));
        }
    }
    return worst;
}

template<typename Scalar>
StridedMatrix<Scalar> transposed(const StridedMatrix<Scalar> &matrix)
{
    StridedMatrix<Scalar> result(matrix.cols(), matrix.rows(), 1);
    for (KernelIndex r = 0; r < matrix.rows(); ++r)
        for (KernelIndex c = 0; c < matrix.cols(); ++c)
            result(c, r) = matrix(r, c);
    return result;
}

template<typename Scalar>
StridedMatrix<Scalar> product(const Kernels<Scalar> &kernels, const StridedMatrix<Scalar> &A,
                              const StridedMatrix<Scalar> &B)
{
    StridedMatrix<Scalar> C(A.rows(), B.cols());
    kernels.multiply(A.data(), A.stride(), B.data(), B.stride(), C.data(), C.stride(), A.rows(), A.cols(),
                     B.cols());
    return C;
}

} // namespace

class TestKernelProducts : public QObject
{
    Q_OBJECT

private slots:
    void equalsTheReference_data();
    void equalsTheReference();
    void partsEqualTheWhole_data() { addKernelTables(); }
    void partsEqualTheWhole();
    void depthPanelsAddUp_data() { addKernelTables(); }
    void depthPanelsAddUp();
    void packedGivesTheSame_data() { addKernelTables(); }
    void packedGivesTheSame();
    void noTermsGiveZero_data() { addKernelTables(); }
    void noTermsGiveZero();
    void troubleGoesThrough_data() { addKernelTables(); }
    void troubleGoesThrough();
    void instructionSetsAreNotTheSameCode();
};

void TestKernelProducts::equalsTheReference_data()
{
    QTest::addColumn<const KernelTable *>("table");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("depth");
    QTest::addColumn<int>("cols");
    const struct
    {
        int rows, depth, cols;
    } shapes[] = {{1, 1, 1},     {4, 3, 6},    {8, 64, 64}, {64, 64, 256},
                  {13, 257, 31}, {7, 600, 33}, {1, 64, 100}};
    for (const KernelTable *const *table = kernelTables(); *table; ++table)
        for (const auto &shape : shapes)
            QTest::addRow("%s %dx%dx%d", (*table)->isa, shape.rows, shape.depth, shape.cols)
                << *table << shape.rows << shape.depth << shape.cols;
}

void TestKernelProducts::equalsTheReference()
{
    QFETCH(const KernelTable *, table);
    QFETCH(int, rows);
    QFETCH(int, depth);
    QFETCH(int, cols);
    std::mt19937 generator(1);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto A = StridedMatrix<Scalar>::random(rows, depth, generator);
        const auto B = StridedMatrix<Scalar>::random(depth, cols, generator);
        const StridedMatrix<Scalar> C = product(kernels, A, B);
        // One rounding a term at most, and one for each panel; they rarely add up.
        QVERIFY(productError(A, B, C) <= roundingError<Scalar> * (2.0 + std::min(depth, 256)));
        QVERIFY(C.gapsAreUntouched());

        const StridedMatrix<Scalar> columns = transposed(B);
        StridedMatrix<Scalar> same(rows, cols);
        kernels.multiplyTransposed(A.data(), A.stride(), columns.data(), columns.stride(), same.data(),
                                   same.stride(), rows, depth, cols);
        QVERIFY(same.sameBits(C));
        QVERIFY(same.gapsAreUntouched());
    });
}

void TestKernelProducts::partsEqualTheWhole()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(2);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto A = StridedMatrix<Scalar>::random(70, 300, generator);
        const auto B = StridedMatrix<Scalar>::random(300, 90, generator);
        const StridedMatrix<Scalar> whole = product(kernels, A, B);
        const KernelIndex starts[] = {0, 1, 8, 61};
        for (const KernelIndex row : starts) {
            for (const KernelIndex col : starts) {
                StridedMatrix<Scalar> part(70 - row, 90 - col, 5);
                kernels.multiply(A.row(row), A.stride(), B.data() + col, B.stride(), part.data(),
                                 part.stride(), part.rows(), 300, part.cols());
                for (KernelIndex r = 0; r < part.rows(); ++r)
                    QVERIFY(std::memcmp(part.row(r), whole.row(row + r) + col,
                                        static_cast<std::size_t>(part.cols()) * sizeof(Scalar)) == 0);
            }
        }
    });
}

void TestKernelProducts::depthPanelsAddUp()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(3);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        const auto A = StridedMatrix<Scalar>::random(20, 700, generator);
        const auto B = StridedMatrix<Scalar>::random(700, 40, generator);
        const StridedMatrix<Scalar> whole = product(kernels, A, B);
        StridedMatrix<Scalar> sum(20, 40);
        kernels.multiply(A.data(), A.stride(), B.data(), B.stride(), sum.data(), sum.stride(), 20, 512, 40);
        kernels.multiplyAdd(A.data() + 512, A.stride(), B.row(512), B.stride(), sum.data(), sum.stride(), 20,
                            188, 40);
        QVERIFY(sum.sameBits(whole));
    });
}

void TestKernelProducts::packedGivesTheSame()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(5);
    const struct
    {
        int rows, depth, cols;
    } shapes[] = {{1, 1, 1}, {13, 256, 64}, {64, 64, 256}, {9, 300, 31}, {3, 0, 20}, {20, 513, 97}};
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        for (const auto &[rows, depth, cols] : shapes) {
            const auto A = StridedMatrix<Scalar>::random(rows, depth, generator);
            const auto B = StridedMatrix<Scalar>::random(depth, cols, generator);
            const StridedMatrix<Scalar> columns = transposed(B);
            const StridedMatrix<Scalar> C = product(kernels, A, B);
            std::vector<Scalar> packed(static_cast<std::size_t>(packedSize(depth, cols)), Scalar(7));
            StridedMatrix<Scalar> same(rows, cols);
            kernels.packPanels(B.data(), B.stride(), depth, cols, packed.data());
            kernels.multiplyPacked(A.data(), A.stride(), packed.data(), same.data(), same.stride(), rows,
                                   depth, cols, false, Scalar(1));
            QVERIFY(same.sameBits(C));
            QVERIFY(same.gapsAreUntouched());

            std::ranges::fill(packed, Scalar(7));
            kernels.packPanelsTransposed(columns.data(), columns.stride(), depth, cols, packed.data());
            StridedMatrix<Scalar> fromColumns(rows, cols);
            kernels.multiplyPacked(A.data(), A.stride(), packed.data(), fromColumns.data(),
                                   fromColumns.stride(), rows, depth, cols, false, Scalar(1));
            QVERIFY(fromColumns.sameBits(C));

            StridedMatrix<Scalar> twice = C;
            kernels.multiplyAdd(A.data(), A.stride(), B.data(), B.stride(), twice.data(), twice.stride(),
                                rows, depth, cols);
            kernels.multiplyPacked(A.data(), A.stride(), packed.data(), same.data(), same.stride(), rows,
                                   depth, cols, true, Scalar(0.3));
            kernels.scale(twice.data(), twice.stride(), rows, cols, Scalar(0.3));
            QVERIFY(same.sameBits(twice));
        }
    });
}

void TestKernelProducts::noTermsGiveZero()
{
    QFETCH(const KernelTable *, table);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        StridedMatrix<Scalar> C(3, 20);
        kernels.multiply(nullptr, 0, nullptr, 0, C.data(), C.stride(), 3, 0, 20);
        for (KernelIndex r = 0; r < 3; ++r)
            for (KernelIndex c = 0; c < 20; ++c)
                QCOMPARE(C(r, c), Scalar(0));
        kernels.multiply(nullptr, 0, nullptr, 0, C.data(), C.stride(), 0, 0, 0);
        QVERIFY(C.gapsAreUntouched());
    });
}

void TestKernelProducts::troubleGoesThrough()
{
    QFETCH(const KernelTable *, table);
    std::mt19937 generator(4);
    forBothFormats(*table, [&]<typename Scalar>(const Kernels<Scalar> &kernels) {
        auto A = StridedMatrix<Scalar>::random(10, 20, generator);
        auto B = StridedMatrix<Scalar>::random(20, 37, generator);
        A(3, 7) = std::numeric_limits<Scalar>::quiet_NaN();
        A(5, 2) = Scalar(0);
        B(2, 36) = std::numeric_limits<Scalar>::infinity();
        const StridedMatrix<Scalar> C = product(kernels, A, B);
        for (KernelIndex r = 0; r < C.rows(); ++r) {
            for (KernelIndex c = 0; c < C.cols(); ++c) {
                const bool isNan = r == 3 || (r == 5 && c == 36); // 0 * inf
                QCOMPARE(std::isnan(C(r, c)), isNan);
                QCOMPARE(std::isinf(C(r, c)), c == 36 && !isNan);
            }
        }
    });
}

/// Were the units merged by the linker, all would round alike and sum in the same lanes.
void TestKernelProducts::instructionSetsAreNotTheSameCode()
{
    std::mt19937 generator(5);
    const auto A = StridedMatrix<float>::random(64, 64, generator);
    const auto B = StridedMatrix<float>::random(64, 64, generator);
    const auto scores = StridedMatrix<float>::random(64, 256, generator);
    const StridedMatrix<float> first = product(kernelTables()[0]->f32, A, B);
    for (const KernelTable *const *table = kernelTables(); *table; ++table) {
        const bool isFirst = table == kernelTables();
        QCOMPARE(product((*table)->f32, A, B).sameBits(first), isFirst); // only the first has no multiply-add
        std::vector<RowStatistics<float>> mine(64);
        (*table)->f32.rowStatistics(scores.data(), scores.stride(), 64, 256, mine.data());
        for (const KernelTable *const *other = kernelTables(); other != table; ++other) {
            std::vector<RowStatistics<float>> others(64);
            (*other)->f32.rowStatistics(scores.data(), scores.stride(), 64, 256, others.data());
            QVERIFY(std::memcmp(mine.data(), others.data(), sizeof(RowStatistics<float>) * 64) != 0);
        }
    }
}

QTEST_APPLESS_MAIN(TestKernelProducts)
#include "tst_KernelProducts.moc"
