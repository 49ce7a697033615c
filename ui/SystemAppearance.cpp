#include "SystemAppearance.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFile>
#include <QGuiApplication>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

const QLatin1String portalService("org.freedesktop.portal.Desktop");
const QLatin1String portalPath("/org/freedesktop/portal/desktop");
const QLatin1String portalInterface("org.freedesktop.portal.Settings");
const QLatin1String appearanceGroup("org.freedesktop.appearance");
const QLatin1String schemeKey("color-scheme");

/// A bus that is there already: asking for one must not start it.
bool hasSessionBus()
{
    return qEnvironmentVariableIsSet("DBUS_SESSION_BUS_ADDRESS") ||
           QFile::exists(QString(qEnvironmentVariable("XDG_RUNTIME_DIR") + u"/bus"));
}

} // namespace

SystemAppearance::SystemAppearance(QObject *parent)
    : QObject(parent)
{
    if (QGuiApplication::platformName() != "offscreen"_L1 && hasSessionBus())
        askPortal();
}

void SystemAppearance::setPaletteIsDark(bool dark)
{
    const bool before = isDark();
    m_paletteIsDark = dark;
    if (isDark() != before)
        emit changed();
}

void SystemAppearance::onSettingChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group == appearanceGroup && key == schemeKey)
        setPortalValue(value.variant());
}

void SystemAppearance::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    // Connections of D-Bus signals know slots by their text only.
    bus.connect(portalService, portalPath, portalInterface, u"SettingChanged"_s, this,
                SLOT(onSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage question =
        QDBusMessage::createMethodCall(portalService, portalPath, portalInterface, u"Read"_s);
    question << QString(appearanceGroup) << QString(schemeKey);
    constexpr int patienceMs = 2000;
    auto *answer = new QDBusPendingCallWatcher(bus.asyncCall(question, patienceMs), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QDBusVariant> reply = *answer;
        answer->deleteLater();
        if (reply.isValid())
            setPortalValue(reply.value().variant());
    });
}

void SystemAppearance::setPortalValue(const QVariant &value)
{
    // Read answers with a variant inside of a variant.
    const QVariant plain = value.canConvert<QDBusVariant>() ? value.value<QDBusVariant>().variant() : value;
    const uint scheme = plain.toUInt();
    const bool before = isDark();
    m_portalIsDark = scheme == 1 ? std::optional(true) : scheme == 2 ? std::optional(false) : std::nullopt;
    if (isDark() != before)
        emit changed();
}

} // namespace attn
