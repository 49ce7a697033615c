#include "engine/MappedNumbers.h"
#include "engine/StageValues.h"
#include "engine/Tensor.h"

#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace attn;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// head * 10000 + row * 100 + col in each cell: every mix-up shows.
Tensor numbered(const Shape &shape, Tensor::Storage storage = Tensor::Storage::Float64)
{
    std::vector<double> data;
    for (Index head = 0; head < shape.heads; ++head)
        for (Index row = 0; row < shape.rows; ++row)
            for (Index col = 0; col < shape.cols; ++col)
                data.push_back(static_cast<double>(head * 10000 + row * 100 + col));
    if (storage == Tensor::Storage::Float64)
        return Tensor::fromDoubles(shape, data);
    const std::vector<float> floats(data.begin(), data.end());
    return Tensor::fromFloats(shape, floats);
}

/// The numbers 0, 1, 2 ... as float32 at an odd address, and a layout of them with nothing but its strides.
MappedNumbers countedNumbers(Index count)
{
    const auto bytes = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(count) * 4 + 1);
    for (Index i = 0; i < count; ++i) {
        const auto value = static_cast<float>(i);
        std::memcpy(bytes->data() + 1 + i * 4, &value, sizeof(value));
    }
    MappedNumbers numbers;
    numbers.mapping = bytes;
    numbers.first = bytes->data() + 1;
    return numbers;
}

/// A matrix of 3000 rows in several blocks.
Tensor mappedMatrix()
{
    MappedNumbers numbers = countedNumbers(3000 * 6);
    numbers.rowStride = 6;
    numbers.pieceCols = 6;
    return Tensor::mapped({1, 3000, 6}, Tensor::Storage::Float32, numbers);
}

} // namespace

class TestTensor : public QObject
{
    Q_OBJECT

private slots:
    void nullIsNotEmpty();
    void readsBack_data();
    void readsBack();
    void editSharesOtherBlocks();
    void mappedNumbersStayWhereTheyAre_data();
    void mappedNumbersStayWhereTheyAre();
    void editsOfMappedNumbersAreHeld();
    void floatsRound();
    void bitsMatter();
    void rowsComeAndGo_data();
    void rowsComeAndGo();
    void insertedRowsTakeValuesPerHead();
    void movesRowsAndColumns();
    void shapeTexts();
    void statisticsCountEveryKind();
    void statisticsOutliveEdits();
    void pools();
    void paintingStaysFinite();
};

void TestTensor::nullIsNotEmpty()
{
    QVERIFY(Tensor().isNull());
    QVERIFY(!Tensor::zeros({1, 0, 0}).isNull());
    QCOMPARE(Tensor().rows(), Index(0));
    QVERIFY(Tensor().sameBits(Tensor()));
    QVERIFY(!Tensor().sameBits(Tensor::zeros({0, 0, 0})));
    QVERIFY(valuesOf(Tensor()) == nullptr);
}

void TestTensor::readsBack_data()
{
    QTest::addColumn<int>("heads");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("cols");
    QTest::newRow("one cell") << 1 << 1 << 1;
    QTest::newRow("no rows") << 1 << 0 << 3;
    QTest::newRow("no columns") << 2 << 3 << 0;
    QTest::newRow("heads") << 3 << 5 << 7;
    QTest::newRow("several blocks a head") << 2 << 99 << 97;
}

void TestTensor::readsBack()
{
    QFETCH(int, heads);
    QFETCH(int, rows);
    QFETCH(int, cols);
    const Shape shape{heads, rows, cols};
    for (const auto storage : {Tensor::Storage::Float64, Tensor::Storage::Float32}) {
        const Tensor tensor = numbered(shape, storage);
        QVERIFY(tensor.shape() == shape);
        QVERIFY(tensor.storage() == storage);
        const std::vector<double> all = tensor.toDoubles();
        QCOMPARE(static_cast<Index>(all.size()), shape.size());
        std::size_t index = 0;
        for (Index head = 0; head < heads; ++head)
            for (Index row = 0; row < rows; ++row)
                for (Index col = 0; col < cols; ++col, ++index) {
                    QCOMPARE(all[index], static_cast<double>(head * 10000 + row * 100 + col));
                    QCOMPARE(tensor.at(head, row, col), all[index]);
                }
    }
}

