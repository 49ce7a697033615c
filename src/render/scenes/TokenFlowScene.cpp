#include "render/scenes/FlowDrawing.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/TokenFlowWords.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attn {

namespace {

constexpr double flowMargin = 24.0;
constexpr double flowLine = 16.0;
constexpr double leastContent = 640.0; ///< width of the words above
constexpr double nodeGap = 6.0;
constexpr double numberRoom = 64.0;
constexpr Index mostWithNumbers = 12; ///< tokens of a list that all show what they give or get

using Edge = FlowDrawing::Edge;
using Emphasis = FlowDrawing::Emphasis;

std::size_t place(Index index)
{
    return static_cast<std::size_t>(index);
}

/// Lists of tokens, the ribbons between them, and what they say in words.
class TokenFlowBuilder
{
public:
    TokenFlowBuilder(const MapFactory &maps, const TokenFlowOptions &options)
        : m_maps(maps)
        , m_options(options)
        , m_draw(maps, options.layout)
        , m_links(options.links ? options.links
                                : std::make_shared<const FlowLinks>(
                                      flowLinks(maps.snapshot(), options.question, options.filter)))
    {
        if (m_options.target && *m_options.target >= m_links->targets)
            m_options.target.reset();
        if (m_options.source && (m_options.target || *m_options.source >= m_links->sources))
            m_options.source.reset();
        if (isAlone())
            m_alone = options.aloneLinks ? options.aloneLinks : linksAlone();
    }

    Scene build();

private:
    bool isAlone() const { return m_options.source || m_options.target; }
    bool isSigned() const { return m_words.isSigned(); }
    std::shared_ptr<const FlowLinks> linksAlone() const;
    void measure();
    FlowDrawing::Ink ink() const { return isSigned() ? FlowDrawing::Ink::Sign : FlowDrawing::Ink::Amount; }
    double thicknessOf(double strength) const
    {
        return std::max(std::abs(strength) * m_scale, FlowDrawing::thinnest);
    }
    double scaleAlone() const;
    void addHeading();
    void addListHeadings();
    void addAllRibbons();
    void addRibbonsAlone();
    void addRibbonNumber(const FlowLink &link, double acrossTo);
    void addList(Edge edge);
    std::vector<double> shownAmounts(Edge edge) const;
    void addFooter();
    QString number(double value) const { return m_words.number(value); }
    double flowEnd() const { return m_flow + 2.0 * FlowDrawing::barLength; }

