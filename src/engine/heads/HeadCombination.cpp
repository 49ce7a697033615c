#include "engine/heads/HeadCombination.h"

#include "engine/Comparison.h"
#include "engine/heads/ValuesOnRead.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

void takeInto(double &total, double value, HeadMix mix)
{
    if (mix != HeadMix::Max)
        total += value;
    else if (std::isnan(value) || value > total)
        total = value;
}

/// Rule for a matrix made of some heads of a stage.
ReadRule overHeads(const StageValuesPtr &values, std::vector<Index> heads, HeadMix mix)
{
    ReadRule rule;
    rule.shape = {1, values->rows(), values->cols()};
    rule.isSinglePrecision = values->isSinglePrecision();
    rule.read = [values, heads, mix](Index, Index row, Index col, Index rowCount, Index colCount, double *out,
                                     Index stride) {
        std::vector<double> block(static_cast<std::size_t>(rowCount * colCount), 0.0);
        for (Index r = 0; r < rowCount; ++r)
            std::fill_n(out + r * stride, colCount, 0.0);
        for (std::size_t h = 0; h < heads.size(); ++h) {
            values->readBlock(heads[h], row, col, rowCount, colCount, block.data(), colCount);
            for (Index r = 0; r < rowCount; ++r)
                for (Index c = 0; c < colCount; ++c) {
                    const double value = block[static_cast<std::size_t>(r * colCount + c)];
                    double &total = out[r * stride + c];
                    if (h == 0)
                        total = value;
                    else
                        takeInto(total, value, mix);
                }
        }
        if (mix == HeadMix::Mean && !heads.empty())
            for (Index r = 0; r < rowCount; ++r)
                for (Index c = 0; c < colCount; ++c)
                    out[r * stride + c] /= static_cast<double>(heads.size());
    };
    rule.status = [values, heads](Index, Index row, Index col, Index rowCount, Index colCount) {
        const bool isExact = std::all_of(heads.begin(), heads.end(), [&](Index head) {
            return values->blockStatus(head, row, col, rowCount, colCount) == BlockStatus::Exact;
        });
        return isExact ? BlockStatus::Exact : BlockStatus::Updating;
    };
    return rule;
}

void addSquares(double &sum, const std::vector<double> &line)
{
    for (const double value : line)
        sum += value * value;
}

/// Norms and gap in one pass over the rows.
void measure(HeadSum &sum, const Snapshot &snapshot, const StageValues &output, const StageValues &all,
             std::stop_token stop)
{
    const Index cols = output.cols();
    const StageValuesPtr &bias = snapshot.stage(Stage::Bo).values;
    std::vector<double> offset(static_cast<std::size_t>(cols), 0.0);
    if (bias)
        bias->readBlock(0, 0, 0, 1, cols, offset.data(), cols);
    std::vector<double> chosen(offset.size());
    std::vector<double> whole(offset.size());
    std::vector<double> heads(offset.size());
    for (Index row = 0; row < output.rows() && !stop.stop_requested(); ++row) {
        sum.chosen->readBlock(0, row, 0, 1, cols, chosen.data(), cols);
        output.readBlock(0, row, 0, 1, cols, whole.data(), cols);
        all.readBlock(0, row, 0, 1, cols, heads.data(), cols);
        addSquares(sum.chosenNorm, chosen);
        addSquares(sum.outputNorm, whole);
        for (std::size_t c = 0; c < whole.size(); ++c) {
            const double rest = whole[c] - chosen[c];
            sum.restNorm += rest * rest;
            const double gap = std::abs(whole[c] - offset[c] - heads[c]);
            sum.gap = std::isnan(gap) || gap > sum.gap ? gap : sum.gap;
        }
    }
    for (double *norm : {&sum.chosenNorm, &sum.restNorm, &sum.outputNorm})
        *norm = std::sqrt(*norm);
}

} // namespace

StageValuesPtr mixedWeights(const SnapshotPtr &snapshot, const std::vector<Index> &heads, HeadMix mix)
{
    return valuesOnRead(overHeads(snapshot->stage(Stage::A).values, heads, mix));
}

StageValuesPtr allowedInSome(const SnapshotPtr &snapshot, const std::vector<Index> &heads)
{
    const StageValuesPtr &allowed = snapshot->stage(Stage::Allowed).values;
    const bool isShared = allowed->heads() == 1;
    return valuesOnRead(overHeads(allowed, isShared ? std::vector<Index>{0} : heads, HeadMix::Max));
}

Result<HeadSum> headSum(const SnapshotPtr &snapshot, const std::vector<Index> &heads, std::stop_token stop)
{
    const StageState &contribution = snapshot->stage(Stage::HeadContribution);
    const StageState &output = snapshot->stage(Stage::Output);
    for (const StageState *state : {&contribution, &output})
        if (!state->hasValues())
            return Error{ErrorCode::NotFound,
                         state->reason.empty() ? "there is no output here" : state->reason};
    const Shape shape = contribution.values->shape();
    if (shape.rows != output.values->rows() || shape.cols != output.values->cols())
        return Error{ErrorCode::ShapeMismatch, "the output does not fit the heads"};
    HeadSum sum;
    sum.chosen = valuesOnRead(overHeads(contribution.values, heads, HeadMix::Sum));
    sum.rest = differenceOf(output.values, sum.chosen);
    std::vector<Index> everyHead;
    for (Index head = 0; head < shape.heads; ++head)
        everyHead.push_back(head);
    const StageValuesPtr all = valuesOnRead(overHeads(contribution.values, everyHead, HeadMix::Sum));
    measure(sum, *snapshot, *output.values, *all, stop);
    return sum;
}

} // namespace attn
