#include "engine/Edit.h"

#include "engine/EditFixtures.h"

#include <QTest>

#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

/// What typing and clearing cells mean, and which stages take neither.
class TestTypedEdit : public QObject
{
    Q_OBJECT

private slots:
    void typed();
    void typedRefusals_data();
    void typedRefusals();
    void cleared();
    void readOnlyReasons();
};

void TestTypedEdit::typed()
{
    const Experiment e = pinned();
    const Result<Edit> own = typedEdit(e, Stage::X, {{{0, 0, 0}, 1.0}});
    QVERIFY(own.ok() && std::holds_alternative<SetCells>(*own));
    const Result<Edit> pin = typedEdit(e, Stage::Scaled, {{{1, 0, 0}, -infinity}});
    QVERIFY(pin.ok() && std::holds_alternative<PinCells>(*pin));
    const Result<Edit> mask = typedEdit(e, Stage::MaskBool, {{{1, 0, 0}, 0.0}});
    QVERIFY2(mask.ok() && std::get<SetCells>(*mask).cells[0].cell == CellIndex({0, 0, 0}),
             "a mask shared by all heads is one matrix");
    const Result<Edit> add = typedEdit(e, Stage::MaskAdd, {{{0, 0, 0}, -infinity}});
    QVERIFY(add.ok() && applyEdit(e, *add).ok());

    // Over a given stage a pinned cell is what is seen, so that is what typing changes.
    const Experiment given = with(givenCross(), PinCells{Stage::Q, {{{0, 0, 0}, 5.0}}});
    const Result<Edit> both = typedEdit(given, Stage::Q, {{{0, 0, 0}, 6.0}, {{0, 1, 0}, 7.0}});
    QVERIFY(both.ok());
    const Experiment after = with(given, *both);
    QCOMPARE(after.pinsOf(Stage::Q).at({0, 0, 0}), std::optional(6.0));
    QCOMPARE(after.matrix(Stage::Q).at(0, 0), 0.0);
    QCOMPARE(after.matrix(Stage::Q).at(1, 0), 7.0);
}

void TestTypedEdit::typedRefusals_data()
{
    QTest::addColumn<int>("stage");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("message");
    QTest::newRow("derived") << static_cast<int>(Stage::Allowed) << 1.0
                             << "allowed follows from other stages: edit the mask";
    QTest::newRow("no bias") << static_cast<int>(Stage::Bk) << 1.0 << "this document has no bk";
    QTest::newRow("no rotation") << static_cast<int>(Stage::Qr) << 1.0 << "Qr is not part of this document";
    QTest::newRow("half a mask") << static_cast<int>(Stage::MaskBool) << 0.5
                                 << "mask.bool: expected 1 or 0, found 0.5";
    QTest::newRow("infinite padding")
        << static_cast<int>(Stage::MaskPadding) << infinity << "mask.key_padding: expected 1 or 0, found inf";
}

void TestTypedEdit::typedRefusals()
{
    QFETCH(int, stage);
    QFETCH(double, value);
    QFETCH(QString, message);
    const Result<Edit> edit = typedEdit(twoHeads(), static_cast<Stage>(stage), {{{0, 0, 0}, value}});
    QVERIFY(!edit.ok());
    QCOMPARE(QString::fromStdString(edit.error().message), message);
}

void TestTypedEdit::cleared()
{
    const Experiment e = pinned();
    const Result<Edit> unpin = clearedEdit(e, Stage::A, {{1, 1, 3}, {1, 1, 2}});
    QVERIFY(unpin.ok() && std::get<UnpinCells>(*unpin).cells.size() == 1);
    const Result<Edit> zero = clearedEdit(e, Stage::X, {{0, 1, 1}});
    QVERIFY(zero.ok());
    QCOMPARE(with(e, *zero).matrix(Stage::X).at(1, 1), 0.0);
    const Result<Edit> computed = clearedEdit(e, Stage::A, {{1, 1, 2}});
    QVERIFY(!computed.ok());
    QCOMPARE(computed.error().message,
             std::string("A[head 2: love, GPU] is computed: there is nothing to clear"));
    std::vector<CellIndex> all;
    for (Index head = 0; head < 2; ++head)
        for (Index row = 0; row < 4; ++row)
            for (Index col = 0; col < 4; ++col)
                all.push_back({head, row, col});
    const Result<Edit> whole = clearedEdit(e, Stage::Scores, all);
    QVERIFY(whole.ok() && std::holds_alternative<UnpinStage>(*whole));
}

void TestTypedEdit::readOnlyReasons()
{
    const Experiment e = twoHeads();
    for (const Stage stage :
         {Stage::X, Stage::Q, Stage::A, Stage::Output, Stage::MaskBool, Stage::MaskPadding})
        QCOMPARE(readOnlyReason(e, stage), std::string());
    for (const Stage stage :
         {Stage::Xkv, Stage::Bk, Stage::Vh, Stage::ASoft, Stage::HeadContribution, Stage::Qr})
        QVERIFY(!readOnlyReason(e, stage).empty());
    QVERIFY2(!readOnlyReason(givenScores(), Stage::Q).empty(), "scores are given: Q plays no part");
    QCOMPARE(readOnlyReason(givenScores(), Stage::Scores), std::string());
}

QTEST_APPLESS_MAIN(TestTypedEdit)
#include "tst_TypedEdit.moc"
