#pragma once

#include "base/Result.h"

#include <QByteArray>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace attn {

/// A JSON value (RFC 8259), kept exactly: doubles bit for bit, integers to 64 bit, keys in file order.
///
/// Beyond QJsonDocument: duplicate keys are refused, errors give line and column, Python's bare NaN and
/// Infinity are read (`hadBareNonFinite`), depth is limited, -0 and shortest doubles survive writing.
class Json
{
public:
    using Array = std::vector<Json>;
    using Member = std::pair<std::string, Json>;
    using Object = std::vector<Member>;

    Json() = default; ///< null
    Json(std::nullptr_t) {}
    Json(bool value)
        : m_value(value)
    {
    }
    Json(double value)
        : m_value(value)
    {
    }
    Json(std::int64_t value)
        : m_value(value)
    {
    }
    Json(std::uint64_t value)
        : m_value(value)
    {
    }
    Json(int value)
        : m_value(static_cast<std::int64_t>(value))
    {
    }
    Json(std::string value)
        : m_value(std::move(value))
    {
    }
    Json(const char *value)
        : m_value(std::string(value))
    {
    }
    Json(Array value)
        : m_value(std::move(value))
    {
    }
    Json(Object value)
        : m_value(std::move(value))
    {
    }

    bool isNull() const { return std::holds_alternative<std::monostate>(m_value); }
    bool isBool() const { return std::holds_alternative<bool>(m_value); }
    bool isNumber() const;
    bool isInteger() const; ///< written without fraction and exponent
    bool isString() const { return std::holds_alternative<std::string>(m_value); }
    bool isArray() const { return std::holds_alternative<Array>(m_value); }
    bool isObject() const { return std::holds_alternative<Object>(m_value); }

    /// What the value is not reads as false, NaN, 0, "" or empty: readers of hostile files ask `is…` or
    /// `as…`.
    bool toBool() const;
    double toDouble() const; ///< a number, or the strings "NaN", "Infinity", "-Infinity" (any case)
    std::int64_t toInteger() const;
    std::uint64_t toUnsigned() const;
    const std::string &toString() const;
    const Array &toArray() const;
    const Object &toObject() const;

    /// As toDouble; nothing when it is no number.
    std::optional<double> asDouble() const;
    /// A whole number of at most 64 bit, also when written as 2.0; else nothing.
    std::optional<std::int64_t> asInteger() const;

    /// The member, or a null value; also for non-objects.
    const Json &operator[](std::string_view key) const;
    bool contains(std::string_view key) const;
    /// Adds or replaces a member of an object.
    void set(std::string key, Json value);

    /// A double as golden files write it: a number, or the strings "NaN", "Infinity", "-Infinity".
    static Json number(double value);

private:
    std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string, Array, Object>
        m_value;
};

struct JsonText
{
    Json value;
    bool hadBareNonFinite = false; ///< NaN or Infinity as Python's json module writes them
    int bareNonFiniteLine = 0;     ///< of the first one, from 1
};

/// Parses UTF-8 text. Errors: "line 3, column 7: ...". Depth at most 64.
Result<JsonText> parseJson(const QByteArray &text);

/// Arrays of numbers and short objects on one line, other members indented; ends with a line break. Equal
/// values give equal bytes. NaN and infinities become strings, bytes that are no UTF-8 become U+FFFD.
QByteArray writeJson(const Json &value);

} // namespace attn
