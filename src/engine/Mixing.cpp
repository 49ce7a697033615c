#include "engine/Mixing.h"

namespace attn {

template<typename Scalar>
Matrix<Scalar> headOutputWeight(const Matrix<Scalar> *Wo, Index concatWidth, Index head, Index width)
{
    if (Wo)
        return Wo->middleRows(head * width, width);
    Matrix<Scalar> identity = Matrix<Scalar>::Zero(width, concatWidth);
    identity.middleCols(head * width, width).setIdentity();
    return identity;
}

template Matrix<double> headOutputWeight(const Matrix<double> *, Index, Index, Index);
template Matrix<float> headOutputWeight(const Matrix<float> *, Index, Index, Index);

} // namespace attn
