#include "io/Elements.h"
#include "io/ImportArrange.h"
#include "io/ImportChecks.h"
#include "io/ImportGuesser.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Masks above this many numbers are not looked at.
constexpr std::int64_t largestCheckedMask = std::int64_t(1) << 26;

/// From this many numbers in one tensor on, single precision is computed in float32.
constexpr std::int64_t smallestSinglePrecision = std::int64_t(1) << 20;

bool isWeight(Stage stage)
{
    return stage == Stage::Wq || stage == Stage::Wk || stage == Stage::Wv || stage == Stage::Wo;
}

bool isMaskMatrix(Stage stage)
{
    return stage == Stage::MaskBool || stage == Stage::MaskAdd || stage == Stage::MaskPadding;
}

std::string orientationText(bool transposed)
{
    return transposed ? "out x in (X times the transposed weight)" : "in x out (X times the weight)";
}

} // namespace

/// Checkpoints keep out x in; papers and notebooks in x out. Results in the file decide where they can.
void ImportGuesser::guessOrientation()
{
    if (m_own)
        return;
    bool anyModelWeight = false;
    for (Candidate &candidate : m_candidates) {
        if (!candidate.slot.stage || !isWeight(*candidate.slot.stage) || shapeOf(candidate).size() != 2)
            continue;
        candidate.slot.transposed = m_facts.weightsAreOutByIn.value_or(candidate.role.isModelWeight);
        anyModelWeight = anyModelWeight || candidate.role.isModelWeight;
    }
    // A packed matrix that is wider than high is in x out, and so are the others of its kind.
    const bool isPackedInByOut =
        std::any_of(m_candidates.begin(), m_candidates.end(), [this](const Candidate &candidate) {
            return candidate.role.packing == TensorRole::Packing::Qkv && shapeOf(candidate).size() == 2 &&
                   shapeOf(candidate)[0] < shapeOf(candidate)[1];
        });
    for (Candidate &candidate : m_candidates)
        if (isPackedInByOut && candidate.slot.stage && isWeight(*candidate.slot.stage) &&
            candidate.role.isModelWeight)
            candidate.slot.transposed = false;
    if (anyModelWeight || m_facts.weightsAreOutByIn)
        for (const Candidate &candidate : m_candidates)
            if (candidate.slot.stage && isWeight(*candidate.slot.stage)) {
                guessed("weights are stored " + orientationText(candidate.slot.transposed));
                return;
            }
    askAboutSquareWeights();
}

void ImportGuesser::askAboutSquareWeights()
{
    Candidate *square = nullptr;
    for (Candidate &candidate : m_candidates) {
        if (!candidate.slot.stage || !isWeight(*candidate.slot.stage) || *candidate.slot.stage == Stage::Wo ||
            shapeOf(candidate).size() != 2)
            continue;
        if (shapeOf(candidate)[0] != shapeOf(candidate)[1])
            return; // a sibling that fits one way only settles it
        if (!square)
            square = &candidate;
    }
    if (!square || !find(Stage::X))
        return;
    const auto X = loaded(Stage::X);
    const auto W = loaded(*square);
    const Stage result = *square->slot.stage == Stage::Wq   ? Stage::Q
                         : *square->slot.stage == Stage::Wk ? Stage::K
                                                            : Stage::V;
    const Stage biasStage = result == Stage::Q ? Stage::Bq : result == Stage::K ? Stage::Bk : Stage::Bv;
    const auto bias = loaded(biasStage);
    const auto product = loaded(result);
    const auto outByIn =
        X && W && product ? isStoredOutByIn(*X, *W, bias.value_or(Tensor()), *product) : std::nullopt;
    if (outByIn) {
        for (Candidate &candidate : m_candidates)
            if (candidate.slot.stage && isWeight(*candidate.slot.stage))
                candidate.slot.transposed = *outByIn;
        guessed("weights are stored " + orientationText(*outByIn) + ": so they give the " +
                stageName(result) + " of the file");
        return;
    }
    asked("\"" + square->slot.tensor +
          "\" is square: its shape cannot tell whether it is stored in x out or out x in; " + "taken as " +
          orientationText(square->slot.transposed));
}

