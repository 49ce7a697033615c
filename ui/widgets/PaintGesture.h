#pragma once

#include "widgets/GridMove.h"
#include "widgets/SceneCells.h"
#include "widgets/ScrubGesture.h"

#include <QObject>

#include <optional>
#include <vector>

namespace attn {

/// What is written where somebody paints.
enum class PaintInk
{
    Brush,  ///< what the brush is set to
    Other,  ///< its opposite: right button, or Ctrl
    Toggle, ///< the opposite of what is there
    Keep,
    Drop,
};

/// A stroke of the mouse over the cells of one map. All parts of a stroke are one undo step.
class PaintGesture : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    bool isActive() const { return m_active; }
    const MapKey &map() const { return m_map; }
    /// Paints the first cell.
    void start(const MapKey &map, GridPosition cell, PaintInk ink);
    /// Paints the cells on the way to this one, so that fast strokes have no gaps.
    void moveTo(GridPosition cell);
    /// Ends now; nothing when inactive.
    void finish();

signals:
    void painted(const attn::MapKey &map, const std::vector<attn::GridPosition> &cells, attn::PaintInk ink,
                 attn::GesturePhase phase);

private:
    MapKey m_map;
    GridPosition m_cell;
    PaintInk m_ink = PaintInk::Brush;
    bool m_active = false;
};

/// The cells of a straight line between two, without the first.
std::vector<GridPosition> cellsBetween(GridPosition from, GridPosition to);

} // namespace attn