void TestTensor::editSharesOtherBlocks()
{
    const Tensor before = numbered({1, 200, 100});
    const Tensor after = before.withCells(std::vector<CellValue>{{{0, 150, 3}, -1.0}, {{0, 150, 4}, -2.0}});
    QCOMPARE(before.at(150, 3), 15003.0);
    QCOMPARE(after.at(150, 3), -1.0);
    QCOMPARE(after.at(150, 4), -2.0);
    QCOMPARE(after.at(0, 0), 0.0);
    QVERIFY(!after.sameBlocks(before));
    const Tensor copy = after;
    QVERIFY(copy.sameBlocks(after));
    const Tensor back =
        after.withCells(std::vector<CellValue>{{{0, 150, 3}, 15003.0}, {{0, 150, 4}, 15004.0}});
    QVERIFY(!back.sameBlocks(before));
    QVERIFY(back.sameBits(before));
}

void TestTensor::mappedNumbersStayWhereTheyAre_data()
{
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<int>("headStride");
    QTest::addColumn<int>("rowStride");
    QTest::addColumn<int>("pieceCols");
    QTest::addColumn<int>("pieceStride");
    QTest::newRow("a matrix") << Shape{1, 5, 4} << 0 << 4 << 4 << 0;
    QTest::newRow("columns 0 to 2 of a wider one") << Shape{1, 5, 3} << 0 << 7 << 3 << 0;
    QTest::newRow("heads") << Shape{3, 5, 4} << 20 << 4 << 4 << 0;
    QTest::newRow("heads side by side") << Shape{1, 5, 6} << 0 << 2 << 2 << 10;
    QTest::newRow("heads inside of each row") << Shape{3, 5, 2} << 2 << 6 << 2 << 0;
}

void TestTensor::mappedNumbersStayWhereTheyAre()
{
    QFETCH(Shape, shape);
    QFETCH(int, headStride);
    QFETCH(int, rowStride);
    QFETCH(int, pieceCols);
    QFETCH(int, pieceStride);
    MappedNumbers numbers = countedNumbers(100);
    numbers.headStride = headStride;
    numbers.rowStride = rowStride;
    numbers.pieceCols = pieceCols;
    numbers.pieceStride = pieceStride;
    const Tensor tensor = Tensor::mapped(shape, Tensor::Storage::Float32, numbers);
    std::vector<float> row(static_cast<std::size_t>(shape.cols));
    for (Index head = 0; head < shape.heads; ++head) {
        for (Index r = 0; r < shape.rows; ++r) {
            tensor.copyRows(head, r, 1, row.data());
            for (Index c = 0; c < shape.cols; ++c) {
                const Index at =
                    head * headStride + r * rowStride + c / pieceCols * pieceStride + c % pieceCols;
                QCOMPARE(tensor.at(head, r, c), static_cast<double>(at));
                QCOMPARE(row[static_cast<std::size_t>(c)], static_cast<float>(at));
            }
        }
    }
    std::vector<double> block(static_cast<std::size_t>(2 * shape.cols));
    tensor.copyBlock(shape.heads - 1, 1, 1, 2, shape.cols - 1, block.data(), shape.cols);
    QCOMPARE(block.front(), tensor.at(shape.heads - 1, 1, 1));
    QCOMPARE(block[static_cast<std::size_t>(2 * shape.cols - 2)],
             tensor.at(shape.heads - 1, 2, shape.cols - 1));
    QVERIFY(tensor.mapping() && !tensor.held().mapping());
    QVERIFY(tensor.held().sameBits(tensor));
    QCOMPARE(tensor.held().toDoubles(), tensor.toDoubles());
    QVERIFY(tensor.cellsOverMapping(0)->empty());
}

