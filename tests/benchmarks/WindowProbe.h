#pragma once

#include "FileController.h"
#include "MainWindow.h"
#include "SettingsStore.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "views/SceneWorkspace.h"

#include <QApplication>

#include <functional>

namespace attn::bench {

/// The program's window, and a look at when its workspace paints what it has newly computed.
class WindowProbe : public QObject
{
public:
    WindowProbe();

    MainWindow &window() { return m_window; }
    Workbench &bench() { return *m_window.workbench(); }

    /// Opens a file and waits until it is read: large ones are read while the window goes on. False after a
    /// minute.
    bool open(const QString &file);
    /// Shows the window and waits for the first picture of a computed snapshot.
    bool showAndWait();
    /// What waitForPicture() waits for: a scene other than the present one, from a snapshot that is at least
    /// of this generation. To be said before the edit, which may be painted at once.
    void expectPictureOf(Generation generation);
    /// Runs the event loop until the visible workspace has painted what is expected. False after a minute
    /// without.
    bool waitForPicture();
    /// Milliseconds from a change of the view until the workspace is painted, whatever else the event loop
    /// does meanwhile.
    double frameMs(const std::function<void()> &change);
    /// Runs the event loop until a condition holds. False after `patienceMs`.
    bool waitUntil(double patienceMs, const std::function<bool()> &condition);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    ThemeController m_theme;
    SettingsStore m_settings;
    MainWindow m_window;
    std::shared_ptr<const Scene> m_before;
    Generation m_wanted;
    bool m_isPainted = false;
    bool m_hasFrame = false;
};

} // namespace attn::bench
