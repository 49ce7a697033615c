#include "render/scenes/lab/TokensLabScene.h"

#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/lab/PlanePicture.h"
#include "render/scenes/lab/TokensLabBuilder.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace attn {

namespace {

constexpr double tokensGap = 20.0;
constexpr double planeSide = 336.0;
constexpr double tableTop = 54.0; ///< of a table of tokens below the top of its card
constexpr double tokenCardHeight = planeSide + 108.0;
constexpr Index mostTableTokens = 128; ///< of the tables
constexpr Index mostPlaneNumbers = 64 * 1024 * 1024;

} // namespace

TokensLabBuilder::TokensLabBuilder(const MapFactory &maps, const TokensLabOptions &options)
    : m_draft(maps)
    , m_options(options)
    , m_values(maps.state(options.stage).values)
    , m_rows(m_values->rows())
    , m_decimals(maps.display().decimals)
{
    m_options.head = std::clamp<Index>(options.head, 0, m_values->heads() - 1);
    m_options.token = std::clamp<Index>(options.token, 0, std::max<Index>(m_rows - 1, 0));
    const Index count = std::min(m_rows, mostTableTokens);
    const Index first = tokensTableFirst(m_rows, m_options.token);
    m_shown = tokenVectors(*m_values, m_options.head, first, count);
    m_compared = rowsOfDirections(*m_values, m_options.head);
    m_set = directionSet(maps.experiment(), m_compared);
    m_options.direction = std::clamp<Index>(options.direction, 0, m_set.directions.count - 1);
}

QString TokensLabBuilder::tokenName(Index row) const
{
    return visibleLabel(QString::fromStdString(rowLabel(m_draft.maps().experiment(), m_options.stage, row)));
}

QStringList TokensLabBuilder::shownLabels() const
{
    QStringList labels;
    for (Index row = m_shown.first; row < m_shown.first + m_shown.count; ++row)
        labels.append(QString::fromStdString(rowLabel(m_draft.maps().experiment(), m_options.stage, row)));
    return labels;
}

Scene TokensLabBuilder::build()
{
    addHeading();
    addPlane({tokensMargin, m_y, planeSide + 48.0, tokenCardHeight});
    addTables();
    addDirections();
    addReadings();
    if (m_set.directions.count > 1)
        addSeveral();
    return m_draft.finished(tokensMargin);
}

/// Beside the plane where their numbers are legible there, else in a row of their own.
void TokensLabBuilder::addTables()
{
    constexpr double legibleCell = 34.0;
    constexpr double largeTable = 300.0;
    const double beside = planeSide + 48.0 + tokensGap;
    const double narrow = (innerWidth() - beside - tokensGap) / 2.0;
    const double side = tableSide(narrow);
    const bool isBeside = side >= legibleCell * double(m_shown.count) || side >= largeTable;
    const double width = isBeside ? narrow : (innerWidth() - tokensGap) / 2.0;
    if (!isBeside)
        m_y += tokenCardHeight + tokensGap;
    const double left = tokensMargin + (isBeside ? beside : 0.0);
    const double height = isBeside ? tokenCardHeight : tableHeight(width);
    addTable({left, m_y, width, height}, QStringLiteral("tokens:cosine"),
             QCoreApplication::translate("Scene", "Cosines"), cosineTable(m_shown),
             QCoreApplication::translate("Scene", "only angles count, not lengths"));
    addTable({left + width + tokensGap, m_y, width, height}, QStringLiteral("tokens:dot"),
             QCoreApplication::translate("Scene", "Dot products"), dotTable(m_shown),
             QCoreApplication::translate("Scene", "the diagonal: squared lengths"));
    m_y += height + tokensGap;
}

double TokensLabBuilder::tableLabels() const
{
    return std::min(72.0, m_draft.maps().rowLabelWidth(m_options.stage));
}

/// Of the square of numbers in a card of this width.
double TokensLabBuilder::tableSide(double cardWidth) const
{
    const double room = cardWidth - 32.0 - tableLabels();
    return std::min(room, axisExtent(m_shown.count, 76.0, room, room));
}

/// Of a card that such a square fills.
double TokensLabBuilder::tableHeight(double cardWidth) const
{
    const double side = tableSide(cardWidth);
    return tableTop + columnLabelHeight(m_draft.maps(), Stage::A, side / double(m_shown.count)) + side +
           cardMetrics::axisRoom + cardMetrics::barHeight + 32.0;
}

void TokensLabBuilder::addHeading()
{
    const QString symbol = QString::fromUtf8(stageName(m_options.stage));
    m_draft.addText({tokensMargin, m_y, innerWidth(), 24.0},
                    QCoreApplication::translate("Scene", "Tokens as vectors: the rows of %1").arg(symbol),
                    SceneText::Style::Heading);
    QString text = QCoreApplication::translate(
                       "Scene", "%1 rows of %2 numbers each. What two tokens share shows in the angle "
                                "between their rows, and a meaning is a direction, not a coordinate axis.")
                       .arg(m_rows)
                       .arg(m_values->cols());
    if (m_values->heads() > 1)
        text = headTitle(m_draft.maps().experiment(), m_options.stage, m_options.head) +
               QStringLiteral(" · ") + text;
    if (m_shown.count < m_rows)
        text += QStringLiteral(" ") +
                QCoreApplication::translate("Scene", "The tables show %1 of the %2 rows, those around “%3”; "
                                                     "the plane shows all.")
                    .arg(m_shown.count)
                    .arg(m_rows)
                    .arg(tokenName(m_options.token));
    m_y = m_draft.addParagraph({tokensMargin, m_y + 28.0}, innerWidth(), text) + 12.0;
}

