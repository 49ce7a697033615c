#pragma once

#include "engine/lab/Span.h"
#include "engine/lab/VectorSource.h"
#include "render/scenes/lab/LabTexts.h"

namespace attn {

/// What a picture of vectors is about.
struct VectorsInView
{
    VectorSource source;
    SmallMatrix vectors; ///< [n, count]
    SmallMatrix drawn;   ///< [n, 2]
    SmallMatrix points;  ///< [2, count]: drawnᵀ · vectors
    std::vector<double> coefficients;
    std::vector<double> target; ///< of the vectors' dimension; of a stage's vectors: a point of the picture
    SpanFacts facts;
    Reach reach; ///< of the target: by the vectors, or by their drawn points

    bool isSpace() const { return source.isScratch() && vectors.rows == 3; }
    /// Partial sums of the combination: 0, x_1 v_1, x_1 v_1 + x_2 v_2, …
    std::vector<std::vector<double>> path() const;
};

VectorsInView vectorsInView(const Snapshot &snapshot, const VectorSource &source, SmallMatrix vectors,
                            SmallMatrix drawn);

/// Every statement about them, with the numbers.
std::vector<Statement> vectorStatements(const VectorsInView &view);

} // namespace attn
