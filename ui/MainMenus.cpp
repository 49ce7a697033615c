#include "EditController.h"
#include "ExperimentController.h"
#include "ExportController.h"
#include "FileController.h"
#include "ImportController.h"
#include "MainWindow.h"
#include "NavigationController.h"
#include "PaneSwitcher.h"
#include "PlaybackMenu.h"
#include "ThemeMenu.h"
#include "Workbench.h"
#include "dialogs/AboutDialog.h"
#include "dialogs/ShortcutsDialog.h"
#include "views/SceneWorkspace.h"
#include "widgets/MatrixTableView.h"

#include <QDockWidget>
#include <QMenuBar>
#include <QTabWidget>
#include <QUndoStack>

/// The menus of the window: what is in them and which keys it has.

namespace attn {

using namespace Qt::StringLiterals;

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    m_experiment->addActions(m_actions, menuBar()->addMenu(tr("E&xperiment")));
    m_navigation->addActions(m_actions, menuBar()->addMenu(tr("&Go")));
    connect(m_navigation, &NavigationController::cellReached, this, [this] {
        if (!qobject_cast<MatrixTableView *>(focusWidget()))
            currentWorkspace()->view()->setFocus(Qt::OtherFocusReason);
    });
    connect(m_navigation, &NavigationController::zoomWanted, this,
            [this] { currentWorkspace()->view()->zoomToCell(); });
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    m_files->addActions(m_actions, menu);
    m_import->addActions(m_actions, menu);
    connect(
        m_actions.add(menu, u"file.restore"_s, tr("Restore lost &work…"), {ActionRegistry::chord(u"L"_s)}),
        &QAction::triggered, this, &MainWindow::lostWorkWanted);
    menu->addSeparator();
    m_export->addActions(m_actions, menu);
    menu->addSeparator();
    connect(m_actions.add(menu, u"file.close"_s, tr("&Close window"), {Qt::CTRL | Qt::Key_W}),
            &QAction::triggered, this, &QWidget::close);
    connect(m_actions.add(menu, u"file.quit"_s, tr("&Quit"), {Qt::CTRL | Qt::Key_Q}), &QAction::triggered,
            this, &QWidget::close);
}

void MainWindow::buildEditMenu()
{
    m_editMenu = menuBar()->addMenu(tr("&Edit"));
    QUndoStack *stack = m_workbench->document()->undoStack();
    m_actions.adopt(m_editMenu, u"edit.undo"_s, stack->createUndoAction(this, tr("&Undo")),
                    {Qt::CTRL | Qt::Key_Z}, u"undo"_s);
    m_actions.adopt(m_editMenu, u"edit.redo"_s, stack->createRedoAction(this, tr("&Redo")),
                    {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y}, u"redo"_s);
    m_editMenu->addSeparator();
    m_edits->addActions(m_actions, m_editMenu);
    adoptFromViews(m_editMenu, {{u"pins.unpin"_s, u"U, L"_s},
                                {u"pins.unpinAll"_s, u"U, A"_s},
                                {u"differences.revert"_s, u"U, D"_s},
                                {u"differences.revertStages"_s, u"U, S"_s},
                                {u"audit.adopt"_s, u"U, C"_s},
                                {u"audit.adoptStages"_s, u"U, O"_s},
                                {u"masks.stamp"_s, u"M, S"_s},
                                {u"masks.invert"_s, u"M, I"_s},
                                {u"masks.toAdditive"_s, u"M, T"_s},
                                {u"masks.toBoolean"_s, u"M, F"_s}});
}

/// Actions that views have as buttons get an entry and keys too.
void MainWindow::adoptFromViews(QMenu *menu, const QList<std::pair<QString, QString>> &idsAndKeys)
{
    for (const auto &[id, keys] : idsAndKeys)
        m_actions.adopt(menu, id, findChild<QAction *>(id), {ActionRegistry::chord(keys)});
}

