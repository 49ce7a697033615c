#include "FileController.h"

#include "ActionRegistry.h"
#include "MessageBoxWidth.h"
#include "SettingsStore.h"
#include "Workbench.h"
#include "dialogs/NewDialog.h"
#include "io/Examples.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <utility>

namespace attn {

namespace {

/// Whether numbers of the document lie in other files.
bool refersToFiles(const Document &document)
{
    const auto isMapped = [](const auto &entry) {
        return entry.second.mapping() != nullptr;
    };
    const auto &given = document.experiment()->given;
    const auto &reference = document.reference();
    return std::any_of(given.begin(), given.end(), isMapped) ||
           std::any_of(reference.begin(), reference.end(), isMapped);
}

using namespace Qt::StringLiterals;

/// What would be lost: the newest changes since the document was saved, newest last.
QString unsavedText(Document &document)
{
    constexpr int mostNamed = 5;
    const QUndoStack &stack = *document.undoStack();
    const int saved = stack.cleanIndex();
    if (saved < 0 || stack.index() <= saved)
        return FileController::tr("It differs from what was saved.");
    const int first = std::max(saved, stack.index() - mostNamed);
    QStringList lines;
    if (first > saved)
        lines.append(first - saved == 1
                         ? FileController::tr("One earlier change, then:")
                         : FileController::tr("%n earlier changes, then:", nullptr, first - saved));
    for (int i = first; i < stack.index(); ++i)
        lines.append(u"• "_s + stack.text(i));
    return lines.join(u'\n');
}

Result<DocumentFileData> readDocument(const QString &path)
{
    const QFileInfo info(path);
    const Result<QByteArray> bytes = readFile(path);
    return bytes.ok() ? parseDocument(*bytes, info.fileName(), info.absolutePath()) : bytes.error();
}

const QLatin1String examplePrefix("example:");
const QLatin1String documentSuffix("attn");

/// Tensor files, which the import wizard takes; neither an example nor a document.
bool isImport(const QStringList &names)
{
    const bool isDocument =
        names.size() == 1 &&
        QFileInfo(names.first()).suffix().compare(documentSuffix, Qt::CaseInsensitive) == 0;
    return !isDocument && !names.first().startsWith(examplePrefix);
}

/// A dialog that lives until it is answered.
template<typename Dialog>
void openAndForget(Dialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace

FileController::FileController(Workbench *workbench, SettingsStore *settings, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_settings(settings)
    , m_window(window)
    , m_reader(workbench)
    , m_saver(workbench)
{
}

void FileController::open(const QStringList &names)
{
    if (names.isEmpty())
        return;
    if (names.size() == 1 && isGone(names.first()))
        offerToForget(names.first());
    else if (isImport(names))
        openNow(names); // asks once it is known what is imported
    else
        afterAsking([this, names] { openNow(names); });
}

void FileController::openNow(const QStringList &names)
{
    const QString &first = names.first();
    if (first.startsWith(examplePrefix)) {
        openExample(first.mid(examplePrefix.size()));
        return;
    }
    const QFileInfo info(first);
    m_settings->setLastFolder(info.absolutePath());
    if (isImport(names))
        emit importRequested(names);
    else
        openDocument(info.absoluteFilePath());
}

void FileController::openDocument(const QString &path)
{
    const Generation asked = m_workbench->document()->generation();
    m_reader.read({path}, [this, path, asked]() -> std::function<void()> {
        const auto data = std::make_shared<Result<DocumentFileData>>(readDocument(path));
        return [this, path, asked, data] {
            const auto take = [this, path, data] {
                takeDocument(path, std::move(*data));
            };
            // What was edited while a large file was read is asked about like any other change.
            if (m_workbench->document()->generation() == asked || !data->ok())
                take();
            else
                afterAsking(take);
        };
    });
}

void FileController::takeDocument(const QString &path, Result<DocumentFileData> data)
{
    if (!data.ok()) {
        reportFailure(tr("The file could not be opened"), QString::fromStdString(data.error().message));
        return;
    }
    QStringList notes;
    for (const std::string &note : data->notes)
        notes.append(QString::fromStdString(note));
    load(std::move(*data), path, {});
    if (!notes.isEmpty())
        m_workbench->sayUntilChange(notes.join(u"; "_s));
    m_settings->addRecentFile(path);
}

void FileController::openExample(const QString &name)
{
    Result<DocumentFileData> data = loadExample(name);
    if (!data.ok()) {
        reportFailure(tr("The example could not be opened"), QString::fromStdString(data.error().message));
        return;
    }
    const QString title = data->title.isEmpty() ? name : data->title;
    load(std::move(*data), {}, title);
}

void FileController::load(DocumentFileData data, const QString &file, const QString &title, Loaded loaded)
{
    m_reader.cancel();
    auto experiment = std::make_shared<const Experiment>(std::move(data.experiment));
    m_numbers = DocumentNumbers::Referenced;
    Document *document = m_workbench->document();
    document->load(std::move(experiment), ViewState::fromJson(data.view), file, title);
    document->setReference(std::move(data.reference));
    if (loaded == Loaded::NewDocument)
        emit m_workbench->documentOpened();
}

void FileController::loadImported(DocumentFileData data, const QString &title, const QStringList &notes,
                                  Loaded loaded)
{
    load(std::move(data), {}, title, loaded);
    m_workbench->sayUntilChange(notes.join(u"; "_s));
}

void FileController::askForNew()
{
    auto *dialog = new NewDialog(m_window);
    connect(dialog, &NewDialog::created, this, [this](const Experiment &experiment) {
        const auto data = std::make_shared<DocumentFileData>();
        data->experiment = experiment;
        afterAsking([this, data] { load(std::move(*data), {}, {}); });
    });
    openAndForget(dialog);
}

void FileController::openDialog()
{
    auto *dialog = new QFileDialog(m_window, tr("Open"), m_settings->lastFolder());
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("All readable files (*.attn *.npy *.npz *.safetensors *.csv *.tsv *.json)"),
                            tr("AttnScope documents (*.attn)"),
                            tr("Tensors (*.npy *.npz *.safetensors *.csv *.tsv *.json)"),
                            tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this, &FileController::open);
    openAndForget(dialog);
}

void FileController::save(Then then)
{
    const QString file = m_workbench->document()->file();
    if (file.isEmpty())
        saveAs(DocumentNumbers::Referenced, std::move(then));
    else
        saveTo(file, m_numbers, std::move(then));
}

bool FileController::saveTo(const QString &path, DocumentNumbers numbers, Then then)
{
    Document *document = m_workbench->document();
    DocumentFileData data{*document->experiment(), document->reference(), document->viewState().toJson(), {}};
    const auto hasFailed = std::make_shared<bool>(false);
    const auto done = [this, document, path, numbers, hasFailed, saving = document->beginSaving(),
                       then = std::move(then)](const Result<void> &written) {
        if (!written.ok()) {
            *hasFailed = true;
            document->abandonSaving(saving);
            reportFailure(
                tr("The document was not saved"),
                QString::fromStdString(written.error().message) + u'\n' +
                    tr("It stays open with its changes. Save it under another name or in another folder."));
            return;
        }
        if (document->endSaving(saving, path))
            m_numbers = numbers;
        m_settings->addRecentFile(path);
        m_settings->setLastFolder(QFileInfo(path).absolutePath());
        if (then)
            afterAsking(then); // what was edited while it was written is asked about
    };
    m_saver.save(path, std::move(data), numbers, done);
    return !*hasFailed;
}

void FileController::saveAs(DocumentNumbers numbers, Then then)
{
    const bool isEmbedded = numbers == DocumentNumbers::Embedded;
    auto *dialog = new QFileDialog(m_window, isEmbedded ? tr("Save with data") : tr("Save as"),
                                   m_settings->lastFolder());
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilter(tr("AttnScope documents (*.attn)"));
    dialog->setDefaultSuffix(documentSuffix);
    QString name = m_workbench->document()->title();
    if (!name.endsWith(u".attn"_s))
        name = name.replace(u'/', u'-') + u".attn"_s;
    dialog->selectFile(name);
    connect(
        dialog, &QFileDialog::fileSelected, this,
        [this, numbers, then = std::move(then)](const QString &path) { saveAsNamed(path, numbers, then); });
    openAndForget(dialog);
}

void FileController::saveAsNamed(const QString &path, DocumentNumbers numbers, Then then)
{
    if (QFileInfo(path).suffix().compare(documentSuffix, Qt::CaseInsensitive) == 0) {
        saveTo(path, numbers, std::move(then));
        return;
    }
    // "3.5" has a suffix in the dialog's eyes. Whether the whole name may be replaced was not asked.
    const QString whole = path + u'.' + documentSuffix;
    if (QFileInfo::exists(whole))
        reportFailure(tr("The document was not saved"),
                      tr("%1 exists already. To replace it, choose its whole name.").arg(whole));
    else
        saveTo(whole, numbers, std::move(then));
}

void FileController::revert()
{
    const QString file = m_workbench->document()->file();
    if (file.isEmpty() || !m_workbench->document()->isModified())
        return;
    auto *box = new QMessageBox(
        QMessageBox::Question, tr("Revert"),
        tr("Discard all changes to %1 since it was saved?").arg(m_workbench->document()->title()),
        QMessageBox::Discard | QMessageBox::Cancel, m_window);
    connect(box, &QMessageBox::finished, this, [this, file](int answer) {
        if (answer == QMessageBox::Discard)
            openDocument(file);
    });
    openAndForget(box);
}

void FileController::afterAsking(Then then)
{
    if (m_saver.isBusy()) {
        m_saver.whenIdle([this, then = std::move(then)] { afterAsking(then); });
        return;
    }
    Document *document = m_workbench->document();
    if (!document->isModified()) {
        then();
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                                tr("Save the changes to %1 first?").arg(document->title()),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(unsavedText(*document));
    widenMessageBox(box);
    box->setDefaultButton(QMessageBox::Save);
    box->button(QMessageBox::Save)->setText(tr("&Save"));
    box->button(QMessageBox::Discard)->setText(tr("&Discard"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
        if (answer == QMessageBox::Discard) {
            then();
            return;
        }
        if (answer != QMessageBox::Save)
            return;
        save(then); // where it has no name yet, that is asked for first
    });
    openAndForget(box);
}

bool FileController::mayClose()
{
    if (m_saver.isBusy()) {
        if (!std::exchange(m_closeWaits, true))
            m_saver.whenIdle([this] {
                m_closeWaits = false;
                if (mayClose())
                    emit closeAgreed();
            });
        return false;
    }
    if (m_closeAgreed || !m_workbench->document()->isModified())
        return true;
    if (m_window->findChild<QMessageBox *>())
        return false;
    afterAsking([this] {
        m_closeAgreed = true;
        emit closeAgreed();
    });
    return false;
}

void FileController::reportFailure(const QString &title, const QString &message)
{
    auto *box = new QMessageBox(QMessageBox::Warning, title, title + u'.', QMessageBox::Ok, m_window);
    box->setInformativeText(message);
    widenMessageBox(box);
    box->setTextFormat(Qt::PlainText);
    openAndForget(box);
}

void FileController::fillExampleMenu(ActionRegistry &actions, QMenu *menu)
{
    int number = 0;
    for (const ExampleInfo &info : examples()) {
        const QString name = QString::fromUtf8(info.name);
        const QString key = ActionRegistry::ordinalKey(number);
        ++number;
        const QString title = QCoreApplication::translate("Examples", info.title);
        const QString text = number < 10 ? u"&%1  %2"_s.arg(number).arg(title) : title;
        connect(
            actions.add(menu, u"example."_s + name, text, {ActionRegistry::chord(QString(u"E, "_s + key))}),
            &QAction::triggered, this, [this, name] { open({examplePrefix + name}); });
    }
}

void FileController::addActions(ActionRegistry &actions, QMenu *menu)
{
    const auto add = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys, auto slot,
                         const QString &icon = {}) {
        QAction *action = actions.add(menu, id, text, keys, icon);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add(
        u"file.new"_s, tr("&New…"), {Qt::CTRL | Qt::Key_N}, [this] { askForNew(); }, u"new"_s);
    add(
        u"file.open"_s, tr("&Open…"), {Qt::CTRL | Qt::Key_O}, [this] { openDialog(); }, u"open"_s);
    QMenu *recent = menu->addMenu(tr("Open &recent"));
    recent->setToolTipsVisible(true);
    // Also before it is opened, so that its keys work; when it opens, to see which files are gone.
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    connect(m_workbench->document(), &Document::titleChanged, recent,
            [this, recent] { refillLater(recent); });
    m_recentMenu = recent;
    fillRecentMenu(recent);
    QMenu *exampleMenu = menu->addMenu(tr("Open e&xample"));
    exampleMenu->setObjectName(u"exampleMenu"_s);
    fillExampleMenu(actions, exampleMenu);
    menu->addSeparator();
    QAction *saveAction = add(
        u"file.save"_s, tr("&Save"), {Qt::CTRL | Qt::Key_S}, [this] { save(); }, u"save"_s);
    add(u"file.saveAs"_s, tr("Save &as…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_S}, [this] { saveAs(); });
    QAction *withData = add(u"file.saveWithData"_s, tr("Save with &data…"), {Qt::CTRL | Qt::ALT | Qt::Key_S},
                            [this] { saveAs(DocumentNumbers::Embedded); });
    withData->setToolTip(tr("Save with the numbers that lie in other files"));
    QAction *revertAction =
        add(u"file.revert"_s, tr("Re&vert…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_R}, [this] { revert(); });
    const auto refresh = [this, saveAction, revertAction, withData] {
        const Document *document = m_workbench->document();
        saveAction->setEnabled(document->isModified() || document->file().isEmpty());
        withData->setEnabled(refersToFiles(*document));
        revertAction->setEnabled(document->isModified() && !document->file().isEmpty());
    };
    connect(m_workbench->document(), &Document::titleChanged, this, refresh);
    refresh();
    menu->addSeparator();
}

} // namespace attn