    const MapFactory &m_maps;
    TokenFlowOptions m_options;
    FlowDrawing m_draw;
    std::shared_ptr<const FlowLinks> m_links;
    std::shared_ptr<const FlowLinks> m_alone;
    FlowLabels m_sourceLabels;
    FlowLabels m_targetLabels;
    TokenFlowWords m_words{m_maps, m_options, m_sourceLabels, m_targetLabels};
    FlowList m_sources;
    FlowList m_targets;
    double m_scale = 1.0;
    double m_flow = 400.0; ///< length of the ribbons
    double m_top = 0.0;
};

std::shared_ptr<const FlowLinks> TokenFlowBuilder::linksAlone() const
{
    FlowQuestion question = m_options.question;
    question.onlyTarget = m_options.target;
    question.onlySource = m_options.source;
    return std::make_shared<const FlowLinks>(flowLinks(m_maps.snapshot(), question, m_options.filter));
}

Scene TokenFlowBuilder::build()
{
    measure();
    addHeading();
    const double before = m_draw.edgeRoom(m_sourceLabels);
    const double after = m_draw.edgeRoom(m_targetLabels);
    const bool isStacked = m_options.layout == FlowLayout::Stacked;
    const double across = std::max(m_sources.length(), m_targets.length());
    const double along = before + flowEnd() + after;
    m_top += flowLine + 12.0; // the heading of the first list
    m_draw.setOrigin(isStacked ? QPointF(flowMargin, m_top + before) : QPointF(flowMargin + before, m_top));
    m_sources.moveTo((across - m_sources.length()) / 2.0);
    m_targets.moveTo((across - m_targets.length()) / 2.0);
    addListHeadings();
    addAllRibbons();
    m_draw.endResting(isAlone());
    if (isAlone())
        addRibbonsAlone();
    addList(Edge::Start);
    addList(Edge::End);
    m_top += (isStacked ? along + flowLine + 4.0 : across) + 16.0;
    m_draw.scene().size = {2.0 * flowMargin + std::max(isStacked ? across : along, leastContent), 0.0};
    addFooter();
    m_draw.scene().size.setHeight(m_top + flowMargin);
    return std::move(m_draw.scene());
}

void TokenFlowBuilder::measure()
{
    const auto labels = [this](bool rows) {
        QStringList listed = rows ? m_maps.rowLabels(Stage::A) : m_maps.colLabels(Stage::A);
        if (const auto labelAt = m_maps.labelSource(Stage::A, rows)) // too many to be listed anywhere else
            for (Index i = 0; i < (rows ? m_links->targets : m_links->sources); ++i)
                listed.append(labelAt(i));
        return listed;
    };
    m_sourceLabels = m_draw.measured(labels(false), numberRoom);
    m_targetLabels = m_draw.measured(labels(true), numberRoom);
    const auto most = static_cast<double>(std::max(m_links->sources, m_links->targets));
    const double extent = std::clamp(most * 56.0, 224.0, 960.0);
    m_scale = m_links->total > 0.0 ? extent / m_links->total : 0.0;
    const auto bars = [this](const std::vector<double> &totals) {
        std::vector<double> thickness;
        for (const double total : totals)
            thickness.push_back(total * m_scale);
        return thickness;
    };
    const auto gapOf = [](Index count) {
        return count <= mostLabelledTokens ? nodeGap : 0.0;
    };
    m_sources = FlowList(bars(m_links->sourceTotals), m_sourceLabels.leastSlot, gapOf(m_links->sources));
    m_targets = FlowList(bars(m_links->targetTotals), m_targetLabels.leastSlot, gapOf(m_links->targets));
    const double across = std::max(m_sources.length(), m_targets.length());
    if (m_options.layout == FlowLayout::Stacked) {
        m_flow = std::clamp(across * 0.4, 200.0, 420.0);
        return;
    }
    const double rest = m_draw.edgeRoom(m_sourceLabels) + m_draw.edgeRoom(m_targetLabels) +
                        2.0 * (flowMargin + FlowDrawing::barLength);
    m_flow = std::clamp(m_options.width - rest, 320.0, 640.0);
}

void TokenFlowBuilder::addHeading()
{
    m_draw.addText({flowMargin, flowMargin, 512.0, 24.0},
                   QCoreApplication::translate("Scene", "Flow from token to token"),
                   SceneText::Style::Heading);
    m_top = flowMargin + 24.0;
    QStringList lines = {m_words.width()};
    if (isAlone())
        lines.append(m_words.alone(*m_alone));
    else
        lines.append(QCoreApplication::translate(
            "Scene", "Each ribbon leaves the token that is copied from and ends at the token that asks."));
    if (m_options.question.measure == FlowMeasure::Rollout)
        lines.append({QCoreApplication::translate(
                          "Scene", "The token's own half stands for what goes past the layer unchanged."),
                      QCoreApplication::translate(
                          "Scene", "Several layers would be multiplied together; this document holds one.")});
    if (const QString selected = m_words.selected(*m_links); !selected.isEmpty())
        lines.append(selected);
    if (!m_links->isExact || m_maps.display().updating)
        lines.append(QCoreApplication::translate("Scene", "Not yet exact: still computing."));
    for (const QString &line : lines)
        m_top = m_draw.addParagraph({flowMargin, m_top}, leastContent, line, SceneText::Style::Muted);
}

void TokenFlowBuilder::addListHeadings()
{
    const FlowFrame &frame = m_draw.frame();
    const QString from = QCoreApplication::translate("Scene", "from: keys and values");
    const QString to = QCoreApplication::translate("Scene", "to: queries");
    if (frame.isStacked()) {
        const double before = m_draw.edgeRoom(m_sourceLabels);
        const QPointF origin = frame.point(0.0, 0.0);
        m_draw.addText({flowMargin, origin.y() - before - flowLine - 4.0, 240.0, flowLine}, from,
                       SceneText::Style::Muted);
        m_draw.addText(
            {flowMargin, origin.y() + flowEnd() + m_draw.edgeRoom(m_targetLabels) + 4.0, 240.0, flowLine}, to,
            SceneText::Style::Muted);
        return;
    }
    const double start = frame.point(FlowDrawing::barLength, 0.0).x();
    const double end = frame.point(flowEnd() - FlowDrawing::barLength, 0.0).x();
    const double y = frame.point(0.0, 0.0).y() - flowLine - 8.0;
    const double width = std::max(start - flowMargin, 160.0);
    m_draw.addText({flowMargin, y, width, flowLine}, from, SceneText::Style::Muted,
                   width > start - flowMargin ? Qt::AlignLeft | Qt::AlignVCenter
                                              : Qt::AlignRight | Qt::AlignVCenter);
    m_draw.addText({end, y, FlowDrawing::barLength + m_draw.edgeRoom(m_targetLabels), flowLine}, to,
                   SceneText::Style::Muted);
}

void TokenFlowBuilder::addAllRibbons()
{
    const std::vector<FlowLink> &links = m_links->links;
    // At a node ribbons lie in the order of the tokens they come from or go to.
    std::vector<std::size_t> order(links.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::vector<double> from(links.size()), to(links.size());
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return links[a].target < links[b].target; });
    for (const std::size_t i : order)
        from[i] = m_sources.takePiece(links[i].source, std::abs(links[i].strength) * m_scale);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return links[a].source < links[b].source; });
    for (const std::size_t i : order)
        to[i] = m_targets.takePiece(links[i].target, std::abs(links[i].strength) * m_scale);
    // The strongest come first and lie lowest.
    for (std::size_t i = 0; i < links.size(); ++i) {
        const double thickness = thicknessOf(links[i].strength);
        const bool isSelected = m_options.selected && m_options.selected->row == links[i].target &&
                                m_options.selected->col == links[i].source;
        m_draw.addRibbon(ribbonPath(m_draw.frame(), FlowDrawing::barLength, from[i], thickness,
                                    FlowDrawing::barLength + m_flow, to[i], thickness),
                         ink(), links[i].strength, isAlone() ? Emphasis::Faded : Emphasis::Plain,
                         QStringLiteral("link:%1:%2").arg(links[i].source).arg(links[i].target),
                         m_words.link(links[i]), isSelected && !isAlone());
        if (!isAlone())
            addRibbonNumber(links[i], to[i]);
    }
}