void MainWindow::buildViewMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    const auto add = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys, auto slot,
                         const QString &icon = {}) {
        connect(m_actions.add(menu, id, text, keys, icon), &QAction::triggered, this, slot);
    };
    for (int i = 0; i < m_workspaceNames.size(); ++i) {
        const QString &name = m_workspaceNames[i];
        add(u"view."_s + name, u"&%1  %2"_s.arg(i + 1).arg(m_workspaces->tabText(i)),
            {QKeySequence(u"Ctrl+%1"_s.arg(i + 1))}, [this, name] {
                showWorkspace(name);
                currentWorkspace()->view()->setFocus(Qt::ShortcutFocusReason);
            });
    }
    adoptFromViews(menu, {{u"footprints.reset"_s, u"V, L"_s},
                          {u"compare.keep"_s, u"C, K"_s},
                          {u"compare.open"_s, u"C, O"_s},
                          {u"masks.keep"_s, u"M, K"_s}});
    menu->addSeparator();
    add(
        u"view.zoomIn"_s, tr("Zoom &in"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [this] { currentWorkspace()->view()->zoomIn(); }, u"zoom-in"_s);
    add(
        u"view.zoomOut"_s, tr("Zoom &out"), {Qt::CTRL | Qt::Key_Minus},
        [this] { currentWorkspace()->view()->zoomOut(); }, u"zoom-out"_s);
    add(
        u"view.zoomFit"_s, tr("&Fit to window"), {Qt::CTRL | Qt::Key_0},
        [this] { currentWorkspace()->view()->zoomFit(); }, u"zoom-fit"_s);
    add(u"view.zoomActual"_s, tr("&Actual size"), {Qt::CTRL | Qt::SHIFT | Qt::Key_0},
        [this] { currentWorkspace()->view()->zoomActual(); });
    menu->addSeparator();
    QMenu *panes = menu->addMenu(tr("&Panes"));
    addDockActions(panes);
    add(u"view.nextPane"_s, tr("&Next pane"), {Qt::Key_F6, Qt::CTRL | Qt::Key_Tab},
        [this] { m_panes->next(); });
    add(u"view.previousPane"_s, tr("Pre&vious pane"),
        {Qt::SHIFT | Qt::Key_F6, Qt::CTRL | Qt::SHIFT | Qt::Key_Tab}, [this] { m_panes->previous(); });
    addPlaybackMenu(m_actions, menu, [this] { return currentWorkspace()->playback(); });
    addThemeMenu(m_actions, menu, m_theme, m_settings);
    addMotionAction(m_actions, menu, m_settings, m_workbench);
    QAction *full = m_actions.add(menu, u"view.fullScreen"_s, tr("F&ull screen"), {Qt::Key_F11});
    full->setCheckable(true);
    connect(full, &QAction::triggered, this,
            [this](bool on) { setWindowState(windowState().setFlag(Qt::WindowFullScreen, on)); });
    add(u"view.resetLayout"_s, tr("&Reset layout"), {ActionRegistry::chord(u"V, R"_s)},
        [this] { resetLayout(); });
}

void MainWindow::addDockActions(QMenu *menu)
{
    int number = 0;
    for (QDockWidget *dock : std::as_const(m_docks)) {
        ++number;
        QAction *action = m_actions.add(menu, u"pane."_s + dock->objectName(),
                                        u"&%1  %2"_s.arg(number).arg(dock->windowTitle()),
                                        {QKeySequence(u"Ctrl+Alt+%1"_s.arg(number))});
        action->setCheckable(true);
        const QAction *shown = dock->toggleViewAction();
        action->setChecked(shown->isChecked());
        connect(shown, &QAction::toggled, action, &QAction::setChecked);
        connect(action, &QAction::triggered, dock, [dock, action] {
            // One that is open behind another is wanted in front, not closed.
            const bool isInSight = dock->isVisible() && !dock->visibleRegion().isEmpty();
            dock->setVisible(!isInSight);
            if (!isInSight)
                dock->raise();
            action->setChecked(!dock->isHidden());
        });
    }
}

void MainWindow::buildHelpMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    const auto show = [](QDialog *dialog) {
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    };
    connect(m_actions.add(menu, u"help.shortcuts"_s, tr("&Keyboard shortcuts"),
                          {Qt::Key_F1, Qt::CTRL | Qt::Key_Question}),
            &QAction::triggered, this,
            [this, show] { show(new ShortcutsDialog(menuEntries(*menuBar()), this)); });
    connect(m_actions.add(menu, u"help.about"_s, tr("&About AttnScope"), {Qt::SHIFT | Qt::Key_F1}),
            &QAction::triggered, this, [this, show] { show(new AboutDialog(this)); });
}

} // namespace attn
