#pragma once

#include "ActionRegistry.h"
#include "document/ComputeService.h"

#include <QMainWindow>

class QDockWidget;
class QTabWidget;
class QToolButton;

namespace attn {

class EditController;
class ExperimentController;
class ExportController;
class FileController;
class ImportController;
class MessageBar;
class NavigationController;
class PaneSwitcher;
class SceneWorkspace;
class SettingsStore;
class StatusReadout;
class ThemeController;
class Workbench;

/// The window: composes document, workspaces, docks, menus and controllers; holds no logic of theirs.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow(ThemeController *theme, SettingsStore *settings,
               ComputeService::Mode mode = ComputeService::Mode::Automatic);
    ~MainWindow() override;

    Workbench *workbench() { return m_workbench; }
    FileController *files() { return m_files; }
    EditController *edits() { return m_edits; }
    NavigationController *navigation() { return m_navigation; }
    ExperimentController *experimentController() { return m_experiment; }
    ExportController *exports() { return m_export; }
    const ActionRegistry &actionRegistry() const { return m_actions; }
    SceneWorkspace *currentWorkspace() const;
    MessageBar *messageBar() { return m_messages; }
    /// Shows a workspace by its name in the view state: "board", "heads", "footprints".
    void showWorkspace(const QString &name);

signals:
    /// What killed runs left behind is asked for.
    void lostWorkWanted();

protected:
    void showEvent(QShowEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void connectMessages();
    void buildCentre();
    void addWorkspace(SceneWorkspace *view, const QString &name, const QString &title);
    void buildDocks();
    void sizeDocks();
    void adoptFromViews(QMenu *menu, const QList<std::pair<QString, QString>> &idsAndKeys);
    QDockWidget *addDock(const QString &name, const QString &title, QWidget *content,
                         Qt::DockWidgetArea area);
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void addDockActions(QMenu *menu);
    void buildHelpMenu();
    void buildToolBar();
    void resetLayout();
    void refreshTitle();
    void refreshToolTexts();
    void onWorkspaceChanged();
    void onViewStateChanged();

    SettingsStore *m_settings;
    ThemeController *m_theme;
    Workbench *m_workbench;
    ActionRegistry m_actions;
    FileController *m_files;
    EditController *m_edits;
    NavigationController *m_navigation;
    ExperimentController *m_experiment;
    ExportController *m_export;
    ImportController *m_import;
    StatusReadout *m_status;
    PaneSwitcher *m_panes;
    MessageBar *m_messages = nullptr;
    QTabWidget *m_workspaces = nullptr;
    QStringList m_workspaceNames;
    QList<QDockWidget *> m_docks;
    QMenu *m_editMenu = nullptr;
    QToolButton *m_headsButton = nullptr;
    QToolButton *m_scaleButton = nullptr;
    QToolButton *m_maskButton = nullptr;
    QByteArray m_firstLayout;
    bool m_hasOwnLayout = false; ///< sized by the user, before or in this run
};

} // namespace attn
