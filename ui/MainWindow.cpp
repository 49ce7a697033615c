#include "MainWindow.h"

#include "EditController.h"
#include "ExperimentController.h"
#include "ExportController.h"
#include "FileController.h"
#include "ImportController.h"
#include "LineIcon.h"
#include "NavigationController.h"
#include "PaneSwitcher.h"
#include "SettingsStore.h"
#include "StatusReadout.h"
#include "Workbench.h"
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
#include "views/masks/MasksView.h"
#include "widgets/LimitedSpinBox.h"

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

constexpr int outlineWidth = 204;
constexpr int inspectorWidth = 216;
/// Its head and the rows of the worked example; in a small window fewer, the rest is for the picture.
constexpr int tableHeight = 184;
constexpr int lowTableHeight = 112;
constexpr int lowWindow = 800;

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
    connectMessages();
    connect(m_files, &FileController::closeAgreed, this, &QWidget::close);
    resize(QSize(1440, 900).boundedTo(screen()->availableSize() - QSize(16, 48)));
    m_firstLayout = saveState();
    m_hasOwnLayout = m_settings->restoreWindow(*this);
    refreshTitle();
    refreshToolTexts();
    currentWorkspace()->view()->setFocus(Qt::OtherFocusReason); // what is typed edits the selected cell
}

MainWindow::~MainWindow() = default;

void MainWindow::connectMessages()
{
    connect(m_workbench, &Workbench::messageRaised, m_messages, &MessageBar::showMessage);
    connect(m_workbench, &Workbench::documentMoved, m_messages, &MessageBar::forgetDocument);
    connect(m_workbench->selection(), &Selection::changed, m_messages, &MessageBar::moveOn);
    const auto say = [this](const QString &sentence) {
        m_workbench->say(sentence);
    };
    for (const auto *box : findChildren<LimitedSpinBox *>())
        connect(box, &LimitedSpinBox::refused, this, say);
    for (const auto *box : findChildren<LimitedDoubleSpinBox *>())
        connect(box, &LimitedDoubleSpinBox::refused, this, say);
}

void MainWindow::buildCentre()
{
    auto *centre = new QWidget(this);
    auto *layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_workspaces = new QTabWidget(centre);
    m_workspaces->setDocumentMode(true);
    m_workspaces->setAccessibleName(tr("Workspaces"));
    layout->addWidget(m_workspaces, 1);
    m_messages = new MessageBar(centre);
    // It takes what the panes leave; asking for more would make all of them narrower than they were set.
    centre->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    setCentralWidget(centre);
    addWorkspace(new BoardView(m_workbench, m_edits), u"board"_s, tr("Board"));
    addWorkspace(new HeadsView(m_workbench, m_edits), u"heads"_s, tr("Heads"));
    addWorkspace(new FootprintsView(m_workbench, m_edits), u"footprints"_s, tr("Footprints"));
    addWorkspace(new MasksView(m_workbench, m_edits), u"masks"_s, tr("Masks"));
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
    auto *inspectorView = new InspectorView(m_workbench, m_edits);
    QDockWidget *inspector = addDock(u"inspector"_s, tr("Inspector"), inspectorView, Qt::RightDockWidgetArea);
    for (int i = 0; i < m_workspaces->count(); ++i)
        connect(qobject_cast<SceneWorkspace *>(m_workspaces->widget(i)), &SceneWorkspace::editWanted,
                inspectorView, [inspector, inspectorView](const QString &typed) {
                    inspector->show();
                    inspector->raise();
                    inspectorView->editValue(typed);
                });
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
}

/// As wide as lists and derivations need; the rest is for the board, which shows whole.
void MainWindow::sizeDocks()
{
    layout()->activate();
    const auto dock = [this](const QString &name) {
        return findChild<QDockWidget *>(name);
    };
    resizeDocks({dock(u"outline"_s), dock(u"inspector"_s)}, {outlineWidth, inspectorWidth}, Qt::Horizontal);
    resizeDocks({dock(u"table"_s)}, {height() < lowWindow ? lowTableHeight : tableHeight}, Qt::Vertical);
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
    sizeDocks();
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

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    // Only a window with a size of its own can divide it.
    if (!m_hasOwnLayout)
        sizeDocks();
    m_hasOwnLayout = true;
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
