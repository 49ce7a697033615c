#include "engine/heads/HeadPresets.h"

#include "engine/heads/AttentionRows.h"
#include "engine/heads/Delimiters.h"
#include "engine/heads/HeadCut.h"

#include <algorithm>
#include <optional>
#include <set>

namespace attn {

namespace {

constexpr std::array worked = {
    WorkedRow{"single head", {0.3, 0.1, 0.1, 0.5}},
    WorkedRow{"head A", {0.1, 0.1, 0.1, 0.7}},
    WorkedRow{"head B", {0.6, 0.1, 0.1, 0.2}},
};

Result<void> checkPresetHead(const Snapshot &snapshot, Index head)
{
    const StageState &A = snapshot.stage(Stage::A);
    if (!A.hasValues() || !A.reason.empty())
        return Error{ErrorCode::NotFound, A.reason.empty() ? "there are no weights A here" : A.reason};
    if (head < 0 || head >= A.values->heads())
        return Error{ErrorCode::NotFound, "there is no such head"};
    return {};
}

bool isAllowedKey(const AttentionRow &row, Index key)
{
    return key >= 0 && key < static_cast<Index>(row.allowed.size()) &&
           row.allowed[static_cast<std::size_t>(key)] != 0.0;
}

std::vector<Index> allowedKeys(const AttentionRow &row)
{
    std::vector<Index> keys;
    for (Index key = 0; key < static_cast<Index>(row.allowed.size()); ++key)
        if (isAllowedKey(row, key))
            keys.push_back(key);
    return keys;
}

/// The keys between which a row of the pattern is shared evenly.
std::vector<Index> patternKeys(const AttentionRow &row, HeadPattern pattern, Index offset,
                               const std::vector<Index> &delimiters)
{
    std::vector<Index> keys;
    const auto position = static_cast<Index>(row.position);
    switch (pattern) {
    case HeadPattern::First:
        keys = {0};
        break;
    case HeadPattern::Previous:
        keys = {position - 1};
        break;
    case HeadPattern::Self:
        keys = {position};
        break;
    case HeadPattern::Offset:
        keys = {position - offset};
        break;
    case HeadPattern::Delimiter:
        keys = delimiters;
        break;
    case HeadPattern::Uniform:
        break;
    case HeadPattern::Sink:
        keys = allowedKeys(row);
        keys.resize(std::min<std::size_t>(keys.size(), 1));
        break;
    }
    std::erase_if(keys, [&row](Index key) { return !isAllowedKey(row, key); });
    return keys.empty() ? allowedKeys(row) : keys;
}

std::vector<CellValue> weightCells(Index head, Index firstRow, Index cols, std::span<const double> weights)
{
    std::vector<CellValue> cells;
    cells.reserve(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto place = static_cast<Index>(i);
        cells.push_back({{head, firstRow + place / cols, place % cols}, weights[i]});
    }
    return cells;
}

/// Sets the values of the keys that carry weight to 0.
Result<Edit> silencedValues(const Snapshot &snapshot, Index head, std::span<const double> weights)
{
    const Index keys = snapshot.sizes().nK;
    std::set<Index> used;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] != 0.0)
            used.insert(static_cast<Index>(i) % keys);
    const HeadCut cut = headCut(snapshot.sizes(), head);
    std::vector<CellValue> cells;
    for (const Index key : used)
        for (Index col = cut.value.first; col <= cut.value.last(); ++col)
            cells.push_back({{0, key, col}, 0.0});
    return typedEdit(snapshot.experiment(), Stage::V, std::move(cells));
}

} // namespace

Result<std::vector<double>> patternWeights(const Snapshot &snapshot, Index head, HeadPattern pattern,
                                           const PatternQuestion &question)
{
    const Result<void> isThere = checkPresetHead(snapshot, head);
    if (!isThere)
        return isThere.error();
    const std::vector<HeadPattern> possible = headPatternsOf(snapshot.experiment());
    if (std::find(possible.begin(), possible.end(), pattern) == possible.end())
        return Error{ErrorCode::NotFound,
                     "the keys are of another sequence: no key stands at a query's position"};
    AttentionRows reader(snapshot);
    if (reader.rows() * reader.keys() > mostPresetWeights)
        return Error{ErrorCode::TooLarge, "a head has " + std::to_string(reader.rows() * reader.keys()) +
                                              " weights; at most " + std::to_string(mostPresetWeights) +
                                              " are set by hand"};
    const std::vector<Index> delimiters =
        delimiterTokens(snapshot.experiment().keyTokens(), question.delimiterLabels);
    if (pattern == HeadPattern::Delimiter && delimiters.empty())
        return Error{ErrorCode::NotFound, "no token here is a delimiter"};
    std::vector<double> weights(static_cast<std::size_t>(reader.rows() * reader.keys()), 0.0);
    for (Index i = 0; i < reader.rows(); ++i) {
        const AttentionRow &row = reader.read(head, i);
        const std::vector<Index> keys = patternKeys(row, pattern, question.offset, delimiters);
        for (const Index key : keys)
            weights[static_cast<std::size_t>(i * reader.keys() + key)] =
                1.0 / static_cast<double>(keys.size());
    }
    return weights;
}

Result<Edit> patternEdit(const Snapshot &snapshot, Index head, HeadPattern pattern,
                         const PatternQuestion &question)
{
    const Result<std::vector<double>> weights = patternWeights(snapshot, head, pattern, question);
    if (!weights)
        return weights.error();
    Result<Edit> pinned = typedEdit(snapshot.experiment(), Stage::A,
                                    weightCells(head, 0, snapshot.stage(Stage::A).values->cols(), *weights));
    if (!pinned || pattern != HeadPattern::Sink)
        return pinned;
    Result<Edit> silenced = silencedValues(snapshot, head, *weights);
    if (!silenced)
        return silenced;
    Compound both;
    both.edits.push_back(std::move(*pinned));
    both.edits.push_back(std::move(*silenced));
    return Edit(std::move(both));
}

std::span<const WorkedRow, 3> workedRows()
{
    return worked;
}

std::array<double, 4> meanOfWorkedHeads()
{
    std::array<double, 4> mean{};
    for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = (worked[1].weights[i] + worked[2].weights[i]) / 2.0;
    return mean;
}

Result<Edit> workedRowEdit(const Snapshot &snapshot, Index head, Index row, std::size_t which)
{
    const Result<void> isThere = checkPresetHead(snapshot, head);
    if (!isThere)
        return isThere.error();
    const Shape shape = snapshot.stage(Stage::A).values->shape();
    if (shape.cols != 4)
        return Error{ErrorCode::ShapeMismatch,
                     "a worked row has 4 weights; here are " + std::to_string(shape.cols) + " keys"};
    if (row < 0 || row >= shape.rows || which >= worked.size())
        return Error{ErrorCode::NotFound, "there is no such row"};
    return typedEdit(snapshot.experiment(), Stage::A,
                     weightCells(head, row, shape.cols, worked[which].weights));
}

} // namespace attn
