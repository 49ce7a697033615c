#include "render/scenes/TokenFlowWords.h"

#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

QString TokenFlowWords::number(double value) const
{
    return figureText(value, m_maps.display().decimals);
}

QString TokenFlowWords::heads() const
{
    const auto all = m_maps.state(Stage::A).values->heads();
    const std::vector<Index> &heads = m_options.question.heads;
    if (all == 1)
        return QCoreApplication::translate("Scene", "the only head");
    if (all == 2 && heads.size() != 1)
        return isSigned() ? QCoreApplication::translate("Scene", "sum of both heads")
                          : QCoreApplication::translate("Scene", "mean of both heads");
    if (heads.empty() || static_cast<Index>(heads.size()) == all)
        return isSigned() ? QCoreApplication::translate("Scene", "sum of all %1 heads").arg(all)
                          : QCoreApplication::translate("Scene", "mean of all %1 heads").arg(all);
    if (heads.size() == 1)
        return headTitle(m_maps.experiment(), heads.front());
    QStringList names;
    for (const Index head : heads)
        names.append(QString::number(head + 1));
    return isSigned()
               ? QCoreApplication::translate("Scene", "sum of heads %1").arg(names.join(QStringLiteral(", ")))
               : QCoreApplication::translate("Scene", "mean of heads %1")
                     .arg(names.join(QStringLiteral(", ")));
}

QString TokenFlowWords::width() const
{
    switch (m_options.question.measure) {
    case FlowMeasure::Weight:
        return QCoreApplication::translate("Scene", "Width: weight A · %1").arg(heads());
    case FlowMeasure::WeightTimesLength:
        return QCoreApplication::translate("Scene", "Width: weight A × length of v · %1").arg(heads());
    case FlowMeasure::Rollout:
        return QCoreApplication::translate("Scene", "Width: rollout, half A and half the token itself · %1")
            .arg(heads());
    case FlowMeasure::Contribution:
        break;
    }
    return QCoreApplication::translate("Scene", "Width: what the token adds to %1 · %2")
        .arg(m_options.directionName, heads());
}

QString TokenFlowWords::alone(const FlowLinks &links) const
{
    const bool isTarget = m_options.target.has_value();
    const QString label =
        isTarget ? m_targetLabels.labels[*m_options.target] : m_sourceLabels.labels[*m_options.source];
    const QString total = number(links.total);
    if (isSigned())
        return isTarget
                   ? QCoreApplication::translate(
                         "Scene", "\u201c%1\u201d alone: what the keys add to it, %2 in all with signs")
                         .arg(label, number(links.targetSums[static_cast<std::size_t>(*m_options.target)]))
                   : QCoreApplication::translate("Scene", "\u201c%1\u201d alone: what it adds to each query")
                         .arg(label);
    return isTarget ? QCoreApplication::translate("Scene", "\u201c%1\u201d alone: takes %2 in all")
                          .arg(label, total)
                    : QCoreApplication::translate("Scene", "\u201c%1\u201d alone: hands out %2 in all")
                          .arg(label, total);
}

QString TokenFlowWords::link(const FlowLink &link) const
{
    return QCoreApplication::translate("Scene", "%1 → %2: %3")
               .arg(m_sourceLabels.labels[link.source], m_targetLabels.labels[link.target],
                    number(link.strength)) +
           (hasSeveralHeads() ? QStringLiteral(" (%1)").arg(heads()) : QString());
}

/// The inspector shows one head's number; where the picture shows another, both are named.
QString TokenFlowWords::selected(const FlowLinks &links) const
{
    const bool isOther = hasSeveralHeads() || m_options.question.measure != FlowMeasure::Weight;
    const StageValues &A = *m_maps.state(Stage::A).values;
    if (!isOther || !m_options.selected || m_options.selected->row >= A.rows() ||
        m_options.selected->col >= A.cols() || m_options.selected->head >= A.heads())
        return {};
    const CellIndex &cell = *m_options.selected;
    const auto link = std::ranges::find_if(links.links, [&](const FlowLink &other) {
        return other.source == cell.col && other.target == cell.row;
    });
    if (link == links.links.end())
        return {};
    return QCoreApplication::translate("Scene",
                                       "Selected %1 → %2: %3 in this picture, %4; A of head %5 is %6.")
        .arg(m_sourceLabels.labels[cell.col], m_targetLabels.labels[cell.row], number(link->strength),
             heads())
        .arg(cell.head + 1)
        .arg(number(A.value(cell.head, cell.row, cell.col)));
}

QString TokenFlowWords::hidden(const FlowLinks &links) const
{
    const auto shown = static_cast<Index>(links.links.size());
    if (links.count == 0)
        return QCoreApplication::translate("Scene", "There is nothing to draw: every link is 0.");
    if (shown == links.count)
        return QCoreApplication::translate("Scene",
                                           "All links that are not 0 are drawn, %1; nothing is hidden.")
            .arg(countText(shown));
    const double hidden = links.hiddenShare();
    return QCoreApplication::translate(
               "Scene", "%1 of %2 links are drawn; they hold %3 of the sum of widths, %4 is hidden.")
        .arg(countText(shown), countText(links.count), percentText(1.0 - hidden), percentText(hidden));
}

QString TokenFlowWords::rule(bool isCut) const
{
    const FlowFilter &filter = m_options.filter;
    QStringList rules;
    if (filter.mass < 1.0)
        rules.append(
            m_options.source
                ? QCoreApplication::translate("Scene", "the strongest of the token up to %1 of its sum")
                      .arg(percentText(filter.mass))
                : QCoreApplication::translate("Scene", "the strongest of each query up to %1 of its sum")
                      .arg(percentText(filter.mass)));
    if (filter.threshold > 0.0)
        rules.append(QCoreApplication::translate("Scene", "none below %1").arg(number(filter.threshold)));
    if (isCut)
        rules.append(QCoreApplication::translate("Scene", "the %1 strongest at most")
                         .arg(countText(filter.mostLinks)));
    if (rules.isEmpty())
        return {};
    return QCoreApplication::translate("Scene", "Drawn: %1.").arg(rules.join(QStringLiteral("; ")));
}

} // namespace attn
