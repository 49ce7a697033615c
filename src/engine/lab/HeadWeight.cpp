#include "engine/lab/HeadWeight.h"

#include <algorithm>

namespace attn {

namespace {

constexpr Index mostWeightNumbers = 1 << 20;

Error lacking(Stage stage)
{
    return {ErrorCode::NotFound, std::string(stageName(stage)) + " has no values"};
}

} // namespace

Result<HeadWeight> headWeight(const Snapshot &snapshot, Stage weight, Index head)
{
    const Sizes &sizes = snapshot.sizes();
    HeadWeight found;
    found.weight = weight;
    const bool isOutput = weight == Stage::Wo;
    if (!isOutput && weight != Stage::Wq && weight != Stage::Wk && weight != Stage::Wv)
        return Error{ErrorCode::BadInput,
                     std::string(stageName(weight)) + ": expected one of Wq, Wk, Wv, Wo"};
    const bool readsKeys = weight == Stage::Wk || weight == Stage::Wv;
    found.input = isOutput                                              ? Stage::HeadOut
                  : readsKeys && snapshot.stage(Stage::Xkv).hasValues() ? Stage::Xkv
                                                                        : Stage::X;
    found.inputHead = isOutput ? head : 0;
    if (!snapshot.stage(weight).hasValues())
        return lacking(weight);
    if (!snapshot.stage(found.input).hasValues())
        return lacking(found.input);
    const StageValues &values = *snapshot.stage(weight).values;
    const Index part = readsKeys ? head / std::max<Index>(1, sizes.nHeads / sizes.nKvHeads) : head;
    const Index side = weight == Stage::Wq || weight == Stage::Wk ? sizes.dHeadK : sizes.dHeadV;
    found.firstRow = isOutput ? part * side : 0;
    found.firstCol = isOutput ? 0 : part * side;
    const Index rows = isOutput ? side : values.rows();
    const Index cols = isOutput ? values.cols() : side;
    if (rows < 2 || cols < 2 || rows * cols > mostWeightNumbers)
        return Error{ErrorCode::ShapeMismatch, std::string(stageName(weight)) +
                                                   ": expected sides of at least 2 for one head, found " +
                                                   shapeText({1, rows, cols})};
    found.matrix = SmallMatrix::zeros(rows, cols);
    values.readBlock(0, found.firstRow, found.firstCol, rows, cols, found.matrix.data.data(), cols);
    Result<SingularDirections> directions = singularDirections(found.matrix);
    if (!directions)
        return directions.error();
    found.directions = std::move(*directions);
    return found;
}

SmallMatrix inputRows(const Snapshot &snapshot, const HeadWeight &weight, Index first, Index count)
{
    const StageValues &values = *snapshot.stage(weight.input).values;
    SmallMatrix rows = SmallMatrix::zeros(count, values.cols());
    values.readBlock(weight.inputHead, first, 0, count, values.cols(), rows.data.data(), values.cols());
    return rows;
}

} // namespace attn
