#include "engine/StageNumbers.h"
#include "render/LabelText.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/FootprintLayers.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include "base/NumberText.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace attn {

namespace {

constexpr double printMargin = 24.0;
constexpr double printGap = 32.0;
constexpr double headingRoom = 66.0; ///< the legends of the factors stand in it, below the heading
constexpr double shareLine = 20.0;
constexpr double shareBar = 160.0;
constexpr Index mostShares = 24;

/// Heading, layers, then the sum beside its target and the shares of one row.
class FootprintsBuilder
{
public:
    FootprintsBuilder(const MapFactory &maps, const FootprintsOptions &options, const std::stop_token &stop)
        : m_maps(maps)
        , m_options(options)
        , m_choice(footprintChoice(maps.snapshot(), options, stop))
        , m_sum(footprintSum(maps.snapshotPtr(), options.target, options.head, m_choice.added, stop))
        , m_layers(maps, m_options, m_choice, m_sum, stop)
    {
    }

    Scene build();

private:
    void addHeading();
    void addSums();
    QRectF addSum(const QPointF &corner, const QSizeF &cells);
    QRectF addBias(const QPointF &corner, double width);
    QRectF addTarget(const QPointF &corner, const QSizeF &cells);
    void addResidual(const QPointF &corner);
    void addShares(const QPointF &corner);
    void addText(const QRectF &rect, const QString &text, SceneText::Style style,
                 Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter);
    Stage targetStage() const { return footprintTargetStage(m_options.target); }
    Index targetHead() const { return m_options.target == FootprintTarget::Token ? 0 : m_options.head; }
    bool hasBias() const
    {
        return m_options.target == FootprintTarget::Token && m_maps.state(Stage::Bo).hasValues();
    }

