#include "engine/Edit.h"

#include "engine/EditFixtures.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

Q_DECLARE_METATYPE(attn::Edit)
Q_DECLARE_METATYPE(attn::Experiment)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string errorOf(const Experiment &e, const Edit &edit)
{
    const Result<EditOutcome> outcome = applyEdit(e, edit);
    return outcome ? std::string() : outcome.error().message;
}

} // namespace

class TestEdit : public QObject
{
    Q_OBJECT

private slots:
    void inverses_data();
    void inverses();
    void refusals_data();
    void refusals();
    void cellsOfAbsentMasksMakeThemFull();
    void storageRoundsCells();
    void pinsFollowTheirToken();
    void wholePinsGetHolesForNewTokens();
    void movedTokenTakesEverythingAlong();
    void crossSidesAreSeparate();
    void headsDropWhatLosesItsMeaning();
    void givenQKVAreSplitAnew();
    void dimensions_data();
    void dimensions();
    void dimensionKeepsPinsOnTheirColumn();
    void biasFollowsHeadWidthWithoutWo();
    void anotherShapeIsAState();
    void wayOutOfAContradiction();
    void compoundIsAllOrNothing();
    void untouchedMatricesKeepTheirBlocks();
};

void TestEdit::inverses_data()
{
    QTest::addColumn<Experiment>("start");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<Edit>("inverse");
    const auto row = [](const char *name, const Experiment &start, const Edit &edit, const Edit &inverse) {
        QTest::newRow(name) << start << edit << inverse;
    };
    const Experiment e = twoHeads();
    const std::vector<double> xRow = {10, 11, 12, 13, 14};
    row("cell", e, SetCells{Stage::X, {{{0, 1, 2}, 0.5}}}, SetCells{Stage::X, {{{0, 1, 2}, 7.0}}});
    row("cell of a bias", e, SetCells{Stage::Bq, {{{0, 0, 5}, -1.0}}},
        SetCells{Stage::Bq, {{{0, 0, 5}, 505.0}}});
    row("matrix", e, SetTensor{Stage::Wo, counting(4, 7)}, SetTensor{Stage::Wo, e.matrix(Stage::Wo)});
    row("no bias", e, SetTensor{Stage::Bq, {}}, SetTensor{Stage::Bq, e.matrix(Stage::Bq)});
    row("additive mask", e, SetTensor{Stage::MaskAdd, counting(4, 4)}, SetTensor{Stage::MaskAdd, {}});
    row("pin", e, PinCells{Stage::A, {{{1, 2, 3}, 0.5}}}, UnpinCells{Stage::A, {{1, 2, 3}}});
    row("pin NaN", e, PinCells{Stage::Output, {{{0, 3, 6}, std::nan("")}}},
        UnpinCells{Stage::Output, {{0, 3, 6}}});
    row("whole stage", e, PinStage{Stage::Concat, counting(4, 4)}, UnpinStage{Stage::Concat});
    row("heads", e, SetHeads{1, 1, {}}, SetHeads{2, 2, {}});
    row("scale", e, SetScale{0.5}, SetScale{std::nullopt});
    row("offset", e, SetQOffset{-2}, SetQOffset{0});
    row("rotary", e, SetRotary{Rotary{Rotary::Pairing::Half, 500.0, 2}}, SetRotary{std::nullopt});
    row("causal", e, SetCausal{true}, SetCausal{false});
    row("window", e, SetWindow{Window{1, std::nullopt}}, SetWindow{std::nullopt});
    row("precision", e, SetPrecision{Precision::Float32}, SetPrecision{Precision::Float64});
    row("notes", e, SetNotes{"text"}, SetNotes{""});
    row("token in the middle", e, InsertToken{TokenSide::Query, 2, "new", {1, 2, 3, 4, 5}},
        DeleteToken{TokenSide::Query, 2});
    row("token at the end", e, InsertToken{TokenSide::Query, 4, "new", {}}, DeleteToken{TokenSide::Query, 4});
    row("token deleted", e, DeleteToken{TokenSide::Query, 2}, InsertToken{TokenSide::Query, 2, "GPU", xRow});
    row("token moved", e, MoveToken{TokenSide::Query, 0, 3}, MoveToken{TokenSide::Query, 3, 0});
    row("token with pins moved", pinned(), MoveToken{TokenSide::Query, 1, 2},
        MoveToken{TokenSide::Query, 2, 1});
    row("token inserted among pins", pinned(), InsertToken{TokenSide::Query, 1, "new", {}},
        DeleteToken{TokenSide::Query, 1});
    row("renamed", e, RenameToken{TokenSide::Query, 0, "我"}, RenameToken{TokenSide::Query, 0, "I"});
    row("all names", e, SetTokens{TokenSide::Query, {"a", "a", "", "b"}},
        SetTokens{TokenSide::Query, {"I", "love", "GPU", "prog"}});
    for (const Axis axis : {Axis::Model, Axis::HeadKey, Axis::HeadValue, Axis::OutputWidth})
        row(qPrintable(QStringLiteral("dimension %1").arg(static_cast<int>(axis))), pinned(),
            InsertDimension{axis, 1}, DeleteDimension{axis, 1});
    row("key token of given Q, K, V", givenCross(), InsertToken{TokenSide::KeyValue, 4, "o", {}},
        DeleteToken{TokenSide::KeyValue, 4});
    row("head width of given Q, K, V", givenCross(), InsertDimension{Axis::HeadKey, 2},
        DeleteDimension{Axis::HeadKey, 2});
    row("token of given scores", givenScores(), InsertToken{TokenSide::Query, 0, "z", {}},
        DeleteToken{TokenSide::Query, 0});
    row("compound", e, Compound{{SetCausal{true}, SetScale{2.0}}}, Compound{{SetScale{}, SetCausal{false}}});
}

