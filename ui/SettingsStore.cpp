#include "SettingsStore.h"

#include <QDir>
#include <QMainWindow>
#include <QStandardPaths>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr int layoutVersion = 3;
constexpr int recentLimit = 10;

} // namespace

SettingsStore::SettingsStore()
    : m_settings(QSettings::IniFormat, QSettings::UserScope, u"attnscope"_s, u"attnscope"_s)
{
}

bool SettingsStore::restoreWindow(QMainWindow &window) const
{
    const QByteArray state = m_settings.value(u"window/state"_s).toByteArray();
    if (state.isEmpty())
        return false;
    window.restoreGeometry(m_settings.value(u"window/geometry"_s).toByteArray());
    return window.restoreState(state, layoutVersion);
}

void SettingsStore::saveWindow(const QMainWindow &window)
{
    m_settings.setValue(u"window/geometry"_s, window.saveGeometry());
    m_settings.setValue(u"window/state"_s, window.saveState(layoutVersion));
}

void SettingsStore::forgetWindow()
{
    m_settings.remove(u"window"_s);
}

QString SettingsStore::lastFolder() const
{
    const QString folder = m_settings.value(u"files/lastFolder"_s).toString();
    if (!folder.isEmpty() && QDir(folder).exists())
        return folder;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

void SettingsStore::setLastFolder(const QString &folder)
{
    m_settings.setValue(u"files/lastFolder"_s, folder);
}

QStringList SettingsStore::recentFiles() const
{
    return m_settings.value(u"files/recent"_s).toStringList();
}

void SettingsStore::addRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_settings.setValue(u"files/recent"_s, files.mid(0, recentLimit));
}

void SettingsStore::removeRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    m_settings.setValue(u"files/recent"_s, files);
}

void SettingsStore::clearRecentFiles()
{
    m_settings.remove(u"files/recent"_s);
}

QVariantMap SettingsStore::choices(const QString &dialog) const
{
    return m_settings.value(QString(u"dialogs/"_s + dialog)).toMap();
}

void SettingsStore::setChoices(const QString &dialog, const QVariantMap &choices)
{
    m_settings.setValue(QString(u"dialogs/"_s + dialog), choices);
}

QString SettingsStore::theme() const
{
    return m_settings.value(u"look/theme"_s, u"system"_s).toString();
}

void SettingsStore::setTheme(const QString &theme)
{
    m_settings.setValue(u"look/theme"_s, theme);
}

bool SettingsStore::reducedMotion() const
{
    return m_settings.value(u"view/reducedMotion"_s, false).toBool();
}

void SettingsStore::setReducedMotion(bool reduced)
{
    m_settings.setValue(u"view/reducedMotion"_s, reduced);
}

QString SettingsStore::language() const
{
    return m_settings.value(u"look/language"_s).toString();
}

void SettingsStore::setLanguage(const QString &language)
{
    m_settings.setValue(u"look/language"_s, language);
}

} // namespace attn
