#include "cli/ExperimentOptions.h"

#include "base/NumberText.h"
#include "engine/CellReference.h"
#include "engine/Edit.h"

#include <limits>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

Result<std::optional<Index>> windowLimit(const QString &text)
{
    const QString limit = text.trimmed();
    if (limit.isEmpty() || limit == "any"_L1 || limit == "none"_L1)
        return std::optional<Index>();
    bool isInteger = false;
    const qint64 value = limit.toLongLong(&isInteger);
    if (!isInteger)
        return usageError(u"--window: expected LEFT,RIGHT, found \"%1\""_s.arg(text));
    return std::optional<Index>(value);
}

Result<Edit> windowEdit(const QString &text)
{
    if (text == "none"_L1)
        return Edit(SetWindow{});
    const QStringList limits = text.split(u',');
    if (limits.size() != 2)
        return usageError(u"--window: expected LEFT,RIGHT, found \"%1\""_s.arg(text));
    const Result<std::optional<Index>> left = windowLimit(limits[0]);
    const Result<std::optional<Index>> right = windowLimit(limits[1]);
    if (!left || !right)
        return left ? right.error() : left.error();
    return Edit(SetWindow{Window{*left, *right}});
}

Result<Edit> rotaryEdit(const QString &text)
{
    const QStringList parts = text.split(u':');
    Rotary rotary;
    if (text == "none"_L1)
        return Edit(SetRotary{});
    if (parts[0] == "half"_L1)
        rotary.pairing = Rotary::Pairing::Half;
    else if (parts[0] != "interleaved"_L1)
        return usageError(u"--rope: expected interleaved, half or none, found \"%1\""_s.arg(parts[0]));
    if (parts.size() > 1) {
        const std::optional<double> base = parseNumber(parts[1].toStdString());
        if (!base)
            return usageError(u"--rope: expected a number as base, found \"%1\""_s.arg(parts[1]));
        rotary.base = *base;
    }
    if (parts.size() > 2) {
        bool isInteger = false;
        rotary.rotDim = parts[2].toLongLong(&isInteger);
        if (!isInteger)
            return usageError(u"--rope: expected a number of columns, found \"%1\""_s.arg(parts[2]));
    }
    if (parts.size() > 3)
        return usageError(u"--rope: expected at most two colons, found \"%1\""_s.arg(text));
    return Edit(SetRotary{rotary});
}

Result<Edit> cellEdit(const Experiment &experiment, const QString &text)
{
    const Error formError = usageError(u"--set: expected STAGE[row,col]=NUMBER, found \"%1\""_s.arg(text));
    const qsizetype end = text.lastIndexOf(u"]="_s);
    const qsizetype bracket = text.indexOf(u'[');
    if (end < 0 || bracket <= 0)
        return formError;
    const QString name = text.left(bracket).trimmed();
    if (!stageFromName(name.toStdString()))
        return usageError(u"--set: there is no stage \"%1\""_s.arg(name));
    const Result<CellReference> reference =
        cellReferenceFrom(experiment, text.left(end + 1).toStdString(), {});
    if (!reference)
        return reference.error().code == ErrorCode::Usage ? formError : reference.error();
    const QString number = text.mid(end + 2);
    const std::optional<double> value = parseNumber(number.toStdString());
    if (!value)
        return usageError(u"--set: expected a number, found \"%1\""_s.arg(number));
    return typedEdit(experiment, reference->stage, {{reference->cell, *value}});
}

Edit withoutMask()
{
    Compound edit{{SetCausal{false}, SetWindow{}}};
    for (const StageInfo &info : stageTable())
        if (info.kind == StageKind::Mask)
            edit.edits.push_back(SetTensor{info.stage, {}});
    return edit;
}

Edit withoutPins(const Experiment &experiment)
{
    Compound edit;
    for (const auto &[stage, pins] : experiment.pins)
        edit.edits.push_back(UnpinStage{stage});
    return edit;
}

/// Carries out one option after the other; the first error stays.
class OptionRun
{
public:
    explicit OptionRun(Experiment experiment)
        : m_result(std::move(experiment))
    {
    }

