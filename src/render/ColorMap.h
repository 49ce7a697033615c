#pragma once

#include <QColor>
#include <QRgb>
#include <QString>
#include <QStringList>

#include <array>

namespace attn {

/// 256 colours from the low to the high end of a scale. Colour-blind safe.
class ColorMap
{
public:
    enum class Kind
    {
        Sequential,
        Diverging, ///< centred on zero, symmetric range
    };

    const QString &name() const { return m_name; }
    Kind kind() const { return m_kind; }
    /// t in [0, 1]; clamped.
    QRgb rgb(double t) const;
    const std::array<QRgb, 256> &table() const { return m_table; }

    /// Names for menus: viridis, magma, cividis, gray; blue-orange (diverging, white or dark centre by
    /// theme).
    static QStringList names(Kind kind);
    /// By name; unknown names give the default of `fallback`. `dark` chooses the dark centre of diverging
    /// maps.
    static ColorMap byName(const QString &name, Kind fallback, bool dark);

private:
    QString m_name;
    Kind m_kind = Kind::Sequential;
    std::array<QRgb, 256> m_table{};
};

/// Black or white, whichever has the higher contrast on this colour (always >= 4.5:1).
QColor readableOn(QRgb background);

} // namespace attn