/// Replaces every packed matrix by three slots.
void ImportGuesser::splitPacked()
{
    // The query part is as wide as the input; with grouped queries the other two are narrower.
    std::map<std::string, Index> inputs;
    for (const Candidate &candidate : m_candidates)
        if (candidate.role.packing == TensorRole::Packing::Qkv && shapeOf(candidate).size() == 2)
            inputs[candidate.role.block] =
                static_cast<Index>(std::min(shapeOf(candidate)[0], shapeOf(candidate)[1]));
    std::vector<Candidate> split;
    for (const Candidate &candidate : m_candidates) {
        const auto &shape = shapeOf(candidate);
        if (candidate.role.packing != TensorRole::Packing::Qkv || shape.empty() || shape.size() > 2) {
            split.push_back(candidate);
            continue;
        }
        const bool isOutByIn = shape.size() == 2 && shape[0] > shape[1];
        const auto total = static_cast<Index>(isOutByIn ? shape[0] : shape.back());
        const auto input = inputs.find(candidate.role.block);
        const bool hasInput =
            input != inputs.end() && input->second < total && (total - input->second) % 2 == 0;
        appendParts(candidate, isOutByIn, total, hasInput ? input->second : total / 3, split);
    }
    m_candidates = std::move(split);
}

void ImportGuesser::appendParts(const Candidate &packed, bool isOutByIn, Index total, Index queryWidth,
                                std::vector<Candidate> &split)
{
    const bool isBias = packed.role.isPackedBias;
    const Index keyWidth = (total - queryWidth) / 2;
    const Stage stages[] = {isBias ? Stage::Bq : Stage::Wq, isBias ? Stage::Bk : Stage::Wk,
                            isBias ? Stage::Bv : Stage::Wv};
    const Index ends[] = {0, queryWidth, queryWidth + keyWidth, total};
    for (int part = 0; part < 3; ++part) {
        Candidate one = packed;
        one.slot.stage = stages[part];
        one.slot.axes = shapeOf(packed).size() == 1 ? std::vector{AxisRole::Col}
                                                    : std::vector{AxisRole::Row, AxisRole::Col};
        one.slot.transposed = isOutByIn;
        one.slot.columns = ImportSlot::Columns{ends[part], ends[part + 1]};
        split.push_back(std::move(one));
    }
    if (packed.slot.layer.value_or(0) != 0 || isBias)
        return;
    guessed("\"" + packed.slot.tensor + "\" packs Q, K and V: " + std::to_string(queryWidth) + ", " +
            std::to_string(keyWidth) + " and " + std::to_string(keyWidth) + " columns; stored " +
            orientationText(isOutByIn));
    if (packed.role.isPackedByHead)
        asked("\"" + packed.slot.tensor +
              "\": models with this name pack Q, K and V head by head; taken as all of Q, then K, then V");
}

void ImportGuesser::guessMasks()
{
    if (m_facts.mask)
        m_plan.maskMeaning = *m_facts.mask;
    if (m_own)
        return;
    for (Candidate &candidate : m_candidates)
        if (candidate.slot.stage && isMaskMatrix(*candidate.slot.stage))
            readMask(candidate);
}

/// Numbers other than 0 and 1 are added; those are taken as drop or keep, and said so.
void ImportGuesser::readMask(Candidate &candidate)
{
    const auto count = elementCount(shapeOf(candidate));
    if (!count || *count > largestCheckedMask)
        return;
    const auto tensor = m_file.load(candidate.entry);
    if (!tensor)
        return;
    const std::string name = "\"" + candidate.slot.tensor + "\"";
    const bool zeroOne = isZeroOne(*tensor);
    if (zeroOne && candidate.role.isCausalMask) {
        const auto mask = arrangedTensor(*tensor, candidate.slot, Stage::MaskBool, 0, 0, 0.0);
        if (mask && mask->heads() == 1 && isLowerTriangle(*mask)) {
            m_plan.causal = true;
            candidate.slot.stage.reset();
            guessed(name + " is the causal rule: key j is allowed for query i when j <= i");
            return;
        }
    }
    if (!zeroOne) {
        if (candidate.slot.stage == Stage::MaskBool && !m_facts.mask)
            guessed(name + ": its numbers are added to the scaled scores");
        if (candidate.slot.stage == Stage::MaskBool)
            candidate.slot.stage = Stage::MaskAdd;
        return;
    }
    const bool isNamedAdditive = candidate.slot.stage == Stage::MaskAdd && tensor->dtype != Dtype::Bool;
    if (isNamedAdditive) {
        asked(name + " holds only 0 and 1: it is added to the scores (taken), or 1 = may attend?");
        return;
    }
    if (candidate.slot.stage == Stage::MaskAdd)
        candidate.slot.stage = Stage::MaskBool;
    if (candidate.role.isDropMask && !m_facts.mask)
        m_plan.maskMeaning = ImportPlan::MaskMeaning::Drop;
    const bool isDrop = m_plan.maskMeaning == ImportPlan::MaskMeaning::Drop;
    guessed(name + ": " + (isDrop ? "1 = hidden" : "1 = may attend"));
    if (tensor->dtype != Dtype::Bool)
        asked(name +
              " is a matrix of 0 and 1, not of booleans: taken as 1 = " + (isDrop ? "hidden" : "may attend") +
              "; it could also be 1 = " + (isDrop ? "may attend" : "hidden") + ", or be added to the scores");
    else if (!m_facts.mask)
        if (const auto mask = loaded(candidate))
            for (const std::string &note :
                 maskPolarityNotes(candidate.slot.tensor, *mask, m_plan.maskMeaning))
                if (note.ends_with("please check"))
                    asked(note);
}

