#include "render/HeadPages.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "engine/heads/HeadPresets.h"
#include "engine/heads/WeightTimesLength.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/heads/HeadDraft.h"
#include "render/scenes/heads/TakenWeights.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr double patternColumn = 92.0;
constexpr double patternRow = 24.0;
constexpr Index mostNamedDelimiters = 12;

QString patternHeading(HeadPattern pattern, Index offset)
{
    switch (pattern) {
    case HeadPattern::First:
        return QCoreApplication::translate("Scene", "first");
    case HeadPattern::Previous:
        return QCoreApplication::translate("Scene", "previous");
    case HeadPattern::Self:
        return QCoreApplication::translate("Scene", "self");
    case HeadPattern::Offset:
        return offset >= 0 ? QCoreApplication::translate("Scene", "offset −%1").arg(offset)
                           : QCoreApplication::translate("Scene", "offset +%1").arg(-offset);
    case HeadPattern::Delimiter:
        return QCoreApplication::translate("Scene", "delimiter");
    case HeadPattern::Uniform:
        return QCoreApplication::translate("Scene", "uniform");
    case HeadPattern::Sink:
        break;
    }
    return QCoreApplication::translate("Scene", "sink");
}

QString weightsText(std::span<const double> weights)
{
    QStringList parts;
    for (const double weight : weights)
        parts.append(QString::fromStdString(significantText(weight, 4)));
    return QStringLiteral("(%1)").arg(parts.join(QStringLiteral(", ")));
}

/// Without an order by a pattern that means nothing here.
HeadPatternsOptions possibleOptions(HeadPatternsOptions options, const std::vector<HeadPattern> &patterns)
{
    using Order = HeadPatternsOptions::Order;
    if (options.order == Order::ByScore && std::ranges::find(patterns, options.sortedBy) == patterns.end())
        options.order = Order::ByHead;
    return options;
}

class HeadPatternsBuilder
{
public:
    HeadPatternsBuilder(const MapFactory &maps, const HeadPatternsOptions &options)
        : m_page(maps, options.width)
        , m_patterns(headPatternsOf(maps.experiment()))
        , m_options(possibleOptions(options, m_patterns))
        , m_order(headsInOrder(m_options))
    {
    }

    Scene build();

private:
    void addTable();
    void addTableMap();
    void addDefinitions();
    QString delimiterNames() const;
    void addGroups();
    void addFocus();
    void addPresets();
    QString keyName(Index key) const;

    HeadDraft m_page;
    std::vector<HeadPattern> m_patterns; ///< that mean something here
    HeadPatternsOptions m_options;
    std::vector<Index> m_order;
};

QString HeadPatternsBuilder::keyName(Index key) const
{
    return visibleLabel(QString::fromStdString(colLabel(m_page.maps().experiment(), Stage::A, key)));
}

Scene HeadPatternsBuilder::build()
{
    m_page.addHeading(
        QCoreApplication::translate("Scene", "Which pattern does each head follow?"),
        QCoreApplication::translate(
            "Scene", "Every score lies between 0 and 1 and is a mean over the rows of A. Rows in which a "
                     "pattern does not exist are left out; NaN means that it exists in none."));
    addTable();
    addGroups();
    addFocus();
    addPresets();
    return m_page.finished();
}

void HeadPatternsBuilder::addTable()
{
    m_page.beginSection(QCoreApplication::translate("Scene", "Heads and detectors"));
    using Order = HeadPatternsOptions::Order;
    std::vector<HeadDraft::Button> orders = {
        {QStringLiteral("sort:head"), QCoreApplication::translate("Scene", "head"),
         QCoreApplication::translate("Scene", "Sort by head"), m_options.order == Order::ByHead, true, true},
        {QStringLiteral("sort:group"), QCoreApplication::translate("Scene", "likeness"),
         QCoreApplication::translate("Scene", "Similar heads one below the other"),
         m_options.order == Order::BySimilarity, true, true}};
    for (const HeadPattern pattern : m_patterns) {
        const QString heading = patternHeading(pattern, m_options.question.offset);
        orders.push_back({QStringLiteral("sort:%1").arg(QLatin1String(headPatternName(pattern))), heading,
                          QCoreApplication::translate("Scene", "Sort by %1").arg(heading),
                          m_options.order == Order::ByScore && m_options.sortedBy == pattern, true, true});
    }
    const auto chosen = std::ranges::find_if(orders, &HeadDraft::Button::isChecked);
    m_page.addButtons(QCoreApplication::translate("Scene", "Sorted by %1").arg(chosen->text), orders);
    m_page.addHeadButtons(m_options.head);
    addTableMap();
    addDefinitions();
    m_page.endSection();
}

