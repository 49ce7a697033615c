// Above 500 lines: what shares, maps and patches blocks (Tensor::Data) is private to the operations over it.
#include "engine/Tensor.h"

#include "base/Assert.h"
#include "engine/MappedNumbers.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <type_traits>

namespace attn {

namespace {

/// Small enough that copying one block is nothing, large enough that a list of blocks stays short.
constexpr Index cellsPerTensorBlock = 4096;

Index rowsPerTensorBlock(const Shape &shape)
{
    return std::max<Index>(1, cellsPerTensorBlock / std::max<Index>(1, shape.cols));
}

bool sameDoubleBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Copies `count` numbers that may lie at any alignment.
template<typename Stored, typename T>
void copyUnaligned(const std::byte *from, Index count, T *out)
{
    if constexpr (std::is_same_v<Stored, T>) {
        std::memcpy(out, from, static_cast<std::size_t>(count) * sizeof(T));
    } else {
        for (Index i = 0; i < count; ++i) {
            Stored value;
            std::memcpy(&value, from + i * Index(sizeof(Stored)), sizeof(Stored));
            out[i] = static_cast<T>(value);
        }
    }
}

} // namespace

std::string shapeText(const Shape &shape)
{
    std::string text = std::to_string(shape.rows) + "×" + std::to_string(shape.cols);
    return shape.heads == 1 ? text : std::to_string(shape.heads) + "×" + text;
}

struct Tensor::Data
{
    /// Rows of one head; only the vector of the tensor's storage is filled.
    struct Block
    {
        std::vector<double> doubles;
        std::vector<float> floats;

        template<typename T>
        std::vector<T> &cells()
        {
            if constexpr (std::is_same_v<T, double>)
                return doubles;
            else
                return floats;
        }
        template<typename T>
        const std::vector<T> &cells() const
        {
            if constexpr (std::is_same_v<T, double>)
                return doubles;
            else
                return floats;
        }
    };

    Shape shape;
    Storage storage = Storage::Float64;
    Index blockRows = 1;
    Index blocksPerHead = 0;
    std::vector<std::shared_ptr<const Block>> blocks; ///< head first; null = as it lies in `mapping`
    std::shared_ptr<const MappedNumbers> mapping;

    static std::shared_ptr<Data> empty(const Shape &shape, Storage storage)
    {
        ATTN_ASSERT(shape.heads >= 0 && shape.rows >= 0 && shape.cols >= 0, "negative shape");
        auto data = std::make_shared<Data>();
        data->shape = shape;
        data->storage = storage;
        data->blockRows = rowsPerTensorBlock(shape);
        data->blocksPerHead = (shape.rows + data->blockRows - 1) / data->blockRows;
        return data;
    }

    /// fillRow(head, row, out): writes one row of T.
    template<typename T, typename FillRow>
    static Tensor make(const Shape &shape, const FillRow &fillRow)
    {
        auto data = empty(shape, std::is_same_v<T, double> ? Storage::Float64 : Storage::Float32);
        data->blocks.reserve(static_cast<std::size_t>(shape.heads * data->blocksPerHead));
        for (Index head = 0; head < shape.heads; ++head) {
            for (Index first = 0; first < shape.rows; first += data->blockRows) {
                const Index count = std::min(data->blockRows, shape.rows - first);
                auto block = std::make_shared<Block>();
                block->template cells<T>().resize(static_cast<std::size_t>(count * shape.cols));
                for (Index row = 0; row < count; ++row)
                    fillRow(head, first + row, block->template cells<T>().data() + row * shape.cols);
                data->blocks.push_back(std::move(block));
            }
        }
        Tensor tensor;
        tensor.m_data = std::move(data);
        return tensor;
    }

    /// make() in this tensor's own storage.
    template<typename FillRow>
    Tensor makeAlike(const Shape &newShape, const FillRow &fillRow) const
    {
        return storage == Storage::Float64 ? make<double>(newShape, fillRow) : make<float>(newShape, fillRow);
    }

    std::size_t blockOf(Index head, Index row) const
    {
        return static_cast<std::size_t>(head * blocksPerHead + row / blockRows);
    }

    template<typename T>
    void copyRow(Index head, Index row, T *out) const
    {
        copyPart(head, row, 0, shape.cols, out);
    }

    template<typename T>
    void copyPart(Index head, Index row, Index col, Index count, T *out) const
    {
        const std::shared_ptr<const Block> &block = blocks[blockOf(head, row)];
        if (!block) {
            copyMapped(head, row, col, count, out);
            return;
        }
        const Index offset = (row % blockRows) * shape.cols + col;
        const auto convert = [](auto value) {
            return static_cast<T>(value);
        };
        if (storage == Storage::Float64)
            std::transform(block->doubles.data() + offset, block->doubles.data() + offset + count, out,
                           convert);
        else
            std::transform(block->floats.data() + offset, block->floats.data() + offset + count, out,
                           convert);
    }