void TokensLabBuilder::addPlane(const QRectF &card)
{
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 20.0},
                    QCoreApplication::translate("Scene", "The plane of the largest spread (PCA)"));
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    const bool isTooLarge = m_rows * m_values->cols() > mostPlaneNumbers;
    const TokenVectors all = isTooLarge                ? TokenVectors()
                             : m_shown.count == m_rows ? m_shown
                                                       : tokenVectors(*m_values, m_options.head);
    if (isTooLarge || !all.isFinite()) {
        m_draft.addParagraph({left, card.top() + 44.0}, width,
                             isTooLarge
                                 ? QCoreApplication::translate("Scene", "So many numbers are not projected.")
                                 : QCoreApplication::translate(
                                       "Scene", "Some numbers are not finite: there is no such plane."),
                             SceneText::Style::Warning);
        return;
    }
    const PrincipalPlane plane = principalPlane(all, m_options.isCentred);
    const QRectF plot(card.left() + 24.0, card.top() + 38.0, planeSide, planeSide);
    PlanePicture picture(m_draft, plot, plane);
    picture.addFrame();
    for (Index i = 0; i < m_set.directions.count; ++i)
        picture.addDirection(m_set.directions.row(i), directionName(i), i == m_options.direction);
    picture.addPoints([this](Index i) { return tokenName(i); }, m_options.token);
    picture.addDirectionNames();
    m_draft.addText({left, plot.bottom() + 8.0, width, 18.0},
                    QCoreApplication::translate("Scene", "across %1 + up %2 = %3 of the spread")
                        .arg(percentText(plane.shares[0]), percentText(plane.shares[1]),
                             percentText(plane.shares[0] + plane.shares[1])),
                    SceneText::Style::Label);
    m_draft.addText(
        {left, plot.bottom() + 28.0, width, 18.0},
        m_options.isCentred
            ? QCoreApplication::translate("Scene", "centred: lengths from the mean of the rows, at the cross")
            : QCoreApplication::translate("Scene", "not centred: lengths from 0, at the cross"),
        SceneText::Style::Muted);
    if (picture.unnamed() > 0)
        m_draft.addText(
            {left, plot.bottom() + 46.0, width, 18.0},
            QCoreApplication::translate("Scene", "names without room: %1; point at a dot to read it")
                .arg(picture.unnamed()),
            SceneText::Style::Muted);
}

void TokensLabBuilder::addTable(const QRectF &card, const QString &id, const QString &title,
                                const StageValuesPtr &values, const QString &note)
{
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 20.0}, title);
    m_draft.addText({card.left() + 16.0, card.top() + 30.0, card.width() - 32.0, 18.0}, note,
                    SceneText::Style::Muted);
    const double labels = tableLabels();
    const double side = tableSide(card.width());
    const double above =
        columnLabelHeight(m_draft.maps(), Stage::A, side / static_cast<double>(values->cols()));
    SceneMap map = m_draft.derived(id, title, values,
                                   {card.left() + 16.0 + labels, card.top() + tableTop + above, side, side},
                                   ColorMap::Kind::Diverging);
    map.rowLabels = map.colLabels = shownLabels();
    map.rowLabelWidth = labels;
    map.colLabelHeight = above;
    map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom, std::min(side, 200.0),
                    cardMetrics::barHeight};
    const Index focus = m_options.token - m_shown.first;
    map.emphasis.push_back({focus, focus, 0, values->cols() - 1, MapEmphasis::Style::Soft});
    m_draft.addMap(std::move(map));
}

Index tokensTableFirst(Index rows, Index token)
{
    const Index count = std::min(rows, mostTableTokens);
    return std::clamp<Index>(token - count / 2, 0, rows - count);
}

std::vector<Stage> vectorStages(const Snapshot &snapshot)
{
    std::vector<Stage> stages;
    for (const Stage stage :
         {Stage::X, Stage::Xkv, Stage::Q, Stage::K, Stage::V, Stage::Qh, Stage::Kh, Stage::Vh, Stage::Qr,
          Stage::Kr, Stage::HeadOut, Stage::Concat, Stage::Output}) {
        const StageState &state = snapshot.stage(stage);
        const bool isHeadPart = stage == Stage::Qh || stage == Stage::Kh || stage == Stage::Vh;
        if (state.hasValues() && state.values->rows() > 0 && state.values->cols() > 0 &&
            !(isHeadPart && state.values->heads() == 1))
            stages.push_back(stage);
    }
    return stages;
}

Scene tokensLabScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokensLabOptions &options)
{
    const std::vector<Stage> stages = vectorStages(*snapshot);
    if (stages.empty())
        return messageScene(
            QCoreApplication::translate("Scene", "Tokens as vectors"),
            QCoreApplication::translate("Scene",
                                        "This document has no rows of token vectors: it starts at weights."));
    TokensLabOptions available = options;
    if (std::find(stages.begin(), stages.end(), options.stage) == stages.end())
        available.stage = stages.front();
    const MapFactory maps(snapshot, display);
    return TokensLabBuilder(maps, available).build();
}

} // namespace attn
