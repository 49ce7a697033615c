#pragma once

#include "engine/lab/VectorSource.h"
#include "render/SceneBuilders.h"
#include "render/scenes/lab/NumberPlane.h"

namespace attn {

/// A scene with a plane in it, and where on the screen its numbers lie: what a dragged point means.
struct PlaneScene
{
    Scene scene;
    PlaneGeometry plane;
    std::vector<PlaneGeometry> factorPlanes; ///< of two maps that are composed: where A and B are dragged
    SmallMatrix vectors;                     ///< the vectors it shows, as columns
    SmallMatrix drawn;                       ///< [n, 2]: drawn point = drawnᵀ · vector
    std::vector<QRectF> tracks;              ///< of the coefficients, from −trackReach to trackReach
    double trackReach = 4.0;
    QRectF turnPad; ///< of the view of space; null in the plane

    double coefficientAt(std::size_t track, const QPointF &pos) const;
    /// Azimuth and elevation that a place on the turn pad stands for.
    QPointF anglesAt(const QPointF &pos) const;
};

/// A scene with a plane: so wide, and as tall as it likes. With a height, the plane and the numbers below it
/// fit.
inline constexpr QSizeF defaultPlaneRoom = {960.0, 0.0};

struct VectorsLabOptions
{
    VectorSource source;
    double azimuth = 0.55;  ///< of the view of space, −π … π
    double elevation = 0.4; ///< −π/2 … π/2
    double step = -1.0;     ///< how many vectors of the combination are added, parts included; -1 = all
    double reach = 0.0;     ///< of the plane; 0 = chosen so that everything fits
    double trackReach = 0.0;
    SmallMatrix drawn; ///< the plane to draw in; empty = that of the source
    QSizeF room = defaultPlaneRoom;
};

/// Vectors as arrows: scaled, added, combined; what they span, whether they are independent and a basis, and
/// the coordinates of a target.
///
/// Grips: "v:0" … the vectors, "x:0" … the coefficients, "t" the target, "turn" the view of space. Maps of
/// scratch matrices and stages are editable.
PlaneScene vectorsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                           const VectorsLabOptions &options = {});

struct MapsLabOptions
{
    enum class Mode
    {
        OneMap,  ///< A: its grid, determinant, kind, linearity
        Compose, ///< AB against BA
        Factors, ///< A as rotate, stretch, rotate
    };

    Mode mode = Mode::OneMap;
    VectorSource source;  ///< of A: scratch, or four numbers of a stage
    double position = -1; ///< on the way from the identity, in steps: 1 (OneMap), 2 or 3; -1 = at the end
    double reach = 0.0;   ///< as in VectorsLabOptions
    double factorReach = 0.0;
    double trackReach = 0.0;
    QSizeF room = defaultPlaneRoom;

    int steps() const { return mode == Mode::OneMap ? 1 : mode == Mode::Compose ? 2 : 3; }
};

/// The plane deformed by a matrix: its columns as images of the basis, linearity checked with numbers,
/// composition in both orders, and the matrix as rotate, stretch, rotate.
///
/// Grips: "a:0", "a:1" (columns of A), "b:0", "b:1" (of B), "u", "v" (what the map is tried on), "c".
PlaneScene mapsLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const MapsLabOptions &options = {});

struct WeightLabOptions
{
    Stage weight = Stage::Wq; ///< Wq, Wk, Wv or Wo
    Index head = 0;           ///< query head; its KV head for Wk and Wv
    Index token = 0;          ///< row that is written out
    double position = -1; ///< 0 features, 1 singular directions, 2 stretched, 3 the head's numbers; -1 = 3
    QSizeF room = defaultPlaneRoom;
};

/// The weight matrix of one head through its singular values: how token rows are turned, stretched and turned
/// again on their way through it.
Scene weightLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const WeightLabOptions &options = {});

} // namespace attn