    /// Numbers of one row as the file has them.
    template<typename T>
    void copyMapped(Index head, Index row, Index col, Index count, T *out) const
    {
        for (const Index end = col + count; col < end;) {
            const Index piece = std::min(mapping->pieceCols - col % mapping->pieceCols, end - col);
            if (storage == Storage::Float64)
                copyUnaligned<double>(mappedCell(head, row, col), piece, out);
            else
                copyUnaligned<float>(mappedCell(head, row, col), piece, out);
            col += piece;
            out += piece;
        }
    }

    const std::byte *mappedCell(Index head, Index row, Index col) const
    {
        const Index at = head * mapping->headStride + row * mapping->rowStride +
                         col / mapping->pieceCols * mapping->pieceStride + col % mapping->pieceCols;
        return mapping->first +
               at * (storage == Storage::Float64 ? Index(sizeof(double)) : Index(sizeof(float)));
    }

    double at(Index head, Index row, Index col) const
    {
        const std::shared_ptr<const Block> &block = blocks[blockOf(head, row)];
        if (block) {
            const auto offset = static_cast<std::size_t>((row % blockRows) * shape.cols + col);
            return storage == Storage::Float64 ? block->doubles[offset]
                                               : static_cast<double>(block->floats[offset]);
        }
        double value = 0.0;
        copyMapped(head, row, col, 1, &value);
        return value;
    }

    /// A copy of one block to write to.
    std::shared_ptr<Block> editable(std::size_t index) const
    {
        if (blocks[index])
            return std::make_shared<Block>(*blocks[index]);
        const Index head = static_cast<Index>(index) / blocksPerHead;
        const Index first = static_cast<Index>(index) % blocksPerHead * blockRows;
        const Index count = std::min(blockRows, shape.rows - first);
        auto block = std::make_shared<Block>();
        const auto fill = [&](auto &cells) {
            cells.resize(static_cast<std::size_t>(count * shape.cols));
            for (Index row = 0; row < count; ++row)
                copyMapped(head, first + row, 0, shape.cols, cells.data() + row * shape.cols);
        };
        if (storage == Storage::Float64)
            fill(block->doubles);
        else
            fill(block->floats);
        return block;
    }

    /// Both read their untouched blocks from the same numbers.
    bool sameMapping(const Data &other) const
    {
        if (!(shape == other.shape) || storage != other.storage || !mapping != !other.mapping)
            return false;
        return mapping == other.mapping || *mapping == *other.mapping;
    }

