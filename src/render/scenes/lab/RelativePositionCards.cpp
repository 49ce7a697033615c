#include "render/scenes/lab/RelativePositionCards.h"

#include "base/NumberText.h"
#include "engine/Rotation.h"
#include "engine/StageNumbers.h"
#include "engine/lab/RotaryPicture.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attn {

namespace {

constexpr double relativeGap = 20.0;
constexpr double rotaryHeight = 460.0;
constexpr double alibiHeight = 284.0;
constexpr Index mostPositions = 12;
constexpr Index mostChoices = 16;

QString shownNumber(double value, int decimals)
{
    return QString::fromStdString(withTrueMinus(displayText(value, decimals)));
}

} // namespace

RelativePositionCards::RelativePositionCards(SceneDraft &draft, const PositionsLabOptions &options)
    : m_draft(draft)
    , m_options(options)
    , m_rotary(experiment().rotary.value_or(Rotary()))
    , m_dHead(draft.maps().snapshot().sizes().dHeadK)
    , m_pairs(m_dHead > 0 ? rotatedColumns(m_rotary, m_dHead) / 2 : 0)
{
    m_options.pair = std::clamp<Index>(options.pair, 0, std::max<Index>(0, m_pairs - 1));
    m_options.head = std::clamp<Index>(options.head, 0, experiment().nHeads - 1);
}

double RelativePositionCards::addTo(double left, double top)
{
    const double width = m_options.width - 2.0 * left;
    top = addRotary({left, top, width, rotaryHeight}) + relativeGap;
    addAlibi({left, top, width, alibiHeight});
    return top + alibiHeight + relativeGap;
}

QString RelativePositionCards::tokenName(const TokenList &tokens, Index index) const
{
    return index >= 0 && index < tokens.size() ? visibleLabel(QString::fromStdString(tokens.at(index)))
                                               : QString::number(index + 1);
}

std::vector<double> RelativePositionCards::headRow(Stage stage, Index head, Index row) const
{
    const StageValuesPtr &values = m_draft.maps().state(stage).values;
    if (!values || values->rows() == 0 || values->cols() != m_dHead)
        return {};
    return rowNumbers(*values, std::min(head, values->heads() - 1),
                      std::clamp<Index>(row, 0, values->rows() - 1));
}

void RelativePositionCards::addChoice(const QString &prefix, Index count, Index chosen, const QPointF &corner,
                                      double room, const QString &name)
{
    const Index shown = std::min({count, mostChoices, static_cast<Index>(room / 30.0)});
    for (Index i = 0; i < shown; ++i) {
        m_draft.addControl(prefix + QString::number(i),
                           {corner.x() + double(i) * 30.0, corner.y(), 26.0, 22.0}, QString::number(i + 1),
                           name.arg(i + 1));
        m_draft.scene().controls.back().checkable = true;
        m_draft.scene().controls.back().checked = i == chosen;
        if (i == chosen) // figures have no controls: what is chosen stands below it
            m_draft.addText(m_draft.scene().controls.back().rect, QString::number(i + 1),
                            SceneText::Style::Muted, Qt::AlignCenter);
    }
}

double RelativePositionCards::addRotary(QRectF card)
{
    const std::vector<double> query = headRow(Stage::Qh, m_options.head, m_options.first);
    const std::vector<double> key =
        headRow(Stage::Kh, kvHeadOf(experiment(), m_options.head), m_options.second);
    const bool canTurn = !query.empty() && !key.empty() && m_pairs > 0;
    if (!canTurn)
        card.setHeight(72.0);
    m_draft.addBox(card);
    m_draft.addText({card.left() + 16.0, card.top() + 10.0, card.width() - 32.0, 20.0},
                    QCoreApplication::translate("Scene", "Rotary: positions turn queries and keys"));
    if (!canTurn) {
        m_draft.addParagraph({card.left() + 16.0, card.top() + 36.0}, card.width() - 32.0,
                             QCoreApplication::translate(
                                 "Scene", "There are no queries and keys with a pair of columns to turn."),
                             SceneText::Style::Warning);
        return card.bottom();
    }
    addRotarySettings(card);
    const double radius = 112.0;
    const QPointF centre(card.left() + 40.0 + radius, card.top() + 160.0 + radius);
    addTurns(centre, radius, query);
    addRotaryMaps(
        {centre.x() + radius + 72.0, card.top(), card.right() - centre.x() - radius - 88.0, card.height()},
        query, key);
    return card.bottom();
}

