#include "cli/RunCommandLine.h"

#include "cli/Verbs.h"

#include <QGuiApplication>

#include <cstdio>
#include <memory>
#include <new>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

constexpr int badInputCode = 1;
constexpr int usageCode = 2;

void printTo(FILE *stream, const QByteArray &text)
{
    std::fwrite(text.constData(), 1, static_cast<std::size_t>(text.size()), stream);
}

/// Qt's own remarks about the surroundings (no run-time folder, no fonts) are nothing for stderr, which is
/// ours.
void dropQtMessage(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtFatalMsg)
        printTo(stderr, message.toUtf8() + '\n');
}

/// One line, whatever a file or a system message held.
void printLine(FILE *stream, const char *prefix, const std::string &message)
{
    QByteArray line = QByteArray::fromStdString(message).simplified();
    printTo(stream, QByteArray(prefix) + line + '\n');
}

int report(const Error &error)
{
    const bool isUsage = error.code == ErrorCode::Usage;
    printLine(stderr, "attnscope-cli: ", error.message + (isUsage ? "; see attnscope-cli --help" : ""));
    return isUsage ? usageCode : badInputCode;
}

Result<VerbResult> runVerb(const CommandLine &line)
{
    switch (line.verb()) {
    case Verb::Info:
        return runInfo(line);
    case Verb::Compute:
        return runCompute(line);
    case Verb::Render:
        return runRender(line);
    case Verb::Convert:
        return runConvert(line);
    case Verb::Replay:
        return runReplay(line);
    }
    return usageError(u"there is no such verb"_s);
}

int runParsed(const CommandLine &line)
{
    const Result<VerbResult> result = runVerb(line);
    if (!result)
        return report(result.error());
    for (const std::string &note : result->notes)
        printLine(stderr, "note: ", note);
    printTo(stdout, result->output);
    if (std::fflush(stdout) != 0)
        return report({ErrorCode::Io, "the output could not be written"});
    return 0;
}

} // namespace

int runCommandLine(int argc, char *argv[])
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromUtf8(argv[i]));
    if (arguments.isEmpty() || arguments.contains("--help"_L1) || arguments.contains("-h"_L1)) {
        printTo(arguments.isEmpty() ? stderr : stdout, helpText().toUtf8());
        return arguments.isEmpty() ? usageCode : 0;
    }
    if (arguments.contains("--version"_L1)) {
        printTo(stdout, "attnscope-cli " ATTN_VERSION "\n");
        return 0;
    }
    const Result<CommandLine> line = CommandLine::parse(arguments);
    if (!line)
        return report(line.error());
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(dropQtMessage);
    try {
        // It takes options of its own out of the arguments; ours are read already.
        int applicationArgc = 1;
        std::unique_ptr<QCoreApplication> application;
        if (line->verb() == Verb::Render)
            application = std::make_unique<QGuiApplication>(applicationArgc, argv);
        else
            application = std::make_unique<QCoreApplication>(applicationArgc, argv);
        return runParsed(*line);
    } catch (const std::bad_alloc &) {
        return report({ErrorCode::TooLarge, "not enough memory"});
    }
}

} // namespace attn
