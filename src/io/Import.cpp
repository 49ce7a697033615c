#include "io/Import.h"

#include "io/Elements.h"
#include "io/ExportMetadata.h"
#include "io/ImportArrange.h"
#include "io/ImportChecks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attn {

namespace {

/// The stage that a slot fills, the plan's reading of scores and masks applied.
Stage effectiveStage(const ImportPlan &plan, Stage stage)
{
    if (stage == Stage::Scores && plan.scoresAreScaled)
        return Stage::Scaled;
    if (stage == Stage::MaskBool && plan.maskMeaning == ImportPlan::MaskMeaning::Add)
        return Stage::MaskAdd;
    return stage;
}

/// Larger tensors stay in their file where that is possible (counted as float32).
constexpr Index largestHeldBytes = Index(16) << 20;

bool isScoreStage(Stage stage)
{
    return stage == Stage::Scores || stage == Stage::Scaled || stage == Stage::Masked;
}

Tensor negatedMask(const Tensor &mask)
{
    std::vector<double> values = mask.toDoubles();
    for (double &value : values)
        value = value == 0.0 ? 1.0 : 0.0;
    return Tensor::fromDoubles(mask.shape(), values);
}

Tensor booleanMask(const Tensor &mask)
{
    std::vector<double> values = mask.toDoubles();
    for (double &value : values)
        value = value == 0.0 ? 0.0 : 1.0;
    return Tensor::fromDoubles(mask.shape(), values);
}

/// Heads that came as tensors of their own, one below the other.
Tensor stackedHeads(const std::map<Index, Tensor> &heads)
{
    const Shape one = heads.begin()->second.shape();
    std::vector<double> values;
    for (const auto &[head, tensor] : heads) {
        const std::vector<double> numbers = tensor.toDoubles();
        values.insert(values.end(), numbers.begin(), numbers.end());
    }
    return Tensor::fromDoubles({static_cast<Index>(heads.size()), one.rows, one.cols}, values);
}

/// Carries out a plan.
class Importer
{
public:
    Importer(const TensorFile &file, const ImportPlan &plan)
        : m_file(file)
        , m_plan(plan)
    {
    }

    Result<ImportResult> run()
    {
        if (const auto own = m_file.metadata.find(exportMetadataKey); own != m_file.metadata.end()) {
            auto experiment = experimentFromMetadata(own->second);
            if (!experiment)
                return failed(experiment.error());
            m_result.experiment = std::move(*experiment);
        }
        for (const ImportSlot &slot : m_plan.tensors)
            if (slot.stage && (!slot.layer || *slot.layer == m_plan.layer))
                if (const auto loaded = loadSlot(slot); !loaded)
                    return loaded.error();
        if (const auto stacked = stackHeads(); !stacked)
            return stacked.error();
        if (experiment().given.empty())
            return failed({ErrorCode::BadInput, "no tensor is used as a stage"});
        applyConventions();
        if (const auto divided = checkHeads(); !divided)
            return failed(divided.error());
        applyTokens();
        addNotes();
        if (const auto valid = validate(experiment()); !valid)
            return failed(valid.error());
        return std::move(m_result);
    }

private:
    Experiment &experiment() { return m_result.experiment; }
    const Tensor &given(Stage stage) const { return m_result.experiment.matrix(stage); }

    Error failed(const Error &error) const
    {
        return {error.code, m_file.path.section(u'/', -1).toStdString() + ": " + error.message};
    }

    Error tensorError(const ImportSlot &slot, const Error &error) const
    {
        return failed({error.code, "tensor \"" + slot.tensor + "\": " + error.message});
    }