void RelativePositionCards::addRotarySettings(const QRectF &card)
{
    const bool isUsed = experiment().rotary.has_value();
    const QString base = QString::fromStdString(significantText(m_rotary.base, 6));
    const QString pairing = m_rotary.pairing == Rotary::Pairing::Interleaved
                                ? QCoreApplication::translate("Scene", "neighbouring columns")
                                : QCoreApplication::translate("Scene", "columns half a width apart");
    const QString text =
        isUsed ? QCoreApplication::translate("Scene",
                                             "In use in this document: base %1, pairs of %2. At position p "
                                             "pair t + 1 turns by p · base^(−t/%3), t = 0, 1, …")
               : QCoreApplication::translate(
                     "Scene", "Not in use in this document; drawn with base %1 and pairs of "
                              "%2. At position p pair t + 1 turns by p · base^(−t/%3), t = 0, 1, …");
    m_draft.addParagraph({card.left() + 16.0, card.top() + 32.0}, card.width() - 232.0,
                         text.arg(base, pairing).arg(m_pairs));
    m_draft.addControl(
        isUsed ? QStringLiteral("rotary:remove") : QStringLiteral("rotary:use"),
        {card.right() - 192.0, card.top() + 10.0, 176.0, 24.0},
        isUsed ? QCoreApplication::translate("Scene", "Use no rotary")
               : QCoreApplication::translate("Scene", "Use it in the document"),
        isUsed ? QCoreApplication::translate("Scene", "Take the rotary positions out of the document")
               : QCoreApplication::translate("Scene", "Turn the document's queries and keys by position"));
    const double left = card.left() + 16.0;
    m_draft.addText({left, card.top() + 78.0, 60.0, 22.0}, QCoreApplication::translate("Scene", "Pair"),
                    SceneText::Style::Muted);
    addChoice(QStringLiteral("pair:"), m_pairs, m_options.pair, {left + 48.0, card.top() + 78.0}, 240.0,
              QCoreApplication::translate("Scene", "Draw pair %1"));
    m_draft.addText({left + 320.0, card.top() + 78.0, 60.0, 22.0},
                    QCoreApplication::translate("Scene", "Head"), SceneText::Style::Muted);
    addChoice(QStringLiteral("head:"), experiment().nHeads, m_options.head, {left + 368.0, card.top() + 78.0},
              card.width() - 400.0, QCoreApplication::translate("Scene", "Show head %1"));
}

/// One pair of the query at positions 0, 1, 2, ...: the same length, another angle.
void RelativePositionCards::addTurns(const QPointF &centre, double radius, std::span<const double> query)
{
    const auto columns = rotaryPair(m_rotary, m_options.pair, m_pairs);
    const double x = query[static_cast<std::size_t>(columns.first)];
    const double y = query[static_cast<std::size_t>(columns.second)];
    const double length = std::hypot(x, y);
    SceneShape ring;
    ring.path.addEllipse(centre, radius, radius);
    ring.stroke = ScenePaint::of(ScenePaint::Role::Hairline);
    m_draft.scene().shapes.push_back(ring);
    const Index positions = std::min<Index>(mostPositions, 8);
    std::vector<QRectF> taken;
    for (Index p = positions - 1; p >= 0 && length > 0.0; --p) {
        const double angle = std::atan2(y, x) + rotaryAngle(m_rotary, p, m_options.pair, m_pairs);
        const QPointF tip = centre + QPointF(std::cos(angle), -std::sin(angle)) * radius;
        SceneShape arrow;
        arrow.path.moveTo(centre);
        arrow.path.lineTo(tip);
        arrow.stroke = ScenePaint::of(p == 0 ? ScenePaint::Role::Pin : ScenePaint::Role::Accent,
                                      p == 0 ? 1.0 : 0.85 - 0.08 * double(p));
        arrow.strokeWidth = p == 0 ? 2.5 : 1.5;
        arrow.arrow = true;
        arrow.name =
            QCoreApplication::translate("Scene", "position %1: turned by %2 radians, (%3, %4)")
                .arg(p)
                .arg(shownNumber(rotaryAngle(m_rotary, p, m_options.pair, m_pairs), 3),
                     shownNumber(length * std::cos(angle), 3), shownNumber(length * std::sin(angle), 3));
        m_draft.scene().shapes.push_back(arrow);
        const QPointF place = centre + QPointF(std::cos(angle), -std::sin(angle)) * (radius + 12.0);
        const QRectF room(place - QPointF(9.0, 8.0), QSizeF(18.0, 16.0));
        if (std::none_of(taken.begin(), taken.end(),
                         [&](const QRectF &other) { return other.intersects(room); })) {
            taken.push_back(room);
            m_draft.addText(room, QString::number(p), SceneText::Style::Muted, Qt::AlignCenter);
        }
    }
    m_draft.addText({centre.x() - radius - 24.0, centre.y() + radius + 24.0, 2.0 * radius + 60.0, 18.0},
                    QCoreApplication::translate("Scene", "columns %1, %2 of “%3” at positions 0 … %4")
                        .arg(columns.first + 1)
                        .arg(columns.second + 1)
                        .arg(tokenName(experiment().tokens, m_options.first))
                        .arg(positions - 1),
                    SceneText::Style::Muted);
    m_draft.addText({centre.x() - radius - 24.0, centre.y() + radius + 42.0, 2.0 * radius + 60.0, 18.0},
                    QCoreApplication::translate("Scene", "(%1, %2), always %3 long")
                        .arg(shownNumber(x, 3), shownNumber(y, 3), shownNumber(length, 3)),
                    SceneText::Style::Muted);
}