void TokenFlowBuilder::addRibbonNumber(const FlowLink &link, double acrossTo)
{
    const double thickness = thicknessOf(link.strength);
    if (m_draw.frame().isStacked() ? thickness < 36.0 : thickness < flowLine)
        return;
    const double end = FlowDrawing::barLength + m_flow - 4.0;
    const double middle = acrossTo + thickness / 2.0;
    if (m_draw.frame().isStacked())
        m_draw.addText(m_draw.frame().rect(end - flowLine, middle - 18.0, flowLine, 36.0),
                       number(link.strength), SceneText::Style::Label, Qt::AlignCenter);
    else
        m_draw.addText(m_draw.frame().rect(end - 56.0, middle - 8.0, 56.0, flowLine), number(link.strength),
                       SceneText::Style::Muted, Qt::AlignRight | Qt::AlignVCenter);
}

/// A token alone among very many is drawn wide enough to tell its ribbons apart.
double TokenFlowBuilder::scaleAlone() const
{
    constexpr double least = 160.0;
    const bool isCrowded = std::max(m_links->sources, m_links->targets) > mostLabelledTokens;
    if (!isCrowded || !m_alone || m_alone->total <= 0.0)
        return m_scale;
    return std::max(m_scale, least / m_alone->total);
}

void TokenFlowBuilder::addRibbonsAlone()
{
    const bool isTarget = m_options.target.has_value();
    const Index token = isTarget ? *m_options.target : *m_options.source;
    const double scale = scaleAlone();
    std::vector<FlowLink> links = m_alone->links;
    std::sort(links.begin(), links.end(), [&](const FlowLink &a, const FlowLink &b) {
        return isTarget ? a.source < b.source : a.target < b.target;
    });
    FlowList &own = isTarget ? m_targets : m_sources;
    const double across = std::max(m_sources.length(), m_targets.length());
    const double spread = m_alone->total * scale;
    double next = std::clamp(own.centre(token) - spread / 2.0, 0.0, std::max(0.0, across - spread));
    for (const FlowLink &link : links) {
        const double thickness = std::max(std::abs(link.strength) * scale, FlowDrawing::thinnest);
        const FlowList &other = isTarget ? m_sources : m_targets;
        const double partner = other.centre(isTarget ? link.source : link.target) - thickness / 2.0;
        m_draw.addRibbon(ribbonPath(m_draw.frame(), FlowDrawing::barLength, isTarget ? partner : next,
                                    thickness, FlowDrawing::barLength + m_flow, isTarget ? next : partner,
                                    thickness),
                         ink(), link.strength, Emphasis::Strong,
                         QStringLiteral("link:%1:%2").arg(link.source).arg(link.target), m_words.link(link));
        next += std::abs(link.strength) * scale;
    }
}

