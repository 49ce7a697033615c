#include "engine/Products.h"

#include "engine/Derivation.h"
#include "engine/Projection.h"
#include "engine/StageNumbers.h"
#include "engine/ValueStatistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

using ProductName = std::pair<ProductKind, const char *>;
constexpr std::array<ProductName, 7> productNames = {{{ProductKind::Query, "q"},
                                                      {ProductKind::Key, "k"},
                                                      {ProductKind::Value, "v"},
                                                      {ProductKind::Scores, "scores"},
                                                      {ProductKind::HeadOut, "head_out"},
                                                      {ProductKind::Output, "output"},
                                                      {ProductKind::Free, "free"}}};

/// A block of one head of a stage, perhaps transposed, read on demand.
class ProductBlockValues final : public StageValues
{
public:
    ProductBlockValues(const ProductMatrix &place, const Shape &shape)
        : m_place(place)
        , m_shape(shape)
        , m_counts(shape)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return m_place.source->isSinglePrecision(); }
    double value(Index, Index row, Index col) const override
    {
        const CellIndex cell = m_place.cellOf(row, col);
        return m_place.source->value(cell.head, cell.row, cell.col);
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        read(row, col, rowCount, colCount, out, stride);
    }
    void readBlock(Index, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        read(row, col, rowCount, colCount, out, stride);
    }
    /// Of a whole head the stage's own way is used, which need not read every cell.
    void readPooled(Index head, Index row, Index col, Index pool, Index rowCount, Index colCount,
                    Pooling pooling, float *out, Index stride) const override
    {
        const Index rows = m_place.transposed ? m_shape.cols : m_shape.rows;
        const Index cols = m_place.transposed ? m_shape.rows : m_shape.cols;
        if (rows != m_place.source->rows() || cols != m_place.source->cols()) {
            StageValues::readPooled(head, row, col, pool, rowCount, colCount, pooling, out, stride);
        } else if (!m_place.transposed) {
            m_place.source->readPooled(m_place.head, row, col, pool, rowCount, colCount, pooling, out,
                                       stride);
        } else {
            std::vector<float> turned(static_cast<std::size_t>(rowCount * colCount));
            m_place.source->readPooled(m_place.head, col, row, pool, colCount, rowCount, pooling,
                                       turned.data(), rowCount);
            for (Index i = 0; i < rowCount; ++i)
                for (Index j = 0; j < colCount; ++j)
                    out[i * stride + j] = turned[static_cast<std::size_t>(j * rowCount + i)];
        }
    }
    BlockStatus blockStatus(Index, Index row, Index col, Index rowCount, Index colCount) const override
    {
        const CellIndex from = m_place.cellOf(row, col);
        if (m_place.transposed)
            std::swap(rowCount, colCount);
        return m_place.source->blockStatus(from.head, from.row, from.col, rowCount, colCount);
    }
    ValueStatistics statistics(Index) const override { return m_counts.of(*this, 0); }

private:
    template<typename Scalar>
    void read(Index row, Index col, Index rowCount, Index colCount, Scalar *out, Index stride) const
    {
        const CellIndex from = m_place.cellOf(row, col);
        if (!m_place.transposed) {
            m_place.source->readBlock(from.head, from.row, from.col, rowCount, colCount, out, stride);
            return;
        }
        std::vector<Scalar> turned(static_cast<std::size_t>(rowCount * colCount));
        m_place.source->readBlock(from.head, from.row, from.col, colCount, rowCount, turned.data(), rowCount);
        for (Index i = 0; i < rowCount; ++i)
            for (Index j = 0; j < colCount; ++j)
                out[i * stride + j] = turned[static_cast<std::size_t>(j * rowCount + i)];
    }

    ProductMatrix m_place;
    Shape m_shape;
    StatisticsCache m_counts;
};

/// Rows and columns of the stage that the block takes; 0 columns = all from the first.
struct BlockPlace
{
    Stage stage;
    Index head = 0;
    Index firstRow = 0;
    Index rowCount = 0;
    Index firstCol = 0;
    Index colCount = 0;
    bool transposed = false;
};

Result<ProductMatrix> blockOf(const Snapshot &snapshot, const BlockPlace &place)
{
    const StageState &state = snapshot.stage(place.stage);
    if (!state.hasValues())
        return Error{ErrorCode::NotFound, state.reason.empty()
                                              ? std::string("this document has no ") + stageName(place.stage)
                                              : state.reason};
    ProductMatrix matrix;
    matrix.stage = place.stage;
    matrix.head = std::min(place.head, state.values->heads() - 1);
    matrix.firstRow = place.firstRow;
    matrix.firstCol = place.firstCol;
    matrix.transposed = place.transposed;
    matrix.source = state.values;
    Shape shape{1, place.rowCount > 0 ? place.rowCount : state.values->rows() - place.firstRow,
                place.colCount > 0 ? place.colCount : state.values->cols() - place.firstCol};
    if (place.firstRow + shape.rows > state.values->rows() ||
        place.firstCol + shape.cols > state.values->cols() || shape.size() <= 0)
        return Error{ErrorCode::ShapeMismatch, std::string(stageName(place.stage)) + " is " +
                                                   shapeText(state.values->shape()) +
                                                   ": it has no part for this head"};
    if (place.transposed)
        std::swap(shape.rows, shape.cols);
    matrix.values = std::make_shared<ProductBlockValues>(matrix, shape);
    return matrix;
}

