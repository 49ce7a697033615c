#include "base/NumberText.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr std::string_view trueMinus = "\u2212";

std::string withPlainMinus(std::string_view text)
{
    std::string plain(text);
    for (std::size_t at = plain.find(trueMinus); at != std::string::npos; at = plain.find(trueMinus, at))
        plain.replace(at, trueMinus.size(), 1, '-');
    return plain;
}

template<typename Float>
std::string shortest(Float value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

/// Short texts are for reading: "-0.00" would look like a small negative number.
double withoutSignOfZero(double value)
{
    return value == 0.0 ? 0.0 : value;
}

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Tells underflow from overflow where from_chars only says "out of range".
bool isBelowOne(std::string_view number)
{
    const std::size_t exponent = number.find_first_of("eE");
    if (exponent != std::string_view::npos)
        return exponent + 1 < number.size() && number[exponent + 1] == '-';
    return number.find('.') != std::string_view::npos;
}

} // namespace

std::string shortestText(double value)
{
    return shortest(value);
}

std::string shortestText(float value)
{
    return shortest(value);
}

std::string displayText(double value, int decimals)
{
    if (!std::isfinite(value))
        return shortest(value);
    value = withoutSignOfZero(value);
    const double magnitude = std::abs(value);
    std::array<char, 512> buffer;
    char *begin = buffer.data();
    char *limit = begin + buffer.size();
    const double unit = std::pow(10.0, -decimals);
    if (magnitude >= 1e7 || (magnitude != 0.0 && magnitude < unit / 2)) {
        const auto [end, error] =
            std::to_chars(begin, limit, value, std::chars_format::scientific, std::min(decimals, 2));
        return error == std::errc() ? std::string(begin, end) : shortest(value);
    }
    // Round the shortest decimal text, not the binary value: 0.4095 shows as 0.410, as a reader expects.
    double rounded = value;
    const auto [textEnd, textError] = std::to_chars(begin, limit, value, std::chars_format::fixed);
    const std::string_view text(begin,
                                textError == std::errc() ? static_cast<std::size_t>(textEnd - begin) : 0);
    const std::size_t point = text.find('.');
    const bool isHalf = point != std::string_view::npos &&
                        text.size() == point + static_cast<std::size_t>(decimals) + 2 && text.back() == '5';
    if (isHalf)
        rounded = std::nextafter(value, value < 0 ? -std::numeric_limits<double>::infinity()
                                                  : std::numeric_limits<double>::infinity());
    const auto [end, error] = std::to_chars(begin, limit, rounded, std::chars_format::fixed, decimals);
    return error == std::errc() ? std::string(begin, end) : shortest(value);
}

std::string significantText(double value, int digits)
{
    if (!std::isfinite(value))
        return shortest(value);
    std::array<char, 64> buffer;
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                            withoutSignOfZero(value), std::chars_format::general, digits);
    return error == std::errc() ? std::string(buffer.data(), end) : shortest(value);
}

std::string withTrueMinus(std::string_view number)
{
    std::string text;
    for (const char c : number)
        text += c == '-' ? std::string(trueMinus) : std::string(1, c);
    return text;
}

std::optional<double> parseNumber(std::string_view text)
{
    text = trimmed(text);
    // As it is shown, in front and in the exponent.
    std::string plain;
    if (text.find(trueMinus) != std::string_view::npos) {
        plain = withPlainMinus(text);
        text = plain;
    }
    bool negative = false;
    if (text.starts_with('-') || text.starts_with('+')) {
        negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (text.empty() || text.front() == '-' || text.front() == '+')
        return std::nullopt;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument)
        return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        if (!isBelowOne(text))
            return std::nullopt;
        value = 0.0;
    }
    return negative ? -value : value;
}

} // namespace attn
