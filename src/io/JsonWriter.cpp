#include "io/Json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace attn {

namespace {

constexpr std::size_t maxInlineMembers = 4;

bool isScalar(const Json &value)
{
    return !value.isArray() && !value.isObject();
}

bool isFlatArray(const Json &value)
{
    const Json::Array &elements = value.toArray();
    return value.isArray() && std::all_of(elements.begin(), elements.end(), isScalar);
}

/// {"shape": [2, 3], "data": [...]} and the like.
bool isShortObject(const Json &value)
{
    const Json::Object &members = value.toObject();
    return value.isObject() && members.size() <= maxInlineMembers &&
           std::all_of(members.begin(), members.end(), [](const Json::Member &member) {
               return isScalar(member.second) || isFlatArray(member.second);
           });
}

/// Length in bytes of the well-formed UTF-8 sequence at the start of text; 0 when there is none.
std::size_t utf8Length(std::string_view text)
{
    const auto byte = [text](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto isTail = [](unsigned value, unsigned low = 0x80, unsigned high = 0xBF) {
        return value >= low && value <= high;
    };
    const unsigned lead = byte(0);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return isTail(byte(1)) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;  // no overlong forms
        const unsigned high = lead == 0xED ? 0x9F : 0xBF; // no surrogates
        return isTail(byte(1), low, high) && isTail(byte(2)) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
        return isTail(byte(1), low, high) && isTail(byte(2)) && isTail(byte(3)) ? 4 : 0;
    }
    return 0;
}

class JsonTextWriter
{
public:
    void write(const Json &value, int indent);
    QByteArray take() { return std::move(m_text); }

private:
    void writeNumber(const Json &value);
    void writeString(std::string_view text);
    void writeArray(const Json::Array &elements, int indent, bool oneLine);
    void writeObject(const Json::Object &members, int indent, bool oneLine);
    void separate(bool isFirst, int indent, bool oneLine);
    void newLine(int indent)
    {
        m_text.append('\n');
        m_text.append(indent, ' ');
    }

    QByteArray m_text;
};

void JsonTextWriter::writeNumber(const Json &value)
{
    std::array<char, 32> buffer;
    char *const begin = buffer.data();
    char *const limit = begin + buffer.size();
    char *end = begin;
    if (!value.isInteger()) {
        const double number = value.toDouble();
        if (!std::isfinite(number))
            return writeString(Json::number(number).toString());
        // "-0" is an integer to many readers, and loses its sign there.
        if (number == 0.0 && std::signbit(number)) {
            m_text.append("-0.0");
            return;
        }
        end = std::to_chars(begin, limit, number).ptr;
    } else if (const std::uint64_t natural = value.toUnsigned(); natural > 0) {
        end = std::to_chars(begin, limit, natural).ptr;
    } else {
        end = std::to_chars(begin, limit, value.toInteger()).ptr;
    }
    m_text.append(begin, static_cast<qsizetype>(end - begin));
}

void JsonTextWriter::writeString(std::string_view text)
{
    constexpr char hex[] = "0123456789abcdef";
    m_text.append('"');
    while (!text.empty()) {
        const auto c = static_cast<unsigned char>(text.front());
        std::size_t used = 1;
        if (c == '"' || c == '\\') {
            m_text.append('\\').append(static_cast<char>(c));
        } else if (c == '\n') {
            m_text.append("\\n");
        } else if (c == '\t') {
            m_text.append("\\t");
        } else if (c < 0x20 || c == 0x7F) {
            m_text.append("\\u00").append(hex[c >> 4]).append(hex[c & 15]);
        } else if (const std::size_t length = utf8Length(text); length > 0) {
            m_text.append(text.data(), static_cast<qsizetype>(length));
            used = length;
        } else {
            m_text.append("\xEF\xBF\xBD");
        }
        text.remove_prefix(used);
    }
    m_text.append('"');
}

void JsonTextWriter::separate(bool isFirst, int indent, bool oneLine)
{
    if (!isFirst)
        m_text.append(oneLine ? ", " : ",");
    if (!oneLine)
        newLine(indent + 1);
}

void JsonTextWriter::writeArray(const Json::Array &elements, int indent, bool oneLine)
{
    m_text.append('[');
    for (std::size_t i = 0; i < elements.size(); ++i) {
        separate(i == 0, indent, oneLine);
        write(elements[i], indent + 1);
    }
    if (!oneLine)
        newLine(indent);
    m_text.append(']');
}

void JsonTextWriter::writeObject(const Json::Object &members, int indent, bool oneLine)
{
    m_text.append('{');
    for (std::size_t i = 0; i < members.size(); ++i) {
        separate(i == 0, indent, oneLine);
        writeString(members[i].first);
        m_text.append(": ");
        write(members[i].second, indent + 1);
    }
    if (!oneLine)
        newLine(indent);
    m_text.append('}');
}

void JsonTextWriter::write(const Json &value, int indent)
{
    if (value.isNull())
        m_text.append("null");
    else if (value.isBool())
        m_text.append(value.toBool() ? "true" : "false");
    else if (value.isNumber())
        writeNumber(value);
    else if (value.isString())
        writeString(value.toString());
    else if (value.isArray())
        writeArray(value.toArray(), indent, isFlatArray(value));
    else
        writeObject(value.toObject(), indent, isShortObject(value));
}

} // namespace

QByteArray writeJson(const Json &value)
{
    JsonTextWriter writer;
    writer.write(value, 0);
    QByteArray text = writer.take();
    text.append('\n');
    return text;
}

} // namespace attn
