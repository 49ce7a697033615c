#pragma once

#include "engine/Experiment.h"
#include "io/Labels.h"
#include "io/TensorFile.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attn {

enum class AxisRole
{
    Batch,
    Layer,
    Head,
    Row,     ///< query or key token, or input feature of a weight
    Col,     ///< feature or key
    Unknown, ///< the user is asked
};

/// One tensor of the file and what it is taken for. A packed matrix has one slot for each of its parts.
struct ImportSlot
{
    struct Columns
    {
        Index begin = 0;
        Index end = 0;
    };

    std::string tensor;             ///< name in the file
    std::optional<Stage> stage;     ///< none = not used
    std::vector<AxisRole> axes;     ///< one per axis of the file's shape
    bool transposed = false;        ///< stored out x in
    bool isReference = false;       ///< a result beside its inputs: to compare with, never a pin
    std::optional<Index> layer;     ///< belongs to this layer only, by its name; none = to every one
    std::optional<Index> head;      ///< one head of the stage, by its name
    std::optional<Columns> columns; ///< only these columns, after transposing (packed Q, K, V)
};

/// How a tensor file becomes an experiment: what was guessed, and what the user (or --map ...) corrected.
struct ImportPlan
{
    enum class MaskMeaning
    {
        Keep, ///< true = may attend
        Drop, ///< true = hidden
        Add,  ///< numbers added to the scores
    };

    std::vector<ImportSlot> tensors; ///< in file order
    Index layer = 0;
    Index batch = 0;
    Index layerCount = 1;
    Index batchCount = 1;
    std::vector<std::string> layerNames; ///< of attention blocks told apart by name; else empty
    std::optional<Index> nHeads;
    std::optional<Index> nKvHeads;
    std::optional<double> scale;
    std::optional<Index> qOffset;
    bool causal = false;
    std::optional<Rotary> rotary;
    MaskMeaning maskMeaning = MaskMeaning::Keep;
    bool scoresAreScaled = true;
    Precision precision = Precision::Float64; ///< of the evaluation
    std::vector<LabelSet> labels;             ///< one set, or one per batch entry, or none: numbered
    std::vector<std::string> guesses;         ///< one sentence per guess
    std::vector<std::string> questions;       ///< what only the user can decide
    std::vector<std::string> notes;           ///< what is odd in the file
};

/// The labels that the plan gives the current batch entry: for `count` rows of the query or key side.
std::vector<std::string> plannedLabels(const ImportPlan &plan, Index count, bool isKeySide);

struct ImportResult
{
    Experiment experiment;
    std::map<Stage, Tensor> reference;
    std::vector<std::string> notes;
};

/// Guesses from names, shapes and metadata, by the rules of README "Import". Loads the small tensors that
/// tell a convention (masks, rotated queries); never fails for what it does not understand.
Result<ImportPlan> guessImport(const TensorFile &file);

/// Guesses again which tensors are given and which are only to compare with, after stages were changed.
void markReferences(ImportPlan &plan);

/// Loads and arranges; errors name the file, the tensor, what was expected and what was found. Whether it
/// would work is told by its error: a wizard calls it on every change.
Result<ImportResult> importExperiment(const TensorFile &file, const ImportPlan &plan);

} // namespace attn
