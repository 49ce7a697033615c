#include "engine/decode/EditReach.h"

#include "engine/Projection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

namespace attn {

namespace {

/// Whether each column of a row comes out otherwise.
using Columns = std::vector<bool>;

/// The same document with other numbers in one row of a stage, in every head.
Experiment withOtherNumbers(const Experiment &experiment, const TokenEdit &edit)
{
    Experiment edited = experiment;
    const Tensor &given = experiment.matrix(edit.stage);
    const Pins &pins = experiment.pinsOf(edit.stage);
    const Shape shape = expectedShape(experiment, edit.stage);
    std::vector<CellValue> cells;
    for (Index head = 0; head < shape.heads; ++head) {
        for (Index col = 0; col < shape.cols; ++col) {
            // Parts of multiples of the golden ratio: no two are alike, and no few of them add up to zero.
            const double multiple = 0.6180339887498949 * static_cast<double>(head * shape.cols + col + 1);
            const double number = 0.5 + multiple - std::floor(multiple);
            const CellIndex cell{head, edit.row, col};
            const bool isThere = given.isNull() ? pins.at(cell) == number
                                                : given.at(head, edit.row, col) == given.rounded(number);
            cells.push_back({cell, isThere ? -number : number});
        }
    }
    if (!given.isNull()) {
        edited.given[edit.stage] = given.withCells(cells);
        return edited;
    }
    for (const auto &[cell, number] : cells)
        edited.pins[edit.stage].set(cell, number);
    return edited;
}

Columns changes(const std::vector<double> &before, const std::vector<double> &after)
{
    Columns changed;
    for (std::size_t c = 0; c < before.size(); ++c)
        changed.push_back(std::bit_cast<std::uint64_t>(before[c]) != std::bit_cast<std::uint64_t>(after[c]));
    return changed;
}

class Reach
{
public:
    Reach(const TokenEdit &edit, const RowForward &forward, const DecodeCosting &costing);

    EditReach upTo(Index fedRows) const;

private:
    bool reachesOutput(Index row) const;
    bool reachesWeights(Index head, Index row) const;
    bool scoreFollows(Index head, Index row, Index key) const;
    bool outputFollows(Index row, Index concatCol) const;
    /// Whether the softmax can give this key a weight other than 0.
    bool isLive(Index head, Index row, Index key) const;
    /// The same of the weight that acts, which may be set by hand.
    bool mayAct(Index head, Index row, Index key) const;
    std::optional<double> pinOf(Stage stage, Index head, Index row, Index col) const
    {
        return m_forward.experiment().pinsOf(stage).at({head, row, col});
    }

