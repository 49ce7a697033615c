#pragma once

#include "engine/Snapshot.h"
#include "engine/decode/DecodeCost.h"
#include "engine/decode/EditReach.h"
#include "engine/decode/RowForward.h"

#include <string>
#include <vector>

namespace attn {

/// What one step of decoding computed: its own query rows only.
struct DecodeStep
{
    Index firstRow = 0;
    Index rowCount = 0;
    Index keysBefore = 0; ///< in the cache
    Index keysAfter = 0;
    Index firstKeptRow = 0; ///< `masked` and `weights` hold the rows from here on: of a long chunk the last

    std::vector<double> queries;     ///< [kept rows, h d_k] after rotation
    std::vector<double> masked;      ///< [h, kept rows, keysAfter]; keys after a row's position are -inf
    std::vector<double> weights;     ///< the same shape
    std::vector<double> fullyMasked; ///< [h, kept rows]
    std::vector<double> concat;      ///< [rowCount, h d_v]
    std::vector<double> output;      ///< [rowCount, d_out]

    DecodeCost cost;             ///< of this step
    DecodeCost costWithoutCache; ///< of the same rows with nothing kept

    Index keptRows() const { return firstRow + rowCount - firstKeptRow; }
    Index endRow() const { return firstRow + rowCount; }
};

/// Decoding with a KV cache: query rows are fed in chunks, K and V rows are computed once and kept, and
/// only the new rows are computed. A row looks at the keys up to its position, as under a causal mask; keys
/// of another sequence that no causal mask hides are all cached by the first step. All in double.
class KvCacheRun
{
public:
    /// Rows of a chunk whose scores and weights are kept.
    static constexpr Index mostKeptRows = 64;

    /// Fails with the reason when the document has no Q, K, V rows to compute.
    static Result<KvCacheRun> start(ExperimentPtr experiment);

    /// Feeds the next rows, at most as many as are left. count >= 1
    const DecodeStep &feed(Index count);
    /// Caches the keys and values of the next rows without computing their outputs; step() is then empty.
    void skip(Index count);
    /// Forgets what was fed after the first `rows` rows; the cache is cut, nothing is computed.
    void rewind(Index rows);

    Index rowCount() const { return m_forward.sizes().nQ; }
    Index fedRows() const { return m_fedRows; }
    Index cachedKeys() const { return m_cachedKeys; }
    /// The newest step; firstRow = rowCount = 0 before the first.
    const DecodeStep &step() const { return m_step; }

    /// [h_kv, cached keys, d_k] after rotation, [h_kv, cached keys, d_v]; null while the cache is empty.
    Tensor keyCache() const;
    Tensor valueCache() const;

    const DecodeCosting &costing() const { return m_costing; }
    /// What such an edit makes wrong of what is fed so far. Deeper layers of a decoder of its own tokens go
    /// wrong from the token on; keys of another sequence follow nothing that is decoded.
    EditReach reachOf(const TokenEdit &edit) const;

private:
    explicit KvCacheRun(ExperimentPtr experiment);

    void appendKeys(Index upTo);
    void computeRow(Index row, DecodeStep &step);

    RowForward m_forward;
    DecodeCosting m_costing;
    Index m_fedRows = 0;
    Index m_cachedKeys = 0;
    std::vector<double> m_keys;   ///< [cached keys, h_kv d_k]
    std::vector<double> m_values; ///< [cached keys, h_kv d_v]
    DecodeStep m_step;
};

/// The chunks in which rows are fed: a prompt, then equal ones.
struct DecodeSchedule
{
    Index prompt = 1;
    Index chunk = 1;

    /// 0 steps for 0 rows.
    Index stepCount(Index rows) const;
    /// Rows fed after this many steps.
    Index rowsAfter(Index step, Index rows) const;
};

/// The document that decoding reproduces row by row: its own, with the causal mask on where it decodes its
/// own tokens.
Experiment decodeReference(const Experiment &experiment);

/// How close a step is to a full pass.
struct DecodeComparison
{
    bool isComparable = false;
    bool sameBits = true;
    double largest = 0.0;   ///< largest difference of an output number; NaN where only one is NaN
    double magnitude = 0.0; ///< largest output number of the rows

    /// Within 1e-12 (float64) or 1e-5 (float32) of the largest number.
    bool isWithinTolerance(Precision precision) const;
};

/// The step's output rows against those of a snapshot of decodeReference().
DecodeComparison compareWithFullPass(const DecodeStep &step, const Snapshot &full);
/// Against the same rows of another step, such as one that fed everything at once.
DecodeComparison compareWithStep(const DecodeStep &step, const DecodeStep &other);

} // namespace attn
