#include "engine/LinkCollector.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace attn {

namespace {

bool isStronger(const FlowLink &a, const FlowLink &b)
{
    return std::tuple(-std::abs(a.strength), a.target, a.source) <
           std::tuple(-std::abs(b.strength), b.target, b.source);
}

} // namespace

LinkCollector::LinkCollector(Index sources, Index targets, const FlowFilter &filter)
    : m_filter(filter)
{
    m_result.sources = sources;
    m_result.targets = targets;
    m_result.sourceTotals.assign(static_cast<std::size_t>(sources), 0.0);
    m_result.targetTotals.assign(static_cast<std::size_t>(targets), 0.0);
    m_result.targetSums.assign(static_cast<std::size_t>(targets), 0.0);
}

void LinkCollector::addTarget(Index target, std::span<const double> strengths)
{
    m_group.clear();
    for (std::size_t source = 0; source < strengths.size(); ++source)
        count({static_cast<Index>(source), target, strengths[source]});
    addGroup();
}

void LinkCollector::addSource(Index source, std::span<const double> strengths)
{
    m_group.clear();
    for (std::size_t target = 0; target < strengths.size(); ++target)
        count({source, static_cast<Index>(target), strengths[target]});
    addGroup();
}

void LinkCollector::count(const FlowLink &link)
{
    if (!std::isfinite(link.strength)) {
        ++m_result.notFinite;
        return;
    }
    if (link.strength == 0.0)
        return;
    const double size = std::abs(link.strength);
    m_result.sourceTotals[static_cast<std::size_t>(link.source)] += size;
    m_result.targetTotals[static_cast<std::size_t>(link.target)] += size;
    m_result.targetSums[static_cast<std::size_t>(link.target)] += link.strength;
    ++m_result.count;
    m_group.push_back(link);
}

void LinkCollector::addGroup()
{
    std::vector<FlowLink> &group = m_group;
    double total = 0.0;
    for (const FlowLink &link : group)
        total += std::abs(link.strength);
    m_result.total += total;
    const bool isFull = static_cast<Index>(m_kept.size()) >= m_filter.mostLinks;
    std::erase_if(group, [&](const FlowLink &link) { return std::abs(link.strength) < m_filter.threshold; });
    // Links weaker than all that are kept come last in the order, so they need not be sorted.
    std::size_t candidates = group.size();
    if (isFull && !m_kept.empty()) {
        const auto end = std::partition(group.begin(), group.end(), [&](const FlowLink &link) {
            return isStronger(link, m_kept.front());
        });
        candidates = static_cast<std::size_t>(end - group.begin());
    }
    std::sort(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(candidates), isStronger);
    double held = 0.0;
    std::size_t next = 0;
    for (; next < candidates; ++next) {
        if (m_filter.mass < 1.0 && held >= m_filter.mass * total)
            break;
        held += std::abs(group[next].strength);
        keep(group[next]);
    }
    const bool needsMore = m_filter.mass >= 1.0 || held < m_filter.mass * total;
    if (next == candidates && candidates < group.size() && needsMore)
        m_result.isCut = true;
}

void LinkCollector::keep(const FlowLink &link)
{
    if (m_filter.mostLinks <= 0) {
        m_result.isCut = true;
        return;
    }
    if (static_cast<Index>(m_kept.size()) >= m_filter.mostLinks) {
        m_result.isCut = true;
        if (!isStronger(link, m_kept.front()))
            return;
        std::pop_heap(m_kept.begin(), m_kept.end(), isStronger);
        m_kept.pop_back();
    }
    m_kept.push_back(link);
    std::push_heap(m_kept.begin(), m_kept.end(), isStronger);
}

FlowLinks LinkCollector::take()
{
    std::sort(m_kept.begin(), m_kept.end(), isStronger);
    m_result.links = std::move(m_kept);
    return std::move(m_result);
}

double FlowLinks::hiddenShare() const
{
    if (total <= 0.0 || static_cast<Index>(links.size()) == count)
        return 0.0;
    double shown = 0.0;
    for (const FlowLink &link : links)
        shown += std::abs(link.strength);
    return std::clamp(1.0 - shown / total, 0.0, 1.0);
}

} // namespace attn
