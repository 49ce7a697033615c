#pragma once

namespace attn {

/// How long a sentence that is told to the user stays true.
enum class MessageLife
{
    Passing,     ///< of what was just tried: goes after some seconds, or when the user moves on
    UntilChange, ///< about the document as it is: goes with its next change
    Standing,    ///< about the surroundings: goes when it is dismissed
};

} // namespace attn
