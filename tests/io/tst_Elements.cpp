#include "io/ByteSource.h"
#include "io/Elements.h"
#include "io/Npy.h"

#include <QTest>

#include <cmath>

using namespace attn;

class TestElements : public QObject
{
    Q_OBJECT

private slots:
    void everyHalfIsExact();
    void everyBfloatIsExact();
    void countsDoNotOverflow();
    void columnMajorOfThreeAxes();
    void npyVersionsAndTexts_data();
    void npyVersionsAndTexts();
    void npyHeadersThatLie_data();
    void npyHeadersThatLie();
};

namespace {

/// A .npy array of version 1 with this header and data.
QByteArray npy(const QByteArray &header, const QByteArray &data)
{
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header + data;
}

std::span<const char> span(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

void TestElements::everyHalfIsExact()
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float value = floatFromHalf(static_cast<std::uint16_t>(bits));
        const int exponent = static_cast<int>(bits >> 10 & 0x1f);
        const auto fraction = static_cast<double>(bits & 0x3ff);
        QCOMPARE(std::signbit(value), (bits & 0x8000) != 0);
        if (exponent == 0x1f) {
            QVERIFY(fraction == 0.0 ? std::isinf(value) : std::isnan(value));
            continue;
        }
        const double magnitude =
            exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0 + fraction, exponent - 25);
        QVERIFY(std::abs(static_cast<double>(value)) == magnitude);
    }
}

void TestElements::everyBfloatIsExact()
{
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float value = floatFromBfloat(static_cast<std::uint16_t>(bits));
        const int exponent = static_cast<int>(bits >> 7 & 0xff);
        const auto fraction = static_cast<double>(bits & 0x7f);
        if (exponent == 0xff) {
            QVERIFY(fraction == 0.0 ? std::isinf(value) : std::isnan(value));
            continue;
        }
        const double magnitude =
            exponent == 0 ? std::ldexp(fraction, -133) : std::ldexp(128.0 + fraction, exponent - 134);
        QVERIFY(std::abs(static_cast<double>(value)) == magnitude);
    }
}

void TestElements::countsDoNotOverflow()
{
    const std::int64_t large = std::int64_t(1) << 32;
    QCOMPARE(elementCount(std::vector<std::int64_t>{2, 3}), std::optional<std::int64_t>(6));
    QCOMPARE(elementCount(std::vector<std::int64_t>{}), std::optional<std::int64_t>(1));
    QCOMPARE(elementCount(std::vector<std::int64_t>{large, large, 0}), std::optional<std::int64_t>(0));
    QVERIFY(!elementCount(std::vector<std::int64_t>{large, large}));
    QVERIFY(!elementCount(std::vector<std::int64_t>{2, -1}));
}

void TestElements::columnMajorOfThreeAxes()
{
    FileTensor tensor{"t", Dtype::I64, {2, 3, 2}, std::vector<std::int64_t>{}, {}};
    auto &values = std::get<std::vector<std::int64_t>>(tensor.data);
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 2; ++i)
                values.push_back(100 * i + 10 * j + k);
    makeRowMajor(tensor);
    QCOMPARE(values, (std::vector<std::int64_t>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
}

void TestElements::npyVersionsAndTexts_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("first");
    const QByteArray text = npy("{'descr': '>U2', 'fortran_order': False, 'shape': (1,), }\n",
                                QByteArray("\0\0\x7f\x16\0\0\0\0", 8));
    QTest::newRow("big-endian text") << text << QStringLiteral("编");
    QTest::newRow("bytes") << npy("{'descr': '|S4', 'fortran_order': False, 'shape': (1,), }\n",
                                  QByteArray("ab\0\0", 4))
                           << QStringLiteral("ab");
    QByteArray header = "{'descr': '<i2', 'fortran_order': False, 'shape': (1L,), }\n";
    QByteArray version2("\x93NUMPY\x02\x00", 8);
    version2 += static_cast<char>(header.size());
    version2 += QByteArray(3, '\0');
    QTest::newRow("version 2 with Python 2 numbers")
        << version2 + header + QByteArray("\xfe\xff", 2) << QStringLiteral("-2");
}

void TestElements::npyVersionsAndTexts()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, first);
    const auto tensor = parseNpy(span(bytes), "t");
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().message.c_str());
    const QString actual = tensor->dtype == Dtype::Text
                               ? QString::fromStdString(std::get<std::vector<std::string>>(tensor->data)[0])
                               : QString::number(tensor->number(0));
    QCOMPARE(actual, first);
}

void TestElements::npyHeadersThatLie_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("message");
    const auto row = [](const char *name, const char *header, const char *message) {
        QTest::newRow(name) << QByteArray(header) << QString::fromLatin1(message);
    };
    row("no dictionary", "[1]", "not a dictionary");
    row("key missing", "{'descr': '<f4', 'shape': (1,)}", "lacks");
    row("key twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "unexpected key");
    row("call instead of a literal", "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}",
        "expected the dtype");
    row("complex", "{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "unknown dtype '<c8'");
    row("text of no width", "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000,)}", "width 0");
    row("negative size", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "whole number");
    row("sizes that overflow", "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "more elements");
    row("size beyond 63 bits", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "whole number");
    row("cut in the shape", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,", "size of the shape");
    row("data missing", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "16 data bytes, found 4");
}

void TestElements::npyHeadersThatLie()
{
    QFETCH(QByteArray, header);
    QFETCH(QString, message);
    const QByteArray bytes = npy(header, QByteArray(4, '\0'));
    const auto tensor = parseNpy(span(bytes), "t");
    QVERIFY(!tensor.ok());
    QVERIFY2(QString::fromStdString(tensor.error().message).contains(message),
             tensor.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestElements)
#include "tst_Elements.moc"
