#pragma once

#include "dialogs/ExportDialog.h"
#include "io/StageExport.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QMenu;
class QWidget;

namespace attn {

class ActionRegistry;
class SceneWorkspace;
class SettingsStore;
class Workbench;

/// Writes figures and numbers to files, and puts pictures on the clipboard. Remembers the last choice.
class ExportController : public QObject
{
    Q_OBJECT

public:
    /// `currentWorkspace`: the one on show, for "current view".
    ExportController(Workbench *workbench, SettingsStore *settings,
                     std::function<SceneWorkspace *()> currentWorkspace, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);

    /// The scene of a choice; `stage` is drawn for Stage and EveryStage.
    Scene sceneOf(const FigureChoice &choice, Stage stage) const;
    /// Writes the figure, or one file per stage into a folder; failures come up as a box.
    bool writeFigures(const FigureChoice &choice, const QString &path);

private:
    void askForFigure();
    void askForData();
    void askForFigurePath(const FigureChoice &choice);
    QStringList stageFiles(const FigureChoice &choice, const QString &folder) const;
    /// Asks before files are replaced.
    void writeEveryStage(const FigureChoice &choice, const QString &folder);
    void writeData(const std::vector<Stage> &stages, DataFormat format, const QString &path, bool intoFolder);
    void sayWritten(const QString &text);
    void copyImage(const FigureChoice &choice);
    void report(const QString &problem);

    Workbench *m_workbench;
    SettingsStore *m_settings;
    std::function<SceneWorkspace *()> m_currentWorkspace;
    QWidget *m_window;
    QPointer<ExportDialog> m_figureDialog;
};

} // namespace attn
