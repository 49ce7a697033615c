#include "engine/Experiment.h"

#include "engine/EvaluationPlan.h"
#include "engine/lab/StandardLabs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace attn {

namespace {

bool sameNumber(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool sameOptionalNumber(const std::optional<double> &a, const std::optional<double> &b)
{
    return a.has_value() == b.has_value() && (!a || sameNumber(*a, *b));
}

bool sameRotary(const std::optional<Rotary> &a, const std::optional<Rotary> &b)
{
    if (a.has_value() != b.has_value())
        return false;
    return !a || (a->pairing == b->pairing && a->rotDim == b->rotDim && sameNumber(a->base, b->base));
}

bool sameGiven(const Experiment &a, const Experiment &b)
{
    return std::all_of(stageTable().begin(), stageTable().end(), [&](const StageInfo &info) {
        const Tensor &left = a.matrix(info.stage);
        const Tensor &right = b.matrix(info.stage);
        return left.storage() == right.storage() && left.sameBits(right);
    });
}

bool samePins(const Experiment &a, const Experiment &b)
{
    return std::all_of(stageTable().begin(), stageTable().end(), [&](const StageInfo &info) {
        return a.pinsOf(info.stage).sameBits(b.pinsOf(info.stage));
    });
}

bool sameLabs(const Experiment &a, const Experiment &b)
{
    return a.labRowNames == b.labRowNames &&
           std::equal(a.labs.begin(), a.labs.end(), b.labs.begin(), b.labs.end(),
                      [](const auto &left, const auto &right) {
                          return left.first == right.first &&
                                 left.second.storage() == right.second.storage() &&
                                 left.second.sameBits(right.second);
                      });
}

bool samePrintedFacts(const std::vector<PrintedFact> &a, const std::vector<PrintedFact> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const PrintedFact &left, const PrintedFact &right) {
                          return left.name == right.name && left.decimals == right.decimals &&
                                 left.source == right.source &&
                                 std::equal(left.values.begin(), left.values.end(), right.values.begin(),
                                            right.values.end(), sameNumber);
                      });
}

/// Columns per head; nothing when they do not divide.
std::optional<Index> widthPerHead(const Tensor &matrix, Index heads)
{
    if (matrix.isNull() || heads < 1 || matrix.cols() % heads != 0)
        return std::nullopt;
    return matrix.cols() / heads;
}

std::optional<Index> columns(const Tensor &matrix)
{
    if (matrix.isNull())
        return std::nullopt;
    return matrix.cols();
}

std::optional<Index> rowsPerHead(const Tensor &matrix, Index heads)
{
    if (matrix.isNull() || heads < 1 || matrix.rows() % heads != 0)
        return std::nullopt;
    return matrix.rows() / heads;
}

Index firstKnown(std::initializer_list<std::optional<Index>> candidates)
{
    for (const std::optional<Index> &candidate : candidates)
        if (candidate)
            return *candidate;
    return 0;
}

/// A given matrix, or one whose pins set the whole stage.
const Tensor &fixedMatrix(const Experiment &experiment, Stage stage)
{
    const Tensor &given = experiment.matrix(stage);
    return given.isNull() ? experiment.pinsOf(stage).whole() : given;
}

} // namespace

const Tensor &Experiment::matrix(Stage stage) const
{
    static const Tensor nothing;
    const auto found = given.find(stage);
    return found == given.end() ? nothing : found->second;
}

const Tensor &Experiment::lab(const std::string &name) const
{
    const auto found = labs.find(name);
    return found == labs.end() ? standardLabMatrix(name) : found->second;
}

std::string Experiment::labRowName(const std::string &name, Index row) const
{
    const auto found = labRowNames.find(name);
    return found == labRowNames.end() || row >= static_cast<Index>(found->second.size())
               ? std::string()
               : found->second[static_cast<std::size_t>(row)];
}

const Pins &Experiment::pinsOf(Stage stage) const
{
    static const Pins none;
    const auto found = pins.find(stage);
    return found == pins.end() ? none : found->second;
}

Index Sizes::length(Axis axis) const
{
    switch (axis) {
    case Axis::One:
        return 1;
    case Axis::Query:
        return nQ;
    case Axis::Key:
        return nK;
    case Axis::Model:
        return dModel;
    case Axis::ModelKv:
        return dModelKv;
    case Axis::QueryWidth:
        return nHeads * dHeadK;
    case Axis::KeyWidth:
        return nKvHeads * dHeadK;
    case Axis::ValueWidth:
        return nKvHeads * dHeadV;
    case Axis::HeadKey:
        return dHeadK;
    case Axis::HeadValue:
        return dHeadV;
    case Axis::ConcatWidth:
        return nHeads * dHeadV;
    case Axis::OutputWidth:
        return dOut;
    case Axis::Head:
        return nHeads;
    }
    return 0;
}

