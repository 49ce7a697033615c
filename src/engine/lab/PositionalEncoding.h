#pragma once

#include "base/Result.h"
#include "engine/Edit.h"

#include <optional>
#include <string>

namespace attn {

/// X as the sum of embeddings and a positional encoding. E and P are kept as scratch matrices of the
/// document; while X = E + P holds, an edit of a number of E or P writes X too.
inline constexpr const char *embeddingLab = "E";
inline constexpr const char *positionLab = "P";

struct PositionChoice
{
    enum class Kind
    {
        None,       ///< zeros: the embeddings alone
        Sinusoidal, ///< Vaswani et al. 2017, section 3.5
        Learned,    ///< numbers of one's own; to begin with the present P, or small random ones
    };

    Kind kind = Kind::Sinusoidal;
    double base = 10000.0;
    Index first = 0;        ///< position of row 0
    std::uint64_t seed = 1; ///< of the first numbers of a learned matrix

    bool operator==(const PositionChoice &) const = default;
};

/// Column 2t: sin(p / base^(2t/cols)), column 2t + 1: cos of the same; an odd width ends on a sine.
Tensor sinusoidalEncoding(Index rows, Index cols, double base = 10000.0, Index first = 0);
/// The P that a choice means for this document; its X must be given.
Tensor encodingOf(const Experiment &experiment, const PositionChoice &choice);

/// What the document keeps of X = E + P.
struct PositionState
{
    Tensor X;                ///< null: the document has none, and nothing can be said of positions
    Tensor E;                ///< kept; else X itself
    Tensor P;                ///< kept; else zeros
    bool isKept = false;     ///< E and P are matrices of the document
    bool fits = true;        ///< both have the shape of X
    Index differing = 0;     ///< cells in which X is not E + P, by more than rounding
    double largestGap = 0.0; ///< of them
};

PositionState positionState(const Experiment &experiment);

/// Where the rows of a sinusoidal P are those of other positions: a token that is deleted, inserted or moved
/// takes its row along.
struct MisplacedRows
{
    Index count = 0;
    Index row = -1;      ///< the first of them
    Index position = -1; ///< that its numbers stand for; -1 = none: they are no row of the encoding
};

/// Nothing where fewer than half of the rows are rows of the encoding: then P is another one.
MisplacedRows misplacedRows(const Tensor &P, double base);

/// Which of X and E stays when P becomes another one.
enum class Staying
{
    X,          ///< E = X - P
    Embeddings, ///< X = E + P
};

/// Keeps E and P in the document under a new P. One step.
Result<Edit> encodingEdit(const Experiment &experiment, const Tensor &P, Staying staying);

/// The edit, and with it the rows of X that follow when it touches E or P while X is their sum; any other
/// edit as it is. Refused when the edit itself is.
Result<Edit> withFollowingX(const Experiment &experiment, const Edit &edit);

/// Exchanges two words and leaves the positions: labels and rows of E (of X where no E is kept), and X = E +
/// P. Masks and pins stay.
Result<Edit> swapWordsEdit(const Experiment &experiment, Index i, Index j);

} // namespace attn
