#include "engine/CellReference.h"

#include "EditFixtures.h"

#include <QTest>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

/// Two heads over tokens that are awkward to write: a number, a comma, a leading blank, a bracket, a quote
/// and one that is there twice.
Experiment awkward()
{
    Experiment experiment;
    experiment.tokens = TokenList({"3", ",", " love", "[CLS]", "say \"hi\"", "the", "the"});
    experiment.nHeads = experiment.nKvHeads = 2;
    experiment.given = {{Stage::Q, counting(7, 4)}, {Stage::K, counting(7, 4, 50)}};
    return experiment;
}

} // namespace

/// The one way in which cells are written, in the window and on the command line.
class TestCellReference : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void writesWhatReadsBack();
    void fillsInWhatIsLeftOut();
    void stagesOfOneRow();
};

void TestCellReference::reads_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("head");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("col");
    QTest::newRow("places count from 0") << u"A[1,3]"_s << 0 << 1 << 3;
    QTest::newRow("head, row, column") << u"A[1,0,3]"_s << 1 << 0 << 3;
    QTest::newRow("head as it is shown") << u"A[head 2: 0, 3]"_s << 1 << 0 << 3;
    QTest::newRow("head as a place") << u"A[1: 0, 3]"_s << 1 << 0 << 3;
    QTest::newRow("blanks anywhere") << u"  A[ 1 , 0 ,\t3 ]  "_s << 1 << 0 << 3;
    QTest::newRow("a number is a place, though a token is called so") << u"A[3, 0]"_s << 0 << 3 << 0;
    QTest::newRow("in quotes it is the token") << u"A[\"3\", \",\"]"_s << 0 << 0 << 1;
    QTest::newRow("label without its leading blank") << u"A[love, 0]"_s << 0 << 2 << 0;
    QTest::newRow("label with its leading blank") << u"A[\" love\", 0]"_s << 0 << 2 << 0;
    QTest::newRow("brackets inside") << u"A[[CLS], [CLS]]"_s << 0 << 3 << 3;
    QTest::newRow("quotes inside") << u"A[\"say \"\"hi\"\"\", 1]"_s << 0 << 4 << 1;
    QTest::newRow("features") << u"Q[2, f4]"_s << 0 << 2 << 3;
}

void TestCellReference::reads()
{
    QFETCH(QString, text);
    QFETCH(int, head);
    QFETCH(int, row);
    QFETCH(int, col);
    const auto reference = cellReferenceFrom(awkward(), text.toStdString(), {});
    QVERIFY2(reference.ok(), reference.ok() ? "" : reference.error().message.c_str());
    QCOMPARE(reference->cell, (CellIndex{head, row, col}));
}

void TestCellReference::refuses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("one part") << u"A[1]"_s << u"expected STAGE[row,col], found \"A[1]\""_s;
    QTest::newRow("no bracket") << u"A[1,2"_s << u"expected STAGE[row,col]"_s;
    QTest::newRow("nothing between commas") << u"A[1,,2]"_s << u"expected STAGE[row,col]"_s;
    QTest::newRow("open quote") << u"A[\"3, 2]"_s << u"expected STAGE[row,col]"_s;
    QTest::newRow("colon in the wrong place") << u"A[1, 2: 3]"_s << u"expected STAGE[row,col]"_s;
    QTest::newRow("no stage at hand") << u"1, 2"_s << u"expected STAGE[row,col]"_s;
    QTest::newRow("unknown stage") << u"Y[1, 2]"_s << u"there is no stage \"Y\""_s;
    QTest::newRow("unknown token") << u"A[hate, 2]"_s << u"A: no token is called \"hate\""_s;
    QTest::newRow("unknown feature") << u"Q[1, g2]"_s << u"Q: no feature is called \"g2\""_s;
    QTest::newRow("features count from 1") << u"Q[1, f0]"_s << u"Q: no feature is called \"f0\""_s;
    QTest::newRow("unknown head") << u"A[tail: 1, 2]"_s << u"A: no head is called \"tail\""_s;
    QTest::newRow("negative place") << u"A[-1, 2]"_s << u"A: no token is called \"-1\""_s;
    QTest::newRow("label of two tokens")
        << u"A[the, 2]"_s << u"A: \"the\" names the tokens at 5 and 6, counted from 0"_s;
}

void TestCellReference::refuses()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto reference = cellReferenceFrom(awkward(), text.toStdString(), {});
    QVERIFY(!reference.ok());
    QVERIFY2(reference.error().message.starts_with(message.toStdString()), reference.error().message.c_str());
}

void TestCellReference::writesWhatReadsBack()
{
    const Experiment experiment = awkward();
    for (Index head = 0; head < 2; ++head)
        for (Index row = 0; row < 7; ++row)
            for (Index col = 0; col < 7; ++col) {
                const CellIndex cell{head, row, col};
                const std::string text = cellReferenceText(experiment, Stage::A, cell);
                const auto back = cellReferenceFrom(experiment, text, {});
                QVERIFY2(back.ok() && back->cell == cell && back->stage == Stage::A, text.c_str());
            }
    QCOMPARE(cellReferenceText(experiment, Stage::A, {1, 0, 2}), std::string("A[head 2: \"3\", \" love\"]"));
    QCOMPARE(cellReferenceText(experiment, Stage::A, {0, 5, 3}), std::string("A[head 1: 5, \"[CLS]\"]"));
    QCOMPARE(cellReferenceText(experiment, Stage::Q, {0, 1, 3}), std::string("Q[\",\", f4]"));
}

void TestCellReference::fillsInWhatIsLeftOut()
{
    const auto reference = cellReferenceFrom(awkward(), "love, 3", {Stage::Scaled, 1});
    QVERIFY(reference.ok());
    QCOMPARE(reference->stage, Stage::Scaled);
    QCOMPARE(reference->cell, (CellIndex{1, 2, 3}));
    const auto bracketed = cellReferenceFrom(awkward(), "[0, love, 3]", {Stage::Scaled, 1});
    QVERIFY(bracketed.ok());
    QCOMPARE(bracketed->cell, (CellIndex{0, 2, 3}));
}

void TestCellReference::stagesOfOneRow()
{
    const Experiment experiment = awkward();
    for (const char *text : {"bq[f3]", "bq[2]", "bq[0, 2]"}) {
        const auto reference = cellReferenceFrom(experiment, text, {});
        QVERIFY2(reference.ok(), text);
        QCOMPARE(reference->cell, (CellIndex{0, 0, 2}));
    }
    QCOMPARE(cellReferenceText(experiment, Stage::Bq, {0, 0, 2}), std::string("bq[f3]"));
    QCOMPARE(cellReferenceText(experiment, Stage::FullyMasked, {0, 1, 2}),
             std::string("fully_masked[head 2, \" love\"]"));
    const auto flag = cellReferenceFrom(experiment, "fully_masked[head 2, love]", {});
    QVERIFY(flag.ok());
    QCOMPARE(flag->cell, (CellIndex{0, 1, 2}));
}

QTEST_APPLESS_MAIN(TestCellReference)
#include "tst_CellReference.moc"
