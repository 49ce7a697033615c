#pragma once

#include "engine/decode/BidirectionalPass.h"
#include "engine/decode/KvCacheRun.h"

#include <optional>
#include <string>

namespace attn {

/// Everything a picture of one step of decoding shows.
struct DecodePicture
{
    std::string unavailable; ///< why there is nothing to decode; then nothing else counts
    DecodeSchedule schedule;
    Index position = 0; ///< steps done
    Index stepCount = 0;
    Index rows = 0; ///< of the document
    bool isGrowing = true;
    DecodeStep step;             ///< empty at position 0
    DecodeComparison recomputed; ///< against the same rows with nothing kept
    DecodeComparison full;       ///< against the engine's full pass, where `reference` is there
    SnapshotPtr reference;       ///< of decodeReference(); null where it would be too large to compute beside
    BidirectionalChange bidirectional; ///< empty for keys of another sequence
    Precision precision = Precision::Float64;

    struct Total
    {
        Index rows = 0; ///< fed after the step
        std::int64_t cached = 0;
        std::int64_t uncached = 0;
        std::int64_t cacheBytes = 0;
        std::int64_t inputBytes = 0;
    };
    std::vector<Total> totals; ///< running sums of multiplications after each step, all steps
};

/// Decodes one document step by step and goes on from where it stands when it can.
class DecodeSession
{
public:
    /// Above this a document that is not causal is not evaluated a second time.
    static constexpr Index mostReferenceTokens = 256;
    /// Prompts are cut to this: the outputs of a whole prompt are computed in one step.
    static constexpr Index longestPrompt = 256;

    /// snapshot: the newest of the document; position: brought inside 0 .. stepCount
    DecodePicture at(const SnapshotPtr &snapshot, DecodeSchedule schedule, Index position, Index head);

    /// See KvCacheRun; of the rows fed at the last position.
    EditReach reachOf(const TokenEdit &edit) const;

private:
    void restart(const SnapshotPtr &snapshot);

    ExperimentPtr m_experiment;
    std::optional<KvCacheRun> m_run;
    std::string m_unavailable;
    SnapshotPtr m_reference;
};

} // namespace attn