Sizes sizesOf(const Experiment &experiment)
{
    const auto fixed = [&](Stage stage) -> const Tensor & {
        return fixedMatrix(experiment, stage);
    };
    Sizes sizes;
    sizes.nQ = experiment.tokens.size();
    sizes.nK = experiment.keyTokens().size();
    sizes.nHeads = experiment.nHeads;
    sizes.nKvHeads = experiment.nKvHeads;
    const Index h = experiment.nHeads;
    const Index hKv = experiment.nKvHeads;

    const auto rowsOf = [&](Stage stage) {
        const Tensor &matrix = experiment.matrix(stage);
        return matrix.isNull() ? std::nullopt : std::optional<Index>(matrix.rows());
    };
    sizes.dModel = firstKnown({columns(experiment.matrix(Stage::X)), rowsOf(Stage::Wq)});
    sizes.dModelKv = firstKnown({columns(experiment.matrix(Stage::Xkv)), columns(experiment.matrix(Stage::X)),
                                 rowsOf(Stage::Wk), rowsOf(Stage::Wv)});
    sizes.dHeadK = firstKnown(
        {widthPerHead(experiment.matrix(Stage::Q), h), widthPerHead(experiment.matrix(Stage::Wq), h),
         columns(fixed(Stage::Qr)), widthPerHead(fixed(Stage::Q), h),
         widthPerHead(experiment.matrix(Stage::K), hKv), widthPerHead(experiment.matrix(Stage::Wk), hKv),
         columns(fixed(Stage::Kr)), widthPerHead(fixed(Stage::K), hKv), experiment.statedDHeadK});
    sizes.dHeadV =
        firstKnown({widthPerHead(experiment.matrix(Stage::V), hKv),
                    widthPerHead(experiment.matrix(Stage::Wv), hKv), widthPerHead(fixed(Stage::V), hKv),
                    columns(fixed(Stage::HeadOut)), widthPerHead(fixed(Stage::Concat), h),
                    rowsPerHead(experiment.matrix(Stage::Wo), h), experiment.statedDHeadV});
    sizes.dOut = firstKnown({columns(experiment.matrix(Stage::Output)), columns(experiment.matrix(Stage::Wo)),
                             std::max<Index>(0, h) * sizes.dHeadV});
    if (experiment.scale)
        sizes.scale = *experiment.scale;
    else if (sizes.dHeadK > 0)
        sizes.scale = 1.0 / std::sqrt(static_cast<double>(sizes.dHeadK));
    return sizes;
}

Shape expectedShape(const Experiment &experiment, Stage stage)
{
    const StageInfo &info = stageInfo(stage);
    const Sizes sizes = sizesOf(experiment);
    Shape shape{1, sizes.length(info.rows), sizes.length(info.cols)};
    if (info.heads == HeadAxis::Query)
        shape.heads = sizes.nHeads;
    else if (info.heads == HeadAxis::KeyValue)
        shape.heads = sizes.nKvHeads;
    else if (info.heads == HeadAxis::Optional && experiment.isGiven(stage))
        shape.heads = experiment.matrix(stage).heads();
    return shape;
}

Result<void> validate(const Experiment &experiment)
{
    const EvaluationPlan plan = planEvaluation(experiment);
    if (!plan.problem.empty())
        return Error{ErrorCode::ShapeMismatch, plan.problem};
    return {};
}

Tensor defaultAlibiSlopes(Index nHeads)
{
    ATTN_ASSERT(nHeads >= 1, "at least one head");
    Index below = 1;
    while (below * 2 <= nHeads)
        below *= 2;
    std::vector<double> slopes;
    for (Index i = 1; i <= below; ++i)
        slopes.push_back(std::exp2(-8.0 * static_cast<double>(i) / static_cast<double>(below)));
    for (Index i = 1; static_cast<Index>(slopes.size()) < nHeads; i += 2)
        slopes.push_back(std::exp2(-8.0 * static_cast<double>(i) / static_cast<double>(2 * below)));
    return Tensor::fromDoubles({1, 1, nHeads}, slopes);
}

bool sameContent(const Experiment &a, const Experiment &b)
{
    return a.tokens == b.tokens && a.tokensKv == b.tokensKv && a.nHeads == b.nHeads &&
           a.nKvHeads == b.nKvHeads && a.statedDHeadK == b.statedDHeadK && a.statedDHeadV == b.statedDHeadV &&
           sameOptionalNumber(a.scale, b.scale) && a.qOffset == b.qOffset && sameRotary(a.rotary, b.rotary) &&
           a.causal == b.causal && a.window == b.window && a.precision == b.precision &&
           a.decimals == b.decimals && a.notes == b.notes &&
           samePrintedFacts(a.printedFacts, b.printedFacts) && sameLabs(a, b) && sameGiven(a, b) &&
           samePins(a, b);
}

} // namespace attn
