#include "render/scenes/BoardLayout.h"

#include "render/scenes/StageTexts.h"

#include <QFontMetricsF>

#include <algorithm>

namespace attn {

namespace {

constexpr double boardMargin = 12.0;
constexpr double narrowestGap = 48.0;  ///< between columns: holds an arrow and its shape
constexpr double boardStackGap = 24.0; ///< between a weight and what is below it
constexpr double ruleLine = 16.0;
constexpr double pagerHeight = 28.0;
constexpr double problemHeight = 24.0;

/// Columns of the board: what stands over the query level, on it, over the key level, on it.
struct BoardColumn
{
    std::vector<Stage> above;
    std::vector<Stage> query;
    std::vector<Stage> below;
    std::vector<Stage> key;
};

const std::vector<BoardColumn> &boardColumns()
{
    static const std::vector<BoardColumn> columns = {
        {{}, {Stage::X}, {}, {Stage::Xkv}},
        {{Stage::Wq, Stage::Bq}, {Stage::Q}, {Stage::Wk, Stage::Bk}, {Stage::K}},
        {{}, {Stage::Qr}, {}, {Stage::Kr}},
        {{}, {Stage::Scores}, {}, {}},
        {{}, {Stage::Scaled}, {}, {}},
        {{Stage::MaskAlibi, Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd}, {Stage::Masked}, {}, {}},
        {{}, {Stage::A}, {}, {}},
        {{}, {Stage::HeadOut}, {}, {}},
        {{}, {Stage::Concat}, {}, {}},
        {{Stage::Wo, Stage::Bo}, {Stage::Output}, {}, {}},
    };
    return columns;
}

const std::vector<Stage> valueStages = {Stage::Wv, Stage::Bv, Stage::V};

std::vector<Stage> stagesOf(const BoardColumn &column)
{
    std::vector<Stage> all = column.above;
    for (const auto &part : {column.query, column.below, column.key})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

BoardLayout::BoardLayout(const MapFactory &maps, const BoardOptions &board)
    : m_maps(maps)
    , m_board(board)
    , m_sizes(maps.snapshot())
{
    m_board.head = std::clamp<Index>(board.head, 0, std::max<Index>(maps.experiment().nHeads - 1, 0));
    const QFontMetricsF metrics(maps.theme().textFont);
    m_columnGap = narrowestGap;
    for (const Stage stage : {Stage::Scores, Stage::A, Stage::HeadOut, Stage::Concat})
        m_columnGap = std::max(m_columnGap, metrics.horizontalAdvance(shapeTextOf(maps.state(stage))) + 8.0);
    addCards();
    placeColumns();
    placeLevels();
    placeRules();
}

const StageCard *BoardLayout::card(Stage stage) const
{
    const auto found = m_cards.find(stage);
    return found == m_cards.end() ? nullptr : &found->second;
}

bool BoardLayout::isDrawn(Stage stage) const
{
    const StageState &state = m_maps.state(stage);
    if (state.status == StageStatus::Absent)
        return false;
    const StageInfo &info = stageInfo(stage);
    if (state.status == StageStatus::NotAvailable && info.kind == StageKind::Input && stage != Stage::X &&
        stage != Stage::Xkv)
        return false; // the product that lacks it says so
    const bool isSetByHand = state.pinnedCount > 0 || state.isPinnedWhole;
    if (stage == Stage::Masked)
        return hasMask(m_maps.snapshot()) || state.status == StageStatus::Given || isSetByHand;
    // One head: its output is the concatenation, unless that is given or was set by hand.
    if (stage == Stage::Concat && m_maps.experiment().nHeads == 1)
        return state.status == StageStatus::Given || isSetByHand || !isDrawn(Stage::HeadOut);
    return true;
}

std::vector<Stage> BoardLayout::drawn(const std::vector<Stage> &stages) const
{
    std::vector<Stage> result;
    for (const Stage stage : stages)
        if (m_cards.contains(stage))
            result.push_back(stage);
    return result;
}

void BoardLayout::addCard(Stage stage, double rowLabelWidth, bool headTitles)
{
    StageCard::Options options;
    options.rowLabelWidth = rowLabelWidth;
    const StageState &state = m_maps.state(stage);
    const Index heads = state.hasValues() ? state.values->heads() : 1;
    if (heads > 1) {
        options.heads.clear();
        if (m_board.tileHeads) {
            for (Index head = 0; head < heads; ++head)
                options.heads.push_back(head);
        } else {
            const bool isKv = stageInfo(stage).heads == HeadAxis::KeyValue;
            options.heads = {isKv ? kvHeadOf(m_maps.experiment(), m_board.head) : m_board.head};
        }
    }
    if (m_board.tileHeads && stageInfo(stage).heads == HeadAxis::KeyValue)
        options.tilingHeads = m_maps.experiment().nHeads;
    options.headTitles = headTitles && stageInfo(stage).heads != HeadAxis::None && heads > 1;
    m_cards.try_emplace(stage, m_maps, stage, m_sizes.cells(m_maps.snapshot(), stage), options);
}

void BoardLayout::addCards()
{
    auto addGroup = [this](const std::vector<Stage> &stages) {
        double labels = 0.0;
        for (const Stage stage : stages)
            if (isDrawn(stage) && m_maps.state(stage).hasValues())
                labels = std::max(labels, m_maps.rowLabelWidth(stage));
        for (const Stage stage : stages)
            if (isDrawn(stage))
                addCard(stage, labels, m_maps.experiment().nHeads > 1);
    };
    for (const BoardColumn &column : boardColumns())
        addGroup(stagesOf(column));
    addGroup(valueStages);
}

double BoardLayout::widthLeftOfCells(const std::vector<Stage> &stages) const
{
    double width = 0.0;
    for (const Stage stage : drawn(stages))
        width = std::max(width, card(stage)->cellsOffset().x());
    return width;
}

double BoardLayout::widthRightOfCells(const std::vector<Stage> &stages) const
{
    double width = 0.0;
    for (const Stage stage : drawn(stages))
        width = std::max(width, card(stage)->size().width() - card(stage)->cellsOffset().x());
    return width;
}

void BoardLayout::placeColumns()
{
    double x = boardMargin;
    double valuesRight = 0.0;
    const double valuesWidth = widthLeftOfCells(valueStages) + widthRightOfCells(valueStages);
    double keysRight = boardMargin;
    double scoresCentre = 0.0;
    for (const BoardColumn &column : boardColumns()) {
        const std::vector<Stage> stages = drawn(stagesOf(column));
        if (stages.empty() && column.query.front() != Stage::A)
            continue;
        const double left = widthLeftOfCells(stages);
        double width = left + widthRightOfCells(stages);
        if (column.query.front() == Stage::A && !drawn(valueStages).empty()) {
            // V stands below A with the same right edge; it must not reach under the arrow from K to scores.
            const double least = std::max(keysRight, scoresCentre) + m_columnGap + valuesWidth;
            x = std::max(x, least - width);
            valuesRight = x + width;
        }
        for (const Stage stage : stages)
            m_cellsX[stage] = x + left;
        if (!drawn(column.key).empty())
            keysRight = x + width;
        if (column.query.front() == Stage::Scores)
            scoresCentre = x + 0.5 * width;
        m_right = x + width;
        x += width + (stages.empty() ? 0.0 : m_columnGap);
    }
    const double valuesLeft = valuesRight - valuesWidth + widthLeftOfCells(valueStages);
    for (const Stage stage : drawn(valueStages))
        m_cellsX[stage] = valuesLeft;
}

double BoardLayout::stackHeight(const std::vector<Stage> &stages) const
{
    double height = 0.0;
    for (const Stage stage : drawn(stages))
        height += card(stage)->size().height() + boardStackGap;
    return height;
}

void BoardLayout::placeStack(const std::vector<Stage> &stages, double bottom)
{
    const std::vector<Stage> present = drawn(stages);
    for (auto stage = present.rbegin(); stage != present.rend(); ++stage) {
        StageCard &placed = m_cards.at(*stage);
        const double top = bottom - boardStackGap - placed.size().height();
        placed.placeCells({m_cellsX[*stage], top + placed.cellsOffset().y()});
        bottom = top;
    }
}

void BoardLayout::placeOnLevel(const std::vector<Stage> &stages, double cellsTop, double head)
{
    for (const Stage stage : drawn(stages)) {
        StageCard &placed = m_cards.at(stage);
        placed.growTop(head);
        placed.placeCells({m_cellsX[stage], cellsTop});
    }
}

void BoardLayout::placeLevels()
{
    double above = 0.0, below = stackHeight({Stage::Wv, Stage::Bv});
    double queryHead = 0.0, queryTail = 0.0, keyHead = 0.0, keyTail = 0.0;
    const auto measure = [this](const std::vector<Stage> &stages, double &head, double &tail) {
        for (const Stage stage : drawn(stages)) {
            head = std::max(head, card(stage)->cellsOffset().y());
            tail = std::max(tail, card(stage)->size().height() - card(stage)->cellsOffset().y());
        }
    };
    for (const BoardColumn &column : boardColumns()) {
        above = std::max(above, stackHeight(column.above));
        below = std::max(below, stackHeight(column.below));
        measure(column.query, queryHead, queryTail);
        measure(column.key, keyHead, keyTail);
    }
    measure({Stage::V}, keyHead, keyTail);
    if (!m_board.tileHeads && m_maps.experiment().nHeads > 1)
        above = std::max(above, pagerHeight + boardStackGap);
    const double rules = ruleLine * static_cast<double>(maskLines(m_maps.snapshot()).size());
    const double masks = stackHeight(boardColumns()[5].above);
    if (rules > 0.0)
        above = std::max(above, masks + rules + 2.0 * cardMetrics::cardPadding + boardStackGap);

    const double problem = m_maps.snapshot().problem().empty() ? 0.0 : problemHeight;
    if (problem > 0.0)
        m_problemRect = {boardMargin, 8.0, m_right - boardMargin, problemHeight};
    m_queryTop = boardMargin + problem + above + queryHead;
    const double keyLevel = m_queryTop + queryTail + boardStackGap + below;
    m_keyTop = keyLevel + keyHead;
    for (const BoardColumn &column : boardColumns()) {
        placeOnLevel(column.query, m_queryTop, queryHead);
        placeOnLevel(column.key, m_keyTop, keyHead);
        placeStack(column.above, m_queryTop - queryHead);
        placeStack(column.below, keyLevel);
    }
    placeOnLevel({Stage::V}, m_keyTop, keyHead);
    placeStack({Stage::Wv, Stage::Bv}, keyLevel);
    const bool hasKeys = keyHead > 0.0;
    m_busY = hasKeys ? m_keyTop + keyTail + 0.75 * boardStackGap : m_queryTop + queryTail;
    m_size = {m_right + boardMargin, m_busY + boardMargin};
}

void BoardLayout::placeRules()
{
    if (const StageCard *scores = card(Stage::Scores); scores && !m_board.tileHeads) {
        const QRectF rect = scores->rect();
        m_pagerRect = {rect.left(), rect.top() - boardStackGap - pagerHeight, rect.width(), pagerHeight};
    }
    const double lines = static_cast<double>(maskLines(m_maps.snapshot()).size());
    const StageCard *masked = card(Stage::Masked);
    if (lines > 0.0 && masked) {
        const double height = ruleLine * lines + 2.0 * cardMetrics::cardPadding;
        const double bottom = masked->rect().top() - stackHeight(boardColumns()[5].above) - boardStackGap;
        m_rulesRect = {masked->rect().left(), bottom - height, std::max(masked->rect().width(), 184.0),
                       height};
    }
}

} // namespace attn