    const RowForward &m_forward;
    const DecodeCosting &m_costing;
    const Sizes &m_sizes;
    Index m_token;
    Columns m_query;
    Columns m_key;
    Columns m_value;
    std::vector<bool> m_queryHeads; ///< heads whose part of the query changes
    std::vector<bool> m_keyHeads;   ///< KV heads
};

std::vector<bool> headsOf(const Columns &columns, Index heads)
{
    std::vector<bool> changed(static_cast<std::size_t>(heads), false);
    const std::size_t width = columns.size() / static_cast<std::size_t>(heads);
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (columns[c])
            changed[c / width] = true;
    return changed;
}

Reach::Reach(const TokenEdit &edit, const RowForward &forward, const DecodeCosting &costing)
    : m_forward(forward)
    , m_costing(costing)
    , m_sizes(forward.sizes())
    , m_token(edit.row)
{
    const auto edited = std::make_shared<const Experiment>(withOtherNumbers(forward.experiment(), edit));
    const RowForward after(edited);
    const auto compared = [&](Index rows, Index width, auto &&compute) {
        std::vector<double> old(static_cast<std::size_t>(width));
        std::vector<double> now(old.size());
        if (m_token < rows) {
            compute(m_forward, old.data());
            compute(after, now.data());
        }
        return changes(old, now);
    };
    m_query = compared(m_sizes.nQ, m_sizes.nHeads * m_sizes.dHeadK,
                       [this](const RowForward &rows, double *out) { rows.queryRow(m_token, out); });
    m_key = compared(m_sizes.nK, m_sizes.nKvHeads * m_sizes.dHeadK,
                     [this](const RowForward &rows, double *out) { rows.keyRow(m_token, out); });
    m_value = compared(m_sizes.nK, m_sizes.nKvHeads * m_sizes.dHeadV,
                       [this](const RowForward &rows, double *out) { rows.valueRow(m_token, out); });
    m_queryHeads = headsOf(m_query, m_sizes.nHeads);
    m_keyHeads = headsOf(m_key, m_sizes.nKvHeads);
}

EditReach Reach::upTo(Index fedRows) const
{
    EditReach reach;
    reach.query = std::ranges::count(m_query, true) > 0;
    const bool isCached = fedRows > 0 && m_token < m_costing.keysOfRow(fedRows - 1);
    reach.key = isCached && std::ranges::count(m_key, true) > 0;
    reach.value = isCached && std::ranges::count(m_value, true) > 0;
    for (Index row = 0; row < fedRows; ++row) {
        for (Index head = 0; head < m_sizes.nHeads && m_token < m_costing.keysOfRow(row) && !reach.isSeen;
             ++head)
            reach.isSeen = mayAct(head, row, m_token);
        if (reachesOutput(row))
            reach.outputs.push_back(row);
    }
    return reach;
}

bool Reach::reachesOutput(Index row) const
{
    for (Index head = 0; head < m_sizes.nHeads; ++head) {
        const Index kvHead = kvHeadOf(head, m_sizes.nHeads, m_sizes.nKvHeads);
        const bool isWeighted = reachesWeights(head, row);
        const bool isMixed = m_token < m_costing.keysOfRow(row) && mayAct(head, row, m_token);
        for (Index col = 0; col < m_sizes.dHeadV; ++col) {
            const bool isChanged =
                isWeighted || (isMixed && m_value[static_cast<std::size_t>(kvHead * m_sizes.dHeadV + col)]);
            if (isChanged && !pinOf(Stage::HeadOut, head, row, col) &&
                outputFollows(row, head * m_sizes.dHeadV + col))
                return true;
        }
    }
    return false;
}

/// Whether a weight of this row changes that is not set by hand.
bool Reach::reachesWeights(Index head, Index row) const
{
    const Index keys = m_costing.keysOfRow(row);
    const auto kvHead = static_cast<std::size_t>(kvHeadOf(head, m_sizes.nHeads, m_sizes.nKvHeads));
    const bool isOwn = row == m_token && m_queryHeads[static_cast<std::size_t>(head)];
    if (!isOwn && !(m_keyHeads[kvHead] && m_token < keys))
        return false;
    bool isReached = false;
    for (Index key = isOwn ? 0 : m_token; key < (isOwn ? keys : m_token + 1) && !isReached; ++key)
        isReached = scoreFollows(head, row, key);
    if (!isReached)
        return false;
    // A key that stands alone has all of the weight, whatever its score.
    Index live = 0;
    bool isFree = false;
    for (Index key = 0; key < keys && (live < 2 || !isFree); ++key) {
        if (!isLive(head, row, key))
            continue;
        ++live;
        isFree = isFree || !pinOf(Stage::A, head, row, key);
    }
    return live > 1 && isFree;
}

/// Whether the masked score follows from the query and the key.
bool Reach::scoreFollows(Index head, Index row, Index key) const
{
    return m_forward.isAllowed(head, row, key) && !pinOf(Stage::Scores, head, row, key) &&
           !pinOf(Stage::Scaled, head, row, key) && !pinOf(Stage::Masked, head, row, key);
}

bool Reach::isLive(Index head, Index row, Index key) const
{
    if (const std::optional<double> masked = pinOf(Stage::Masked, head, row, key))
        return *masked != hiddenKeyScore;
    return m_forward.isAllowed(head, row, key) &&
           pinOf(Stage::Scaled, head, row, key)
                   .value_or(pinOf(Stage::Scores, head, row, key).value_or(0.0)) != hiddenKeyScore;
}

bool Reach::mayAct(Index head, Index row, Index key) const
{
    const std::optional<double> weight = pinOf(Stage::A, head, row, key);
    return weight ? *weight != 0.0 : isLive(head, row, key);
}

bool Reach::outputFollows(Index row, Index concatCol) const
{
    if (pinOf(Stage::Concat, 0, row, concatCol))
        return false;
    const Tensor &Wo = m_forward.experiment().matrix(Stage::Wo);
    for (Index col = 0; col < m_sizes.dOut; ++col) {
        const bool enters = Wo.isNull() ? col == concatCol : Wo.at(concatCol, col) != 0.0;
        if (enters && !pinOf(Stage::Output, 0, row, col))
            return true;
    }
    return false;
}

} // namespace

EditReach reachOf(const TokenEdit &edit, const RowForward &forward, const DecodeCosting &costing,
                  Index fedRows)
{
    const Shape shape = expectedShape(forward.experiment(), edit.stage);
    const bool isEditable = forward.experiment().isGiven(edit.stage) || stageInfo(edit.stage).canBePinned;
    if (edit.row < 0 || edit.row >= shape.rows || !isEditable)
        return {};
    return Reach(edit, forward, costing).upTo(fedRows);
}

} // namespace attn
