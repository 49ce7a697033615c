#pragma once

#include "render/scenes/StageCard.h"

#include <map>

namespace attn {

/// Where the cards of the board stand.
///
/// Two levels carry the tokens: query rows above (X, Q, scores … output), key rows below (Xkv, K, V). Over
/// each level stand the weights, so that a product's columns are exactly below those of its weight. The
/// columns of cards follow the pipeline.
class BoardLayout
{
public:
    BoardLayout(const MapFactory &maps, const BoardOptions &board);

    const StageCard *card(Stage stage) const;
    const std::map<Stage, StageCard> &cards() const { return m_cards; }

    /// The cells of the first head of level rows stand between these heights.
    double queryTop() const { return m_queryTop; }
    double keyTop() const { return m_keyTop; }
    double tokenRow() const { return m_sizes.tokenRow(); }
    /// Where a free line runs below everything.
    double busY() const { return m_busY; }
    QSizeF size() const { return m_size; }
    /// Free place above the scores, for the pager of heads.
    QRectF pagerRect() const { return m_pagerRect; }
    /// Place above the masked scores for the rules of the mask; null without rules.
    QRectF rulesRect() const { return m_rulesRect; }
    /// Line at the top for what contradicts itself; null when all is well.
    QRectF problemRect() const { return m_problemRect; }

private:
    bool isDrawn(Stage stage) const;
    void addCard(Stage stage, double rowLabelWidth, bool headTitles);
    void addCards();
    void placeColumns();
    void placeLevels();
    void placeRules();
    std::vector<Stage> drawn(const std::vector<Stage> &stages) const;
    double widthRightOfCells(const std::vector<Stage> &stages) const;
    double widthLeftOfCells(const std::vector<Stage> &stages) const;
    double stackHeight(const std::vector<Stage> &stages) const;
    void placeOnLevel(const std::vector<Stage> &stages, double cellsTop, double head);
    void placeStack(const std::vector<Stage> &stages, double bottom);

    const MapFactory &m_maps;
    BoardOptions m_board;
    CellSizes m_sizes;
    std::map<Stage, StageCard> m_cards;
    std::map<Stage, double> m_cellsX;
    double m_columnGap = 0.0;
    double m_queryTop = 0.0;
    double m_keyTop = 0.0;
    double m_busY = 0.0;
    double m_right = 0.0;
    QSizeF m_size;
    QRectF m_pagerRect;
    QRectF m_rulesRect;
    QRectF m_problemRect;
};

} // namespace attn
