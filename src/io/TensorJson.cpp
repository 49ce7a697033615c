#include "io/TensorJson.h"

#include "io/JsonFields.h"
#include "io/MappedJson.h"

#include <QByteArray>

#include <bit>
#include <cmath>
#include <cstring>
#include <zlib.h>

namespace attn {

static_assert(std::endian::native == std::endian::little, "base64 blocks are written as they lie in memory");

namespace {

/// More numbers than any document may hold; keeps products of sizes far from overflow.
constexpr Index maxNumbers = Index(1) << 40;

bool isBoolStage(Stage stage)
{
    return stage == Stage::MaskBool || stage == Stage::MaskPadding || stage == Stage::Allowed ||
           stage == Stage::FullyMasked;
}

Json axesToJson(std::span<const Index> axes)
{
    Json::Array shape;
    for (const Index length : axes)
        shape.emplace_back(static_cast<std::int64_t>(length));
    return shape;
}

template<typename Scalar>
QByteArray bytesOf(const Tensor &tensor)
{
    std::vector<Scalar> numbers(static_cast<std::size_t>(tensor.shape().size()));
    for (Index head = 0; head < tensor.heads(); ++head)
        tensor.copyRows(head, 0, tensor.rows(), numbers.data() + head * tensor.rows() * tensor.cols());
    return {reinterpret_cast<const char *>(numbers.data()), tensor.shape().size() * Index(sizeof(Scalar))};
}

template<typename Scalar>
std::vector<Scalar> numbersOf(const QByteArray &bytes)
{
    std::vector<Scalar> numbers(static_cast<std::size_t>(bytes.size()) / sizeof(Scalar));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(Scalar));
    return numbers;
}

std::string crcText(const QByteArray &bytes)
{
    const uLong crc =
        crc32_z(0, reinterpret_cast<const Bytef *>(bytes.constData()), static_cast<z_size_t>(bytes.size()));
    return QByteArray::number(static_cast<quint32>(crc), 16).rightJustified(8, '0').toStdString();
}

Json blockToJson(const Tensor &tensor, std::span<const Index> axes)
{
    const bool isSingle = tensor.storage() == Tensor::Storage::Float32;
    const QByteArray bytes = isSingle ? bytesOf<float>(tensor) : bytesOf<double>(tensor);
    return Json::Object{{"dtype", isSingle ? "float32" : "float64"},
                        {"shape", axesToJson(axes)},
                        {"crc32", crcText(bytes)},
                        {"base64", bytes.toBase64().toStdString()}};
}

Json referenceToFile(const Tensor &tensor, std::span<const Index> axes, Json::Object members)
{
    const bool isSingle = tensor.storage() == Tensor::Storage::Float32;
    members.insert(members.begin(),
                   {{"dtype", isSingle ? "float32" : "float64"}, {"shape", axesToJson(axes)}});
    return members;
}

Json tensorJson(const Tensor &tensor, std::span<const Index> axes, const char *dtype, JsonForm form)
{
    if (tensor.isNull())
        return {};
    if (form == JsonForm::Document)
        if (auto mapping = mappingToJson(tensor))
            return referenceToFile(tensor, axes, std::move(*mapping));
    if (form != JsonForm::Golden && tensor.shape().size() > maxTextNumbers)
        return blockToJson(tensor, axes);
    if (!dtype && tensor.storage() == Tensor::Storage::Float32)
        dtype = "float32";
    return arrayToJson(axes, tensor.toDoubles(), dtype);
}

Error fieldError(const std::string &where, const std::string &message, ErrorCode code = ErrorCode::BadInput)
{
    return {code, where + ": " + message};
}

std::string axesText(std::span<const Index> axes)
{
    std::string text = "[";
    for (std::size_t i = 0; i < axes.size(); ++i)
        text += (i ? ", " : "") + std::to_string(axes[i]);
    return text + "]";
}

/// "shape" of an array object, 1 to 3 axes whose product cannot overflow.
Result<std::vector<Index>> axesFromJson(const Json &json, const std::string &where)
{
    if (!json.isArray() || json.toArray().empty() || json.toArray().size() > 3)
        return fieldError(where, "\"shape\" must list one to three lengths");
    std::vector<Index> axes;
    Index size = 1;
    for (const Json &item : json.toArray()) {
        const std::optional<std::int64_t> length = item.asInteger();
        if (!length || *length < 0 || *length > maxNumbers)
            return fieldError(where, "\"shape\" holds something that is no length");
        axes.push_back(*length);
        if (*length != 0 && size > maxNumbers / *length)
            return fieldError(where, "shape " + axesText(axes) + " is too large", ErrorCode::TooLarge);
        size *= *length;
    }
    return axes;
}

Shape shapeOfAxes(const std::vector<Index> &axes)
{
    if (axes.size() == 1)
        return {1, 1, axes[0]};
    if (axes.size() == 2)
        return {1, axes[0], axes[1]};
    return {axes[0], axes[1], axes[2]};
}

Tensor tensorOf(const Shape &shape, const std::vector<double> &numbers, bool isSingle)
{
    if (!isSingle)
        return Tensor::fromDoubles(shape, numbers);
    const std::vector<float> singles = [&numbers] {
        std::vector<float> rounded;
        rounded.reserve(numbers.size());
        for (const double number : numbers)
            rounded.push_back(static_cast<float>(number));
        return rounded;
    }();
    return Tensor::fromFloats(shape, singles);
}

Result<Tensor> tensorFromBlock(const Json &json, const std::vector<Index> &axes, bool isSingle,
                               const std::string &where)
{
    if (!json["base64"].isString() || !json["crc32"].isString())
        return fieldError(where, "expected \"base64\" and \"crc32\" to be text", ErrorCode::Damaged);
    const auto decoded = QByteArray::fromBase64Encoding(QByteArray::fromStdString(json["base64"].toString()),
                                                        QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return fieldError(where, "the base64 text is damaged", ErrorCode::Damaged);
    const QByteArray &bytes = *decoded;
    const Shape shape = shapeOfAxes(axes);
    const Index expected = shape.size() * (isSingle ? 4 : 8);
    if (bytes.size() != expected)
        return fieldError(where,
                          "shape " + axesText(axes) + " needs " + std::to_string(expected) +
                              " bytes, found " + std::to_string(bytes.size()),
                          ErrorCode::Damaged);
    if (crcText(bytes) != json["crc32"].toString())
        return fieldError(where,
                          "the numbers do not match their checksum (expected " + json["crc32"].toString() +
                              ", found " + crcText(bytes) + ")",
                          ErrorCode::Damaged);
    return isSingle ? Tensor::fromFloats(shape, numbersOf<float>(bytes))
                    : Tensor::fromDoubles(shape, numbersOf<double>(bytes));
}

Result<Tensor> tensorFromNumbers(const Json &json, const std::vector<Index> &axes, bool isSingle,
                                 const std::string &where)
{
    const Json::Array &data = json["data"].toArray();
    const Shape shape = shapeOfAxes(axes);
    if (!json["data"].isArray())
        return fieldError(where,
                          std::string("expected \"data\" to be a list, found ") + jsonKind(json["data"]));
    if (static_cast<Index>(data.size()) != shape.size())
        return fieldError(where,
                          "shape " + axesText(axes) + " needs " + std::to_string(shape.size()) +
                              " numbers, found " + std::to_string(data.size()),
                          ErrorCode::ShapeMismatch);
    const bool isBool = json["dtype"].toString() == "bool";
    std::vector<double> numbers;
    numbers.reserve(data.size());
    for (const Json &item : data) {
        const std::optional<double> number = item.isBool() ? (item.toBool() ? 1.0 : 0.0) : item.asDouble();
        if (!number)
            return fieldError(where, "number " + std::to_string(numbers.size()) +
                                         ": expected a number, found " + jsonKind(item));
        if (isBool && *number != 0.0 && *number != 1.0)
            return fieldError(where, "number " + std::to_string(numbers.size()) + ": expected 0 or 1");
        numbers.push_back(*number);
    }
    return tensorOf(shape, numbers, isSingle);
}

/// Lengths of nested lists, taken from their first elements.
std::vector<Index> nestedAxes(const Json &json)
{
    std::vector<Index> axes;
    for (const Json *level = &json; level->isArray(); level = &level->toArray().front()) {
        axes.push_back(static_cast<Index>(level->toArray().size()));
        if (level->toArray().empty())
            break;
    }
    return axes;
}

std::optional<Error> collectNested(const Json &json, std::span<const Index> axes, const std::string &where,
                                   std::vector<double> &numbers)
{
    if (axes.empty()) {
        const std::optional<double> number = json.asDouble();
        if (!number)
            return fieldError(where, std::string("expected a number, found ") + jsonKind(json));
        numbers.push_back(*number);
        return {};
    }
    const Json::Array &items = json.toArray();
    if (!json.isArray() || static_cast<Index>(items.size()) != axes.front())
        return fieldError(where, "expected a list of " + std::to_string(axes.front()) + " entries, found " +
                                     (json.isArray() ? std::to_string(items.size()) : jsonKind(json)));
    for (std::size_t i = 0; i < items.size(); ++i)
        if (auto error =
                collectNested(items[i], axes.subspan(1), where + "[" + std::to_string(i) + "]", numbers))
            return error;
    return {};
}

Result<Tensor> tensorFromNested(const Json &json, const std::string &where)
{
    const std::vector<Index> axes = nestedAxes(json);
    if (axes.size() > 3)
        return fieldError(where, "expected at most three levels of lists");
    std::vector<double> numbers;
    if (auto error = collectNested(json, axes, where, numbers))
        return *error;
    return Tensor::fromDoubles(shapeOfAxes(axes), numbers);
}

} // namespace

std::vector<Index> stageAxes(Stage stage, const Shape &shape)
{
    const StageInfo &info = stageInfo(stage);
    const bool hasHeads = info.heads == HeadAxis::Optional ? shape.heads > 1 : info.heads != HeadAxis::None;
    if (info.rows == Axis::One)
        return {shape.cols};
    if (hasHeads)
        return {shape.heads, shape.rows, shape.cols};
    return {shape.rows, shape.cols};
}

Json arrayToJson(std::span<const Index> shape, std::span<const double> data, const char *dtype)
{
    const bool isWhole = dtype && dtype != std::string_view("float32");
    Json::Array numbers;
    numbers.reserve(data.size());
    for (const double value : data)
        numbers.push_back(isWhole && std::isfinite(value) ? Json(static_cast<std::int64_t>(value))
                                                          : Json::number(value));
    Json::Object object;
    if (dtype)
        object.emplace_back("dtype", dtype);
    object.emplace_back("shape", axesToJson(shape));
    object.emplace_back("data", std::move(numbers));
    return object;
}

Json tensorToJson(const Tensor &tensor, JsonForm form)
{
    if (tensor.isNull())
        return {};
    const std::vector<Index> matrix = {tensor.rows(), tensor.cols()};
    const std::vector<Index> perHead = {tensor.heads(), tensor.rows(), tensor.cols()};
    return tensorJson(tensor, tensor.heads() == 1 ? matrix : perHead, nullptr, form);
}

Json stageTensorToJson(Stage stage, const Tensor &tensor, JsonForm form)
{
    if (tensor.isNull())
        return {};
    return tensorJson(tensor, stageAxes(stage, tensor.shape()), isBoolStage(stage) ? "bool" : nullptr, form);
}

Json stageValuesToJson(Stage stage, const StageValues &values)
{
    const Shape shape = values.shape();
    std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
    for (Index head = 0; head < shape.heads && !numbers.empty(); ++head)
        values.readBlock(head, 0, 0, shape.rows, shape.cols, numbers.data() + head * shape.rows * shape.cols,
                         shape.cols);
    return arrayToJson(stageAxes(stage, shape), numbers, isBoolStage(stage) ? "bool" : nullptr);
}

Result<Tensor> tensorFromJson(const Json &json, const std::string &where, ReferencedFiles *files)
{
    if (json.isArray())
        return tensorFromNested(json, where);
    if (!json.isObject())
        return fieldError(where, std::string("expected {\"shape\", \"data\"}, found ") + jsonKind(json));
    const Result<std::vector<Index>> axes = axesFromJson(json["shape"], where);
    if (!axes)
        return axes.error();
    const std::string &dtype = json["dtype"].toString();
    if (!dtype.empty() && dtype != "float64" && dtype != "float32" && dtype != "bool" && dtype != "int")
        return fieldError(where, "unknown dtype \"" + dtype + "\"", ErrorCode::Unsupported);
    if (isMappingJson(json))
        return tensorFromMapping(json, shapeOfAxes(*axes),
                                 dtype == "float32" ? Tensor::Storage::Float32 : Tensor::Storage::Float64,
                                 where, files);
    if (json.contains("base64"))
        return tensorFromBlock(json, *axes, dtype == "float32", where);
    return tensorFromNumbers(json, *axes, dtype == "float32", where);
}

} // namespace attn