void ImportGuesser::guessOffset()
{
    if (m_own)
        return;
    if (m_facts.qOffset) {
        m_plan.qOffset = m_facts.qOffset;
        return;
    }
    const auto rowsOf = [this](std::initializer_list<Stage> stages) -> std::optional<Index> {
        for (const Stage stage : stages)
            if (const Candidate *candidate = find(stage))
                if (const auto shape = arrangedShape(shapeOf(*candidate), candidate->slot, stage))
                    return shape->rows;
        return std::nullopt;
    };
    const auto nQ = rowsOf({Stage::Q, Stage::Qr});
    const auto nK = rowsOf({Stage::K, Stage::Kr});
    if (find(Stage::X) || !nQ || !nK || *nQ == *nK)
        return;
    m_plan.qOffset = *nK - *nQ;
    guessed((*nQ == 1 ? std::string("the query is") : "the " + std::to_string(*nQ) + " queries are") +
            " the last of " + std::to_string(*nK) + " positions (query offset " +
            std::to_string(*m_plan.qOffset) + ")");
}

/// Rotated queries or keys in the file tell how they were turned.
void ImportGuesser::guessRotary()
{
    if (m_own)
        return;
    m_plan.rotary = m_facts.rotary;
    if (m_facts.rotary) {
        guessed("rotary positions, from the metadata");
        return;
    }
    const Index offset = m_plan.qOffset.value_or(0);
    for (const auto &[plain, rotated] : {std::pair(Stage::Q, Stage::Qr), std::pair(Stage::K, Stage::Kr)}) {
        if (!find(rotated))
            continue;
        const auto before = loaded(plain);
        const auto after = loaded(rotated);
        const auto rotary =
            before && after ? findRotary(*before, *after, plain == Stage::Q ? offset : 0) : std::nullopt;
        if (!rotary)
            continue;
        m_plan.rotary = rotary;
        guessed(std::string("rotary positions on ") +
                (rotary->pairing == Rotary::Pairing::Interleaved ? "neighbouring columns"
                                                                 : "half-split columns") +
                ", base " + std::to_string(static_cast<Index>(rotary->base)) + ": so " + stageName(plain) +
                " becomes the " + stageName(rotated) + " of the file");
        return;
    }
    if (find(Stage::Qr) || find(Stage::Kr))
        guessed("rotated queries and keys are used as they are");
}

/// Zeros above the diagonal of given results.
void ImportGuesser::guessCausal()
{
    if (m_own || m_plan.causal)
        return;
    if (m_facts.causal) {
        m_plan.causal = *m_facts.causal;
        return;
    }
    for (const Candidate &candidate : m_candidates)
        if (candidate.slot.stage && isMaskMatrix(*candidate.slot.stage))
            return;
    const Candidate *masked = find(Stage::Masked);
    if (masked && !masked->slot.isReference)
        return; // the mask is in the given numbers already
    for (const auto &[stage, hidden] : {std::pair(Stage::Masked, -HUGE_VAL), std::pair(Stage::A, 0.0)}) {
        const Candidate *candidate = find(stage);
        if (!candidate || !candidate->slot.isReference)
            continue;
        const auto matrix = loaded(*candidate);
        if (!matrix || !looksCausal(*matrix, m_plan.qOffset.value_or(0), hidden))
            continue;
        m_plan.causal = true;
        guessed("causal: \"" + candidate->slot.tensor + "\" hides every later key");
        return;
    }
}

