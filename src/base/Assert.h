#pragma once

namespace attn {

/// Prints where and why, then aborts. For bugs, never for input.
[[noreturn]] void assertionFailed(const char *expression, const char *why, const char *file, int line);

} // namespace attn

#ifdef NDEBUG
#define ATTN_ASSERT(expression, why) static_cast<void>(0)
#else
#define ATTN_ASSERT(expression, why)                                                                         \
    ((expression) ? static_cast<void>(0) : ::attn::assertionFailed(#expression, why, __FILE__, __LINE__))
#endif