    /// The inserted value of (head, position), or fill when there are none.
    static double insertedValue(std::span<const double> values, Index head, Index length, Index position,
                                double fill)
    {
        return values.empty() ? fill : values[static_cast<std::size_t>(head * length + position)];
    }
};

Tensor Tensor::zeros(const Shape &shape, Storage storage)
{
    return filled(shape, 0.0, storage);
}

Tensor Tensor::filled(const Shape &shape, double value, Storage storage)
{
    // Blocks of the same size hold the same numbers: one for all of them.
    auto data = Data::empty(shape, storage);
    const auto blockOfRows = [&](Index rows) {
        auto block = std::make_shared<Data::Block>();
        const auto count = static_cast<std::size_t>(rows * shape.cols);
        if (storage == Storage::Float64)
            block->doubles.assign(count, value);
        else
            block->floats.assign(count, static_cast<float>(value));
        return std::shared_ptr<const Data::Block>(std::move(block));
    };
    const Index lastRows = shape.rows - std::max<Index>(data->blocksPerHead - 1, 0) * data->blockRows;
    const auto whole = data->blocksPerHead > 1 ? blockOfRows(data->blockRows) : nullptr;
    const auto last = blockOfRows(lastRows);
    for (Index head = 0; head < shape.heads; ++head)
        for (Index block = 0; block < data->blocksPerHead; ++block)
            data->blocks.push_back(block + 1 < data->blocksPerHead ? whole : last);
    Tensor tensor;
    tensor.m_data = std::move(data);
    return tensor;
}

Tensor Tensor::fromDoubles(const Shape &shape, std::span<const double> data)
{
    ATTN_ASSERT(static_cast<Index>(data.size()) == shape.size(), "as many numbers as the shape holds");
    return Data::make<double>(shape, [&](Index head, Index row, double *out) {
        std::copy_n(data.data() + (head * shape.rows + row) * shape.cols, shape.cols, out);
    });
}

Tensor Tensor::fromFloats(const Shape &shape, std::span<const float> data)
{
    ATTN_ASSERT(static_cast<Index>(data.size()) == shape.size(), "as many numbers as the shape holds");
    return Data::make<float>(shape, [&](Index head, Index row, float *out) {
        std::copy_n(data.data() + (head * shape.rows + row) * shape.cols, shape.cols, out);
    });
}

Tensor Tensor::mapped(const Shape &shape, Storage storage, MappedNumbers numbers)
{
    ATTN_ASSERT(numbers.pieceCols > 0 || shape.cols == 0, "pieces of a row hold something");
    auto data = Data::empty(shape, storage);
    data->blocks.resize(static_cast<std::size_t>(shape.heads * data->blocksPerHead));
    data->mapping = std::make_shared<const MappedNumbers>(std::move(numbers));
    Tensor tensor;
    tensor.m_data = std::move(data);
    return tensor;
}

const MappedNumbers *Tensor::mapping() const
{
    return m_data ? m_data->mapping.get() : nullptr;
}

std::optional<std::vector<CellValue>> Tensor::cellsOverMapping(Index limit) const
{
    ATTN_ASSERT(mapping(), "a mapped tensor");
    std::vector<CellValue> cells;
    std::vector<double> file(static_cast<std::size_t>(cols()));
    std::vector<double> held(file.size());
    for (std::size_t index = 0; index < m_data->blocks.size(); ++index) {
        if (!m_data->blocks[index])
            continue;
        const Index head = static_cast<Index>(index) / m_data->blocksPerHead;
        const Index first = static_cast<Index>(index) % m_data->blocksPerHead * m_data->blockRows;
        for (Index row = first; row < std::min(first + m_data->blockRows, rows()); ++row) {
            m_data->copyMapped(head, row, 0, cols(), file.data());
            m_data->copyRow(head, row, held.data());
            for (Index col = 0; col < cols(); ++col) {
                const auto i = static_cast<std::size_t>(col);
                if (!sameDoubleBits(file[i], held[i]))
                    cells.push_back({{head, row, col}, held[i]});
            }
            if (static_cast<Index>(cells.size()) > limit)
                return std::nullopt;
        }
    }
    return cells;
}

Tensor Tensor::held() const
{
    if (!mapping())
        return *this;
    return m_data->makeAlike(shape(),
                             [&](Index head, Index row, auto *out) { m_data->copyRow(head, row, out); });
}

const Shape &Tensor::shape() const
{
    static const Shape nothing{0, 0, 0};
    return m_data ? m_data->shape : nothing;
}

Tensor::Storage Tensor::storage() const
{
    return m_data ? m_data->storage : Storage::Float64;
}

double Tensor::at(Index head, Index row, Index col) const
{
    ATTN_ASSERT(head >= 0 && head < heads() && row >= 0 && row < rows() && col >= 0 && col < cols(),
                "cell outside of the tensor");
    return m_data->at(head, row, col);
}

void Tensor::copyRows(Index head, Index firstRow, Index rowCount, double *out) const
{
    copyBlock(head, firstRow, 0, rowCount, cols(), out, cols());
}

void Tensor::copyRows(Index head, Index firstRow, Index rowCount, float *out) const
{
    copyBlock(head, firstRow, 0, rowCount, cols(), out, cols());
}

void Tensor::copyBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                       Index stride) const
{
    for (Index r = 0; r < rowCount; ++r)
        m_data->copyPart(head, row + r, col, colCount, out + r * stride);
}

void Tensor::copyBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                       Index stride) const
{
    for (Index r = 0; r < rowCount; ++r)
        m_data->copyPart(head, row + r, col, colCount, out + r * stride);
}

std::vector<double> Tensor::toDoubles() const
{
    std::vector<double> all(static_cast<std::size_t>(shape().size()));
    for (Index head = 0; head < heads(); ++head)
        copyRows(head, 0, rows(), all.data() + head * rows() * cols());
    return all;
}

double Tensor::rounded(double value) const
{
    return storage() == Storage::Float64 ? value : static_cast<double>(static_cast<float>(value));
}

Tensor Tensor::withCells(std::span<const CellValue> cells) const
{
    auto data = std::make_shared<Data>(*m_data);
    std::map<std::size_t, std::shared_ptr<Data::Block>> edited;
    for (const CellValue &cell : cells) {
        const auto [head, row, col] = cell.cell;
        ATTN_ASSERT(head >= 0 && head < heads() && row >= 0 && row < rows() && col >= 0 && col < cols(),
                    "cell outside of the tensor");
        const std::size_t index = m_data->blockOf(head, row);
        std::shared_ptr<Data::Block> &block = edited[index];
        if (!block)
            block = m_data->editable(index);
        const auto offset = static_cast<std::size_t>((row % m_data->blockRows) * cols() + col);
        if (m_data->storage == Storage::Float64)
            block->doubles[offset] = cell.value;
        else
            block->floats[offset] = static_cast<float>(cell.value);
    }
    for (auto &[index, block] : edited)
        data->blocks[index] = std::move(block);
    Tensor tensor;
    tensor.m_data = std::move(data);
    return tensor;
}

