#include "ImportController.h"

#include "ActionRegistry.h"
#include "FileController.h"
#include "MessageBoxWidth.h"
#include "SettingsStore.h"
#include "Workbench.h"
#include "base/CheckedInt.h"
#include "dialogs/ImportTexts.h"
#include "dialogs/ImportWizard.h"
#include "io/ExportMetadata.h"
#include "io/Labels.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QTemporaryDir>
#include <QToolBar>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

QComboBox *hiddenBox(QToolBar *bar, const QString &name, QAction **action)
{
    auto *box = new QComboBox(bar);
    box->setAccessibleName(name);
    box->setToolTip(name);
    *action = bar->addWidget(box);
    (*action)->setVisible(false);
    return box;
}

/// Nothing in it could be a stage: it names the tokens of the document that is open.
bool holdsOnlyLabels(const TensorFile &file)
{
    const bool isText = std::ranges::all_of(
        file.entries(), [](const FileTensorInfo &entry) { return entry.dtype == Dtype::Text; });
    return isText && (!file.entries().empty() || !file.rowLabels.empty());
}

} // namespace

ImportController::ImportController(Workbench *workbench, FileController *files, SettingsStore *settings,
                                   QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_files(files)
    , m_settings(settings)
    , m_window(window)
{
    connect(files, &FileController::importRequested, this, &ImportController::open);
    connect(workbench->document(), &Document::changed, this, [this](const DocumentChange &change) {
        if (change.cause == DocumentChange::Cause::Loaded && !m_isLoading)
            forget();
    });
}

void ImportController::open(const QStringList &paths)
{
    openAs(paths, paths.size() == 1 ? QFileInfo(paths.first()).absoluteFilePath() : QString());
}

Result<ImportController::OpenedFile> ImportController::openFiles(const QStringList &paths)
{
    Result<std::unique_ptr<TensorFile>> opened = openTensorFiles(paths);
    if (!opened.ok())
        return opened.error();
    OpenedFile file{std::move(*opened), {}};
    if (paths.size() == 1 && holdsOnlyLabels(*file.file))
        return file;
    Result<ImportPlan> plan = guessImport(*file.file);
    if (!plan.ok())
        return plan.error();
    file.plan = std::move(*plan);
    return file;
}

void ImportController::openAs(const QStringList &paths, const QString &recent,
                              const std::shared_ptr<const QTemporaryDir> &folder)
{
    m_files->reader()->read(paths, [this, paths, recent, folder]() -> std::function<void()> {
        const auto opened = std::make_shared<Result<OpenedFile>>(openFiles(paths));
        return [this, paths, recent, opened] {
            if (!opened->ok())
                report(QString::fromStdString(opened->error().message));
            else if (!(*opened)->plan)
                useLabelsOf(paths.first());
            else
                ask((*opened)->file, *(*opened)->plan, recent);
        };
    });
}

void ImportController::ask(const std::shared_ptr<const TensorFile> &file, const ImportPlan &plan,
                           const QString &recent)
{
    if (file->metadata.contains(exportMetadataKey) && plan.questions.empty()) {
        import(file, plan, recent);
        return;
    }
    auto *wizard = new ImportWizard(file, plan, m_window);
    wizard->setAttribute(Qt::WA_DeleteOnClose);
    connect(
        wizard, &ImportWizard::importWanted, this,
        [this, file, recent](const ImportPlan &chosen, const std::shared_ptr<const ImportResult> &result) {
            m_files->afterAsking(
                [this, file, chosen, result, recent] { load(file, chosen, *result, recent); });
        });
    wizard->open();
}

void ImportController::openClipboard()
{
    // The readers take files, so that one code decides what a table means; the text is gone at the end.
    const auto folder = std::make_shared<const QTemporaryDir>();
    const QString path = folder->filePath(tr("clipboard") + u".tsv"_s);
    const QByteArray text = QGuiApplication::clipboard()->text().toUtf8();
    QFile file(path);
    if (text.trimmed().isEmpty()) {
        m_workbench->say(tr("The clipboard holds no text."));
        return;
    }
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
        report(file.errorString());
        return;
    }
    file.close();
    openAs({path}, {}, folder);
}

void ImportController::import(std::shared_ptr<const TensorFile> file, const ImportPlan &plan,
                              const QString &recent)
{
    const Result<ImportResult> result = importExperiment(*file, plan);
    if (!result.ok()) {
        report(QString::fromStdString(result.error().message));
        return;
    }
    const auto shared = std::make_shared<const ImportResult>(*result);
    m_files->afterAsking([this, file, plan, shared, recent] { load(file, plan, *shared, recent); });
}

void ImportController::load(std::shared_ptr<const TensorFile> file, const ImportPlan &plan,
                            const ImportResult &result, const QString &recent)
{
    if (!recent.isEmpty())
        m_settings->addRecentFile(recent);
    const QScopedValueRollback loading(m_isLoading, true);
    DocumentFileData data;
    data.experiment = result.experiment;
    data.reference = result.reference;
    const bool isSameFile = m_file == file;
    if (isSameFile)
        data.view = m_workbench->viewState().toJson();
    QStringList notes;
    for (const std::string &note : result.notes)
        notes.append(QString::fromStdString(note));
    m_files->loadImported(std::move(data), importTitle(*file), notes,
                          isSameFile ? FileController::Loaded::AnotherEntry
                                     : FileController::Loaded::NewDocument);
    m_file = std::move(file);
    m_plan = plan;
    refreshBoxes();
}

