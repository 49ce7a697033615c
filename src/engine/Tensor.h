#pragma once

#include "engine/Types.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

struct MappedNumbers;

/// heads x rows x cols; a plain matrix has one head.
struct Shape
{
    Index heads = 1;
    Index rows = 0;
    Index cols = 0;

    Index size() const { return heads * rows * cols; }
    bool operator==(const Shape &) const = default;
};

/// "4×6", or "2×4×4" with more than one head.
std::string shapeText(const Shape &shape);

/// Numbers of a document: immutable, cheap to copy, stored as they came (float32 or float64).
///
/// Held in blocks of whole rows that copies share: an edit makes a new Tensor that shares every block but the
/// edited ones, so that undo steps are small and `sameBlocks` tells at once what an edit left alone. The
/// numbers of a mapped tensor stay in their file; only edited blocks are held.
class Tensor
{
public:
    enum class Storage
    {
        Float64,
        Float32,
    };

    /// No matrix at all (not even an empty one): `isNull()`.
    Tensor() = default;

    static Tensor zeros(const Shape &shape, Storage storage = Storage::Float64);
    static Tensor filled(const Shape &shape, double value, Storage storage = Storage::Float64);
    /// data: row-major, head first; data.size() == shape.size().
    static Tensor fromDoubles(const Shape &shape, std::span<const double> data);
    static Tensor fromFloats(const Shape &shape, std::span<const float> data);
    /// numbers: as many as the shape holds must be readable.
    static Tensor mapped(const Shape &shape, Storage storage, MappedNumbers numbers);

    bool isNull() const { return m_data == nullptr; }
    const Shape &shape() const;
    Index heads() const { return shape().heads; }
    Index rows() const { return shape().rows; }
    Index cols() const { return shape().cols; }
    Storage storage() const;

    /// Where the numbers lie, but for edited blocks; null when all of them are held in memory.
    const MappedNumbers *mapping() const;
    /// The cells of a mapped tensor that differ from its file, in order; nothing when they are more than
    /// `limit`.
    std::optional<std::vector<CellValue>> cellsOverMapping(Index limit) const;
    /// The same numbers, all of them in memory.
    Tensor held() const;

    double at(Index head, Index row, Index col) const;
    double at(Index row, Index col) const { return at(0, row, col); }

    /// Copies rows [firstRow, firstRow + rowCount) of one head to out, row-major.
    void copyRows(Index head, Index firstRow, Index rowCount, double *out) const;
    void copyRows(Index head, Index firstRow, Index rowCount, float *out) const;
    /// Copies a rectangle of one head to out, rows `stride` numbers apart.
    void copyBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const;
    void copyBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const;
    std::vector<double> toDoubles() const;

    /// A value as this tensor would store it: rounded to float32 for float32 storage.
    double rounded(double value) const;

    /// The same numbers with some replaced (rounded to the storage). Cells must lie inside.
    Tensor withCells(std::span<const CellValue> cells) const;
    /// All heads get a row (column) at `index`, filled with `values` (one head after another, or empty =
    /// fill).
    Tensor withRowInserted(Index index, std::span<const double> values, double fill = 0.0) const;
    Tensor withColInserted(Index index, std::span<const double> values, double fill = 0.0) const;
    Tensor withoutRow(Index index) const;
    Tensor withoutCol(Index index) const;
    Tensor withRowMoved(Index from, Index to) const;
    Tensor withColMoved(Index from, Index to) const;

    /// Shares every block with other: nothing changed. Two null tensors are the same.
    bool sameBlocks(const Tensor &other) const;
    /// Shares the blocks that hold these rows with other, which has the same shape and storage: nothing
    /// changed there. False when shape or storage differ.
    bool sameBlocks(const Tensor &other, Index head, Index firstRow, Index rowCount) const;
    /// Same shape and the same doubles bit for bit (NaN equals the same NaN, -0 differs from 0).
    bool sameBits(const Tensor &other) const;

private:
    struct Data;
    std::shared_ptr<const Data> m_data;
};

} // namespace attn
