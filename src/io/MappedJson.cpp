#include "io/MappedJson.h"

#include "engine/MappedNumbers.h"
#include "io/FileFingerprint.h"
#include "io/JsonFields.h"
#include "io/ReferencedFiles.h"
#include "io/StateFields.h"
#include "io/TensorJson.h"

#include <algorithm>

namespace attn {

namespace {

Json cellsToJson(const std::vector<CellValue> &cells)
{
    std::vector<double> numbers;
    numbers.reserve(cells.size() * 4);
    for (const auto &[cell, value] : cells)
        numbers.insert(numbers.end(), {double(cell.head), double(cell.row), double(cell.col), value});
    return tensorToJson(Tensor::fromDoubles({1, Index(cells.size()), 4}, numbers), JsonForm::Document);
}

FileOrigin originField(JsonFields &parent)
{
    JsonFields fields(parent.at("file"), parent.fieldName("file"));
    FileOrigin origin;
    origin.path = fields.text("path");
    origin.bytes = fields.integer("bytes", 0, 0, maxStateInteger);
    origin.modifiedMs = fields.integer("modified", 0, -maxStateInteger * 64, maxStateInteger * 64);
    origin.fingerprint = fields.text("fingerprint");
    if (fields.ok() && (origin.path.empty() || origin.fingerprint.empty()))
        fields.fail("path", "expected a path and a fingerprint", ErrorCode::Damaged);
    if (!fields.ok())
        parent.fail(fields.error());
    return origin;
}

MappedNumbers layoutFields(JsonFields &fields)
{
    MappedNumbers numbers;
    numbers.offset = fields.integer("offset", 0, 0, maxStateInteger);
    numbers.headStride = fields.integer("head_stride", 0, 0, maxStateInteger);
    numbers.rowStride = fields.integer("row_stride", 0, 0, maxStateInteger);
    numbers.pieceCols = fields.integer("piece_cols", 1, 1, maxStateInteger);
    numbers.pieceStride = fields.integer("piece_stride", 0, 0, maxStateInteger);
    return numbers;
}

/// Bytes up to the end of the last number; long double, as lengths of a damaged file may multiply beyond 64
/// bits.
long double endOf(const MappedNumbers &numbers, const Shape &shape, int width)
{
    const auto reach = [](Index count, Index stride) {
        return static_cast<long double>(count) * static_cast<long double>(stride);
    };
    const Index lastPiece = (shape.cols - 1) / numbers.pieceCols;
    const long double lastNumber = reach(shape.heads - 1, numbers.headStride) +
                                   reach(shape.rows - 1, numbers.rowStride) +
                                   reach(lastPiece, numbers.pieceStride) +
                                   static_cast<long double>(std::min(numbers.pieceCols, shape.cols));
    return static_cast<long double>(numbers.offset) + lastNumber * static_cast<long double>(width);
}

bool allInside(const std::vector<CellValue> &cells, const Shape &shape)
{
    return std::all_of(cells.begin(), cells.end(), [&](const CellValue &cell) {
        return cell.cell.head < shape.heads && cell.cell.row < shape.rows && cell.cell.col < shape.cols;
    });
}

} // namespace

std::optional<Json::Object> mappingToJson(const Tensor &tensor)
{
    const MappedNumbers *numbers = tensor.mapping();
    if (!numbers || !numbers->origin || !isUnchanged(*numbers->origin))
        return std::nullopt;
    const auto cells = tensor.cellsOverMapping(tensor.shape().size() / 4);
    if (!cells)
        return std::nullopt;
    const FileOrigin &origin = *numbers->origin;
    return Json::Object{{"file", Json::Object{{"path", origin.path},
                                              {"bytes", origin.bytes},
                                              {"modified", origin.modifiedMs},
                                              {"fingerprint", origin.fingerprint}}},
                        {"offset", numbers->offset},
                        {"head_stride", integerJson(numbers->headStride)},
                        {"row_stride", integerJson(numbers->rowStride)},
                        {"piece_cols", integerJson(numbers->pieceCols)},
                        {"piece_stride", integerJson(numbers->pieceStride)},
                        {"cells", cellsToJson(*cells)}};
}

bool isMappingJson(const Json &json)
{
    return json.contains("file");
}

Result<Tensor> tensorFromMapping(const Json &json, const Shape &shape, Tensor::Storage storage,
                                 const std::string &where, ReferencedFiles *files)
{
    JsonFields fields(json, where);
    const FileOrigin origin = originField(fields);
    MappedNumbers numbers = layoutFields(fields);
    const std::vector<CellValue> cells = cellTableField(fields, "cells");
    const int width = storage == Tensor::Storage::Float64 ? 8 : 4;
    if (fields.ok() && shape.cols > numbers.pieceCols && numbers.pieceStride < numbers.pieceCols)
        fields.fail("piece_stride", "the pieces of a row overlap", ErrorCode::Damaged);
    if (fields.ok() && shape.size() > 0 &&
        endOf(numbers, shape, width) > static_cast<long double>(origin.bytes))
        fields.fail("offset", "shape " + shapeText(shape) + " reaches beyond the end of the file",
                    ErrorCode::Damaged);
    if (fields.ok() && !allInside(cells, shape))
        fields.fail("cells", "a cell lies outside of the matrix", ErrorCode::Damaged);
    if (!fields.ok())
        return fields.error();
    ReferencedFiles byPath;
    Result<MappedBytes> file = (files ? *files : byPath).open(origin);
    if (!file)
        return Error{file.error().code, where + ": its numbers are in " + file.error().message};
    numbers.mapping = file->mapping;
    numbers.first = file->bytes + numbers.offset;
    numbers.origin = file->origin;
    const Tensor tensor = Tensor::mapped(shape, storage, std::move(numbers));
    return cells.empty() ? tensor : tensor.withCells(cells);
}

} // namespace attn
