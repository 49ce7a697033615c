#pragma once

#include "engine/FlowLinks.h"

#include <span>

namespace attn {

/// Chooses links group by group, holding no more than the filter's mostLinks. A group is what the filter's
/// mass is counted in: the links of one target, or of one source alone.
class LinkCollector
{
public:
    LinkCollector(Index sources, Index targets, const FlowFilter &filter);

    /// strengths[s]: from source s to `target`.
    void addTarget(Index target, std::span<const double> strengths);
    /// strengths[t]: from `source` to target t.
    void addSource(Index source, std::span<const double> strengths);

    FlowLinks take();

private:
    void count(const FlowLink &link);
    void addGroup();
    void keep(const FlowLink &link);

    FlowFilter m_filter;
    FlowLinks m_result;
    std::vector<FlowLink> m_group;
    std::vector<FlowLink> m_kept; ///< a heap, the weakest in front
};

} // namespace attn
