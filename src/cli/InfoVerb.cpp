#include "cli/ComputedInput.h"
#include "cli/InputDescription.h"
#include "cli/Verbs.h"
#include "io/Examples.h"

#include <QFileInfo>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

QByteArray exampleList(bool asJson)
{
    if (asJson) {
        Json::Array list;
        for (const ExampleInfo &example : examples())
            list.push_back(Json::Object{{"name", example.name}, {"title", example.title}});
        return writeJson(Json::Object{{"examples", std::move(list)}});
    }
    QByteArray text;
    for (const ExampleInfo &example : examples())
        text += QByteArray("example:") + example.name + '\t' + example.title + '\n';
    return text;
}

/// JSON files hold anything; one without an attention matrix is none of ours. In a file of tensors the names
/// are worth a list even then: they are what --map needs.
Result<void> checkIsAttention(const CommandLine &line, const TensorFile &file, const ImportPlan &plan)
{
    const auto isJson = [](const QString &name) {
        return name.endsWith(u".json"_s, Qt::CaseInsensitive);
    };
    const bool isKnown = std::any_of(plan.tensors.begin(), plan.tensors.end(), [](const ImportSlot &slot) {
        // A list of numbers is no matrix, whatever its name.
        return slot.stage && (slot.axes.size() > 1 || stageInfo(*slot.stage).rows == Axis::One);
    });
    if (isKnown || file.entries().empty() || !std::all_of(line.inputs().begin(), line.inputs().end(), isJson))
        return {};
    const std::string fileName = QFileInfo(line.inputs().first()).fileName().toStdString();
    const std::string &first = file.entries().front().name;
    const auto isEmpty = [](const FileTensorInfo &entry) {
        return std::ranges::find(entry.shape, 0) != entry.shape.end();
    };
    if (std::ranges::all_of(file.entries(), isEmpty))
        return Error{ErrorCode::BadInput, fileName + (file.entries().size() == 1
                                                          ? ": the array is empty: there are no numbers in it"
                                                          : ": all arrays are empty: there are no numbers")};
    return Error{
        ErrorCode::BadInput,
        fileName +
            ": there is no attention in it: expected a matrix named Q, K, V, scores, A, X or the like, "
            "found \"" +
            first + "\"" +
            (file.entries().size() == 1 ? std::string()
                                        : " and " + std::to_string(file.entries().size() - 1) + " others") +
            "; --map STAGE=NAME names one"};
}

/// Whether damage or a wrong header keeps tensors from being read shows only when it is tried. What a failed
/// import wanted is tried one by one, so that the rest can be used.
void markUnreadable(const TensorFile &file, const ImportPlan &plan, InputDescription &description)
{
    for (const ImportSlot &slot : plan.tensors) {
        const auto index = file.find(slot.tensor);
        if (!index || !slot.stage || !file.entries()[*index].unsupported.empty())
            continue;
        const Result<FileTensor> tensor = file.load(*index);
        if (tensor)
            continue;
        InputDescription::Matrix &matrix = description.matrices[*index];
        const std::string place = "tensor \"" + slot.tensor + "\": ";
        const std::size_t at = tensor.error().message.find(place);
        matrix.remark = at == std::string::npos ? tensor.error().message
                                                : tensor.error().message.substr(at + place.size());
        matrix.isReadable = false;
    }
}

/// Tensor files are described also when they cannot be imported as they are.
Result<InputDescription> describeFiles(const CommandLine &line)
{
    Result<std::unique_ptr<TensorFile>> file = openTensorFiles(line.inputs());
    if (!file)
        return file.error();
    Result<ImportPlan> plan = guessImport(**file);
    if (!plan)
        return plan.error();
    const Result<void> corrected = importOptions(line)(*plan);
    if (!corrected)
        return corrected.error();
    if (const Result<void> known = checkIsAttention(line, **file, *plan); !known)
        return known.error();
    InputDescription description = describeTensors(line.inputs().join(u", "_s).toStdString(), **file, *plan);
    const Result<ImportResult> imported = importExperiment(**file, *plan);
    if (!imported) {
        markUnreadable(**file, *plan, description);
        description.notes.push_back("not usable as it is: " + imported.error().message);
    } else {
        description.notes.insert(description.notes.end(), imported->notes.begin(), imported->notes.end());
    }
    return description;
}

Result<InputDescription> describeInput(const CommandLine &line)
{
    const Result<InputKind> kind = inputKind(line.inputs());
    if (!kind)
        return kind.error();
    if (*kind == InputKind::Tensors)
        return describeFiles(line);
    const Result<OpenedInput> opened = openInput(line.inputs());
    if (!opened)
        return opened.error();
    return describeExperiment(line.inputs().first().toStdString(), *opened);
}

} // namespace

Result<VerbResult> runInfo(const CommandLine &line)
{
    if (line.inputs().isEmpty())
        return usageError(u"info: expected a file or example:NAME"_s);
    const bool asJson = line.has(u"--json"_s);
    if (line.inputs() == QStringList{u"example:"_s})
        return VerbResult{exampleList(asJson), {}};
    const Result<InputDescription> description = describeInput(line);
    if (!description)
        return description.error();
    return VerbResult{asJson ? writeJson(descriptionJson(*description))
                             : QByteArray::fromStdString(descriptionText(*description)),
                      {}};
}

} // namespace attn