void TestTensor::editsOfMappedNumbersAreHeld()
{
    const Tensor before = mappedMatrix();
    QVERIFY(!before.sameBlocks(mappedMatrix()));
    QVERIFY(before.sameBits(mappedMatrix()));
    const Tensor after = before.withCells(std::vector<CellValue>{{{0, 1500, 3}, -1.0}, {{0, 2999, 0}, -2.0}});
    QCOMPARE(after.at(1500, 3), -1.0);
    QCOMPARE(after.at(1500, 2), before.at(1500, 2));
    QCOMPARE(before.at(1500, 3), 9003.0);
    QVERIFY(after.sameBlocks(before, 0, 0, 600));
    QVERIFY(!after.sameBlocks(before, 0, 1490, 20));
    QVERIFY(!after.sameBlocks(before) && !after.sameBits(before));
    const auto cells = after.cellsOverMapping(2);
    QVERIFY(cells);
    QCOMPARE(cells->size(), std::size_t(2));
    QVERIFY((cells->front().cell == CellIndex{0, 1500, 3}));
    QCOMPARE(cells->back().value, -2.0);
    QVERIFY(!after.cellsOverMapping(1));
    QVERIFY(
        after.withoutRow(0)
            .withRowInserted(0, {}, 0.0)
            .sameBits(after.withCells(std::vector<CellValue>{
                {{0, 0, 1}, 0.0}, {{0, 0, 2}, 0.0}, {{0, 0, 3}, 0.0}, {{0, 0, 4}, 0.0}, {{0, 0, 5}, 0.0}})));
    const Tensor back =
        after.withCells(std::vector<CellValue>{{{0, 1500, 3}, 9003.0}, {{0, 2999, 0}, 17994.0}});
    QVERIFY(back.sameBits(before));
    QVERIFY(back.cellsOverMapping(0)->empty());
}

void TestTensor::floatsRound()
{
    const Tensor tensor = Tensor::zeros({1, 1, 2}, Tensor::Storage::Float32);
    const Tensor edited = tensor.withCells(std::vector<CellValue>{{{0, 0, 1}, 0.1}});
    QCOMPARE(edited.at(0, 1), static_cast<double>(0.1f));
    QCOMPARE(edited.rounded(0.1), static_cast<double>(0.1f));
    QCOMPARE(Tensor::zeros({1, 1, 1}).rounded(0.1), 0.1);
    QVERIFY(valuesOf(edited)->isSinglePrecision());
}

void TestTensor::bitsMatter()
{
    const auto one = [](double value) {
        return Tensor::filled({1, 1, 1}, value);
    };
    QVERIFY(one(notANumber).sameBits(one(notANumber)));
    QVERIFY(!one(0.0).sameBits(one(-0.0)));
    QVERIFY(!one(1.0).sameBits(Tensor::filled({1, 1, 2}, 1.0)));
}

void TestTensor::rowsComeAndGo_data()
{
    QTest::addColumn<int>("index");
    QTest::newRow("first") << 0;
    QTest::newRow("middle") << 2;
    QTest::newRow("last") << 4;
}

void TestTensor::rowsComeAndGo()
{
    QFETCH(int, index);
    const Tensor before = numbered({2, 4, 4});
    const Tensor withRow = before.withRowInserted(index, {}, 7.0);
    QVERIFY(withRow.shape() == (Shape{2, 5, 4}));
    QCOMPARE(withRow.at(1, index, 3), 7.0);
    QVERIFY(withRow.withoutRow(index).sameBits(before));
    const Tensor withCol = before.withColInserted(index, {}, 7.0);
    QVERIFY(withCol.shape() == (Shape{2, 4, 5}));
    QCOMPARE(withCol.at(1, 3, index), 7.0);
    QVERIFY(withCol.withoutCol(index).sameBits(before));
}

void TestTensor::insertedRowsTakeValuesPerHead()
{
    const std::vector<double> values = {1, 2, 3, 4};
    const Tensor rows = Tensor::zeros({2, 1, 2}).withRowInserted(1, values);
    QCOMPARE(rows.at(0, 1, 1), 2.0);
    QCOMPARE(rows.at(1, 1, 0), 3.0);
    const Tensor cols = Tensor::zeros({2, 2, 1}).withColInserted(0, values);
    QCOMPARE(cols.at(0, 1, 0), 2.0);
    QCOMPARE(cols.at(1, 1, 0), 4.0);
    QCOMPARE(cols.at(1, 1, 1), 0.0);
}

