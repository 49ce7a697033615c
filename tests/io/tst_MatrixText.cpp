#include "io/MatrixText.h"

#include "support/JsonCompare.h"

#include <QFile>
#include <QTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestMatrixText : public QObject
{
    Q_OBJECT

private slots:
    void clipboardCases_data();
    void clipboardCases();
    void copyKeepsEveryDouble();
    void floatsAreCopiedShort();
    void copiedLabelsKeepTheirRows();
    void formats();
    void blocksStartAnywhere();
    void pastesMeanOneThing_data();
    void pastesMeanOneThing();
    void pastesWithLabels_data();
    void pastesWithLabels();
    void pastesAreRefused_data();
    void pastesAreRefused();
};

namespace {

TextBlock wholeBlock(const Tensor &tensor)
{
    return {valuesOf(tensor), 0, 0, 0, tensor.rows(), tensor.cols(), {}, {}};
}

QString clipboardText(const QString &name)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/cases/clipboard/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(file.fileName()));
    return QString::fromUtf8(file.readAll());
}

const Json &clipboardExpectations()
{
    static const Json expect = readTestJson(u"cases/clipboard/expect.json"_s);
    return expect["cases"];
}

QString errorText(const Result<PastedBlock> &block)
{
    return block ? QString() : QString::fromStdString(block.error().message);
}

} // namespace

void TestMatrixText::clipboardCases_data()
{
    QTest::addColumn<QString>("name");
    for (const auto &[name, expected] : clipboardExpectations().toObject())
        if (expected.contains("tensor"))
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestMatrixText::clipboardCases()
{
    QFETCH(QString, name);
    const Json &tensor = clipboardExpectations()[name.toStdString()]["tensor"];
    const Result<PastedBlock> block = parsePastedText(clipboardText(name));
    QVERIFY2(block.ok(), qPrintable(errorText(block)));
    QCOMPARE(block->rows, Index(tensor["shape"].toArray()[0].toInteger()));
    QCOMPARE(block->cols, Index(tensor["shape"].toArray()[1].toInteger()));
    std::size_t next = 0;
    for (const Json &row : tensor["values"].toArray())
        for (const Json &value : row.toArray())
            QCOMPARE(block->values[next++], value.toDouble());
    QVERIFY(block->rowLabels.empty() && block->colLabels.empty());
}

void TestMatrixText::copyKeepsEveryDouble()
{
    std::vector<double> values;
    for (const Json &text : clipboardExpectations()["copy-precision.json"]["values"].toArray())
        values.push_back(std::strtod(text.toString().c_str(), nullptr));
    QCOMPARE(values.size(), std::size_t(6));
    values.insert(values.end(), {HUGE_VAL, -HUGE_VAL});
    const TextBlock block = wholeBlock(Tensor::fromDoubles({1, 2, 4}, values));
    QVERIFY(tsvText(block).startsWith(u"0.1\t0.3333333333333333\t123456789.125\t5e-324\n-0\t"_s));
    for (const QString &text : {tsvText(block), csvText(block)}) {
        const Result<PastedBlock> back = parsePastedText(text);
        QVERIFY2(back.ok(), qPrintable(errorText(back)));
        QCOMPARE(back->rows, Index(2));
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::bit_cast<std::uint64_t>(back->values[i]) == std::bit_cast<std::uint64_t>(values[i]));
    }
}

void TestMatrixText::floatsAreCopiedShort()
{
    const TextBlock block = wholeBlock(Tensor::fromFloats({1, 1, 2}, std::vector<float>{0.1f, 1.0f / 3.0f}));
    QCOMPARE(tsvText(block), u"0.1\t0.33333334\n"_s);
}

void TestMatrixText::copiedLabelsKeepTheirRows()
{
    TextBlock block = wholeBlock(Tensor::fromDoubles({1, 7, 2}, std::vector<double>(14, 0.5)));
    block.rowLabels = {u"a\nb"_s, u"a\tb"_s, u" "_s, u""_s, u"\""_s, u"2"_s, u",;"_s};
    block.colLabels = {u"1"_s, u"x\r\ny"_s};
    for (const QString &text : {tsvText(block), csvText(block)}) {
        const Result<PastedBlock> back = parsePastedText(text);
        QVERIFY2(back.ok(), qPrintable(errorText(back)));
        QCOMPARE(back->rows, Index(7));
        QCOMPARE(back->cols, Index(2));
        QCOMPARE(QStringList(back->rowLabels.begin(), back->rowLabels.end()), block.rowLabels);
        QCOMPARE(QStringList(back->colLabels.begin(), back->colLabels.end()), block.colLabels);
    }
}

