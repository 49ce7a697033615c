#include "engine/heads/HeadAlone.h"

#include "engine/Evaluator.h"
#include "engine/StageSlice.h"
#include "engine/heads/HeadCut.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attn {

namespace {

/// The part of a stage that one head keeps.
struct KeptPart
{
    Index head = 0; ///< of the stage's head axis; -1 = all heads (one mask for all)
    std::optional<LineRange> rows;
    std::optional<LineRange> cols;
};

LineRange allOf(Index count)
{
    return {0, count};
}

/// Which part of a stage belongs to the head; nothing for stages that all heads share as they are.
std::optional<KeptPart> keptPart(Stage stage, const HeadCut &cut)
{
    const StageInfo &info = stageInfo(stage);
    KeptPart part;
    if (info.heads == HeadAxis::Query || info.heads == HeadAxis::Optional)
        part.head = cut.head;
    else if (info.heads == HeadAxis::KeyValue)
        part.head = cut.kvHead;
    switch (info.cols) {
    case Axis::QueryWidth:
        part.cols = cut.query;
        break;
    case Axis::KeyWidth:
        part.cols = cut.key;
        break;
    case Axis::ValueWidth:
        part.cols = cut.value;
        break;
    case Axis::ConcatWidth:
        part.cols = cut.output;
        break;
    case Axis::Head:
        part.cols = LineRange{cut.head, 1};
        break;
    default:
        break;
    }
    if (info.rows == Axis::ConcatWidth)
        part.rows = cut.output;
    const bool isShared = info.heads == HeadAxis::None && !part.rows && !part.cols;
    return isShared ? std::nullopt : std::optional(part);
}

template<typename Scalar>
std::vector<Scalar> cutNumbers(const Tensor &tensor, Index head, const LineRange &rows, const LineRange &cols)
{
    std::vector<Scalar> numbers(static_cast<std::size_t>(rows.count * cols.count));
    if (!numbers.empty())
        tensor.copyBlock(head, rows.first, cols.first, rows.count, cols.count, numbers.data(), cols.count);
    return numbers;
}

Tensor cutTensor(const Tensor &tensor, const KeptPart &part)
{
    const Index head = std::min(part.head, tensor.heads() - 1); // one mask for all heads
    const LineRange rows = part.rows.value_or(allOf(tensor.rows()));
    const LineRange cols = part.cols.value_or(allOf(tensor.cols()));
    const Shape shape{1, rows.count, cols.count};
    if (tensor.storage() == Tensor::Storage::Float32)
        return Tensor::fromFloats(shape, cutNumbers<float>(tensor, head, rows, cols));
    return Tensor::fromDoubles(shape, cutNumbers<double>(tensor, head, rows, cols));
}

std::optional<CellIndex> cutCell(const CellIndex &cell, const KeptPart &part)
{
    const auto inside = [](Index line, const std::optional<LineRange> &range) {
        return !range || (line >= range->first && line <= range->last());
    };
    if (cell.head != part.head || !inside(cell.row, part.rows) || !inside(cell.col, part.cols))
        return std::nullopt;
    return CellIndex{0, cell.row - (part.rows ? part.rows->first : 0),
                     cell.col - (part.cols ? part.cols->first : 0)};
}

/// One stage of the whole beside the same stage of the head alone.
struct ComparedPart
{
    Stage stage;
    Index head;
    Index firstCol;
};

/// What is set by hand in this head, beside the head computed without it.
std::vector<HeadByHand> setByHand(const Experiment &experiment, const HeadCut &cut, const Snapshot &alone)
{
    const double rounding = experiment.precision == Precision::Float32 ? 1e-5 : 1e-12;
    std::vector<HeadByHand> all;
    for (const auto &[stage, pins] : experiment.pins) {
        const auto part = keptPart(stage, cut);
        if (!part)
            continue;
        HeadByHand byHand;
        byHand.stage = stage;
        byHand.isComputed = alone.stage(stage).hasValues();
        for (const auto &[cell, value] : pins.all()) {
            const auto inside = cutCell(cell, *part);
            if (!inside)
                continue;
            ++byHand.cells;
            if (!byHand.isComputed)
                continue;
            const CellDifference difference{cell, value,
                                            alone.stage(stage).values->value(0, inside->row, inside->col)};
            const double gap = std::abs(difference.difference());
            if (gap <= rounding * std::max(1.0, std::abs(difference.b)))
                continue;
            if (byHand.different == 0 || gap > std::abs(byHand.farthest.difference()))
                byHand.farthest = difference;
            ++byHand.different;
        }
        if (byHand.cells > 0)
            all.push_back(byHand);
    }
    return all;
}

Error tooLong(const char *what, double milliseconds)
{
    return Error{ErrorCode::TooLarge, std::string("computing ") + what + " would take about " +
                                          std::to_string(std::lround(milliseconds / 1000.0)) +
                                          " s; it is not done here"};
}

} // namespace

