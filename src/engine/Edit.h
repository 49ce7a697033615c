#pragma once

#include "base/Result.h"
#include "engine/Experiment.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attn {

/// An edit is a value: what a user, a script or a journal asks for. `applyEdit` is the only code that carries
/// one out.

/// Numbers of a given matrix. A mask matrix that does not exist yet is made full first (allowed, 0, real).
struct SetCells
{
    Stage stage;
    std::vector<CellValue> cells;
};
/// Replaces a given matrix; null removes it (Wo, biases, mask matrices, or the whole given stage).
struct SetTensor
{
    Stage stage;
    Tensor value;
};
struct PinCells
{
    Stage stage;
    std::vector<CellValue> cells;
};
struct UnpinCells
{
    Stage stage;
    std::vector<CellIndex> cells;
};
struct PinStage
{
    Stage stage;
    Tensor value;
};
struct UnpinStage
{
    Stage stage;
};
/// Splits the same weights anew. Drops pins of scores, scaled, A and those that no longer fit; per-head masks
/// become none; ALiBi slopes are the new count's. Refused with scores, scaled or A given.
struct SetHeads
{
    Index nHeads = 1;
    Index nKvHeads = 1;
    std::map<Stage, Tensor> newMatrices; ///< Wk, Wv, bk, bv where the KV width changes
};
struct SetScale
{
    std::optional<double> scale; ///< none = default
};
struct SetQOffset
{
    Index offset = 0;
};
struct SetRotary
{
    std::optional<Rotary> rotary;
};
struct SetCausal
{
    bool causal = false;
};
struct SetWindow
{
    std::optional<Window> window;
};
struct SetPrecision
{
    Precision precision = Precision::Float64;
};
enum class TokenSide
{
    Query,
    KeyValue,
};
/// `row`: the new row of X (or Xkv); empty = zeros. Self attention: rows and columns. New mask cells are
/// allowed, 0, real; pins move with their token.
struct InsertToken
{
    TokenSide side = TokenSide::Query;
    Index index = 0;
    std::string label;
    std::vector<double> row;
};
struct DeleteToken
{
    TokenSide side = TokenSide::Query;
    Index index = 0;
};
struct RenameToken
{
    TokenSide side = TokenSide::Query;
    Index index = 0;
    std::string label;
};
/// The token ends at index `to`. Rows, columns, masks and pins move with it.
struct MoveToken
{
    TokenSide side = TokenSide::Query;
    Index from = 0;
    Index to = 0;
};
/// All labels at once; the count stays.
struct SetTokens
{
    TokenSide side = TokenSide::Query;
    std::vector<std::string> labels;
};
/// Model: a column of X and a row of Wq, Wk, Wv (ModelKv: of Xkv and rows of Wk, Wv). HeadKey: a column in
/// every head of Q and K weights. HeadValue: a column in every head of Wv and the rows of W^O. OutputWidth: a
/// column of W^O. Filled with 0. Pins that no longer fit are dropped.
struct InsertDimension
{
    Axis axis = Axis::Model;
    Index index = 0;
};
struct DeleteDimension
{
    Axis axis = Axis::Model;
    Index index = 0;
};
struct SetNotes
{
    std::string notes;
};
/// Makes or replaces a scratch matrix, whose rows keep their names; null removes it with them.
struct SetLab
{
    std::string name;
    Tensor value;
};
/// What the rows of a scratch matrix are called, from the first on; an empty name is none.
struct SetLabRowNames
{
    std::string name;
    std::vector<std::string> rows;
};
/// Numbers of a scratch matrix.
struct SetLabCells
{
    std::string name;
    std::vector<CellValue> cells;
};
struct Compound;

using Edit = std::variant<SetCells, SetTensor, PinCells, UnpinCells, PinStage, UnpinStage, SetHeads, SetScale,
                          SetQOffset, SetRotary, SetCausal, SetWindow, SetPrecision, InsertToken, DeleteToken,
                          RenameToken, MoveToken, SetTokens, InsertDimension, DeleteDimension, SetNotes,
                          SetLab, SetLabRowNames, SetLabCells, Compound>;

/// Several edits as one step.
struct Compound
{
    std::vector<Edit> edits;
};

struct EditOutcome
{
    Experiment experiment;
    std::vector<std::string> notes; ///< what had to be dropped, one sentence each
};

/// Carries out an edit on a value; the argument stays as it is. An error leaves nothing half done.
Result<EditOutcome> applyEdit(const Experiment &experiment, const Edit &edit);

/// What typing numbers into these cells means: SetCells for the document's own matrices and masks, PinCells
/// for computed stages; derived stages and non-numbers where they make no sense (a boolean mask takes 0 and
/// 1) are refused.
Result<Edit> typedEdit(const Experiment &experiment, Stage stage, std::vector<CellValue> cells);

/// What Delete means: unpin pinned cells, write 0 into given ones; computed ones are refused with the reason.
Result<Edit> clearedEdit(const Experiment &experiment, Stage stage, const std::vector<CellIndex> &cells);

/// Why this stage cannot be edited; empty when it can.
std::string readOnlyReason(const Experiment &experiment, Stage stage);

} // namespace attn
