#include "io/JsonFields.h"

#include "io/TensorJson.h"

namespace attn {

const char *jsonKind(const Json &value)
{
    if (value.isNull())
        return "null";
    if (value.isBool())
        return "true or false";
    if (value.isInteger())
        return "a whole number";
    if (value.isNumber())
        return "a number";
    if (value.isString())
        return "text";
    return value.isArray() ? "a list" : "an object";
}

JsonFields::JsonFields(const Json &object, std::string where, ReferencedFiles *files)
    : m_object(object)
    , m_where(std::move(where))
    , m_files(files)
{
    if (!object.isObject())
        fail({ErrorCode::BadInput,
              (m_where.empty() ? "" : m_where + ": ") + "expected an object, found " + jsonKind(object)});
}

std::string JsonFields::fieldName(std::string_view key) const
{
    std::string name = m_where;
    if (!name.empty())
        name += '.';
    return name.append(key);
}

void JsonFields::fail(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

void JsonFields::fail(std::string_view key, const std::string &message, ErrorCode code)
{
    fail({code, fieldName(key) + ": " + message});
}

void JsonFields::expect(std::string_view key, const char *what)
{
    fail(key, std::string("expected ") + what + ", found " + jsonKind(at(key)));
}

bool JsonFields::boolean(std::string_view key, bool otherwise)
{
    const Json &value = at(key);
    if (value.isNull())
        return otherwise;
    if (value.isBool())
        return value.toBool();
    if (value.asInteger() == 0 || value.asInteger() == 1)
        return value.asInteger() == 1;
    expect(key, "true or false");
    return otherwise;
}

std::optional<double> JsonFields::optionalNumber(std::string_view key)
{
    if (!has(key))
        return {};
    const std::optional<double> value = at(key).asDouble();
    if (!value)
        expect(key, "a number");
    return value;
}

double JsonFields::number(std::string_view key, double otherwise)
{
    return optionalNumber(key).value_or(otherwise);
}

std::optional<Index> JsonFields::optionalInteger(std::string_view key, Index lowest, Index highest)
{
    if (!has(key))
        return {};
    const std::optional<std::int64_t> value = at(key).asInteger();
    if (!value) {
        expect(key, "a whole number");
        return {};
    }
    if (*value < lowest || *value > highest) {
        fail(key, "expected a number from " + std::to_string(lowest) + " to " + std::to_string(highest) +
                      ", found " + std::to_string(*value));
        return {};
    }
    return *value;
}

Index JsonFields::integer(std::string_view key, Index otherwise, Index lowest, Index highest)
{
    return optionalInteger(key, lowest, highest).value_or(otherwise);
}

std::string JsonFields::text(std::string_view key, const std::string &otherwise)
{
    if (!has(key))
        return otherwise;
    if (!at(key).isString())
        expect(key, "text");
    return at(key).toString();
}

std::optional<std::vector<std::string>> JsonFields::texts(std::string_view key)
{
    if (!has(key))
        return {};
    if (!at(key).isArray())
        expect(key, "a list of texts");
    std::vector<std::string> labels;
    for (const Json &label : at(key).toArray()) {
        if (!label.isString())
            fail(key, "entry " + std::to_string(labels.size()) + ": expected text, found " + jsonKind(label));
        labels.push_back(label.toString());
    }
    return labels;
}

std::vector<double> JsonFields::numbers(std::string_view key)
{
    if (has(key) && !at(key).isArray())
        expect(key, "a list of numbers");
    std::vector<double> values;
    for (const Json &item : at(key).toArray()) {
        const std::optional<double> value = item.asDouble();
        if (!value)
            fail(key,
                 "entry " + std::to_string(values.size()) + ": expected a number, found " + jsonKind(item));
        values.push_back(value.value_or(0.0));
    }
    return values;
}

Tensor JsonFields::tensor(std::string_view key)
{
    if (!has(key))
        return {};
    Result<Tensor> result = tensorFromJson(at(key), fieldName(key), m_files);
    if (result)
        return std::move(*result);
    fail(result.error());
    return {};
}

const Json &JsonFields::object(std::string_view key)
{
    if (has(key) && !at(key).isObject())
        expect(key, "an object");
    return at(key);
}

} // namespace attn
