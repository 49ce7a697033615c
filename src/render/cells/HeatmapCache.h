#pragma once

#include "render/cells/HeatmapImage.h"

#include <list>

namespace attn {

/// Images of maps kept between paints, bounded in bytes; the least recently used leave first. One thread.
///
/// An image is found again only for the same values (by pointer, which is not kept alive), colours, range,
/// size and part: whatever a pixel depends on. Where only the part differs, what both have in common is
/// copied.
class HeatmapCache
{
public:
    explicit HeatmapCache(qsizetype maximumBytes = 48 * 1024 * 1024);
    ~HeatmapCache();
    HeatmapCache(const HeatmapCache &) = delete;
    HeatmapCache &operator=(const HeatmapCache &) = delete;

    QImage image(const SceneMap &map, const HeatmapLook &look);
    /// `now` shows newer values of what `before` showed: images of cells that are known to be the same are
    /// found again for them.
    void carryOver(const SceneMap &before, const SceneMap &now);
    void clear();
    qsizetype bytes() const { return m_bytes; }
    /// How many images had to be made, of which so many from a neighbour: a map that is scrolled keeps the
    /// pixels that stay in sight.
    int misses() const { return m_misses; }
    int scrolled() const { return m_scrolled; }

private:
    struct Entry;

    HeatmapDrawing made(const SceneMap &map, const HeatmapLook &look);
    HeatmapDrawing takeOutdated(const SceneMap &map, const HeatmapLook &look);
    const Entry *neighbour(const SceneMap &map, const HeatmapLook &look) const;
    void trim();

    std::list<Entry> m_entries; ///< most recently used first
    HeatmapMemory m_memory;
    qsizetype m_maximumBytes;
    qsizetype m_bytes = 0;
    int m_misses = 0;
    int m_scrolled = 0;
};

} // namespace attn