void HeadPatternsBuilder::addTableMap()
{
    const auto rows = static_cast<Index>(m_order.size());
    std::vector<double> numbers;
    QStringList names;
    for (const Index head : m_order) {
        const HeadPatternScores &scores = m_options.patterns->heads[static_cast<std::size_t>(head)];
        for (const HeadPattern pattern : m_patterns)
            numbers.push_back(scores.of(pattern));
        names.append(QCoreApplication::translate("Scene", "Head %1").arg(head + 1));
    }
    const auto columns = static_cast<Index>(m_patterns.size());
    LabelledMap table = m_page.derived(
        QStringLiteral("patterns"), QCoreApplication::translate("Scene", "Scores of the heads"),
        valuesOf(Tensor::fromDoubles({1, rows, columns}, numbers)),
        {patternColumn * static_cast<double>(columns), patternRow * static_cast<double>(rows)}, {},
        ColorMap::Kind::Sequential, std::nullopt);
    QStringList headings;
    for (const HeadPattern pattern : m_patterns)
        headings.append(patternHeading(pattern, m_options.question.offset));
    table.map.rowLabels = names;
    table.map.rowLabelWidth = 72.0;
    table.map.colLabels = headings;
    table.map.colLabelHeight = 18.0;
    table.map.range = {0.0, 1.0, false};
    table.map.decimals = std::max(2, m_page.maps().display().decimals);
    table.note.clear();
    const auto focus = std::ranges::find(m_order, m_options.head);
    if (focus != m_order.end()) {
        const auto row = static_cast<Index>(focus - m_order.begin());
        table.map.emphasis.push_back({row, row, 0, columns - 1, MapEmphasis::Style::Framed});
    }
    m_page.addMaps({std::move(table)});
}

QString HeadPatternsBuilder::delimiterNames() const
{
    const std::vector<Index> &keys = m_options.patterns->delimiters;
    if (keys.empty())
        return QCoreApplication::translate("Scene", "no token here is one");
    QStringList names;
    for (std::size_t i = 0; i < keys.size() && static_cast<Index>(i) < mostNamedDelimiters; ++i)
        names.append(QStringLiteral("“%1”").arg(keyName(keys[i])));
    const auto more = static_cast<Index>(keys.size()) - static_cast<Index>(names.size());
    const QString listed = names.join(QStringLiteral(" "));
    return more > 0 ? QCoreApplication::translate("Scene", "%1 and %2 more").arg(listed).arg(more) : listed;
}

void HeadPatternsBuilder::addDefinitions()
{
    const QString byPlace =
        positionsCorrespond(m_page.maps().experiment())
            ? QCoreApplication::translate("Scene",
                                          "first: weight on key 1 · previous: on key p − 1 · self: on key p "
                                          "· %1: on the key that far from p, the query’s position")
                  .arg(patternHeading(HeadPattern::Offset, m_options.question.offset))
            : QCoreApplication::translate(
                  "Scene", "first: weight on key 1. The keys are of another sequence, in which no key stands "
                           "at the query’s position: previous, self and offset are left out.");
    const QStringList definitions = {
        byPlace,
        QCoreApplication::translate("Scene", "delimiter: weight on all tokens that separate (%1)")
            .arg(delimiterNames()),
        QCoreApplication::translate("Scene",
                                    "uniform: entropy divided by that of equal weights on all allowed keys"),
        QCoreApplication::translate(
            "Scene",
            "sink: the most that one key’s share of all weight exceeds its share of all weight × ‖v‖. "
            "A row always adds to 1, so a head with nothing to do parks its weight on a key whose v "
            "is short."),
    };
    for (const QString &definition : definitions)
        m_page.addParagraph(definition);
}

