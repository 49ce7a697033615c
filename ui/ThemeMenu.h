#pragma once

class QMenu;

namespace attn {

class ActionRegistry;
class SettingsStore;
class ThemeController;
class Workbench;

/// Adds the choice of light, dark or as the system; it is remembered.
void addThemeMenu(ActionRegistry &actions, QMenu *menu, ThemeController *theme, SettingsStore *settings);

/// Whether views mark for a moment what an edit changed.
void addMotionAction(ActionRegistry &actions, QMenu *menu, SettingsStore *settings, Workbench *workbench);

} // namespace attn
