#include "document/Recovery.h"

#include "io/Json.h"
#include "io/StateJson.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QSet>

#include <algorithm>

namespace attn {

namespace {

/// The newest base that is complete, with its number; the journals that continue it follow.
Result<std::pair<int, DocumentFileData>> newestBase(const AutosaveNames &names)
{
    std::vector<int> numbers = names.baseNumbers();
    Error last{ErrorCode::NotFound, "no autosaved document"};
    for (auto it = numbers.rbegin(); it != numbers.rend(); ++it) {
        const QString path = names.base(*it);
        Result<QByteArray> bytes = readFile(path);
        if (!bytes) {
            last = bytes.error();
            continue;
        }
        Result<DocumentFileData> data = parseDocument(*bytes, QFileInfo(path).fileName());
        if (data)
            return std::pair(*it, *std::move(data));
        last = data.error();
    }
    return last;
}

std::vector<JournalEntry> journalsFrom(const AutosaveNames &names, int number)
{
    std::vector<JournalEntry> entries;
    for (const int journal : names.journalNumbers()) {
        if (journal < number)
            continue;
        const Result<QByteArray> bytes = readFile(names.journal(journal));
        if (journal > number && (!bytes || !continuesJournal(*bytes)))
            break; // what follows was done to another base, which is not there
        if (bytes)
            for (JournalEntry &entry : readJournal(*bytes))
                entries.push_back(std::move(entry));
    }
    return entries;
}

/// Whose files lie in the folder: "<id>-<k>.attn".
QSet<QString> idsIn(const QDir &dir)
{
    QSet<QString> ids;
    for (const QString &file : dir.entryList({QStringLiteral("*-*.attn")}, QDir::Files))
        ids.insert(file.left(file.lastIndexOf(u'-')));
    return ids;
}

/// Carries one entry out; an empty text when it went well.
QString replay(const JournalEntry &entry, int gesture, Document &document)
{
    if (entry.cause == DocumentChange::Cause::Undone) {
        document.undoStack()->undo();
        return {};
    }
    if (entry.cause == DocumentChange::Cause::Redone) {
        document.undoStack()->redo();
        return {};
    }
    const auto parsed = parseJson(entry.edit);
    if (!parsed)
        return QString::fromStdString(parsed.error().message);
    const Result<Edit> edit = editFromJson(parsed->value, *document.experiment());
    if (!edit)
        return QString::fromStdString(edit.error().message);
    const Result<QStringList> applied = document.apply(*edit, entry.text, gesture);
    return applied ? QString() : QString::fromStdString(applied.error().message);
}

} // namespace

std::vector<RecoverableWork> recoverableWork(const QString &folder)
{
    std::vector<RecoverableWork> found;
    const QDir dir(folder);
    for (const QString &id : idsIn(dir)) {
        RecoverableWork work;
        work.names = {folder, id};
        QLockFile lock(work.names.lock());
        lock.setStaleLockTime(0); // only the death of its owner frees it
        if (!lock.tryLock(0))
            continue;
        const auto base = newestBase(work.names);
        const bool isModified = base && base->second.view.value(QLatin1String("autosave"))
                                            .toObject()
                                            .value(QLatin1String("modified"))
                                            .toBool();
        if (!base || (!isModified && journalsFrom(work.names, base->first).empty())) {
            work.names.removeAll();
            continue;
        }
        const QJsonObject info = base->second.view.value(QLatin1String("autosave")).toObject();
        work.title = info.value(QLatin1String("title")).toString();
        work.file = info.value(QLatin1String("file")).toString();
        for (const QFileInfo &file : dir.entryInfoList({QString(work.names.id + u"-*")}, QDir::Files))
            work.when = std::max(work.when, file.lastModified());
        found.push_back(std::move(work));
    }
    std::sort(found.begin(), found.end(),
              [](const RecoverableWork &a, const RecoverableWork &b) { return a.when > b.when; });
    return found;
}

Result<QString> restoreWork(const RecoverableWork &work, Document &document)
{
    auto base = newestBase(work.names);
    if (!base)
        return base.error();
    DocumentFileData &data = base->second;
    data.view.remove(QStringLiteral("autosave"));
    auto experiment = std::make_shared<const Experiment>(std::move(data.experiment));
    document.load(std::move(experiment), ViewState::fromJson(data.view), work.file, work.title);
    document.setReference(std::move(data.reference));
    document.setModifiedFromStart();
    int lastGesture = 0;
    int gesture = 0;
    for (const JournalEntry &entry : journalsFrom(work.names, base->first)) {
        if (entry.gesture != lastGesture)
            gesture = entry.gesture > 0 ? document.newGesture() : 0;
        lastGesture = entry.gesture;
        const QString problem = replay(entry, gesture, document);
        if (!problem.isEmpty())
            return QObject::tr("The changes after “%1” could not be restored: %2").arg(entry.text, problem);
    }
    return QString();
}

void discardWork(const RecoverableWork &work)
{
    work.names.removeAll();
    QFile::remove(work.names.lock());
}

} // namespace attn
