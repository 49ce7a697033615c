#pragma once

#include "engine/lab/ConceptDirection.h"
#include "render/scenes/SceneDraft.h"
#include "render/scenes/lab/TokensLabScene.h"

namespace attn {

inline constexpr double tokensMargin = 24.0;

/// One build of the scene of tokens as vectors. What concerns directions stands in TokenDirections.cpp.
class TokensLabBuilder
{
public:
    TokensLabBuilder(const MapFactory &maps, const TokensLabOptions &options);

    Scene build();

private:
    void addHeading();
    void addPlane(const QRectF &card);
    void addTable(const QRectF &card, const QString &id, const QString &title, const StageValuesPtr &values,
                  const QString &note);
    void addTables();
    double tableLabels() const;
    double tableSide(double cardWidth) const;
    double tableHeight(double cardWidth) const;
    void addDirections();
    void addDirectionMap(double left, double width);
    void addDirectionControls(double left, double top);
    void addReadings();
    void addReadingRows(const QStringList &heads, const std::vector<DirectionReading> &readings, Index first);
    void addVerdict(const std::vector<DirectionReading> &readings, Index first);
    void addSeveral();
    QStringList shownLabels() const;
    QString tokenName(Index row) const;
    QString directionName(Index index) const;
    double innerWidth() const { return m_options.width - 2.0 * tokensMargin; }

    SceneDraft m_draft;
    TokensLabOptions m_options;
    StageValuesPtr m_values;
    TokenVectors m_shown; ///< of the tables
    TokenVectors m_compared;
    DirectionSet m_set;
    Index m_rows;
    int m_decimals;
    double m_y = tokensMargin;
};

} // namespace attn
