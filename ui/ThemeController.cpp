#include "ThemeController.h"

#include <QApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>

namespace attn {

namespace {

QColor mixed(const QColor &a, const QColor &b, float share)
{
    const auto part = [share](float x, float y) {
        return x + (y - x) * share;
    };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()),
                            part(a.blueF(), b.blueF()));
}

QPalette paletteOf(const Theme &theme)
{
    const QColor window = mixed(theme.card, theme.hairline, theme.isDark ? 0.35F : 0.30F);
    QPalette palette(window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.card);
    palette.setColor(QPalette::AlternateBase, theme.ground);
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.mutedText);
    palette.setColor(QPalette::Button, window);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.warning);
    palette.setColor(QPalette::ToolTipBase, theme.card);
    palette.setColor(QPalette::ToolTipText, theme.text);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    // A tint, so that a selected block keeps its numbers readable and the accent is left to the current cell.
    palette.setColor(QPalette::Highlight, mixed(theme.card, theme.accent, theme.isDark ? 0.36F : 0.22F));
    palette.setColor(QPalette::HighlightedText, theme.text);
    const QColor disabled = mixed(theme.text, window, 0.6F);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(theme.hairline, window, 0.5F));
    return palette;
}

} // namespace

ThemeController::ThemeController(QObject *parent)
    : QObject(parent)
{
    m_systemIsDark = QApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    apply();
}

void ThemeController::setChoice(Choice choice)
{
    if (m_choice == choice)
        return;
    m_choice = choice;
    apply();
    emit changed();
}

void ThemeController::apply()
{
    const bool dark = m_choice == Choice::Dark || (m_choice == Choice::System && m_systemIsDark);
    m_theme = dark ? Theme::dark() : Theme::light();
    QApplication::setPalette(paletteOf(m_theme));
}

} // namespace attn
