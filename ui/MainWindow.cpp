#include "MainWindow.h"

#include "EditController.h"
#include "ExperimentController.h"
#include "ExportController.h"
#include "FileController.h"
#include "ImportController.h"
#include "LineIcon.h"
#include "NavigationController.h"
#include "PaneSwitcher.h"
#include "PlaybackMenu.h"
#include "SettingsStore.h"
#include "StatusReadout.h"
#include "ThemeMenu.h"
#include "Workbench.h"
#include "dialogs/AboutDialog.h"
#include "dialogs/ShortcutsDialog.h"
#include "views/AuditView.h"
#include "views/BoardView.h"
#include "views/CompareView.h"
#include "views/DecodeView.h"
#include "views/DifferencesView.h"
#include "views/ExperimentPanel.h"
#include "views/FlowView.h"
#include "views/FootprintsView.h"
#include "views/HeadsView.h"
#include "views/InspectorView.h"
#include "views/MessageBar.h"
#include "views/OutlineView.h"
#include "views/PinsView.h"
#include "views/ProductsView.h"
#include "views/TableView.h"
#include "views/lab/LabView.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// Fusion draws the arrow of a menu button over the end of its text.
const QString arrowRoom = QStringLiteral("   ");

QStringList droppedFiles(const QMimeData *mime)
{
    QStringList files;
    for (const QUrl &url : mime->urls())
        if (url.isLocalFile())
            files.append(url.toLocalFile());
    return files;
}

QToolButton *menuButton(QToolBar *bar, QMenu *menu, const QString &name)
{
    auto *button = new QToolButton(bar);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::TabFocus);
    bar->addWidget(button);
    return button;
}

} // namespace

MainWindow::MainWindow(ThemeController *theme, SettingsStore *settings, ComputeService::Mode mode)
    : m_settings(settings)
    , m_theme(theme)
    , m_workbench(new Workbench(theme, mode, this))
    , m_actions(this)
    , m_files(new FileController(m_workbench, settings, this))
    , m_edits(new EditController(m_workbench, this))
    , m_navigation(new NavigationController(m_workbench, this))
    , m_experiment(new ExperimentController(m_workbench, this))
    , m_export(new ExportController(
          m_workbench, settings, [this] { return currentWorkspace(); }, this))
    , m_import(new ImportController(m_workbench, m_files, settings, this))
    , m_status(new StatusReadout(m_workbench, statusBar()))
    , m_panes(new PaneSwitcher(this))
{
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setMinimumSize(800, 560);
    buildCentre();
    buildDocks();
    buildMenus();
    buildToolBar();
    connect(m_workbench->document(), &Document::titleChanged, this, &MainWindow::refreshTitle);
    connect(m_workbench->document(), &Document::changed, this, &MainWindow::refreshToolTexts);
    connect(m_workbench, &Workbench::viewStateChanged, this, &MainWindow::onViewStateChanged);
    connect(m_workbench, &Workbench::messageRaised, m_messages, &MessageBar::showMessage);
    connect(m_files, &FileController::closeAgreed, this, &QWidget::close);
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() - QSize(16, 48)));
    m_firstLayout = saveState();
    m_settings->restoreWindow(*this);
    refreshTitle();
    refreshToolTexts();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre()
{
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_messages = new MessageBar(centre);
    layout->addWidget(m_messages);
    m_workspaces = new QTabWidget(centre);
    m_workspaces->setDocumentMode(true);
    m_workspaces->setAccessibleName(tr("Workspaces"));
    layout->addWidget(m_workspaces, 1);
    setCentralWidget(centre);
    addWorkspace(new BoardView(m_workbench, m_edits), u"board"_s, tr("Board"));
    addWorkspace(new HeadsView(m_workbench, m_edits), u"heads"_s, tr("Heads"));
    addWorkspace(new FootprintsView(m_workbench, m_edits), u"footprints"_s, tr("Footprints"));
    addWorkspace(new ProductsView(m_workbench, m_edits), u"products"_s, tr("Products"));
    addWorkspace(new FlowView(m_workbench, m_edits), u"flow"_s, tr("Flow"));
    addWorkspace(new DecodeView(m_workbench, m_edits), u"decode"_s, tr("Decode"));
    addWorkspace(new LabView(m_workbench, m_edits), u"lab"_s, tr("Lab"));
    addWorkspace(new CompareView(m_workbench, m_edits), u"compare"_s, tr("Compare"));
    connect(m_workspaces, &QTabWidget::currentChanged, this, &MainWindow::onWorkspaceChanged);
}

void MainWindow::addWorkspace(SceneWorkspace *view, const QString &name, const QString &title)
{
    m_workspaces->addTab(view, title);
    m_workspaceNames.append(name);
    m_panes->addPane(view->view());
    connect(view, &SceneWorkspace::cellHovered, m_status, &StatusReadout::hover);
    connect(view, &SceneWorkspace::textHovered, m_status, &StatusReadout::hoverText);
    connect(view, &SceneWorkspace::hoverLeft, m_status, &StatusReadout::clearHover);
    connect(view, &SceneWorkspace::contextMenuWanted, this,
            [this](const QPoint &place) { m_editMenu->popup(place); });
}

SceneWorkspace *MainWindow::currentWorkspace() const
{
    return qobject_cast<SceneWorkspace *>(m_workspaces->currentWidget());
}

void MainWindow::showWorkspace(const QString &name)
{
    const auto index = m_workspaceNames.indexOf(name);
    if (index >= 0)
        m_workspaces->setCurrentIndex(static_cast<int>(index));
}

void MainWindow::onWorkspaceChanged()
{
    ViewState state = m_workbench->viewState();
    state.workspace = m_workspaceNames[m_workspaces->currentIndex()];
    m_workbench->setViewState(std::move(state));
}