Result<Experiment> headAlone(const Experiment &experiment, Index head)
{
    const Result<void> consistent = validate(experiment);
    if (!consistent)
        return consistent.error();
    if (head < 0 || head >= experiment.nHeads)
        return Error{ErrorCode::NotFound, "head " + std::to_string(head) + ": expected 0 to " +
                                              std::to_string(experiment.nHeads - 1)};
    const HeadCut cut = headCut(sizesOf(experiment), head);
    Experiment alone = experiment;
    alone.nHeads = 1;
    alone.nKvHeads = 1;
    alone.given.erase(Stage::Bo);
    alone.pins.clear();
    alone.printedFacts.clear();
    alone.labs.clear();
    alone.labRowNames.clear();
    for (auto &[stage, tensor] : alone.given)
        if (const auto part = keptPart(stage, cut))
            tensor = cutTensor(tensor, *part);
    return alone;
}

Result<HeadAloneCheck> checkHeadAlone(const SnapshotPtr &whole, Index head, std::stop_token stop)
{
    const Experiment &experiment = whole->experiment();
    Result<Experiment> small = headAlone(experiment, head);
    if (!small)
        return small.error();
    if (const double milliseconds = estimatedMs(*small); milliseconds > mostHeadAloneMs)
        return tooLong("the head alone", milliseconds);
    const HeadCut cut = headCut(whole->sizes(), head);
    HeadAloneCheck check;
    check.alone =
        Evaluator().evaluate(std::make_shared<const Experiment>(std::move(*small)), Generation{1}, stop);
    if (!check.alone)
        return check;
    check.byHand = setByHand(experiment, cut, *check.alone);
    check.whole = whole;
    if (!experiment.pins.empty()) {
        Experiment computed = experiment;
        computed.pins.clear();
        if (const double milliseconds = estimatedMs(computed); milliseconds > mostHeadAloneMs)
            return tooLong("the document without what is set by hand", milliseconds);
        check.whole = Evaluator().evaluate(std::make_shared<const Experiment>(std::move(computed)),
                                           Generation{1}, stop);
        if (!check.whole)
            return check;
    }
    const ComparedPart parts[] = {
        {Stage::Q, 0, cut.query.first},     {Stage::K, 0, cut.key.first}, {Stage::V, 0, cut.value.first},
        {Stage::Scores, head, 0},           {Stage::A, head, 0},          {Stage::HeadOut, head, 0},
        {Stage::HeadContribution, head, 0},
    };
    for (const ComparedPart &part : parts) {
        const StageState &big = check.whole->stage(part.stage);
        const StageState &alone = check.alone->stage(part.stage);
        // Without W^O the contribution of a head keeps its place among those of the others.
        const bool isComparable = part.stage != Stage::HeadContribution ||
                                  check.whole->stage(Stage::Wo).status != StageStatus::Absent;
        if (big.hasValues() && alone.hasValues() && isComparable && !stop.stop_requested())
            check.parts.push_back(compareStage(
                part.stage,
                sliceOf(big.values, part.head, 0, part.firstCol, alone.values->rows(), alone.values->cols()),
                alone.values, 1, stop));
    }
    return check;
}

} // namespace attn
