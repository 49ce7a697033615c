#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariantMap>

class QMainWindow;

namespace attn {

/// What the program remembers between runs.
class SettingsStore
{
public:
    SettingsStore();

    /// Size, place, docks and tool bars. False when nothing is stored yet, or by another layout version.
    bool restoreWindow(QMainWindow &window) const;
    void saveWindow(const QMainWindow &window);
    void forgetWindow();

    QString lastFolder() const;
    void setLastFolder(const QString &folder);

    /// Newest first, absolute paths, at most 10.
    QStringList recentFiles() const;
    void addRecentFile(const QString &path);
    void removeRecentFile(const QString &path);
    void clearRecentFiles();

    /// Choices of a dialog, by its name.
    QVariantMap choices(const QString &dialog) const;
    void setChoices(const QString &dialog, const QVariantMap &choices);

    QString theme() const; ///< "system", "light", "dark"
    void setTheme(const QString &theme);
    bool reducedMotion() const; ///< nothing moves by itself
    void setReducedMotion(bool reduced);
    QString language() const; ///< a locale name; empty: as the system
    void setLanguage(const QString &language);

private:
    QSettings m_settings;
};

} // namespace attn
