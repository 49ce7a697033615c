#pragma once

#include "io/Import.h"

#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>

class QAction;
class QComboBox;
class QMenu;
class QToolBar;
class QWidget;
class QTemporaryDir;

namespace attn {

class ActionRegistry;
class FileController;
class SettingsStore;
class Workbench;

/// From tensor files and the clipboard to an experiment: through the wizard, or at once where a file says
/// itself what it holds. Keeps the open file, so that layer and batch entry can be switched afterwards.
class ImportController : public QObject
{
    Q_OBJECT

public:
    ImportController(Workbench *workbench, FileController *files, SettingsStore *settings, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);
    /// Boxes for layer and batch entry; hidden while no file with several of them is open.
    void addBoxes(QToolBar *bar);

    void open(const QStringList &paths);
    /// The clipboard's text as a table.
    void openClipboard();

private:
    struct OpenedFile
    {
        std::shared_ptr<const TensorFile> file;
        std::optional<ImportPlan> plan; ///< as guessed; nothing: it holds labels alone
    };
    /// Any thread.
    static Result<OpenedFile> openFiles(const QStringList &paths);
    /// recent: the path that goes into the list of recent files once it is imported; empty = none.
    /// folder: where the files lie, kept until they are read.
    void openAs(const QStringList &paths, const QString &recent,
                const std::shared_ptr<const QTemporaryDir> &folder = {});
    /// Asks what the tensors are, unless the file says it.
    void ask(const std::shared_ptr<const TensorFile> &file, const ImportPlan &plan, const QString &recent);
    /// Imports by this plan, after asking about unsaved changes.
    void import(std::shared_ptr<const TensorFile> file, const ImportPlan &plan, const QString &recent);
    void load(std::shared_ptr<const TensorFile> file, const ImportPlan &plan, const ImportResult &result,
              const QString &recent);
    void switchTo(Index layer, Index batch);
    void forget();
    void refreshBoxes();
    void askForLabels();
    void labelsFromFileDialog();
    /// Labels the tokens of the open document, or says why these do not fit.
    void useLabelsOf(const QString &path);
    void setLabels(const std::vector<std::string> &labels);
    void report(const QString &problem);

    Workbench *m_workbench;
    FileController *m_files;
    SettingsStore *m_settings;
    QWidget *m_window;
    std::shared_ptr<const TensorFile> m_file; ///< of the open experiment; null: not imported
    ImportPlan m_plan;
    QComboBox *m_layer = nullptr;
    QComboBox *m_batch = nullptr;
    QAction *m_layerAction = nullptr;
    QAction *m_batchAction = nullptr;
    bool m_isLoading = false;
};

} // namespace attn
