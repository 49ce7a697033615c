#include "engine/evaluation/StageStore.h"

#include "engine/MappedNumbers.h"

namespace attn {

namespace {

/// Calls each(row, col, value) for the single pins inside the area.
template<typename Each>
void forEachPin(const Pins &pins, const TileArea &area, const Each &each)
{
    const auto &cells = pins.cells();
    for (Index row = 0; row < area.rows; ++row) {
        auto pin = cells.lower_bound({area.head, area.row + row, area.col});
        const CellIndex end{area.head, area.row + row, area.col + area.cols};
        for (; pin != cells.end() && pin->first < end; ++pin)
            if (!each(row, pin->first.col - area.col, pin->second))
                return;
        if (pin == cells.end() || pin->first.head != area.head)
            return;
        // Rows without pins are passed over at once.
        row = std::max(row, pin->first.row - area.row - 1);
    }
}

} // namespace

template<typename Scalar>
void StageStore<Scalar>::setFixed(Tensor tensor)
{
    fixed = std::move(tensor);
    const MappedNumbers *numbers = fixed.mapping();
    if (!numbers)
        inFile = {};
    else if (!inFile.mapping() || !(*inFile.mapping() == *numbers) || !(inFile.shape() == fixed.shape()))
        inFile = Tensor::mapped(fixed.shape(), fixed.storage(), *numbers);
}

template struct StageStore<double>;
template struct StageStore<float>;

bool pinsTouch(const Pins *pins, const TileArea &area)
{
    if (!pins)
        return false;
    if (!pins->whole().isNull())
        return true;
    bool found = false;
    forEachPin(*pins, area, [&](Index, Index, double) {
        found = true;
        return false;
    });
    return found;
}

template<typename Scalar>
void overlayPins(const Pins *pins, const TileArea &area, Scalar *tile, Index stride)
{
    if (!pins)
        return;
    if (!pins->whole().isNull()) {
        std::vector<Scalar> line(static_cast<std::size_t>(area.cols));
        for (Index row = 0; row < area.rows; ++row) {
            pins->whole().copyBlock(area.head, area.row + row, area.col, 1, area.cols, line.data(),
                                    area.cols);
            for (Index col = 0; col < area.cols; ++col)
                if (!pins->holes().contains({area.head, area.row + row, area.col + col}))
                    tile[row * stride + col] = line[static_cast<std::size_t>(col)];
        }
    }
    forEachPin(*pins, area, [&](Index row, Index col, double value) {
        tile[row * stride + col] = static_cast<Scalar>(value);
        return true;
    });
}

template void overlayPins(const Pins *, const TileArea &, double *, Index);
template void overlayPins(const Pins *, const TileArea &, float *, Index);

} // namespace attn
