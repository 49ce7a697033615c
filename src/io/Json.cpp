#include "io/Json.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

bool equalsIgnoringCase(std::string_view text, std::string_view lower)
{
    return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
    });
}

std::optional<double> nonFiniteFromName(std::string_view text)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (equalsIgnoringCase(text, "nan"))
        return std::numeric_limits<double>::quiet_NaN();
    if (equalsIgnoringCase(text, "infinity") || equalsIgnoringCase(text, "inf"))
        return infinity;
    if (equalsIgnoringCase(text, "-infinity") || equalsIgnoringCase(text, "-inf"))
        return -infinity;
    return {};
}

} // namespace

bool Json::isNumber() const
{
    return std::holds_alternative<double>(m_value) || isInteger();
}

bool Json::isInteger() const
{
    return std::holds_alternative<std::int64_t>(m_value) || std::holds_alternative<std::uint64_t>(m_value);
}

bool Json::toBool() const
{
    const bool *value = std::get_if<bool>(&m_value);
    return value && *value;
}

std::optional<double> Json::asDouble() const
{
    if (const auto *value = std::get_if<double>(&m_value))
        return *value;
    if (const auto *value = std::get_if<std::int64_t>(&m_value))
        return static_cast<double>(*value);
    if (const auto *value = std::get_if<std::uint64_t>(&m_value))
        return static_cast<double>(*value);
    if (const auto *value = std::get_if<std::string>(&m_value))
        return nonFiniteFromName(*value);
    return {};
}

std::optional<std::int64_t> Json::asInteger() const
{
    if (const auto *value = std::get_if<std::int64_t>(&m_value))
        return *value;
    if (const auto *value = std::get_if<double>(&m_value))
        if (std::abs(*value) < 9.2e18 && std::trunc(*value) == *value)
            return static_cast<std::int64_t>(*value);
    return {};
}

double Json::toDouble() const
{
    return asDouble().value_or(std::numeric_limits<double>::quiet_NaN());
}

std::int64_t Json::toInteger() const
{
    return asInteger().value_or(0);
}

std::uint64_t Json::toUnsigned() const
{
    if (const auto *value = std::get_if<std::uint64_t>(&m_value))
        return *value;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(toInteger(), 0));
}

const std::string &Json::toString() const
{
    static const std::string empty;
    const auto *value = std::get_if<std::string>(&m_value);
    return value ? *value : empty;
}

const Json::Array &Json::toArray() const
{
    static const Array empty;
    const auto *value = std::get_if<Array>(&m_value);
    return value ? *value : empty;
}

const Json::Object &Json::toObject() const
{
    static const Object empty;
    const auto *value = std::get_if<Object>(&m_value);
    return value ? *value : empty;
}

const Json &Json::operator[](std::string_view key) const
{
    static const Json null;
    for (const Member &member : toObject())
        if (member.first == key)
            return member.second;
    return null;
}

bool Json::contains(std::string_view key) const
{
    const Object &members = toObject();
    return std::any_of(members.begin(), members.end(),
                       [key](const Member &member) { return member.first == key; });
}

void Json::set(std::string key, Json value)
{
    if (!isObject())
        m_value = Object();
    auto &members = std::get<Object>(m_value);
    for (Member &member : members) {
        if (member.first == key) {
            member.second = std::move(value);
            return;
        }
    }
    members.emplace_back(std::move(key), std::move(value));
}

Json Json::number(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value < 0 ? "-Infinity" : "Infinity";
    return value;
}

} // namespace attn
