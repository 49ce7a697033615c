#include "io/ElementWriter.h"

#include "base/Assert.h"
#include "io/Elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace attn {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

namespace {

/// Every number of the tensor converted to Element; the caller has chosen one that holds them.
template<typename Element, typename Convert>
QByteArray encoded(const FileTensor &tensor, Convert convert)
{
    std::vector<Element> elements(static_cast<std::size_t>(tensor.size()));
    std::visit(
        [&](const auto &values) {
            using Value = std::decay_t<decltype(values[0])>;
            if constexpr (std::is_arithmetic_v<Value>)
                std::transform(values.begin(), values.end(), elements.begin(), convert);
            else
                ATTN_ASSERT(false, "text has no elements");
        },
        tensor.data);
    return {reinterpret_cast<const char *>(elements.data()),
            static_cast<qsizetype>(elements.size() * sizeof(Element))};
}

template<typename Element>
QByteArray encodedPlain(const FileTensor &tensor)
{
    return encoded<Element>(tensor, [](auto value) { return static_cast<Element>(value); });
}

} // namespace

std::uint16_t halfFromFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) // NaN: the upper bits of its payload, and never an infinity
        return static_cast<std::uint16_t>(sign | 0x7c00u | std::max(magnitude >> 13 & 0x3ffu, 1u));
    if (magnitude >= 0x477ff000u) // rounds beyond 65504
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) { // subnormal: units of 2^-24, rounded to even by the current rounding mode
        const float units = std::nearbyint(std::abs(value) * 16777216.0f);
        return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(units));
    }
    const std::uint32_t rounding = 0xfffu + (magnitude >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | (magnitude - 0x38000000u + rounding) >> 13);
}

std::uint16_t bfloatFromFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        const auto upper = static_cast<std::uint16_t>(bits >> 16);
        return (upper & 0x7fu) != 0 ? upper : static_cast<std::uint16_t>(upper | 1u);
    }
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

FileTensor withMissingAsNaN(const FileTensor &tensor)
{
    if (std::find(tensor.missing.begin(), tensor.missing.end(), true) == tensor.missing.end())
        return tensor;
    FileTensor filled{tensor.name, Dtype::F64, tensor.shape, {}, {}};
    std::vector<double> numbers;
    numbers.reserve(static_cast<std::size_t>(tensor.size()));
    for (std::int64_t i = 0; i < tensor.size(); ++i)
        numbers.push_back(tensor.number(i));
    filled.data = std::move(numbers);
    return filled;
}

QByteArray encodeElements(const FileTensor &tensor, Dtype dtype)
{
    switch (dtype) {
    case Dtype::Bool:
        return encoded<std::uint8_t>(
            tensor, [](auto value) { return static_cast<std::uint8_t>(value != 0 ? 1 : 0); });
    case Dtype::I8:
        return encodedPlain<std::int8_t>(tensor);
    case Dtype::I16:
        return encodedPlain<std::int16_t>(tensor);
    case Dtype::I32:
        return encodedPlain<std::int32_t>(tensor);
    case Dtype::I64:
        return encodedPlain<std::int64_t>(tensor);
    case Dtype::U8:
        return encodedPlain<std::uint8_t>(tensor);
    case Dtype::U16:
        return encodedPlain<std::uint16_t>(tensor);
    case Dtype::U32:
        return encodedPlain<std::uint32_t>(tensor);
    case Dtype::U64:
        return encodedPlain<std::uint64_t>(tensor);
    case Dtype::F16:
        return encoded<std::uint16_t>(tensor,
                                      [](auto value) { return halfFromFloat(static_cast<float>(value)); });
    case Dtype::BF16:
        return encoded<std::uint16_t>(tensor,
                                      [](auto value) { return bfloatFromFloat(static_cast<float>(value)); });
    case Dtype::F32:
        return encodedPlain<float>(tensor);
    case Dtype::F64:
        return encodedPlain<double>(tensor);
    case Dtype::Text:
        break;
    }
    ATTN_ASSERT(false, "text has no elements");
    return {};
}

} // namespace attn
