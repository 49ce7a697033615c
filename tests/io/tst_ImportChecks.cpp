#include "io/ImportChecks.h"

#include <QTest>

#include <limits>

using namespace attn;

/// What is said about weights as they came.
class TestImportChecks : public QObject
{
    Q_OBJECT

private slots:
    void weightNotesName_data();
    void weightNotesName();
};

void TestImportChecks::weightNotesName_data()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    QTest::addColumn<Index>("heads");
    QTest::addColumn<QVector<double>>("numbers");
    QTest::addColumn<QStringList>("notes");
    const auto row = [](const char *name, Index heads, const QVector<double> &numbers,
                        const QStringList &notes) {
        QTest::newRow(name) << heads << numbers << notes;
    };
    row("rows that sum to 1", 1, {0.5, 0.5, 1, 0}, {});
    row("one row with NaN, the other right", 1, {0.5, 0.5, nan, 1}, {QStringLiteral("A: row 1 sums to NaN")});
    row("one row with NaN, the other wrong", 1, {nan, 0, 0.5, 0.25},
        {QStringLiteral("A: row 0 sums to NaN"),
         QStringLiteral("A: rows do not sum to 1 (every sum is 0.7500); A is used as it is")});
    row("nothing but NaN", 1, {nan, nan, nan, nan}, {QStringLiteral("A: rows 0 and 1 sum to NaN")});
    row("rows with NaN in two heads", 2, {nan, 0, 1, 0, 1, 0, nan, 0},
        {QStringLiteral("A: 2 rows sum to NaN")});
    constexpr double inf = std::numeric_limits<double>::infinity();
    row("rows with minus infinity", 1, {0.5, -inf, 0.5, -inf},
        {QStringLiteral("A: rows do not sum to 1 (every sum is minus infinity); A is used as it is")});
    row("one row with infinity", 1, {0.5, inf, 0.5, 0.25},
        {QStringLiteral("A: rows do not sum to 1 (sums from 0.7500 to infinity); A is used as it is")});
    row("a row of zeros", 1, {0, 0, 1, 0}, {QStringLiteral("A: 1 row of zeros (no key is attended)")});
}

void TestImportChecks::weightNotesName()
{
    QFETCH(Index, heads);
    QFETCH(QVector<double>, numbers);
    QFETCH(QStringList, notes);
    const Tensor A = Tensor::fromDoubles({heads, 2, 2}, {numbers.begin(), numbers.end()});
    QStringList found;
    for (const std::string &note : weightNotes(A, Dtype::F64))
        found.append(QString::fromStdString(note));
    QCOMPARE(found, notes);
}

QTEST_APPLESS_MAIN(TestImportChecks)
#include "tst_ImportChecks.moc"
