#include "engine/lab/VectorSource.h"

#include "engine/Derivation.h"
#include "engine/StageNumbers.h"
#include "engine/lab/Span.h"

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// How many vectors a stage offers, and how long they are.
struct VectorCounts
{
    Index vectors = 0;
    Index numbers = 0;
};

VectorCounts countsOf(const VectorSource &source, const StageValues &values)
{
    return source.kind == VectorSource::Kind::Columns ? VectorCounts{values.cols(), values.rows()}
                                                      : VectorCounts{values.rows(), values.cols()};
}

void bringInside(Index &one, Index &other, Index count)
{
    one = std::clamp<Index>(one, 0, std::max<Index>(0, count - 1));
    other = std::clamp<Index>(other, 0, std::max<Index>(0, count - 1));
    if (one == other && count > 1)
        other = one + 1 < count ? one + 1 : one - 1;
}

} // namespace

VectorSource insideStage(VectorSource source, const Snapshot &snapshot)
{
    if (source.isScratch() || !snapshot.stage(source.stage).hasValues())
        return source;
    const StageValues &values = *snapshot.stage(source.stage).values;
    const VectorCounts counts = countsOf(source, values);
    source.head = std::clamp<Index>(source.head, 0, values.heads() - 1);
    bringInside(source.first, source.second, counts.vectors);
    bringInside(source.axisX, source.axisY, counts.numbers);
    return source;
}

Result<SmallMatrix> chosenVectors(const Snapshot &snapshot, const VectorSource &source,
                                  const std::string &lab)
{
    SmallMatrix vectors;
    if (source.isScratch()) {
        const Tensor &matrix = snapshot.experiment().lab(lab);
        const Index rows = matrix.isNull() ? 0 : matrix.rows();
        const Index cols = matrix.isNull() ? 0 : matrix.cols();
        if (source.dimension < 2 || source.count < 1 || rows < source.dimension || cols < source.count)
            return Error{ErrorCode::ShapeMismatch, lab + ": expected at least " +
                                                       shapeText({1, source.dimension, source.count}) +
                                                       ", found " + shapeText({1, rows, cols})};
        vectors = SmallMatrix::zeros(source.dimension, source.count);
        matrix.copyBlock(0, 0, 0, vectors.rows, vectors.cols, vectors.data.data(), vectors.cols);
    } else {
        const std::string name = stageName(source.stage);
        if (!snapshot.stage(source.stage).hasValues())
            return Error{ErrorCode::NotFound, name + " has no values"};
        const StageValues &values = *snapshot.stage(source.stage).values;
        const VectorCounts counts = countsOf(source, values);
        if (counts.numbers < 2 || counts.numbers > mostVectorNumbers)
            return Error{ErrorCode::ShapeMismatch, name + ": expected vectors of 2 to " +
                                                       std::to_string(mostVectorNumbers) +
                                                       " numbers, found " + std::to_string(counts.numbers)};
        vectors = SmallMatrix::zeros(counts.numbers, 2);
        const bool asColumns = source.kind == VectorSource::Kind::Columns;
        for (const auto &[col, which] : {std::pair<Index, Index>{0, source.first}, {1, source.second}}) {
            vectors.setColumn(col, asColumns ? columnNumbers(values, source.head, which)
                                             : rowNumbers(values, source.head, which));
        }
    }
    if (!vectors.isFinite())
        return Error{ErrorCode::BadInput, "a number in them is infinite or no number (NaN)"};
    return vectors;
}

CellIndex vectorCell(const VectorSource &source, Index which, Index coordinate)
{
    if (source.isScratch())
        return {0, coordinate, which};
    const Index at = which == 0 ? source.first : source.second;
    return source.kind == VectorSource::Kind::Columns ? CellIndex{source.head, coordinate, at}
                                                      : CellIndex{source.head, at, coordinate};
}

Result<Edit> vectorEdit(const Experiment &experiment, const VectorSource &source, const std::string &lab,
                        const SmallMatrix &plane, Index which, std::span<const double> wanted)
{
    std::vector<CellValue> cells;
    for (Index i = 0; i < plane.rows; ++i)
        if (plane.at(i, 0) != 0.0 || plane.at(i, 1) != 0.0)
            cells.push_back({vectorCell(source, which, i), wanted[static_cast<std::size_t>(i)]});
    if (source.isScratch())
        return Edit{SetLabCells{lab, std::move(cells)}};
    if (static_cast<Index>(cells.size()) > mostEditedNumbers)
        return Error{ErrorCode::BadInput, "vectors of more than " + std::to_string(mostEditedNumbers) +
                                              " numbers are moved along two of their coordinates only"};
    return typedEdit(experiment, source.stage, std::move(cells));
}

SmallMatrix drawnPlane(const VectorSource &source, const SmallMatrix &vectors)
{
    if (!source.isScratch() && source.ownPlane)
        return planeOf(vectors);
    SmallMatrix plane = SmallMatrix::zeros(vectors.rows, 2);
    plane.at(source.isScratch() ? 0 : source.axisX, 0) = 1.0;
    plane.at(source.isScratch() ? 1 : source.axisY, 1) = 1.0;
    return plane;
}

SmallMatrix viewOfSpace(double azimuth, double elevation)
{
    const double cosA = std::cos(azimuth);
    const double sinA = std::sin(azimuth);
    const double cosE = std::cos(elevation);
    const double sinE = std::sin(elevation);
    return SmallMatrix::of(3, 2, {-sinA, -cosA * sinE, cosA, -sinA * sinE, 0.0, cosE});
}

std::vector<double> movedVector(const SmallMatrix &plane, std::span<const double> vector, double x, double y)
{
    std::vector<double> moved(vector.begin(), vector.end());
    const double wanted[2] = {x, y};
    for (Index k = 0; k < 2; ++k) {
        const std::vector<double> direction = plane.column(k);
        const double now = dotOf(direction, vector);
        for (std::size_t i = 0; i < moved.size(); ++i)
            if (direction[i] == 1.0)
                moved[i] = wanted[k]; // along an axis exactly what was asked for
            else
                moved[i] += (wanted[k] - now) * direction[i];
    }
    return moved;
}

} // namespace attn
