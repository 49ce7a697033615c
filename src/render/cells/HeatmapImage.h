#pragma once

#include "render/cells/CellHatching.h"
#include "render/cells/CellNumbers.h"
#include "render/cells/CellVeils.h"
#include "render/cells/HeatmapCells.h"
#include "render/cells/NumberGlyphs.h"

#include <QImage>
#include <QRect>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace attn {

class PooledMaps;
struct SceneMap;

/// What the picture of a map's cells depends on besides the map itself.
struct HeatmapLook
{
    QSize size; ///< of the whole map, in pixels
    QRect part; ///< of it, counted from its corner: what the image covers
    PoolSize pool;
    double unit = 1.0; ///< pixels per device-independent pixel
    HatchColors hatch;
    QRgb text = 0; ///< numbers on hatched cells
    CellVeils veils;
    std::optional<CellNumbers> numbers;
    PooledMaps *pooled = nullptr; ///< reads large maps without waiting
    std::uint64_t revision = 0;   ///< of what is known there

    bool operator==(const HeatmapLook &) const = default;
};

/// An image and what its rows were drawn from: rows that stay as they are need not be drawn again.
struct HeatmapDrawing
{
    QImage image;
    CellMemory cells;                  ///< of pools
    std::vector<std::uint16_t> places; ///< of all drawn cells in `tables`; empty = not kept
    std::vector<QRgb> tables;
    ValueRange range;
    bool hasMask = false;
};

/// Glyphs by pixel size, kept between images.
using NumberGlyphSets = std::map<int, NumberGlyphs>;

/// What is used again from one image to the next: fresh memory for a large one costs as much as its colours.
struct HeatmapMemory
{
    NumberGlyphSets glyphs;
    CellMemory cells;
};

/// Draws the cells, their marks and their numbers as pixels: RGB32, part.size() large, every cell on whole
/// pixels. Reads the numbers of the part only, in one call (two with numbers).
/// before: of the same look, to be drawn over; may be empty.
HeatmapDrawing heatmapImage(const SceneMap &map, const HeatmapLook &look, HeatmapMemory &memory,
                            HeatmapDrawing before = {});

} // namespace attn
