#include "engine/Softmax.h"

#include <cmath>
#include <limits>

namespace attn {

namespace {

template<typename Scalar>
constexpr Scalar hiddenScore = -std::numeric_limits<Scalar>::infinity();

/// NaN when any entry is.
template<typename Scalar>
Scalar greatestOf(const Scalar *row, Index count)
{
    Scalar greatest = hiddenScore<Scalar>;
    for (Index j = 0; j < count; ++j) {
        if (std::isnan(row[j]))
            return row[j];
        if (row[j] > greatest)
            greatest = row[j];
    }
    return greatest;
}

} // namespace

template<typename Scalar>
Matrix<Scalar> softmaxRows(const Matrix<Scalar> &masked)
{
    Matrix<Scalar> A(masked.rows(), masked.cols());
    for (Index i = 0; i < masked.rows(); ++i) {
        const Scalar *scores = masked.data() + i * masked.cols();
        Scalar *weights = A.data() + i * masked.cols();
        const Scalar greatest = greatestOf(scores, masked.cols());
        if (greatest == hiddenScore<Scalar>) {
            A.row(i).setZero();
            continue;
        }
        Scalar sum = 0;
        for (Index j = 0; j < masked.cols(); ++j) {
            weights[j] = scores[j] == hiddenScore<Scalar> ? Scalar(0) : std::exp(scores[j] - greatest);
            sum += weights[j];
        }
        for (Index j = 0; j < masked.cols(); ++j)
            weights[j] /= sum;
    }
    return A;
}

template<typename Scalar>
RowVector<Scalar> fullyMaskedRows(const Matrix<Scalar> &masked)
{
    RowVector<Scalar> flags(masked.rows());
    for (Index i = 0; i < masked.rows(); ++i)
        flags(i) = greatestOf(masked.data() + i * masked.cols(), masked.cols()) == hiddenScore<Scalar>
                       ? Scalar(1)
                       : Scalar(0);
    return flags;
}

template Matrix<double> softmaxRows(const Matrix<double> &);
template Matrix<float> softmaxRows(const Matrix<float> &);
template RowVector<double> fullyMaskedRows(const Matrix<double> &);
template RowVector<float> fullyMaskedRows(const Matrix<float> &);

} // namespace attn
