#pragma once

#include <ctime>

namespace attn::test {

/// Time that this process has computed since the object was made: limits on it hold on a busy machine too.
class ProcessorTime
{
public:
    ProcessorTime()
        : m_start(std::clock())
    {
    }

    long milliseconds() const { return static_cast<long>((std::clock() - m_start) * 1000 / CLOCKS_PER_SEC); }

private:
    std::clock_t m_start;
};

} // namespace attn::test