void TestEdit::inverses()
{
    QFETCH(Experiment, start);
    QFETCH(Edit, edit);
    QFETCH(Edit, inverse);
    const Result<EditOutcome> there = applyEdit(start, edit);
    QVERIFY2(there.ok(), there.ok() ? "" : there.error().message.c_str());
    QVERIFY(!sameContent(start, there->experiment));
    QVERIFY(validate(there->experiment).ok());
    const Result<EditOutcome> back = applyEdit(there->experiment, inverse);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QVERIFY(sameContent(start, back->experiment));
}

void TestEdit::refusals_data()
{
    QTest::addColumn<Experiment>("start");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const Experiment &start, const Edit &edit, const char *message) {
        QTest::newRow(name) << start << edit << QString::fromUtf8(message);
    };
    const Experiment e = twoHeads();
    row("row beyond X", e, SetCells{Stage::X, {{{0, 4, 0}, 1.0}}},
        "X[4,0]: expected a cell of 4×5, counted from 0");
    row("head of a plain matrix", e, SetCells{Stage::X, {{{1, 0, 0}, 1.0}}},
        "X[1,0,0]: expected a cell of 4×5");
    row("computed stage", e, SetCells{Stage::Q, {{{0, 0, 0}, 1.0}}}, "Q is computed here, not given");
    row("absent bias", e, SetCells{Stage::Bk, {{{0, 0, 0}, 1.0}}}, "this document has no bk");
    row("half allowed", e, SetCells{Stage::MaskBool, {{{0, 0, 0}, 0.5}}},
        "mask.bool: expected 1 or 0, found 0.5");
    row("NaN padding", e, SetCells{Stage::MaskPadding, {{{0, 0, 0}, std::nan("")}}},
        "mask.key_padding: expected 1 or 0, found nan");
    row("infinite slope", e, SetCells{Stage::MaskAlibi, {{{0, 0, 0}, infinity}}},
        "mask.alibi: expected a finite slope, found inf");
    row("derived stage given", e, SetTensor{Stage::Allowed, counting(4, 4, 0, 2)},
        "allowed is always computed and cannot be given");
    row("computed stage given", e, SetTensor{Stage::Q, counting(4, 6)}, "Q is computed here: pin it");
    row("empty matrix", e, SetTensor{Stage::X, Tensor::zeros({1, 0, 5})}, "X: expected at least one number");
    row("bias of two rows", e, SetTensor{Stage::Bq, counting(2, 6)}, "bq: expected one row, found 2×6");
    row("stack for one matrix", e, SetTensor{Stage::Wq, counting(5, 6, 0, 2)},
        "Wq: expected one matrix, found 2×5×6");
    row("mask of another size", e, SetTensor{Stage::MaskAdd, counting(4, 3)},
        "mask.add: expected 4×4, found 4×3");
    row("mask of two values", e, SetTensor{Stage::MaskBool, counting(4, 4)},
        "mask.bool: expected 1 or 0, found 2");
    row("pin of an input", e, PinCells{Stage::X, {{{0, 0, 0}, 1.0}}}, "X cannot be pinned");
    row("pin of a derived stage", e, PinStage{Stage::Allowed, counting(4, 4, 0, 2)},
        "allowed cannot be pinned");
    row("pin beyond the heads", e, PinCells{Stage::A, {{{2, 0, 0}, 1.0}}},
        "A[2,0,0]: expected a cell of 2×4×4");
    row("negative index", e, PinCells{Stage::A, {{{0, -1, 0}, 1.0}}}, "A[0,-1,0]: expected a cell of 2×4×4");
    row("unpin beyond the stage", e, UnpinCells{Stage::A, {{0, 0, 4}}}, "A[0,0,4]: expected a cell of 2×4×4");
    row("pins of another shape", e, PinStage{Stage::Output, counting(4, 6)},
        "pins of output: expected 4×7, found 4×6");
    row("heads that do not divide", e, SetHeads{4, 4, {}}, "columns of Wq: 6 is not a multiple of 4 heads");
    row("groups that do not divide", e, SetHeads{3, 2, {}}, "3 is not a multiple of 2 key/value heads");
    row("no heads", e, SetHeads{0, 0, {}}, "heads: expected at least 1, found 0");
    row("new width without a new bias", with(e, SetTensor{Stage::Bk, counting(1, 6)}),
        SetHeads{2, 1, {{Stage::Wk, counting(5, 3)}, {Stage::Wv, counting(5, 2)}}},
        "Wk has 3 columns, bk 6: a new width needs both anew");
    row("heads of given scores", givenScores(), SetHeads{1, 1, {}},
        "heads: the given scores fixes their number to 2");
    row("shared heads without new matrices", e, SetHeads{2, 1, {}}, "");
    row("NaN scale", e, SetScale{std::nan("")}, "scale: expected a finite number, found nan");
    row("odd rotation", e, SetRotary{Rotary{Rotary::Pairing::Half, 10000.0, 3}},
        "rotary columns: expected an even number, found 3");
    row("rotation wider than a head", e, SetRotary{Rotary{Rotary::Pairing::Half, 10000.0, 4}},
        "rotary columns: expected at most the head width 3, found 4");
    row("rotation base 0", e, SetRotary{Rotary{Rotary::Pairing::Half, 0.0, {}}},
        "rotary base: expected a finite number above 0, found 0");
    row("token beyond the end", e, InsertToken{TokenSide::Query, 5, "x", {}},
        "position of the new token 5: expected a number from 0 to 4");
    row("short row", e, InsertToken{TokenSide::Query, 0, "x", {1, 2}},
        "new row of X: expected 5 numbers, found 2");
    row("row without X", givenCross(), InsertToken{TokenSide::Query, 0, "x", {1, 2}},
        "this document has no X, expected no numbers, found 2");
    row("only token", with(givenScores(), DeleteToken{TokenSide::Query, 0}), DeleteToken{TokenSide::Query, 0},
        "the only token cannot be deleted");
    row("token that is not there", e, RenameToken{TokenSide::Query, 4, "x"},
        "token 4: expected a number from 0 to 3");
    row("one label too few", e, SetTokens{TokenSide::Query, {"a", "b", "c"}},
        "token labels: expected 4, found 3");
    row("column of no X", givenCross(), InsertDimension{Axis::Model, 0},
        "column of X: this document has no X");
    row("output without W^O", givenCross(), DeleteDimension{Axis::OutputWidth, 0}, "without W^O");
    row("axis without a width", e, InsertDimension{Axis::Query, 0}, "only the columns of X and Xkv");
    row("column beyond", e, DeleteDimension{Axis::HeadValue, 2},
        "column of each value head 2: expected a number from 0 to 1");
    row("last column of a head", with(e, DeleteDimension{Axis::HeadValue, 0}),
        DeleteDimension{Axis::HeadValue, 0}, "the only column of each value head cannot be deleted");
}

