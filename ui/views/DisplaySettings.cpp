#include "views/DisplaySettings.h"

#include <algorithm>

namespace attn {

namespace {

DisplayOptions::RangeMode rangeModeOf(RangeChoice::Mode mode)
{
    switch (mode) {
    case RangeChoice::Mode::PerHead:
        return DisplayOptions::RangeMode::PerHead;
    case RangeChoice::Mode::Fixed:
        return DisplayOptions::RangeMode::Fixed;
    case RangeChoice::Mode::Shared:
        break;
    }
    return DisplayOptions::RangeMode::Shared;
}

} // namespace

DisplayOptions displayOptionsOf(const ViewState &state, bool dark, bool updating)
{
    DisplayOptions options;
    options.decimals = state.decimals;
    options.sequentialMap = state.sequentialMap;
    options.divergingMap = state.divergingMap;
    options.dark = dark;
    options.pooling = state.pooling;
    options.updating = updating;
    for (const auto &[stage, choice] : state.ranges)
        options.ranges[stage] = {rangeModeOf(choice.mode), choice.minimum, choice.maximum};
    return options;
}

FootprintsOptions footprintsOptionsOf(const ViewState &state, const Snapshot &snapshot)
{
    const Index tokens = snapshot.experiment().keyTokens().size();
    FootprintsOptions options;
    options.target = static_cast<FootprintTarget>(std::clamp(state.footprintTarget, 0, 2));
    options.head = std::clamp<Index>(state.head, 0, std::max<Index>(1, snapshot.experiment().nHeads) - 1);
    if (static_cast<Index>(state.footprintOrder.size()) == tokens)
        options.order = state.footprintOrder;
    options.muted = state.mutedTokens;
    options.accumulated = state.footprintCount < tokens ? state.footprintCount : -1;
    if (stageInfo(state.stage).rows == Axis::Query)
        options.row = std::clamp<Index>(state.cell.row, 0, std::max<Index>(1, snapshot.sizes().nQ) - 1);
    return options;
}

} // namespace attn
