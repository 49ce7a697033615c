#include "io/Json.h"

#include "base/NumberText.h"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace attn {

namespace {

constexpr std::size_t maxJsonDepth = 64;

/// "line 3, column 7: "; columns count characters, not bytes.
std::string jsonPosition(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineBreak = before.rfind('\n');
    const std::string_view inLine =
        lineBreak == std::string_view::npos ? before : before.substr(lineBreak + 1);
    const auto column = 1 + std::count_if(inLine.begin(), inLine.end(), [](char c) {
                            return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                        });
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": ";
}

const char *syntaxMessage(rapidjson::ParseErrorCode code)
{
    switch (code) {
    case rapidjson::kParseErrorDocumentEmpty:
        return "there is no value";
    case rapidjson::kParseErrorDocumentRootNotSingular:
        return "text follows after the end of the value";
    case rapidjson::kParseErrorObjectMissName:
        return "expected a quoted name or '}'";
    case rapidjson::kParseErrorObjectMissColon:
        return "expected ':' after the name";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
        return "expected ',' or '}'";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
        return "expected ',' or ']'";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
        return "\\u needs four hexadecimal digits";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
        return "half of a \\u surrogate pair";
    case rapidjson::kParseErrorStringEscapeInvalid:
        return "unknown escape in a string";
    case rapidjson::kParseErrorStringMissQuotationMark:
        return "a string is not closed";
    case rapidjson::kParseErrorStringInvalidEncoding:
        return "a string holds a control character or bytes that are no UTF-8";
    case rapidjson::kParseErrorNumberTooBig:
        return "the number is too large for a double";
    case rapidjson::kParseErrorNumberMissFraction:
        return "expected a digit after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
        return "expected a digit in the exponent";
    default:
        return "this is no JSON value";
    }
}

/// Builds the value from the events of RapidJSON's reader; its own stack, so that depth costs no call stack.
class JsonBuilder
{
public:
    JsonBuilder(std::string_view text, const rapidjson::MemoryStream &stream)
        : m_text(text)
        , m_stream(stream)
    {
    }

    bool Null() { return add(Json()); }
    bool Bool(bool value) { return add(Json(value)); }
    bool Int(int value) { return add(Json(value)); }
    bool Uint(unsigned value) { return add(Json(static_cast<std::int64_t>(value))); }
    bool Int64(std::int64_t value) { return add(Json(value)); }
    bool Uint64(std::uint64_t value) { return add(Json(value)); }
    bool Double(double value) { return add(Json(value)); }
    bool RawNumber(const char *data, rapidjson::SizeType size, bool /*copy*/);
    bool String(const char *data, rapidjson::SizeType size, bool /*copy*/)
    {
        return add(Json(std::string(data, size)));
    }
    bool Key(const char *data, rapidjson::SizeType size, bool /*copy*/);
    bool StartObject() { return open(true); }
    bool StartArray() { return open(false); }
    bool EndObject(rapidjson::SizeType /*count*/);
    bool EndArray(rapidjson::SizeType /*count*/);

    Json takeValue() { return std::move(m_value); }
    /// Set when one of the events above returned false.
    const std::optional<Error> &error() const { return m_error; }
    const std::optional<std::size_t> &bareNonFiniteOffset() const { return m_bareNonFinite; }

private:
    struct Open
    {
        bool isObject = false;
        Json::Array elements;
        Json::Object members;
        std::vector<std::size_t> nameEnds; ///< where each name ends in the text
    };

    bool open(bool isObject);
    bool add(Json value);
    bool fail(ErrorCode code, std::size_t offset, const std::string &message);
    std::size_t nameStart(std::size_t nameEnd) const;