    void apply(const QString &option, const Result<Edit> &edit)
    {
        if (!m_result.ok())
            return;
        if (!edit) {
            m_result = named(option, edit.error());
            return;
        }
        Result<EditOutcome> outcome = applyEdit(*m_result, *edit);
        if (outcome)
            m_result = std::move(outcome->experiment);
        else
            m_result = named(option, outcome.error());
    }

    void fail(const Error &error)
    {
        if (m_result.ok())
            m_result = error;
    }

    bool ok() const { return m_result.ok(); }
    const Experiment &experiment() const { return *m_result; }
    Result<Experiment> take() { return std::move(m_result); }

private:
    static Error named(const QString &option, const Error &error)
    {
        if (error.code == ErrorCode::Usage)
            return error;
        return {error.code, option.toStdString() + ": " + error.message};
    }

    Result<Experiment> m_result;
};

void applyHeads(OptionRun &run, const CommandLine &line)
{
    const auto heads = line.integer(u"--heads"_s, 1);
    const auto kvHeads = line.integer(u"--kv-heads"_s, 1);
    if (!heads || !kvHeads) {
        run.fail(heads ? kvHeads.error() : heads.error());
        return;
    }
    if (!run.ok() || (!*heads && !*kvHeads))
        return;
    const Experiment &experiment = run.experiment();
    const bool wasShared = experiment.nKvHeads != experiment.nHeads;
    const Index newHeads = heads->value_or(experiment.nHeads);
    run.apply(u"--heads"_s,
              Edit(SetHeads{newHeads, kvHeads->value_or(wasShared ? experiment.nKvHeads : newHeads), {}}));
}

void applyScale(OptionRun &run, const CommandLine &line)
{
    if (!line.has(u"--scale"_s))
        return;
    const QString text = line.value(u"--scale"_s);
    if (text == "none"_L1 || text == "default"_L1) {
        // "none" leaves the scores as they are; "default" is 1/sqrt(d_k).
        run.apply(u"--scale"_s, Edit(SetScale{text == "none"_L1 ? std::optional(1.0) : std::nullopt}));
        return;
    }
    const auto scale = line.number(u"--scale"_s);
    if (scale)
        run.apply(u"--scale"_s, Edit(SetScale{*scale}));
    else
        run.fail(scale.error());
}

} // namespace

Result<std::optional<Precision>> precisionOption(const CommandLine &line)
{
    if (!line.has(u"--precision"_s))
        return std::optional<Precision>();
    const QString text = line.value(u"--precision"_s);
    if (text == "f32"_L1)
        return std::optional(Precision::Float32);
    if (text == "f64"_L1)
        return std::optional(Precision::Float64);
    return usageError(u"--precision: expected f32 or f64, found \"%1\""_s.arg(text));
}

Result<Experiment> withOptions(const Experiment &experiment, const CommandLine &line, bool headsAreSet)
{
    OptionRun run(experiment);
    const auto precision = precisionOption(line);
    if (!precision)
        return precision.error();
    if (*precision)
        run.apply(u"--precision"_s, Edit(SetPrecision{**precision}));
    if (line.has(u"--no-pins"_s))
        run.apply(u"--no-pins"_s, withoutPins(experiment));
    if (line.has(u"--no-mask"_s))
        run.apply(u"--no-mask"_s, withoutMask());
    if (!headsAreSet)
        applyHeads(run, line);
    applyScale(run, line);
    if (line.has(u"--causal"_s))
        run.apply(u"--causal"_s, Edit(SetCausal{true}));
    if (line.has(u"--window"_s))
        run.apply(u"--window"_s, windowEdit(line.value(u"--window"_s)));
    const auto offset = line.integer(u"--q-offset"_s, std::numeric_limits<qint32>::min());
    if (!offset)
        return offset.error();
    if (*offset)
        run.apply(u"--q-offset"_s, Edit(SetQOffset{**offset}));
    if (line.has(u"--rope"_s))
        run.apply(u"--rope"_s, rotaryEdit(line.value(u"--rope"_s)));
    for (const QString &cell : line.values(u"--set"_s))
        if (run.ok())
            run.apply(u"--set"_s, cellEdit(run.experiment(), cell));
    return run.take();
}

} // namespace attn
