#include "base/SystemMemory.h"

#include <limits>

#if defined(__unix__)
#include <unistd.h>
#endif

namespace attn {

double systemMemoryBytes()
{
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageBytes = sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0)
        return static_cast<double>(pages) * static_cast<double>(pageBytes);
#endif
    return std::numeric_limits<double>::infinity();
}

} // namespace attn
