#include "engine/Derivation.h"
#include "render/scenes/FlowDrawing.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr double rowMargin = 24.0;
constexpr double rowLine = 16.0;
constexpr double rowNodeGap = 6.0;
constexpr double longNumber = 168.0;    ///< room for "1.00 × 0.10 = 0.10"
constexpr double headingColumn = 144.0; ///< left of stacked lists
constexpr double shortNumber = 72.0;
constexpr Index mostNumbered = 16;

using Edge = FlowDrawing::Edge;
using Emphasis = FlowDrawing::Emphasis;

std::size_t index(Index number)
{
    return static_cast<std::size_t>(number);
}

/// Three lists: what the row holds, what it passes through, and the cells it becomes.
class RowFlowBuilder
{
public:
    RowFlowBuilder(const MapFactory &maps, const RowFlowOptions &options)
        : m_maps(maps)
        , m_options(options)
        , m_draw(maps, options.layout)
        , m_flow(options.flow ? options.flow
                              : std::make_shared<const RowFlow>(
                                    rowFlow(maps.snapshot(), options.question, options.filter)))
    {
        if (m_options.target && *m_options.target >= m_flow->terms.targets)
            m_options.target.reset();
        if (m_options.source && (m_options.target || *m_options.source >= m_flow->terms.sources))
            m_options.source.reset();
    }

    Scene build();

private:
    bool isProjection() const
    {
        return m_options.question.kind == RowFlowKind::Query || m_options.question.kind == RowFlowKind::Key ||
               m_options.question.kind == RowFlowKind::Value;
    }
    bool isAlone() const { return m_options.source || m_options.target; }
    bool isShown(const FlowLink &link) const
    {
        return (!m_options.source || *m_options.source == link.source) &&
               (!m_options.target || *m_options.target == link.target);
    }
    double widthOf(double strength) const
    {
        return std::max(std::abs(strength) * m_scale, FlowDrawing::thinnest);
    }
    double bend(int list) const { return list * (m_reach + FlowDrawing::barLength); }

    void measure();
    QStringList sourceNames() const;
    QStringList targetNames() const;
    void addHeading();
    void addListHeadings();
    void addTerms();
    void addPassage();
    void addLists();
    void addEdgeList(Edge edge);
    void addMiddleList();
    void addFooter();
    QString title() const;
    QString caption() const;
    QString number(double value) const { return figureText(value, m_maps.display().decimals); }
    QString sourceNumber(Index source) const;
    QString targetNumber(Index target) const;
    QString termName(const FlowLink &link) const;
    double shownTerm(Index source, Index target) const;
    QString rowName() const;

    const MapFactory &m_maps;
    RowFlowOptions m_options;
    FlowDrawing m_draw;
    std::shared_ptr<const RowFlow> m_flow;
    FlowLabels m_sourceLabels;
    FlowLabels m_targetLabels;
    FlowList m_sources;
    FlowList m_middle;
    FlowList m_targets;
    double m_scale = 1.0;       ///< of terms and cells
    double m_factorScale = 1.0; ///< of weights, left of footprints
    double m_reach = 280.0;     ///< length of the ribbons between two lists
    double m_top = 0.0;
};

Scene RowFlowBuilder::build()
{
    measure();
    addHeading();
    const bool isStacked = m_options.layout == FlowLayout::Stacked;
    const double before = m_draw.edgeRoom(m_sourceLabels);
    const double after = m_draw.edgeRoom(m_targetLabels);
    const double across = std::max({m_sources.length(), m_middle.length(), m_targets.length()});
    const double along = before + bend(2) + FlowDrawing::barLength + after;
    m_top += isStacked ? 12.0 : 2.0 * rowLine + 8.0;
    m_draw.setOrigin(isStacked ? QPointF(rowMargin + headingColumn, m_top + before)
                               : QPointF(rowMargin + before, m_top));
    for (FlowList *list : {&m_sources, &m_middle, &m_targets})
        list->moveTo((across - list->length()) / 2.0);
    addListHeadings();
    addTerms();
    addPassage();
    m_draw.endResting(isAlone());
    addLists();
    m_top += (isStacked ? along : across) + 16.0;
    m_draw.scene().size = {2.0 * rowMargin + std::max(isStacked ? across + headingColumn : along, 640.0),
                           0.0};
    addFooter();
    m_draw.scene().size.setHeight(m_top + rowMargin);
    return std::move(m_draw.scene());
}

