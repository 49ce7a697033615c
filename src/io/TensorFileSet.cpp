#include "io/TensorFileSet.h"

#include <QFileInfo>

#include <map>
#include <set>

namespace attn {

namespace {

class TensorFileSet : public TensorFile
{
public:
    explicit TensorFileSet(std::vector<std::unique_ptr<TensorFile>> files)
        : m_files(std::move(files))
    {
    }

    Result<void> collect();

    const std::vector<FileTensorInfo> &entries() const override { return m_entries; }

    Result<FileTensor> load(std::size_t index) const override
    {
        const Place &place = m_places[index];
        auto tensor = m_files[place.file]->load(place.entry);
        if (tensor)
            tensor->name = m_entries[index].name;
        return tensor;
    }

    QStringList fileNames() const override
    {
        QStringList names;
        for (const auto &file : m_files)
            names += file->fileNames();
        return names;
    }

    std::optional<MappedTensor> map(std::size_t index) const override
    {
        return m_files[m_places[index].file]->map(m_places[index].entry);
    }

private:
    struct Place
    {
        std::size_t file = 0;
        std::size_t entry = 0;
    };

    std::vector<std::unique_ptr<TensorFile>> m_files;
    std::vector<FileTensorInfo> m_entries;
    std::vector<Place> m_places;
};

Result<void> TensorFileSet::collect()
{
    std::map<std::string, int> uses;
    for (const auto &file : m_files)
        for (const FileTensorInfo &info : file->entries())
            ++uses[info.name];
    std::set<std::string> names;
    for (std::size_t f = 0; f < m_files.size(); ++f) {
        const TensorFile &file = *m_files[f];
        const std::string fileName = QFileInfo(file.path).fileName().toStdString();
        for (std::size_t e = 0; e < file.entries().size(); ++e) {
            FileTensorInfo info = file.entries()[e];
            if (uses[info.name] > 1)
                info.name = fileName + ":" + info.name;
            if (!names.insert(info.name).second)
                return Error{ErrorCode::BadInput,
                             fileName + ": the name \"" + info.name + "\" is there twice"};
            m_entries.push_back(std::move(info));
            m_places.push_back({f, e});
        }
        if (rowLabels.empty())
            rowLabels = file.rowLabels;
        if (colLabels.empty())
            colLabels = file.colLabels;
        metadata.insert(file.metadata.begin(), file.metadata.end());
        notes.insert(notes.end(), file.notes.begin(), file.notes.end());
    }
    path = m_files.front()->path;
    return {};
}

} // namespace

Result<std::unique_ptr<TensorFile>> joinTensorFiles(std::vector<std::unique_ptr<TensorFile>> files)
{
    auto set = std::make_unique<TensorFileSet>(std::move(files));
    if (const auto collected = set->collect(); !collected)
        return collected.error();
    return std::unique_ptr<TensorFile>(std::move(set));
}

} // namespace attn
