#pragma once

#include "engine/lab/LinearMap.h"
#include "render/scenes/lab/LabTexts.h"
#include "render/scenes/lab/PlaneScenes.h"

namespace attn {

/// What a picture of maps is about.
struct MapsInView
{
    VectorSource source;
    SmallMatrix A; ///< [2, 2]
    SmallMatrix B;
    std::vector<double> u; ///< what they are tried on
    std::vector<double> v;
    double c = 1.0;
};

/// A from its source, the rest from the scratch matrices. Fails as chosenVectors does.
Result<MapsInView> mapsInView(const Snapshot &snapshot, const VectorSource &source);

/// "A rotation by 90°", "a shear along (1, 0)": what the numbers say.
QString mapKindText(const MapKind &kind);

std::vector<Statement> mapStatements(const MapsInView &view);
std::vector<Statement> compositionStatements(const MapsInView &view);
std::vector<Statement> factorStatements(const MapsInView &view);

} // namespace attn
