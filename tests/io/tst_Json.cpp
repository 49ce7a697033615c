#include "io/Json.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace attn;
using namespace Qt::StringLiterals;

class TestJson : public QObject
{
    Q_OBJECT

private slots:
    void keepsEveryDouble_data();
    void keepsEveryDouble();
    void randomDoublesSurvive();
    void integersKeepAllBits();
    void keysKeepOrder();
    void stringsKeepEveryCharacter();
    void writesShortThingsOnOneLine();
    void writesInvalidUtf8AsReplacement();
    void refuses_data();
    void refuses();
    void acceptsDepthSixtyFour();
    void bareNonFiniteIsToldWithItsLine();
    void caseFiles_data();
    void caseFiles();
    void cutAnywhereNeverCrashes();
    void longArraysAreFast();
    void otherKindsReadAsNothing();
    void setReplacesMembers();
};

namespace {

Json parsed(const QByteArray &text)
{
    const Result<JsonText> result = parseJson(text);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return result->value;
}

bool sameDoubleBits(double a, double b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

QByteArray caseFile(const QString &name)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/cases/json/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(file.fileName()));
    return file.readAll();
}

} // namespace

void TestJson::keepsEveryDouble_data()
{
    QTest::addColumn<double>("value");
    QTest::newRow("tenth") << 0.1;
    QTest::newRow("third") << 1.0 / 3.0;
    QTest::newRow("smallest subnormal") << 5e-324;
    QTest::newRow("largest") << std::numeric_limits<double>::max();
    QTest::newRow("negative zero") << -0.0;
    QTest::newRow("zero") << 0.0;
    QTest::newRow("integral beyond 64 bit") << 1.8446744073709552e19;
    QTest::newRow("integral at 2^53") << 9007199254740992.0;
    QTest::newRow("infinity") << HUGE_VAL;
    QTest::newRow("minus infinity") << -HUGE_VAL;
}

void TestJson::keepsEveryDouble()
{
    QFETCH(double, value);
    const Json back = parsed(writeJson(Json::Array{Json::number(value), value}));
    QVERIFY(sameDoubleBits(back.toArray()[0].toDouble(), value));
    QVERIFY(sameDoubleBits(back.toArray()[1].toDouble(), value));
}

void TestJson::randomDoublesSurvive()
{
    std::mt19937_64 random(20260101);
    Json::Array values;
    std::vector<double> expected;
    while (expected.size() < 20000) {
        const std::uint64_t bits = random();
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value))
            continue;
        expected.push_back(value);
        values.emplace_back(value);
    }
    const Json back = parsed(writeJson(values));
    QCOMPARE(back.toArray().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY(sameDoubleBits(back.toArray()[i].toDouble(), expected[i]));
}

void TestJson::integersKeepAllBits()
{
    const QByteArray text = "[9223372036854775807, -9223372036854775808, 18446744073709551615, 7, 2.0, -0]";
    const Json value = parsed(text);
    const Json::Array &items = value.toArray();
    QCOMPARE(items[0].toInteger(), std::numeric_limits<std::int64_t>::max());
    QCOMPARE(items[1].toInteger(), std::numeric_limits<std::int64_t>::min());
    QCOMPARE(items[2].toUnsigned(), std::numeric_limits<std::uint64_t>::max());
    QVERIFY(items[3].isInteger() && !items[4].isInteger());
    QCOMPARE(items[4].asInteger().value(), std::int64_t(2));
    QVERIFY(std::signbit(items[5].toDouble()));
    QCOMPARE(writeJson(value),
             QByteArray("[9223372036854775807, -9223372036854775808, 18446744073709551615, 7, 2, -0.0]\n"));
}

void TestJson::keysKeepOrder()
{
    const Json value = parsed(R"({"z": 1, "a": 2, "m": 3})");
    QCOMPARE(value.toObject()[0].first, std::string("z"));
    QCOMPARE(value.toObject()[2].first, std::string("m"));
    QCOMPARE(value["a"].toInteger(), std::int64_t(2));
    QVERIFY(value["b"].isNull() && !value.contains("b"));
}