void TestEdit::refusals()
{
    QFETCH(Experiment, start);
    QFETCH(Edit, edit);
    QFETCH(QString, message);
    const Experiment before = start;
    const Result<EditOutcome> outcome = applyEdit(start, edit);
    QVERIFY(!outcome.ok());
    const QString found = QString::fromStdString(outcome.error().message);
    QVERIFY2(found.contains(message) && !found.isEmpty(), qPrintable(found));
    QVERIFY(sameContent(before, start));
}

void TestEdit::cellsOfAbsentMasksMakeThemFull()
{
    const Experiment e = with(twoHeads(), SetCells{Stage::MaskBool, {{{0, 1, 3}, 0.0}}});
    const Tensor &mask = e.matrix(Stage::MaskBool);
    QVERIFY((mask.shape() == Shape{1, 4, 4}));
    QCOMPARE(mask.at(1, 3), 0.0);
    QCOMPARE(mask.at(3, 1), 1.0);
    const Experiment added = with(e, SetCells{Stage::MaskAdd, {{{0, 0, 1}, -infinity}}});
    QCOMPARE(added.matrix(Stage::MaskAdd).at(0, 1), -infinity);
    QCOMPARE(added.matrix(Stage::MaskAdd).at(1, 1), 0.0);
}

void TestEdit::storageRoundsCells()
{
    Experiment e = twoHeads();
    e.given[Stage::X] = Tensor::zeros({1, 4, 5}, Tensor::Storage::Float32);
    const Experiment after = with(e, SetCells{Stage::X, {{{0, 0, 0}, 0.1}}});
    QCOMPARE(after.matrix(Stage::X).at(0, 0), static_cast<double>(0.1f));
    QCOMPARE(errorOf(e, SetCells{Stage::X, {{{0, 0, 0}, 1e300}}}),
             std::string("X is stored as float32: 1e+300 is beyond its range"));
}

