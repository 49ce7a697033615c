#pragma once

class QMenu;

namespace attn {

class ActionRegistry;
class SettingsStore;
class ThemeController;
class Workbench;

/// Adds the choice of light, dark or as the system; it is remembered.
void addThemeMenu(ActionRegistry &actions, QMenu *menu, ThemeController *theme, SettingsStore *settings);

/// Adds the choice that nothing moves by itself; it is remembered.
void addMotionAction(ActionRegistry &actions, QMenu *menu, SettingsStore *settings, Workbench *workbench);

} // namespace attn
