#include "render/Theme.h"

#include <QStringList>

namespace attn {

namespace {

QFont themeFont(const QString &family, int pixelSize)
{
    QFont font(family);
    font.setPixelSize(pixelSize);
    font.setHintingPreference(QFont::PreferNoHinting); // the same advances at every zoom and in every export
    // Any spacing at all switches ligatures off: "fi" in a token stays two letters, also when copied from a
    // PDF.
    font.setLetterSpacing(QFont::AbsoluteSpacing, 0.02);
    return font;
}

void setThemeFonts(Theme &theme)
{
    // DejaVu is on every Debian with Qt; its digits all have one width.
    theme.textFont = themeFont(QStringLiteral("DejaVu Sans"), 12);
    theme.numberFont = themeFont(QStringLiteral("DejaVu Sans"), 12);
    theme.symbolFont = themeFont(QStringLiteral("DejaVu Serif"), 15);
}

} // namespace

Theme Theme::light()
{
    Theme theme;
    theme.ground = QColor(0xfaf9f6);
    theme.card = QColor(0xffffff);
    theme.hairline = QColor(0xd9d7d0);
    theme.text = QColor(0x22262b);
    theme.mutedText = QColor(0x63686f);
    theme.accent = QColor(0xc8175d);
    theme.pin = QColor(0x6a3fb5);
    theme.warning = QColor(0x9a5400);
    theme.missing = QColor(0x7b8087);
    theme.masked = QColor(0xb9bbbd);
    theme.isDark = false;
    setThemeFonts(theme);
    return theme;
}

Theme Theme::dark()
{
    Theme theme;
    theme.ground = QColor(0x17191c);
    theme.card = QColor(0x1f2226);
    theme.hairline = QColor(0x3a3f45);
    theme.text = QColor(0xe4e6e8);
    theme.mutedText = QColor(0x9ea4ab);
    theme.accent = QColor(0xff6497);
    theme.pin = QColor(0xbda2ff);
    theme.warning = QColor(0xf0b35a);
    theme.missing = QColor(0x989ea5);
    theme.masked = QColor(0x5a6067);
    theme.isDark = true;
    setThemeFonts(theme);
    return theme;
}

} // namespace attn
