#pragma once

#include "engine/Types.h"

#include <Qt>

namespace attn {

/// A step of the current cell in a matrix, as spreadsheets make it.
enum class GridMove
{
    None,
    Left,
    Right,
    Up,
    Down,
    LeftEdge,
    RightEdge,
    TopEdge,
    BottomEdge,
    First,
    Last,
    PageUp,
    PageDown,
};

struct GridPosition
{
    Index row = 0;
    Index col = 0;

    bool operator==(const GridPosition &) const = default;
};

/// What a key means while no editor is open: arrows, Ctrl+arrows, Home, End, Ctrl+Home, Ctrl+End, PageUp,
/// PageDown (with Shift they extend), Tab, Return (with Shift they go back).
GridMove gridMoveOfKey(int key, Qt::KeyboardModifiers modifiers);
/// Whether Shift means "extend the block" with this key.
bool shiftExtends(int key);

/// Whether this key walks through a selected block instead of leaving it.
bool walksInBlock(int key);

/// The cell after a step, kept inside rows x cols (both > 0). `page` is the number of rows of a page.
GridPosition movedInGrid(GridPosition from, GridMove move, Index rows, Index cols, Index page);

/// The next cell of a block, round and round: down and up by columns, right and left by rows.
GridPosition steppedInBlock(GridPosition from, GridMove move, GridPosition first, GridPosition last);

} // namespace attn
