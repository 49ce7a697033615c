#pragma once

#include "engine/kernels/KernelTable.h"

#include <QString>
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace attn::test {

using KernelIndex = std::ptrdiff_t;

template<typename Scalar>
constexpr Scalar minusInfinity = -std::numeric_limits<Scalar>::infinity();

/// A matrix whose rows are further apart than they are long; what lies between must never change.
template<typename Scalar>
class StridedMatrix
{
public:
    StridedMatrix(KernelIndex rows, KernelIndex cols, KernelIndex gap = 3)
        : m_rows(rows)
        , m_cols(cols)
        , m_stride(cols + gap)
        , m_numbers(static_cast<std::size_t>(rows * m_stride), gapNumber)
    {
    }

    KernelIndex rows() const { return m_rows; }
    KernelIndex cols() const { return m_cols; }
    KernelIndex stride() const { return m_stride; }
    Scalar *row(KernelIndex index) { return m_numbers.data() + index * m_stride; }
    const Scalar *row(KernelIndex index) const { return m_numbers.data() + index * m_stride; }
    Scalar *data() { return m_numbers.data(); }
    const Scalar *data() const { return m_numbers.data(); }
    Scalar &operator()(KernelIndex r, KernelIndex c) { return row(r)[c]; }
    Scalar operator()(KernelIndex r, KernelIndex c) const { return row(r)[c]; }

    bool gapsAreUntouched() const
    {
        for (KernelIndex r = 0; r < m_rows; ++r)
            for (KernelIndex c = m_cols; c < m_stride; ++c)
                if (row(r)[c] != gapNumber)
                    return false;
        return true;
    }

    bool sameBits(const StridedMatrix &other) const
    {
        for (KernelIndex r = 0; r < m_rows; ++r)
            if (std::memcmp(row(r), other.row(r), static_cast<std::size_t>(m_cols) * sizeof(Scalar)) != 0)
                return false;
        return m_rows == other.m_rows && m_cols == other.m_cols;
    }

    static StridedMatrix random(KernelIndex rows, KernelIndex cols, std::mt19937 &generator,
                                double spread = 1.0)
    {
        std::normal_distribution<double> numbers(0.0, spread);
        StridedMatrix matrix(rows, cols);
        for (KernelIndex r = 0; r < rows; ++r)
            for (KernelIndex c = 0; c < cols; ++c)
                matrix(r, c) = static_cast<Scalar>(numbers(generator));
        return matrix;
    }

private:
    static constexpr Scalar gapNumber = Scalar(-77);

    KernelIndex m_rows;
    KernelIndex m_cols;
    KernelIndex m_stride;
    std::vector<Scalar> m_numbers;
};

/// One row for each table this processor can run: column "table".
inline void addKernelTables()
{
    QTest::addColumn<const KernelTable *>("table");
    for (const KernelTable *const *table = kernelTables(); *table; ++table)
        QTest::newRow((*table)->isa) << *table;
}

/// Calls check.operator()<Scalar>(kernels) for both number formats.
template<typename Check>
void forBothFormats(const KernelTable &table, Check check)
{
    check(table.f64);
    if (!QTest::currentTestFailed())
        check(table.f32);
}

/// Half a unit in the last place, relative.
template<typename Scalar>
constexpr double roundingError = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2.0;

} // namespace attn::test

Q_DECLARE_METATYPE(const attn::KernelTable *)
