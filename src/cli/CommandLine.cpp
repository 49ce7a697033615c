#include "cli/CommandLine.h"

#include "base/NumberText.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// Which verbs take an option, as bits.
enum Verbs : unsigned
{
    info = 1,
    compute = 2,
    render = 4,
    convert = 8,
    replay = 16,
    opening = info | compute | render,
    computing = compute | render,
};

struct OptionInfo
{
    const char *name;
    bool takesValue;
    unsigned verbs;
};

constexpr std::array optionTable = {
    OptionInfo{"--json", false, info},
    OptionInfo{"--out", true, compute | render | replay},
    OptionInfo{"--format", true, compute | convert},
    OptionInfo{"--stages", true, compute},
    OptionInfo{"--footprints", false, compute},
    OptionInfo{"--view", true, render},
    OptionInfo{"--page", true, render},
    OptionInfo{"--lengths", false, render},
    OptionInfo{"--stage", true, render},
    OptionInfo{"--product", true, render},
    OptionInfo{"--cell", true, render},
    OptionInfo{"--head", true, render},
    OptionInfo{"--row", true, render},
    OptionInfo{"--step", true, render},
    OptionInfo{"--measure", true, render},
    OptionInfo{"--with", true, render},
    OptionInfo{"--size", true, render},
    OptionInfo{"--dpi", true, render},
    OptionInfo{"--theme", true, render},
    OptionInfo{"--range", true, render},
    OptionInfo{"--colormap", true, render},
    OptionInfo{"--values", true, render},
    OptionInfo{"--set", true, computing},
    OptionInfo{"--heads", true, opening},
    OptionInfo{"--kv-heads", true, opening},
    OptionInfo{"--scale", true, computing},
    OptionInfo{"--causal", false, computing},
    OptionInfo{"--no-mask", false, computing},
    OptionInfo{"--window", true, computing},
    OptionInfo{"--mask", true, opening},
    OptionInfo{"--q-offset", true, computing},
    OptionInfo{"--rope", true, computing},
    OptionInfo{"--precision", true, computing | replay},
    OptionInfo{"--no-pins", false, computing},
    OptionInfo{"--map", true, opening},
    OptionInfo{"--transpose", true, opening},
    OptionInfo{"--layer", true, opening},
    OptionInfo{"--batch", true, opening},
    OptionInfo{"--labels", true, opening | convert},
};

struct VerbInfo
{
    const char *name;
    Verb verb;
    unsigned bit;
};

constexpr std::array verbTable = {
    VerbInfo{"info", Verb::Info, info},       VerbInfo{"compute", Verb::Compute, compute},
    VerbInfo{"render", Verb::Render, render}, VerbInfo{"convert", Verb::Convert, convert},
    VerbInfo{"replay", Verb::Replay, replay},
};

const OptionInfo *findOption(const QString &name)
{
    const auto *found = std::find_if(optionTable.begin(), optionTable.end(), [&](const OptionInfo &option) {
        return name == QLatin1String(option.name);
    });
    return found == optionTable.end() ? nullptr : found;
}

const VerbInfo *findVerb(const QString &name)
{
    const auto *found = std::find_if(verbTable.begin(), verbTable.end(),
                                     [&](const VerbInfo &verb) { return name == QLatin1String(verb.name); });
    return found == verbTable.end() ? nullptr : found;
}

/// "compute and render"
QString verbNames(unsigned verbs)
{
    QStringList names;
    for (const VerbInfo &verb : verbTable)
        if ((verbs & verb.bit) != 0)
            names.append(QLatin1String(verb.name));
    const QString last = names.takeLast();
    return names.isEmpty() ? last : QString(names.join(u", "_s) + u" and "_s + last);
}

} // namespace

Error usageError(const QString &message)
{
    return {ErrorCode::Usage, message.toStdString()};
}