/// What the tokens of a list give or get in what is shown; NaN where nothing is to be said.
std::vector<double> TokenFlowBuilder::shownAmounts(Edge edge) const
{
    const bool isStart = edge == Edge::Start;
    if (!isAlone())
        return isStart ? m_links->sourceTotals : isSigned() ? m_links->targetSums : m_links->targetTotals;
    std::vector<double> amounts(place(isStart ? m_links->sources : m_links->targets), std::nan(""));
    const bool isPartners = m_options.target.has_value() == isStart;
    if (!isPartners) {
        const Index token = isStart ? *m_options.source : *m_options.target;
        amounts[place(token)] = isSigned() && !isStart ? m_alone->targetSums[place(token)] : m_alone->total;
        return amounts;
    }
    for (const FlowLink &link : m_alone->links)
        amounts[place(isStart ? link.source : link.target)] = link.strength;
    return amounts;
}

void TokenFlowBuilder::addList(Edge edge)
{
    const bool isStart = edge == Edge::Start;
    const FlowList &list = isStart ? m_sources : m_targets;
    const FlowLabels &labels = isStart ? m_sourceLabels : m_targetLabels;
    const std::vector<double> amounts = shownAmounts(edge);
    const std::optional<Index> alone = isStart ? m_options.source : m_options.target;
    const bool showsNumbers = isAlone() || list.size() <= mostWithNumbers;
    const double barAt = isStart ? 0.0 : flowEnd() - FlowDrawing::barLength;
    const auto idOf = [&](Index node) {
        return (isStart ? QStringLiteral("from:%1") : QStringLiteral("to:%1")).arg(node);
    };
    const auto nameOf = [&](Index node) {
        const double amount = amounts[place(node)];
        if (std::isnan(amount))
            return labels.labels[node];
        return (isStart ? QCoreApplication::translate("Scene", "%1 gives %2")
                        : QCoreApplication::translate("Scene", "%1 gets %2"))
            .arg(labels.labels[node], number(amount));
    };
    std::vector<Index> order(place(list.size()));
    std::iota(order.begin(), order.end(), Index(0));
    const auto importance = [&](Index node) {
        if (node == alone)
            return std::numeric_limits<double>::infinity();
        const double amount = amounts[place(node)];
        return std::isnan(amount) ? 0.0 : std::abs(amount);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return importance(a) > importance(b); });
    for (const Index node : order) {
        const bool isSilent = isAlone() && std::isnan(amounts[place(node)]);
        m_draw.addBar(list, node, barAt, idOf(node), nameOf(node),
                      node == alone ? Emphasis::Strong
                      : isSilent    ? Emphasis::Faded
                                    : Emphasis::Plain);
        if (list.size() > mostLabelledTokens && importance(node) == 0.0)
            continue;
        const QString text = isSilent || !showsNumbers ? QString() : number(amounts[place(node)]);
        m_draw.addLabel(list, node, isStart ? 0.0 : flowEnd(), edge, labels, text, idOf(node), nameOf(node));
    }
}

