#include "engine/Difference.h"
#include "engine/Edit.h"

#include <QTest>

#include <cmath>

using namespace attn;

namespace {

Tensor counted(Index rows, Index cols)
{
    std::vector<double> numbers;
    for (Index i = 0; i < rows * cols; ++i)
        numbers.push_back(static_cast<double>(i));
    return Tensor::fromDoubles({1, rows, cols}, numbers);
}

Experiment edited(const Experiment &experiment, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(experiment, edit);
    ATTN_ASSERT(outcome.ok(), "the edit fits");
    return std::move(outcome->experiment);
}

std::string refusalOf(const Experiment &experiment, const Edit &edit)
{
    const Result<EditOutcome> outcome = applyEdit(experiment, edit);
    return outcome.ok() ? std::string() : outcome.error().message;
}

} // namespace

/// Scratch matrices of the labs.
class TestLabs : public QObject
{
    Q_OBJECT

private slots:
    void madeEditedAndRemoved();
    void wrongEditsAreRefused();
    void partOfTheContent();
    void rowsHaveNames();
    void differencesGoBackOneByOne();
};

void TestLabs::madeEditedAndRemoved()
{
    const Experiment empty;
    QVERIFY(empty.lab("A").isNull());
    const Experiment made = edited(empty, SetLab{"A", counted(2, 3)});
    const Experiment changed = edited(made, SetLabCells{"A", {{{0, 1, 2}, -0.5}, {{0, 0, 0}, 7.0}}});
    QCOMPARE(changed.lab("A").at(1, 2), -0.5);
    QCOMPARE(changed.lab("A").at(0, 0), 7.0);
    QCOMPARE(changed.lab("A").at(0, 1), 1.0);
    QCOMPARE(made.lab("A").at(1, 2), 5.0);
    const Experiment reshaped = edited(changed, SetLab{"A", counted(5, 1)});
    QVERIFY(reshaped.lab("A").shape() == (Shape{1, 5, 1}));
    QVERIFY(edited(reshaped, SetLab{"A", {}}).labs.empty());
}

void TestLabs::wrongEditsAreRefused()
{
    const Experiment made = edited({}, SetLab{"A", counted(2, 3)});
    QCOMPARE(refusalOf(made, SetLab{"", counted(1, 1)}), std::string("a scratch matrix needs a name"));
    QCOMPARE(refusalOf(made, SetLab{"B", Tensor::zeros({2, 2, 2})}),
             std::string("B: expected one matrix with at least one number, found 2×2×2"));
    QCOMPARE(refusalOf(made, SetLabCells{"B", {}}), std::string("there is no scratch matrix \"B\""));
    QCOMPARE(refusalOf(made, SetLabCells{"A", {{{0, 2, 0}, 1.0}}}),
             std::string("left A[3, 1]: expected a cell of 2×3"));
    const Experiment single = edited({}, SetLab{"A", Tensor::zeros({1, 1, 1}, Tensor::Storage::Float32)});
    QCOMPARE(refusalOf(single, SetLabCells{"A", {{{0, 0, 0}, 1e300}}}),
             std::string("A is stored as float32: 1e+300 is beyond its range"));
}

void TestLabs::partOfTheContent()
{
    const Experiment a = edited({}, SetLab{"A", counted(2, 3)});
    QVERIFY(!sameContent(a, Experiment()));
    QVERIFY(sameContent(a, edited({}, SetLab{"A", counted(2, 3)})));
    QVERIFY(!sameContent(a, edited({}, SetLab{"B", counted(2, 3)})));
    QVERIFY(!sameContent(a, edited(a, SetLabCells{"A", {{{0, 0, 0}, -0.0}}})));
}

void TestLabs::rowsHaveNames()
{
    const Experiment made = edited({}, SetLab{"D", counted(3, 2)});
    const Experiment named = edited(made, SetLabRowNames{"D", {"up", "", "down"}});
    QCOMPARE(named.labRowName("D", 0), std::string("up"));
    QCOMPARE(named.labRowName("D", 1), std::string());
    QCOMPARE(named.labRowName("D", 7), std::string());
    QVERIFY(!sameContent(made, named));
    QVERIFY(sameContent(made, edited(named, SetLabRowNames{"D", {"", ""}})));
    QCOMPARE(edited(named, SetLabCells{"D", {{{0, 2, 1}, 9.0}}}).labRowName("D", 2), std::string("down"));
    QCOMPARE(edited(named, SetLab{"D", counted(2, 2)}).labRowNames.at("D"), std::vector<std::string>{"up"});
    QVERIFY(edited(named, SetLab{"D", {}}).labRowNames.empty());
    QCOMPARE(refusalOf(made, SetLabRowNames{"D", {"a", "b", "c", "d"}}),
             std::string("D: expected at most 3 names, found 4"));
    QCOMPARE(refusalOf(made, SetLabRowNames{"gone", {}}),
             std::string("there is no scratch matrix \"gone\" in the document"));
}

void TestLabs::differencesGoBackOneByOne()
{
    Experiment before = edited({}, SetLab{"A", counted(2, 3)});
    before = edited(before, SetLab{"gone", counted(1, 1)});
    before = edited(before, SetLabRowNames{"gone", {"old"}});
    Experiment after = edited(before, SetLabCells{"A", {{{0, 0, 1}, 9.0}, {{0, 1, 1}, std::nan("")}}});
    after = edited(after, SetLab{"gone", {}});
    after = edited(after, SetLab{"new", counted(3, 3)});
    after = edited(after, SetLabRowNames{"A", {"", "mine"}});
    const Differences differences = differencesBetween(before, after);
    QCOMPARE(differences.total, Index(5));
    QCOMPARE(differences.entries[0].what, std::string("left A[1, 2]"));
    QCOMPARE(differences.entries[0].before, std::string("1"));
    QCOMPARE(differences.entries[0].after, std::string("9"));
    QCOMPARE(differences.entries[0].lab, std::string("A"));
    QCOMPARE(differences.entries[2].what, std::string("row names of A"));
    QCOMPARE(differences.entries[2].after, std::string("–, mine"));
    QCOMPARE(differences.entries[3].what, std::string("gone"));
    QCOMPARE(differences.entries[4].before, std::string("none"));
    for (const Difference &difference : differences.entries) {
        QVERIFY(difference.kind == Difference::Kind::Lab);
        after = edited(after, difference.revert);
    }
    QVERIFY(sameContent(before, after));
}

QTEST_APPLESS_MAIN(TestLabs)
#include "tst_Labs.moc"
