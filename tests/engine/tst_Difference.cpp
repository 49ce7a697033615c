#include "engine/Difference.h"

#include "engine/EditFixtures.h"

#include <QTest>

using namespace attn;
using namespace attn::test;

Q_DECLARE_METATYPE(attn::Edit)
Q_DECLARE_METATYPE(attn::Experiment)

class TestDifference : public QObject
{
    Q_OBJECT

private slots:
    void everyDifferenceCanBeReverted_data();
    void everyDifferenceCanBeReverted();
    void entriesNameTheirCell();
    void limitCountsOn();
    void equalDocumentsDoNotDiffer();
    void revertingOneLeavesTheOthers();
    void stageIsPutBack();
};

void TestDifference::everyDifferenceCanBeReverted_data()
{
    QTest::addColumn<Experiment>("before");
    QTest::addColumn<Edit>("edit");
    QTest::addColumn<int>("count");
    const auto row = [](const char *name, const Experiment &before, const Edit &edit, int count) {
        QTest::newRow(name) << before << edit << count;
    };
    row("two cells", twoHeads(), SetCells{Stage::Wk, {{{0, 0, 0}, 1.0}, {{0, 4, 5}, 2.0}}}, 2);
    row("a bias removed", twoHeads(), SetTensor{Stage::Bq, {}}, 1);
    row("a mask added", twoHeads(), SetTensor{Stage::MaskAdd, counting(4, 4)}, 1);
    row("another shape", twoHeads(), SetTensor{Stage::Wo, counting(4, 2)}, 1);
    row("pins set, changed and released", pinned(),
        Compound{
            {PinCells{Stage::A, {{{1, 1, 3}, 0.75}, {{1, 0, 0}, 0.125}}}, UnpinCells{Stage::A, {{0, 2, 0}}}}},
        3);
    row("a whole stage released", pinned(), UnpinStage{Stage::Scores}, 32);
    row("heads", twoHeads(), SetHeads{1, 1, {}}, 1);
    row("scale", twoHeads(), SetScale{0.25}, 1);
    row("offset", twoHeads(), SetQOffset{3}, 1);
    row("causal", twoHeads(), SetCausal{true}, 1);
    row("window", twoHeads(), SetWindow{Window{2, 0}}, 1);
    row("rotary", twoHeads(), SetRotary{Rotary{}}, 1);
    row("precision", twoHeads(), SetPrecision{Precision::Float32}, 1);
    row("notes", twoHeads(), SetNotes{"why"}, 1);
    row("a token renamed", twoHeads(), RenameToken{TokenSide::Query, 1, "hate"}, 1);
    row("a key token renamed", givenCross(), RenameToken{TokenSide::KeyValue, 1, "hate"}, 1);
}

void TestDifference::everyDifferenceCanBeReverted()
{
    QFETCH(Experiment, before);
    QFETCH(Edit, edit);
    QFETCH(int, count);
    const Experiment after = with(before, edit);
    const Differences differences = differencesBetween(before, after);
    QCOMPARE(differences.total, Index(count));
    QCOMPARE(differences.entries.size(), static_cast<std::size_t>(count));
    Experiment reverted = after;
    for (const Difference &difference : differences.entries) {
        QVERIFY(!difference.what.empty());
        QVERIFY(difference.before != difference.after || difference.kind == Difference::Kind::Tokens);
        reverted = with(reverted, difference.revert);
    }
    QVERIFY(sameContent(before, reverted));
}

void TestDifference::entriesNameTheirCell()
{
    const Experiment before = twoHeads();
    Experiment after = with(before, SetCells{Stage::X, {{{0, 1, 2}, 0.1}}});
    after = with(after, PinCells{Stage::A, {{{1, 1, 3}, 0.5}}});
    after = with(after, SetCausal{true});
    const Differences differences = differencesBetween(before, after);
    QCOMPARE(differences.total, Index(3));
    QCOMPARE(differences.entries[0].what, std::string("causal mask"));
    QCOMPARE(differences.entries[1].what, std::string("X[love, f3]"));
    QCOMPARE(differences.entries[1].before, std::string("7"));
    QCOMPARE(differences.entries[1].after, std::string("0.1"));
    QCOMPARE(differences.entries[2].what, std::string("A[head 2: love, prog]"));
    QCOMPARE(differences.entries[2].before, std::string("computed"));
    QCOMPARE(differences.entries[2].after, std::string("0.5"));
}

void TestDifference::limitCountsOn()
{
    const Experiment after = with(twoHeads(), SetTensor{Stage::Wq, counting(5, 6)});
    const Differences differences = differencesBetween(twoHeads(), after, 4);
    QCOMPARE(differences.entries.size(), std::size_t(4));
    QCOMPARE(differences.total, Index(30));
}

void TestDifference::equalDocumentsDoNotDiffer()
{
    QCOMPARE(differencesBetween(pinned(), pinned()).total, Index(0));
    QVERIFY(std::get<Compound>(revertStage(pinned(), pinned(), Stage::Scores)).edits.empty());
}

void TestDifference::revertingOneLeavesTheOthers()
{
    const Experiment before = twoHeads();
    const Experiment changed = with(before, SetCells{Stage::X, {{{0, 0, 0}, 5.0}, {{0, 1, 1}, 9.0}}});
    const Experiment token = with(changed, DeleteToken{TokenSide::Query, 2});
    const Differences differences = differencesBetween(before, token);
    QCOMPARE(static_cast<int>(differences.entries[0].kind), static_cast<int>(Difference::Kind::Tokens));
    const Experiment back = with(token, differences.entries[0].revert);
    QVERIFY(sameContent(back, changed));
}

void TestDifference::stageIsPutBack()
{
    const Experiment before = pinned();
    Experiment after = with(before, UnpinCells{Stage::Scores, {{0, 0, 0}}});
    after = with(after, PinCells{Stage::Scores, {{{1, 1, 1}, 77.0}}});
    after = with(after, SetCells{Stage::X, {{{0, 0, 0}, 5.0}}});
    const Experiment scores = with(after, revertStage(before, after, Stage::Scores));
    QVERIFY(scores.pinsOf(Stage::Scores).sameBits(before.pinsOf(Stage::Scores)));
    QCOMPARE(scores.matrix(Stage::X).at(0, 0), 5.0);
    QVERIFY(sameContent(before, with(scores, revertStage(before, scores, Stage::X))));
    // A stage with holes and single cells comes back as it was.
    QVERIFY(sameContent(after, with(before, Compound{{revertStage(after, before, Stage::Scores),
                                                      revertStage(after, before, Stage::X)}})));
}

QTEST_APPLESS_MAIN(TestDifference)
#include "tst_Difference.moc"
