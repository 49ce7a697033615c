#include "render/scenes/AxisLabelCache.h"

#include <algorithm>

namespace attn {

namespace {

/// More than a document has axes.
constexpr std::size_t mostEntries = 16;

} // namespace

std::optional<AxisLabels> AxisLabelCache::find(const Key &key) const
{
    const std::scoped_lock lock(m_mutex);
    const auto found = std::ranges::find(m_entries, key, &Entry::key);
    return found == m_entries.end() ? std::nullopt : std::optional(found->labels);
}

void AxisLabelCache::keep(const Key &key, const AxisLabels &labels)
{
    const std::scoped_lock lock(m_mutex);
    if (m_entries.size() >= mostEntries)
        m_entries.erase(m_entries.begin());
    m_entries.push_back({key, labels});
}

} // namespace attn
