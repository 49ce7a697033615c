#pragma once

#include "document/AutosaveFiles.h"
#include "document/AutosaveWriter.h"
#include "document/Document.h"

#include <QFile>
#include <QLockFile>
#include <QObject>

#include <memory>

namespace attn {

/// Keeps the unsaved work of a document on disk, so that a kill loses nothing: a base of the whole document,
/// written on a thread, and a journal to which each change is appended before the change's handler returns.
/// Matrices that lie in mapped files are referred to, not copied.
class Autosave : public QObject
{
    Q_OBJECT

public:
    /// `folder` is created when it does not exist. The document must outlive the Autosave.
    Autosave(Document &document, const QString &folder, QObject *parent = nullptr);
    /// An orderly end: removes the files.
    ~Autosave() override;

    /// Waits for the bases that are to be written. Tests only.
    void waitForBase() { m_writer.waitUntilIdle(); }
    const AutosaveNames &names() const { return m_names; }

signals:
    /// Once, when the folder cannot be written: the work is not protected.
    void failed(const QString &message);

private:
    void onChanged(const DocumentChange &change);
    void onTitleChanged();
    /// What a new journal holds, seen from the one before.
    enum class JournalStart
    {
        Continues, ///< it may be replayed after the one before
        Anew,      ///< it needs its base
    };

    /// Has the document written as it is; `modified` says whether it holds unsaved work. Never waits.
    void startBase(bool modified, JournalStart start);
    void onBaseWritten(qint64 bytes, const Result<void> &written);
    void append(const DocumentChange &change);
    void reportOnce(const QString &message);

    Document &m_document;
    AutosaveNames m_names;
    std::unique_ptr<QLockFile> m_lock;
    QFile m_journal;
    int m_number = 0;
    int m_baseIndex = 0;       ///< undo index at the base; below it the journal cannot undo
    int m_knownTop = 0;        ///< highest undo index the journal can redo to
    qint64 m_journalLimit = 0; ///< a longer journal gives way to a new base
    bool m_wasModified = false;
    bool m_hasFailed = false;
    AutosaveWriter m_writer; ///< last, so that it ends before what it uses
};

} // namespace attn
