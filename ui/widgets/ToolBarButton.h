#pragma once

class QAction;
class QToolBar;

namespace attn {

/// Draws an action of a tool bar that has no icon as a button: a flat text among labels and fields would not
/// look like anything to press.
void drawAsButton(QToolBar *bar, QAction *action);

} // namespace attn