ProductMatrix scratchOf(const std::string &name, const Tensor &tensor)
{
    ProductMatrix matrix;
    matrix.lab = name;
    matrix.source = valuesOf(tensor);
    matrix.values = matrix.source;
    return matrix;
}

struct ProductPlaces
{
    BlockPlace left;
    BlockPlace right;
    BlockPlace result;
    std::optional<Stage> bias;
    Index biasCol = 0;
};

/// X·W of one head (its columns of W) or of all.
ProductPlaces projection(const Snapshot &snapshot, Stage weight, Stage result, Stage bias, Index head)
{
    const bool isQuery = result == Stage::Q;
    const Sizes &sizes = snapshot.sizes();
    const Stage input = !isQuery && !snapshot.experiment().isSelfAttention() ? Stage::Xkv : Stage::X;
    ProductPlaces places{{input}, {weight}, {result}, bias, 0};
    if (head < 0)
        return places;
    const Index width = result == Stage::V ? sizes.dHeadV : sizes.dHeadK;
    const Index own = isQuery ? head : kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    for (BlockPlace *place : {&places.right, &places.result}) {
        place->firstCol = own * width;
        place->colCount = width;
    }
    places.biasCol = own * width;
    return places;
}

ProductPlaces scores(const Snapshot &snapshot, Index head)
{
    const Sizes &sizes = snapshot.sizes();
    const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    ProductPlaces places{{Stage::Q, 0, 0, 0, head * sizes.dHeadK, sizes.dHeadK},
                         {Stage::K, 0, 0, 0, kvHead * sizes.dHeadK, sizes.dHeadK, true},
                         {Stage::Scores, head},
                         std::nullopt,
                         0};
    if (snapshot.stage(Stage::Qr).hasValues() && snapshot.stage(Stage::Kr).hasValues()) {
        places.left = {Stage::Qr, head};
        places.right = {Stage::Kr, kvHead, 0, 0, 0, 0, true};
    }
    return places;
}

ProductPlaces headOut(const Snapshot &snapshot, Index head)
{
    const Sizes &sizes = snapshot.sizes();
    const Index kvHead = kvHeadOf(head, sizes.nHeads, sizes.nKvHeads);
    return {{Stage::A, head},
            {Stage::V, 0, 0, 0, kvHead * sizes.dHeadV, sizes.dHeadV},
            {Stage::HeadOut, head},
            std::nullopt,
            0};
}

ProductPlaces outputOf(const Snapshot &snapshot, Index head)
{
    if (head < 0)
        return {{Stage::Concat}, {Stage::Wo}, {Stage::Output}, Stage::Bo, 0};
    const Index width = snapshot.sizes().dHeadV;
    return {{Stage::Concat, 0, 0, 0, head * width, width},
            {Stage::Wo, 0, head * width, width},
            {Stage::HeadContribution, head},
            std::nullopt,
            0};
}

Result<ProductPlaces> placesOf(const Snapshot &snapshot, ProductKind kind, Index head)
{
    switch (kind) {
    case ProductKind::Query:
        return projection(snapshot, Stage::Wq, Stage::Q, Stage::Bq, head);
    case ProductKind::Key:
        return projection(snapshot, Stage::Wk, Stage::K, Stage::Bk, head);
    case ProductKind::Value:
        return projection(snapshot, Stage::Wv, Stage::V, Stage::Bv, head);
    case ProductKind::Scores:
        return scores(snapshot, head);
    case ProductKind::HeadOut:
        return headOut(snapshot, head);
    case ProductKind::Output:
        return outputOf(snapshot, head);
    case ProductKind::Free:
        break;
    }
    return Error{ErrorCode::BadInput, "a free product has no stages"};
}

Result<Product> freeProduct(const Experiment &experiment)
{
    const Tensor &left = experiment.lab("A");
    const Tensor &right = experiment.lab("B");
    for (const auto &[name, matrix] : {std::pair{"A", &left}, std::pair{"B", &right}})
        if (matrix->isNull())
            return Error{ErrorCode::NotFound, "this document has no scratch matrix " + labTitle(name)};
    if (left.cols() != right.rows())
        return Error{ErrorCode::ShapeMismatch,
                     "left A is " + shapeText(left.shape()) + ", right B is " + shapeText(right.shape()) +
                         ": the left must have as many columns (" + std::to_string(left.cols()) +
                         ") as the right has rows (" + std::to_string(right.rows()) + ")"};
    return plainProduct(left, right);
}

} // namespace