void HeadPatternsBuilder::addGroups()
{
    const HeadSimilarity &similarity = *m_options.similarity;
    if (similarity.heads <= 1)
        return;
    m_page.beginSection(
        QCoreApplication::translate("Scene", "Heads that look alike"),
        QCoreApplication::translate(
            "Scene",
            "Distance of two heads: Jensen–Shannon distance of their rows, the mean over the rows; 0 "
            "= the same weights, 1 = no key in common. Within a group no two heads lie further apart "
            "than %1.")
            .arg(QString::fromStdString(displayText(m_options.groupDistance, 2))));
    if (similarity.rowsRead < similarity.rows)
        m_page.addParagraph(QCoreApplication::translate("Scene", "Over %1 of %2 rows, evenly spaced.")
                                .arg(similarity.rowsRead)
                                .arg(similarity.rows));
    int number = 0;
    for (const std::vector<Index> &group : headGroups(similarity, m_options.groupDistance)) {
        ++number;
        if (group.size() == 1)
            continue;
        QStringList names;
        for (const Index head : group)
            names.append(QString::number(head + 1));
        m_page.addLine(
            QCoreApplication::translate("Scene", "alike: heads %1").arg(names.join(QStringLiteral(", "))));
    }
    if (number == static_cast<int>(similarity.heads))
        m_page.addLine(QCoreApplication::translate("Scene", "No two heads are that near to each other."));
    std::vector<double> numbers;
    QStringList names;
    for (const Index one : m_order) {
        names.append(QString::number(one + 1));
        for (const Index other : m_order)
            numbers.push_back(similarity.distance(one, other));
    }
    const double side = axisExtent(similarity.heads, 40.0, 480.0, 480.0);
    LabelledMap map = m_page.derived(
        QStringLiteral("distances"), QCoreApplication::translate("Scene", "Distance of two heads"),
        valuesOf(Tensor::fromDoubles({1, similarity.heads, similarity.heads}, numbers)), {side, 0.65 * side},
        {}, ColorMap::Kind::Sequential, std::nullopt);
    map.map.rowLabels = map.map.colLabels = names;
    map.map.rowLabelWidth = 28.0;
    map.map.colLabelHeight = 18.0;
    map.map.range = {0.0, 1.0, false};
    map.note.clear();
    m_page.addMaps({std::move(map)});
    m_page.endSection();
}

void HeadPatternsBuilder::addFocus()
{
    const HeadPatternScores &scores = m_options.patterns->heads[static_cast<std::size_t>(m_options.head)];
    m_page.beginSection(headTitle(m_page.maps().experiment(), m_options.head));
    const HeadPattern best = scores.strongest(m_patterns);
    m_page.addLine(QCoreApplication::translate("Scene", "nearest pattern: %1 (%2)")
                       .arg(patternHeading(best, m_options.question.offset), figureText(scores.of(best), 2)));
    if (scores.sinkKey >= 0)
        m_page.addLine(QCoreApplication::translate(
                           "Scene", "“%1” attracts %2 of the weight and hands out %3 of the weight × ‖v‖")
                           .arg(keyName(scores.sinkKey), percentText(scores.sinkWeight),
                                percentText(scores.sinkEffect)));
    const StageValues &A = *m_page.maps().state(Stage::A).values;
    const QSizeF cells = headCells(A.rows(), A.cols(), {320.0, 260.0});
    std::vector<LabelledMap> maps;
    maps.push_back(
        m_page.stage(Stage::A, m_options.head, cells, QStringLiteral("A_{%1}").arg(m_options.head + 1)));
    maps.back().note = QCoreApplication::translate("Scene", "weight");
    const Result<StageValuesPtr> taken = weightsTimesLength(m_page.maps().snapshotPtr());
    if (taken) {
        LabelledMap map = maps.back();
        map.map = weightsAsTaken(m_page.maps(), *taken, m_options.head, QRectF(QPointF(), cells));
        map.map.rowLabelWidth = maps.back().left();
        map.map.colLabelHeight = maps.back().above();
        map.title = QStringLiteral("A_{%1}‖v‖").arg(m_options.head + 1);
        maps.push_back(std::move(map));
        maps.back().note = QCoreApplication::translate("Scene", "weight × ‖v‖");
    }
    m_page.addMaps(std::move(maps));
    m_page.endSection();
}

