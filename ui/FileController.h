#pragma once

#include "FileReader.h"
#include "FileSaver.h"
#include "io/DocumentFile.h"

#include <QObject>
#include <QStringList>

#include <functional>

class QMenu;
class QWidget;

namespace attn {

class ActionRegistry;
class SettingsStore;
class Workbench;

/// New, open, save, revert, close: everything between the document and its file. Asks before unsaved changes
/// are lost; a failed open leaves the open document untouched, a failed save leaves it modified.
class FileController : public QObject
{
    Q_OBJECT

public:
    FileController(Workbench *workbench, SettingsStore *settings, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);

    /// Opens files (one document, or tensor files that belong together) or "example:NAME", asking first when
    /// there are unsaved changes.
    void open(const QStringList &names);
    void openDialog();
    void askForNew();
    /// What follows a save; not called where it fails or is given up.
    using Then = std::function<void()>;
    /// Under its name; asks for one where it has none.
    void save(Then then = {});
    /// Writes the document as it is now; a large one while the window goes on. False when writing failed at
    /// once.
    bool saveTo(const QString &path, DocumentNumbers numbers = DocumentNumbers::Referenced, Then then = {});
    /// Embedded: with the numbers that lie in other files, now and at each save after.
    void saveAs(DocumentNumbers numbers = DocumentNumbers::Referenced, Then then = {});
    /// The same under a chosen name, with ".attn" where that is missing; never over a file of that name.
    void saveAsNamed(const QString &path, DocumentNumbers numbers = DocumentNumbers::Referenced,
                     Then then = {});
    bool isSaving() const { return m_saver.isBusy(); }
    void revert();
    /// What a document that is loaded is to the one that is open.
    enum class Loaded
    {
        NewDocument,
        AnotherEntry
    };
    /// Replaces the document by what was imported, without asking. AnotherEntry: it is another layer or batch
    /// entry of the file that is open.
    void loadImported(DocumentFileData data, const QString &title, const QStringList &notes,
                      Loaded loaded = Loaded::NewDocument);

    /// Reads what is opened; also for the import of tensors, so that the newest of all requests wins.
    FileReader *reader() { return &m_reader; }
    /// Runs `then` at once, or after the Save/Discard/Cancel question was answered with Save or Discard;
    /// never before what is being saved is written.
    void afterAsking(Then then);
    /// Whether the window may close now; otherwise the question is up or a save is on its way, and
    /// closeAgreed follows if it may.
    bool mayClose();

signals:
    /// Files that are no documents: the import wizard takes them.
    void importRequested(const QStringList &files);
    void closeAgreed();

private:
    void openNow(const QStringList &names);
    void openDocument(const QString &path);
    void takeDocument(const QString &path, Result<DocumentFileData> data);
    void openExample(const QString &name);
    void load(DocumentFileData data, const QString &file, const QString &title,
              Loaded loaded = Loaded::NewDocument);

    /// Of the list of recent files, and not where it was.
    bool isGone(const QString &file) const;
    void offerToForget(const QString &file);
    void fillRecentMenu(QMenu *menu);
    void refillLater(QMenu *recentMenu);
    void fillExampleMenu(ActionRegistry &actions, QMenu *menu);
    void reportFailure(const QString &title, const QString &message);

    Workbench *m_workbench;
    SettingsStore *m_settings;
    QWidget *m_window;
    FileReader m_reader;
    FileSaver m_saver;
    QMenu *m_recentMenu = nullptr;
    DocumentNumbers m_numbers = DocumentNumbers::Referenced; ///< how the open document is saved
    bool m_closeAgreed = false;
    bool m_closeWaits = false; ///< for what is being saved
};

} // namespace attn
