#include "engine/Projection.h"

namespace attn {

template<typename Scalar>
Matrix<Scalar> project(const Matrix<Scalar> &X, const Matrix<Scalar> &W, const Matrix<Scalar> *bias)
{
    Matrix<Scalar> projected(X.rows(), W.cols());
    projected.noalias() = X * W;
    if (bias)
        projected.rowwise() += bias->row(0);
    return projected;
}

template<typename Scalar>
Matrix<Scalar> headColumns(const Matrix<Scalar> &whole, Index heads, Index head)
{
    const Index width = whole.cols() / heads;
    return whole.middleCols(head * width, width);
}

template Matrix<double> project(const Matrix<double> &, const Matrix<double> &, const Matrix<double> *);
template Matrix<float> project(const Matrix<float> &, const Matrix<float> &, const Matrix<float> *);
template Matrix<double> headColumns(const Matrix<double> &, Index, Index);
template Matrix<float> headColumns(const Matrix<float> &, Index, Index);

} // namespace attn