void HeadPatternsBuilder::addPresets()
{
    const Experiment &experiment = m_page.maps().experiment();
    m_page.beginSection(
        QCoreApplication::translate("Scene", "Make a pattern on head %1").arg(m_options.head + 1),
        QCoreApplication::translate(
            "Scene",
            "Sets its A by hand, as one step that undo takes back. Weights stay on keys that the mask "
            "allows; a row in which the pattern does not exist is spread evenly. “do nothing” also "
            "sets the v it looks at to 0."));
    m_page.makeSectionHint();
    const StageValues &A = *m_page.maps().state(Stage::A).values;
    const bool isSmall = A.rows() * A.cols() <= mostPresetWeights;
    std::vector<HeadDraft::Button> presets;
    for (const HeadPattern pattern : m_patterns)
        presets.push_back(
            {QStringLiteral("preset:%1").arg(QLatin1String(headPatternName(pattern))),
             pattern == HeadPattern::Sink ? QCoreApplication::translate("Scene", "do nothing")
                                          : patternHeading(pattern, m_options.question.offset),
             presetText(pattern, m_options.head, m_options.question.offset), false, false,
             isSmall && (pattern != HeadPattern::Delimiter || !m_options.patterns->delimiters.empty())});
    m_page.addButtons({}, presets);
    if (!isSmall)
        m_page.addParagraph(
            QCoreApplication::translate("Scene", "A has too many weights here to set them by hand."),
            SceneText::Style::Warning);
    if (A.cols() != 4) {
        m_page.makeSectionHint();
        m_page.endSection();
        return;
    }
    const QString query = visibleLabel(QString::fromStdString(rowLabel(experiment, Stage::A, m_options.row)));
    const auto rows = workedRows();
    std::vector<HeadDraft::Button> worked;
    for (std::size_t i = 0; i < rows.size(); ++i)
        worked.push_back({QStringLiteral("worked:%1").arg(i), weightsText(rows[i].weights),
                          QCoreApplication::translate("Scene", "Set the row of “%1” in head %2 to it")
                              .arg(query)
                              .arg(m_options.head + 1),
                          false, false, true});
    m_page.addButtons(QCoreApplication::translate("Scene", "Worked rows, for the row of “%1”:").arg(query),
                      worked);
    m_page.addParagraph(
        QCoreApplication::translate("Scene", "single head %1 · head A %2 · head B %3")
            .arg(weightsText(rows[0].weights), weightsText(rows[1].weights), weightsText(rows[2].weights)),
        SceneText::Style::Label);
    m_page.addParagraph(QCoreApplication::translate(
                            "Scene", "They belong to different examples: the mean of heads A and B is "
                                     "%1, not the row of the single head.")
                            .arg(weightsText(meanOfWorkedHeads())));
    m_page.endSection();
}

} // namespace

std::vector<Index> headsInOrder(const HeadPatternsOptions &options)
{
    using Order = HeadPatternsOptions::Order;
    if (options.order == Order::ByScore)
        return headsByScore(*options.patterns, options.sortedBy);
    std::vector<Index> order;
    if (options.order == Order::BySimilarity) {
        for (const std::vector<Index> &group : headGroups(*options.similarity, options.groupDistance))
            order.insert(order.end(), group.begin(), group.end());
        return order;
    }
    order.resize(options.patterns->heads.size());
    std::iota(order.begin(), order.end(), Index(0));
    return order;
}

Scene headPatternsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                        const HeadPatternsOptions &options)
{
    const StageState &A = snapshot->stage(Stage::A);
    if (!A.hasValues() || !A.reason.empty() || A.values->rows() == 0 || A.values->cols() == 0)
        return unavailableScene(*snapshot, Stage::A);
    const MapFactory maps(snapshot, display);
    HeadPatternsOptions inside = options;
    inside.head = std::clamp<Index>(options.head, 0, A.values->heads() - 1);
    inside.row = std::clamp<Index>(options.row, 0, A.values->rows() - 1);
    if (!inside.patterns)
        inside.patterns = std::make_shared<const HeadPatterns>(headPatterns(*snapshot, inside.question));
    if (!inside.similarity)
        inside.similarity = std::make_shared<const HeadSimilarity>(headSimilarity(*snapshot));
    return HeadPatternsBuilder(maps, inside).build();
}

} // namespace attn
