#include "support/FileCases.h"

#include "base/NumberText.h"

#include <QFile>

#include <cmath>

namespace attn::test {

namespace {

void flatten(const Json &value, std::vector<const Json *> &leaves)
{
    if (!value.isArray()) {
        leaves.push_back(&value);
        return;
    }
    for (const Json &item : value.toArray())
        flatten(item, leaves);
}

QString shown(const std::string &text)
{
    return QString::fromStdString(text);
}

/// Whether one element equals what expect.json says: text, boolean, big whole number or number.
bool elementEquals(const FileTensor &tensor, std::int64_t index, const Json &expected)
{
    if (const auto *texts = std::get_if<std::vector<std::string>>(&tensor.data))
        return expected.isString() && (*texts)[static_cast<std::size_t>(index)] == expected.toString();
    if (const auto *big = std::get_if<std::vector<std::uint64_t>>(&tensor.data)) {
        const std::uint64_t value = (*big)[static_cast<std::size_t>(index)];
        return expected.isString() ? std::to_string(value) == expected.toString()
                                   : value == expected.toUnsigned();
    }
    if (const auto *whole = std::get_if<std::vector<std::int64_t>>(&tensor.data)) {
        const std::int64_t value = (*whole)[static_cast<std::size_t>(index)];
        return expected.isBool() ? value == (expected.toBool() ? 1 : 0)
                                 : expected.isNumber() && expected.asInteger() == value;
    }
    const double wanted = expected.toDouble();
    double value = tensor.number(index);
    if (std::isnan(wanted))
        return std::isnan(value) && (expected.isString() || expected.isNull());
    const bool isFloat = std::holds_alternative<std::vector<float>>(tensor.data);
    const double rounded = isFloat ? static_cast<double>(static_cast<float>(wanted)) : wanted;
    return value == rounded && std::signbit(value) == std::signbit(rounded);
}

} // namespace

QString FileCase::path() const
{
    return QStringLiteral(ATTN_TEST_DATA "/cases/%1/%2").arg(folder, fileName);
}

std::vector<FileCase> fileCases(const QString &folder)
{
    const auto json = parseJson(testDataBytes(QStringLiteral("cases/%1/expect.json").arg(folder)));
    if (!json)
        qFatal("%s", json.error().message.c_str());
    std::vector<FileCase> cases;
    for (const auto &[name, expected] : json->value["cases"].toObject())
        cases.push_back({folder, shown(name), shown(expected["outcome"].toString()), expected});
    return cases;
}

QByteArray testDataBytes(const QString &relativePath)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/%1").arg(relativePath));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s: %s", qPrintable(file.fileName()), qPrintable(file.errorString()));
    return file.readAll();
}

QString tensorDifference(const FileTensor &actual, const Json &expected)
{
    std::vector<std::int64_t> shape;
    for (const Json &length : expected["shape"].toArray())
        shape.push_back(length.toInteger());
    if (actual.shape != shape)
        return QStringLiteral("%1: shape differs").arg(shown(actual.name));
    if (expected.contains("dtype") && expected["dtype"].toString() != dtypeName(actual.dtype))
        return QStringLiteral("%1: dtype %2, expected %3")
            .arg(shown(actual.name), QString::fromLatin1(dtypeName(actual.dtype)),
                 shown(expected["dtype"].toString()));
    std::vector<const Json *> leaves;
    flatten(expected["values"], leaves);
    if (actual.size() != static_cast<std::int64_t>(leaves.size()))
        return QStringLiteral("%1: %2 values, expected %3")
            .arg(shown(actual.name))
            .arg(actual.size())
            .arg(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (!elementEquals(actual, static_cast<std::int64_t>(i), *leaves[i]))
            return QStringLiteral("%1: element %2 is %3, expected %4")
                .arg(shown(actual.name))
                .arg(i)
                .arg(actual.dtype == Dtype::Text
                         ? QStringLiteral("another text")
                         : shown(shortestText(actual.number(static_cast<std::int64_t>(i)))),
                     shown(shortestText(leaves[i]->toDouble())));
    return {};
}

std::vector<std::string> stringsOf(const Json &array)
{
    std::vector<std::string> strings;
    for (const Json &item : array.toArray())
        strings.push_back(item.toString());
    return strings;
}

} // namespace attn::test
