#pragma once

#include "document/AutosaveFiles.h"
#include "document/Document.h"

#include <QFile>
#include <QLockFile>
#include <QObject>

#include <memory>
#include <thread>

namespace attn {

/// Keeps the unsaved work of a document on disk, so that a kill loses nothing: a base of the whole document,
/// written on a thread, and a journal to which each change is appended before the change's handler returns.
class Autosave : public QObject
{
    Q_OBJECT

public:
    /// `folder` is created when it does not exist. The document must outlive the Autosave.
    Autosave(Document &document, const QString &folder, QObject *parent = nullptr);
    /// An orderly end: removes the files.
    ~Autosave() override;

    /// Waits for the base that is being written. Tests only.
    void waitForBase();
    const AutosaveNames &names() const { return m_names; }

signals:
    /// Once, when the folder cannot be written: the work is not protected.
    void failed(const QString &message);

private:
    void onChanged(const DocumentChange &change);
    void onTitleChanged();
    /// Writes the document as it is; `modified` says whether it holds unsaved work.
    void startBase(bool modified);
    void append(const DocumentChange &change);
    void reportOnce(const QString &message);

    Document &m_document;
    AutosaveNames m_names;
    std::unique_ptr<QLockFile> m_lock;
    QFile m_journal;
    std::jthread m_writer;
    int m_number = 0;
    int m_baseIndex = 0;       ///< undo index at the base; below it the journal cannot undo
    int m_knownTop = 0;        ///< highest undo index the journal can redo to
    qint64 m_journalLimit = 0; ///< a longer journal gives way to a new base
    bool m_wasModified = false;
    bool m_hasFailed = false;
};

} // namespace attn
