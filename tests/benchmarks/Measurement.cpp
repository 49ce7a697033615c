#include "benchmarks/Measurement.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace attn::bench {

namespace {

bool countsProcessorTime = false;

double processorMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

std::string jsonLine(const Measurement &m)
{
    char text[512];
    std::snprintf(
        text, sizeof text,
        "{\"what\": \"%s\", \"n\": %ld, \"d\": %ld, \"h\": %ld, \"dtype\": \"%s\", \"threads\": %d, "
        "\"isa\": \"%s\", \"median_ms\": %.5g, \"min_ms\": %.5g, \"peak_rss_mib\": %.1f, "
        "\"error\": %.3g",
        m.what.c_str(), m.n, m.d, m.h, m.dtype.c_str(), m.threads, m.isa.c_str(), m.medianMs, m.minMs,
        m.peakRssMib, m.error);
    std::string line = text;
    if (m.p95Ms > 0.0) {
        std::snprintf(text, sizeof text, ", \"p95_ms\": %.5g", m.p95Ms);
        line += text;
    }
    if (!m.rateUnit.empty()) {
        std::snprintf(text, sizeof text, ", \"rate\": %.4g, \"rate_unit\": \"%s\"", m.rate,
                      m.rateUnit.c_str());
        line += text;
    }
    return line + "}";
}

std::string tableLine(const Measurement &m)
{
    char text[512];
    std::snprintf(text, sizeof text, "%-44s %7ld %4ld %3ld %s %7d %-7s %10.4g %10.4g %8.0f %8.1e",
                  m.what.c_str(), m.n, m.d, m.h, m.dtype.c_str(), m.threads, m.isa.c_str(), m.medianMs,
                  m.minMs, m.peakRssMib, m.error);
    std::string line = text;
    if (m.p95Ms > 0.0) {
        std::snprintf(text, sizeof text, "  p95 %.4g", m.p95Ms);
        line += text;
    }
    if (!m.rateUnit.empty()) {
        std::snprintf(text, sizeof text, "  %.4g %s", m.rate, m.rateUnit.c_str());
        line += text;
    }
    return line;
}

} // namespace

double millisecondsNow()
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void countProcessorTime()
{
    countsProcessorTime = true;
}

double millisecondsOf(const std::function<void()> &work)
{
    const auto now = countsProcessorTime ? processorMilliseconds : millisecondsNow;
    const double start = now();
    work();
    return now() - start;
}

Times timesFrom(std::vector<double> milliseconds)
{
    std::ranges::sort(milliseconds);
    const std::size_t count = milliseconds.size();
    return {milliseconds[count / 2], milliseconds.front(), milliseconds[(count * 95 + 99) / 100 - 1]};
}

Times timesOf(double budgetMs, const std::function<double()> &once)
{
    constexpr std::size_t most = 1000;
    once();
    std::vector<double> times;
    const double start = millisecondsNow();
    while (times.size() < 3 || (times.size() < most && millisecondsNow() - start < budgetMs))
        times.push_back(once());
    return timesFrom(std::move(times));
}

PlainLoop::PlainLoop(double milliseconds)
{
    double least = run();
    for (int i = 0; i < 200; ++i)
        least = std::min(least, run());
    m_steps = std::max(1L, std::lround(static_cast<double>(m_steps) * milliseconds / least));
}

double PlainLoop::run() const
{
    return millisecondsOf([this] {
        double number = 1.0;
        for (long i = 0; i < m_steps; ++i)
            number = number * 0.999999 + 1e-7;
        [[maybe_unused]] static volatile double kept;
        kept = number;
    });
}

double peakRssMib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void Report::add(const Measurement &measurement, double tolerance)
{
    if (!m_asJson && !m_hasHeader)
        std::printf("%-44s %7s %4s %3s %s %7s %-7s %10s %10s %8s %8s\n", "what", "n", "d", "h", "dtype",
                    "threads", "isa", "median_ms", "min_ms", "rss_mib", "error");
    m_hasHeader = true;
    std::puts((m_asJson ? jsonLine(measurement) : tableLine(measurement)).c_str());
    std::fflush(stdout);
    if (!(measurement.error <= tolerance)) {
        char why[96];
        std::snprintf(why, sizeof why, "expected an error of at most %.2g, found %.3g", tolerance,
                      measurement.error);
        fail(measurement.what, why);
    }
}

void Report::fail(const std::string &what, const std::string &why)
{
    m_hasFailed = true;
    std::fprintf(stderr, "attnscope-bench: %s: %s\n", what.c_str(), why.c_str());
}

} // namespace attn::bench
