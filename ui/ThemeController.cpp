#include "ThemeController.h"

#include "OutlinedStyle.h"
#include "SystemAppearance.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <QScopedValueRollback>
#include <QStyle>

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
    , m_system(new SystemAppearance(this))
{
    QApplication::setStyle(new OutlinedStyle);
    readSystemPalette();
    apply();
    connect(m_system, &SystemAppearance::changed, this, &ThemeController::onSystemChanged);
    qApp->installEventFilter(this);
}

bool ThemeController::eventFilter(QObject *watched, QEvent *event)
{
    // Windows hear of another theme of the desktop; the application's palette hides it, being all our own.
    if (event->type() == QEvent::ThemeChange && watched->isWindowType() && !m_isReading)
        QMetaObject::invokeMethod(this, &ThemeController::readSystemPalette, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

void ThemeController::readSystemPalette()
{
    const QScopedValueRollback reading(m_isReading, true);
    const QPalette own = QApplication::palette();
    QApplication::setPalette(QPalette()); // the system's shows through
    const bool dark = QApplication::palette().color(QPalette::Window).lightnessF() < 0.5F;
    QApplication::setPalette(own);
    m_system->setPaletteIsDark(dark);
}

void ThemeController::onSystemChanged()
{
    if (m_choice != Choice::System)
        return;
    apply();
    emit changed();
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
    const bool dark = m_choice == Choice::Dark || (m_choice == Choice::System && m_system->isDark());
    m_theme = dark ? Theme::dark() : Theme::light();
    QApplication::setPalette(paletteOf(m_theme));
}

} // namespace attn
