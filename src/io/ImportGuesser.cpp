#include "io/ImportGuesser.h"

#include "io/Elements.h"
#include "io/ExportMetadata.h"
#include "io/ImportArrange.h"
#include "io/ImportChecks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

namespace attn {

namespace {

/// Tensors above this many numbers are not loaded only to check a convention.
constexpr std::int64_t largestCheckedTensor = std::int64_t(1) << 24;

bool isHeadedStage(Stage stage)
{
    return stageInfo(stage).heads == HeadAxis::Query && stageInfo(stage).kind == StageKind::Computed;
}

/// "layers.2" before "layers.10".
bool naturallyLess(const std::string &a, const std::string &b)
{
    std::size_t i = 0, k = 0;
    const auto isDigit = [](char c) {
        return c >= '0' && c <= '9';
    };
    while (i < a.size() && k < b.size()) {
        if (isDigit(a[i]) && isDigit(b[k])) {
            std::uint64_t left = 0, right = 0;
            const auto endA = std::from_chars(a.data() + i, a.data() + a.size(), left).ptr;
            const auto endB = std::from_chars(b.data() + k, b.data() + b.size(), right).ptr;
            if (left != right)
                return left < right;
            i = static_cast<std::size_t>(endA - a.data());
            k = static_cast<std::size_t>(endB - b.data());
            continue;
        }
        if (a[i] != b[k])
            return a[i] < b[k];
        ++i;
        ++k;
    }
    return a.size() - i < b.size() - k;
}

} // namespace

ImportGuesser::ImportGuesser(const TensorFile &file)
    : m_file(file)
    , m_facts(factsFromMetadata(file.metadata))
{
}

ImportPlan ImportGuesser::plan()
{
    m_plan.notes = m_file.notes;
    readOwnMetadata();
    readNames();
    settleScores();
    settleDoubles();
    settleSingleHeads();
    guessLoneTensor();
    guessHeads();
    guessBatch();
    guessLayers();
    assignAxes();
    guessOrientation();
    splitPacked();
    guessMasks();
    countAxes();
    for (const Candidate &candidate : m_candidates)
        m_plan.tensors.push_back(candidate.slot);
    markReferences(m_plan);
    const auto copyReferences = [this] {
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            m_candidates[i].slot.isReference = m_plan.tensors[i].isReference;
    };
    copyReferences();
    guessOffset();
    guessRotary();
    markReferences(m_plan);
    copyReferences();
    guessCausal();
    dropUncheckableOutput();
    guessPrecision();
    readLabels();
    return std::move(m_plan);
}

ImportGuesser::Candidate *ImportGuesser::find(Stage stage)
{
    for (Candidate &candidate : m_candidates)
        if (candidate.slot.stage == stage && candidate.slot.layer.value_or(0) == 0)
            return &candidate;
    return nullptr;
}

const ImportGuesser::Candidate *ImportGuesser::find(Stage stage) const
{
    return const_cast<ImportGuesser *>(this)->find(stage);
}

std::optional<Tensor> ImportGuesser::loaded(const Candidate &candidate) const
{
    const auto count = elementCount(shapeOf(candidate));
    if (!count || *count > largestCheckedTensor || !candidate.slot.stage)
        return std::nullopt;
    const auto tensor = m_file.load(candidate.entry);
    if (!tensor)
        return std::nullopt;
    auto arranged = arrangedTensor(*tensor, candidate.slot, *candidate.slot.stage, 0, 0, -HUGE_VAL);
    return arranged ? std::optional(std::move(*arranged)) : std::nullopt;
}

std::optional<Tensor> ImportGuesser::loaded(Stage stage) const
{
    const Candidate *candidate = find(stage);
    return candidate ? loaded(*candidate) : std::nullopt;
}

void ImportGuesser::readOwnMetadata()
{
    const auto text = m_file.metadata.find(exportMetadataKey);
    if (text == m_file.metadata.end())
        return;
    auto own = experimentFromMetadata(text->second);
    if (!own) {
        noted("the file's own description cannot be read: " + own.error().message);
        return;
    }
    m_own = std::move(*own);
    m_plan.precision = m_own->precision;
    m_plan.nHeads = m_own->nHeads;
    m_plan.nKvHeads = m_own->nKvHeads;
    m_plan.scale = m_own->scale;
    m_plan.qOffset = m_own->qOffset;
    m_plan.rotary = m_own->rotary;
    m_plan.causal = m_own->causal;
    m_plan.scoresAreScaled = false;
    guessed("the file was exported by this program: names and conventions are its own");
}

void ImportGuesser::readNames()
{
    for (std::size_t i = 0; i < m_file.entries().size(); ++i) {
        const FileTensorInfo &info = m_file.entries()[i];
        Candidate candidate;
        candidate.entry = i;
        candidate.slot.tensor = info.name;
        candidate.slot.axes.assign(info.shape.size(), AxisRole::Unknown);
        const bool isUsable = info.unsupported.empty() && info.dtype != Dtype::Text;
        const auto ownStage = stageFromName(info.name);
        if (m_own && isUsable) {
            if (ownStage && stageInfo(*ownStage).kind != StageKind::Derived)
                candidate.role.stage = ownStage;
        } else if (isUsable) {
            candidate.role = roleFromName(info.name);
        }
        candidate.slot.stage = candidate.role.stage;
        candidate.slot.head =
            candidate.role.stage && isHeadedStage(*candidate.role.stage) && info.shape.size() == 2
                ? candidate.role.head
                : std::nullopt;
        m_candidates.push_back(std::move(candidate));
    }
}

/// Tells raw scores from scaled ones where several stages of them are in the file.
void ImportGuesser::settleScores()
{
    if (m_own)
        return;
    Candidate *scores = find(Stage::Scores);
    Candidate *weights = nullptr;
    for (Candidate &candidate : m_candidates) {
        if (candidate.slot.stage != Stage::A || candidate.slot.head)
            continue;
        if (weights && !scores && find(Stage::Scaled)) {
            // "attn" beside "attn_scaled" and "attn_softmax" is what both come from.
            Candidate &shorter =
                weights->slot.tensor.size() < candidate.slot.tensor.size() ? *weights : candidate;
            shorter.slot.stage = Stage::Scores;
            scores = &shorter;
            break;
        }
        weights = &candidate;
    }
    if (!scores)
        return;
    m_plan.scoresAreScaled =
        !scores->role.saysRaw && !find(Stage::Scaled) && m_facts.scoresAreScaled.value_or(true);
    guessed("\"" + scores->slot.tensor + "\": scores " +
            (m_plan.scoresAreScaled ? "already scaled" : "before scaling") +
            (find(Stage::Scaled) ? ", since scaled scores are in the file too" : ""));
}

/// One tensor for each stage of each block; the others stay unused.
void ImportGuesser::settleDoubles()
{
    std::map<std::tuple<std::string, Stage, Index>, Candidate *> first;
    for (const bool takesWeakHints : {false, true}) {
        for (Candidate &candidate : m_candidates) {
            if (!candidate.slot.stage || candidate.role.isWordAmongOthers != takesWeakHints)
                continue;
            const auto key =
                std::tuple(candidate.role.block, *candidate.slot.stage, candidate.slot.head.value_or(-1));
            const auto [place, isNew] = first.emplace(key, &candidate);
            if (isNew)
                continue;
            noted("\"" + candidate.slot.tensor + "\" could be " + stageName(*candidate.slot.stage) +
                  " as well as \"" + place->second->slot.tensor + "\" and is not used");
            candidate.slot.stage.reset();
            candidate.slot.head.reset();
        }
    }
}

/// Heads in tensors of their own make a stage when all of them, from 0 on, are there.
void ImportGuesser::settleSingleHeads()
{
    std::map<Stage, std::set<Index>> heads;
    std::set<Stage> whole;
    for (const Candidate &candidate : m_candidates) {
        if (!candidate.slot.stage)
            continue;
        if (candidate.slot.head)
            heads[*candidate.slot.stage].insert(*candidate.slot.head);
        else
            whole.insert(*candidate.slot.stage);
    }
    for (const auto &[stage, indices] : heads) {
        const bool isComplete =
            *indices.rbegin() == static_cast<Index>(indices.size()) - 1 && !whole.contains(stage);
        bool isFirst = !whole.contains(stage);
        for (Candidate &candidate : m_candidates) {
            if (candidate.slot.stage != stage || !candidate.slot.head)
                continue;
            if (!isComplete) {
                candidate.slot.head.reset();
                if (!isFirst)
                    candidate.slot.stage.reset();
                isFirst = false;
            }
        }
        if (isComplete && indices.size() > 1)
            guessed(std::string(stageName(stage)) + ": " + std::to_string(indices.size()) +
                    " tensors, one for each head");
    }
}

/// A file of one unnamed matrix: what its numbers look like.
void ImportGuesser::guessLoneTensor()
{
    Candidate *lone = nullptr;
    for (Candidate &candidate : m_candidates) {
        const FileTensorInfo &info = m_file.entries()[candidate.entry];
        if (!info.unsupported.empty() || info.dtype == Dtype::Text)
            continue;
        if (lone || candidate.slot.stage || candidate.role.packing != TensorRole::Packing::None)
            return;
        lone = &candidate;
    }
    if (!lone)
        return;
    lone->slot.stage = stageFromValues(*lone);
    asked("\"" + lone->slot.tensor + "\" is taken for " + stageName(*lone->slot.stage) +
          ", from its shape and numbers; its name does not tell");
}

Stage ImportGuesser::stageFromValues(const Candidate &candidate) const
{
    const FileTensorInfo &info = m_file.entries()[candidate.entry];
    const auto count = elementCount(info.shape);
    const bool isMatrix = info.shape.size() >= 2;
    if (info.dtype == Dtype::Bool && isMatrix)
        return Stage::MaskBool;
    if (!isMatrix || !count || *count == 0 || *count > largestCheckedTensor)
        return info.shape.size() >= 3 ? Stage::A : Stage::X;
    const auto tensor = m_file.load(candidate.entry);
    if (!tensor)
        return Stage::X;
    bool isWithinOne = true, hasMinusInf = false;
    for (std::int64_t i = 0; i < tensor->size(); ++i) {
        const double value = tensor->number(i);
        hasMinusInf = hasMinusInf || value == -HUGE_VAL;
        isWithinOne = isWithinOne && value >= 0.0 && value <= 1.0;
    }
    if (hasMinusInf)
        return Stage::Scaled;
    const bool isSquare = info.shape.back() == info.shape[info.shape.size() - 2];
    const bool hasTwoLabels = !m_file.rowLabels.empty() && !m_file.colLabels.empty();
    return isWithinOne && (isSquare || hasTwoLabels || info.shape.size() >= 3) ? Stage::A
           : info.shape.size() >= 3                                            ? Stage::Scaled
                                                                               : Stage::X;
}

void ImportGuesser::guessHeads()
{
    if (m_own)
        return;
    m_plan.scale = m_facts.scale;
    m_plan.nHeads = m_facts.nHeads;
    m_plan.nKvHeads = m_facts.nKvHeads;
    for (const Candidate &candidate : m_candidates)
        if (candidate.slot.head && !m_facts.nHeads)
            m_plan.nHeads = std::max(m_plan.nHeads.value_or(0), *candidate.slot.head + 1);
    for (const Candidate &candidate : m_candidates) {
        const auto &shape = shapeOf(candidate);
        if (!candidate.slot.stage || shape.size() < 3)
            continue;
        const auto heads = static_cast<Index>(shape[shape.size() - 3]);
        const bool isBatch = shape.size() == 3 && m_facts.leadingAxis == AxisRole::Batch;
        if (!m_plan.nHeads && !isBatch && isHeadedStage(*candidate.slot.stage))
            m_plan.nHeads = heads;
        if (!m_plan.nKvHeads && candidate.slot.stage == Stage::Kr)
            m_plan.nKvHeads = heads;
    }
    if (!m_plan.nHeads)
        m_plan.nHeads = m_plan.nKvHeads;
    if (m_plan.nHeads && !m_facts.nHeads)
        guessed(std::to_string(*m_plan.nHeads) + (*m_plan.nHeads == 1 ? " head" : " heads") +
                ", from the shapes");
    const Candidate *Q = find(Stage::Q);
    const Candidate *K = find(Stage::K);
    if (m_plan.nHeads || !Q || !K || shapeOf(*Q).size() != 2 || shapeOf(*K).size() != 2)
        return;
    const auto queryWidth = static_cast<Index>(shapeOf(*Q)[1]);
    const auto keyWidth = static_cast<Index>(shapeOf(*K)[1]);
    if (queryWidth == keyWidth || queryWidth <= 0 || keyWidth <= 0)
        return;
    const Index dHead = std::gcd(queryWidth, keyWidth);
    m_plan.nHeads = queryWidth / dHead;
    m_plan.nKvHeads = keyWidth / dHead;
    asked("Q has " + std::to_string(queryWidth) + " columns, K has " + std::to_string(keyWidth) +
          ": how many heads? Taken as " + std::to_string(*m_plan.nHeads) + " and " +
          std::to_string(*m_plan.nKvHeads) + " of " + std::to_string(dHead) + " columns");
}

void ImportGuesser::guessBatch()
{
    for (const Stage stage : {Stage::X, Stage::Xkv, Stage::Concat, Stage::Output})
        if (const Candidate *candidate = find(stage); candidate && shapeOf(*candidate).size() == 3)
            if (m_facts.leadingAxis != AxisRole::Layer)
                m_batch = static_cast<Index>(shapeOf(*candidate)[0]);
    if (m_batch || m_facts.leadingAxis != AxisRole::Batch)
        return;
    for (const Candidate &candidate : m_candidates)
        if (candidate.slot.stage && isHeadedStage(*candidate.slot.stage) && shapeOf(candidate).size() == 4)
            m_batch = static_cast<Index>(shapeOf(candidate)[0]);
}

/// Attention blocks that are told apart by their names.
void ImportGuesser::guessLayers()
{
    std::vector<std::string> blocks;
    for (const Candidate &candidate : m_candidates)
        if ((candidate.slot.stage || candidate.role.packing != TensorRole::Packing::None) &&
            !candidate.role.block.empty())
            blocks.push_back(candidate.role.block);
    std::sort(blocks.begin(), blocks.end(), naturallyLess);
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    if (blocks.size() < 2)
        return;
    for (Candidate &candidate : m_candidates) {
        const auto block = std::find(blocks.begin(), blocks.end(), candidate.role.block);
        if (block != blocks.end())
            candidate.slot.layer = static_cast<Index>(block - blocks.begin());
    }
    guessed(std::to_string(blocks.size()) + " attention blocks, told apart by name; the first is " +
            blocks.front());
    m_plan.layerCount = static_cast<Index>(blocks.size());
    m_plan.layerNames = std::move(blocks);
}

AxisContext ImportGuesser::contextOf(const Candidate &candidate) const
{
    AxisContext context{m_plan.nHeads, m_plan.nKvHeads, m_batch, std::nullopt, m_facts.leadingAxis};
    const std::map<Stage, Stage> weights = {
        {Stage::Q, Stage::Wq}, {Stage::K, Stage::Wk}, {Stage::V, Stage::Wv}};
    const auto weight = weights.find(*candidate.slot.stage);
    if (weight == weights.end())
        return context;
    const Candidate *W = find(weight->second);
    if (W && shapeOf(*W).size() == 2)
        context.width = static_cast<Index>(shapeOf(*W)[W->role.isModelWeight ? 0 : 1]);
    return context;
}

void ImportGuesser::assignAxes()
{
    for (Candidate &candidate : m_candidates) {
        if (!candidate.slot.stage)
            continue;
        const AxisGuess guess = guessAxes(*candidate.slot.stage, shapeOf(candidate), contextOf(candidate));
        candidate.slot.axes = guess.axes;
        if (guess.isUncertain && !guess.axes.empty())
            asked("\"" + candidate.slot.tensor + "\" " + shapeListText(shapeOf(candidate)) +
                  ": is the first axis " +
                  (guess.axes[0] == AxisRole::Head    ? "heads (taken) or batch entries?"
                   : guess.axes[0] == AxisRole::Batch ? "batch entries (taken), layers or heads?"
                                                      : "layers, batch entries or heads?"));
    }
}

void ImportGuesser::countAxes()
{
    for (const Candidate &candidate : m_candidates) {
        if (!candidate.slot.stage)
            continue;
        for (std::size_t axis = 0; axis < candidate.slot.axes.size(); ++axis) {
            const auto length = static_cast<Index>(shapeOf(candidate)[axis]);
            if (candidate.slot.axes[axis] == AxisRole::Batch)
                m_plan.batchCount = std::max(m_plan.batchCount, length);
            if (candidate.slot.axes[axis] == AxisRole::Layer && m_plan.layerNames.empty())
                m_plan.layerCount = std::max(m_plan.layerCount, length);
        }
    }
}

Result<ImportPlan> guessImport(const TensorFile &file)
{
    return ImportGuesser(file).plan();
}

} // namespace attn
