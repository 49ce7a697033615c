#include "render/scenes/masks/MaskEffectSection.h"

#include "base/NumberText.h"
#include "engine/Comparison.h"
#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/FlowDrawing.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/masks/MaskMapRow.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <numeric>

namespace attn {

namespace {

constexpr double effectLine = 20.0;
constexpr std::size_t mostNamedKeys = 4;

/// Query, keys it sees, its row contains, weight removed, grown, goes mostly to, change of the output.
constexpr std::array<double, 7> effectColumns = {96.0, 56.0, 248.0, 224.0, 84.0, 148.0, 112.0};

QRectF effectCell(std::size_t column, double left, double top)
{
    const double start = std::accumulate(effectColumns.begin(), effectColumns.begin() + column, left);
    const double indent = column == 2 || column == 5 ? 12.0 : 0.0; // right of numbers
    return {start + indent, top, effectColumns[column] - 8.0 - indent, effectLine};
}

Qt::Alignment effectAlignment(std::size_t column)
{
    const bool isNumber = column == 1 || column == 4 || column == 6;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

QString fourDecimals(double value)
{
    return QString::fromStdString(withTrueMinus(displayText(value, 4)));
}

} // namespace

MaskEffectSection::MaskEffectSection(SceneDraft &draft, const MasksOptions &options)
    : m_draft(draft)
    , m_options(options)
{
}

QString MaskEffectSection::keyName(Index key) const
{
    return visibleLabel(QString::fromStdString(m_draft.maps().experiment().keyTokens().at(key)));
}

QString MaskEffectSection::queryName(Index row) const
{
    return visibleLabel(QString::fromStdString(m_draft.maps().experiment().tokens.at(row)));
}

double MaskEffectSection::addTo(double left, double top)
{
    const double width = m_options.width - 2.0 * left;
    m_draft.addText({left, top, width, 24.0},
                    QCoreApplication::translate("Scene", "What the mask does, compared with %1")
                        .arg(m_options.beforeName),
                    SceneText::Style::Heading);
    top += 30.0;
    if (!m_options.before) {
        const QString why = m_options.beforeProblem.isEmpty()
                                ? QCoreApplication::translate("Scene", "A with %1 is being computed.")
                                      .arg(m_options.beforeName)
                                : m_options.beforeProblem;
        return m_draft.addParagraph({left, top}, width, why) + 8.0;
    }
    top = addSummary(left, top) + 12.0;
    for (const Stage stage : {Stage::A, Stage::Output})
        top = addStage(stage, left, top) + 16.0;
    return m_options.effect ? addTable(left, top) : top;
}

double MaskEffectSection::addStage(Stage stage, double left, double top)
{
    const MapFactory &maps = m_draft.maps();
    const StageValuesPtr &now = maps.state(stage).values;
    const StageValuesPtr &before = m_options.before->stage(stage).values;
    if (!now || !before || !(now->shape() == before->shape()))
        return top;
    const double width = m_options.width - 2.0 * left;
    const Index head = now->heads() > 1 ? m_options.head : 0;
    const double room = (width - 2.0 * 32.0) / 3.0 - maps.rowLabelWidth(stage);
    const QSizeF cells = MaskMapRow::cellsFor(now->rows(), now->cols(), std::clamp(room, 160.0, 320.0));
    const QString name = QString::fromLatin1(stageName(stage));
    MaskMapRow row(m_draft, left, top, width);
    SceneMap after = maps.stageMap(stage, head, {});
    const bool isDrawn = now->rows() * now->cols() <= mostDerivedMaskCells;
    if (!isDrawn) {
        row.add(std::move(after), QCoreApplication::translate("Scene", "%1 with the mask").arg(name), stage,
                cells);
        return m_draft.addParagraph(
            {left, row.bottom()}, width,
            QCoreApplication::translate(
                "Scene", "%1 before and the difference are not drawn at %2 cells; the numbers of "
                         "each row below cover all of them.")
                .arg(name)
                .arg(countText(now->rows() * now->cols())));
    }
    if (!maps.hasFixedRange(stage))
        after.range =
            SceneDraft::united(after.range, automaticRange(before->statistics(head), defaultKind(stage)));
    after.rangeNote = QCoreApplication::translate("Scene", "before and after alike");
    const auto derived = [&](const QString &id, const QString &title, const StageValuesPtr &values,
                             ColorMap::Kind kind) {
        SceneMap map = m_draft.derived(id, title, values, {}, kind);
        map.head = head;
        map.version = maps.snapshot().generation().number;
        return map;
    };
    SceneMap earlier =
        derived(QStringLiteral("before:%1").arg(name),
                QCoreApplication::translate("Scene", "%1 with %2").arg(name, m_options.beforeName), before,
                defaultKind(stage));
    earlier.range = after.range;
    markMasked(earlier, *m_options.before, stage, head);
    SceneMap difference =
        derived(QStringLiteral("difference:%1").arg(name),
                QCoreApplication::translate("Scene", "%1: with the mask − before").arg(name),
                differenceOf(now, before), ColorMap::Kind::Diverging);
    difference.range = automaticRange(difference.values->statistics(head), ColorMap::Kind::Diverging);
    const QString beforeTitle = earlier.name;
    const QString differenceTitle = difference.name;
    row.add(std::move(earlier), beforeTitle, stage, cells);
    row.add(std::move(after), QCoreApplication::translate("Scene", "%1 with the mask").arg(name), stage,
            cells);
    row.add(std::move(difference), differenceTitle, stage, cells);
    return row.bottom();
}

double MaskEffectSection::addSummary(double left, double top)
{
    const double width = m_options.width - 2.0 * left;
    if (!m_options.effect)
        return m_draft.addParagraph({left, top}, width,
                                    QCoreApplication::translate("Scene", "The rows are being compared."));
    const MaskEffect &effect = *m_options.effect;
    if (effect.moved == 0.0 && maskPartsSet(m_draft.maps().experiment()).isEmpty()) {
        const double said = m_draft.addParagraph(
            {left, top}, width,
            QCoreApplication::translate("Scene", "No part of a mask is set and no weight moves."),
            SceneText::Style::Label);
        return m_draft.addHint(
            {left, said}, width,
            QCoreApplication::translate("Scene", "Paint above, or turn the causal mask on."),
            SceneText::Style::Label);
    }
    const auto rows = static_cast<double>(std::max<std::size_t>(effect.rows.size(), 1));
    double y = m_draft.addParagraph(
        {left, top}, width,
        QCoreApplication::translate(
            "Scene", "Keys that are hidden now held %1 of the weight of all %2 rows, %3 of a row on "
                     "average. Weight that lies elsewhere now: %4 of a row on average.")
            .arg(fourDecimals(effect.removed))
            .arg(effect.rows.size())
            .arg(percentText(effect.removed / rows), percentText(effect.moved / rows)),
        SceneText::Style::Label);
    const auto chosen = static_cast<std::size_t>(std::max<Index>(m_options.row, 0));
    if (m_options.row >= 0 && chosen < effect.rows.size()) {
        const MaskRowEffect &row = effect.rows[chosen];
        const QString name = queryName(m_options.row);
        QString sentence;
        if (row.keysAfter == 0)
            sentence = QCoreApplication::translate("Scene", "“%1” sees no key now: its whole row of A is 0.")
                           .arg(name);
        else if (row.mostRemoved < 0)
            sentence = QCoreApplication::translate("Scene", "“%1” sees every key it saw before.").arg(name);
        else
            sentence =
                QCoreApplication::translate(
                    "Scene", "“%1” loses %2 of its weight, most of it (%3) to hiding “%4”; what is left is "
                             "shared by %5 of %6 keys.")
                    .arg(name, fourDecimals(row.removed), fourDecimals(row.mostRemovedWeight),
                         keyName(row.mostRemoved))
                    .arg(row.keysAfter)
                    .arg(row.keysBefore);
        y = m_draft.addParagraph({left, y}, width, sentence, SceneText::Style::Label);
    }
    if (!effect.isExact)
        y = m_draft.addParagraph(
            {left, y}, width, QCoreApplication::translate("Scene", "Some numbers are still being computed."));
    return y;
}

std::vector<Index> MaskEffectSection::listedRows() const
{
    const std::vector<MaskRowEffect> &effects = m_options.effect->rows;
    std::vector<Index> rows(effects.size());
    std::iota(rows.begin(), rows.end(), Index(0));
    if (static_cast<Index>(rows.size()) <= mostListedMaskRows)
        return rows;
    std::stable_sort(rows.begin(), rows.end(), [&](Index a, Index b) {
        return effects[static_cast<std::size_t>(a)].moved > effects[static_cast<std::size_t>(b)].moved;
    });
    rows.resize(static_cast<std::size_t>(mostListedMaskRows));
    std::sort(rows.begin(), rows.end());
    return rows;
}

double MaskEffectSection::addTable(double left, double top)
{
    const QString headings[] = {
        QCoreApplication::translate("Scene", "Query"),
        QCoreApplication::translate("Scene", "Keys"),
        QCoreApplication::translate("Scene", "Its row of AV contains"),
        QCoreApplication::translate("Scene", "Weight on keys now hidden"),
        QCoreApplication::translate("Scene", "Rest grows"),
        QCoreApplication::translate("Scene", "Gains most"),
        QCoreApplication::translate("Scene", "Output moves by"),
    };
    for (std::size_t column = 0; column < effectColumns.size(); ++column)
        m_draft.addText(effectCell(column, left, top), headings[column], SceneText::Style::Muted,
                        effectAlignment(column));
    top += effectLine + 4.0;
    SceneLine rule;
    rule.points = {QPointF(left, top - 2.0),
                   QPointF(effectCell(effectColumns.size() - 1, left, top).right(), top - 2.0)};
    m_draft.scene().lines.push_back(rule);
    const std::vector<Index> rows = listedRows();
    for (const Index row : rows) {
        addTableRow(row, left, top);
        top += effectLine;
    }
    const auto hidden = static_cast<Index>(m_options.effect->rows.size() - rows.size());
    if (hidden > 0)
        top = m_draft.addParagraph(
            {left, top}, m_options.width - 2.0 * left,
            hidden == 1
                ? QCoreApplication::translate(
                      "Scene", "One row whose weights move less is not listed; the sums above cover it.")
                : QCoreApplication::translate(
                      "Scene", "%1 rows whose weights move less are not listed; the sums above cover them.")
                      .arg(countText(hidden)));
    return top;
}

void MaskEffectSection::addTableRow(Index row, double left, double top)
{
    const MaskRowEffect &effect = m_options.effect->rows[static_cast<std::size_t>(row)];
    QString removed = fourDecimals(effect.removed);
    if (effect.mostRemoved >= 0)
        removed = QCoreApplication::translate("Scene", "%1, most on “%2” (%3)")
                      .arg(removed, keyName(effect.mostRemoved), fourDecimals(effect.mostRemovedWeight));
    const bool grows = effect.keysAfter > 0 && effect.removed > 0.0 && effect.removed < 1.0;
    const QString cells[] = {
        queryName(row),
        QStringLiteral("%1/%2").arg(effect.keysAfter).arg(effect.keysBefore),
        seenKeys(row),
        removed,
        grows ? QStringLiteral("×%1").arg(figureText(effect.growth(), 2)) : QStringLiteral("–"),
        effect.mostGained >= 0 ? QCoreApplication::translate("Scene", "“%1” +%2")
                                     .arg(keyName(effect.mostGained), fourDecimals(effect.mostGain))
                               : QStringLiteral("–"),
        m_options.effect->hasOutput ? fourDecimals(effect.outputChange) : QStringLiteral("–"),
    };
    for (std::size_t column = 0; column < effectColumns.size(); ++column) {
        const bool isWarning = column == 2 && effect.keysAfter == 0;
        m_draft.addText(effectCell(column, left, top), cells[column],
                        isWarning ? SceneText::Style::Warning : SceneText::Style::Label,
                        effectAlignment(column));
    }
}

/// "v_I, v_love": what a row of AV is mixed of.
QString MaskEffectSection::seenKeys(Index row) const
{
    const StageValuesPtr &allowed = after().stage(Stage::Allowed).values;
    const MaskRowEffect &effect = m_options.effect->rows[static_cast<std::size_t>(row)];
    if (effect.keysAfter == 0)
        return QCoreApplication::translate("Scene", "nothing: all its weights are 0");
    const Index head = allowed->heads() > 1 ? m_options.head : 0;
    const Index keys = allowed->cols();
    const std::vector<double> flags = rowNumbers(*allowed, head, row);
    const auto isSeen = [&](Index key) {
        return flags[static_cast<std::size_t>(key)] != 0.0;
    };
    const auto vectorName = [&](Index key) {
        return QStringLiteral("v_%1").arg(keyName(key));
    };
    std::vector<Index> seen;
    for (Index key = 0; key < keys; ++key)
        if (isSeen(key))
            seen.push_back(key);
    QStringList names;
    for (std::size_t i = 0; i < std::min(seen.size(), mostNamedKeys); ++i)
        names.append(vectorName(seen[i]));
    const std::size_t more = seen.size() - static_cast<std::size_t>(names.size());
    if (more == 0)
        return names.join(QStringLiteral(", "));
    if (seen.back() - seen.front() + 1 == static_cast<Index>(seen.size()))
        return QCoreApplication::translate("Scene", "%1 … %2", "from … to")
            .arg(vectorName(seen.front()), vectorName(seen.back()));
    return QCoreApplication::translate("Scene", "%1 and %2 more")
        .arg(names.join(QStringLiteral(", ")))
        .arg(more);
}

} // namespace attn
