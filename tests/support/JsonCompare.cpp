#include "support/JsonCompare.h"

#include <QFile>

#include <bit>
#include <cmath>

using namespace Qt::StringLiterals;

namespace attn::test {

namespace {

bool sameNumber(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) ||
           std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

QString arrayDifference(const Json::Array &actual, const Json::Array &expected, const QString &path)
{
    if (actual.size() != expected.size())
        return u"%1: %2 entries, expected %3"_s.arg(path).arg(actual.size()).arg(expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i)
        if (const QString found = jsonDifference(actual[i], expected[i], u"%1[%2]"_s.arg(path).arg(i));
            !found.isEmpty())
            return found;
    return {};
}

QString objectDifference(const Json &actual, const Json &expected, const QString &path)
{
    for (const auto &[key, value] : expected.toObject()) {
        const QString member = path + u'.' + QString::fromStdString(key);
        if (!actual.contains(key))
            return member + u" is missing"_s;
        if (const QString found = jsonDifference(actual[key], value, member); !found.isEmpty())
            return found;
    }
    for (const auto &member : actual.toObject())
        if (!expected.contains(member.first))
            return path + u'.' + QString::fromStdString(member.first) + u" is not expected"_s;
    return {};
}

} // namespace

QString jsonDifference(const Json &actual, const Json &expected, const QString &path)
{
    if (expected.isObject() && actual.isObject())
        return objectDifference(actual, expected, path);
    if (expected.isArray() && actual.isArray())
        return arrayDifference(actual.toArray(), expected.toArray(), path);
    const bool areNumbers = expected.isNumber() && actual.isNumber();
    const bool isSame = areNumbers ? sameNumber(actual.toDouble(), expected.toDouble())
                                   : writeJson(actual) == writeJson(expected);
    if (isSame)
        return {};
    return u"%1: %2, expected %3"_s.arg(path, QString::fromUtf8(writeJson(actual).left(200).trimmed()),
                                        QString::fromUtf8(writeJson(expected).left(200).trimmed()));
}

Json readTestJson(const QString &relativePath)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/") + relativePath);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(file.fileName()));
    const Result<JsonText> text = parseJson(file.readAll());
    if (!text)
        qFatal("%s: %s", qPrintable(relativePath), text.error().message.c_str());
    return text->value;
}

} // namespace attn::test
