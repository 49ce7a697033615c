#pragma once

#include "engine/Types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace attn {

/// The file that mapped numbers lie in, as it was when it was opened.
struct FileOrigin
{
    std::string path; ///< absolute, UTF-8
    std::int64_t bytes = 0;
    std::int64_t modifiedMs = 0; ///< milliseconds since 1970
    std::string fingerprint;     ///< of its size and of samples of its content

    bool operator==(const FileOrigin &) const = default;
};

/// Where the numbers of a matrix lie in a memory-mapped file: in the machine's own byte order, at any
/// alignment. A row is made of pieces of neighbouring numbers, because heads that a stage holds side by side
/// may lie one after another in the file. Strides count numbers.
struct MappedNumbers
{
    std::shared_ptr<const void> mapping; ///< keeps `first` readable
    const std::byte *first = nullptr;    ///< cell (0, 0, 0)
    std::int64_t offset = 0;             ///< of `first` in the file, in bytes
    Index headStride = 0;
    Index rowStride = 0;
    Index pieceCols = 1;
    Index pieceStride = 0;
    std::shared_ptr<const FileOrigin> origin;

    bool operator==(const MappedNumbers &) const = default;
};

} // namespace attn
