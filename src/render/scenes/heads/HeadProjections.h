#pragma once

#include "engine/heads/HeadCut.h"
#include "render/scenes/heads/HeadDraft.h"

namespace attn {

/// Frames these columns (rows) of a map and lets the others fade.
void frameColumns(SceneMap &map, const LineRange &cols);
void frameRows(SceneMap &map, const LineRange &rows);

/// W^Q, W^K, W^V over Q, K, V, column under column, the head's own framed, and below them what it cuts out;
/// the inputs at the left. Draws what there is.
void addHeadProjections(HeadDraft &page, const HeadCut &cut);

} // namespace attn
