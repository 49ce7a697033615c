#include "base/Assert.h"

#include <cstdio>
#include <cstdlib>

namespace attn {

void assertionFailed(const char *expression, const char *why, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, expression, why);
    std::abort();
}

} // namespace attn