    std::string_view m_text;
    const rapidjson::MemoryStream &m_stream;
    std::vector<Open> m_open;
    Json m_value;
    std::optional<Error> m_error;
    std::optional<std::size_t> m_bareNonFinite;
};

bool JsonBuilder::fail(ErrorCode code, std::size_t offset, const std::string &message)
{
    m_error = Error{code, jsonPosition(m_text, offset) + message};
    return false;
}

bool JsonBuilder::open(bool isObject)
{
    if (m_open.size() == maxJsonDepth)
        return fail(ErrorCode::Unsupported, m_stream.Tell(),
                    "nested too deep (more than " + std::to_string(maxJsonDepth) + " levels)");
    m_open.push_back({isObject, {}, {}, {}});
    return true;
}

bool JsonBuilder::add(Json value)
{
    if (m_open.empty())
        m_value = std::move(value);
    else if (m_open.back().isObject)
        m_open.back().members.back().second = std::move(value);
    else
        m_open.back().elements.push_back(std::move(value));
    return true;
}

bool JsonBuilder::RawNumber(const char *data, rapidjson::SizeType size, bool /*copy*/)
{
    const std::string_view text(data, size);
    const std::size_t offset = m_stream.Tell() - size;
    if (text.find_first_of("NI") != std::string_view::npos) {
        if (!m_bareNonFinite)
            m_bareNonFinite = offset;
    } else if (text.find_first_of(".eE") == std::string_view::npos && text != "-0") {
        std::int64_t integer = 0;
        if (std::from_chars(data, data + size, integer).ec == std::errc())
            return add(Json(integer));
        std::uint64_t natural = 0;
        if (text.front() != '-' && std::from_chars(data, data + size, natural).ec == std::errc())
            return add(Json(natural));
    } else {
        double number = 0.0;
        if (std::from_chars(data, data + size, number).ec == std::errc())
            return add(Json(number));
    }
    const std::optional<double> number = parseNumber(text);
    if (!number)
        return fail(ErrorCode::BadInput, offset, syntaxMessage(rapidjson::kParseErrorNumberTooBig));
    return add(Json(*number));
}

bool JsonBuilder::Key(const char *data, rapidjson::SizeType size, bool /*copy*/)
{
    m_open.back().members.emplace_back(std::string(data, size), Json());
    m_open.back().nameEnds.push_back(m_stream.Tell());
    return true;
}

/// From behind the closing quote back to the opening one.
std::size_t JsonBuilder::nameStart(std::size_t nameEnd) const
{
    std::size_t quote = nameEnd - 1;
    while (quote > 0) {
        --quote;
        std::size_t backslashes = 0;
        while (backslashes < quote && m_text[quote - 1 - backslashes] == '\\')
            ++backslashes;
        if (m_text[quote] == '"' && backslashes % 2 == 0)
            break;
    }
    return quote;
}

bool JsonBuilder::EndObject(rapidjson::SizeType /*count*/)
{
    const Json::Object &members = m_open.back().members;
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&members](std::size_t a, std::size_t b) {
        return members[a].first < members[b].first;
    });
    std::optional<std::size_t> second; // the first name in the text that was there before
    for (std::size_t i = 1; i < order.size(); ++i)
        if (members[order[i - 1]].first == members[order[i]].first)
            second = std::min(second.value_or(order[i]), order[i]);
    if (second)
        return fail(ErrorCode::BadInput, nameStart(m_open.back().nameEnds[*second]),
                    "the name \"" + members[*second].first + "\" is there twice");
    Json value(std::move(m_open.back().members));
    m_open.pop_back();
    return add(std::move(value));
}

bool JsonBuilder::EndArray(rapidjson::SizeType /*count*/)
{
    Json value(std::move(m_open.back().elements));
    m_open.pop_back();
    return add(std::move(value));
}

/// The error of RapidJSON in our words. A text that stops early is told apart from one that is wrong.
Error jsonSyntaxError(std::string_view text, const rapidjson::ParseResult &result)
{
    const std::size_t lastInk = text.find_last_not_of(" \t\r\n");
    const std::size_t inkEnd = lastInk == std::string_view::npos ? 0 : lastInk + 1;
    const bool endsEarly =
        result.Offset() >= inkEnd || result.Code() == rapidjson::kParseErrorStringMissQuotationMark;
    if (endsEarly && result.Code() != rapidjson::kParseErrorDocumentEmpty)
        return {ErrorCode::Damaged, jsonPosition(text, inkEnd) + "the text ends in the middle (" +
                                        syntaxMessage(result.Code()) + ")"};
    return {ErrorCode::BadInput,
            jsonPosition(text, std::min(result.Offset(), text.size())) + syntaxMessage(result.Code())};
}

} // namespace

Result<JsonText> parseJson(const QByteArray &bytes)
{
    using namespace rapidjson;
    std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);

    constexpr unsigned flags =
        kParseIterativeFlag | kParseNumbersAsStringsFlag | kParseNanAndInfFlag | kParseValidateEncodingFlag;
    MemoryStream stream(text.data(), text.size());
    JsonBuilder builder(text, stream);
    Reader reader;
    const ParseResult result = reader.Parse<flags>(stream, builder);
    if (builder.error())
        return *builder.error();
    if (result.IsError())
        return jsonSyntaxError(text, result);
    // The reader takes a NUL byte for the end of the text.
    if (stream.Tell() != text.size())
        return Error{ErrorCode::BadInput,
                     jsonPosition(text, stream.Tell()) + syntaxMessage(kParseErrorDocumentRootNotSingular)};

    JsonText parsed;
    parsed.value = builder.takeValue();
    if (const auto &offset = builder.bareNonFiniteOffset()) {
        parsed.hadBareNonFinite = true;
        parsed.bareNonFiniteLine =
            1 + static_cast<int>(
                    std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*offset), '\n'));
    }
    return parsed;
}

} // namespace attn
