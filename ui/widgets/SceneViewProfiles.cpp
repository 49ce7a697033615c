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
    setZoom(readableCell / std::min(cell.width(), cell.height()), fromScene(cell).center());
    ensureVisible(cell);
}

} // namespace attn
