#pragma once

#include "render/ColorMapTables.h"

namespace attn {

/// The two ends of a diverging scale, as hues of OKLCh in degrees.
struct DivergingHues
{
    double low = 0.0;
    double high = 0.0;
};

/// A diverging table computed in OKLab (Ottosson 2020): both arms have the same lightness and chroma at the
/// same distance from the centre, which is entry 128: near white, or near black for dark grounds.
ColorTable divergingTable(const DivergingHues &hues, bool dark);

} // namespace attn