/// Without W^O the output of a whole layer cannot be recomputed, only that of its heads.
void ImportGuesser::dropUncheckableOutput()
{
    if (m_own || !find(Stage::X) || find(Stage::Wo))
        return;
    for (ImportSlot &slot : m_plan.tensors) {
        if (slot.stage != Stage::Output || !slot.isReference)
            continue;
        slot.stage.reset();
        slot.isReference = false;
        noted("\"" + slot.tensor +
              "\" is not compared with: W^O, which it was mapped through, is not in the file");
    }
}

/// Large tensors of single precision gain nothing from being computed in double precision but twice the
/// memory.
void ImportGuesser::guessPrecision()
{
    if (m_own)
        return;
    std::int64_t largest = 0;
    for (const Candidate &candidate : m_candidates) {
        const FileTensorInfo &info = m_file.entries()[candidate.entry];
        if (!candidate.slot.stage || stageInfo(*candidate.slot.stage).kind == StageKind::Mask)
            continue;
        if (info.dtype != Dtype::F32 && info.dtype != Dtype::F16 && info.dtype != Dtype::BF16)
            return;
        largest = std::max(largest, elementCount(info.shape).value_or(0));
    }
    if (largest < smallestSinglePrecision)
        return;
    m_plan.precision = Precision::Float32;
    guessed("the tensors are large and of single precision or less: computed in float32");
}

void ImportGuesser::readLabels()
{
    for (std::size_t i = 0; i < m_file.entries().size(); ++i)
        if (m_file.entries()[i].dtype == Dtype::Text && m_file.entries()[i].unsupported.empty())
            readTextTensor(i);
    if (m_plan.labels.empty() && (!m_facts.tokens.empty() || !m_facts.tokensKv.empty()))
        m_plan.labels = {{{}, m_facts.tokens, m_facts.tokensKv}};
    if (!m_plan.labels.empty() || m_own)
        return;
    const auto labelsRows = [](Stage stage) {
        const Axis rows = stageInfo(stage).rows;
        return rows == Axis::Query || rows == Axis::Key;
    };
    const bool anyTokenRows =
        std::any_of(m_candidates.begin(), m_candidates.end(), [&](const Candidate &candidate) {
            return candidate.slot.stage && labelsRows(*candidate.slot.stage);
        });
    if (!anyTokenRows || m_file.rowLabels.empty())
        return;
    LabelSet set{{}, m_file.rowLabels, {}};
    // Column labels are keys only over a map of keys.
    for (const Candidate &candidate : m_candidates)
        if (candidate.slot.stage && stageInfo(*candidate.slot.stage).cols == Axis::Key &&
            shapeOf(candidate).back() == static_cast<std::int64_t>(m_file.colLabels.size()))
            set.tokensKv = m_file.colLabels;
    m_plan.labels = {std::move(set)};
}

/// A list of tokens, or one for each batch entry.
void ImportGuesser::readTextTensor(std::size_t entry)
{
    const auto &shape = m_file.entries()[entry].shape;
    if (shape.empty() || shape.size() > 2 || shape.back() <= 0)
        return;
    const auto tensor = m_file.load(entry);
    if (!tensor)
        return;
    const auto &texts = std::get<std::vector<std::string>>(tensor->data);
    const auto length = static_cast<std::size_t>(shape.back());
    const std::string &name = m_file.entries()[entry].name;
    const bool isKeySide = name.find("kv") != std::string::npos || name.find("source") != std::string::npos;
    for (std::size_t set = 0; set * length < texts.size(); ++set) {
        if (m_plan.labels.size() <= set)
            m_plan.labels.emplace_back();
        const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(set * length);
        (isKeySide ? m_plan.labels[set].tokensKv : m_plan.labels[set].tokens)
            .assign(begin, begin + static_cast<std::ptrdiff_t>(length));
    }
    guessed("\"" + name + "\" holds the token labels");
}

} // namespace attn