void RelativePositionCards::addRotaryMaps(const QRectF &card, std::span<const double> query,
                                          std::span<const double> key)
{
    const Index positions = mostPositions;
    QStringList numbers;
    for (Index p = 0; p < positions; ++p)
        numbers.append(QString::number(p));
    QStringList pairs;
    for (Index pair = 0; pair < m_pairs; ++pair)
        pairs.append(QCoreApplication::translate("Scene", "pair %1").arg(pair + 1));
    const double half = (card.width() - 40.0) / 2.0;
    const double top = card.top() + 152.0;
    const double height = 240.0;
    const auto addOne = [&](double left, const QString &id, const QString &title,
                            const StageValuesPtr &values, const QStringList &columns, ColorMap::Kind kind) {
        m_draft.addText({left, card.top() + 112.0, half, 18.0}, title);
        const double width =
            std::min(half - 28.0, axisExtent(values->cols(), 56.0, half - 28.0, half - 28.0));
        SceneMap map = m_draft.derived(id, title, values, {left + 26.0, top, width, height}, kind);
        map.rowLabels = numbers;
        map.colLabels = columns;
        map.rowLabelWidth = 24.0;
        map.colLabelHeight = 18.0;
        map.colorBar = {map.rect.left(), map.rect.bottom() + cardMetrics::axisRoom, std::min(width, 180.0),
                        cardMetrics::barHeight};
        m_draft.addMap(std::move(map));
    };
    addOne(card.left(), QStringLiteral("positions:angles"),
           QCoreApplication::translate("Scene", "Angle of each pair, in radians"),
           rotaryAngleTable(m_rotary, m_dHead, positions), pairs, ColorMap::Kind::Sequential);
    const StageValuesPtr dots = rotaryDotTable(m_rotary, query, key, positions);
    addOne(card.left() + half + 40.0, QStringLiteral("positions:dots"),
           QCoreApplication::translate("Scene", "“%1” at row i · “%2” at column j")
               .arg(tokenName(experiment().tokens, m_options.first),
                    tokenName(experiment().keyTokens(), m_options.second)),
           dots, numbers, ColorMap::Kind::Diverging);
    m_draft.addText({card.left(), top + height + 44.0, card.width(), 18.0},
                    QCoreApplication::translate(
                        "Scene", "Rows are positions. Equal along each diagonal: i − j = 3 gives %1, %2, %3.")
                        .arg(shownNumber(dots->value(0, 3, 0), 3), shownNumber(dots->value(0, 6, 3), 3),
                             shownNumber(dots->value(0, 11, 8), 3)),
                    SceneText::Style::Muted);
}