void TestEdit::pinsFollowTheirToken()
{
    const Experiment inserted = with(pinned(), InsertToken{TokenSide::Query, 1, "new", {}});
    QCOMPARE(inserted.pinsOf(Stage::A).at({1, 2, 4}), std::optional(0.5));
    QCOMPARE(inserted.pinsOf(Stage::A).at({0, 3, 0}), std::optional(0.25));
    QCOMPARE(inserted.pinsOf(Stage::A).count(), Index(2));
    QCOMPARE(inserted.pinsOf(Stage::Q).at({0, 2, 2}), std::optional(9.0));

    const Result<EditOutcome> deleted = applyEdit(pinned(), DeleteToken{TokenSide::Query, 3});
    QVERIFY(deleted.ok());
    QCOMPARE(deleted->experiment.pinsOf(Stage::A).count(), Index(1));
    QCOMPARE(deleted->experiment.pinsOf(Stage::A).at({0, 2, 0}), std::optional(0.25));
    QCOMPARE(deleted->notes,
             (std::vector<std::string>{"14 pins of scores were dropped: token \"prog\" was deleted.",
                                       "1 pin of A was dropped: token \"prog\" was deleted."}));
}

void TestEdit::wholePinsGetHolesForNewTokens()
{
    const Experiment e = with(pinned(), InsertToken{TokenSide::Query, 4, "new", {}});
    const Pins &pins = e.pinsOf(Stage::Scores);
    QCOMPARE(pins.count(), Index(32));
    QCOMPARE(pins.at({1, 3, 3}), std::optional(31.0));
    QVERIFY(!pins.at({0, 4, 0}).has_value());
    QVERIFY(!pins.at({1, 2, 4}).has_value());
}

void TestEdit::movedTokenTakesEverythingAlong()
{
    Experiment e = with(pinned(), SetCells{Stage::MaskBool, {{{0, 0, 3}, 0.0}}});
    e = with(e, SetCells{Stage::MaskPadding, {{{0, 0, 0}, 0.0}}});
    const Experiment moved = with(e, MoveToken{TokenSide::Query, 0, 2});
    QCOMPARE(moved.tokens.labels(), (std::vector<std::string>{"love", "GPU", "I", "prog"}));
    QCOMPARE(moved.matrix(Stage::X).at(2, 0), 0.0);
    QCOMPARE(moved.matrix(Stage::X).at(0, 0), 5.0);
    QCOMPARE(moved.matrix(Stage::MaskBool).at(2, 3), 0.0);
    QCOMPARE(moved.matrix(Stage::MaskBool).at(0, 3), 1.0);
    QCOMPARE(moved.matrix(Stage::MaskPadding).at(0, 2), 0.0);
    QCOMPARE(moved.pinsOf(Stage::A).at({0, 1, 2}), std::optional(0.25));
    QCOMPARE(moved.pinsOf(Stage::Scores).at({1, 0, 2}), e.pinsOf(Stage::Scores).at({1, 1, 0}));
}