QStringList RowFlowBuilder::sourceNames() const
{
    return m_maps.colLabels(m_flow->left);
}

QStringList RowFlowBuilder::targetNames() const
{
    const QStringList &all = m_maps.colLabels(m_flow->result);
    return all.mid(m_flow->firstColumn, m_flow->terms.targets);
}

void RowFlowBuilder::measure()
{
    const FlowLinks &terms = m_flow->terms;
    m_sourceLabels = m_draw.measured(sourceNames(), longNumber);
    m_targetLabels = m_draw.measured(targetNames(), shortNumber);
    const auto most = static_cast<double>(std::max(terms.sources, terms.targets));
    const double extent = std::clamp(most * 32.0, 160.0, 720.0);
    m_scale = terms.total > 0.0 ? extent / terms.total : 0.0;
    const auto lengths = [](const std::vector<double> &numbers, double scale) {
        std::vector<double> result;
        for (const double number : numbers)
            result.push_back(std::isfinite(number) ? std::abs(number) * scale : 0.0);
        return result;
    };
    double factors = 0.0;
    for (const double factor : m_flow->factors)
        factors += std::isfinite(factor) ? std::abs(factor) : 0.0;
    m_factorScale = factors > 0.0 ? extent / factors : 0.0;
    const auto gapOf = [](const FlowLabels &labels) {
        return labels.labels.size() <= mostLabelledTokens ? rowNodeGap : 0.0;
    };
    m_sources = FlowList(isProjection() ? lengths(terms.sourceTotals, m_scale)
                                        : lengths(m_flow->factors, m_factorScale),
                         m_sourceLabels.leastSlot, gapOf(m_sourceLabels));
    m_middle =
        isProjection()
            ? FlowList(lengths(terms.targetTotals, m_scale), m_targetLabels.leastSlot, gapOf(m_targetLabels))
            : FlowList(lengths(terms.sourceTotals, m_scale), m_sourceLabels.leastSlot, gapOf(m_sourceLabels));
    m_targets =
        FlowList(isProjection() ? lengths(m_flow->cells, m_scale) : lengths(terms.targetTotals, m_scale),
                 m_targetLabels.leastSlot, gapOf(m_targetLabels));
    if (m_options.layout == FlowLayout::Stacked) {
        m_reach = std::clamp(m_middle.length() * 0.3, 140.0, 260.0);
        return;
    }
    const double rest = m_draw.edgeRoom(m_sourceLabels) + m_draw.edgeRoom(m_targetLabels) + 2.0 * rowMargin +
                        3.0 * FlowDrawing::barLength;
    m_reach = std::clamp((m_options.width - rest) / 2.0, 180.0, 360.0);
}

QString RowFlowBuilder::rowName() const
{
    return QString::fromStdString(rowLabel(m_maps.experiment(), m_flow->result, m_options.question.row));
}

QString RowFlowBuilder::title() const
{
    switch (m_options.question.kind) {
    case RowFlowKind::Query:
        return QCoreApplication::translate("Scene", "From the features of \u201c%1\u201d to its query")
            .arg(rowName());
    case RowFlowKind::Key:
        return QCoreApplication::translate("Scene", "From the features of \u201c%1\u201d to its key")
            .arg(rowName());
    case RowFlowKind::Value:
        return QCoreApplication::translate("Scene", "From the features of \u201c%1\u201d to its value")
            .arg(rowName());
    case RowFlowKind::HeadOut:
        return QCoreApplication::translate("Scene", "From tokens to the head's output row of \u201c%1\u201d")
            .arg(rowName());
    case RowFlowKind::HeadContribution:
        return QCoreApplication::translate("Scene", "From tokens to what the head adds to \u201c%1\u201d")
            .arg(rowName());
    case RowFlowKind::Output:
        break;
    }
    return QCoreApplication::translate("Scene", "From tokens to the output row of \u201c%1\u201d")
        .arg(rowName());
}