Result<CommandLine> CommandLine::parse(const QStringList &arguments)
{
    if (arguments.isEmpty())
        return usageError(u"expected info, compute, render, convert or replay"_s);
    const VerbInfo *verb = findVerb(arguments.first());
    if (!verb)
        return usageError(
            u"\"%1\": expected info, compute, render, convert or replay"_s.arg(arguments.first()));
    CommandLine line;
    line.m_verb = verb->verb;
    bool onlyInputs = false;
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        const QString &word = arguments[i];
        if (onlyInputs || !word.startsWith("--"_L1)) {
            line.m_inputs.append(word);
            continue;
        }
        if (word == "--"_L1) {
            onlyInputs = true;
            continue;
        }
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.left(equals);
        const OptionInfo *option = findOption(name);
        if (!option)
            return usageError(name + u": there is no such option"_s);
        if ((option->verbs & verb->bit) == 0)
            return usageError(
                u"%1: no option of %2, only of %3"_s.arg(name, arguments.first(), verbNames(option->verbs)));
        if (!option->takesValue && equals >= 0)
            return usageError(name + u": takes no value"_s);
        if (option->takesValue && equals < 0 && i + 1 >= arguments.size())
            return usageError(name + u": a value is missing"_s);
        QStringList &values = line.m_values[name];
        if (option->takesValue)
            values.append(equals >= 0 ? word.mid(equals + 1) : arguments[++i]);
    }
    return line;
}

QString CommandLine::value(const QString &name) const
{
    const QStringList given = values(name);
    return given.isEmpty() ? QString() : given.last();
}

Result<std::optional<double>> CommandLine::number(const QString &name) const
{
    if (!has(name))
        return std::optional<double>();
    const QString text = value(name);
    const std::optional<double> parsed = parseNumber(text.toStdString());
    if (!parsed)
        return usageError(u"%1: expected a number, found \"%2\""_s.arg(name, text));
    return parsed;
}

Result<std::optional<qint64>> CommandLine::integer(const QString &name, qint64 lowest) const
{
    if (!has(name))
        return std::optional<qint64>();
    const QString text = value(name);
    bool isInteger = false;
    const qint64 parsed = text.toLongLong(&isInteger);
    if (!isInteger || parsed < lowest)
        return usageError(u"%1: expected a whole number from %2 on, found \"%3\""_s.arg(
            name, QString::number(lowest), text));
    return std::optional<qint64>(parsed);
}

QString helpText()
{
    return uR"(attnscope-cli: attention, computed, drawn and converted without a window

  attnscope-cli info    IN [--json]
  attnscope-cli compute IN --out FILE.{json,npz,safetensors,attn} | --out DIR --format {npy,csv}
                           [--stages A,output] [--footprints]
  attnscope-cli render  IN --view {board,heads,footprints,masks,products,flow,compare,stage,decode,softmax,scaling,
                            tokens,positions,orthogonality,vectors,maps,weights}
                           [--product {q,k,v,scores,head_out,output,free}] [--cell ROW,COL] [--stage A] [--head 0] [--row 0] [--step N] [--with B]
                           [--page NAME] [--lengths] [--measure {weight,length,rollout}]
                           --out FILE.{png,svg,pdf}
  attnscope-cli convert IN OUT.{npz,safetensors,json} | IN DIR --format {npy,csv}
  attnscope-cli replay  EDITS.json --out DIR

IN      a document (.attn), tensor files (.npy .npz .safetensors .csv .tsv .json), a JSON state, or example:NAME
        (attnscope-cli info example: lists them)
set     --set 'X[1,3]=0.7' --set 'A[0,1,3]=0.7' --set 'A[head 1: love, prog]=0.7'   [row,col], [head,row,col] or
        [head: row,col]; each a label as shown (love, f3, head 1) or a place counted from 0; labels that are numbers
        or hold , : [ ] in double quotes (A["2", love]); a computed stage is pinned
        --heads N --kv-heads N --scale S|none --causal --no-mask --window LEFT,RIGHT ("any" = no limit)
        --mask NAME[:keep|drop|add] --q-offset N --rope interleaved|half|none[:BASE[:COLUMNS]]
        --precision f32|f64 --no-pins
        (taken by compute and render; --heads, --kv-heads and --mask also by info)
import  --map Wq=NAME --transpose Wq --layer N --batch N --labels FILE
pages   heads: grid, cut, single, combine, patterns; vectors: plane, space (or two rows of --stage);
        maps: map, compose, factors
render  --size MM --dpi N --theme light|dark --range LOW:HIGH|shared|head --colormap NAME --values N|none
compare A is IN, computed; B is the input given by --with FILE (or example:NAME), computed, or without it the
        results that IN holds beside its inputs
exit    0 done, 1 bad input (one line on stderr), 2 wrong usage
)"_s;
}

} // namespace attn
