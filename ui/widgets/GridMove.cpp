#include "widgets/GridMove.h"

#include <algorithm>

namespace attn {

namespace {

GridMove moveWithControl(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return GridMove::LeftEdge;
    case Qt::Key_Right:
        return GridMove::RightEdge;
    case Qt::Key_Up:
        return GridMove::TopEdge;
    case Qt::Key_Down:
        return GridMove::BottomEdge;
    case Qt::Key_Home:
        return GridMove::First;
    case Qt::Key_End:
        return GridMove::Last;
    default:
        return GridMove::None;
    }
}

} // namespace

GridMove gridMoveOfKey(int key, Qt::KeyboardModifiers modifiers)
{
    if (modifiers & (Qt::AltModifier | Qt::MetaModifier))
        return GridMove::None;
    if (modifiers & Qt::ControlModifier)
        return moveWithControl(key);
    const bool back = modifiers & Qt::ShiftModifier;
    switch (key) {
    case Qt::Key_Left:
        return GridMove::Left;
    case Qt::Key_Right:
        return GridMove::Right;
    case Qt::Key_Up:
        return GridMove::Up;
    case Qt::Key_Down:
        return GridMove::Down;
    case Qt::Key_Home:
        return GridMove::LeftEdge;
    case Qt::Key_End:
        return GridMove::RightEdge;
    case Qt::Key_PageUp:
        return GridMove::PageUp;
    case Qt::Key_PageDown:
        return GridMove::PageDown;
    case Qt::Key_Tab:
        return back ? GridMove::Left : GridMove::Right;
    case Qt::Key_Backtab:
        return GridMove::Left;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return back ? GridMove::Up : GridMove::Down;
    default:
        return GridMove::None;
    }
}

bool shiftExtends(int key)
{
    return !walksInBlock(key);
}

bool walksInBlock(int key)
{
    return key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_Return || key == Qt::Key_Enter;
}

GridPosition movedInGrid(GridPosition from, GridMove move, Index rows, Index cols, Index page)
{
    GridPosition to = from;
    switch (move) {
    case GridMove::None:
        break;
    case GridMove::Left:
        --to.col;
        break;
    case GridMove::Right:
        ++to.col;
        break;
    case GridMove::Up:
        --to.row;
        break;
    case GridMove::Down:
        ++to.row;
        break;
    case GridMove::LeftEdge:
        to.col = 0;
        break;
    case GridMove::RightEdge:
        to.col = cols - 1;
        break;
    case GridMove::TopEdge:
        to.row = 0;
        break;
    case GridMove::BottomEdge:
        to.row = rows - 1;
        break;
    case GridMove::First:
        to = {0, 0};
        break;
    case GridMove::Last:
        to = {rows - 1, cols - 1};
        break;
    case GridMove::PageUp:
        to.row -= std::max<Index>(page, 1);
        break;
    case GridMove::PageDown:
        to.row += std::max<Index>(page, 1);
        break;
    }
    return {std::clamp<Index>(to.row, 0, rows - 1), std::clamp<Index>(to.col, 0, cols - 1)};
}

GridPosition steppedInBlock(GridPosition from, GridMove move, GridPosition first, GridPosition last)
{
    const Index rows = last.row - first.row + 1;
    const Index cols = last.col - first.col + 1;
    const Index count = rows * cols;
    const Index row = from.row - first.row;
    const Index col = from.col - first.col;
    const bool byColumns = move == GridMove::Up || move == GridMove::Down;
    const Index by = move == GridMove::Up || move == GridMove::Left ? count - 1 : 1;
    const Index at = ((byColumns ? col * rows + row : row * cols + col) + by) % count;
    return {first.row + (byColumns ? at % rows : at / cols), first.col + (byColumns ? at / rows : at % cols)};
}

} // namespace attn