QString RowFlowBuilder::caption() const
{
    const QString head = headTitle(m_maps.experiment(), m_options.question.head);
    if (isProjection())
        return QCoreApplication::translate("Scene",
                                           "Each column of the weight asks the same question of every "
                                           "token; no other token takes part. %1")
            .arg(head);
    if (m_options.question.kind == RowFlowKind::Output)
        return QCoreApplication::translate(
            "Scene", "Each token's footprint in this row, summed over the heads; left: mean weight.");
    return QCoreApplication::translate("Scene", "Each token's weight times its value row is its footprint in "
                                                "this row. %1")
        .arg(head);
}

void RowFlowBuilder::addHeading()
{
    m_draw.addText({rowMargin, rowMargin, 592.0, 24.0}, title(), SceneText::Style::Heading);
    m_top = rowMargin + 24.0;
    m_top = m_draw.addParagraph({rowMargin, m_top}, 640.0, caption(), SceneText::Style::Muted);
    if (!m_flow->terms.isExact || m_maps.display().updating) {
        m_draw.addText({rowMargin, m_top, 592.0, rowLine},
                       QCoreApplication::translate("Scene", "Not yet exact: still computing."),
                       SceneText::Style::Muted);
        m_top += rowLine;
    }
}

void RowFlowBuilder::addListHeadings()
{
    const QString left = QString::fromLatin1(stageName(m_flow->left));
    const QString texts[] = {
        isProjection() ? QCoreApplication::translate("Scene", "features in %1").arg(left)
                       : QCoreApplication::translate("Scene", "weights of the tokens"),
        isProjection() ? QCoreApplication::translate("Scene", "columns of %1")
                             .arg(QString::fromLatin1(stageName(m_flow->right)))
                       : QCoreApplication::translate("Scene", "footprints"),
        QCoreApplication::translate("Scene", "cells of %1")
            .arg(QString::fromLatin1(stageName(m_flow->result))),
    };
    const FlowFrame &frame = m_draw.frame();
    for (int list = 0; list < 3; ++list) {
        const QPointF at = frame.point(bend(list), 0.0);
        if (!frame.isStacked()) {
            const double centre = at.x() + FlowDrawing::barLength / 2.0;
            m_draw.addText({centre - 72.0, at.y() - rowLine - 8.0, 144.0, rowLine}, texts[list],
                           SceneText::Style::Muted, Qt::AlignCenter);
            continue;
        }
        m_draw.addText(
            {rowMargin, at.y() + FlowDrawing::barLength / 2.0 - rowLine / 2.0, headingColumn - 8.0, rowLine},
            texts[list], SceneText::Style::Muted);
    }
}

QString RowFlowBuilder::termName(const FlowLink &link) const
{
    return QCoreApplication::translate("Scene", "%1 → %2: %3")
        .arg(m_sourceLabels.labels[link.source], m_targetLabels.labels[link.target], number(link.strength));
}

/// The ribbons that carry the terms: left of the weight columns, right of the footprints.
void RowFlowBuilder::addTerms()
{
    const std::vector<FlowLink> &links = m_flow->terms.links;
    FlowList &begin = isProjection() ? m_sources : m_middle;
    FlowList &end = isProjection() ? m_middle : m_targets;
    const double from = bend(isProjection() ? 0 : 1) + FlowDrawing::barLength;
    const double to = bend(isProjection() ? 1 : 2);
    std::vector<std::size_t> order(links.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::vector<double> starts(links.size()), ends(links.size());
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return links[a].target < links[b].target; });
    for (const std::size_t i : order)
        starts[i] = begin.takePiece(links[i].source, std::abs(links[i].strength) * m_scale);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return links[a].source < links[b].source; });
    for (const std::size_t i : order)
        ends[i] = end.takePiece(links[i].target, std::abs(links[i].strength) * m_scale);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double width = widthOf(links[i].strength);
        m_draw.addRibbon(ribbonPath(m_draw.frame(), from, starts[i], width, to, ends[i], width),
                         FlowDrawing::Ink::Sign, links[i].strength,
                         !isAlone()          ? Emphasis::Plain
                         : isShown(links[i]) ? Emphasis::Strong
                                             : Emphasis::Faded,
                         QStringLiteral("link:%1:%2").arg(links[i].source).arg(links[i].target),
                         termName(links[i]));
    }
}

