#pragma once

#include "render/Theme.h"

#include <QObject>

namespace attn {

class SystemAppearance;

/// Light, dark or as the system, also when that changes: sets the application's palette and tells the views.
class ThemeController : public QObject
{
    Q_OBJECT

public:
    enum class Choice
    {
        System,
        Light,
        Dark,
    };

    explicit ThemeController(QObject *parent = nullptr);

    Choice choice() const { return m_choice; }
    void setChoice(Choice choice);
    const Theme &theme() const { return m_theme; }
    bool isDark() const { return m_theme.isDark; }
    SystemAppearance *system() { return m_system; }

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void changed();

private:
    void apply();
    void readSystemPalette();
    void onSystemChanged();

    Choice m_choice = Choice::System;
    Theme m_theme = Theme::light();
    SystemAppearance *m_system;
    bool m_isReading = false;
};

} // namespace attn
