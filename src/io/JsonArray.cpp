#include "io/JsonArray.h"

#include "base/NumberText.h"
#include "io/Elements.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr std::size_t maxJsonAxes = 8;
constexpr std::int64_t exactInDouble = std::int64_t(1) << 53;

std::string placeText(const std::vector<std::size_t> &place)
{
    std::string text;
    for (const std::size_t index : place)
        text += "[" + std::to_string(index) + "]";
    return text.empty() ? text : text + ": ";
}

std::string indexText(std::size_t flat, const std::vector<std::int64_t> &shape)
{
    std::vector<std::size_t> place(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        place[axis] = flat % static_cast<std::size_t>(shape[axis]);
        flat /= static_cast<std::size_t>(shape[axis]);
    }
    return placeText(place);
}

Error badArray(ErrorCode code, const std::string &message)
{
    return {code, message};
}

/// The numbers, texts and nulls of nested arrays in order; every array of one depth has the same length.
class ArrayLeaves
{
public:
    Result<void> collect(const Json &arrays)
    {
        for (const Json *level = &arrays; level->isArray(); level = &level->toArray().front()) {
            shape.push_back(static_cast<std::int64_t>(level->toArray().size()));
            if (shape.size() > maxJsonAxes)
                return badArray(ErrorCode::Unsupported, "arrays are nested more than 8 deep");
            if (level->toArray().empty())
                break;
        }
        return descend(arrays);
    }

    std::vector<std::int64_t> shape;
    std::vector<const Json *> leaves;

private:
    Result<void> descend(const Json &value)
    {
        const std::size_t depth = m_place.size();
        if (depth == shape.size()) {
            if (value.isArray() || value.isObject())
                return badArray(ErrorCode::ShapeMismatch, placeText(m_place) + "expected a number, found " +
                                                              (value.isArray() ? "an array" : "an object"));
            leaves.push_back(&value);
            return {};
        }
        if (!value.isArray())
            return badArray(ErrorCode::ShapeMismatch, placeText(m_place) + "expected an array");
        const Json::Array &items = value.toArray();
        if (static_cast<std::int64_t>(items.size()) != shape[depth])
            return badArray(ErrorCode::ShapeMismatch, raggedText(items.size(), shape[depth]));
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_place.push_back(i);
            if (auto below = descend(items[i]); !below)
                return below;
            m_place.pop_back();
        }
        return {};
    }

    std::string raggedText(std::size_t found, std::int64_t expected) const
    {
        const std::vector<std::size_t> above(m_place.begin(), m_place.end() - 1);
        return placeText(above) + "row " + std::to_string(m_place.back()) + " (counting from 0) has " +
               std::to_string(found) + (found == 1 ? " entry" : " entries") + ", row 0 has " +
               std::to_string(expected);
    }

    std::vector<std::size_t> m_place;
};

struct LeafKinds
{
    std::size_t numbers = 0, bools = 0, strings = 0, numeralStrings = 0, nonFiniteStrings = 0, nulls = 0;
    bool needs64Bits = false;   ///< a whole number beyond 2^53
    bool needsUnsigned = false; ///< beyond 2^63
    bool isWhole = true;        ///< every number is written as a whole number
};

LeafKinds kindsOf(const std::vector<const Json *> &leaves)
{
    LeafKinds kinds;
    for (const Json *leaf : leaves) {
        if (leaf->isNumber()) {
            ++kinds.numbers;
            kinds.isWhole = kinds.isWhole && leaf->isInteger();
            if (leaf->isInteger()) {
                kinds.needsUnsigned = kinds.needsUnsigned || !leaf->asInteger();
                kinds.needs64Bits = kinds.needs64Bits || !leaf->asInteger() ||
                                    std::abs(leaf->toDouble()) > static_cast<double>(exactInDouble);
            }
        } else if (leaf->isBool()) {
            ++kinds.bools;
        } else if (leaf->isString()) {
            ++kinds.strings;
            kinds.numeralStrings += parseNumber(leaf->toString()) ? 1 : 0;
            kinds.nonFiniteStrings += leaf->asDouble() ? 1 : 0;
        } else {
            ++kinds.nulls;
        }
    }
    return kinds;
}

/// A whole number given as such or as a string of digits.
template<typename Integer>
std::optional<Integer> wholeNumber(const Json &leaf)
{
    if (leaf.isString()) {
        Integer value = 0;
        const std::string &text = leaf.toString();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size())
            return std::nullopt;
        return value;
    }
    if (const auto value = leaf.asInteger()) {
        if (std::is_unsigned_v<Integer> && *value < 0)
            return std::nullopt;
        return static_cast<Integer>(*value);
    }
    if (leaf.isInteger() && std::is_unsigned_v<Integer>)
        return static_cast<Integer>(leaf.toUnsigned());
    return std::nullopt;
}

