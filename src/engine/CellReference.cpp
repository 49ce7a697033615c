#include "engine/CellReference.h"

#include "base/VisibleLabel.h"
#include "engine/Derivation.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

namespace attn {

namespace {

/// One label or place of a reference.
struct ReferencePart
{
    std::string text;
    bool isQuoted = false;
    bool endsHead = false; ///< a colon follows
};

std::string_view trimmed(std::string_view text)
{
    const auto isBlank = [](char c) {
        return c == ' ' || c == '\t';
    };
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::optional<Index> placeIn(std::string_view text)
{
    Index place = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), place);
    if (error != std::errc() || end != text.data() + text.size() || place < 0)
        return std::nullopt;
    return place;
}

/// The text of a quoted part; none when the quotes do not close at its end.
std::optional<std::string> unquoted(std::string_view text)
{
    std::string label;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] != '"')
            label += text[i];
        else if (i + 1 < text.size() && text[i + 1] == '"')
            label += text[++i];
        else
            return i + 1 == text.size() ? std::optional(label) : std::nullopt;
    }
    return std::nullopt;
}

/// Where the first comma or colon outside quotes stands; npos: nowhere.
std::size_t separatorIn(std::string_view text)
{
    bool isInside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"')
            isInside = !isInside;
        else if (!isInside && (text[i] == ',' || text[i] == ':'))
            return i;
    }
    return std::string_view::npos;
}

std::optional<std::vector<ReferencePart>> partsOf(std::string_view text)
{
    std::vector<ReferencePart> parts;
    while (true) {
        const std::size_t end = separatorIn(text);
        const std::string_view piece = trimmed(text.substr(0, end));
        if (piece.empty())
            return std::nullopt;
        ReferencePart part{std::string(piece), piece.front() == '"', false};
        if (part.isQuoted) {
            std::optional<std::string> label = unquoted(piece);
            if (!label)
                return std::nullopt;
            part.text = std::move(*label);
        }
        const bool isLast = end == std::string_view::npos;
        part.endsHead = !isLast && text[end] == ':';
        parts.push_back(std::move(part));
        if (isLast)
            return parts;
        text.remove_prefix(end + 1);
    }
}

/// The labels along an axis, by place.
using LabelAt = std::function<std::string(Index)>;

/// Places whose label is this one; else those whose label is it but for blanks around (" love").
std::vector<Index> placesOf(const std::string &label, Index count, const LabelAt &labelAt)
{
    std::vector<Index> exact;
    std::vector<Index> loose;
    for (Index i = 0; i < count; ++i) {
        const std::string found = labelAt(i);
        if (found == label)
            exact.push_back(i);
        else if (trimmed(found) == label)
            loose.push_back(i);
    }
    return exact.empty() ? loose : exact;
}

/// How many labels an axis has.
Index labelCount(const Experiment &experiment, Axis axis)
{
    switch (axis) {
    case Axis::Query:
        return experiment.tokens.size();
    case Axis::Key:
        return experiment.keyTokens().size();
    case Axis::Head:
        return experiment.nHeads;
    default:
        return 0;
    }
}

/// "f3", "head 2": a number counted from 1 behind a fixed word.
std::optional<Index> numbered(std::string_view label, std::string_view word)
{
    if (!label.starts_with(word))
        return std::nullopt;
    const auto number = placeIn(trimmed(label.substr(word.size())));
    return number && *number >= 1 ? std::optional(*number - 1) : std::nullopt;
}

class ReferenceReader
{
public:
    ReferenceReader(const Experiment &experiment, Stage stage)
        : m_experiment(experiment)
        , m_stage(stage)
    {
    }

    Result<Index> head(const ReferencePart &part) const
    {
        if (!part.isQuoted)
            if (const auto place = placeIn(part.text))
                return *place;
        for (const std::string_view word : {"head", "KV head"})
            if (const auto number = numbered(part.text, word))
                return *number;
        return unknown("head", part.text);
    }

