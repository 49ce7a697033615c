#pragma once

#include "render/Theme.h"

#include <QObject>

namespace attn {

/// Light, dark or as the system: sets the application's palette and tells the views.
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

signals:
    void changed();

private:
    void apply();

    Choice m_choice = Choice::System;
    Theme m_theme = Theme::light();
    bool m_systemIsDark = false;
};

} // namespace attn
