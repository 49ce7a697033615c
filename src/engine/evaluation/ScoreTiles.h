#pragma once

#include "engine/Masking.h"
#include "engine/evaluation/PanelCache.h"
#include "engine/evaluation/StageStore.h"
#include "engine/kernels/KernelTable.h"

namespace attn {

/// Computes any tile of scores, scaled, allowed, bias, masked and A from queries, keys and the document.
///
/// The bits of a cell do not depend on the tile it is computed in, so a strip of the evaluation, a tile on
/// the screen and a single cell agree. May be used from several threads as long as nobody changes what it
/// points to. Tiles may span blocks.
template<typename Scalar>
class ScoreTiles
{
public:
    ExperimentPtr experiment;
    const Kernels<Scalar> *kernels = nullptr;
    MaskParts mask;
    bool hidesNothing = true;
    bool hasBias = false;
    Scalar scale = 1;
    Index nKeys = 0;
    Index headsPerKvHead = 1;
    const StageBlocks<Scalar> *Q = nullptr; ///< [h, n_q, d_k], rotated where positions are; null: no scores
    const StageBlocks<Scalar> *K = nullptr; ///< [h_kv, n_k, d_k]
    /// The document's own numbers, in place of computed ones; null: none.
    Tensor fixedScores;
    Tensor fixedScaled;
    Tensor fixedMasked;
    Tensor fixedA;
    const Pins *pinsOfScores = nullptr;
    const Pins *pinsOfScaled = nullptr;
    const Pins *pinsOfMasked = nullptr;
    const Pins *pinsOfA = nullptr;

    /// factor Q K^T without pins. packedKeys: with room for the blocks of keys, where whole ones are used
    /// again and again; null elsewhere
    void product(const TileArea &area, Scalar *tile, Index stride, PanelCache<Scalar> *packedKeys = nullptr,
                 Scalar factor = 1) const;
    /// Adds the bias and hides what the mask hides, over scaled scores.
    void applyMask(const TileArea &area, Scalar *tile, Index stride) const;
    /// 1 = allowed, 0 = hidden.
    void allowed(const TileArea &area, Scalar *tile, Index stride) const;
    /// What the mask adds; 0 at hidden keys.
    void bias(const TileArea &area, Scalar *tile, Index stride) const;

    /// With pins, from the queries and keys on.
    void scores(const TileArea &area, Scalar *tile, Index stride,
                PanelCache<Scalar> *packedKeys = nullptr) const;
    void scaled(const TileArea &area, Scalar *tile, Index stride,
                PanelCache<Scalar> *packedKeys = nullptr) const;
    void masked(const TileArea &area, Scalar *tile, Index stride,
                PanelCache<Scalar> *packedKeys = nullptr) const;

    /// True when causal mask or window hide the whole area and nothing in it is set by hand.
    bool isHidden(const TileArea &area) const;

    /// Whether the same queries and keys give the same numbers in every stage.
    bool followsSameRules(const ScoreTiles &other) const;

private:
    void addBias(const TileArea &area, Scalar *tile, Index stride) const;
    void hide(const TileArea &area, Scalar *tile, Index stride) const;
    void hideByMatrices(const TileArea &area, Scalar *tile, Index stride) const;
};

extern template class ScoreTiles<double>;
extern template class ScoreTiles<float>;

} // namespace attn
