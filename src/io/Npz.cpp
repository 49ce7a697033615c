// numpy.savez archives: a zip archive (see ZipArchive) with one member NAME.npy per array (see Npy). NAME may
// contain anything, slashes included.
#include "io/Npz.h"

#include "io/Elements.h"
#include "io/ExportMetadata.h"
#include "io/Npy.h"
#include "io/ZipArchive.h"

#include <set>

namespace attn {

namespace {

std::span<const char> spanOf(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

class NpzFile : public TensorFile
{
public:
    NpzFile(std::string fileName, ZipArchive archive)
        : m_fileName(std::move(fileName))
        , m_archive(std::move(archive))
    {
    }

    Result<void> readHeaders();

    const std::vector<FileTensorInfo> &entries() const override { return m_entries; }
    Result<FileTensor> load(std::size_t index) const override;

private:
    FileTensorInfo inspected(const ZipMember &member, std::string name) const;
    Result<std::string> readText(const ZipMember &member) const;
    Error memberError(const std::string &name, const Error &error) const
    {
        return {error.code, m_fileName + ": tensor \"" + name + "\": " + error.message};
    }

    std::string m_fileName;
    ZipArchive m_archive;
    std::vector<FileTensorInfo> m_entries;
    std::vector<std::size_t> m_members; ///< of each entry
};

/// dtype and shape of a member, or why it cannot be read.
FileTensorInfo NpzFile::inspected(const ZipMember &member, std::string name) const
{
    FileTensorInfo info{std::move(name), Dtype::F32, {}, {}};
    constexpr std::int64_t usualHeader = 4096;
    auto start = m_archive.readStart(member, usualHeader);
    auto header = start ? parseNpyHeader(spanOf(*start)) : Result<NpyHeader>(start.error());
    if (start && !header && header.error().code == ErrorCode::Damaged && member.size > usualHeader) {
        start = m_archive.readStart(member, npyHeaderLimit + 12);
        header = start ? parseNpyHeader(spanOf(*start)) : Result<NpyHeader>(start.error());
    }
    if (!header) {
        info.unsupported = header.error().message;
        return info;
    }
    info.dtype = header->dtype;
    info.shape = header->shape;
    const std::int64_t available = member.size - header->dataOffset;
    if (header->count > 0 && header->itemBytes > available / header->count)
        info.unsupported = "shape " + shapeListText(header->shape) + " of " + dtypeName(header->dtype) +
                           " needs more bytes than the member has (" + std::to_string(member.size) + ")";
    return info;
}

/// The one text of a scalar array.
Result<std::string> NpzFile::readText(const ZipMember &member) const
{
    const auto bytes = m_archive.read(member);
    if (!bytes)
        return bytes.error();
    const auto tensor = parseNpy(spanOf(*bytes), member.name);
    if (!tensor)
        return tensor.error();
    const auto &texts = std::get<std::vector<std::string>>(tensor->data);
    return texts.empty() ? std::string() : texts.front();
}

Result<void> NpzFile::readHeaders()
{
    std::set<std::string> names;
    std::string firstProblem;
    bool anyUsable = false;
    for (std::size_t i = 0; i < m_archive.members().size(); ++i) {
        const ZipMember &member = m_archive.members()[i];
        constexpr std::string_view ending = ".npy";
        if (!member.name.ends_with(ending)) {
            notes.push_back(m_fileName + ": member \"" + member.name + "\" is not an array and is skipped");
            continue;
        }
        std::string name = member.name.substr(0, member.name.size() - ending.size());
        if (!names.insert(name).second)
            return Error{ErrorCode::Damaged, m_fileName + ": the name \"" + name + "\" is there twice"};
        FileTensorInfo info = inspected(member, std::move(name));
        if (info.name == exportMetadataMember && info.dtype == Dtype::Text && info.unsupported.empty()) {
            if (const auto text = readText(member); text)
                metadata[exportMetadataKey] = *text;
            else
                return memberError(info.name, text.error());
            continue;
        }
        if (info.unsupported.empty()) {
            anyUsable = true;
        } else {
            const std::string problem = "tensor \"" + info.name + "\": " + info.unsupported;
            notes.push_back(m_fileName + ": " + problem);
            if (firstProblem.empty())
                firstProblem = problem;
        }
        m_entries.push_back(std::move(info));
        m_members.push_back(i);
    }
    if (m_entries.empty())
        return Error{ErrorCode::BadInput, m_fileName + ": there is no array in this archive"};
    if (!anyUsable)
        return Error{ErrorCode::Unsupported, m_fileName + ": " + firstProblem};
    return {};
}

Result<FileTensor> NpzFile::load(std::size_t index) const
{
    const FileTensorInfo &info = m_entries[index];
    if (!info.unsupported.empty())
        return memberError(info.name, {ErrorCode::Unsupported, info.unsupported});
    const auto bytes = m_archive.read(m_archive.members()[m_members[index]]);
    if (!bytes)
        return memberError(info.name, bytes.error());
    auto tensor = parseNpy(spanOf(*bytes), info.name);
    return tensor ? tensor : memberError(info.name, tensor.error());
}

} // namespace

Result<std::unique_ptr<TensorFile>> openNpzFile(ByteSourcePtr source)
{
    const std::string fileName = source->name();
    auto archive = ZipArchive::open(std::move(source));
    if (!archive)
        return Error{archive.error().code, fileName + ": " + archive.error().message};
    auto file = std::make_unique<NpzFile>(fileName, std::move(*archive));
    if (const auto read = file->readHeaders(); !read)
        return read.error();
    return std::unique_ptr<TensorFile>(std::move(file));
}

} // namespace attn