    const MapFactory &m_maps;
    FootprintsOptions m_options;
    FootprintChoice m_choice;
    StageValuesPtr m_sum;
    FootprintLayers m_layers;
    Scene m_scene;
    double m_y = printMargin;
    double m_right = 0.0;
    double m_bottom = 0.0;
    double m_labels = 0.0;
    double m_columnLabels = 0.0; ///< room above the sums
};

void FootprintsBuilder::addText(const QRectF &rect, const QString &text, SceneText::Style style,
                                Qt::Alignment alignment)
{
    m_scene.texts.push_back({rect, text, style, alignment});
}

Scene FootprintsBuilder::build()
{
    addHeading();
    m_y = m_layers.addTo(m_scene, printMargin, m_y) + printGap;
    m_right = printMargin + m_layers.width();
    addSums();
    m_scene.size = {m_right + printMargin, m_bottom + printMargin};
    return std::move(m_scene);
}

void FootprintsBuilder::addHeading()
{
    const bool single = m_maps.experiment().nHeads == 1;
    QString heading;
    QString formula;
    switch (m_options.target) {
    case FootprintTarget::Head:
        heading = single
                      ? QCoreApplication::translate("Scene", "Footprints of the tokens in AV")
                      : QCoreApplication::translate("Scene", "Footprints of the tokens in the output of %1")
                            .arg(headTitle(m_maps.experiment(), m_options.head));
        formula = QStringLiteral("A_{:t} ⊗ v_{t}");
        break;
    case FootprintTarget::HeadMapped:
        heading =
            single
                ? QCoreApplication::translate("Scene",
                                              "Footprints of the tokens, mapped through the output weights")
                : QCoreApplication::translate("Scene", "Footprints of the tokens through %1, in the output")
                      .arg(headTitle(m_maps.experiment(), m_options.head));
        formula = QStringLiteral("A_{:t} ⊗ v_{t}W^{O}");
        break;
    case FootprintTarget::Token:
        heading = QCoreApplication::translate("Scene", "Footprints of the tokens in the output, all heads");
        formula = QStringLiteral("Σ_{i} A_{i,:t} ⊗ v_{i,t}W^{O}_{i}");
        break;
    }
    addText({printMargin, m_y, std::min(720.0, m_layers.width()), 24.0}, heading, SceneText::Style::Heading);
    addText({printMargin, m_y + 26.0, 360.0, 18.0}, formula, SceneText::Style::Formula);
    if (!m_choice.rest.empty()) {
        const auto shown = static_cast<Index>(m_choice.shown.size());
        addText({printMargin, m_y + 44.0, 360.0, 18.0},
                QCoreApplication::translate("Scene", "%1 of %2 shown, largest first; the rest in one sum")
                    .arg(shown)
                    .arg(shown + static_cast<Index>(m_choice.rest.size())),
                SceneText::Style::Muted);
    }
    m_y += headingRoom;
}

void FootprintsBuilder::addSums()
{
    const StageValues &target = *m_maps.state(targetStage()).values;
    QSizeF cells(axisExtent(target.cols(), 44.0, 288.0, 384.0),
                 axisExtent(target.rows(), 30.0, 288.0, 384.0));
    const double rowCell = cells.height() / static_cast<double>(std::max<Index>(target.rows(), 1));
    if (rowCell < 30.0)
        cells.setWidth(
            std::min(cells.width(), std::max(144.0, 1.5 * rowCell * static_cast<double>(target.cols()))));
    m_labels = m_maps.rowLabelWidth(targetStage());
    m_columnLabels = columnLabelHeight(
        m_maps, targetStage(), cells.width() / static_cast<double>(std::max<Index>(target.cols(), 1)));
    const QRectF sum = addSum({printMargin, m_y}, cells);
    QRectF last = sum;
    if (hasBias())
        last = last.united(addBias({sum.left(), sum.bottom() + 52.0}, cells.width()));
    const QString relation = m_choice.isComplete ? QStringLiteral("=") : QStringLiteral("≠");
    const double between = hasBias() ? 2.0 * printGap : printGap;
    addText({sum.right() + 4.0, sum.center().y() - 12.0, between, 24.0},
            hasBias() ? QString(QStringLiteral("+ bo ") + relation) : relation, SceneText::Style::Heading,
            Qt::AlignCenter);
    const QRectF real = addTarget({sum.right() + between + 8.0, m_y}, cells);
    m_bottom = std::max(last.bottom(), real.bottom() + cardMetrics::axisRoom + cardMetrics::barRoom);
    addResidual({printMargin, m_bottom + 8.0});
    m_bottom += 28.0;
    addShares({real.right() + 2.0 * printGap, m_y});
}

QRectF FootprintsBuilder::addSum(const QPointF &corner, const QSizeF &cells)
{
    const QString title = m_choice.isComplete ? QCoreApplication::translate("Scene", "Sum of all layers")
                                              : QCoreApplication::translate("Scene", "Sum of %1 of %2 layers")
                                                    .arg(m_choice.added.size())
                                                    .arg(m_choice.shown.size() + m_choice.rest.size());
    addText({corner.x(), corner.y(), m_labels + cells.width(), 20.0}, title, SceneText::Style::Label);
    MapKey key;
    key.role = MapKey::Role::FootprintSum;
    key.stage = targetStage();
    key.head = targetHead();
    const QRectF rect(corner + QPointF(m_labels, 24.0 + m_columnLabels), cells);
    SceneMap map = m_maps.valuesMap(key, m_sum, rect, m_layers.range());
    map.name = title;
    map.rowLabels = m_maps.rowLabels(targetStage());
    map.colLabels = m_maps.colLabels(targetStage());
    map.rowLabelWidth = m_labels;
    map.colLabelHeight = m_columnLabels;
    map.colorBar = {rect.left(), rect.bottom() + cardMetrics::axisRoom, std::min(rect.width(), 240.0),
                    cardMetrics::barHeight};
    map.rangeNote = QCoreApplication::translate("Scene", "all layers and sums");
    m_scene.maps.push_back(std::move(map));
    return rect;
}

QRectF FootprintsBuilder::addBias(const QPointF &corner, double width)
{
    const QRectF rect(corner.x(), corner.y() + 24.0, width, 24.0);
    addText({corner.x(), corner.y(), width, 20.0},
            QCoreApplication::translate("Scene", "plus bo in every row; it belongs to no head"),
            SceneText::Style::Muted);
    SceneMap map = m_maps.stageMap(Stage::Bo, 0, rect);
    map.rowLabels = {QStringLiteral("bo")};
    map.rowLabelWidth = m_labels;
    map.range = m_layers.range();
    map.rangeNote.clear();
    m_scene.maps.push_back(std::move(map));
    return rect;
}

QRectF FootprintsBuilder::addTarget(const QPointF &corner, const QSizeF &cells)
{
    const QString symbol = stageSymbol(targetStage());
    addText({corner.x() + m_labels, corner.y(), cells.width(), 20.0}, symbol, SceneText::Style::Title);
    const QRectF rect(corner + QPointF(m_labels, 24.0 + m_columnLabels), cells);
    SceneMap map = m_maps.stageMap(targetStage(), targetHead(), rect);
    map.range = m_layers.range();
    map.rangeNote.clear();
    map.rowLabelWidth = m_labels;
    map.colLabelHeight = m_columnLabels;
    m_scene.maps.push_back(std::move(map));
    return rect;
}

void FootprintsBuilder::addResidual(const QPointF &corner)
{
    const double residual = residualOfSum(m_maps.snapshotPtr(), m_options.target, m_options.head, m_sum);
    const QString name = QString::fromLatin1(stageName(targetStage()));
    addText({corner.x(), corner.y(), 480.0, 20.0},
            QCoreApplication::translate("Scene", "largest difference to %1: %2")
                .arg(name, residual == 0.0
                               ? QStringLiteral("0")
                               : QString::fromStdString(displayText(residual, m_maps.display().decimals))),
            SceneText::Style::Label);
}

void FootprintsBuilder::addShares(const QPointF &corner)
{
    const StageValues &weights = *m_maps.state(Stage::A).values;
    const Index row = std::clamp<Index>(m_options.row, 0, std::max<Index>(weights.rows() - 1, 0));
    const Index keys = weights.cols();
    const std::vector<double> shares = rowNumbers(weights, m_options.head, row);
    std::vector<Index> order(shares.size());
    std::iota(order.begin(), order.end(), Index{0});
    const Index count = std::min(keys, mostShares);
    const auto share = [&shares](Index token) {
        return shares[static_cast<std::size_t>(token)];
    };
    if (keys > mostShares)
        std::stable_sort(order.begin(), order.end(),
                         [&share](Index a, Index b) { return share(a) > share(b); });

    const QString query = visibleLabel(QString::fromStdString(m_maps.experiment().tokens.at(row)));
    addText({corner.x(), corner.y(), 360.0, 20.0},
            QCoreApplication::translate("Scene", "How much of each token is in row “%1”").arg(query),
            SceneText::Style::Label);
    QStringList notes;
    if (weights.heads() > 1)
        notes.append(headTitle(m_maps.experiment(), m_options.head));
    if (keys > mostShares)
        notes.append(QCoreApplication::translate("Scene", "the %1 largest of %2").arg(count).arg(keys));
    addText({corner.x(), corner.y() + 20.0, 360.0, 16.0}, notes.join(QStringLiteral(" · ")),
            SceneText::Style::Muted);

    const double labels = std::max(48.0, m_maps.colLabelWidth(Stage::A));
    double y = corner.y() + 42.0;
    for (Index i = 0; i < count; ++i) {
        const Index token = order[static_cast<std::size_t>(i)];
        addText({corner.x(), y, labels, shareLine},
                visibleLabel(QString::fromStdString(m_maps.experiment().keyTokens().at(token))),
                SceneText::Style::Label);
        const double length = shareBar * std::clamp(share(token), 0.0, 1.0); // NaN compares false: 0
        if (length > 0.0) {
            SceneLine bar;
            const double middle = y + 0.5 * shareLine;
            bar.points = QPolygonF({QPointF(corner.x() + labels + 8.0, middle),
                                    QPointF(corner.x() + labels + 8.0 + length, middle)});
            bar.width = 8.0;
            m_scene.lines.push_back(bar);
        }
        addText({corner.x() + labels + shareBar + 16.0, y, 64.0, shareLine}, percentText(share(token)),
                SceneText::Style::Label, Qt::AlignRight | Qt::AlignVCenter);
        y += shareLine;
    }
    const QString uneven = unevenRowText(m_maps.snapshot(), m_options.head, row);
    if (!uneven.isEmpty()) {
        addText({corner.x(), y + 4.0, 360.0, shareLine}, uneven, SceneText::Style::Warning);
        y += shareLine + 4.0;
    }
    m_right = std::max(m_right, corner.x() + std::max(360.0, labels + shareBar + 80.0));
    m_bottom = std::max(m_bottom, y);
}

/// A given A or V may contradict the tokens while somebody edits them.
bool fitsTokens(const Snapshot &snapshot)
{
    const StageValues &weights = *snapshot.stage(Stage::A).values;
    return weights.cols() == snapshot.experiment().keyTokens().size() &&
           weights.rows() == snapshot.experiment().tokens.size() &&
           weights.cols() == snapshot.stage(Stage::V).values->rows();
}

} // namespace

Scene footprintsScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const FootprintsOptions &footprints, const std::stop_token &stop)
{
    const Stage target = footprintTargetStage(footprints.target);
    for (const Stage stage : {Stage::A, Stage::V, target})
        if (!snapshot->stage(stage).hasValues())
            return unavailableScene(*snapshot, stage);
    if (!hasFootprints(*snapshot, FootprintTarget::Token, 0, 0) || !fitsTokens(*snapshot))
        return unavailableScene(*snapshot, target);
    const MapFactory maps(snapshot, display);
    FootprintsOptions options = footprints;
    options.width -= 2.0 * printMargin;
    options.head = std::clamp<Index>(options.head, 0, snapshot->stage(Stage::A).values->heads() - 1);
    FootprintsBuilder builder(maps, options, stop);
    return stop.stop_requested() ? Scene() : builder.build();
}

} // namespace attn