/// The ribbons that lead straight on: from a weight column to its cell, from a weight to its footprint.
void RowFlowBuilder::addPassage()
{
    const bool isRight = isProjection();
    const FlowList &begin = isRight ? m_middle : m_sources;
    const FlowList &end = isRight ? m_targets : m_middle;
    const double from = bend(isRight ? 1 : 0) + FlowDrawing::barLength;
    const double to = bend(isRight ? 2 : 1);
    const std::vector<double> &amounts = isRight ? m_flow->cells : m_flow->factors;
    const std::optional<Index> &alone = isRight ? m_options.target : m_options.source;
    for (Index node = 0; node < begin.size(); ++node) {
        const double amount = amounts[index(node)];
        if (!std::isfinite(amount) || amount == 0.0)
            continue;
        const double widthFrom =
            std::max(isRight ? std::min(begin.thickness(node), end.thickness(node)) : begin.thickness(node),
                     FlowDrawing::thinnest);
        const double widthTo = std::max(end.thickness(node), FlowDrawing::thinnest);
        Emphasis emphasis = Emphasis::Plain;
        if (isAlone())
            emphasis = alone && *alone == node ? Emphasis::Strong : Emphasis::Faded;
        const QString name =
            QCoreApplication::translate("Scene", "%1: %2")
                .arg(isRight ? m_targetLabels.labels[node] : m_sourceLabels.labels[node], number(amount));
        m_draw.addRibbon(ribbonPath(m_draw.frame(), from, begin.centre(node) - widthFrom / 2.0, widthFrom, to,
                                    end.centre(node) - widthTo / 2.0, widthTo),
                         isRight ? FlowDrawing::Ink::Sign : FlowDrawing::Ink::Amount, amount, emphasis,
                         QStringLiteral("through:%1").arg(node), name);
    }
}

double RowFlowBuilder::shownTerm(Index source, Index target) const
{
    for (const FlowLink &link : m_flow->terms.links)
        if (link.source == source && link.target == target)
            return link.strength;
    return std::nan("");
}

/// With one cell alone the whole term, also where it is 0 or its ribbon hidden.
QString RowFlowBuilder::sourceNumber(Index source) const
{
    const QString factor = number(m_flow->factors[index(source)]);
    if (!m_options.target)
        return factor;
    const bool isMapped = m_options.question.kind == RowFlowKind::HeadContribution ||
                          m_options.question.kind == RowFlowKind::Output;
    if (isMapped) {
        const double term = shownTerm(source, *m_options.target);
        return std::isnan(term) ? QString() : number(term);
    }
    const StageValues &right = *m_maps.state(m_flow->right).values;
    const Index rightHead = isProjection() ? 0 : kvHeadOf(m_maps.experiment(), m_options.question.head);
    const double other = right.value(rightHead, source, m_flow->firstColumn + *m_options.target);
    const QString term = number(m_flow->factors[index(source)] * other);
    return m_draw.frame().isStacked() ? term
                                      : QStringLiteral("%1 × %2 = %3").arg(factor, number(other), term);
}

QString RowFlowBuilder::targetNumber(Index target) const
{
    if (!m_options.source)
        return number(m_flow->cells[index(target)]);
    const double term = shownTerm(*m_options.source, target);
    return std::isnan(term) ? QString() : number(term);
}

void RowFlowBuilder::addLists()
{
    addEdgeList(Edge::Start);
    addMiddleList();
    addEdgeList(Edge::End);
}

void RowFlowBuilder::addMiddleList()
{
    for (Index node = 0; node < m_middle.size(); ++node) {
        const QString &label = isProjection() ? m_targetLabels.labels[node] : m_sourceLabels.labels[node];
        const QString id = (isProjection() ? QStringLiteral("to:%1") : QStringLiteral("from:%1")).arg(node);
        const std::optional<Index> &alone = isProjection() ? m_options.target : m_options.source;
        m_draw.addBar(m_middle, node, bend(1), id, label,
                      alone && *alone == node ? Emphasis::Strong : Emphasis::Plain);
    }
}

