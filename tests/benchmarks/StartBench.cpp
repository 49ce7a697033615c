#include "benchmarks/Benchmarks.h"
#include "benchmarks/Checks.h"
#include "benchmarks/WindowProbe.h"
#include "benchmarks/Workloads.h"
#include "engine/Evaluator.h"
#include "engine/kernels/KernelTable.h"
#include "io/StageExport.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <cstdio>

namespace attn::bench {

namespace {

/// Inputs of an experiment as a safetensors file that opens without a question.
bool writeInputs(const QString &path, Experiment experiment, const std::vector<Stage> &stages)
{
    const SnapshotPtr snapshot =
        Evaluator().evaluate(std::make_shared<const Experiment>(std::move(experiment)), {});
    const Result<QByteArray> bytes = stagesAsFile(*snapshot, stages, DataFormat::Safetensors);
    QFile file(path);
    return bytes && file.open(QIODevice::WriteOnly) && file.write(*bytes) == bytes->size();
}

/// What a child says on two lines: that its first picture is there; then its error once all is computed, its
/// peak of memory at the picture, its sizes.
struct ChildResult
{
    double pictureMs = 0.0; ///< from its start to its first line
    double error = 0.0;
    double peakRssMib = 0.0;
    long n = 0;
    long d = 0;
    long h = 0;
};

bool runOnce(const BenchOptions &options, const QString &file, ChildResult &result)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    const QString number = QString::number(options.budgetMs / 1000.0);
    const double start = millisecondsNow();
    process.start(QStringLiteral("/proc/self/exe"),
                  {QStringLiteral("--child"), QStringLiteral("start"), QStringLiteral("--file"), file,
                   QStringLiteral("--budget"), number});
    while (!process.canReadLine())
        if (!process.waitForReadyRead(120000))
            return false;
    result.pictureMs = millisecondsNow() - start;
    process.readLine();
    if (!process.waitForFinished(120000) || process.exitCode() != 0)
        return false;
    const QByteArray line = process.readAllStandardOutput();
    return std::sscanf(line.constData(), "%lf %lf %ld %ld %ld", &result.error, &result.peakRssMib, &result.n,
                       &result.d, &result.h) == 5;
}

void measureStart(Report &report, const BenchOptions &options, const std::string &what, const QString &file)
{
    ChildResult result;
    bool hasFailed = false;
    const Times times = timesOf(options.budgetMs, [&] {
        hasFailed = !runOnce(options, file, result) || hasFailed;
        return result.pictureMs;
    });
    if (hasFailed)
        return report.fail(what, "the started process failed");
    Measurement m;
    m.what = what;
    m.n = result.n;
    m.d = result.d;
    m.h = result.h;
    m.dtype = file.startsWith(QLatin1String("example:")) || options.isDouble ? "f64" : "f32";
    m.threads = options.threads;
    m.isa = isaName();
    m.medianMs = times.medianMs;
    m.minMs = times.minMs;
    m.peakRssMib = result.peakRssMib;
    m.error = result.error;
    report.add(m, 1e-4);
}

} // namespace

void benchStart(Report &report, const BenchOptions &options)
{
    const std::string start = "start-up: process to first picture";
    const std::string file = "file to first picture: 12 heads, heads workspace";
    if (options.wants(start))
        measureStart(report, options, start, QStringLiteral("example:computed"));
    if (!options.wants(file))
        return;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("layer.safetensors"));
    const std::vector<Stage> inputs = {Stage::X, Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo};
    if (!writeInputs(path, layerOf(512, options), inputs))
        return report.fail(file, "could not write the file");
    measureStart(report, options, file, path);
}

int runChild(const BenchOptions &options)
{
    int argumentCount = 0;
    QApplication application(argumentCount, nullptr);
    WindowProbe probe;
    const QString file = QString::fromStdString(options.file);
    if (!probe.open(file))
        return 1;
    if (!file.startsWith(QLatin1String("example:")))
        probe.window().showWorkspace(QStringLiteral("heads"));
    if (!probe.showAndWait())
        return 1;
    std::printf("picture\n");
    std::fflush(stdout);
    const double rss = peakRssMib();
    probe.bench().compute()->waitUntilIdle();
    const Snapshot &snapshot = *probe.bench().snapshot();
    const double error = errorOfRows(snapshot, 0, {0, snapshot.sizes().nQ - 1}, false);
    std::printf("%.3g %.1f %td %td %td\n", error, rss, snapshot.sizes().nQ, snapshot.sizes().dHeadK,
                snapshot.sizes().nHeads);
    std::fflush(stdout);
    // Closing the window is no part of the start.
    std::_Exit(0);
}

} // namespace attn::bench