void TestEdit::crossSidesAreSeparate()
{
    const Experiment e = with(givenCross(), PinCells{Stage::A, {{{1, 2, 3}, 0.5}}});
    const Experiment keys = with(e, InsertToken{TokenSide::KeyValue, 0, "j", {}});
    QCOMPARE(keys.tokens.size(), Index(3));
    QCOMPARE(keys.tokensKv->labels().front(), std::string("j"));
    QCOMPARE(keys.matrix(Stage::K).at(0, 1), 0.0);
    QCOMPARE(keys.matrix(Stage::K).at(1, 1), 51.0);
    QCOMPARE(keys.pinsOf(Stage::A).at({1, 2, 4}), std::optional(0.5));
    const Experiment queries = with(e, DeleteToken{TokenSide::Query, 0});
    QCOMPARE(queries.matrix(Stage::Q).rows(), Index(2));
    QCOMPARE(queries.matrix(Stage::K).rows(), Index(4));
    QCOMPARE(queries.pinsOf(Stage::A).at({1, 1, 3}), std::optional(0.5));
}

void TestEdit::headsDropWhatLosesItsMeaning()
{
    Experiment e = pinned();
    e = with(e, SetTensor{Stage::MaskAdd, counting(4, 4, 0, 2)});
    e = with(e, SetCells{Stage::MaskBool, {{{0, 0, 0}, 0.0}}});
    e = with(e, SetTensor{Stage::MaskAlibi, defaultAlibiSlopes(2)});
    const Result<EditOutcome> outcome = applyEdit(e, SetHeads{1, 1, {}});
    QVERIFY(outcome.ok());
    const Experiment &one = outcome->experiment;
    QVERIFY(!one.pins.contains(Stage::A) && !one.pins.contains(Stage::Scores));
    QCOMPARE(one.pinsOf(Stage::Q).count(), Index(2));
    QVERIFY(!one.isGiven(Stage::MaskAdd));
    QVERIFY(one.isGiven(Stage::MaskBool));
    QVERIFY(one.matrix(Stage::MaskAlibi).sameBits(defaultAlibiSlopes(1)));
    QCOMPARE(outcome->notes,
             (std::vector<std::string>{
                 "mask.add was dropped: it had one matrix for each head, and the heads are split anew.",
                 "32 pins of scores were dropped: the heads are split anew.",
                 "2 pins of A were dropped: the heads are split anew."}));
}

void TestEdit::givenQKVAreSplitAnew()
{
    Experiment e = givenCross();
    e.nKvHeads = 2;
    e.given[Stage::K] = counting(4, 4);
    e.given[Stage::V] = counting(4, 6);
    const Experiment one = with(e, SetHeads{1, 1, {}});
    QCOMPARE(sizesOf(one).dHeadK, Index(4));
    QCOMPARE(sizesOf(one).dHeadV, Index(6));
    QVERIFY(one.matrix(Stage::Q).sameBlocks(e.matrix(Stage::Q)));
}

void TestEdit::dimensions_data()
{
    QTest::addColumn<int>("axis");
    QTest::addColumn<QList<int>>("stages");
    QTest::addColumn<QList<int>>("rows");
    QTest::addColumn<QList<int>>("cols");
    const auto stages = [](std::initializer_list<Stage> list) {
        QList<int> numbers;
        for (const Stage stage : list)
            numbers.append(static_cast<int>(stage));
        return numbers;
    };
    QTest::newRow("d_model") << static_cast<int>(Axis::Model)
                             << stages({Stage::X, Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo})
                             << QList<int>{4, 6, 6, 6, 4} << QList<int>{6, 6, 6, 4, 7};
    QTest::newRow("d_k") << static_cast<int>(Axis::HeadKey)
                         << stages({Stage::Wq, Stage::Bq, Stage::Wk, Stage::Wv}) << QList<int>{5, 1, 5, 5}
                         << QList<int>{8, 8, 8, 4};
    QTest::newRow("d_v") << static_cast<int>(Axis::HeadValue)
                         << stages({Stage::Wq, Stage::Wv, Stage::Wo, Stage::Bo}) << QList<int>{5, 5, 6, 1}
                         << QList<int>{6, 6, 7, 7};
    QTest::newRow("d_out") << static_cast<int>(Axis::OutputWidth) << stages({Stage::Wo, Stage::Bo})
                           << QList<int>{4, 1} << QList<int>{8, 8};
}