/// Puts the leaves into tensor.data as tensor.dtype asks for; null is missing.
Result<void> fillTensor(const std::vector<const Json *> &leaves, FileTensor &tensor)
{
    std::vector<bool> missing(leaves.size(), false);
    bool anyMissing = false;
    const auto fill = [&](auto &values, auto convert) -> Result<void> {
        values.reserve(leaves.size());
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            const auto value = convert(*leaves[i]);
            missing[i] = leaves[i]->isNull();
            anyMissing = anyMissing || missing[i];
            if (!value && !missing[i])
                return badArray(
                    ErrorCode::BadInput,
                    indexText(i, tensor.shape) +
                        (leaves[i]->isString()
                             ? "'" + leaves[i]->toString().substr(0, 40) + "' is not a number"
                             : std::string("this is not a value of type ") + dtypeName(tensor.dtype)));
            using Value = typename std::decay_t<decltype(values)>::value_type;
            if (value)
                values.push_back(static_cast<Value>(*value));
            else if constexpr (std::is_floating_point_v<Value>)
                values.push_back(std::numeric_limits<Value>::quiet_NaN());
            else
                values.push_back(Value());
        }
        if (anyMissing)
            tensor.missing = std::move(missing);
        return {};
    };
    const auto number = [](const Json &leaf) -> std::optional<double> {
        if (leaf.isBool())
            return leaf.toBool() ? 1.0 : 0.0;
        const auto value = leaf.asDouble();
        return value || !leaf.isString() ? value : parseNumber(leaf.toString());
    };
    const auto text = [](const Json &leaf) -> std::optional<std::string> {
        return leaf.isString() ? std::optional(leaf.toString()) : std::nullopt;
    };
    switch (tensor.dtype) {
    case Dtype::F64:
        return fill(tensor.data.emplace<std::vector<double>>(), number);
    case Dtype::F16:
    case Dtype::BF16:
    case Dtype::F32:
        return fill(tensor.data.emplace<std::vector<float>>(), number);
    case Dtype::U64:
        return fill(tensor.data.emplace<std::vector<std::uint64_t>>(), wholeNumber<std::uint64_t>);
    case Dtype::Text:
        return fill(tensor.data.emplace<std::vector<std::string>>(), text);
    case Dtype::Bool:
        return fill(tensor.data.emplace<std::vector<std::int64_t>>(),
                    [](const Json &leaf) -> std::optional<std::int64_t> {
                        if (leaf.isBool())
                            return leaf.toBool() ? 1 : 0;
                        const auto value = leaf.asInteger();
                        return value && (*value == 0 || *value == 1) ? value : std::nullopt;
                    });
    default:
        return fill(tensor.data.emplace<std::vector<std::int64_t>>(), wholeNumber<std::int64_t>);
    }
}

std::optional<Dtype> dtypeFromName(const std::string &name)
{
    if (name == "bool")
        return Dtype::Bool;
    if (name == "int")
        return Dtype::I64;
    if (name == "float64")
        return Dtype::F64;
    if (name == "float32")
        return Dtype::F32;
    for (int i = 0; i <= static_cast<int>(Dtype::Text); ++i)
        if (name == dtypeName(static_cast<Dtype>(i)))
            return static_cast<Dtype>(i);
    return std::nullopt;
}

} // namespace

Result<FileTensor> tensorFromArrays(const Json &arrays, const std::string &name,
                                    std::vector<std::string> &notes)
{
    ArrayLeaves nested;
    if (const auto collected = nested.collect(arrays); !collected)
        return collected.error();
    const LeafKinds kinds = kindsOf(nested.leaves);
    FileTensor tensor{name, Dtype::F64, nested.shape, {}, {}};
    const bool onlyStrings = kinds.strings > 0 && kinds.strings + kinds.nulls == nested.leaves.size();
    if (onlyStrings && (nested.shape.size() < 2 || kinds.numeralStrings < kinds.strings)) {
        tensor.dtype = Dtype::Text;
    } else if (onlyStrings && kinds.nonFiniteStrings < kinds.strings) {
        notes.push_back("the numbers of \"" + name +
                        "\" are written as text in quotes; they are read as numbers");
    } else if (kinds.bools > 0 && kinds.bools + kinds.nulls == nested.leaves.size()) {
        tensor.dtype = Dtype::Bool;
    } else if (kinds.needs64Bits && kinds.isWhole && kinds.numbers == nested.leaves.size()) {
        tensor.dtype = kinds.needsUnsigned ? Dtype::U64 : Dtype::I64;
    } else if (kinds.strings > kinds.nonFiniteStrings) {
        for (std::size_t i = 0; i < nested.leaves.size(); ++i)
            if (nested.leaves[i]->isString() && !nested.leaves[i]->asDouble())
                return badArray(ErrorCode::BadInput, indexText(i, nested.shape) + "text '" +
                                                         nested.leaves[i]->toString().substr(0, 40) +
                                                         "' among numbers");
    }
    if (const auto filled = fillTensor(nested.leaves, tensor); !filled)
        return filled.error();
    if (kinds.nulls > 0)
        notes.push_back("\"" + name + "\": " + std::to_string(kinds.nulls) +
                        (kinds.nulls == 1 ? " value is null" : " values are null") + " (missing)");
    return tensor;
}

bool isShapeAndData(const Json &value)
{
    return value["shape"].isArray() && value["data"].isArray();
}

Result<FileTensor> tensorFromShapeAndData(const Json &object, const std::string &name)
{
    const Json &dtypeJson = object["dtype"];
    const auto dtype = dtypeJson.isNull() ? Dtype::F64 : dtypeFromName(dtypeJson.toString());
    if (!dtype)
        return badArray(ErrorCode::Unsupported,
                        "dtype '" + dtypeJson.toString().substr(0, 40) + "' is not supported");
    FileTensor tensor{name, *dtype, {}, {}, {}};
    for (const Json &length : object["shape"].toArray()) {
        if (!length.asInteger())
            return badArray(ErrorCode::Damaged, "shape: expected whole numbers");
        tensor.shape.push_back(*length.asInteger());
    }
    ArrayLeaves data;
    if (const auto collected = data.collect(object["data"]); !collected)
        return collected.error();
    const auto count = elementCount(tensor.shape);
    if (!count || *count != static_cast<std::int64_t>(data.leaves.size()))
        return badArray(ErrorCode::ShapeMismatch, "shape " + shapeListText(tensor.shape) +
                                                      " does not fit its " +
                                                      std::to_string(data.leaves.size()) + " data values");
    if (const auto filled = fillTensor(data.leaves, tensor); !filled)
        return filled.error();
    return tensor;
}

} // namespace attn
