#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

/// Keeps the program alive when a mapped file is made shorter by somebody else: bytes that are gone read as
/// NaN of every number format (0xff) instead of ending the program by a bus error.
///
/// Lives as long as the mapping. On systems without such signals it does nothing.
class MappingGuard
{
public:
    MappingGuard(const std::byte *begin, std::int64_t size);
    ~MappingGuard();
    MappingGuard(const MappingGuard &) = delete;
    MappingGuard &operator=(const MappingGuard &) = delete;

private:
    int m_slot = -1; ///< -1: not guarded, there are too many mappings
};

} // namespace attn