void TestEdit::dimensions()
{
    QFETCH(int, axis);
    QFETCH(QList<int>, stages);
    QFETCH(QList<int>, rows);
    QFETCH(QList<int>, cols);
    const Experiment before = twoHeads();
    const Experiment e = with(before, InsertDimension{static_cast<Axis>(axis), 1});
    for (qsizetype i = 0; i < stages.size(); ++i) {
        const Tensor &matrix = e.matrix(static_cast<Stage>(stages[i]));
        QCOMPARE(matrix.rows(), Index(rows[i]));
        QCOMPARE(matrix.cols(), Index(cols[i]));
    }
    if (static_cast<Axis>(axis) == Axis::HeadKey) {
        // A column of zeros after the first of each head.
        QCOMPARE(e.matrix(Stage::Bq).toDoubles(), (std::vector<double>{500, 0, 501, 502, 503, 0, 504, 505}));
    }
    if (static_cast<Axis>(axis) == Axis::HeadValue) {
        const Tensor &Wo = e.matrix(Stage::Wo);
        for (const Index row : {1, 4})
            QCOMPARE(Wo.at(row, 6), 0.0);
        QCOMPARE(Wo.at(5, 0), before.matrix(Stage::Wo).at(3, 0));
    }
}

void TestEdit::dimensionKeepsPinsOnTheirColumn()
{
    const Experiment wider = with(pinned(), InsertDimension{Axis::HeadKey, 0});
    QCOMPARE(wider.pinsOf(Stage::Q).at({0, 1, 3}), std::optional(9.0));
    QCOMPARE(wider.pinsOf(Stage::Q).at({0, 1, 6}), std::optional(8.0));
    const Result<EditOutcome> narrower = applyEdit(pinned(), DeleteDimension{Axis::HeadKey, 2});
    QVERIFY(narrower.ok());
    QCOMPARE(narrower->experiment.pinsOf(Stage::Q).at({0, 1, 3}), std::optional(8.0));
    QCOMPARE(narrower->notes.size(), std::size_t(1));
    QVERIFY(narrower->notes[0].starts_with("1 pin of Q was dropped: "));
}

void TestEdit::biasFollowsHeadWidthWithoutWo()
{
    Experiment e = twoHeads();
    e.given.erase(Stage::Wo);
    e.given[Stage::Bo] = counting(1, 4);
    const Experiment wider = with(e, InsertDimension{Axis::HeadValue, 2});
    QCOMPARE(wider.matrix(Stage::Bo).toDoubles(), (std::vector<double>{0, 1, 0, 2, 3, 0}));
    QCOMPARE(expectedShape(wider, Stage::Output).cols, Index(6));
}

void TestEdit::anotherShapeIsAState()
{
    const Experiment start = with(twoHeads(), PinCells{Stage::Output, {{{0, 0, 6}, 1.0}}});
    const Result<EditOutcome> outcome = applyEdit(start, SetTensor{Stage::Wo, counting(4, 3)});
    QVERIFY(outcome.ok());
    QVERIFY(!validate(outcome->experiment).ok());
    QCOMPARE(outcome->notes,
             (std::vector<std::string>{"1 pin of output was dropped: with another Wo its shape is 4×3."}));
}

void TestEdit::wayOutOfAContradiction()
{
    const Experiment broken = with(twoHeads(), SetTensor{Stage::X, counting(4, 6)});
    QVERIFY(!validate(broken).ok());
    const Experiment still = with(broken, SetCells{Stage::X, {{{0, 0, 5}, 1.0}}});
    QVERIFY(!validate(still).ok());
    QVERIFY(errorOf(broken, DeleteToken{TokenSide::Query, 0}).ends_with("make the matrices agree first"));
    const Experiment repaired = with(still, SetTensor{Stage::X, counting(4, 5)});
    QVERIFY(sameContent(repaired, twoHeads()));
}

void TestEdit::compoundIsAllOrNothing()
{
    const Experiment e = twoHeads();
    const Compound bad{{SetCausal{true}, SetScale{std::nan("")}}};
    QVERIFY(!applyEdit(e, bad).ok());
    // Only the end has to fit together.
    const Compound good{{SetTensor{Stage::Wo, counting(4, 3)}, SetTensor{Stage::Bo, counting(1, 3)}}};
    QVERIFY(validate(with(e, good)).ok());
}

void TestEdit::untouchedMatricesKeepTheirBlocks()
{
    const Experiment e = twoHeads();
    const Experiment after = with(e, SetCells{Stage::X, {{{0, 0, 0}, 3.0}}});
    for (const auto &[stage, matrix] : e.given)
        QCOMPARE(matrix.sameBlocks(after.matrix(stage)), stage != Stage::X);
}

QTEST_APPLESS_MAIN(TestEdit)
#include "tst_Edit.moc"
