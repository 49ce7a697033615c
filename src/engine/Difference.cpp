#include "engine/Difference.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"

#include <bit>
#include <cstdint>
#include <functional>
#include <set>

namespace attn {

namespace {

std::string tokenCount(Index count)
{
    return std::to_string(count) + (count == 1 ? " token" : " tokens");
}

bool sameBitsOf(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::string storedText(double value, Tensor::Storage storage)
{
    return storage == Tensor::Storage::Float32 ? shortestText(static_cast<float>(value))
                                               : shortestText(value);
}

std::string matrixText(const Tensor &matrix)
{
    return matrix.isNull() ? "none" : shapeText(matrix.shape());
}

const std::vector<std::string> &namesOf(const Experiment &experiment, const std::string &lab)
{
    static const std::vector<std::string> nothing;
    const auto found = experiment.labRowNames.find(lab);
    return found == experiment.labRowNames.end() ? nothing : found->second;
}

std::string namesText(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + (name.empty() ? "–" : name);
    return text.empty() ? "none" : text;
}

std::string optionalText(const std::optional<Index> &value)
{
    return value ? std::to_string(*value) : "any";
}

std::string headsText(const Experiment &experiment)
{
    return std::to_string(experiment.nHeads) +
           (experiment.nKvHeads == experiment.nHeads ? "" : " over " + std::to_string(experiment.nKvHeads));
}

std::string windowText(const std::optional<Window> &window)
{
    return window ? optionalText(window->left) + ", " + optionalText(window->right) : "none";
}

std::string rotaryText(const std::optional<Rotary> &rotary)
{
    if (!rotary)
        return "none";
    return std::string(rotary->pairing == Rotary::Pairing::Interleaved ? "interleaved" : "half") + ", base " +
           shortestText(rotary->base) +
           (rotary->rotDim ? ", columns " + std::to_string(*rotary->rotDim) : "");
}

/// The matrices whose key/value width a change of heads back to `before` has to bring along.
SetHeads headsOf(const Experiment &before, const Experiment &after)
{
    SetHeads edit{before.nHeads, before.nKvHeads, {}};
    for (const Stage stage : {Stage::Wk, Stage::Wv, Stage::Bk, Stage::Bv})
        if (before.isGiven(stage) && after.isGiven(stage) &&
            !(before.matrix(stage).shape() == after.matrix(stage).shape()))
            edit.newMatrices[stage] = before.matrix(stage);
    return edit;
}

/// Brings the labels of one side back; where tokens came or went, they go or come with their row of X.
Edit tokensBack(const TokenList &before, const TokenList &after, TokenSide side, const Tensor &rows)
{
    if (before.size() == after.size())
        return SetTokens{side, before.labels()};
    const Index shorter = std::min(before.size(), after.size());
    Index head = 0;
    while (head < shorter && before.at(head) == after.at(head))
        ++head;
    Index tail = 0;
    while (tail < shorter - head && before.at(before.size() - 1 - tail) == after.at(after.size() - 1 - tail))
        ++tail;
    Compound edit;
    // Insert before deleting: there is always a token left.
    for (Index i = head; i < before.size() - tail; ++i) {
        std::vector<double> row;
        if (!rows.isNull() && rows.rows() == before.size()) {
            row.resize(static_cast<std::size_t>(rows.cols()));
            rows.copyRows(0, i, 1, row.data());
        }
        edit.edits.push_back(InsertToken{side, i, before.at(i), std::move(row)});
    }
    const Index inserted = before.size() - tail - head;
    for (Index i = head; i < after.size() - tail; ++i)
        edit.edits.push_back(DeleteToken{side, head + inserted});
    return edit;
}

class Comparison
{
public:
    Comparison(const Experiment &before, const Experiment &after, Index limit)
        : m_before(before)
        , m_after(after)
        , m_limit(limit)
    {
    }

    Differences run()
    {
        tokens();
        settings();
        for (const StageInfo &info : stageTable()) {
            matrix(info.stage);
            pins(info.stage);
        }
        labs();
        return std::move(m_result);
    }

private:
    /// Makes the entry only while the list has room.
    void add(const std::function<Difference()> &make)
    {
        ++m_result.total;
        if (static_cast<Index>(m_result.entries.size()) < m_limit)
            m_result.entries.push_back(make());
    }

    void setting(bool isSame, const char *what, const std::string &before, const std::string &after,
                 Edit revert)
    {
        if (isSame)
            return;
        add([&] {
            return Difference{Difference::Kind::Setting, Stage::X, {}, {}, before, after, what,
                              std::move(revert)};
        });
    }

    void tokenList(const TokenList &before, const TokenList &after, TokenSide side, const char *what)
    {
        if (before == after)
            return;
        add([&] {
            const Stage rows = side == TokenSide::Query ? Stage::X : Stage::Xkv;
            return Difference{Difference::Kind::Tokens,
                              rows,
                              {},
                              {},
                              tokenCount(before.size()),
                              tokenCount(after.size()),
                              what,
                              tokensBack(before, after, side, m_before.matrix(rows))};
        });
    }

    void tokens()
    {
        tokenList(m_before.tokens, m_after.tokens, TokenSide::Query, "tokens");
        if (!m_before.isSelfAttention() && !m_after.isSelfAttention())
            tokenList(*m_before.tokensKv, *m_after.tokensKv, TokenSide::KeyValue, "key tokens");
    }

    void settings()
    {
        const auto scaleOf = [](const Experiment &experiment) {
            return experiment.scale ? shortestText(*experiment.scale) : std::string("default");
        };
        const auto onOff = [](bool isOn) {
            return std::string(isOn ? "on" : "off");
        };
        const auto precisionOf = [](const Experiment &experiment) {
            return std::string(experiment.precision == Precision::Float64 ? "float64" : "float32");
        };
        const Experiment &a = m_before;
        const Experiment &b = m_after;
        setting(a.nHeads == b.nHeads && a.nKvHeads == b.nKvHeads, "heads", headsText(a), headsText(b),
                headsOf(a, b));
        setting(scaleOf(a) == scaleOf(b), "scale", scaleOf(a), scaleOf(b), SetScale{a.scale});
        setting(a.rotary == b.rotary, "rotary positions", rotaryText(a.rotary), rotaryText(b.rotary),
                SetRotary{a.rotary});
        setting(a.qOffset == b.qOffset, "position of the first query", std::to_string(a.qOffset),
                std::to_string(b.qOffset), SetQOffset{a.qOffset});
        setting(a.causal == b.causal, "causal mask", onOff(a.causal), onOff(b.causal), SetCausal{a.causal});
        setting(a.window == b.window, "window", windowText(a.window), windowText(b.window),
                SetWindow{a.window});
        setting(a.precision == b.precision, "precision", precisionOf(a), precisionOf(b),
                SetPrecision{a.precision});
        setting(a.notes == b.notes, "notes", a.notes, b.notes, SetNotes{a.notes});
    }

    void matrix(Stage stage)
    {
        const Tensor &before = m_before.matrix(stage);
        const Tensor &after = m_after.matrix(stage);
        if (before.sameBlocks(after))
            return;
        if (before.isNull() || after.isNull() || !(before.shape() == after.shape()) ||
            before.storage() != after.storage()) {
            add([&] {
                return Difference{Difference::Kind::Matrix,
                                  stage,
                                  {},
                                  {},
                                  matrixText(before),
                                  matrixText(after),
                                  stageName(stage),
                                  SetTensor{stage, before}};
            });
            return;
        }
        const Shape &shape = before.shape();
        std::vector<double> left(static_cast<std::size_t>(shape.cols));
        std::vector<double> right(left.size());
        for (Index head = 0; head < shape.heads; ++head) {
            for (Index row = 0; row < shape.rows; ++row) {
                if (before.sameBlocks(after, head, row, 1))
                    continue;
                before.copyRows(head, row, 1, left.data());
                after.copyRows(head, row, 1, right.data());
                for (Index col = 0; col < shape.cols; ++col)
                    cell(stage, {head, row, col}, left[static_cast<std::size_t>(col)],
                         right[static_cast<std::size_t>(col)], before.storage());
            }
        }
    }

    void cell(Stage stage, const CellIndex &at, double before, double after, Tensor::Storage storage)
    {
        if (sameBitsOf(before, after))
            return;
        add([&] {
            return Difference{Difference::Kind::Cell,
                              stage,
                              at,
                              {},
                              storedText(before, storage),
                              storedText(after, storage),
                              cellName(m_after, stage, at),
                              SetCells{stage, {{at, before}}}};
        });
    }

    void pins(Stage stage)
    {
        const Pins &before = m_before.pinsOf(stage);
        const Pins &after = m_after.pinsOf(stage);
        if (before.sameBits(after))
            return;
        const std::vector<CellValue> left = before.all();
        const std::vector<CellValue> right = after.all();
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < left.size() || j < right.size()) {
            const bool hasLeft = i < left.size() && (j >= right.size() || left[i].cell <= right[j].cell);
            const bool hasRight = j < right.size() && (i >= left.size() || right[j].cell <= left[i].cell);
            if (!hasLeft || !hasRight || !sameBitsOf(left[i].value, right[j].value))
                pin(stage, hasLeft ? left[i].cell : right[j].cell,
                    hasLeft ? std::optional(left[i].value) : std::nullopt,
                    hasRight ? std::optional(right[j].value) : std::nullopt);
            i += hasLeft ? 1 : 0;
            j += hasRight ? 1 : 0;
        }
    }

    void pin(Stage stage, const CellIndex &at, std::optional<double> before, std::optional<double> after)
    {
        add([&] {
            const std::string unpinned = m_after.isGiven(stage) ? "given" : "computed";
            Edit revert = UnpinCells{stage, {at}};
            if (before)
                revert = PinCells{stage, {{at, *before}}};
            return Difference{Difference::Kind::Pin,
                              stage,
                              at,
                              {},
                              before ? shortestText(*before) : unpinned,
                              after ? shortestText(*after) : unpinned,
                              cellName(m_after, stage, at),
                              std::move(revert)};
        });
    }

    void labs()
    {
        std::set<std::string> names;
        for (const auto *labs : {&m_before.labs, &m_after.labs})
            for (const auto &[name, matrix] : *labs)
                names.insert(name);
        for (const std::string &name : names)
            lab(name, m_before.lab(name), m_after.lab(name));
    }

    void lab(const std::string &name, const Tensor &before, const Tensor &after)
    {
        const std::vector<std::string> &namesBefore = namesOf(m_before, name);
        const std::vector<std::string> &namesAfter = namesOf(m_after, name);
        if (before.sameBlocks(after) && namesBefore == namesAfter)
            return;
        const auto entry = [&](const CellIndex &at, std::string left, std::string right, std::string what,
                               Edit revert) {
            add([&] {
                return Difference{Difference::Kind::Lab, Stage::X, at, name, left, right, what, revert};
            });
        };
        if (before.isNull() || after.isNull() || !(before.shape() == after.shape()) ||
            before.storage() != after.storage()) {
            Compound back{{SetLab{name, before}}};
            if (!before.isNull())
                back.edits.push_back(SetLabRowNames{name, namesBefore});
            entry({}, matrixText(before), matrixText(after), name, back);
            return;
        }
        for (Index row = 0; row < before.rows(); ++row) {
            for (Index col = 0; col < before.cols(); ++col) {
                const CellIndex at{0, row, col};
                const double left = before.at(row, col);
                const double right = after.at(row, col);
                if (!sameBitsOf(left, right))
                    entry(at, storedText(left, before.storage()), storedText(right, after.storage()),
                          labCellName(name, at), SetLabCells{name, {{at, left}}});
            }
        }
        if (namesBefore != namesAfter)
            entry({}, namesText(namesBefore), namesText(namesAfter), "row names of " + name,
                  SetLabRowNames{name, namesBefore});
    }

    const Experiment &m_before;
    const Experiment &m_after;
    Index m_limit;
    Differences m_result;
};

} // namespace

Differences differencesBetween(const Experiment &before, const Experiment &after, Index limit)
{
    return Comparison(before, after, limit).run();
}

Edit revertStage(const Experiment &before, const Experiment &after, Stage stage)
{
    Compound edit;
    const Tensor &matrix = before.matrix(stage);
    if (!matrix.sameBlocks(after.matrix(stage)))
        edit.edits.push_back(SetTensor{stage, matrix});
    const Pins &pins = before.pinsOf(stage);
    if (pins.sameBits(after.pinsOf(stage)))
        return edit;
    edit.edits.push_back(UnpinStage{stage});
    if (!pins.whole().isNull())
        edit.edits.push_back(PinStage{stage, pins.whole()});
    PinCells cells{stage, {}};
    for (const auto &[cell, value] : pins.cells())
        cells.cells.push_back({cell, value});
    if (!cells.cells.empty())
        edit.edits.push_back(std::move(cells));
    if (!pins.holes().empty())
        edit.edits.push_back(UnpinCells{stage, {pins.holes().begin(), pins.holes().end()}});
    return edit;
}

} // namespace attn
