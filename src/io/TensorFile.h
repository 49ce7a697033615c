#pragma once

#include "base/Result.h"
#include "engine/Tensor.h"
#include "io/ByteSource.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attn {

enum class Dtype
{
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    Text,
};
const char *dtypeName(Dtype dtype); ///< "F32", as safetensors spells it; "TEXT"

/// A tensor as a file holds it, values kept exactly: f16, bf16 and f32 as float; integers and bool as 64-bit
/// integers.
struct FileTensor
{
    std::string name; ///< UTF-8, unchanged but for the ending ".npy" of archive members
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape; ///< as in the file; row-major data whatever the file's own order
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>,
                 std::vector<std::uint64_t>, std::vector<std::string>>
        data;
    std::vector<bool> missing; ///< JSON null, empty CSV cells; empty = none missing

    std::int64_t size() const;
    /// Any number as double (missing = NaN). Asserts for Text.
    double number(std::int64_t index) const;
};

struct FileTensorInfo
{
    std::string name;
    Dtype dtype = Dtype::F32;
    std::vector<std::int64_t> shape;
    std::string unsupported; ///< why it cannot be loaded (object array, unknown dtype); empty = it can
};

/// Numbers that can be used as they lie in a mapped file, row-major.
struct MappedTensor
{
    MappedBytes file;
    std::int64_t offset = 0; ///< of the first number, in bytes
    Tensor::Storage storage = Tensor::Storage::Float32;
};

/// Little-endian, row-major numbers at that place of a file, when they can be used there.
std::optional<MappedTensor> mappedTensor(const ByteSource &source, Dtype dtype, std::int64_t offset);

/// The tensors of one file of any format, found out from its content. Nothing is executed; sizes are checked
/// against the file before anything is allocated.
class TensorFile
{
public:
    virtual ~TensorFile() = default;

    virtual const std::vector<FileTensorInfo> &entries() const = 0;
    /// May be called from any thread.
    virtual Result<FileTensor> load(std::size_t index) const = 0;
    /// Without reading them: float32 and float64 numbers in this machine's byte order, row-major. Nothing for
    /// all others. May be called from any thread.
    virtual std::optional<MappedTensor> map(std::size_t index) const
    {
        static_cast<void>(index);
        return std::nullopt;
    }

    /// Names of the files it consists of, without folders.
    virtual QStringList fileNames() const;

    QString path;                                ///< as given; of several files the first
    std::map<std::string, std::string> metadata; ///< safetensors metadata, our own exports
    std::vector<std::string> rowLabels;          ///< CSV label column; JSON left_text, tokens
    std::vector<std::string> colLabels;          ///< CSV label row; JSON right_text
    std::vector<std::string> notes;              ///< what is odd but did not stop the reading

    /// Thread-safe, as load is.
    std::optional<std::size_t> find(std::string_view name) const;

private:
    mutable std::once_flag m_indexed;
    mutable std::map<std::string, std::size_t, std::less<>> m_index; ///< of entries(), made when first needed
};

/// Opens .npy .npz .safetensors .csv .tsv .json (several files become one set, named by their file names).
/// The format is told from the content; the suffix decides only between text formats.
Result<std::unique_ptr<TensorFile>> openTensorFile(const QString &path);
Result<std::unique_ptr<TensorFile>> openTensorFiles(const QStringList &paths);

/// The same from bytes; `fileName` is for messages, the suffix and the name of a single array.
Result<std::unique_ptr<TensorFile>> openTensorSource(const std::shared_ptr<const ByteSource> &source,
                                                     const QString &fileName);

} // namespace attn
