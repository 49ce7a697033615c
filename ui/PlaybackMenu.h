#pragma once

#include <functional>

class QMenu;

namespace attn {

class ActionRegistry;
class PlaybackBar;

/// Adds "Play": play or pause, one step back, one step forward, for the bar of the workspace on show; nothing
/// happens where it has none.
void addPlaybackMenu(ActionRegistry &actions, QMenu *menu, const std::function<PlaybackBar *()> &currentBar);

} // namespace attn
