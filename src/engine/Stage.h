#pragma once

#include "engine/Types.h"

#include <optional>
#include <span>
#include <string_view>

namespace attn {

/// Every named matrix of an experiment, in pipeline order. Names and meanings: README, "Words and names".
enum class Stage
{
    // inputs: numbers of the document
    X,
    Xkv,
    Wq,
    Bq,
    Wk,
    Bk,
    Wv,
    Bv,
    Wo,
    Bo,
    MaskPadding, ///< [1, n_k], 1 = real key
    MaskBool,    ///< [1 or h, n_q, n_k], 1 = allowed
    MaskAdd,     ///< [1 or h, n_q, n_k], added after scaling
    MaskAlibi,   ///< [1, h], slopes
                 // computed, may be given or pinned
    Q,
    K,
    V,
    Qr,
    Kr,
    Scores,
    Scaled,
    Masked,
    A,
    HeadOut,
    Concat,
    Output,
    // derived: read-only
    Qh,
    Kh,
    Vh,
    Allowed,
    Bias,
    FullyMasked, ///< [h, n_q]: rows = heads, columns = queries; no head axis
    ASoft,
    HeadContribution,
};

inline constexpr int stageCount = static_cast<int>(Stage::HeadContribution) + 1;

enum class StageKind
{
    Input,    ///< X, Xkv, weights, biases
    Mask,     ///< matrices of the mask
    Computed, ///< a step of the pipeline; may be given (numbers of the document) and pinned
    Derived,  ///< follows from the others; read-only
};

/// What the rows or columns of a stage stand for; gives labels, and the axis that vanishes in a product.
enum class Axis
{
    One,         ///< a single row (bias, padding, slopes)
    Query,       ///< query tokens, n_q
    Key,         ///< key tokens, n_k
    Model,       ///< d_model, columns of X
    ModelKv,     ///< columns of Xkv
    QueryWidth,  ///< h * d_k, columns of Q
    KeyWidth,    ///< h_kv * d_k, columns of K
    ValueWidth,  ///< h_kv * d_v, columns of V
    HeadKey,     ///< d_k, inside one head
    HeadValue,   ///< d_v, inside one head
    ConcatWidth, ///< h * d_v
    OutputWidth, ///< d_out
    Head,        ///< h
};

/// Which head axis a stage has in front of its rows.
enum class HeadAxis
{
    None,
    Query,    ///< h
    KeyValue, ///< h_kv
    Optional, ///< 1 (shared by all heads) or h: MaskBool, MaskAdd
};

struct StageInfo
{
    Stage stage;
    const char *name; ///< as in files and on the command line
    StageKind kind;
    HeadAxis heads;
    Axis rows;
    Axis cols;
    bool canBeGiven;               ///< numbers may come from the document
    bool canBePinned;              ///< numbers may be set over the computed ones
    std::span<const Stage> inputs; ///< what it is computed from; empty for inputs and masks
};

/// All stages, in pipeline order.
std::span<const StageInfo> stageTable();
const StageInfo &stageInfo(Stage stage);
const char *stageName(Stage stage);
std::optional<Stage> stageFromName(std::string_view name);

/// "token", "feature", "head": what one row or column of this axis is called.
const char *axisNoun(Axis axis);

/// A cell of a stage.
struct StageCell
{
    Stage stage = Stage::X;
    CellIndex cell;
};

} // namespace attn
