#include "ExportController.h"

#include "ActionRegistry.h"
#include "FigureChoiceMap.h"
#include "MessageBoxWidth.h"
#include "SettingsStore.h"
#include "ThemeController.h"
#include "Workbench.h"
#include "dialogs/DataExportDialog.h"
#include "io/DocumentFile.h"
#include "views/DisplaySettings.h"
#include "views/SceneWorkspace.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr int clipboardWidthPx = 2000;

QString suffixOf(FigureOptions::Format format)
{
    switch (format) {
    case FigureOptions::Format::Svg:
        return u"svg"_s;
    case FigureOptions::Format::Pdf:
        return u"pdf"_s;
    case FigureOptions::Format::Png:
        break;
    }
    return u"png"_s;
}

QString fileNameOf(Stage stage)
{
    return QString::fromUtf8(stageName(stage));
}

/// Asks for a file to write; calls `then` with its path.
template<typename Then>
void askForPath(QWidget *window, const QString &title, const QString &folder, const QString &name,
                const QString &suffix, Then then)
{
    auto *dialog = new QFileDialog(window, title, folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(u"%1 (*.%2)"_s.arg(suffix.toUpper(), suffix));
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(QString(name + u'.' + suffix));
    QObject::connect(dialog, &QFileDialog::fileSelected, window, then);
    dialog->open();
}

template<typename Then>
void askForFolder(QWidget *window, const QString &title, const QString &folder, Then then)
{
    auto *dialog = new QFileDialog(window, title, folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::fileSelected, window, then);
    dialog->open();
}

} // namespace

ExportController::ExportController(Workbench *workbench, SettingsStore *settings,
                                   std::function<SceneWorkspace *()> currentWorkspace, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_settings(settings)
    , m_currentWorkspace(std::move(currentWorkspace))
    , m_window(window)
{
}

Scene ExportController::sceneOf(const FigureChoice &choice, Stage stage) const
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    if (!snapshot)
        return {};
    const ViewState &state = m_workbench->viewState();
    DisplayOptions display = displayOptionsOf(state, choice.options.dark, false);
    display.audit = m_workbench->audit();
    display.showLabels = choice.options.showLabels;
    display.showColorBars = choice.options.showColorBars;
    if (!choice.sequentialMap.isEmpty())
        display.sequentialMap = choice.sequentialMap;
    if (!choice.divergingMap.isEmpty())
        display.divergingMap = choice.divergingMap;
    if (choice.ownRange) {
        display.ranges.clear();
        display.defaultRange = choice.range;
    }
    switch (choice.content) {
    case FigureContent::CurrentView:
        return m_currentWorkspace()->sceneWith(display);
    case FigureContent::AllHeads:
        return headsScene(snapshot, display);
    case FigureContent::Footprints:
        return footprintsScene(snapshot, display, footprintsOptionsOf(state, *snapshot));
    case FigureContent::Stage:
    case FigureContent::EveryStage:
        break;
    }
    return stageScene(snapshot, stage, display);
}

QStringList ExportController::stageFiles(const FigureChoice &choice, const QString &folder) const
{
    QStringList files;
    for (const StageInfo &info : stageTable())
        if (m_workbench->snapshot()->stage(info.stage).hasValues())
            files.append(
                QString(folder + u'/' + fileNameOf(info.stage) + u'.' + suffixOf(choice.options.format)));
    return files;
}

bool ExportController::writeFigures(const FigureChoice &choice, const QString &path)
{
    if (choice.content != FigureContent::EveryStage) {
        const Stage stage = m_workbench->selection()->stage();
        FigureOptions options = choice.options;
        if (const auto named = figureFormatFromSuffix(path); named.ok())
            options.format = *named; // the ending that was typed wins: a .pdf never holds a PNG
        const Result<void> written = writeFigure(sceneOf(choice, stage), options, path);
        if (!written.ok())
            report(QString::fromStdString(written.error().message));
        return written.ok();
    }
    for (const StageInfo &info : stageTable()) {
        if (!m_workbench->snapshot()->stage(info.stage).hasValues())
            continue;
        const QString file = path + u'/' + fileNameOf(info.stage) + u'.' + suffixOf(choice.options.format);
        const Result<void> written = writeFigure(sceneOf(choice, info.stage), choice.options, file);
        if (!written.ok()) {
            report(QString::fromStdString(written.error().message));
            return false;
        }
    }
    return true;
}

