#pragma once

#include <string>
#include <string_view>

namespace attn {

/// A token label as it is shown: on one line, visible even when empty or blank; line breaks, tabs, leading
/// and trailing spaces and characters without a glyph shown by signs. The raw text stays in the document.
/// What is visible already comes back as it is.
std::u32string visibleLabel(std::u32string_view raw);

/// The same in UTF-8; bytes that are none become U+FFFD.
std::string visibleLabel(const std::string &raw);

} // namespace attn
