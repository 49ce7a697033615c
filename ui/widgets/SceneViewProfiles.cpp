#include "widgets/SceneView.h"

#include <algorithm>

namespace attn {

void SceneView::setProfilesShown(bool shown)
{
    if (shown == (m_profiles != nullptr))
        return;
    delete m_profiles;
    m_profiles = shown ? new ProfileOverlay(this) : nullptr;
    if (m_profiles)
        connect(m_profiles, &ProfileOverlay::changed, viewport(), qOverload<>(&QWidget::update));
    viewport()->update();
}

void SceneView::zoomToCell()
{
    const SceneMap *map = currentMap();
    if (!map)
        return;
    constexpr double readableCell = 32.0;
    const QRectF cell = cellRect(*map, m_place->cell.row, m_place->cell.col);
    // Of a map with far more rows than columns, or the other way round, a cell is a stripe: it is no more
    // than half of the window, and its number stands in the tip and the inspector.
    const double whole = std::min(viewport()->width() / cell.width(), viewport()->height() / cell.height());
    setZoom(std::min(readableCell / std::min(cell.width(), cell.height()), whole / 2.0),
            fromScene(cell).center());
    ensureVisible(cell);
}

} // namespace attn
