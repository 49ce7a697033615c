#pragma once

#include "base/Assert.h"

#include <string>
#include <utility>
#include <variant>

namespace attn {

enum class ErrorCode
{
    BadInput,      ///< a value, name or text that makes no sense here
    ShapeMismatch, ///< sizes that do not fit together
    NotFound,      ///< a name, file or member that does not exist
    Damaged,       ///< a file that contradicts itself or ends too early
    Unsupported,   ///< valid, but something we do not read
    TooNew,        ///< written by a newer version of the program
    TooLarge,      ///< would need more memory than is allowed
    Io,            ///< the operating system refused
    Usage,         ///< wrong use of the command line
};

/// What went wrong, as one sentence for a person: where, what was expected, what was found. UTF-8.
struct Error
{
    ErrorCode code = ErrorCode::BadInput;
    std::string message;
};

/// A value or an Error. The only error channel of the program below ui/.
template<typename T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    const T &value() const &
    {
        ATTN_ASSERT(ok(), "value of a failed Result");
        return *std::get_if<0>(&m_state);
    }
    T &value() &
    {
        ATTN_ASSERT(ok(), "value of a failed Result");
        return *std::get_if<0>(&m_state);
    }
    T &&value() &&
    {
        ATTN_ASSERT(ok(), "value of a failed Result");
        return std::move(*std::get_if<0>(&m_state));
    }
    const T &operator*() const & { return value(); }
    T &operator*() & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    const T *operator->() const { return &value(); }
    T *operator->() { return &value(); }

    const Error &error() const
    {
        ATTN_ASSERT(!ok(), "error of a successful Result");
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template<>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error)
        : m_error(std::move(error))
        , m_ok(false)
    {
    }

    bool ok() const { return m_ok; }
    explicit operator bool() const { return m_ok; }
    const Error &error() const
    {
        ATTN_ASSERT(!m_ok, "error of a successful Result");
        return m_error;
    }

private:
    Error m_error;
    bool m_ok = true;
};

} // namespace attn
