#pragma once

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace attn::test {

/// One run of the real program.
struct CliRun
{
    int code = -1;
    QByteArray out;
    QByteArray err;

    /// For QVERIFY2.
    QByteArray story() const { return "exit " + QByteArray::number(code) + ", stderr: " + err; }
};

inline QString testData(const QString &path)
{
    return QStringLiteral(ATTN_TEST_DATA "/") + path;
}

/// Runs attnscope-cli without a display; `locale` empty = C.UTF-8.
inline CliRun runCli(const QStringList &arguments, const QString &locale = {})
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    environment.insert(QStringLiteral("LC_ALL"), locale.isEmpty() ? QStringLiteral("C.UTF-8") : locale);
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(qEnvironmentVariable("ATTN_BIN") + QStringLiteral("/attnscope-cli"), arguments);
    CliRun run;
    if (!process.waitForFinished(60000))
        return run;
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

} // namespace attn::test
