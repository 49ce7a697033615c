#include "engine/EvaluationPlan.h"

#include "engine/Rotation.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace attn {

namespace {

std::string counted(Index count, const std::string &noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string describe(const std::string &name, const Shape &shape)
{
    return name + " is " + shapeText(shape);
}

/// "X", "X and Wq", "X, Wk and K".
std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

/// Follows the pipeline once, shapes only.
class Planner
{
public:
    explicit Planner(const Experiment &experiment)
        : m_experiment(experiment)
        , m_sizes(sizesOf(experiment))
    {
    }

    EvaluationPlan run()
    {
        m_headProblem = headProblem();
        if (!m_headProblem.empty())
            noteProblem(m_headProblem);
        for (const StageInfo &info : stageTable())
            if (m_experiment.isGiven(info.stage))
                planGiven(info.stage);
        planProjection(Stage::Q, Stage::X, Stage::Wq, Stage::Bq);
        const Stage keySource = m_experiment.isGiven(Stage::Xkv) ? Stage::Xkv : Stage::X;
        planProjection(Stage::K, keySource, Stage::Wk, Stage::Bk);
        planProjection(Stage::V, keySource, Stage::Wv, Stage::Bv);
        planSplit(Stage::Qh, Stage::Q, m_sizes.nHeads);
        planSplit(Stage::Kh, Stage::K, m_sizes.nKvHeads);
        planSplit(Stage::Vh, Stage::V, m_sizes.nKvHeads);
        planRotated(Stage::Qr, Stage::Qh);
        planRotated(Stage::Kr, Stage::Kh);
        planScores();
        planCopyOf(Stage::Scaled, Stage::Scores);
        planMask();
        planSoftmax();
        planOutput();
        nameLaterStart();
        return std::move(m_plan);
    }

private:
    StagePlan &entry(Stage stage) { return m_plan.stages[static_cast<std::size_t>(stage)]; }
    bool isPlanned(Stage stage) { return entry(stage).status == StageStatus::Given; }

    void noteProblem(const std::string &problem)
    {
        if (m_plan.problem.empty())
            m_plan.problem = problem;
    }

    std::string headProblem() const
    {
        if (m_sizes.nHeads < 1)
            return counted(m_sizes.nHeads, "head") + ": at least one is needed";
        if (m_sizes.nKvHeads < 1)
            return counted(m_sizes.nKvHeads, "KV head") + ": at least one is needed";
        if (m_sizes.nHeads % m_sizes.nKvHeads != 0)
            return counted(m_sizes.nHeads, "head") + " cannot share " + counted(m_sizes.nKvHeads, "KV head") +
                   " evenly";
        return {};
    }

    /// Where a matrix contradicts the tokens or the heads; empty when it fits.
    std::string misfit(Stage stage, const Shape &shape, const std::string &name) const
    {
        const StageInfo &info = stageInfo(stage);
        if (info.heads == HeadAxis::None && shape.heads != 1)
            return describe(name, shape) + ", but it has no heads";
        const Index heads = info.heads == HeadAxis::KeyValue ? m_sizes.nKvHeads : m_sizes.nHeads;
        const bool mayBeShared = info.heads == HeadAxis::Optional && shape.heads == 1;
        if (info.heads != HeadAxis::None && !mayBeShared && shape.heads != heads)
            return describe(name, shape) + ", but there " + (heads == 1 ? "is " : "are ") +
                   counted(heads, info.heads == HeadAxis::KeyValue ? "KV head" : "head") + ": " +
                   std::to_string(shape.heads) + " against " + std::to_string(heads);
        for (const bool isRow : {true, false}) {
            const Axis axis = isRow ? info.rows : info.cols;
            const Index found = isRow ? shape.rows : shape.cols;
            if (axis != Axis::Query && axis != Axis::Key && axis != Axis::One && axis != Axis::Head)
                continue;
            const Index wanted = m_sizes.length(axis);
            if (found == wanted)
                continue;
            const std::string side = counted(found, isRow ? "row" : "column");
            if (axis == Axis::One)
                return describe(name, shape) + ": " + side + ", expected 1";
            const std::string noun = axis == Axis::Head    ? "head"
                                     : axis == Axis::Query ? "token"
                                                           : "key token";
            return describe(name, shape) + ", but there " + (wanted == 1 ? "is " : "are ") +
                   counted(wanted, noun) + ": " + side + " against " + counted(wanted, noun);
        }
        return {};
    }

    /// Pins that lie outside of the stage; empty when they fit.
    std::string pinMisfit(Stage stage, const Shape &shape) const
    {
        const Pins &pins = m_experiment.pinsOf(stage);
        const std::string name = stageName(stage);
        if (!pins.whole().isNull() && !(pins.whole().shape() == shape))
            return describe(name, shape) + ", but its pins are " + shapeText(pins.whole().shape());
        for (const auto &[cell, value] : pins.cells())
            if (cell.head < 0 || cell.head >= shape.heads || cell.row < 0 || cell.row >= shape.rows ||
                cell.col < 0 || cell.col >= shape.cols)
                return describe(name, shape) + ", but a pin lies at [" + std::to_string(cell.head) + ", " +
                       std::to_string(cell.row) + ", " + std::to_string(cell.col) + "]";
        return {};
    }

    void planGiven(Stage stage)
    {
        StagePlan &plan = entry(stage);
        plan.status = StageStatus::Given;
        plan.shape = m_experiment.matrix(stage).shape();
        plan.reason = misfit(stage, plan.shape, stageName(stage));
        if (plan.reason.empty())
            plan.reason = pinMisfit(stage, plan.shape);
        plan.cause = plan.reason;
        plan.usable = plan.reason.empty();
        if (!plan.usable)
            noteProblem(plan.reason);
    }

    void computed(Stage stage, const Shape &shape)
    {
        const std::string misfitting = pinMisfit(stage, shape);
        if (!misfitting.empty()) {
            contradiction(stage, misfitting);
            return;
        }
        StagePlan &plan = entry(stage);
        plan.status = StageStatus::Computed;
        plan.shape = shape;
        plan.usable = true;
    }

    void unavailable(Stage stage, const std::string &reason, const std::string &cause)
    {
        const Tensor &whole = m_experiment.pinsOf(stage).whole();
        StagePlan &plan = entry(stage);
        if (!whole.isNull() && m_experiment.pinsOf(stage).coversAll(whole.shape()) &&
            misfit(stage, whole.shape(), stageName(stage)).empty() &&
            pinMisfit(stage, whole.shape()).empty()) {
            plan.status = StageStatus::Computed;
            plan.shape = whole.shape();
            plan.usable = true;
            plan.fromPinsOnly = true;
            return;
        }
        plan.status = StageStatus::NotAvailable;
        plan.reason = reason;
        plan.cause = cause;
    }

    void contradiction(Stage stage, const std::string &problem)
    {
        noteProblem(problem);
        unavailable(stage, problem, problem);
    }

    /// False, with the stage marked, when one of these cannot be used.
    bool require(Stage stage, std::initializer_list<Stage> inputs)
    {
        std::vector<std::string> missing;
        for (const Stage input : inputs)
            if (entry(input).status == StageStatus::Absent)
                missing.emplace_back(stageName(input));
        if (!missing.empty()) {
            const std::string cause =
                listed(missing) + (missing.size() == 1 ? " is missing" : " are missing");
            unavailable(stage, cause + ", so " + stageName(stage) + " cannot be computed", cause);
            return false;
        }
        for (const Stage input : inputs) {
            const StagePlan &plan = entry(input);
            if (plan.usable)
                continue;
            unavailable(stage,
                        std::string(stageName(stage)) + " needs " + stageName(input) + ": " + plan.cause,
                        plan.cause);
            return false;
        }
        return true;
    }

    bool requireHeads(Stage stage)
    {
        if (m_headProblem.empty())
            return true;
        unavailable(stage, m_headProblem, m_headProblem);
        return false;
    }

    /// False, with the stage marked, when a given optional matrix does not fit.
    bool acceptOptional(Stage stage, Stage optional, Index cols, const std::string &against)
    {
        const StagePlan &plan = entry(optional);
        if (plan.status == StageStatus::Absent)
            return true;
        if (!plan.usable) {
            unavailable(stage, plan.cause, plan.cause);
            return false;
        }
        if (plan.shape.cols == cols)
            return true;
        contradiction(stage, describe(stageName(optional), plan.shape) + ", " + against + ": " +
                                 std::to_string(plan.shape.cols) + " against " + counted(cols, "column"));
        return false;
    }

    /// False, with the stage marked, when left has not as many columns as right has rows.
    bool requireProduct(Stage stage, Stage left, Stage right)
    {
        const Shape &a = entry(left).shape;
        const Shape &b = entry(right).shape;
        if (a.cols == b.rows)
            return true;
        contradiction(stage, describe(stageName(left), a) + ", " + describe(stageName(right), b) + ": " +
                                 counted(a.cols, "column") + " against " + counted(b.rows, "row"));
        return false;
    }

    void planProjection(Stage stage, Stage source, Stage weight, Stage bias)
    {
        if (isPlanned(stage))
            return;
        if (!require(stage, {source, weight}) || !requireProduct(stage, source, weight))
            return;
        const Shape &W = entry(weight).shape;
        if (!acceptOptional(stage, bias, W.cols, describe(stageName(weight), W)))
            return;
        const Index rows = stageInfo(stage).rows == Axis::Query ? m_sizes.nQ : m_sizes.nK;
        const Shape &X = entry(source).shape;
        if (X.rows != rows) {
            contradiction(stage, describe(stageName(source), X) + ", but there are " +
                                     counted(rows, "key token") + ": " + counted(X.rows, "row") +
                                     " against " + counted(rows, "key token"));
            return;
        }
        computed(stage, {1, X.rows, W.cols});
    }

    void planSplit(Stage stage, Stage whole, Index heads)
    {
        if (!require(stage, {whole}))
            return;
        const Shape &shape = entry(whole).shape;
        if (heads < 1) {
            requireHeads(stage);
            return;
        }
        if (shape.cols % heads != 0) {
            contradiction(stage, describe(stageName(whole), shape) + ": " + counted(shape.cols, "column") +
                                     " cannot be split into " + counted(heads, "head"));
            return;
        }
        computed(stage, {heads, shape.rows, shape.cols / heads});
    }

    void planRotated(Stage stage, Stage split)
    {
        if (isPlanned(stage))
            return;
        if (!m_experiment.rotary)
            return;
        if (!require(stage, {split}))
            return;
        const Shape &shape = entry(split).shape;
        const Index turned = rotatedColumns(*m_experiment.rotary, shape.cols);
        if (turned < 0 || turned % 2 != 0 || turned > shape.cols) {
            contradiction(stage, "rotary positions turn " + counted(turned, "column") + ", " +
                                     describe(stageName(split), shape) + ": an even number up to " +
                                     std::to_string(shape.cols) + " is needed");
            return;
        }
        computed(stage, shape);
    }

    /// The stage that enters the scores: rotated when there is one, else the split.
    Stage scoreSource(Stage rotated, Stage split)
    {
        return entry(rotated).status == StageStatus::Absent ? split : rotated;
    }

    void planScores()
    {
        if (isPlanned(Stage::Scores))
            return;
        const Stage left = scoreSource(Stage::Qr, Stage::Qh);
        const Stage right = scoreSource(Stage::Kr, Stage::Kh);
        if (!require(Stage::Scores, {left, right}) || !requireHeads(Stage::Scores))
            return;
        const Shape &q = entry(left).shape;
        const Shape &k = entry(right).shape;
        if (q.cols != k.cols) {
            contradiction(Stage::Scores, headWidthText(Stage::Q, left) + ", " +
                                             headWidthText(Stage::K, right) + ": head width " +
                                             std::to_string(q.cols) + " against " + std::to_string(k.cols));
            return;
        }
        computed(Stage::Scores, {m_sizes.nHeads, q.rows, k.rows});
    }

    std::string headWidthText(Stage whole, Stage source)
    {
        if (!entry(whole).usable)
            return describe(stageName(source), entry(source).shape);
        return describe(stageName(whole), entry(whole).shape) + " in " +
               counted(entry(source).shape.heads, "head");
    }

    void planCopyOf(Stage stage, Stage source)
    {
        if (!isPlanned(stage) && require(stage, {source}))
            computed(stage, entry(source).shape);
    }

    void planMask()
    {
        const Shape shape{m_sizes.nHeads, m_sizes.nQ, m_sizes.nK};
        const bool hasBias = m_experiment.isGiven(Stage::MaskAdd) || m_experiment.isGiven(Stage::MaskAlibi);
        for (const Stage stage : {Stage::Allowed, Stage::Bias}) {
            if (stage == Stage::Bias && !hasBias)
                continue;
            if (m_sizes.nHeads < 1) {
                requireHeads(stage);
                continue;
            }
            bool fits = true;
            for (const Stage input : stageInfo(stage).inputs)
                fits = fits && (entry(input).status == StageStatus::Absent || require(stage, {input}));
            if (fits)
                computed(stage, shape);
        }
        if (isPlanned(Stage::Masked))
            return;
        if (require(Stage::Masked, {Stage::Scaled, Stage::Allowed}) &&
            (!hasBias || require(Stage::Masked, {Stage::Bias})))
            computed(Stage::Masked, entry(Stage::Scaled).shape);
    }

    void planSoftmax()
    {
        if (require(Stage::FullyMasked, {Stage::Masked}))
            computed(Stage::FullyMasked, {1, m_sizes.nHeads, m_sizes.nQ});
        if (isPlanned(Stage::A))
            return;
        planCopyOf(Stage::ASoft, Stage::Masked);
        planCopyOf(Stage::A, Stage::Masked);
    }

    void planOutput()
    {
        if (!isPlanned(Stage::HeadOut) && require(Stage::HeadOut, {Stage::A, Stage::Vh}) &&
            requireHeads(Stage::HeadOut))
            computed(Stage::HeadOut, {m_sizes.nHeads, m_sizes.nQ, entry(Stage::Vh).shape.cols});
        if (!isPlanned(Stage::Concat) && require(Stage::Concat, {Stage::HeadOut}))
            computed(Stage::Concat, {1, m_sizes.nQ, m_sizes.nHeads * entry(Stage::HeadOut).shape.cols});
        planMapped();
    }

    void planMapped()
    {
        const bool hasWo = m_experiment.isGiven(Stage::Wo);
        const bool outputGiven = isPlanned(Stage::Output);
        const auto fits = [&](Stage stage) {
            return require(stage, {Stage::Concat}) &&
                   (!hasWo ||
                    (require(stage, {Stage::Wo}) && requireProduct(stage, Stage::Concat, Stage::Wo)));
        };
        const Index rows = m_sizes.nQ;
        if (!outputGiven && fits(Stage::Output)) {
            const Index dOut = entry(hasWo ? Stage::Wo : Stage::Concat).shape.cols;
            const Stage widthFrom = hasWo ? Stage::Wo : Stage::Concat;
            if (acceptOptional(Stage::Output, Stage::Bo, dOut,
                               describe(stageName(widthFrom), entry(widthFrom).shape)))
                computed(Stage::Output, {1, rows, dOut});
        }
        if (!fits(Stage::HeadContribution) || !requireHeads(Stage::HeadContribution))
            return;
        const Shape &concat = entry(Stage::Concat).shape;
        if (concat.cols % m_sizes.nHeads != 0)
            contradiction(Stage::HeadContribution,
                          describe("concat", concat) + ": " + counted(concat.cols, "column") +
                              " cannot be split into " + counted(m_sizes.nHeads, "head"));
        else
            computed(Stage::HeadContribution,
                     {m_sizes.nHeads, rows, entry(hasWo ? Stage::Wo : Stage::Concat).shape.cols});
    }

    /// A document that starts at scores, scaled, masked or A lacks nothing: the stages before are no part of
    /// it.
    void nameLaterStart()
    {
        constexpr std::array chain = {Stage::Q,  Stage::K,      Stage::Qh,     Stage::Kh,     Stage::Qr,
                                      Stage::Kr, Stage::Scores, Stage::Scaled, Stage::Masked, Stage::A};
        const auto start =
            std::find_if(chain.begin() + 6, chain.end(), [this](Stage stage) { return isPlanned(stage); });
        if (start == chain.end() || !m_plan.problem.empty())
            return;
        const std::string reason = std::string("the document starts at ") + stageName(*start);
        for (auto stage = chain.begin(); stage != start; ++stage)
            if (entry(*stage).status == StageStatus::NotAvailable)
                entry(*stage).reason = reason;
    }

    const Experiment &m_experiment;
    Sizes m_sizes;
    std::string m_headProblem;
    EvaluationPlan m_plan;
};

} // namespace

EvaluationPlan planEvaluation(const Experiment &experiment)
{
    return Planner(experiment).run();
}

} // namespace attn