void ImportController::forget()
{
    m_file = nullptr;
    refreshBoxes();
}

void ImportController::addBoxes(QToolBar *bar)
{
    m_layer = hiddenBox(bar, tr("Layer of the open file"), &m_layerAction);
    m_batch = hiddenBox(bar, tr("Batch entry of the open file"), &m_batchAction);
    connect(m_layer, &QComboBox::activated, this, [this](int layer) { switchTo(layer, m_plan.batch); });
    connect(m_batch, &QComboBox::activated, this, [this](int batch) { switchTo(m_plan.layer, batch); });
}

void ImportController::switchTo(Index layer, Index batch)
{
    ImportPlan plan = m_plan;
    plan.layer = layer;
    plan.batch = batch;
    import(m_file, plan, {});
    // Until the new entry is really loaded, the boxes show the one that is.
    refreshBoxes();
}

void ImportController::refreshBoxes()
{
    if (!m_layer)
        return;
    m_layerAction->setVisible(m_file && m_plan.layerCount > 1);
    m_batchAction->setVisible(m_file && m_plan.batchCount > 1);
    if (!m_file)
        return;
    const auto fill = [](QComboBox *box, Index count, Index current, auto text) {
        if (box->count() != toInt(count)) {
            box->clear();
            for (Index i = 0; i < count; ++i)
                box->addItem(text(i));
        }
        box->setCurrentIndex(toInt(current));
    };
    fill(m_layer, m_plan.layerCount, m_plan.layer, [this](Index i) {
        const auto at = static_cast<std::size_t>(i);
        return at < m_plan.layerNames.size() ? QString::fromStdString(m_plan.layerNames[at])
                                             : tr("layer %1").arg(i);
    });
    fill(m_batch, m_plan.batchCount, m_plan.batch, [](Index i) { return tr("batch entry %1").arg(i); });
}

void ImportController::setLabels(const std::vector<std::string> &labels)
{
    const Experiment &experiment = m_workbench->experiment();
    const auto count = static_cast<Index>(labels.size());
    TokenSide side = TokenSide::Query;
    if (count != experiment.tokens.size() && experiment.tokensKv && count == experiment.tokensKv->size())
        side = TokenSide::KeyValue;
    m_workbench->apply(SetTokens{side, labels}, tr("Set token labels"));
}

void ImportController::askForLabels()
{
    QStringList words;
    for (const std::string &label : m_workbench->experiment().tokens.labels()) {
        const QString text = QString::fromStdString(label);
        words.append(text.contains(u' ') || text.isEmpty() ? u"\"%1\""_s.arg(text) : text);
    }
    auto *dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Token labels"));
    dialog->setLabelText(
        tr("One label for each token, divided by blanks; \"in quotes\" with blanks inside:"));
    dialog->setTextValue(words.join(u' '));
    dialog->resize(480, dialog->sizeHint().height());
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this](const QString &line) { setLabels(labelsFromLine(line.toStdString())); });
    dialog->open();
}

void ImportController::labelsFromFileDialog()
{
    auto *dialog = new QFileDialog(m_window, tr("Token labels from a file"), m_settings->lastFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ImportController::useLabelsOf);
    dialog->open();
}

void ImportController::useLabelsOf(const QString &path)
{
    const Result<std::vector<LabelSet>> sets = labelsFromFile(path);
    if (!sets.ok()) {
        report(QString::fromStdString(sets.error().message));
        return;
    }
    const auto example = static_cast<std::size_t>(m_file ? m_plan.batch : 0);
    const auto count = static_cast<std::size_t>(m_workbench->experiment().tokens.size());
    const std::vector<std::string> labels = labelsFitting(*sets, example, count, false);
    const QString name = QFileInfo(path).fileName();
    const Experiment &experiment = m_workbench->experiment();
    const bool fits = !labels.empty() &&
                      (labels.size() == count || (experiment.tokensKv && static_cast<Index>(labels.size()) ==
                                                                             experiment.tokensKv->size()));
    if (fits) {
        setLabels(labels);
        m_workbench->say(tr("The tokens are labelled from %1.").arg(name));
    } else if (sets->size() == 1) {
        m_workbench->say(tr("%1 was not used. Labels in it: %2; tokens of this document: %3.")
                             .arg(name)
                             .arg(sets->front().tokens.size())
                             .arg(count));
    } else {
        m_workbench->say(tr("%1 was not used: none of its lists has one label for each of the %2 tokens.")
                             .arg(name)
                             .arg(count));
    }
}

void ImportController::addActions(ActionRegistry &actions, QMenu *menu)
{
    const auto add = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys, auto slot) {
        connect(actions.add(menu, id, text, keys), &QAction::triggered, this, slot);
    };
    add(u"import.clipboard"_s, tr("&Import from clipboard…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_V},
        [this] { openClipboard(); });
    add(u"import.labels"_s, tr("Token &labels…"), {Qt::CTRL | Qt::Key_T}, [this] { askForLabels(); });
    add(u"import.labelFile"_s, tr("Token labels from &file…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_T},
        [this] { labelsFromFileDialog(); });
}

void ImportController::report(const QString &problem)
{
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Import"), tr("Nothing was imported."),
                                QMessageBox::Ok, m_window);
    box->setInformativeText(problem);
    widenMessageBox(box);
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace attn
