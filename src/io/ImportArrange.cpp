#include "io/ImportArrange.h"

#include "engine/MappedNumbers.h"
#include "io/Elements.h"

#include <algorithm>
#include <array>

namespace attn {

namespace {

/// One axis of the file: how long it is and how far apart its entries lie.
struct AxisStep
{
    Index length = 1;
    std::int64_t stride = 0;
};

/// Where the numbers of a stage lie in the file's row-major data.
struct Arrangement
{
    AxisStep head, row, col, layer, batch;
    bool headsJoinColumns = false; ///< heads side by side: Q, K, V, concat, Wq, Wk, Wv and their biases
    bool headsJoinRows = false;    ///< heads one below the other: Wo
    Index firstColumn = 0;         ///< of a packed part

    Shape shape() const
    {
        if (headsJoinColumns)
            return {1, row.length, head.length * col.length};
        if (headsJoinRows)
            return {1, head.length * row.length, col.length};
        return {head.length, row.length, col.length};
    }

    /// Where the first number of a layer and batch entry lies.
    std::int64_t first(Index layerAt, Index batchAt) const
    {
        return std::clamp<Index>(layerAt, 0, layer.length - 1) * layer.stride +
               std::clamp<Index>(batchAt, 0, batch.length - 1) * batch.stride + firstColumn * col.stride;
    }
};

std::string axisError(const std::vector<std::int64_t> &shape, const std::string &message)
{
    return "shape " + shapeListText(shape) + ": " + message;
}

Result<Arrangement> arrangementOf(const std::vector<std::int64_t> &shape, const ImportSlot &slot, Stage stage)
{
    const auto failed = [&](const std::string &message) {
        return Error{ErrorCode::ShapeMismatch, axisError(shape, message)};
    };
    if (slot.axes.size() != shape.size())
        return failed("expected " + std::to_string(slot.axes.size()) + " axes, got " +
                      std::to_string(shape.size()));
    Arrangement arrangement;
    std::array<int, 6> uses = {};
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        const AxisStep step{static_cast<Index>(shape[i]), stride};
        stride *= std::max<std::int64_t>(shape[i], 1);
        if (slot.axes[i] != AxisRole::Unknown && ++uses[static_cast<std::size_t>(slot.axes[i])] > 1)
            return failed("two axes have the same meaning");
        switch (slot.axes[i]) {
        case AxisRole::Batch:
            arrangement.batch = step;
            break;
        case AxisRole::Layer:
            arrangement.layer = step;
            break;
        case AxisRole::Head:
            arrangement.head = step;
            break;
        case AxisRole::Row:
            arrangement.row = step;
            break;
        case AxisRole::Col:
            arrangement.col = step;
            break;
        case AxisRole::Unknown:
            if (shape[i] != 1)
                return failed("the meaning of axis " + std::to_string(i) + " is not known");
            break;
        }
    }
    if (slot.transposed)
        std::swap(arrangement.row, arrangement.col);
    if (slot.columns) {
        if (slot.columns->begin < 0 || slot.columns->end > arrangement.col.length ||
            slot.columns->begin > slot.columns->end)
            return failed("it has no columns " + std::to_string(slot.columns->begin) + " to " +
                          std::to_string(slot.columns->end));
        arrangement.col.length = slot.columns->end - slot.columns->begin;
        arrangement.firstColumn = slot.columns->begin;
    }
    const bool isHeaded = stageInfo(stage).heads != HeadAxis::None;
    arrangement.headsJoinRows = !isHeaded && stage == Stage::Wo;
    arrangement.headsJoinColumns = !isHeaded && stage != Stage::Wo;
    return arrangement;
}

template<typename Number, typename Values>
std::vector<Number> gathered(const Values &values, const std::vector<bool> &missing, const Arrangement &from,
                             std::int64_t first, double missingValue)
{
    std::vector<Number> result;
    result.reserve(static_cast<std::size_t>(from.shape().size()));
    const auto take = [&](Index head, Index row) {
        std::int64_t at = first + head * from.head.stride + row * from.row.stride;
        for (Index col = 0; col < from.col.length; ++col, at += from.col.stride) {
            const auto i = static_cast<std::size_t>(at);
            const bool isMissing = !missing.empty() && missing[i];
            result.push_back(static_cast<Number>(isMissing ? static_cast<Number>(missingValue)
                                                           : static_cast<Number>(values[i])));
        }
    };
    if (from.headsJoinColumns) {
        for (Index row = 0; row < from.row.length; ++row)
            for (Index head = 0; head < from.head.length; ++head)
                take(head, row);
    } else {
        for (Index head = 0; head < from.head.length; ++head)
            for (Index row = 0; row < from.row.length; ++row)
                take(head, row);
    }
    return result;
}

} // namespace

Result<std::optional<Tensor>> arrangedMapping(const MappedTensor &tensor,
                                              const std::vector<std::int64_t> &shape, const ImportSlot &slot,
                                              Stage stage, Index layer, Index batch)
{
    const auto arrangement = arrangementOf(shape, slot, stage);
    if (!arrangement)
        return arrangement.error();
    const Arrangement &from = *arrangement;
    const bool rowsFollow =
        !from.headsJoinRows || from.head.length == 1 || from.head.stride == from.row.length * from.row.stride;
    if (from.shape().size() == 0 || (from.col.stride != 1 && from.col.length > 1) || !rowsFollow)
        return std::optional<Tensor>();
    const Index width = tensor.storage == Tensor::Storage::Float64 ? 8 : 4;
    MappedNumbers numbers;
    numbers.mapping = tensor.file.mapping;
    numbers.origin = tensor.file.origin;
    numbers.offset = tensor.offset + from.first(layer, batch) * width;
    numbers.first = tensor.file.bytes + numbers.offset;
    numbers.rowStride = from.row.stride;
    numbers.headStride = from.headsJoinColumns || from.headsJoinRows ? 0 : from.head.stride;
    numbers.pieceCols = from.col.length;
    numbers.pieceStride = from.headsJoinColumns ? from.head.stride : 0;
    return std::optional(Tensor::mapped(from.shape(), tensor.storage, std::move(numbers)));
}

Result<Shape> arrangedShape(const std::vector<std::int64_t> &shape, const ImportSlot &slot, Stage stage)
{
    const auto arrangement = arrangementOf(shape, slot, stage);
    if (!arrangement)
        return arrangement.error();
    return arrangement->shape();
}

Result<Tensor> arrangedTensor(const FileTensor &tensor, const ImportSlot &slot, Stage stage, Index layer,
                              Index batch, double missing)
{
    if (tensor.dtype == Dtype::Text)
        return Error{ErrorCode::BadInput, "it holds text, not numbers"};
    const auto arrangement = arrangementOf(tensor.shape, slot, stage);
    if (!arrangement)
        return arrangement.error();
    const Shape shape = arrangement->shape();
    if (shape.size() == 0)
        return Tensor::zeros(shape);
    const std::int64_t first = arrangement->first(layer, batch);
    return std::visit(
        [&](const auto &values) -> Result<Tensor> {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            if constexpr (std::is_same_v<Value, std::string>)
                return Error{ErrorCode::BadInput, "it holds text, not numbers"};
            else if constexpr (std::is_same_v<Value, float>)
                return Tensor::fromFloats(
                    shape, gathered<float>(values, tensor.missing, *arrangement, first, missing));
            else
                return Tensor::fromDoubles(
                    shape, gathered<double>(values, tensor.missing, *arrangement, first, missing));
        },
        tensor.data);
}

} // namespace attn
