#include "cli/InputDescription.h"

#include "base/NumberText.h"
#include "engine/kernels/KernelTable.h"

#include <algorithm>

namespace attn {

namespace {

const char *roleName(AxisRole role)
{
    switch (role) {
    case AxisRole::Batch:
        return "batch";
    case AxisRole::Layer:
        return "layer";
    case AxisRole::Head:
        return "head";
    case AxisRole::Row:
        return "row";
    case AxisRole::Col:
        return "col";
    case AxisRole::Unknown:
        break;
    }
    return "unknown";
}

InputDescription::Matrix matrixOf(Stage stage, const Tensor &tensor, const std::string &remark)
{
    InputDescription::Matrix matrix;
    matrix.name = stageName(stage);
    matrix.dtype = tensor.storage() == Tensor::Storage::Float32 ? "F32" : "F64";
    const Shape &shape = tensor.shape();
    matrix.shape = {shape.rows, shape.cols};
    matrix.axes = {"row", "col"};
    if (shape.heads > 1 || stageInfo(stage).heads == HeadAxis::Query) {
        matrix.shape.insert(matrix.shape.begin(), shape.heads);
        matrix.axes.insert(matrix.axes.begin(), "head");
    }
    matrix.stages = {matrix.name};
    matrix.remark = remark;
    return matrix;
}

std::string counted(Index count, const std::string &noun)
{
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string limitText(const std::optional<Index> &limit)
{
    return limit ? std::to_string(*limit) : "any";
}

std::string scaleSentence(const Experiment &experiment, const Sizes &sizes)
{
    if (!experiment.scale && sizes.dHeadK > 0)
        return "scale 1/sqrt(d_k) = " + shortestText(sizes.scale);
    return sizes.scale == 1.0 ? "no scale" : "scale " + shortestText(sizes.scale);
}

/// The settings of an experiment, one sentence each.
std::vector<std::string> conventions(const Experiment &experiment)
{
    const Sizes sizes = sizesOf(experiment);
    std::vector<std::string> sentences;
    sentences.push_back(counted(sizes.nHeads, "head") +
                        (sizes.nKvHeads == sizes.nHeads
                             ? std::string()
                             : " sharing " + counted(sizes.nKvHeads, "key/value head")) +
                        ", d_k " + std::to_string(sizes.dHeadK) + ", d_v " + std::to_string(sizes.dHeadV));
    sentences.push_back(scaleSentence(experiment, sizes));
    if (experiment.qOffset != 0)
        sentences.push_back("the first query stands at position " + std::to_string(experiment.qOffset));
    if (experiment.causal)
        sentences.emplace_back("causal mask");
    if (experiment.window)
        sentences.push_back("window " + limitText(experiment.window->left) + ", " +
                            limitText(experiment.window->right));
    if (experiment.rotary) {
        const Rotary &rotary = *experiment.rotary;
        sentences.push_back(
            std::string("rotary positions, ") +
            (rotary.pairing == Rotary::Pairing::Interleaved ? "interleaved" : "half") + ", base " +
            shortestText(rotary.base) +
            (rotary.rotDim ? ", " + std::to_string(*rotary.rotDim) + " columns" : std::string()));
    }
    for (const auto &[stage, pins] : experiment.pins)
        sentences.push_back(counted(pins.count(), "pin") + " of " + stageName(stage));
    sentences.emplace_back(experiment.precision == Precision::Float64 ? "computed in float64"
                                                                      : "computed in float32");
    return sentences;
}

std::string joined(const std::vector<std::string> &parts, const char *between)
{
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : between) + part;
    return text;
}

std::string shapeOf(const std::vector<std::int64_t> &shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "scalar" : text;
}

std::string padded(std::string text, std::size_t width)
{
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

void addList(std::string &text, const char *title, const std::vector<std::string> &lines)
{
    if (lines.empty())
        return;
    text += std::string(title) + "\n";
    for (const std::string &line : lines)
        text += "  " + line + "\n";
}

void addKernelNote(std::vector<std::string> &notes)
{
    if (*kernelNote() != '\0')
        notes.emplace_back(kernelNote());
}

Json textsJson(const std::vector<std::string> &texts)
{
    return Json::Array(texts.begin(), texts.end());
}

} // namespace

InputDescription describeExperiment(const std::string &file, const OpenedInput &opened)
{
    const Experiment &experiment = opened.experiment;
    InputDescription description;
    description.file = file;
    for (const StageInfo &info : stageTable())
        if (experiment.isGiven(info.stage))
            description.matrices.push_back(matrixOf(info.stage, experiment.matrix(info.stage), ""));
    for (const auto &[stage, matrix] : opened.reference)
        description.matrices.push_back(matrixOf(stage, matrix, "to compare with"));
    description.tokens = experiment.tokens.labels();
    if (experiment.tokensKv)
        description.tokensKv = experiment.tokensKv->labels();
    description.guesses = conventions(experiment);
    description.notes = opened.notes;
    addKernelNote(description.notes);
    return description;
}

namespace {

/// Whether the column headings of the file stand over keys: over a map of as many queries and keys.
bool hasKeyColumns(const TensorFile &tensors, const ImportPlan &plan)
{
    return std::any_of(plan.tensors.begin(), plan.tensors.end(), [&](const ImportSlot &slot) {
        const auto entry = tensors.find(slot.tensor);
        return entry && slot.stage && stageInfo(*slot.stage).cols == Axis::Key &&
               !tensors.entries()[*entry].shape.empty() &&
               tensors.entries()[*entry].shape.back() == static_cast<std::int64_t>(tensors.colLabels.size());
    });
}

} // namespace

InputDescription describeTensors(const std::string &file, const TensorFile &tensors, const ImportPlan &plan)
{
    InputDescription description;
    description.file = file;
    for (const FileTensorInfo &entry : tensors.entries()) {
        InputDescription::Matrix matrix;
        matrix.name = entry.name;
        matrix.dtype = dtypeName(entry.dtype);
        matrix.shape = entry.shape;
        matrix.remark = entry.unsupported;
        matrix.isReadable = entry.unsupported.empty();
        if (!matrix.isReadable && entry.shape.empty())
            matrix.dtype = "?"; // nor is it known what it is
        for (const ImportSlot &slot : plan.tensors) {
            if (slot.tensor != entry.name)
                continue;
            if (slot.stage)
                matrix.stages.emplace_back(stageName(*slot.stage));
            matrix.axes.clear();
            for (const AxisRole role : slot.axes)
                matrix.axes.emplace_back(roleName(role));
            if (slot.stage && slot.transposed)
                matrix.remark = "stored out x in";
            if (slot.stage && slot.isReference)
                matrix.remark = "to compare with";
        }
        description.matrices.push_back(std::move(matrix));
    }
    description.tokens = tensors.rowLabels;
    (hasKeyColumns(tensors, plan) ? description.tokensKv : description.features) = tensors.colLabels;
    if (!plan.labels.empty()) {
        const std::size_t chosen = std::min(static_cast<std::size_t>(plan.batch), plan.labels.size() - 1);
        description.tokens = plan.labels[chosen].tokens;
        description.tokensKv = plan.labels[chosen].tokensKv;
    }
    description.guesses = plan.guesses;
    for (const auto *list : {&plan.notes, &plan.questions}) // the plan's begin with those of the file
        description.notes.insert(description.notes.end(), list->begin(), list->end());
    addKernelNote(description.notes);
    return description;
}

std::string descriptionText(const InputDescription &description)
{
    std::size_t width = 0;
    for (const InputDescription::Matrix &matrix : description.matrices)
        width = std::max(width, matrix.name.size());
    std::string text = description.file + "\n";
    for (const InputDescription::Matrix &matrix : description.matrices) {
        const bool isKnown = matrix.isReadable || !matrix.shape.empty();
        text += "  " + padded(matrix.name, width) + "  " + padded(matrix.dtype, 4) + "  " +
                padded(isKnown ? shapeOf(matrix.shape) : "?", 12);
        if (!matrix.isReadable) {
            text += "  cannot be read: " + matrix.remark + "\n";
            continue;
        }
        text += matrix.stages.empty() ? "  unused" : "  " + joined(matrix.stages, ", ");
        text += matrix.axes.empty() ? "" : " (" + joined(matrix.axes, ", ") + ")";
        text += matrix.remark.empty() ? "\n" : "; " + matrix.remark + "\n";
    }
    if (!description.tokens.empty())
        text += "tokens\n  " + joined(description.tokens, " | ") + "\n";
    if (!description.tokensKv.empty())
        text += "key tokens\n  " + joined(description.tokensKv, " | ") + "\n";
    if (!description.features.empty())
        text += "column names\n  " + joined(description.features, " | ") + "\n";
    addList(text, "conventions", description.guesses);
    addList(text, "notes", description.notes);
    addList(text, "computed with", {isaName()});
    return text;
}

Json descriptionJson(const InputDescription &description)
{
    Json::Array matrices;
    Json labels =
        Json::Object{{"tokens", textsJson(description.tokens)},
                     {"tokens_kv", description.tokensKv.empty() ? Json() : textsJson(description.tokensKv)}};
    if (!description.features.empty())
        labels.set("columns", textsJson(description.features));
    for (const InputDescription::Matrix &matrix : description.matrices) {
        Json stage;
        if (matrix.stages.size() == 1)
            stage = matrix.stages.front();
        else if (!matrix.stages.empty())
            stage = textsJson(matrix.stages);
        Json json = Json::Object{{"name", matrix.name},
                                 {"dtype", matrix.dtype},
                                 {"shape", Json::Array(matrix.shape.begin(), matrix.shape.end())},
                                 {"stage", stage},
                                 {"axes", textsJson(matrix.axes)}};
        if (!matrix.remark.empty())
            json.set("remark", matrix.remark);
        matrices.push_back(std::move(json));
    }
    return Json::Object{
        {"file", description.file},
        {"tensors", std::move(matrices)},
        {"labels", std::move(labels)},
        {"guesses", textsJson(description.guesses)},
        {"notes", textsJson(description.notes)},
        {"isa", isaName()},
    };
}

} // namespace attn