void TestJson::stringsKeepEveryCharacter()
{
    std::string text("quote \" backslash \\ tab \t line \n bell \a nul ");
    text.push_back('\0');
    text += "end \x7f \xC3\xA9 \xE7\xBC\x96\xE7\xA8\x8B \xF0\x9F\x99\x82";
    QCOMPARE(parsed(writeJson(Json(text))).toString(), text);
    QCOMPARE(parsed(writeJson(Json::Object{{text, 1}})).toObject()[0].first, text);
}

void TestJson::writesShortThingsOnOneLine()
{
    const Json value = Json::Object{
        {"X", Json::Object{{"shape", Json::Array{1, 2}}, {"data", Json::Array{0.5, "NaN"}}}},
        {"rows", Json::Array{Json::Array{1, 2}, Json::Array{3, 4}}},
        {"empty", Json::Array{}},
    };
    QCOMPARE(writeJson(value), QByteArray("{\n"
                                          " \"X\": {\"shape\": [1, 2], \"data\": [0.5, \"NaN\"]},\n"
                                          " \"rows\": [\n"
                                          "  [1, 2],\n"
                                          "  [3, 4]\n"
                                          " ],\n"
                                          " \"empty\": []\n"
                                          "}\n"));
}

void TestJson::writesInvalidUtf8AsReplacement()
{
    QCOMPARE(writeJson(Json(std::string("a\xFF"
                                        "b\xC3"))),
             QByteArray("\"a\xEF\xBF\xBD"
                        "b\xEF\xBF\xBD\"\n"));
    QCOMPARE(writeJson(Json(std::string("\xED\xA0\x80"))),
             QByteArray("\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n"));
}

void TestJson::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("empty") << QByteArray("") << QByteArray("line 1, column 1: there is no value");
    QTest::newRow("blank") << QByteArray(" \n ") << QByteArray("there is no value");
    QTest::newRow("duplicate name") << QByteArray("{\"a\": 1,\n  \"b\\\"\": 2, \"b\\\"\": 3}")
                                    << QByteArray("line 2, column 13: the name \"b\"\" is there twice");
    QTest::newRow("duplicate in many") << QByteArray(R"({"c":1,"a":1,"d":2,"a":3,"c":3})")
                                       << QByteArray("line 1, column 20: the name \"a\" is there twice");
    QTest::newRow("word") << QByteArray("[1,\n é four]")
                          << QByteArray("line 2, column 2: this is no JSON value");
    QTest::newRow("missing comma") << QByteArray("[1 2]")
                                   << QByteArray("line 1, column 4: expected ',' or ']'");
    QTest::newRow("second value") << QByteArray("[1] [2]") << QByteArray("line 1, column 5: text follows");
    QTest::newRow("nul byte behind the value") << QByteArray("[1]\0[2]", 7) << QByteArray("text follows");
    QTest::newRow("huge number") << QByteArray("[1e999]")
                                 << QByteArray("line 1, column 2: the number is too large");
    QTest::newRow("invalid utf-8") << QByteArray("[\"a\xFF\"]") << QByteArray("no UTF-8");
    QTest::newRow("half a surrogate pair") << QByteArray("[\"\\ud83d\"]") << QByteArray("surrogate");
    QTest::newRow("open string") << QByteArray("[\"abc") << QByteArray("line 1, column 6: the text ends");
    QTest::newRow("trailing comma") << QByteArray("[1,]") << QByteArray("line 1, column 4");
    QTest::newRow("hex number") << QByteArray("[0x10]") << QByteArray("line 1, column 3");
    QTest::newRow("65 levels") << QByteArray(65, '[').append(QByteArray(65, ']'))
                               << QByteArray("line 1, column 65: nested too deep");
    QTest::newRow("a million levels") << QByteArray(1000000, '[') << QByteArray("nested too deep");
    QTest::newRow("a million objects")
        << QByteArray("{\"a\":").repeated(1000000) << QByteArray("nested too deep");
}

