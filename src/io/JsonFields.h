#pragma once

#include "base/Result.h"
#include "engine/Tensor.h"
#include "io/Json.h"

#include <optional>
#include <string>
#include <vector>

namespace attn {

class ReferencedFiles;

/// Reads the members of one JSON object. A missing or null member gives the default; a wrong one is kept as
/// the first error, which names the field: "state.h: expected a whole number, found text".
class JsonFields
{
public:
    /// `where` stands in front of every field name; empty = none. files: opens those that matrices lie in.
    JsonFields(const Json &object, std::string where, ReferencedFiles *files = nullptr);

    bool has(std::string_view key) const { return !m_object[key].isNull(); }
    const Json &at(std::string_view key) const { return m_object[key]; }
    std::string fieldName(std::string_view key) const;
    ReferencedFiles *files() const { return m_files; }

    bool boolean(std::string_view key, bool otherwise);
    double number(std::string_view key, double otherwise);
    std::optional<double> optionalNumber(std::string_view key);
    /// lowest <= value <= highest.
    Index integer(std::string_view key, Index otherwise, Index lowest, Index highest);
    std::optional<Index> optionalInteger(std::string_view key, Index lowest, Index highest);
    std::string text(std::string_view key, const std::string &otherwise = {});
    std::optional<std::vector<std::string>> texts(std::string_view key);
    std::vector<double> numbers(std::string_view key);
    /// null tensor when missing.
    Tensor tensor(std::string_view key);
    /// A member that must be an object (or is missing: then a null value).
    const Json &object(std::string_view key);

    void fail(std::string_view key, const std::string &message, ErrorCode code = ErrorCode::BadInput);
    void fail(Error error);
    bool ok() const { return !m_error; }
    const Error &error() const { return *m_error; }

private:
    void expect(std::string_view key, const char *what);

    const Json &m_object;
    std::string m_where;
    ReferencedFiles *m_files;
    std::optional<Error> m_error;
};

/// "a number", "text", "a list" ...: what a value is, for messages.
const char *jsonKind(const Json &value);

} // namespace attn
