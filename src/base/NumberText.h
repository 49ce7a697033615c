#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// The shortest text that reads back to exactly this double; "nan", "inf", "-inf"; -0 is "-0".
/// Independent of the locale, unlike printf and strtod.
std::string shortestText(double value);

/// The same for a number that is stored as float32: 0.1f gives "0.1", not "0.10000000149011612".
std::string shortestText(float value);

/// Fixed display text with this many places after the point, rounded half away from zero as the source
/// tutorial rounds; exponent form where the fixed form would hide the number (|value| >= 1e7 or a non-zero
/// that shows as 0). -0 shows as 0; only shortestText tells them apart.
std::string displayText(double value, int decimals);

/// At most this many significant digits, without trailing zeros: for products in a written-out sum, where the
/// last digits are only rounding. -0 is "0".
std::string significantText(double value, int digits);

/// A number's text for the eye: every hyphen becomes a minus, U+2212, as wide as a plus. What is copied keeps
/// the hyphen, which every other program reads.
std::string withTrueMinus(std::string_view number);

/// Reads one number written with a decimal point. Blanks around it and a leading '+' are allowed; "nan",
/// "inf", "infinity" in any case and with a sign; U+2212 is a minus. nothing: not a number, trailing text, or
/// overflow. Underflow gives the nearest double. Independent of the locale.
std::optional<double> parseNumber(std::string_view text);

} // namespace attn
