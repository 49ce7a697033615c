#include "engine/StageBlocks.h"

#include "engine/ValueStatistics.h"

#include <cstring>
#include <map>
#include <type_traits>

namespace attn {

namespace {

template<typename Scalar>
class BlockValues final : public StageValues
{
public:
    explicit BlockValues(const StageBlocks<Scalar> &blocks)
        : m_blocks(blocks)
        , m_statistics(blocks.shape.heads)
    {
    }

    Shape shape() const override { return m_blocks.shape; }
    bool isSinglePrecision() const override { return std::is_same_v<Scalar, float>; }
    double value(Index head, Index row, Index col) const override
    {
        return static_cast<double>(m_blocks.head(head)(row, col));
    }

    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        const Matrix<Scalar> &matrix = m_blocks.head(head);
        for (Index r = 0; r < rowCount; ++r) {
            const Scalar *line = matrix.data() + (row + r) * matrix.cols() + col;
            for (Index c = 0; c < colCount; ++c) {
                if constexpr (std::is_same_v<Scalar, float>)
                    out[r * stride + c] = line[c];
                else
                    out[r * stride + c] = paintedFloat(line[c]);
            }
        }
    }

    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        const Matrix<Scalar> &matrix = m_blocks.head(head);
        for (Index r = 0; r < rowCount; ++r) {
            const Scalar *line = matrix.data() + (row + r) * matrix.cols() + col;
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] = static_cast<double>(line[c]);
        }
    }

    ValueStatistics statistics(Index head) const override { return m_statistics.of(*this, head); }

private:
    StageBlocks<Scalar> m_blocks;
    StatisticsCache m_statistics;
};

template<typename Scalar>
bool sameBlockBits(const Matrix<Scalar> &a, const Matrix<Scalar> &b)
{
    return a.rows() == b.rows() && a.cols() == b.cols() &&
           (a.size() == 0 ||
            std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(Scalar)) == 0);
}

} // namespace

template<typename Scalar>
StageBlocks<Scalar> blocksOf(const Tensor &tensor)
{
    StageBlocks<Scalar> blocks(tensor.shape());
    for (Index head = 0; head < tensor.heads(); ++head) {
        Matrix<Scalar> matrix(tensor.rows(), tensor.cols());
        tensor.copyRows(head, 0, tensor.rows(), matrix.data());
        blocks.setHead(head, std::move(matrix));
    }
    return blocks;
}

template<typename Scalar>
void overlayPins(StageBlocks<Scalar> &blocks, const Pins &pins)
{
    std::map<Index, Matrix<Scalar>> edited;
    for (const CellValue &pin : pins.all()) {
        auto [entry, isNew] = edited.try_emplace(pin.cell.head);
        if (isNew)
            entry->second = blocks.head(pin.cell.head);
        entry->second(pin.cell.row, pin.cell.col) = static_cast<Scalar>(pin.value);
    }
    for (auto &[head, matrix] : edited)
        blocks.setHead(head, std::move(matrix));
}

template<typename Scalar>
bool adoptEqualBlocks(StageBlocks<Scalar> &blocks, const StageBlocks<Scalar> &old)
{
    if (!(blocks.shape == old.shape) || blocks.heads.size() != old.heads.size())
        return false;
    bool allEqual = true;
    for (Index head = 0; head < blocks.shape.heads; ++head) {
        if (blocks.block(head) == old.block(head))
            continue;
        if (sameBlockBits(blocks.head(head), old.head(head)))
            blocks.setBlock(head, old.block(head));
        else
            allEqual = false;
    }
    return allEqual;
}

template<typename Scalar>
StageValuesPtr valuesOf(const StageBlocks<Scalar> &blocks)
{
    return std::make_shared<const BlockValues<Scalar>>(blocks);
}

#define ATTN_INSTANTIATE(Scalar)                                                                             \
    template StageBlocks<Scalar> blocksOf<Scalar>(const Tensor &);                                           \
    template void overlayPins(StageBlocks<Scalar> &, const Pins &);                                          \
    template bool adoptEqualBlocks(StageBlocks<Scalar> &, const StageBlocks<Scalar> &);                      \
    template StageValuesPtr valuesOf(const StageBlocks<Scalar> &);
ATTN_INSTANTIATE(double)
ATTN_INSTANTIATE(float)
#undef ATTN_INSTANTIATE

} // namespace attn
