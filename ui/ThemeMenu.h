#pragma once

class QMenu;

namespace attn {

class ActionRegistry;
class SettingsStore;
class ThemeController;

/// Adds the choice of light, dark or as the system; it is remembered.
void addThemeMenu(ActionRegistry &actions, QMenu *menu, ThemeController *theme, SettingsStore *settings);

} // namespace attn
