#include "benchmarks/RunBenchmarks.h"

#include "benchmarks/Benchmarks.h"
#include "benchmarks/limits/MachineLimits.h"
#include "engine/kernels/KernelTable.h"

#include <QStandardPaths>
#include <QTemporaryDir>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

namespace attn::bench {

namespace {

/// Runs in a process of its own: its peak of memory is its own, and what it frees costs the next one nothing.
bool succeedsApart(const BenchOptions &options, const std::function<void(Report &)> &run)
{
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        Report report(options.asJson);
        run(report);
        std::fflush(nullptr);
        std::_Exit(report.hasFailed() ? 1 : 0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (!WIFEXITED(status))
        std::fprintf(stderr, "attnscope-bench: a measurement ended by signal %d\n", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// Windows without a display, settings of nobody.
void keepApartFromTheUser(const QTemporaryDir &home)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
        qputenv(name, home.path().toUtf8());
    QStandardPaths::setTestModeEnabled(true);
}

bool runAll(const BenchOptions &options)
{
    bool isRight = true;
    const auto apart = [&](const std::function<void(Report &)> &run) {
        isRight = succeedsApart(options, run) && isRight;
    };
    if (options.limits)
        apart([&](Report &report) { measureLimits(report, options.budgetMs / 4.0); });
    apart([&](Report &report) { benchExample(report, options); });
    for (const long n : options.sizes)
        apart([&](Report &report) { benchEngine(report, options, n); });
    apart([&](Report &report) { benchGrowth(report, options); });
    for (const long n : options.sizes)
        apart([&](Report &report) { benchMaps(report, options, n); });
    if (options.withLarge)
        apart([&](Report &report) { benchMaps(report, options, 131072); });
    apart([&](Report &report) { benchColors(report, options); });
    apart([&](Report &report) { benchWindow(report, options, 4); });
    for (const long n : options.sizes)
        apart([&](Report &report) { benchWindow(report, options, n); });
    for (const long n : options.sizes)
        apart([&](Report &report) { benchMapFrames(report, options, n); });
    apart([&](Report &report) { benchDrag(report, options); });
    if (options.withLarge)
        apart([&](Report &report) { benchLargeWindow(report, options); });
    apart([&](Report &report) { benchStart(report, options); });
    return isRight;
}

} // namespace

int runBenchmarks(int argc, char **argv)
{
    const BenchOptions options = parseOptions(argc, argv);
    if (options.processorTime)
        countProcessorTime();
    if (*kernelNote() != '\0')
        std::fprintf(stderr, "attnscope-bench: %s\n", kernelNote());
    if (!options.child.empty())
        return runChild(options);
    const QTemporaryDir home;
    keepApartFromTheUser(home);
    return runAll(options) ? 0 : 1;
}

} // namespace attn::bench
