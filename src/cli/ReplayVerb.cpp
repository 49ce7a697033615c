#include "cli/ExperimentOptions.h"
#include "cli/Verbs.h"
#include "document/ComputeService.h"
#include "document/Document.h"
#include "io/DocumentFile.h"
#include "io/StateJson.h"

#include <QDir>

#include <optional>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// A document and its computation, as the window has them, and the folder that takes what they show.
class Replay
{
public:
    explicit Replay(const QString &folder)
        : m_folder(folder)
        , m_service(ComputeService::Mode::Inline)
    {
        QObject::connect(&m_document, &Document::changed, &m_service,
                         [this] { m_service.request(m_document.experiment(), m_document.generation()); });
    }

    Result<void> start(Experiment experiment, const QString &title)
    {
        m_document.load(std::make_shared<const Experiment>(std::move(experiment)), {}, {}, title);
        return write(fileName(0));
    }

    Result<void> step(const Json &json, qsizetype number)
    {
        const Result<Edit> edit = editFromJson(json, *m_document.experiment());
        if (!edit)
            return edit.error();
        const Result<QStringList> applied =
            m_document.apply(*edit, u"Step %1"_s.arg(static_cast<qint64>(number)));
        if (!applied)
            return applied.error();
        return write(fileName(number));
    }

    Result<void> undoAll()
    {
        while (m_document.undoStack()->canUndo())
            m_document.undoStack()->undo();
        return write(u"undone.json"_s);
    }

private:
    static QString fileName(qsizetype number)
    {
        return u"%1.json"_s.arg(static_cast<qint64>(number), 4, 10, QChar(u'0'));
    }

    Result<void> write(const QString &name)
    {
        m_service.waitUntilIdle();
        const Json json = Json::Object{{"state", stateToJson(*m_document.experiment())},
                                       {"stages", stagesToJson(*m_service.snapshot())}};
        return writeFileAtomically(m_folder.filePath(name), writeJson(json));
    }

    QDir m_folder;
    Document m_document;
    ComputeService m_service;
};

std::string stepName(const std::string &file, qsizetype number, const Json &edit)
{
    const std::string op = edit["op"].isString() ? " (" + edit["op"].toString() + ")" : "";
    return file + ": step " + std::to_string(number) + op + ": ";
}

} // namespace

Result<VerbResult> runReplay(const CommandLine &line)
{
    const QString folder = line.value(u"--out"_s);
    if (folder.isEmpty())
        return usageError(u"replay: --out is missing"_s);
    if (line.inputs().size() != 1)
        return usageError(u"replay: expected one file of edits"_s);
    const Result<std::optional<Precision>> precision = precisionOption(line);
    if (!precision)
        return precision.error();
    const QString path = line.inputs().first();
    const std::string file = path.toStdString();
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.error();
    const Result<JsonText> text = parseJson(*bytes);
    if (!text)
        return Error{text.error().code, file + ": " + text.error().message};
    const Json &json = text->value;
    if (!json["state"].isObject() || !json["steps"].isArray())
        return Error{ErrorCode::BadInput, file + ": expected an object with \"state\" and \"steps\""};
    Result<Experiment> experiment = experimentFromState(json["state"]);
    if (!experiment)
        return Error{experiment.error().code, file + ": " + experiment.error().message};
    if (*precision)
        experiment->precision = **precision;
    if (!QDir().mkpath(folder))
        return Error{ErrorCode::Io, folder.toStdString() + ": the folder cannot be made"};

    Replay replay(folder);
    Result<void> done = replay.start(std::move(*experiment), path);
    qsizetype number = 0;
    for (const Json &step : json["steps"].toArray()) {
        if (!done)
            return done.error();
        const Json &edit = step["edit"];
        done = replay.step(edit, ++number);
        if (!done)
            return Error{done.error().code, stepName(file, number, edit) + done.error().message};
    }
    done = done ? replay.undoAll() : done;
    if (!done)
        return done.error();
    return VerbResult{};
}

} // namespace attn