void TestMatrixText::formats()
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    TextBlock block =
        wholeBlock(Tensor::fromDoubles({1, 2, 2}, std::vector<double>{0.25, -HUGE_VAL, 1e-7, nan}));
    QCOMPARE(latexText(block, u"A"_s), u"A = \\begin{bmatrix}\n  0.25 & -\\infty \\\\\n"
                                       "  1 \\times 10^{-7} & \\mathrm{NaN}\n\\end{bmatrix}\n"_s);
    QCOMPARE(numpyText(block, u"A"_s),
             u"A = np.array([\n    [0.25, -np.inf],\n    [1e-07, np.nan],\n], dtype=np.float64)\n"_s);
    block.rowLabels = {u"I"_s, u"a|b_c"_s};
    block.colLabels = {u"<x>"_s, u"y"_s};
    QCOMPARE(markdownText(block), u"|  | \\<x\\> | y |\n| --- | ---: | ---: |\n| I | 0.25 | -inf |\n"
                                  "| a\\|b\\_c | 1e-07 | nan |\n"_s);
    QVERIFY(
        latexText(block, u""_s)
            .startsWith(
                u"\\begin{array}{l|rr}\n   & \\text{<x>} & \\text{y} \\\\ \\hline\n  \\text{I} & 0.25"_s));
    QVERIFY(latexText(block, u""_s).contains(u"\\text{a|b\\_c}"_s));
    QVERIFY(htmlText(block).contains(u"<th>&lt;x&gt;</th>"_s));
    QVERIFY(htmlText(block).contains(u"<tr><th>I</th><td>0.25</td><td>-inf</td></tr>"_s));
}

void TestMatrixText::blocksStartAnywhere()
{
    std::vector<double> values(24);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<double>(i);
    const TextBlock block{valuesOf(Tensor::fromDoubles({2, 3, 4}, values)), 1, 1, 2, 2, 2, {}, {}};
    QCOMPARE(csvText(block), u"18,19\n22,23\n"_s);
}

void TestMatrixText::pastesMeanOneThing_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Index>("rows");
    QTest::addColumn<QList<double>>("values");
    const auto row = [](const char *name, const QString &text, Index rows, const QList<double> &values) {
        QTest::newRow(name) << text << rows << values;
    };
    row("one number", u"0.5"_s, 1, {0.5});
    row("one number and a line break", u" 0.5\r\n"_s, 1, {0.5});
    row("three decimals are no thousands", u"1.234\t2.345"_s, 1, {1.234, 2.345});
    row("csv", u"0.1,0.2\n0.3,0.4"_s, 2, {0.1, 0.2, 0.3, 0.4});
    row("csv with blanks", u"0.1, 0.2\n0.3, 0.4\n"_s, 2, {0.1, 0.2, 0.3, 0.4});
    row("whole numbers", u"1,2,3\n4,5,6"_s, 2, {1, 2, 3, 4, 5, 6});
    row("blanks", u"0.1  0.2\n 0.3 0.4"_s, 2, {0.1, 0.2, 0.3, 0.4});
    row("semicolons and commas", u"0,1;0,2\n3;4,5"_s, 2, {0.1, 0.2, 3, 4.5});
    row("blanks and decimal commas", u"0,1 0,2\n0,3 0,4"_s, 2, {0.1, 0.2, 0.3, 0.4});
    row("names of numbers", u"nan\t-inf\tInfinity"_s, 1, {std::nan(""), -HUGE_VAL, HUGE_VAL});
    row("minus sign of typesetting", u"\u22120.5\t1e-3"_s, 1, {-0.5, 0.001});
    row("thousands with decimal point", u"1,234.5\t2.5"_s, 1, {1234.5, 2.5});
    row("thousands with apostrophe", u"1'234.5\t2"_s, 1, {1234.5, 2});
    row("quoted numbers", u"\"0,5\"\t\"1,5\""_s, 1, {0.5, 1.5});
}

