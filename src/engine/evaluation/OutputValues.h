#pragma once

#include "engine/Experiment.h"
#include "engine/StageBlocks.h"
#include "engine/evaluation/PanelCache.h"
#include "engine/evaluation/ReadMarks.h"
#include "engine/kernels/KernelTable.h"

#include <cstdint>

namespace attn {

/// concat W^O + bo of a strip, without pins.
///
/// concat: [h, n_q, d_v]; Wo: [h, d_v, d_out]; bo: null = none; out: [strip rows, d_out]; packedWeights: with
/// room for the blocks of Wo, where strip after strip is computed; null elsewhere
template<typename Scalar>
void computeOutput(const Kernels<Scalar> &kernels, const StageBlocks<Scalar> &concat,
                   const StageBlocks<Scalar> &Wo, const Scalar *bo, Index strip, Scalar *out, Index stride,
                   PanelCache<Scalar> *packedWeights = nullptr);

/// What a large output is computed from, once a snapshot holds it.
template<typename Scalar>
struct OutputSources
{
    const Kernels<Scalar> *kernels = nullptr;
    StageBlocks<Scalar> concat; ///< [h, n_q, d_v]
    StageBlocks<Scalar> Wo;     ///< [h, d_v, d_out]
    BlockReference bo;          ///< null: none
    ExperimentPtr experiment;   ///< holds the pins
    const Pins *pins = nullptr; ///< null: none

    /// Whether a strip of both is computed from the same blocks, and so has the same bits.
    bool isStripAlike(const OutputSources &other, Index strip) const;
};

/// How a strip of the output stands in a snapshot.
enum class OutputStrip : std::uint8_t
{
    Exact,
    OnRead,   ///< exact as well: computed when somebody reads it
    Updating, ///< from an older generation, or not there
};

/// A large output of which only the strips that are looked at are computed with every edit. The others are
/// computed by the same function once they are read, and kept.
///
/// blocks: of the strips that are there; states: of each strip; reads: where the strips that are read are
/// noted; before: older values, whose strips are taken over where they are the same; may be null
template<typename Scalar>
StageValuesPtr outputOnRead(BlockPool pool, OutputSources<Scalar> sources, StageBlocks<Scalar> blocks,
                            std::vector<OutputStrip> states, std::shared_ptr<ReadMarks> reads,
                            const StageValuesPtr &before);

} // namespace attn
