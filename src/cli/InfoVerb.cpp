#include "cli/ComputedInput.h"
#include "cli/InputDescription.h"
#include "cli/Verbs.h"
#include "io/Examples.h"

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
    InputDescription description = describeTensors(line.inputs().join(u", "_s).toStdString(), **file, *plan);
    const Result<ImportResult> imported = importExperiment(**file, *plan);
    if (!imported)
        description.notes.push_back("not usable as it is: " + imported.error().message);
    else
        description.notes.insert(description.notes.end(), imported->notes.begin(), imported->notes.end());
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