void TestMatrixText::pastesMeanOneThing()
{
    QFETCH(QString, text);
    QFETCH(Index, rows);
    QFETCH(QList<double>, values);
    const Result<PastedBlock> block = parsePastedText(text);
    QVERIFY2(block.ok(), qPrintable(errorText(block)));
    QCOMPARE(block->rows, rows);
    QCOMPARE(block->rows * block->cols, Index(values.size()));
    for (qsizetype i = 0; i < values.size(); ++i) {
        const double found = block->values[static_cast<std::size_t>(i)];
        QVERIFY2(found == values[i] || (std::isnan(found) && std::isnan(values[i])),
                 qPrintable(QString::number(found)));
    }
}

void TestMatrixText::pastesWithLabels_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("rowLabels");
    QTest::addColumn<QStringList>("colLabels");
    const QStringList tokens = {u"I"_s, u"love"_s};
    QTest::newRow("both, empty corner") << u"\tI\tlove\nI\t1\t2\nlove\t3\t4"_s << tokens << tokens;
    QTest::newRow("both, named corner") << u"query\\key,I,love\nI,1,2\nlove,3,4"_s << tokens << tokens;
    QTest::newRow("digits under an empty corner")
        << u"\t2\t0\n2\t1\t2\n0\t3\t4"_s << QStringList{u"2"_s, u"0"_s} << QStringList{u"2"_s, u"0"_s};
    QTest::newRow("rows only") << u"I\t1\t2\nlove\t3\t4"_s << tokens << QStringList();
    QTest::newRow("columns only") << u"I\tlove\n1\t2\n3\t4"_s << QStringList() << tokens;
    QTest::newRow("decimal commas") << u"\tI\tlove\nI\t1,0\t2,0\nlove\t3,0\t4,0"_s << tokens << tokens;
}

void TestMatrixText::pastesWithLabels()
{
    QFETCH(QString, text);
    QFETCH(QStringList, rowLabels);
    QFETCH(QStringList, colLabels);
    const Result<PastedBlock> block = parsePastedText(text);
    QVERIFY2(block.ok(), qPrintable(errorText(block)));
    QCOMPARE(block->values, (std::vector<double>{1, 2, 3, 4}));
    QCOMPARE(QStringList(block->rowLabels.begin(), block->rowLabels.end()), rowLabels);
    QCOMPARE(QStringList(block->colLabels.begin(), block->colLabels.end()), colLabels);
}

void TestMatrixText::pastesAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const QString &text, const QString &message) {
        QTest::newRow(name) << text << message;
    };
    row("nothing", u""_s, u"there is nothing to paste"_s);
    row("only line breaks", u"\r\n\n"_s, u"there is nothing to paste"_s);
    row("a word", u"1\t2\n3\tfour"_s, u"row 2, column 2: 'four' is not a number"_s);
    row("a word among decimal commas", u"0,5\t2\n3\tfour"_s, u"row 2, column 2: 'four' is not a number"_s);
    row("a lone word", u"love"_s, u"row 1, column 1: 'love' is not a number"_s);
    row("ragged", u"1\t2\t3\n4\t5"_s, u"row 2 has 2 cells, row 1 has 3"_s);
    row("empty cell", u"1\t\n3\t4"_s, u"row 1, column 2: the cell is empty"_s);
    row("empty cell in one column", u"1\n\n3"_s, u"row 2, column 1: the cell is empty"_s);
    row("one number or two", u"0,5"_s, u"the text can be read as 1 × 2 or as 1 × 1"_s);
    row("thousands or decimals", u"1,234\t2"_s, u"row 1, column 1: can be read as 1234 or as 1.234"_s);
    row("marks in the wrong place", u"1,23,4\t2"_s, u"row 1, column 1: '1,23,4' is not a number"_s);
    row("too large", u"1e999\t2"_s, u"row 1, column 1: '1e999' is not a number"_s);
    row("per cent", u"50%\t2\n1\t3"_s, u"row 1, column 1: '50%' is not a number"_s);
    row("open quotation mark", u"\"I\t1"_s, u"line 1, column 1: the quotation mark"_s);
}

void TestMatrixText::pastesAreRefused()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const Result<PastedBlock> block = parsePastedText(text);
    QVERIFY(!block.ok());
    QVERIFY2(errorText(block).startsWith(message), qPrintable(errorText(block)));
}

QTEST_APPLESS_MAIN(TestMatrixText)
#include "tst_MatrixText.moc"
