#include "engine/Footprints.h"
#include "engine/Mixing.h"
#include "engine/StageNumbers.h"

#include <cmath>

namespace attn {

namespace {

/// Norms of the columns of one head of A: [1, n_k].
RowVector<double> columnNorms(const StageValues &weights, Index head, const std::stop_token &stop)
{
    RowVector<double> squares = RowVector<double>::Zero(weights.cols());
    readBands(weights, head, 0, weights.cols(), stop,
              [&](Index, const MatrixRef<double> &band) { squares += band.cwiseAbs2().colwise().sum(); });
    return squares.cwiseSqrt();
}

/// Norms of v_t, or of v_t times the head's rows of W^O, for every key token: [1, n_k].
RowVector<double> valueNorms(const Snapshot &snapshot, Index head, bool mapped)
{
    const Sizes &sizes = snapshot.sizes();
    const Matrix<double> values =
        numbersOf(*snapshot.stage(Stage::Vh).values, kvHeadOf(head, sizes.nHeads, sizes.nKvHeads));
    const StageValuesPtr output = mapped ? snapshot.stage(Stage::Wo).values : nullptr;
    if (!output)
        return values.rowwise().norm();
    const Index width = values.cols();
    Matrix<double> weight(width, output->cols());
    output->readBlock(0, head * width, 0, width, output->cols(), weight.data(), output->cols());
    return (values * weight).rowwise().norm();
}

} // namespace

std::vector<double> footprintNorms(const Snapshot &snapshot, FootprintTarget target, Index head,
                                   const std::stop_token &stop)
{
    const StageValues &weights = *snapshot.stage(Stage::A).values;
    const bool all = target == FootprintTarget::Token;
    RowVector<double> norms = RowVector<double>::Zero(weights.cols());
    for (Index i = all ? 0 : head; i < (all ? weights.heads() : head + 1); ++i)
        norms += columnNorms(weights, i, stop)
                     .cwiseProduct(valueNorms(snapshot, i, target != FootprintTarget::Head));
    return {norms.begin(), norms.end()};
}

} // namespace attn
