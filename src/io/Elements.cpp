#include "io/Elements.h"

#include "base/Assert.h"

#include <bit>
#include <concepts>
#include <cstring>
#include <limits>

namespace attn {

namespace {

/// The unsigned integer of `sizeof(Bits)` bytes at `at`.
template<typename Bits>
Bits bitsAt(const char *at, bool isBigEndian)
{
    Bits bits = 0;
    for (std::size_t i = 0; i < sizeof(Bits); ++i) {
        const std::size_t from = isBigEndian ? i : sizeof(Bits) - 1 - i;
        bits = static_cast<Bits>((sizeof(Bits) > 1 ? static_cast<std::uint64_t>(bits) << 8 : 0) |
                                 static_cast<unsigned char>(at[from]));
    }
    return bits;
}

template<typename Bits, typename Value, typename Convert>
std::vector<Value> decoded(std::span<const char> bytes, bool isBigEndian, Convert convert)
{
    const std::size_t count = bytes.size() / sizeof(Bits);
    std::vector<Value> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = convert(bitsAt<Bits>(bytes.data() + i * sizeof(Bits), isBigEndian));
    return values;
}

template<std::signed_integral Signed, typename Bits>
std::vector<std::int64_t> decodedSigned(std::span<const char> bytes, bool isBigEndian)
{
    return decoded<Bits, std::int64_t>(bytes, isBigEndian,
                                       [](Bits bits) { return std::int64_t(static_cast<Signed>(bits)); });
}

template<typename Bits>
std::vector<std::int64_t> decodedUnsigned(std::span<const char> bytes, bool isBigEndian)
{
    return decoded<Bits, std::int64_t>(bytes, isBigEndian,
                                       [](Bits bits) { return static_cast<std::int64_t>(bits); });
}

template<typename Value>
void rearrange(std::vector<Value> &values, const std::vector<std::int64_t> &shape)
{
    std::vector<Value> rowMajor;
    rowMajor.reserve(values.size());
    std::vector<std::size_t> index(shape.size(), 0);
    std::vector<std::size_t> stride(shape.size(), 1);
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        stride[axis] = stride[axis - 1] * static_cast<std::size_t>(shape[axis - 1]);
    std::size_t from = 0;
    while (rowMajor.size() < values.size()) {
        rowMajor.push_back(std::move(values[from]));
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            from += stride[axis];
            if (++index[axis] < static_cast<std::size_t>(shape[axis]))
                break;
            from -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
    values = std::move(rowMajor);
}

} // namespace

int elementBytes(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Bool:
    case Dtype::I8:
    case Dtype::U8:
        return 1;
    case Dtype::I16:
    case Dtype::U16:
    case Dtype::F16:
    case Dtype::BF16:
        return 2;
    case Dtype::I32:
    case Dtype::U32:
    case Dtype::F32:
        return 4;
    case Dtype::I64:
    case Dtype::U64:
    case Dtype::F64:
        return 8;
    case Dtype::Text:
        break;
    }
    return 0;
}

std::optional<std::int64_t> elementCount(std::span<const std::int64_t> shape)
{
    bool isEmpty = false;
    for (const std::int64_t length : shape) {
        if (length < 0)
            return std::nullopt;
        isEmpty = isEmpty || length == 0;
    }
    if (isEmpty)
        return 0;
    std::int64_t count = 1;
    for (const std::int64_t length : shape) {
        if (count > std::numeric_limits<std::int64_t>::max() / length)
            return std::nullopt;
        count *= length;
    }
    return count;
}

std::string shapeListText(std::span<const std::int64_t> shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

float floatFromHalf(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1fu;
    std::uint32_t fraction = bits & 0x3ffu;
    if (exponent == 0x1f)
        return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
    if (exponent == 0) {
        if (fraction == 0)
            return std::bit_cast<float>(sign);
        exponent = 1;
        while ((fraction & 0x400u) == 0) {
            fraction <<= 1;
            --exponent; // wraps below 0 on purpose: the bias added below brings it back
        }
        fraction &= 0x3ffu;
    }
    return std::bit_cast<float>(sign | (exponent + 112u) << 23 | fraction << 13);
}

float floatFromBfloat(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

void decodeElements(std::span<const char> bytes, bool big, FileTensor &tensor)
{
    using U8 = std::uint8_t;
    using U16 = std::uint16_t;
    using U32 = std::uint32_t;
    using U64 = std::uint64_t;
    switch (tensor.dtype) {
    case Dtype::Bool:
        tensor.data = decoded<U8, std::int64_t>(bytes, big, [](U8 bits) { return bits != 0 ? 1 : 0; });
        break;
    case Dtype::I8:
        tensor.data = decodedSigned<std::int8_t, U8>(bytes, big);
        break;
    case Dtype::I16:
        tensor.data = decodedSigned<std::int16_t, U16>(bytes, big);
        break;
    case Dtype::I32:
        tensor.data = decodedSigned<std::int32_t, U32>(bytes, big);
        break;
    case Dtype::I64:
        tensor.data = decodedSigned<std::int64_t, U64>(bytes, big);
        break;
    case Dtype::U8:
        tensor.data = decodedUnsigned<U8>(bytes, big);
        break;
    case Dtype::U16:
        tensor.data = decodedUnsigned<U16>(bytes, big);
        break;
    case Dtype::U32:
        tensor.data = decodedUnsigned<U32>(bytes, big);
        break;
    case Dtype::U64:
        tensor.data = decoded<U64, U64>(bytes, big, [](U64 bits) { return bits; });
        break;
    case Dtype::F16:
        tensor.data = decoded<U16, float>(bytes, big, floatFromHalf);
        break;
    case Dtype::BF16:
        tensor.data = decoded<U16, float>(bytes, big, floatFromBfloat);
        break;
    case Dtype::F32:
        tensor.data = decoded<U32, float>(bytes, big, [](U32 bits) { return std::bit_cast<float>(bits); });
        break;
    case Dtype::F64:
        tensor.data = decoded<U64, double>(bytes, big, [](U64 bits) { return std::bit_cast<double>(bits); });
        break;
    case Dtype::Text:
        ATTN_ASSERT(false, "text is decoded by its format");
        break;
    }
}

void makeRowMajor(FileTensor &tensor)
{
    std::visit([&](auto &values) { rearrange(values, tensor.shape); }, tensor.data);
}

void appendUtf8(std::uint32_t codePoint, std::string &text)
{
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff))
        codePoint = 0xfffd;
    const auto append = [&](std::uint32_t byte) {
        text.push_back(static_cast<char>(byte));
    };
    const auto tail = [&](int shift) {
        append(0x80u | (codePoint >> shift & 0x3fu));
    };
    if (codePoint < 0x80) {
        append(codePoint);
    } else if (codePoint < 0x800) {
        append(0xc0u | codePoint >> 6);
        tail(0);
    } else if (codePoint < 0x10000) {
        append(0xe0u | codePoint >> 12);
        tail(6);
        tail(0);
    } else {
        append(0xf0u | codePoint >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace attn
