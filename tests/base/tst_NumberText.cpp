#include "base/NumberText.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;

class TestNumberText : public QObject
{
    Q_OBJECT

private slots:
    void shortestReadsBack_data();
    void shortestReadsBack();
    void floatsAreShort();
    void displayRounds_data();
    void displayRounds();
    void significantDigits();
    void parses_data();
    void parses();
};

void TestNumberText::shortestReadsBack_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("tenth") << 0.1 << "0.1";
    QTest::newRow("smallest subnormal") << 5e-324 << "5e-324";
    QTest::newRow("largest") << 1.7976931348623157e308 << "1.7976931348623157e+308";
    QTest::newRow("negative zero") << -0.0 << "-0";
    QTest::newRow("minus infinity") << -std::numeric_limits<double>::infinity() << "-inf";
}

void TestNumberText::shortestReadsBack()
{
    QFETCH(double, value);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(shortestText(value)), text);
    const auto back = parseNumber(shortestText(value));
    QVERIFY(back.has_value());
    QCOMPARE(std::signbit(*back), std::signbit(value));
    QVERIFY(*back == value);
}

void TestNumberText::floatsAreShort()
{
    QCOMPARE(shortestText(0.1f), std::string("0.1"));
    QCOMPARE(shortestText(static_cast<double>(0.1f)), std::string("0.10000000149011612"));
}

void TestNumberText::displayRounds_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("text");
    QTest::newRow("printed 0.4095 rounds up as the source does") << 0.4095 << 3 << "0.410";
    QTest::newRow("printed 0.3485 rounds up") << 0.3485 << 3 << "0.349";
    QTest::newRow("negative half rounds away from zero") << -0.125 << 2 << "-0.13";
    QTest::newRow("plain") << 0.24 << 2 << "0.24";
    QTest::newRow("small value is not shown as zero") << 1e-12 << 2 << "1.00e-12";
    QTest::newRow("zero") << 0.0 << 2 << "0.00";
    QTest::newRow("negative zero has no sign") << -0.0 << 2 << "0.00";
    QTest::newRow("small negative value is not shown as zero") << -0.001 << 2 << "-1.00e-03";
    QTest::newRow("large") << 123456789.0 << 2 << "1.23e+08";
}

void TestNumberText::displayRounds()
{
    QFETCH(double, value);
    QFETCH(int, decimals);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(displayText(value, decimals)), text);
}

void TestNumberText::significantDigits()
{
    QCOMPARE(significantText(0.1 * 0.3, 8), std::string("0.03"));
    QCOMPARE(significantText(-2.0, 8), std::string("-2"));
    QCOMPARE(significantText(-0.0, 8), std::string("0"));
    QCOMPARE(significantText(1.0 / 3.0, 4), std::string("0.3333"));
    QCOMPARE(significantText(-std::numeric_limits<double>::infinity(), 4), std::string("-inf"));
}

void TestNumberText::parses_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("ok");
    QTest::addColumn<double>("value");
    QTest::newRow("leading plus and blanks") << " +1.5 " << true << 1.5;
    QTest::newRow("real minus sign in the exponent") << QStringLiteral("1.5e\u22123") << true << 0.0015;
    QTest::newRow("two minus signs") << QStringLiteral("\u2212-2") << false << 0.0;
    QTest::newRow("real minus sign") << QStringLiteral("\u22122") << true << -2.0;
    QTest::newRow("underflow is zero") << "1e-400" << true << 0.0;
    QTest::newRow("overflow is refused") << "1e400" << false << 0.0;
    QTest::newRow("word") << "abc" << false << 0.0;
    QTest::newRow("decimal comma is no number here") << "0,6" << false << 0.0;
    QTest::newRow("trailing text") << "1e" << false << 0.0;
    QTest::newRow("hexadecimal") << "0x10" << false << 0.0;
    QTest::newRow("two signs") << "--1" << false << 0.0;
    QTest::newRow("empty") << "" << false << 0.0;
    QTest::newRow("infinity") << "-Infinity" << true << -std::numeric_limits<double>::infinity();
}

void TestNumberText::parses()
{
    QFETCH(QString, text);
    QFETCH(bool, ok);
    QFETCH(double, value);
    const auto parsed = parseNumber(text.toStdString());
    QCOMPARE(parsed.has_value(), ok);
    if (ok)
        QVERIFY(*parsed == value);
}

QTEST_APPLESS_MAIN(TestNumberText)
#include "tst_NumberText.moc"
