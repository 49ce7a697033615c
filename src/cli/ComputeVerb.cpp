#include "cli/ComputedInput.h"
#include "cli/Verbs.h"
#include "io/DocumentFile.h"
#include "io/StageExport.h"
#include "io/StateFields.h"
#include "io/StateJson.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// Footprints grow as keys · queries · width; larger ones only on request.
constexpr Index footprintLimit = 1'000'000;

/// What --stages asks for.
struct Wanted
{
    std::vector<Stage> stages;
    bool metrics = true;
    bool footprints = true;
    bool isEverything = true;
};

Result<Wanted> wantedStages(const CommandLine &line, const Snapshot &snapshot)
{
    Wanted wanted;
    if (!line.has(u"--stages"_s)) {
        for (const StageInfo &info : stageTable())
            if (snapshot.stage(info.stage).hasValues())
                wanted.stages.push_back(info.stage);
        wanted.footprints = line.has(u"--footprints"_s) || footprintNumbers(snapshot) <= footprintLimit;
        return wanted;
    }
    wanted.isEverything = false;
    const QStringList names = line.value(u"--stages"_s).split(u',', Qt::SkipEmptyParts);
    wanted.metrics = names.contains("metrics"_L1);
    wanted.footprints = line.has(u"--footprints"_s) || names.contains("footprints"_L1);
    for (const QString &name : names) {
        if (name == "metrics"_L1 || name == "footprints"_L1)
            continue;
        const Result<Stage> stage = availableStage(snapshot, u"--stages"_s, name);
        if (!stage)
            return stage.error();
        wanted.stages.push_back(*stage);
    }
    return wanted;
}

/// The golden form, which can be read again.
QByteArray goldenBytes(const ComputedInput &input, const Wanted &wanted)
{
    const Snapshot &snapshot = *input.snapshot;
    const Experiment &experiment = snapshot.experiment();
    Json json = Json::Object{{"format", "attention-golden"},
                             {"version", 1},
                             {"kind", "forward"},
                             {"title", input.opened.title.toStdString()},
                             {"precision", precisionName(experiment.precision)},
                             {"printed_decimals", decimalsToJson(experiment.decimals)},
                             {"state", stateToJson(experiment)}};
    if (wanted.isEverything) {
        json.set("stages", stagesToJson(snapshot));
    } else {
        Json::Object stages;
        for (const Stage stage : wanted.stages)
            stages.emplace_back(stageName(stage), stageValuesToJson(stage, *snapshot.stage(stage).values));
        json.set("stages", std::move(stages));
    }
    if (wanted.metrics)
        json.set("metrics", metricsToJson(snapshot));
    if (wanted.footprints)
        json.set("footprints", footprintsToJson(input.snapshot));
    return writeJson(json);
}

Result<DataFormat> folderFormat(const QString &format)
{
    if (format == "npy"_L1)
        return DataFormat::Npy;
    if (format == "csv"_L1)
        return DataFormat::Csv;
    return usageError(u"--format: expected npy or csv, found \"%1\""_s.arg(format));
}

Result<QByteArray> fileBytes(const ComputedInput &input, const Wanted &wanted, const QString &out)
{
    if (out.endsWith(".attn"_L1, Qt::CaseInsensitive))
        return documentBytes({input.opened.experiment, input.opened.reference, input.opened.view,
                              input.opened.kind == InputKind::Example ? input.opened.title : QString()});
    const Result<DataFormat> format = dataFormatFromSuffix(out);
    if (!format)
        return usageError(
            u"--out: expected a .json, .npz, .safetensors or .attn file, found \"%1\""_s.arg(out));
    if (*format == DataFormat::Json)
        return goldenBytes(input, wanted);
    return stagesAsFile(*input.snapshot, wanted.stages, *format);
}

} // namespace

Result<VerbResult> runCompute(const CommandLine &line)
{
    const QString out = line.value(u"--out"_s);
    if (out.isEmpty())
        return usageError(u"compute: --out is missing"_s);
    const bool toFolder = line.has(u"--format"_s);
    const Result<DataFormat> format =
        toFolder ? folderFormat(line.value(u"--format"_s)) : Result<DataFormat>(DataFormat::Json);
    if (!format)
        return format.error();
    const Result<ComputedInput> input = computeInput(line);
    if (!input)
        return input.error();
    const Result<Wanted> wanted = wantedStages(line, *input->snapshot);
    if (!wanted)
        return wanted.error();
    VerbResult done;
    done.notes = input->opened.notes;
    if (toFolder) {
        const Result<void> written = writeStagesToFolder(*input->snapshot, wanted->stages, *format, out);
        if (!written)
            return written.error();
        return done;
    }
    const Result<QByteArray> bytes = fileBytes(*input, *wanted, out);
    if (!bytes)
        return bytes.error();
    const Result<void> written = writeFileAtomically(out, *bytes);
    if (!written)
        return written.error();
    return done;
}

} // namespace attn