void RelativePositionCards::addAlibi(const QRectF &card)
{
    const Tensor &own = experiment().matrix(Stage::MaskAlibi);
    const bool isUsed = !own.isNull();
    const Tensor slopes = isUsed ? own : defaultAlibiSlopes(experiment().nHeads);
    m_draft.addBox(card);
    const double left = card.left() + 16.0;
    m_draft.addText({left, card.top() + 10.0, card.width() - 220.0, 20.0},
                    QCoreApplication::translate("Scene", "ALiBi: a penalty that grows with the distance"));
    m_draft.addParagraph(
        {left, card.top() + 32.0}, card.width() - 232.0,
        isUsed ? QCoreApplication::translate(
                     "Scene", "In use in this document: each head adds −slope · |i − j| to its "
                              "scaled scores, with its own slope.")
               : QCoreApplication::translate("Scene",
                                             "Not in use in this document. Each head would add −slope · |i − "
                                             "j| to its scaled scores; drawn with the usual slopes."));
    m_draft.addControl(isUsed ? QStringLiteral("alibi:remove") : QStringLiteral("alibi:use"),
                       {card.right() - 192.0, card.top() + 10.0, 176.0, 24.0},
                       isUsed ? QCoreApplication::translate("Scene", "Use no ALiBi")
                              : QCoreApplication::translate("Scene", "Use these slopes"),
                       isUsed
                           ? QCoreApplication::translate("Scene", "Take ALiBi out of the document")
                           : QCoreApplication::translate("Scene", "Give the document's heads these slopes"));
    const Index heads = slopes.cols();
    const Index listed = std::min<Index>(heads, 12);
    double y = card.top() + 84.0;
    for (Index head = 0; head < listed; ++head) {
        const double slope = slopes.at(0, head);
        m_draft.addText({left, y, 220.0, 18.0},
                        QCoreApplication::translate("Scene", "head %1: slope %2")
                            .arg(head + 1)
                            .arg(QString::fromStdString(significantText(slope, 6))),
                        head == m_options.head ? SceneText::Style::Label : SceneText::Style::Muted);
        y += 18.0;
    }
    if (listed < heads)
        m_draft.addText({left, y, 220.0, 18.0},
                        heads - listed == 1
                            ? QCoreApplication::translate("Scene", "and one more head")
                            : QCoreApplication::translate("Scene", "and %1 more heads").arg(heads - listed),
                        SceneText::Style::Muted);
    const Index queries = std::min(experiment().tokens.size(), mostPositions);
    const Index keys = std::min(experiment().keyTokens().size(), mostPositions);
    const auto names = [this](const TokenList &tokens, Index count) {
        QStringList labels;
        for (Index i = 0; i < count; ++i)
            labels.append(tokenName(tokens, i));
        return labels;
    };
    const double slope = slopes.at(0, std::min(m_options.head, heads - 1));
    const QRectF rect(left + 340.0, card.top() + 96.0, axisExtent(keys, 56.0, card.width() - 400.0, 480.0),
                      axisExtent(queries, 26.0, 160.0, 160.0));
    SceneMap map = m_draft.derived(
        QStringLiteral("positions:alibi"),
        QCoreApplication::translate("Scene", "ALiBi of head %1").arg(m_options.head + 1),
        alibiBiasTable(slope, queries, keys, experiment().qOffset), rect, ColorMap::Kind::Diverging);
    map.rowLabels = names(experiment().tokens, queries);
    map.colLabels = names(experiment().keyTokens(), keys);
    map.rowLabelWidth = 84.0;
    map.decimals = std::max(3, m_draft.maps().display().decimals);
    map.colLabelHeight = columnLabelHeight(m_draft.maps(), Stage::A, rect.width() / double(keys));
    map.colorBar = {rect.left(), rect.bottom() + cardMetrics::axisRoom, std::min(rect.width(), 200.0),
                    cardMetrics::barHeight};
    m_draft.addMap(std::move(map));
    if (queries < experiment().tokens.size() || keys < experiment().keyTokens().size())
        m_draft.addText(
            {left, card.bottom() - 28.0, 230.0, 18.0},
            QCoreApplication::translate("Scene", "the first %1 queries and %2 keys").arg(queries).arg(keys),
            SceneText::Style::Muted);
}

} // namespace attn