std::optional<std::pair<Index, Index>> ProductMatrix::placeOf(const CellIndex &cell) const
{
    Index row = cell.row - firstRow;
    Index col = cell.col - firstCol;
    if (transposed)
        std::swap(row, col);
    if (cell.head != head || row < 0 || col < 0 || row >= rows() || col >= cols())
        return std::nullopt;
    return std::pair{row, col};
}

const char *productName(ProductKind kind)
{
    const auto found = std::ranges::find(productNames, kind, &ProductName::first);
    return found->second;
}

std::optional<ProductKind> productFromName(std::string_view name)
{
    for (const auto &[kind, known] : productNames)
        if (name == known)
            return kind;
    return std::nullopt;
}

bool hasAllHeads(ProductKind kind)
{
    return kind != ProductKind::Scores && kind != ProductKind::HeadOut;
}

Result<Product> productOf(const Snapshot &snapshot, const ProductChoice &choice)
{
    if (choice.kind == ProductKind::Free)
        return freeProduct(snapshot.experiment());
    const Sizes &sizes = snapshot.sizes();
    if (!snapshot.problem().empty())
        return Error{ErrorCode::ShapeMismatch, snapshot.problem()};
    const Index first = hasAllHeads(choice.kind) ? -1 : 0;
    const Index head = std::clamp<Index>(choice.head, first, std::max<Index>(sizes.nHeads, 1) - 1);
    const Result<ProductPlaces> places = placesOf(snapshot, choice.kind, head);
    if (!places)
        return places.error();
    Product product;
    product.kind = choice.kind;
    product.head = head;
    for (const auto &[matrix, place] :
         {std::pair{&product.left, &places->left}, std::pair{&product.right, &places->right},
          std::pair{&product.result, &places->result}}) {
        Result<ProductMatrix> block = blockOf(snapshot, *place);
        if (!block)
            return block.error();
        *matrix = std::move(*block);
    }
    if (places->bias && snapshot.stage(*places->bias).hasValues()) {
        const Result<ProductMatrix> bias =
            blockOf(snapshot, {*places->bias, 0, 0, 1, places->biasCol, product.cols()});
        if (!bias)
            return bias.error();
        product.bias = bias->values;
    }
    return product;
}

Product plainProduct(const Tensor &left, const Tensor &right)
{
    ATTN_ASSERT(left.cols() == right.rows(), "the shapes of a product fit");
    Product product;
    product.kind = ProductKind::Free;
    product.left = scratchOf("A", left);
    product.right = scratchOf("B", right);
    const Matrix<double> numbers = numbersOf(*product.left.values) * numbersOf(*product.right.values);
    product.result =
        scratchOf("AB", Tensor::fromDoubles({1, numbers.rows(), numbers.cols()},
                                            {numbers.data(), static_cast<std::size_t>(numbers.size())}));
    return product;
}

ProductGap productGap(const Product &product, double tolerance)
{
    const Matrix<double> right = numbersOf(*product.right.values);
    const bool isSingle = product.result.values->isSinglePrecision();
    Matrix<double> row(1, product.inner());
    Matrix<double> bias = Matrix<double>::Zero(1, product.cols());
    if (product.bias)
        bias = numbersOf(*product.bias);
    Matrix<double> made(1, product.cols());
    ProductGap gap;
    Matrix<double> stage(1, product.cols());
    if (tolerance < 0.0) {
        const ValueStatistics range = product.result.values->statistics(0);
        const double largest =
            range.finiteCount > 0 ? std::max({1.0, std::abs(range.minimum), std::abs(range.maximum)}) : 1.0;
        tolerance = (isSingle ? 1e-5 : 1e-12) * largest;
    }
    gap.tolerance = tolerance;
    for (Index i = 0; i < product.rows(); ++i) {
        product.left.values->readBlock(0, i, 0, 1, product.inner(), row.data(), product.inner());
        product.result.values->readBlock(0, i, 0, 1, product.cols(), stage.data(), product.cols());
        made.noalias() = row * right;
        for (Index k = 0; k < product.cols(); ++k) {
            const double difference = std::abs(stage(0, k) - (made(0, k) + bias(0, k)));
            if (!(difference <= tolerance))
                ++gap.count;
            if (difference > gap.largest || (std::isnan(difference) && !std::isnan(gap.largest))) {
                gap.largest = difference;
                gap.row = i;
                gap.col = k;
            }
        }
    }
    return gap;
}

} // namespace attn