void ExportController::askForFigure()
{
    if (!m_workbench->snapshot())
        return;
    const Stage stage = m_workbench->selection()->stage();
    FigureChoice start = figureChoiceFrom(m_settings->choices(u"figure"_s));
    auto *dialog = new ExportDialog(
        start, fileNameOf(stage),
        [this, stage](const FigureChoice &choice) { return sceneOf(choice, stage); }, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_figureDialog = dialog;
    connect(dialog, &ExportDialog::exportWanted, this, [this](const FigureChoice &choice) {
        m_settings->setChoices(u"figure"_s, toVariantMap(choice));
        askForFigurePath(choice);
    });
    connect(dialog, &ExportDialog::copyWanted, this, [this](const FigureChoice &choice) {
        m_settings->setChoices(u"figure"_s, toVariantMap(choice));
        copyImage(choice);
        m_figureDialog->sayCopied();
    });
    dialog->open();
}

void ExportController::askForFigurePath(const FigureChoice &choice)
{
    const auto write = [this, choice](const QString &path) {
        m_settings->setLastFolder(QFileInfo(path).absolutePath());
        if (writeFigures(choice, path))
            sayWritten(tr("Figure written to %1.").arg(path));
    };
    const QString folder = m_settings->lastFolder();
    if (choice.content == FigureContent::EveryStage) {
        askForFolder(m_window, tr("Export every stage into a folder"), folder,
                     [this, choice](const QString &path) { writeEveryStage(choice, path); });
        return;
    }
    const bool isStage = choice.content == FigureContent::Stage;
    const QString name = isStage ? fileNameOf(m_workbench->selection()->stage()) : tr("figure");
    askForPath(m_window, tr("Export figure"), folder, name, suffixOf(choice.options.format), write);
}

/// The dialog would stand in front of the sentence.
void ExportController::sayWritten(const QString &text)
{
    if (m_figureDialog)
        m_figureDialog->accept();
    m_workbench->say(text);
}

void ExportController::writeEveryStage(const FigureChoice &choice, const QString &folder)
{
    m_settings->setLastFolder(folder);
    const QStringList files = stageFiles(choice, folder);
    const auto write = [this, choice, folder, count = files.size()] {
        if (writeFigures(choice, folder))
            sayWritten(count == 1
                           ? tr("One figure written to %1.").arg(folder)
                           : tr("%n figures written to %1.", nullptr, static_cast<int>(count)).arg(folder));
    };
    const auto present =
        std::ranges::count_if(files, [](const QString &file) { return QFileInfo::exists(file); });
    if (present == 0) {
        write();
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Question, tr("Export"),
                                present == 1 ? tr("One of these files is there already. Replace it?")
                                             : tr("%n of these files are there already. Replace them?",
                                                  nullptr, static_cast<int>(present)),
                                QMessageBox::Cancel, m_window);
    box->setInformativeText(folder);
    widenMessageBox(box);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box->addButton(tr("&Replace"), QMessageBox::AcceptRole), &QPushButton::clicked, this, write);
    box->open();
}

void ExportController::copyImage(const FigureChoice &choice)
{
    const Scene scene = sceneOf(choice, m_workbench->selection()->stage());
    QGuiApplication::clipboard()->setImage(figureImage(scene, choice.options, clipboardWidthPx));
}

void ExportController::askForData()
{
    if (!m_workbench->snapshot())
        return;
    auto *dialog =
        new DataExportDialog(*m_workbench->snapshot(), m_workbench->selection()->stage(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DataExportDialog::exportWanted, this,
            [this](const std::vector<Stage> &stages, DataFormat format, bool intoFolder) {
                const auto write = [this, stages, format, intoFolder](const QString &path) {
                    writeData(stages, format, path, intoFolder);
                };
                const QString folder = m_settings->lastFolder();
                if (intoFolder)
                    askForFolder(m_window, tr("Export numbers into a folder"), folder, write);
                else
                    askForPath(m_window, tr("Export numbers"), folder,
                               stages.size() == 1 ? fileNameOf(stages.front()) : tr("stages"),
                               dataFormatSuffix(format), write);
            });
    dialog->open();
}

void ExportController::writeData(const std::vector<Stage> &stages, DataFormat format, const QString &path,
                                 bool intoFolder)
{
    m_settings->setLastFolder(QFileInfo(path).absolutePath());
    const Snapshot &snapshot = *m_workbench->snapshot();
    Result<void> written;
    if (intoFolder) {
        written = writeStagesToFolder(snapshot, stages, format, path);
    } else {
        const Result<DataFormat> named = dataFormatFromSuffix(path);
        const Result<QByteArray> bytes = stagesAsFile(snapshot, stages, named.ok() ? *named : format);
        written = bytes.ok() ? writeFileAtomically(path, *bytes) : Result<void>(bytes.error());
    }
    if (written.ok())
        m_workbench->say(tr("Numbers written to %1.").arg(path));
    else
        report(QString::fromStdString(written.error().message));
}

void ExportController::report(const QString &problem)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Export"), tr("Nothing was exported."),
                                QMessageBox::Ok, m_window);
    box->setInformativeText(problem);
    widenMessageBox(box);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void ExportController::addActions(ActionRegistry &actions, QMenu *menu)
{
    connect(actions.add(menu, u"export.figure"_s, tr("&Export figure…"), {Qt::CTRL | Qt::Key_E}, u"export"_s),
            &QAction::triggered, this, [this] { askForFigure(); });
    connect(actions.add(menu, u"export.data"_s, tr("Export n&umbers…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E}),
            &QAction::triggered, this, [this] { askForData(); });
    connect(actions.add(menu, u"export.copy"_s, tr("Copy &image of the view"),
                        {Qt::CTRL | Qt::SHIFT | Qt::Key_C}),
            &QAction::triggered, this, [this] {
                FigureChoice choice = figureChoiceFrom(m_settings->choices(u"figure"_s));
                choice.content = FigureContent::CurrentView;
                choice.options.dark = m_workbench->theme()->isDark();
                copyImage(choice);
            });
}

} // namespace attn
