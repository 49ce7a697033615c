#pragma once

#include "render/scenes/MapFactory.h"

#include <string>
#include <vector>

namespace attn {

/// The upper left of a scratch matrix, under its symbol.
struct LabNumbers
{
    QString symbol;
    std::string lab;
    Index rows = 0;
    Index cols = 0;
};

/// Whether they are there and none of them is infinite or no number.
bool areFinite(const Experiment &experiment, const LabNumbers &numbers);

/// Why a page of the lab cannot be drawn, and below it its numbers, so that they can be mended there.
Scene refusedLabScene(const MapFactory &maps, const QString &title, const QString &reason,
                      const std::vector<LabNumbers> &numbers);

} // namespace attn