Tensor Tensor::withRowInserted(Index index, std::span<const double> values, double fill) const
{
    ATTN_ASSERT(index >= 0 && index <= rows(), "row to insert lies inside or at the end");
    return m_data->makeAlike({heads(), rows() + 1, cols()}, [&](Index head, Index row, auto *out) {
        if (row != index) {
            m_data->copyRow(head, row < index ? row : row - 1, out);
            return;
        }
        for (Index col = 0; col < cols(); ++col)
            out[col] = static_cast<std::remove_pointer_t<decltype(out)>>(
                Data::insertedValue(values, head, cols(), col, fill));
    });
}

Tensor Tensor::withColInserted(Index index, std::span<const double> values, double fill) const
{
    ATTN_ASSERT(index >= 0 && index <= cols(), "column to insert lies inside or at the end");
    return m_data->makeAlike({heads(), rows(), cols() + 1}, [&](Index head, Index row, auto *out) {
        m_data->copyRow(head, row, out);
        std::move_backward(out + index, out + cols(), out + cols() + 1);
        out[index] = static_cast<std::remove_pointer_t<decltype(out)>>(
            Data::insertedValue(values, head, rows(), row, fill));
    });
}

Tensor Tensor::withoutRow(Index index) const
{
    ATTN_ASSERT(index >= 0 && index < rows(), "row to remove exists");
    return m_data->makeAlike({heads(), rows() - 1, cols()}, [&](Index head, Index row, auto *out) {
        m_data->copyRow(head, row < index ? row : row + 1, out);
    });
}

Tensor Tensor::withoutCol(Index index) const
{
    ATTN_ASSERT(index >= 0 && index < cols(), "column to remove exists");
    return m_data->makeAlike({heads(), rows(), cols() - 1}, [&](Index head, Index row, auto *out) {
        std::vector<std::remove_pointer_t<decltype(out)>> whole(static_cast<std::size_t>(cols()));
        m_data->copyRow(head, row, whole.data());
        whole.erase(whole.begin() + index);
        std::copy(whole.begin(), whole.end(), out);
    });
}

Tensor Tensor::withRowMoved(Index from, Index to) const
{
    ATTN_ASSERT(from >= 0 && from < rows() && to >= 0 && to < rows(), "rows to move exist");
    std::vector<Index> order;
    for (Index row = 0; row < rows(); ++row)
        order.push_back(row);
    order.erase(order.begin() + from);
    order.insert(order.begin() + to, from);
    return m_data->makeAlike(shape(), [&](Index head, Index row, auto *out) {
        m_data->copyRow(head, order[static_cast<std::size_t>(row)], out);
    });
}

Tensor Tensor::withColMoved(Index from, Index to) const
{
    ATTN_ASSERT(from >= 0 && from < cols() && to >= 0 && to < cols(), "columns to move exist");
    return m_data->makeAlike(shape(), [&](Index head, Index row, auto *out) {
        m_data->copyRow(head, row, out);
        if (from < to)
            std::rotate(out + from, out + from + 1, out + to + 1);
        else
            std::rotate(out + to, out + from, out + from + 1);
    });
}

bool Tensor::sameBlocks(const Tensor &other) const
{
    if (m_data == other.m_data)
        return true;
    return m_data && other.m_data && m_data->sameMapping(*other.m_data) &&
           m_data->blocks == other.m_data->blocks;
}

bool Tensor::sameBlocks(const Tensor &other, Index head, Index firstRow, Index rowCount) const
{
    if (m_data == other.m_data)
        return true;
    if (!m_data || !other.m_data || !m_data->sameMapping(*other.m_data))
        return false;
    if (rowCount <= 0)
        return true;
    const std::size_t first = m_data->blockOf(head, firstRow);
    const std::size_t last = m_data->blockOf(head, firstRow + rowCount - 1);
    for (std::size_t index = first; index <= last; ++index)
        if (m_data->blocks[index] != other.m_data->blocks[index])
            return false;
    return true;
}

bool Tensor::sameBits(const Tensor &other) const
{
    if (sameBlocks(other))
        return true;
    if (isNull() || other.isNull() || !(shape() == other.shape()))
        return false;
    std::vector<double> mine(static_cast<std::size_t>(cols()));
    std::vector<double> theirs(mine.size());
    for (Index head = 0; head < heads(); ++head) {
        for (Index row = 0; row < rows(); ++row) {
            if (sameBlocks(other, head, row, 1))
                continue;
            copyRows(head, row, 1, mine.data());
            other.copyRows(head, row, 1, theirs.data());
            if (!std::equal(mine.begin(), mine.end(), theirs.begin(), sameDoubleBits))
                return false;
        }
    }
    return true;
}

} // namespace attn
