#pragma once

#include "engine/Snapshot.h"

#include <vector>

namespace attn {

/// One row of A of one head, with what the mask says about it.
struct AttentionRow
{
    std::vector<double> weights;
    std::vector<double> allowed; ///< 1 or 0
    Index allowedCount = 0;
    bool isLive = false;   ///< some key is allowed and the row is not fully masked
    double position = 0.0; ///< p = i + qOffset
};

/// Reads A row by row, in bands: weights that are computed where they are read cost less so.
class AttentionRows
{
public:
    /// bandRows: read at once; 0 = chosen by the width. Without A: hasWeights() is false.
    explicit AttentionRows(const Snapshot &snapshot, Index bandRows = 0);

    bool hasWeights() const { return m_A != nullptr; }
    Index heads() const { return m_A->heads(); }
    Index rows() const { return m_A->rows(); }
    Index keys() const { return m_A->cols(); }

    /// Valid until the next call. Cheapest when the rows of a head are read in order.
    const AttentionRow &read(Index head, Index row);

private:
    void readBand(Index head, Index row);

    const Snapshot &m_snapshot;
    const StageValues *m_A;
    const StageValues *m_allowed;
    const StageValues *m_fullyMasked;
    AttentionRow m_row;
    std::vector<double> m_weightBand;
    std::vector<double> m_allowedBand;
    Index m_bandRows = 1;
    Index m_bandHead = -1;
    Index m_bandFirst = 0;
    bool m_hasAllowed = false;
};

} // namespace attn