void TestJson::refuses()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const Result<JsonText> result = parseJson(text);
    QVERIFY(!result.ok());
    QVERIFY2(QByteArray::fromStdString(result.error().message).contains(message),
             result.error().message.c_str());
}

void TestJson::acceptsDepthSixtyFour()
{
    QVERIFY(parseJson(QByteArray(64, '[').append(QByteArray(64, ']'))).ok());
}

void TestJson::bareNonFiniteIsToldWithItsLine()
{
    const Result<JsonText> result = parseJson("[1,\n2,\nNaN, -Infinity, Infinity]");
    QVERIFY(result.ok());
    QVERIFY(result->hadBareNonFinite);
    QCOMPARE(result->bareNonFiniteLine, 3);
    const Json::Array &items = result->value.toArray();
    QVERIFY(std::isnan(items[2].toDouble()));
    QCOMPARE(items[3].toDouble(), -HUGE_VAL);
    QCOMPARE(items[4].toDouble(), HUGE_VAL);
    QVERIFY(!parseJson("[\"NaN\"]")->hadBareNonFinite);
}

void TestJson::caseFiles_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("error");
    QTest::newRow("matrix") << u"matrix.json"_s << QByteArray();
    QTest::newRow("object") << u"object.json"_s << QByteArray();
    QTest::newRow("null scores") << u"null-scores.json"_s << QByteArray();
    QTest::newRow("python NaN") << u"python-nan.json"_s << QByteArray();
    QTest::newRow("duplicate key") << u"duplicate-key.json"_s << QByteArray("\"A\" is there twice");
    QTest::newRow("truncated") << u"truncated.json"_s << QByteArray("line 1, column 18: the text ends");
    QTest::newRow("deep") << u"deep.json"_s << QByteArray("too deep");
}

void TestJson::caseFiles()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, error);
    const Result<JsonText> result = parseJson(caseFile(name));
    QCOMPARE(result.ok(), error.isEmpty());
    if (!result)
        QVERIFY2(QByteArray::fromStdString(result.error().message).contains(error),
                 result.error().message.c_str());
    const Json labels = parsed(caseFile(u"emoji-escape.json"_s))["tokens"];
    QCOMPARE(labels.toArray()[0].toString(), std::string("\xF0\x9F\x99\x82"));
    QCOMPARE(labels.toArray()[2].toString(), std::string("a\0b", 3));
}

void TestJson::cutAnywhereNeverCrashes()
{
    const QByteArray text = caseFile(u"object.json"_s) + caseFile(u"emoji-escape.json"_s);
    for (qsizetype end = 0; end < text.size(); ++end) {
        const Result<JsonText> result = parseJson(text.left(end));
        if (!result)
            QVERIFY(!result.error().message.empty());
    }
}

void TestJson::longArraysAreFast()
{
    Json::Array values;
    for (int i = 0; i < 200000; ++i)
        values.emplace_back(std::sin(i));
    const QByteArray text = writeJson(values);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(parsed(text).toArray().size(), std::size_t(200000));
    // 4 MB; about 40 ms optimised. The bound only catches quadratic behaviour.
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
}

void TestJson::otherKindsReadAsNothing()
{
    const Json text("four");
    QVERIFY(!text.asDouble() && std::isnan(text.toDouble()) && !text.asInteger());
    QVERIFY(text.toArray().empty() && text.toObject().empty() && !text.toBool());
    QCOMPARE(Json(0.5).asInteger().has_value(), false);
    QCOMPARE(Json(std::numeric_limits<double>::quiet_NaN()).asInteger().has_value(), false);
    QCOMPARE(Json("-infinity").toDouble(), -HUGE_VAL);
}

void TestJson::setReplacesMembers()
{
    Json value;
    value.set("a", 1);
    value.set("b", 2);
    value.set("a", 3);
    QCOMPARE(writeJson(value), QByteArray("{\"a\": 3, \"b\": 2}\n"));
}

QTEST_APPLESS_MAIN(TestJson)
#include "tst_Json.moc"
