#include "engine/Rollout.h"

#include "base/Assert.h"

#include <numeric>

namespace attn {

namespace {

/// Row-major n x n.
using RolloutMatrix = std::vector<double>;

RolloutMatrix mixedLayer(const StageValues &A, double residual)
{
    const Index n = A.rows();
    RolloutMatrix mixed(static_cast<std::size_t>(n * n));
    std::vector<double> row(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) {
        double *out = mixed.data() + i * n;
        for (Index head = 0; head < A.heads(); ++head) {
            A.readBlock(head, i, 0, 1, n, row.data(), n);
            for (Index j = 0; j < n; ++j)
                out[j] += row[static_cast<std::size_t>(j)];
        }
        for (Index j = 0; j < n; ++j)
            out[j] /= static_cast<double>(A.heads());
        mixRolloutRow(std::span(out, static_cast<std::size_t>(n)), i, residual);
    }
    return mixed;
}

RolloutMatrix rolloutProduct(const RolloutMatrix &left, const RolloutMatrix &right, Index n)
{
    RolloutMatrix product(left.size());
    for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < n; ++k) {
            const double factor = left[static_cast<std::size_t>(i * n + k)];
            for (Index j = 0; j < n; ++j)
                product[static_cast<std::size_t>(i * n + j)] +=
                    factor * right[static_cast<std::size_t>(k * n + j)];
        }
    return product;
}

} // namespace

void mixRolloutRow(std::span<double> row, Index own, double residual)
{
    for (double &weight : row)
        weight *= 1.0 - residual;
    row[static_cast<std::size_t>(own)] += residual;
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (sum != 0.0)
        for (double &weight : row)
            weight /= sum;
}

std::vector<Tensor> attentionRollout(const std::vector<StageValuesPtr> &layers, double residual)
{
    std::vector<Tensor> rollouts;
    RolloutMatrix together;
    for (const StageValuesPtr &A : layers) {
        const Index n = A->rows();
        ATTN_ASSERT(A->cols() == n && A->rows() == layers.front()->rows(), "square layers of one size");
        RolloutMatrix layer = mixedLayer(*A, residual);
        together = rollouts.empty() ? std::move(layer) : rolloutProduct(layer, together, n);
        rollouts.push_back(Tensor::fromDoubles({1, n, n}, together));
    }
    return rollouts;
}

} // namespace attn
