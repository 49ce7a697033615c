#include "io/NpyDescription.h"

#include "io/Elements.h"

#include <limits>
#include <optional>

namespace attn {

namespace {

/// Scans the few Python literals of a header, from left to right and without recursion.
class LiteralScanner
{
public:
    LiteralScanner(std::string_view text, std::size_t firstByte)
        : m_text(text)
        , m_firstByte(firstByte)
    {
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() &&
               std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }

    bool accept(char c)
    {
        skipBlanks();
        if (m_at >= m_text.size() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }

    bool acceptWord(std::string_view word)
    {
        skipBlanks();
        if (m_text.substr(m_at, word.size()) != word)
            return false;
        m_at += word.size();
        return true;
    }

    /// A string in single or double quotes; escapes do not occur in headers.
    std::optional<std::string_view> string()
    {
        skipBlanks();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"'))
            return std::nullopt;
        const std::size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        const std::string_view value = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return value;
    }

    /// Digits, with the L that Python 2 put behind them.
    std::optional<std::int64_t> wholeNumber()
    {
        skipBlanks();
        std::int64_t value = 0;
        const std::size_t begin = m_at;
        for (; m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9'; ++m_at) {
            if (value > (std::numeric_limits<std::int64_t>::max() - 9) / 10)
                return std::nullopt;
            value = value * 10 + (m_text[m_at] - '0');
        }
        if (m_at == begin)
            return std::nullopt;
        accept('L');
        return value;
    }

    bool atEnd()
    {
        skipBlanks();
        return m_at >= m_text.size();
    }

    std::string_view rest() const { return m_text.substr(m_at); }
    Error damaged(const std::string &message) const
    {
        return {ErrorCode::Damaged, "byte " + std::to_string(m_firstByte + m_at) + ": " + message};
    }
    Error unsupported(const std::string &message) const
    {
        return {ErrorCode::Unsupported, "byte " + std::to_string(m_firstByte + m_at) + ": " + message};
    }

private:
    std::string_view m_text;
    std::size_t m_firstByte;
    std::size_t m_at = 0;
};

std::string shortened(std::string_view text)
{
    return std::string(text.substr(0, 80)) + (text.size() > 80 ? "..." : "");
}

/// Type and width of e.g. "<f4", "|b1", "<U5".
Result<void> readDtype(std::string_view dtype, const LiteralScanner &scanner, NpyHeader &header)
{
    const Error unknown = scanner.unsupported("unknown dtype '" + shortened(dtype) + "'");
    std::string_view code = dtype;
    if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
        header.isBigEndian = code.front() == '>';
        code.remove_prefix(1);
    }
    if (code.empty())
        return unknown;
    if (code.front() == 'O')
        return scanner.unsupported("this is an object array (a pickle), which is not read");
    const char kind = code.front();
    LiteralScanner digits(code.substr(1), 0);
    const auto width = digits.wholeNumber();
    if (!width || !digits.atEnd())
        return unknown;
    if (kind == 'U' || kind == 'S' || kind == 'a') {
        if (*width < 1 || *width > (std::int64_t(1) << 30))
            return scanner.unsupported("text of width " + std::to_string(*width) + " is not read");
        header.dtype = Dtype::Text;
        header.isByteText = kind != 'U';
        header.itemBytes = header.isByteText ? *width : 4 * *width;
        return {};
    }
    static constexpr struct
    {
        char kind;
        int bytes;
        Dtype dtype;
    } known[] = {{'b', 1, Dtype::Bool}, {'i', 1, Dtype::I8},  {'i', 2, Dtype::I16}, {'i', 4, Dtype::I32},
                 {'i', 8, Dtype::I64},  {'u', 1, Dtype::U8},  {'u', 2, Dtype::U16}, {'u', 4, Dtype::U32},
                 {'u', 8, Dtype::U64},  {'f', 2, Dtype::F16}, {'f', 4, Dtype::F32}, {'f', 8, Dtype::F64}};
    for (const auto &candidate : known) {
        if (candidate.kind == kind && candidate.bytes == *width) {
            header.dtype = candidate.dtype;
            header.itemBytes = *width;
            return {};
        }
    }
    return unknown;
}

Result<void> readShape(LiteralScanner &scanner, NpyHeader &header)
{
    constexpr std::size_t maxAxes = 32;
    if (!scanner.accept('('))
        return scanner.damaged("expected the shape, a tuple");
    while (!scanner.accept(')')) {
        const auto length = scanner.wholeNumber();
        if (!length)
            return scanner.damaged("expected a size of the shape, a whole number below 2^63");
        header.shape.push_back(*length);
        if (header.shape.size() > maxAxes)
            return scanner.damaged("more than 32 axes");
        if (scanner.accept(','))
            continue;
        if (scanner.accept(')'))
            break;
        return scanner.damaged("expected ',' or ')' in the shape");
    }
    return {};
}

} // namespace

Result<NpyHeader> parseNpyDescription(std::string_view text, std::size_t firstByte)
{
    LiteralScanner scanner(text, firstByte);
    NpyHeader header;
    bool hasDtype = false, hasOrder = false, hasShape = false;
    if (!scanner.accept('{'))
        return scanner.damaged("the header is not a dictionary");
    while (!scanner.accept('}')) {
        const auto key = scanner.string();
        if (!key || !scanner.accept(':'))
            return scanner.damaged("expected a key of the header");
        if (*key == "descr" && !hasDtype) {
            hasDtype = true;
            scanner.skipBlanks();
            if (!scanner.rest().empty() && scanner.rest().front() == '[')
                return scanner.unsupported("structured (record) arrays are not read: " +
                                           shortened(scanner.rest().substr(0, scanner.rest().find(']') + 1)));
            const auto dtype = scanner.string();
            if (!dtype)
                return scanner.damaged("expected the dtype, a string");
            if (const auto read = readDtype(*dtype, scanner, header); !read)
                return read.error();
        } else if (*key == "fortran_order" && !hasOrder) {
            hasOrder = true;
            header.isFortranOrder = scanner.acceptWord("True");
            if (!header.isFortranOrder && !scanner.acceptWord("False"))
                return scanner.damaged("expected True or False");
        } else if (*key == "shape" && !hasShape) {
            hasShape = true;
            if (const auto read = readShape(scanner, header); !read)
                return read.error();
        } else {
            return scanner.damaged("unexpected key '" + shortened(*key) + "'");
        }
        if (!scanner.accept(',')) {
            if (!scanner.accept('}'))
                return scanner.damaged("expected ',' or '}'");
            break;
        }
    }
    if (!scanner.atEnd())
        return scanner.damaged("text after the dictionary");
    if (!hasDtype || !hasOrder || !hasShape)
        return scanner.damaged("the header lacks 'descr', 'fortran_order' or 'shape'");
    const auto count = elementCount(header.shape);
    if (!count)
        return scanner.damaged("shape " + shapeListText(header.shape) +
                               " declares more elements than any file can hold");
    header.count = *count;
    return header;
}

} // namespace attn