    Result<Index> line(const ReferencePart &part, bool isRow) const
    {
        if (!part.isQuoted)
            if (const auto place = placeIn(part.text))
                return *place;
        const Axis axis = isRow ? stageInfo(m_stage).rows : stageInfo(m_stage).cols;
        const bool isTokens = axis == Axis::Query || axis == Axis::Key;
        if (!isTokens) {
            const auto number = numbered(part.text, axis == Axis::Head ? "head" : "f");
            return number ? Result<Index>(*number)
                          : unknown(axis == Axis::Head ? "head" : "feature", part.text);
        }
        const auto labelAt = [&](Index i) {
            return isRow ? rowLabel(m_experiment, m_stage, i) : colLabel(m_experiment, m_stage, i);
        };
        std::vector<Index> places = placesOf(part.text, labelCount(m_experiment, axis), labelAt);
        if (places.empty()) // as it is shown, "␣"
            places = placesOf(part.text, labelCount(m_experiment, axis),
                              [&](Index i) { return visibleLabel(labelAt(i)); });
        if (places.empty())
            return unknown("token", part.text);
        if (places.size() > 1)
            return Error{ErrorCode::BadInput,
                         std::string(stageName(m_stage)) + ": \"" + part.text + "\" names the tokens at " +
                             std::to_string(places[0]) + " and " + std::to_string(places[1]) +
                             (places.size() > 2 ? " and others" : "") + ", counted from 0: write the place"};
        return places.front();
    }

private:
    Error unknown(const char *what, const std::string &label) const
    {
        return {ErrorCode::BadInput,
                std::string(stageName(m_stage)) + ": no " + what + " is called \"" + label + "\""};
    }

    const Experiment &m_experiment;
    Stage m_stage;
};

Error formError(std::string_view text)
{
    return {ErrorCode::Usage, "expected STAGE[row,col], found \"" + std::string(text) + "\""};
}

/// A label as it is written: in quotes where it would be read as something else.
std::string writtenLabel(const std::string &label)
{
    const bool isPlain = !label.empty() && trimmed(label) == label && !placeIn(label) &&
                         label.find_first_of("\",:[]=") == std::string::npos;
    if (isPlain)
        return label;
    std::string quoted = "\"";
    for (const char c : label)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string writtenLine(const Experiment &experiment, Stage stage, Index place, bool isRow)
{
    const std::string label = isRow ? rowLabel(experiment, stage, place) : colLabel(experiment, stage, place);
    const std::string written = writtenLabel(label);
    const auto back =
        ReferenceReader(experiment, stage).line({label, written.starts_with('"'), false}, isRow);
    return back && *back == place ? written : std::to_string(place);
}

} // namespace

Result<CellReference> cellReferenceFrom(const Experiment &experiment, std::string_view text,
                                        const ReferenceDefaults &defaults)
{
    std::string_view inside = trimmed(text);
    const std::size_t bracket = inside.find('[');
    const bool isNamed = bracket != std::string_view::npos && bracket < inside.find('"');
    CellReference reference{defaults.stage.value_or(Stage::X), {defaults.head, 0, 0}};
    if (isNamed) {
        if (!inside.ends_with(']'))
            return formError(text);
        const std::string name(trimmed(inside.substr(0, bracket)));
        const auto stage = name.empty() ? defaults.stage : stageFromName(name);
        if (!stage)
            return Error{ErrorCode::BadInput, "there is no stage \"" + name + "\""};
        reference.stage = *stage;
        inside = inside.substr(bracket + 1, inside.size() - bracket - 2);
    } else if (!defaults.stage) {
        return formError(text);
    }
    auto parts = partsOf(inside);
    if (!parts)
        return formError(text);
    const ReferenceReader reader(experiment, reference.stage);
    const bool hasHead = parts->front().endsHead || parts->size() == 3;
    if (std::any_of(parts->begin() + 1, parts->end(), [](const auto &part) { return part.endsHead; }))
        return formError(text);
    if (hasHead) {
        const Result<Index> head = reader.head(parts->front());
        if (!head)
            return head.error();
        reference.cell.head = *head;
        parts->erase(parts->begin());
    }
    const bool hasOneRow = stageInfo(reference.stage).rows == Axis::One;
    if (parts->size() != 2 && !(hasOneRow && parts->size() == 1))
        return formError(text);
    if (parts->size() == 2) {
        const Result<Index> row = reader.line(parts->front(), true);
        if (!row)
            return row.error();
        reference.cell.row = *row;
    }
    const Result<Index> col = reader.line(parts->back(), false);
    if (!col)
        return col.error();
    reference.cell.col = *col;
    return reference;
}

std::string cellReferenceText(const Experiment &experiment, Stage stage, const CellIndex &cell)
{
    const std::string whole = cellName(experiment, stage, cell);
    // The name shows whether this stage has heads to choose from.
    const std::string prefix = std::string(stageName(stage)) + "[";
    std::string head;
    for (const std::string word : {"head ", "KV head "}) {
        const std::string label = word + std::to_string(cell.head + 1) + ": ";
        if (stageInfo(stage).heads != HeadAxis::None && whole.starts_with(prefix + label))
            head = label;
    }
    const std::string row = stageInfo(stage).rows == Axis::One
                                ? std::string()
                                : writtenLine(experiment, stage, cell.row, true) + ", ";
    return prefix + head + row + writtenLine(experiment, stage, cell.col, false) + "]";
}

} // namespace attn
