#pragma once

#include "engine/FlowLinks.h"
#include "engine/RowFlow.h"
#include "render/SceneBuilders.h"

#include <memory>
#include <optional>

namespace attn {

/// How the lists of a picture of flow stand.
enum class FlowLayout
{
    SideBySide, ///< from left to right: tokens below each other
    Stacked,    ///< from top to bottom: tokens beside each other, CJK labels written downwards
};

/// More tokens than these get no place of their own for their label; labels then go where there is room.
inline constexpr Index mostLabelledTokens = 64;

struct TokenFlowOptions
{
    FlowQuestion question; ///< without onlySource and onlyTarget
    FlowFilter filter;
    FlowLayout layout = FlowLayout::SideBySide;
    double width = 1200.0;       ///< the lists stand so far apart that the picture is so wide, within limits
    std::optional<Index> source; ///< this key token alone
    std::optional<Index> target; ///< this query token alone; wins over source
    std::optional<Index> outputColumn;           ///< the direction is that of this column of the output
    QString directionName;                       ///< "output column f2"
    std::optional<CellIndex> selected;           ///< of A: its link is framed
    std::shared_ptr<const FlowLinks> links;      ///< of this snapshot; null = computed here
    std::shared_ptr<const FlowLinks> aloneLinks; ///< of `source` or `target`; null = computed here
};

/// Ribbons from key tokens to query tokens. Shapes: "from:3" and "to:3" for tokens, "link:3:1" from key 3 to
/// query 1.
Scene tokenFlowScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokenFlowOptions &options = {});

struct RowFlowOptions
{
    RowFlowQuestion question;
    FlowFilter filter;
    FlowLayout layout = FlowLayout::SideBySide;
    double width = 1200.0;
    std::optional<Index> source;         ///< this feature or token alone
    std::optional<Index> target;         ///< this cell alone; wins over source
    std::shared_ptr<const RowFlow> flow; ///< of this snapshot; null = computed here
};

/// How one row comes about: input features -> weight columns -> cells of Q, K or V, or tokens -> footprints
/// -> cells of the output row. Shapes: "from:3", "through:3", "to:3", "link:3:1".
Scene rowFlowScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                   const RowFlowOptions &options = {});

} // namespace attn
