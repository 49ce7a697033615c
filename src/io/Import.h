#pragma once

#include "engine/Experiment.h"
#include "io/TensorFile.h"

#include <map>
#include <optional>
#include <set>
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

/// One tensor of the file and what it is taken for.
struct ImportSlot
{
    std::string tensor;         ///< name in the file
    std::optional<Stage> stage; ///< none = not used
    std::vector<AxisRole> axes; ///< one per axis of the file's shape
    bool transposed = false;    ///< stored out x in
    bool isReference = false;   ///< a result beside its inputs: to compare with, never a pin
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

    std::vector<ImportSlot> slots; ///< in file order
    Index layer = 0;
    Index batch = 0;
    Index layerCount = 1;
    Index batchCount = 1;
    std::optional<Index> nHeads;
    std::optional<Index> nKvHeads;
    std::optional<double> scale;
    std::optional<Index> qOffset;
    bool causal = false;
    std::optional<Rotary> rotary;
    MaskMeaning maskMeaning = MaskMeaning::Keep;
    bool scoresAreScaled = true;
    std::vector<std::string> tokens; ///< query labels; empty = numbered
    std::vector<std::string> tokensKv;
    std::vector<std::string> guesses;   ///< one sentence per guess
    std::vector<std::string> questions; ///< what only the user can decide
    std::vector<std::string> notes;     ///< what is odd in the file
};

struct ImportResult
{
    Experiment experiment;
    std::map<Stage, Tensor> reference;
    std::vector<std::string> notes;
};

/// Guesses from names, shapes and metadata, by the rules of README "Import".
Result<ImportPlan> guessImport(const TensorFile &file);
/// Loads and arranges; errors name the file, the tensor, what was expected and what was found.
Result<ImportResult> importExperiment(const TensorFile &file, const ImportPlan &plan);

} // namespace attn
