#include "document/Autosave.h"

#include <QDir>
#include <QUuid>

namespace attn {

namespace {

constexpr qint64 smallestJournalLimit = qint64(1) << 20;

DocumentFileData dataOf(const Document &document, bool modified)
{
    DocumentFileData data;
    data.experiment = *document.experiment();
    data.reference = document.reference();
    data.title = document.title();
    data.view = document.viewState().toJson();
    data.view.insert(QStringLiteral("autosave"), QJsonObject{{QStringLiteral("file"), document.file()},
                                                             {QStringLiteral("title"), document.title()},
                                                             {QStringLiteral("modified"), modified}});
    return data;
}

} // namespace

Autosave::Autosave(Document &document, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_names{folder, QUuid::createUuid().toString(QUuid::WithoutBraces)}
    , m_writer(m_names, [this](qint64 bytes, const Result<void> &written) {
        QMetaObject::invokeMethod(
            this, [this, bytes, written] { onBaseWritten(bytes, written); }, Qt::QueuedConnection);
    })
{
    if (QDir().mkpath(folder)) {
        m_lock = std::make_unique<QLockFile>(m_names.lock());
        m_lock->setStaleLockTime(0);
        m_lock->tryLock(0);
    }
    connect(&document, &Document::changed, this, &Autosave::onChanged);
    connect(&document, &Document::titleChanged, this, &Autosave::onTitleChanged);
    startBase(document.isModified(), JournalStart::Anew);
}

Autosave::~Autosave()
{
    m_writer.stop();
    m_journal.close();
    m_names.removeAll();
}

void Autosave::onChanged(const DocumentChange &change)
{
    if (change.cause == DocumentChange::Cause::Loaded) {
        startBase(false, JournalStart::Anew);
        return;
    }
    append(change);
    const int index = m_document.undoStack()->index();
    // The stack moves its index only after the command ran; inside the command it is still the old one.
    const int reached = change.cause == DocumentChange::Cause::Undone ? index - 1 : index + 1;
    const bool cannotReplay = (change.cause == DocumentChange::Cause::Undone && reached < m_baseIndex) ||
                              (change.cause == DocumentChange::Cause::Redone && reached > m_knownTop);
    if (change.cause == DocumentChange::Cause::Edited)
        m_knownTop = reached;
    if (cannotReplay || m_journal.pos() > m_journalLimit) {
        startBase(true, cannotReplay ? JournalStart::Anew : JournalStart::Continues);
        m_baseIndex = m_knownTop = reached;
    }
}

void Autosave::onTitleChanged()
{
    // After a save nothing is left to restore, after an import or a restore everything is: a base that says
    // so replaces the journal. What edits do is in the journal already.
    const bool isModified = m_document.isModified();
    if (isModified != m_wasModified && m_document.undoStack()->isClean())
        startBase(isModified, JournalStart::Continues);
    m_wasModified = isModified;
}

void Autosave::startBase(bool modified, JournalStart start)
{
    ++m_number;
    m_baseIndex = m_knownTop = m_document.undoStack()->index();
    m_journal.close();
    m_journal.setFileName(m_names.journal(m_number));
    const QByteArray frame = journalStartFrame(start == JournalStart::Continues);
    if (!m_journal.open(QIODevice::WriteOnly | QIODevice::Truncate | QIODevice::Unbuffered) ||
        m_journal.write(frame) != frame.size()) {
        reportOnce(m_journal.errorString());
        return;
    }
    m_journalLimit = std::max(m_journalLimit, smallestJournalLimit);
    m_writer.write(m_number, dataOf(m_document, modified));
}

void Autosave::onBaseWritten(qint64 bytes, const Result<void> &written)
{
    m_journalLimit = std::max(smallestJournalLimit, bytes);
    if (!written)
        reportOnce(QString::fromStdString(written.error().message));
}

void Autosave::append(const DocumentChange &change)
{
    if (!m_journal.isOpen())
        return;
    const QByteArray frame = journalFrame(change);
    if (m_journal.write(frame) != frame.size())
        reportOnce(m_journal.errorString());
}

void Autosave::reportOnce(const QString &message)
{
    if (m_hasFailed)
        return;
    m_hasFailed = true;
    // Queued: the first base is begun in the constructor, before anybody can listen.
    QMetaObject::invokeMethod(
        this, [this, message] { emit failed(tr("Unsaved work cannot be protected: %1").arg(message)); },
        Qt::QueuedConnection);
}

} // namespace attn
