#pragma once

#include "base/Result.h"
#include "engine/Pins.h"
#include "engine/Stage.h"
#include "engine/Tensor.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

/// Token labels: data, raw UTF-8, duplicates allowed. Shared between copies.
class TokenList
{
public:
    TokenList()
        : m_labels(std::make_shared<const std::vector<std::string>>())
    {
    }
    TokenList(std::vector<std::string> labels)
        : m_labels(std::make_shared<const std::vector<std::string>>(std::move(labels)))
    {
    }

    Index size() const { return static_cast<Index>(m_labels->size()); }
    const std::string &at(Index index) const { return (*m_labels)[static_cast<std::size_t>(index)]; }
    const std::vector<std::string> &labels() const { return *m_labels; }
    bool operator==(const TokenList &other) const
    {
        return m_labels == other.m_labels || *m_labels == *other.m_labels;
    }

private:
    std::shared_ptr<const std::vector<std::string>> m_labels;
};

/// Rotary position embedding (Su et al. 2021, RoFormer). Pair t turns by position * base^(-2t/rotDim).
struct Rotary
{
    enum class Pairing
    {
        Interleaved, ///< columns (2t, 2t+1)
        Half,        ///< columns (t, t + rotDim/2)
    };

    Pairing pairing = Pairing::Interleaved;
    double base = 10000.0;
    std::optional<Index> rotDim; ///< even; none = d_k (d_k - 1 if odd)

    bool operator==(const Rotary &) const = default;
};

/// Key j is allowed for position p when -left <= j - p <= right; none = no limit.
struct Window
{
    std::optional<Index> left;
    std::optional<Index> right;

    bool operator==(const Window &) const = default;
};

/// What a printed fact is the value of, so that it can be checked.
struct FactSource
{
    enum class Quantity
    {
        Values,         ///< values of `stage` from `cell` on
        Exponentials,   ///< e^x of them
        ExponentialSum, ///< the sum of e^x over the row of `cell`
        RootOfWidth,    ///< sqrt(d_k); no stage
        Range,          ///< the smallest and the largest value of the head
        Transposed,     ///< all values of the head, column by column
    };
    /// Which numbers of the stage are meant.
    enum class Basis
    {
        Shown,       ///< those in the document, pins included
        Inputs,      ///< what the stage's own inputs give: its pins left out
        Projections, ///< what Q, K and V give: every pin after them left out
    };

    Quantity quantity = Quantity::Values;
    Stage stage = Stage::Q;
    CellIndex cell;
    bool alongColumn = false; ///< the values stand below each other
    Basis basis = Basis::Inputs;

    bool operator==(const FactSource &) const = default;
};

/// A number that the source of an example prints in prose only, kept by name.
struct PrintedFact
{
    std::string name;
    std::vector<double> values;
    int decimals = 2;
    std::optional<FactSource> source; ///< none: nothing in the document says what it should be

    bool operator==(const PrintedFact &) const = default;
};

/// One attention layer, complete: everything the forward pass depends on. A value; immutable once shared.
///
/// `given` holds every matrix whose numbers come from the document: X, weights, biases, mask matrices, and
/// computed stages from which the document starts (Q, K, V; scores; A ...). A stage in `given` is not
/// computed.
struct Experiment
{
    TokenList tokens;                  ///< query tokens, n_q
    std::optional<TokenList> tokensKv; ///< key tokens; none = self attention, keys are the query tokens
    std::map<Stage, Tensor> given;
    std::map<Stage, Pins> pins; ///< no empty entries

    Index nHeads = 1;
    Index nKvHeads = 1; ///< divides nHeads; head i reads KV head i / (nHeads / nKvHeads)
    Index statedDHeadK =
        0; ///< d_k where no matrix fixes it (scores, scaled or A given): sets the default scale
    Index statedDHeadV = 0;      ///< d_v where no matrix fixes it
    std::optional<double> scale; ///< none = 1/sqrt(d_k), following d_k
    Index qOffset = 0;           ///< position of query row 0; may be negative
    std::optional<Rotary> rotary;
    bool causal = false; ///< key j allowed when j <= i + qOffset
    std::optional<Window> window;
    Precision precision = Precision::Float64;

    std::map<Stage, int> decimals; ///< places after the point as printed in the source, for the audit
    std::vector<PrintedFact> printedFacts;
    std::string notes;

    /// Scratch matrices of the labs, by name: numbers to play with that no stage is computed from.
    std::map<std::string, Tensor> labs;
    /// What the user calls the rows of a scratch matrix, from the first on; an empty name is none. No empty
    /// entries, and none for a matrix that is not in `labs`.
    std::map<std::string, std::vector<std::string>> labRowNames;

    /// The document's matrix of this stage, or null.
    const Tensor &matrix(Stage stage) const;
    /// The scratch matrix of this name; its start values (lab/StandardLabs.h) where nobody set one; or null.
    const Tensor &lab(const std::string &name) const;
    /// What the user calls this row of a scratch matrix; empty: nothing.
    std::string labRowName(const std::string &name, Index row) const;
    bool isGiven(Stage stage) const { return !matrix(stage).isNull(); }
    bool isSelfAttention() const { return !tokensKv.has_value(); }
    const TokenList &keyTokens() const { return tokensKv ? *tokensKv : tokens; }
    const Pins &pinsOf(Stage stage) const;
};

using ExperimentPtr = std::shared_ptr<const Experiment>;

/// The sizes an experiment has, as far as its matrices fix them.
struct Sizes
{
    Index nQ = 0;
    Index nK = 0;
    Index dModel = 0;   ///< columns of X
    Index dModelKv = 0; ///< columns of Xkv, or of X
    Index nHeads = 1;
    Index nKvHeads = 1;
    Index dHeadK = 0;
    Index dHeadV = 0;
    Index dOut = 0;
    double scale = 1.0; ///< the factor in force

    /// Length of an axis; 0 where it is not known.
    Index length(Axis axis) const;
};

Sizes sizesOf(const Experiment &experiment);

/// The shape a stage has in this experiment; rows or cols 0 where they are not known.
Shape expectedShape(const Experiment &experiment, Stage stage);

/// Checks what cannot be computed around: heads that do not divide, matrices whose shapes contradict the
/// tokens or each other. The message names both matrices and both sizes. What merely cannot be computed yet
/// is not an error.
Result<void> validate(const Experiment &experiment);

/// The slopes 2^(-8i/h), i = 1..h; for h not a power of two those of the power below, then every other one of
/// the power above (Press et al. 2021, ALiBi). [1, h]
Tensor defaultAlibiSlopes(Index nHeads);

/// Same document content, bit for bit.
bool sameContent(const Experiment &a, const Experiment &b);

} // namespace attn