void TokenFlowBuilder::addFooter()
{
    const FlowLinks &links = m_alone ? *m_alone : *m_links;
    QStringList lines = {m_words.hidden(links)};
    if (const QString rule = m_words.rule(links.isCut); !rule.isEmpty())
        lines.append(rule);
    if (links.notFinite > 0)
        lines.append(QCoreApplication::translate("Scene", "Links left out as NaN or infinite: %1.")
                         .arg(countText(links.notFinite)));
    if (isSigned() && m_options.target && m_options.outputColumn && m_maps.state(Stage::Output).hasValues()) {
        const Index row = *m_options.target;
        const Index column = *m_options.outputColumn;
        const double output = m_maps.state(Stage::Output).values->value(0, row, column);
        lines.append(
            QCoreApplication::translate("Scene", "All links of %1 add up to %2; its output there is %3.")
                .arg(m_targetLabels.labels[row], number(m_alone->targetSums[place(row)]), number(output)));
        const StageState &bias = m_maps.state(Stage::Bo);
        if (bias.hasValues())
            lines.append(QCoreApplication::translate("Scene", "The bias b^O adds %1 and belongs to no token.")
                             .arg(number(bias.values->value(0, 0, column))));
    }
    const double width = m_draw.scene().size.width() - 2.0 * flowMargin;
    const auto write = [&](const QStringList &texts, SceneText::Style style) {
        for (const QString &line : texts)
            m_top = m_draw.addParagraph({flowMargin, m_top}, width, line, style);
    };
    write(lines, SceneText::Style::Muted);
    // Widths are shares only where the weights of a query add to 1.
    write(unevenLines(m_maps.snapshot(), m_options.question.heads, m_options.target),
          SceneText::Style::Warning);
    double x = flowMargin;
    if (isSigned())
        x += m_draw.addSignLegend({x, m_top}) + 16.0;
    m_draw.addScaleSample({x, m_top}, ink(), isAlone() ? scaleAlone() : m_scale,
                          isSigned() ? QCoreApplication::translate("Scene", "output")
                          : m_options.question.measure == FlowMeasure::Rollout
                              ? QCoreApplication::translate("Scene", "share")
                              : QCoreApplication::translate("Scene", "weight"));
    m_top += 48.0;
}

} // namespace

Scene tokenFlowScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                     const TokenFlowOptions &options)
{
    if (!snapshot->stage(Stage::A).hasValues())
        return unavailableScene(*snapshot, Stage::A);
    const std::string problem = flowProblem(*snapshot, options.question);
    if (!problem.empty())
        return messageScene(QCoreApplication::translate("Scene", "This flow cannot be drawn"),
                            QString::fromStdString(problem));
    const MapFactory maps(snapshot, display);
    return TokenFlowBuilder(maps, options).build();
}

} // namespace attn
