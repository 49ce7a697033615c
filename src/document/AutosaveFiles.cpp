#include "document/AutosaveFiles.h"

#include "io/Json.h"
#include "io/StateJson.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace attn {

namespace {

std::vector<int> numbersOf(const AutosaveNames &names, const QString &suffix)
{
    std::vector<int> numbers;
    const QString prefix = names.id + u'-';
    const QStringList files = QDir(names.folder).entryList({prefix + u'*' + suffix}, QDir::Files);
    for (const QString &file : files) {
        bool isNumber = false;
        const int number = QStringView(file).mid(prefix.size()).chopped(suffix.size()).toInt(&isNumber);
        if (isNumber)
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

QByteArray frameOf(Json::Object object)
{
    const QByteArray json = writeJson(Json(std::move(object)));
    return QByteArray("#" + QByteArray::number(json.size()) + "\n" + json + "\n");
}

/// The JSON of the complete frames.
std::vector<Json> framesIn(const QByteArray &bytes)
{
    std::vector<Json> frames;
    qsizetype position = 0;
    while (position < bytes.size() && bytes.at(position) == '#') {
        const qsizetype lineEnd = bytes.indexOf('\n', position);
        if (lineEnd < 0)
            break;
        bool isNumber = false;
        const qsizetype size = bytes.mid(position + 1, lineEnd - position - 1).toLongLong(&isNumber);
        if (!isNumber || size < 0 || size > bytes.size() - lineEnd - 2)
            break;
        auto parsed = parseJson(bytes.mid(lineEnd + 1, size));
        if (!parsed)
            break;
        frames.push_back(std::move(parsed->value));
        position = lineEnd + 1 + size + 1;
    }
    return frames;
}

constexpr const char *startOp = "start";

} // namespace

QString AutosaveNames::lock() const
{
    return QString(folder + u'/' + id + u".lock");
}

QString AutosaveNames::base(int number) const
{
    return QString(folder + u'/' + id + u'-' + QString::number(number) + u".attn");
}

QString AutosaveNames::journal(int number) const
{
    return QString(folder + u'/' + id + u'-' + QString::number(number) + u".journal");
}

std::vector<int> AutosaveNames::baseNumbers() const
{
    return numbersOf(*this, QStringLiteral(".attn"));
}

std::vector<int> AutosaveNames::journalNumbers() const
{
    return numbersOf(*this, QStringLiteral(".journal"));
}

void AutosaveNames::removeBelow(int number) const
{
    for (const int old : baseNumbers())
        if (old < number)
            QFile::remove(base(old));
    for (const int old : journalNumbers())
        if (old < number)
            QFile::remove(journal(old));
}

void AutosaveNames::removeAll() const
{
    for (const int old : journalNumbers())
        QFile::remove(journal(old));
    for (const int old : baseNumbers())
        QFile::remove(base(old));
}

QByteArray journalFrame(const DocumentChange &change)
{
    Json::Object object;
    switch (change.cause) {
    case DocumentChange::Cause::Undone:
        object.emplace_back("op", "undo");
        break;
    case DocumentChange::Cause::Redone:
        object.emplace_back("op", "redo");
        break;
    case DocumentChange::Cause::Edited:
    case DocumentChange::Cause::Loaded:
        object.emplace_back("op", "edit");
        object.emplace_back("edit", change.edit ? editToJson(*change.edit) : Json());
        object.emplace_back("text", change.text.toStdString());
        object.emplace_back("gesture", change.gesture);
        break;
    }
    return frameOf(std::move(object));
}

std::vector<JournalEntry> readJournal(const QByteArray &bytes)
{
    std::vector<JournalEntry> entries;
    for (const Json &object : framesIn(bytes)) {
        const std::string &op = object["op"].toString();
        if (op == startOp)
            continue;
        JournalEntry entry;
        entry.cause = op == "undo"   ? DocumentChange::Cause::Undone
                      : op == "redo" ? DocumentChange::Cause::Redone
                                     : DocumentChange::Cause::Edited;
        if (entry.cause == DocumentChange::Cause::Edited) {
            entry.edit = writeJson(object["edit"]);
            entry.text = QString::fromStdString(object["text"].toString());
            entry.gesture = static_cast<int>(object["gesture"].toInteger());
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

QByteArray journalStartFrame(bool continuesTheOneBefore)
{
    return frameOf({{"op", startOp}, {"continues", continuesTheOneBefore}});
}

bool continuesJournal(const QByteArray &bytes)
{
    // Only the first frame is of interest; a journal may be long.
    const std::vector<Json> frames = framesIn(bytes.left(256));
    return !frames.empty() && frames.front()["op"].toString() == startOp &&
           frames.front()["continues"].toBool();
}

} // namespace attn
