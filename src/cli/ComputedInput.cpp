#include "cli/ComputedInput.h"

#include "base/NumberText.h"
#include "base/SystemMemory.h"
#include "cli/ExperimentOptions.h"
#include "engine/Evaluator.h"

using namespace Qt::StringLiterals;

namespace attn {

Result<ComputedInput> computeInput(const CommandLine &line)
{
    if (line.inputs().isEmpty())
        return usageError(u"expected an input: a file or example:NAME"_s);
    Result<OpenedInput> opened = openInput(line.inputs(), importOptions(line));
    if (!opened)
        return opened.error();
    const bool isImport = opened->kind == InputKind::Tensors;
    if (!isImport)
        for (const QString &option :
             {u"--map"_s, u"--transpose"_s, u"--layer"_s, u"--batch"_s, u"--labels"_s, u"--mask"_s})
            if (line.has(option))
                return usageError(option + u": only for tensor files"_s);
    const std::string file = line.inputs().first().toStdString();
    Result<Experiment> experiment = withOptions(opened->experiment, line, isImport);
    if (!experiment)
        return experiment.error().code == ErrorCode::Usage
                   ? experiment.error()
                   : Error{experiment.error().code, file + ": " + experiment.error().message};
    constexpr double gigabyte = 1e9;
    if (const double needed = estimatedBytes(*experiment); needed > systemMemoryBytes())
        return Error{ErrorCode::TooLarge, file + ": computing this needs about " +
                                              displayText(needed / gigabyte, 1) + " GB of memory, " +
                                              displayText(systemMemoryBytes() / gigabyte, 1) +
                                              " GB are there"};
    ComputedInput input;
    input.opened = std::move(*opened);
    input.opened.experiment = std::move(*experiment);
    input.snapshot =
        Evaluator().evaluate(std::make_shared<const Experiment>(input.opened.experiment), Generation{1});
    if (!input.snapshot->problem().empty())
        return Error{ErrorCode::ShapeMismatch, file + ": " + input.snapshot->problem()};
    return input;
}

Result<Stage> availableStage(const Snapshot &snapshot, const QString &option, const QString &name)
{
    const std::optional<Stage> stage = stageFromName(name.toStdString());
    if (!stage)
        return usageError(u"%1: there is no stage \"%2\""_s.arg(option, name));
    const StageState &state = snapshot.stage(*stage);
    if (state.hasValues())
        return *stage;
    const std::string why = state.reason.empty() ? "it is not part of this experiment" : state.reason;
    return Error{ErrorCode::NotFound, option.toStdString() + ": " + name.toStdString() + ": " + why};
}

} // namespace attn
