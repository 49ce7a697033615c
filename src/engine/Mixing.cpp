#include "engine/Mixing.h"

#include "engine/Projection.h"

namespace attn {

template<typename Scalar>
Matrix<Scalar> rawScores(const Matrix<Scalar> &Q, const Matrix<Scalar> &K)
{
    Matrix<Scalar> scores(Q.rows(), K.rows());
    scores.noalias() = Q * K.transpose();
    return scores;
}

template<typename Scalar>
Matrix<Scalar> mixValues(const Matrix<Scalar> &A, const Matrix<Scalar> &V)
{
    Matrix<Scalar> mixed(A.rows(), V.cols());
    mixed.noalias() = A * V;
    return mixed;
}

template<typename Scalar>
Matrix<Scalar> concatHeads(const StageBlocks<Scalar> &heads)
{
    const Shape &shape = heads.shape;
    Matrix<Scalar> concat(shape.rows, shape.heads * shape.cols);
    for (Index head = 0; head < shape.heads; ++head)
        concat.middleCols(head * shape.cols, shape.cols) = heads.head(head);
    return concat;
}

template<typename Scalar>
Matrix<Scalar> headContribution(const Matrix<Scalar> &concat, const Matrix<Scalar> *Wo, Index nHeads,
                                Index head)
{
    const Index width = concat.cols() / nHeads;
    const Matrix<Scalar> part = headColumns(concat, nHeads, head);
    if (!Wo && part.allFinite()) {
        // The product with the identity, without its n_q * width * concatWidth multiplications.
        Matrix<Scalar> placed = Matrix<Scalar>::Zero(concat.rows(), concat.cols());
        placed.middleCols(head * width, width) = part;
        return placed;
    }
    const Matrix<Scalar> block = headOutputWeight(Wo, nHeads * width, head, width);
    Matrix<Scalar> contribution(concat.rows(), block.cols());
    contribution.noalias() = part * block;
    return contribution;
}

template<typename Scalar>
Matrix<Scalar> headOutputWeight(const Matrix<Scalar> *Wo, Index concatWidth, Index head, Index width)
{
    if (Wo)
        return Wo->middleRows(head * width, width);
    Matrix<Scalar> identity = Matrix<Scalar>::Zero(width, concatWidth);
    identity.middleCols(head * width, width).setIdentity();
    return identity;
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template Matrix<Scalar> rawScores(const Matrix<Scalar> &, const Matrix<Scalar> &);                       \
    template Matrix<Scalar> mixValues(const Matrix<Scalar> &, const Matrix<Scalar> &);                       \
    template Matrix<Scalar> concatHeads(const StageBlocks<Scalar> &);                                        \
    template Matrix<Scalar> headContribution(const Matrix<Scalar> &, const Matrix<Scalar> *, Index, Index);  \
    template Matrix<Scalar> headOutputWeight(const Matrix<Scalar> *, Index, Index, Index);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
