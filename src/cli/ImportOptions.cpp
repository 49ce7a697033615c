#include "cli/ComputedInput.h"

#include "io/Labels.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

std::vector<ImportSlot *> slotsNamed(ImportPlan &plan, const std::string &tensor)
{
    std::vector<ImportSlot *> found;
    for (ImportSlot &slot : plan.tensors)
        if (slot.tensor == tensor)
            found.push_back(&slot);
    return found;
}

Error noTensor(const QString &option, const ImportPlan &plan, const std::string &tensor)
{
    std::string names;
    for (const ImportSlot &slot : plan.tensors)
        names += (names.empty() ? "" : ", ") + slot.tensor;
    return {ErrorCode::NotFound,
            option.toStdString() + ": there is no tensor \"" + tensor + "\"; the file has " + names};
}

/// The tensor takes the stage, and whatever else was taken for that stage gives it up.
Result<void> assign(ImportPlan &plan, const QString &option, Stage stage, const std::string &tensor)
{
    const std::vector<ImportSlot *> chosen = slotsNamed(plan, tensor);
    if (chosen.empty())
        return noTensor(option, plan, tensor);
    for (ImportSlot &slot : plan.tensors)
        if (slot.stage == stage && slot.tensor != tensor)
            slot.stage.reset();
    for (ImportSlot *slot : chosen) {
        slot->stage = stage;
        slot->isReference = false;
    }
    return {};
}

Result<void> mapTensors(ImportPlan &plan, const CommandLine &line)
{
    for (const QString &text : line.values(u"--map"_s)) {
        const qsizetype equals = text.indexOf(u'=');
        if (equals < 1)
            return usageError(u"--map: expected STAGE=TENSOR, found \"%1\""_s.arg(text));
        const QString name = text.left(equals);
        const std::string tensor = text.mid(equals + 1).toStdString();
        if (name == "none"_L1) {
            const std::vector<ImportSlot *> unused = slotsNamed(plan, tensor);
            if (unused.empty())
                return noTensor(u"--map"_s, plan, tensor);
            for (ImportSlot *slot : unused)
                slot->stage.reset();
            continue;
        }
        const std::optional<Stage> stage = stageFromName(name.toStdString());
        if (!stage)
            return usageError(u"--map: there is no stage \"%1\""_s.arg(name));
        const Result<void> assigned = assign(plan, u"--map"_s, *stage, tensor);
        if (!assigned)
            return assigned;
    }
    return {};
}

Result<void> setMask(ImportPlan &plan, const CommandLine &line)
{
    if (!line.has(u"--mask"_s))
        return {};
    using Meaning = ImportPlan::MaskMeaning;
    QString name = line.value(u"--mask"_s);
    for (const auto &[suffix, meaning] :
         {std::pair(u":keep"_s, Meaning::Keep), std::pair(u":drop"_s, Meaning::Drop),
          std::pair(u":add"_s, Meaning::Add)}) {
        if (name.endsWith(suffix)) {
            name.chop(suffix.size());
            plan.maskMeaning = meaning;
            break;
        }
    }
    const Stage stage = plan.maskMeaning == Meaning::Add ? Stage::MaskAdd : Stage::MaskBool;
    return assign(plan, u"--mask"_s, stage, name.toStdString());
}

Result<void> transpose(ImportPlan &plan, const CommandLine &line)
{
    for (const QString &name : line.values(u"--transpose"_s)) {
        const std::optional<Stage> stage = stageFromName(name.toStdString());
        if (!stage)
            return usageError(u"--transpose: there is no stage \"%1\""_s.arg(name));
        bool isFound = false;
        for (ImportSlot &slot : plan.tensors) {
            if (slot.stage != stage)
                continue;
            slot.transposed = !slot.transposed;
            isFound = true;
        }
        if (!isFound)
            return Error{ErrorCode::NotFound, "--transpose: no tensor is taken for " + name.toStdString()};
    }
    return {};
}

Result<void> choose(const CommandLine &line, const QString &option, Index count, Index &chosen)
{
    const auto number = line.integer(option, 0);
    if (!number)
        return number.error();
    if (!*number)
        return {};
    if (**number >= count)
        return Error{ErrorCode::BadInput, option.toStdString() + ": expected 0 to " +
                                              std::to_string(count - 1) + ", found " +
                                              std::to_string(**number)};
    chosen = **number;
    return {};
}

Result<void> setCounts(ImportPlan &plan, const CommandLine &line)
{
    for (const Result<void> &chosen : {choose(line, u"--layer"_s, plan.layerCount, plan.layer),
                                       choose(line, u"--batch"_s, plan.batchCount, plan.batch)})
        if (!chosen)
            return chosen;
    const auto heads = line.integer(u"--heads"_s, 1);
    const auto kvHeads = line.integer(u"--kv-heads"_s, 1);
    if (!heads || !kvHeads)
        return heads ? kvHeads.error() : heads.error();
    if (*heads)
        plan.nHeads = **heads;
    if (*kvHeads)
        plan.nKvHeads = **kvHeads;
    return {};
}

Result<void> setLabels(ImportPlan &plan, const CommandLine &line)
{
    if (!line.has(u"--labels"_s))
        return {};
    Result<std::vector<LabelSet>> labels = labelsFromFile(line.value(u"--labels"_s));
    if (!labels)
        return labels.error();
    plan.labels = std::move(*labels);
    return {};
}

} // namespace

PlanCorrection importOptions(const CommandLine &line)
{
    return [line](ImportPlan &plan) -> Result<void> {
        for (const auto &correct : {&mapTensors, &setMask, &transpose, &setCounts, &setLabels}) {
            const Result<void> done = correct(plan, line);
            if (!done)
                return done;
        }
        if (line.has(u"--map"_s) || line.has(u"--mask"_s))
            markReferences(plan);
        return {};
    };
}

} // namespace attn
