#include "engine/WeightSums.h"

#include "engine/StageNumbers.h"

#include <cmath>
#include <set>

namespace attn {

namespace {

constexpr double sumSlack = 5e-4;
constexpr Index mostSummed = Index(1) << 20;

/// Rows whose weights do not all come from the softmax.
std::set<Index> rowsSetByHand(const Snapshot &snapshot, Index head)
{
    const StageState &weights = snapshot.stage(Stage::A);
    const Index rows = weights.values->rows();
    const Pins &pins = snapshot.experiment().pinsOf(Stage::A);
    std::set<Index> found;
    const bool isWhole = weights.status == StageStatus::Given || !pins.whole().isNull();
    if (isWhole && rows * weights.values->cols() <= mostSummed)
        for (Index row = 0; row < rows; ++row)
            found.insert(row);
    const auto last = pins.cells().lower_bound({head + 1, 0, 0});
    for (auto pin = pins.cells().lower_bound({head, 0, 0}); pin != last; ++pin)
        if (pin->first.row < rows)
            found.insert(pin->first.row);
    return found;
}

} // namespace

double weightSum(const StageValues &weights, Index head, Index row)
{
    double sum = 0.0;
    for (const double number : rowNumbers(weights, head, row))
        sum += number;
    return sum;
}

bool addsToOne(double sum)
{
    return std::abs(sum - 1.0) <= sumSlack;
}

std::vector<UnevenRow> unevenRows(const Snapshot &snapshot, Index head)
{
    const StageValuesPtr &weights = snapshot.stage(Stage::A).values;
    std::vector<UnevenRow> uneven;
    if (!weights || head < 0 || head >= weights->heads() || weights->cols() == 0)
        return uneven;
    for (const Index row : rowsSetByHand(snapshot, head)) {
        const double sum = weightSum(*weights, head, row);
        if (!addsToOne(sum))
            uneven.push_back({row, sum});
    }
    return uneven;
}

} // namespace attn
