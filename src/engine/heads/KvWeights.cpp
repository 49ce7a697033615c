#include "engine/heads/KvWeights.h"

namespace attn {

namespace {

/// matrix [rows, oldHeads * oldWidth] as [rows, newHeads * newWidth].
Tensor regrouped(const Tensor &matrix, Index oldHeads, Index newHeads, Index newWidth)
{
    const Index oldWidth = matrix.cols() / oldHeads;
    const bool merges = oldWidth == newWidth && oldHeads % newHeads == 0;
    const bool copies = oldWidth == newWidth && newHeads % oldHeads == 0;
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(matrix.rows() * newHeads * newWidth));
    for (Index row = 0; row < matrix.rows(); ++row) {
        for (Index head = 0; head < newHeads; ++head) {
            for (Index col = 0; col < newWidth; ++col) {
                double number = 0.0;
                if (merges) {
                    const Index group = oldHeads / newHeads;
                    for (Index member = 0; member < group; ++member)
                        number += matrix.at(row, (head * group + member) * oldWidth + col);
                    number /= static_cast<double>(group);
                } else if (copies) {
                    number = matrix.at(row, head / (newHeads / oldHeads) * oldWidth + col);
                } else {
                    number = matrix.at(row, (head * newWidth + col) % matrix.cols());
                }
                numbers.push_back(number);
            }
        }
    }
    return Tensor::fromDoubles({1, matrix.rows(), newHeads * newWidth}, numbers);
}

} // namespace

std::map<Stage, Tensor> kvWeightsFor(const Experiment &experiment, Index nHeads, Index nKvHeads)
{
    std::map<Stage, Tensor> matrices;
    const Tensor &Wq = experiment.matrix(Stage::Wq);
    const Tensor &Wk = experiment.matrix(Stage::Wk);
    const Tensor &Wv = experiment.matrix(Stage::Wv);
    if (Wq.isNull() || Wk.isNull() || Wv.isNull() || nHeads < 1 || nKvHeads < 1 || Wq.cols() % nHeads != 0)
        return matrices;
    const Index dHeadK = Wq.cols() / nHeads;
    // The rows of W^O fix d_v; without W^O the heads keep the width they have.
    const Tensor &Wo = experiment.matrix(Stage::Wo);
    const Index concatWidth = Wo.isNull() ? Wv.cols() / experiment.nKvHeads * experiment.nHeads : Wo.rows();
    if (concatWidth % nHeads != 0)
        return matrices;
    const Index dHeadV = concatWidth / nHeads;
    const auto regroup = [&](Stage stage, Index width) {
        const Tensor &matrix = experiment.matrix(stage);
        if (!matrix.isNull() && matrix.cols() != nKvHeads * width)
            matrices[stage] = regrouped(matrix, experiment.nKvHeads, nKvHeads, width);
    };
    regroup(Stage::Wk, dHeadK);
    regroup(Stage::Bk, dHeadK);
    regroup(Stage::Wv, dHeadV);
    regroup(Stage::Bv, dHeadV);
    return matrices;
}

} // namespace attn
