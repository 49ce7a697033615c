#include "render/DivergingColors.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

struct LightnessCourse
{
    double centre;
    double end;
};

std::uint32_t srgbByte(double linear)
{
    const double value = std::clamp(linear, 0.0, 1.0);
    const double encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1.0 / 2.4) - 0.055;
    return static_cast<std::uint32_t>(std::lround(encoded * 255.0));
}

/// OKLab to sRGB, with the matrices of its definition.
std::uint32_t fromOklab(double lightness, double a, double b)
{
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3.0);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3.0);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3.0);
    const double red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    const double green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    const double blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    return (srgbByte(red) << 16) | (srgbByte(green) << 8) | srgbByte(blue);
}

} // namespace

ColorTable divergingTable(const DivergingHues &hues, bool dark)
{
    // The chroma stays inside sRGB for every hue in use at these lightnesses.
    constexpr double fullChroma = 0.12;
    const LightnessCourse course = dark ? LightnessCourse{0.24, 0.80} : LightnessCourse{0.975, 0.45};
    ColorTable table{};
    for (int i = 0; i < 256; ++i) {
        const double distance = i <= 128 ? (128 - i) / 128.0 : (i - 128) / 127.0;
        const double hue = (i < 128 ? hues.low : hues.high) * std::numbers::pi / 180.0;
        const double lightness = course.centre + (course.end - course.centre) * distance;
        const double chroma = fullChroma * (1.0 - std::pow(1.0 - distance, 1.7));
        table[static_cast<std::size_t>(i)] =
            fromOklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue));
    }
    return table;
}

} // namespace attn