void TestTensor::movesRowsAndColumns()
{
    const Tensor before = numbered({2, 4, 5});
    const Tensor rows = before.withRowMoved(0, 2);
    QCOMPARE(rows.at(1, 0, 3), 10103.0);
    QCOMPARE(rows.at(1, 2, 3), 10003.0);
    QVERIFY(rows.withRowMoved(2, 0).sameBits(before));
    const Tensor cols = before.withColMoved(4, 1);
    QCOMPARE(cols.at(1, 3, 1), 10304.0);
    QCOMPARE(cols.at(1, 3, 2), 10301.0);
    QVERIFY(cols.withColMoved(1, 4).sameBits(before));
}

void TestTensor::shapeTexts()
{
    QCOMPARE(shapeText({1, 4, 6}), std::string("4×6"));
    QCOMPARE(shapeText({2, 4, 5}), std::string("2×4×5"));
}

void TestTensor::statisticsCountEveryKind()
{
    const std::vector<double> data = {1.0, -3.0, notANumber, infinity, -infinity, -infinity, 5.0, 0.0};
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({2, 2, 2}, data));
    const ValueStatistics all = values->statistics(-1);
    QCOMPARE(all.minimum, -3.0);
    QCOMPARE(all.maximum, 5.0);
    QCOMPARE(all.sum, 3.0);
    QCOMPARE(all.finiteCount, Index(4));
    QCOMPARE(all.nanCount, Index(1));
    QCOMPARE(all.plusInfCount, Index(1));
    QCOMPARE(all.minusInfCount, Index(2));
    QCOMPARE(values->statistics(1).minimum, 0.0);
    const ValueStatistics none = valuesOf(Tensor::filled({1, 1, 2}, notANumber))->statistics(0);
    QVERIFY(std::isnan(none.minimum) && std::isnan(none.maximum));
}

void TestTensor::statisticsOutliveEdits()
{
    const Tensor before = mappedMatrix();
    const StageValuesPtr values = valuesOf(before);
    QCOMPARE(values->statistics(0).maximum, 17999.0);
    const Tensor after = before.withCells(std::vector<CellValue>{{{0, 2999, 5}, -7.0}});
    for (const StageValuesPtr &old : {values, StageValuesPtr(), valuesOf(Tensor::zeros({1, 2, 2}))}) {
        const ValueStatistics statistics = valuesOf(after, old)->statistics(0);
        QCOMPARE(statistics.minimum, -7.0);
        QCOMPARE(statistics.maximum, 17998.0);
        QCOMPARE(statistics.finiteCount, Index(18000));
        QCOMPARE(statistics.sum, 17999.0 * 18000.0 / 2.0 - 17999.0 - 7.0);
    }
}

void TestTensor::pools()
{
    const std::vector<double> data = {1,         2,         3,         4,         5, notANumber,
                                      -infinity, -infinity, -infinity, -infinity, 9, 9};
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 3, 4}, data));
    float pooled[4] = {};
    values->readPooled(0, 0, 0, 2, 2, 2, Pooling::Max, pooled, 2);
    QVERIFY(std::isnan(pooled[0]));
    QCOMPARE(pooled[1], 4.0f);
    QCOMPARE(static_cast<double>(pooled[2]), -infinity);
    QCOMPARE(pooled[3], 9.0f);
    values->readPooled(0, 0, 0, 2, 2, 2, Pooling::Mean, pooled, 2);
    QCOMPARE(pooled[0], static_cast<float>(8.0 / 3.0));
    QCOMPARE(pooled[1], 3.5f);
    QVERIFY(std::isnan(pooled[2]));
    QCOMPARE(pooled[3], 9.0f);
}

void TestTensor::paintingStaysFinite()
{
    const std::vector<double> data = {1e300, -1e300, infinity, 0.5};
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles({1, 1, 4}, data));
    float out[4] = {};
    values->readBlock(0, 0, 0, 1, 4, out, 4);
    QCOMPARE(out[0], std::numeric_limits<float>::max());
    QCOMPARE(out[1], std::numeric_limits<float>::lowest());
    QVERIFY(std::isinf(out[2]));
    QCOMPARE(out[3], 0.5f);
}

QTEST_APPLESS_MAIN(TestTensor)
#include "tst_Tensor.moc"