    Result<void> loadSlot(const ImportSlot &slot);
    Result<Tensor> numbersOf(const ImportSlot &slot, std::size_t index, Stage stage);
    Result<std::optional<Tensor>> mappedNumbersOf(const ImportSlot &slot, std::size_t index,
                                                  Stage stage) const;
    Result<Tensor> readNumbersOf(const ImportSlot &slot, std::size_t index, Stage stage);
    Result<void> stackHeads();
    void put(Stage stage, Tensor tensor, const ImportSlot &slot);
    void applyConventions();
    Index headsFromMatrices() const;
    Index kvHeadsFromMatrices() const;
    Result<void> checkHeads() const;
    void applyTokens();
    std::vector<std::string> tokenLabels(Index count, bool isKeySide);
    void addNotes();

    const TensorFile &m_file;
    const ImportPlan &m_plan;
    ImportResult m_result;
    std::map<std::pair<Stage, bool>, std::map<Index, Tensor>> m_singleHeads; ///< by stage and isReference
    std::map<Stage, std::pair<std::string, Dtype>> m_sources;                ///< of the given stages
    std::map<Stage, Index> m_headAxes; ///< heads of K, V ... as the file has them
};

Result<void> Importer::loadSlot(const ImportSlot &slot)
{
    const auto where = [&](const Error &error) {
        return tensorError(slot, error);
    };
    const auto index = m_file.find(slot.tensor);
    if (!index)
        return where({ErrorCode::NotFound, "there is no such tensor"});
    const FileTensorInfo &info = m_file.entries()[*index];
    const Stage stage = effectiveStage(m_plan, *slot.stage);
    auto arranged = numbersOf(slot, *index, stage);
    if (!arranged)
        return arranged.error();
    m_sources.emplace(stage, std::pair(slot.tensor, info.dtype));
    for (std::size_t axis = 0; axis < slot.axes.size(); ++axis)
        if (slot.axes[axis] == AxisRole::Head)
            m_headAxes[stage] = static_cast<Index>(info.shape[axis]);
    if (slot.head)
        m_singleHeads[{stage, slot.isReference}][*slot.head] = std::move(*arranged);
    else if (!slot.isReference && experiment().isGiven(stage))
        return where(
            {ErrorCode::BadInput, std::string(stageName(stage)) + " is filled by another tensor already"});
    else
        put(stage, std::move(*arranged), slot);
    return {};
}

/// The numbers of a slot in the form of its stage, whether they stay in their file or not.
Result<Tensor> Importer::numbersOf(const ImportSlot &slot, std::size_t index, Stage stage)
{
    auto mapped = mappedNumbersOf(slot, index, stage);
    if (!mapped)
        return tensorError(slot, mapped.error());
    if (!*mapped)
        return readNumbersOf(slot, index, stage);
    const bool isLarge = (*mapped)->shape().size() * 4 > largestHeldBytes;
    return isLarge ? std::move(**mapped) : (*mapped)->held();
}

Result<std::optional<Tensor>> Importer::mappedNumbersOf(const ImportSlot &slot, std::size_t index,
                                                        Stage stage) const
{
    const FileTensorInfo &info = m_file.entries()[index];
    const auto count = elementCount(info.shape);
    if (!count || *count * 4 <= largestHeldBytes || stage == Stage::MaskBool || stage == Stage::MaskPadding)
        return std::optional<Tensor>();
    const auto tensor = m_file.map(index);
    if (!tensor)
        return std::optional<Tensor>();
    return arrangedMapping(*tensor, info.shape, slot, stage, m_plan.layer, m_plan.batch);
}

Result<Tensor> Importer::readNumbersOf(const ImportSlot &slot, std::size_t index, Stage stage)
{
    const auto tensor = m_file.load(index);
    if (!tensor)
        return tensor.error();
    const double missing = isScoreStage(stage) ? -std::numeric_limits<double>::infinity()
                                               : std::numeric_limits<double>::quiet_NaN();
    auto arranged = arrangedTensor(*tensor, slot, stage, m_plan.layer, m_plan.batch, missing);
    if (!arranged)
        return tensorError(slot, arranged.error());
    const auto missingCount = std::count(tensor->missing.begin(), tensor->missing.end(), true);
    if (missingCount > 0 && !slot.isReference)
        m_result.notes.push_back("\"" + slot.tensor + "\": " + std::to_string(missingCount) +
                                 (missingCount == 1 ? " missing value is" : " missing values are") +
                                 " read as " + (isScoreStage(stage) ? "-inf (masked)" : "NaN"));
    return arranged;
}

void Importer::put(Stage stage, Tensor tensor, const ImportSlot &slot)
{
    if (slot.isReference) {
        m_result.reference[stage] = std::move(tensor);
        return;
    }
    if (stage == Stage::MaskBool || stage == Stage::MaskPadding) {
        for (std::string &note : maskPolarityNotes(slot.tensor, tensor, m_plan.maskMeaning))
            m_result.notes.push_back(std::move(note));
        tensor =
            m_plan.maskMeaning == ImportPlan::MaskMeaning::Drop ? negatedMask(tensor) : booleanMask(tensor);
    }
    experiment().given[stage] = std::move(tensor);
}

Result<void> Importer::stackHeads()
{
    for (const auto &[key, heads] : m_singleHeads) {
        const auto &[stage, isReference] = key;
        const Shape &one = heads.begin()->second.shape();
        for (const auto &[head, tensor] : heads)
            if (!(tensor.shape() == one))
                return failed({ErrorCode::ShapeMismatch,
                               std::string(stageName(stage)) + ": head " + std::to_string(head) + " is " +
                                   shapeText(tensor.shape()) + ", another " + shapeText(one)});
        ImportSlot slot;
        slot.isReference = isReference;
        m_headAxes[stage] = static_cast<Index>(heads.size());
        put(stage, heads.size() == 1 ? heads.begin()->second : stackedHeads(heads), slot);
    }
    return {};
}

Index Importer::headsFromMatrices() const
{
    for (const Stage stage :
         {Stage::A, Stage::Masked, Stage::Scaled, Stage::Scores, Stage::Qr, Stage::HeadOut})
        if (!given(stage).isNull())
            return given(stage).heads();
    for (const Stage stage : {Stage::Q, Stage::Wq, Stage::Wo})
        if (const auto axis = m_headAxes.find(stage); axis != m_headAxes.end())
            return axis->second;
    return 1;
}

Index Importer::kvHeadsFromMatrices() const
{
    const Index h = m_result.experiment.nHeads;
    if (!given(Stage::Kr).isNull())
        return given(Stage::Kr).heads();
    for (const Stage stage : {Stage::K, Stage::V, Stage::Wk, Stage::Wv})
        if (const auto axis = m_headAxes.find(stage); axis != m_headAxes.end())
            return axis->second;
    const auto width = [&](Stage matrix, Stage weight) {
        return !given(matrix).isNull()  ? given(matrix).cols()
               : given(weight).isNull() ? 0
                                        : given(weight).cols();
    };
    const Index queryWidth = width(Stage::Q, Stage::Wq);
    const Index keyWidth = width(Stage::K, Stage::Wk);
    if (h < 1 || queryWidth % h != 0 || queryWidth == 0 || keyWidth == 0)
        return h;
    const Index dHead = queryWidth / h;
    const bool isShared = keyWidth % dHead == 0 && keyWidth >= dHead && h % (keyWidth / dHead) == 0;
    return isShared ? keyWidth / dHead : h;
}

void Importer::applyConventions()
{
    Experiment &e = experiment();
    const bool isOwn = m_file.metadata.contains(exportMetadataKey);
    if (m_plan.nHeads || !isOwn)
        e.nHeads = m_plan.nHeads ? *m_plan.nHeads : headsFromMatrices();
    if (m_plan.nKvHeads || !isOwn)
        e.nKvHeads = m_plan.nKvHeads ? *m_plan.nKvHeads : kvHeadsFromMatrices();
    e.scale = m_plan.scale;
    e.qOffset = m_plan.qOffset.value_or(0);
    e.rotary = m_plan.rotary;
    e.causal = m_plan.causal;
    e.precision = m_plan.precision;
    const bool hasKeyWidth = e.isGiven(Stage::Q) || e.isGiven(Stage::Qr) || e.isGiven(Stage::Wq);
    if (e.isGiven(Stage::Scores) && !hasKeyWidth && !e.scale && e.statedDHeadK == 0) {
        e.scale = 1.0;
        m_result.notes.push_back("scores are given without Q: the scale is 1 until it is set");
    }
}

/// Columns that cannot be split into the heads; validate says the same in terms of stages.
Result<void> Importer::checkHeads() const
{
    const std::array<std::pair<Stage, Index>, 6> widths = {{{Stage::Q, m_result.experiment.nHeads},
                                                            {Stage::Wq, m_result.experiment.nHeads},
                                                            {Stage::K, m_result.experiment.nKvHeads},
                                                            {Stage::Wk, m_result.experiment.nKvHeads},
                                                            {Stage::V, m_result.experiment.nKvHeads},
                                                            {Stage::Wv, m_result.experiment.nKvHeads}}};
    for (const auto &[stage, heads] : widths) {
        const Tensor &matrix = given(stage);
        if (matrix.isNull() || (heads >= 1 && matrix.cols() % heads == 0))
            continue;
        const auto source = m_sources.find(stage);
        return Error{ErrorCode::ShapeMismatch,
                     (source == m_sources.end() ? std::string(stageName(stage))
                                                : "tensor \"" + source->second.first + "\"") +
                         ": its " + std::to_string(matrix.cols()) + " columns cannot be split into " +
                         std::to_string(heads) + " heads: " + std::to_string(matrix.cols()) +
                         " is not a multiple of " + std::to_string(heads)};
    }
    return {};
}

std::vector<std::string> Importer::tokenLabels(Index count, bool isKeySide)
{
    std::vector<std::string> labels = plannedLabels(m_plan, count, isKeySide);
    const auto found = static_cast<Index>(labels.size());
    if (found > 0 && found != count)
        m_result.notes.push_back(std::to_string(found) + (found == 1 ? " label" : " labels") + " for " +
                                 std::to_string(count) + (isKeySide ? " keys" : " rows") +
                                 (found < count ? ": the rest is numbered" : ": the last ones are not used"));
    labels.resize(static_cast<std::size_t>(std::min(found, count)));
    for (Index i = static_cast<Index>(labels.size()); i < count; ++i)
        labels.push_back(std::to_string(i));
    return labels;
}

void Importer::applyTokens()
{
    Experiment &e = experiment();
    const auto rowsOf = [&](std::initializer_list<Stage> stages) -> std::optional<Index> {
        for (const Stage stage : stages)
            if (!given(stage).isNull())
                return given(stage).rows();
        return std::nullopt;
    };
    const auto colsOf = [&](std::initializer_list<Stage> stages) -> std::optional<Index> {
        for (const Stage stage : stages)
            if (!given(stage).isNull())
                return given(stage).cols();
        return std::nullopt;
    };
    auto nQ = rowsOf({Stage::X, Stage::Q, Stage::Qr, Stage::Scores, Stage::Scaled, Stage::Masked, Stage::A,
                      Stage::HeadOut, Stage::Concat, Stage::Output, Stage::MaskBool, Stage::MaskAdd});
    auto nK = rowsOf({Stage::Xkv, Stage::K, Stage::Kr, Stage::V});
    if (!nK)
        nK = colsOf({Stage::Scores, Stage::Scaled, Stage::Masked, Stage::A, Stage::MaskPadding,
                     Stage::MaskBool, Stage::MaskAdd});
    if (!nQ)
        nQ = nK.value_or(0);
    if (!nK)
        nK = nQ;
    const bool ownTokensFit = m_file.metadata.contains(exportMetadataKey) && m_plan.labels.empty() &&
                              e.tokens.size() == *nQ && e.keyTokens().size() == *nK;
    if (ownTokensFit)
        return;
    const std::vector<std::string> queries = tokenLabels(*nQ, false);
    const std::vector<std::string> keys =
        *nK == *nQ && !e.isGiven(Stage::Xkv) && plannedLabels(m_plan, *nK, true) == queries
            ? queries
            : tokenLabels(*nK, true);
    e.tokens = TokenList(queries);
    e.tokensKv = std::nullopt;
    if (*nK != *nQ || e.isGiven(Stage::Xkv) || keys != queries)
        e.tokensKv = TokenList(keys);
}

void Importer::addNotes()
{
    const Experiment &e = m_result.experiment;
    std::vector<std::string> &notes = m_result.notes;
    const auto append = [&notes](std::vector<std::string> more) {
        notes.insert(notes.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    // Tensors that stay in their file are not read through here: they may be of any size.
    for (const auto &[stage, tensor] : e.given)
        if (stageInfo(stage).kind != StageKind::Mask && !tensor.mapping())
            append(nonFiniteNotes(stageName(stage), tensor, isScoreStage(stage)));
    if (const Tensor &A = e.matrix(Stage::A); !A.isNull() && !A.mapping())
        append(weightNotes(A, m_sources.at(Stage::A).second));
    append(fullyMaskedNotes(e, e.tokens.size(), e.keyTokens().size()));
}

} // namespace

std::vector<std::string> plannedLabels(const ImportPlan &plan, Index count, bool isKeySide)
{
    const auto wanted = static_cast<std::size_t>(std::max<Index>(count, 0));
    std::vector<std::string> labels =
        labelsFitting(plan.labels, static_cast<std::size_t>(plan.batch), wanted, isKeySide);
    const auto offset = static_cast<std::size_t>(std::max<Index>(plan.qOffset.value_or(0), 0));
    // Labels of a whole sequence: the queries that continue it are its last ones.
    if (!isKeySide && offset > 0 && labels.size() == offset + wanted)
        labels.erase(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(offset));
    return labels;
}

void markReferences(ImportPlan &plan)
{
    for (Index layer = 0; layer < std::max<Index>(plan.layerCount, 1); ++layer) {
        std::array<bool, static_cast<std::size_t>(stageCount)> available = {};
        const auto has = [&](Stage stage) {
            return available[static_cast<std::size_t>(stage)];
        };
        const auto isComputable = [&](Stage stage) {
            const bool hasKeySource = has(Stage::Xkv) || has(Stage::X);
            switch (stage) {
            case Stage::Q:
                return has(Stage::X) && has(Stage::Wq);
            case Stage::K:
                return hasKeySource && has(Stage::Wk);
            case Stage::V:
                return hasKeySource && has(Stage::Wv);
            case Stage::Qr:
                return plan.rotary && has(Stage::Q);
            case Stage::Kr:
                return plan.rotary && has(Stage::K);
            case Stage::Scores:
                return (has(Stage::Q) || has(Stage::Qr)) && (has(Stage::K) || has(Stage::Kr));
            case Stage::Scaled:
                return has(Stage::Scores);
            case Stage::Masked:
                return has(Stage::Scaled);
            case Stage::A:
                return has(Stage::Masked);
            case Stage::HeadOut:
                return has(Stage::A) && has(Stage::V);
            case Stage::Concat:
                return has(Stage::HeadOut);
            case Stage::Output:
                return has(Stage::Concat);
            default:
                return false;
            }
        };
        for (const StageInfo &info : stageTable()) {
            const bool computable = isComputable(info.stage);
            available[static_cast<std::size_t>(info.stage)] = computable;
            for (ImportSlot &slot : plan.tensors) {
                if (!slot.stage || effectiveStage(plan, *slot.stage) != info.stage ||
                    (slot.layer && *slot.layer != layer))
                    continue;
                slot.isReference = computable;
                available[static_cast<std::size_t>(info.stage)] = true;
            }
        }
    }
}

Result<ImportResult> importExperiment(const TensorFile &file, const ImportPlan &plan)
{
    return Importer(file, plan).run();
}

} // namespace attn