void MainWindow::onViewStateChanged()
{
    showWorkspace(m_workbench->viewState().workspace);
}

QDockWidget *MainWindow::addDock(const QString &name, const QString &title, QWidget *content,
                                 Qt::DockWidgetArea area)
{
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_docks.append(dock);
    m_panes->addPane(content);
    return dock;
}

void MainWindow::buildDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    QDockWidget *outline =
        addDock(u"outline"_s, tr("Outline"), new OutlineView(m_workbench), Qt::LeftDockWidgetArea);
    QDockWidget *pins = addDock(u"pins"_s, tr("Pins"), new PinsView(m_workbench), Qt::LeftDockWidgetArea);
    auto *table = new TableView(m_workbench, m_edits);
    connect(table, &TableView::contextMenuWanted, this,
            [this](const QPoint &place) { m_editMenu->popup(place); });
    QDockWidget *tableDock = addDock(u"table"_s, tr("Table"), table, Qt::BottomDockWidgetArea);
    QDockWidget *differences = addDock(u"differences"_s, tr("Differences"), new DifferencesView(m_workbench),
                                       Qt::BottomDockWidgetArea);
    QDockWidget *audit =
        addDock(u"audit"_s, tr("Audit"), new AuditView(m_workbench), Qt::BottomDockWidgetArea);
    QDockWidget *inspector = addDock(u"inspector"_s, tr("Inspector"), new InspectorView(m_workbench, m_edits),
                                     Qt::RightDockWidgetArea);
    QDockWidget *experiment =
        addDock(u"experiment"_s, tr("Experiment"), new ExperimentPanel(m_workbench, m_experiment),
                Qt::RightDockWidgetArea);
    tabifyDockWidget(outline, pins);
    tabifyDockWidget(tableDock, differences);
    tabifyDockWidget(differences, audit);
    tableDock->raise();
    outline->raise();
    tabifyDockWidget(inspector, experiment);
    inspector->raise();
    resizeDocks({outline, inspector}, {224, 296}, Qt::Horizontal);
    resizeDocks({tableDock}, {184}, Qt::Vertical);
}

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    m_experiment->addActions(m_actions, menuBar()->addMenu(tr("E&xperiment")));
    m_navigation->addActions(m_actions, menuBar()->addMenu(tr("&Go")));
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
                                {u"audit.adoptStages"_s, u"U, O"_s}});
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
            {QKeySequence(u"Ctrl+%1"_s.arg(i + 1))}, [this, name] { showWorkspace(name); });
    }
    adoptFromViews(
        menu,
        {{u"footprints.reset"_s, u"V, L"_s}, {u"compare.keep"_s, u"C, K"_s}, {u"compare.open"_s, u"C, O"_s}});
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
        QAction *action = dock->toggleViewAction();
        ++number;
        action->setText(u"&%1  %2"_s.arg(number).arg(dock->windowTitle()));
        m_actions.adopt(menu, u"pane."_s + dock->objectName(), action,
                        {QKeySequence(u"Ctrl+Alt+%1"_s.arg(number))});
    }
}

void MainWindow::buildHelpMenu()
{
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    const auto show = [this](QDialog *dialog) {
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

void MainWindow::buildToolBar()
{
    QToolBar *bar = addToolBar(tr("Tool bar"));
    bar->setObjectName(u"toolBar"_s);
    bar->setIconSize({20, 20});
    for (const QString &id : {u"file.open"_s, u"file.save"_s})
        bar->addAction(m_actions.action(id));
    bar->addSeparator();
    for (const QString &id : {u"edit.undo"_s, u"edit.redo"_s})
        bar->addAction(m_actions.action(id));
    bar->addSeparator();
    auto *example = menuButton(bar, findChild<QMenu *>(u"exampleMenu"_s), tr("Open an example"));
    example->setIcon(lineIcon(u"example"_s));
    example->setText(tr("Example") + arrowRoom);
    example->setAccessibleName(tr("Example"));
    bar->addSeparator();
    m_headsButton = menuButton(bar, m_experiment->headsMenu(), tr("Number of heads"));
    m_scaleButton = menuButton(bar, m_experiment->scaleMenu(), tr("Scale of the scores"));
    m_maskButton = menuButton(bar, m_experiment->maskMenu(), tr("Parts of the mask"));
    m_import->addBoxes(bar);
    bar->addSeparator();
    for (const QString &id : {u"view.zoomOut"_s, u"view.zoomFit"_s, u"view.zoomIn"_s})
        bar->addAction(m_actions.action(id));
    QAction *toggle = bar->toggleViewAction();
    toggle->setText(tr("&Tool bar"));
}

void MainWindow::resetLayout()
{
    m_settings->forgetWindow();
    restoreState(m_firstLayout);
    for (QDockWidget *dock : std::as_const(m_docks))
        dock->show();
}

void MainWindow::refreshTitle()
{
    setWindowTitle(tr("%1[*] — AttnScope").arg(m_workbench->document()->title()));
    setWindowModified(m_workbench->document()->isModified());
}

void MainWindow::refreshToolTexts()
{
    const auto setText = [](QToolButton *button, const QString &text) {
        button->setText(text + arrowRoom);
        button->setAccessibleName(text);
    };
    setText(m_headsButton, m_experiment->headsText());
    setText(m_scaleButton, m_experiment->scaleText());
    setText(m_maskButton, m_experiment->maskText());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayClose()) {
        event->ignore();
        return;
    }
    m_settings->saveWindow(*this);
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!droppedFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    m_files->open(droppedFiles(event->mimeData()));
}

} // namespace attn
