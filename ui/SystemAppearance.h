#pragma once

#include <QObject>

#include <optional>

class QDBusVariant;

namespace attn {

/// Whether the desktop wants dark windows, now and when that changes: as its portal says over D-Bus
/// (org.freedesktop.portal.Settings, color-scheme), else by the lightness of the system's palette.
class SystemAppearance : public QObject
{
    Q_OBJECT

public:
    explicit SystemAppearance(QObject *parent = nullptr);

    bool isDark() const { return m_portalIsDark.value_or(m_paletteIsDark); }
    void setPaletteIsDark(bool dark);

public slots:
    /// The portal's signal. Other settings than the colour scheme are ignored; 1 is dark, 2 light, anything
    /// else no preference.
    void onSettingChanged(const QString &group, const QString &key, const QDBusVariant &value);

signals:
    void changed();

private:
    void askPortal();
    void setPortalValue(const QVariant &value);

    std::optional<bool> m_portalIsDark;
    bool m_paletteIsDark = false;
};

} // namespace attn
