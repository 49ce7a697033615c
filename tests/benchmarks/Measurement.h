#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attn::bench {

/// One line of the result.
struct Measurement
{
    std::string what;
    long n = 0;
    long d = 0;
    long h = 0;
    std::string dtype = "f32";
    int threads = 1;
    std::string isa;
    double medianMs = 0.0;
    double minMs = 0.0;
    double p95Ms = 0.0; ///< 0: not told
    double peakRssMib = 0.0;
    double error = 0.0; ///< against the double reference, relative to the largest number
    /// A speed that the time stands for, where that is the point: "Gcells/s", "GFLOP/s"; at the shortest
    /// time.
    std::string rateUnit = {};
    double rate = 0.0;
};

struct Times
{
    double medianMs = 0.0;
    double minMs = 0.0;
    double p95Ms = 0.0; ///< at least 95 of 100 took no longer
};

Times timesFrom(std::vector<double> milliseconds);
/// Calls once(), which returns milliseconds, once to warm up and then at least three times, until `budgetMs`
/// have passed.
Times timesOf(double budgetMs, const std::function<double()> &once);
/// From now on millisecondsOf() counts the time in which this process computed, on all its threads together:
/// what others do on the machine does not enter, nor does waiting.
void countProcessorTime();
/// Milliseconds that work() takes.
double millisecondsOf(const std::function<void()> &work);
double millisecondsNow();

/// A loop on registers that takes this long on a processor of its own. How much longer it takes at times is
/// what the machine adds to any measurement, by doing other work.
class PlainLoop
{
public:
    explicit PlainLoop(double milliseconds);
    /// Milliseconds of one turn.
    double run() const;

private:
    long m_steps = 1 << 16;
};

/// The most memory this process has had so far.
double peakRssMib();

/// Prints measurements as they come, and remembers whether all were right.
class Report
{
public:
    explicit Report(bool asJson)
        : m_asJson(asJson)
    {
    }

    /// Fails, in words on stderr, when the error exceeds `tolerance` or is no number.
    void add(const Measurement &measurement, double tolerance);
    void fail(const std::string &what, const std::string &why);
    bool hasFailed() const { return m_hasFailed; }
    bool isJson() const { return m_asJson; }

private:
    bool m_asJson;
    bool m_hasFailed = false;
    bool m_hasHeader = false;
};

} // namespace attn::bench