void RowFlowBuilder::addEdgeList(Edge edge)
{
    const bool isStart = edge == Edge::Start;
    const FlowList &list = isStart ? m_sources : m_targets;
    const FlowLabels &labels = isStart ? m_sourceLabels : m_targetLabels;
    const std::optional<Index> &alone = isStart ? m_options.source : m_options.target;
    const double barAt = bend(isStart ? 0 : 2);
    std::vector<Index> order(index(list.size()));
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        const double first = a == alone ? HUGE_VAL : list.thickness(a);
        const double second = b == alone ? HUGE_VAL : list.thickness(b);
        return first > second;
    });
    for (const Index node : order) {
        const QString id = (isStart ? QStringLiteral("from:%1") : QStringLiteral("to:%1")).arg(node);
        const QString text = isStart ? sourceNumber(node) : targetNumber(node);
        const QString name = QCoreApplication::translate("Scene", "%1: %2").arg(labels.labels[node], text);
        m_draw.addBar(list, node, barAt, id, name,
                      alone && *alone == node ? Emphasis::Strong : Emphasis::Plain);
        const bool showsNumber = isAlone() || list.size() <= mostNumbered;
        m_draw.addLabel(list, node, isStart ? 0.0 : barAt + FlowDrawing::barLength, edge, labels,
                        showsNumber ? text : QString(), id, name);
    }
}

void RowFlowBuilder::addFooter()
{
    const FlowLinks &terms = m_flow->terms;
    const auto shown = static_cast<Index>(terms.links.size());
    const double hidden = terms.hiddenShare();
    QStringList lines;
    if (shown == terms.count)
        lines.append(
            QCoreApplication::translate("Scene", "All %1 terms that are not 0 are drawn; nothing is hidden.")
                .arg(countText(shown)));
    else
        lines.append(
            QCoreApplication::translate(
                "Scene", "%1 of %2 terms are drawn; they hold %3 of the sum of widths, %4 is hidden.")
                .arg(countText(shown), countText(terms.count), percentText(1.0 - hidden),
                     percentText(hidden)));
    if (terms.notFinite > 0)
        lines.append(QCoreApplication::translate("Scene", "Terms left out as NaN or infinite: %1.")
                         .arg(countText(terms.notFinite)));
    if (m_options.target) {
        const std::size_t cell = index(*m_options.target);
        const QString label = m_targetLabels.labels[*m_options.target];
        const double bias = m_flow->bias.empty() ? 0.0 : m_flow->bias[cell];
        if (m_flow->pinned[cell])
            lines.append(QCoreApplication::translate(
                             "Scene", "The terms of %1 add up to %2; the cell is set by hand to %3.")
                             .arg(label, number(terms.targetSums[cell] + bias), number(m_flow->cells[cell])));
        else if (!m_flow->bias.empty())
            lines.append(
                QCoreApplication::translate("Scene", "The terms of %1 add up to %2, the bias adds %3: %4.")
                    .arg(label, number(terms.targetSums[cell]), number(bias), number(m_flow->cells[cell])));
        else
            lines.append(QCoreApplication::translate("Scene", "The terms of %1 add up to %2.")
                             .arg(label, number(terms.targetSums[cell])));
    }
    const double width = m_draw.scene().size.width() - 2.0 * rowMargin;
    for (const QString &line : lines)
        m_top = m_draw.addParagraph({rowMargin, m_top}, width, line, SceneText::Style::Muted);
    const QString uneven =
        isProjection() || m_options.question.kind == RowFlowKind::Output
            ? QString()
            : unevenRowText(m_maps.snapshot(), m_options.question.head, m_options.question.row);
    if (!uneven.isEmpty())
        m_top = m_draw.addParagraph({rowMargin, m_top}, width, uneven, SceneText::Style::Warning);
    double x = rowMargin + m_draw.addSignLegend({rowMargin, m_top}) + 16.0;
    x += m_draw.addScaleSample({x, m_top}, FlowDrawing::Ink::Sign, m_scale,
                               QString::fromLatin1(stageName(m_flow->result)));
    if (!isProjection())
        m_draw.addScaleSample({x, m_top}, FlowDrawing::Ink::Amount, m_factorScale,
                              QCoreApplication::translate("Scene", "weight"));
    m_top += 48.0;
}

} // namespace

Scene rowFlowScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const RowFlowOptions &options)
{
    const std::string problem = rowFlowProblem(*snapshot, options.question);
    if (!problem.empty())
        return messageScene(QCoreApplication::translate("Scene", "This flow cannot be drawn"),
                            QString::fromStdString(problem));
    const MapFactory maps(snapshot, display);
    return RowFlowBuilder(maps, options).build();
}

} // namespace attn
