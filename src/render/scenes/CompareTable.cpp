#include "render/scenes/CompareTable.h"

#include "base/NumberText.h"
#include "render/scenes/FlowDrawing.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr double tableLine = 22.0;

/// Stage, shape, largest, mean, relative, different cells, verdict.
constexpr std::array<double, 7> columnWidths = {152.0, 128.0, 96.0, 96.0, 96.0, 152.0, 200.0};

QRectF columnRect(std::size_t column, double left, double y)
{
    const double start = std::accumulate(columnWidths.begin(), columnWidths.begin() + column, left);
    return {start, y, columnWidths[column] - 8.0, tableLine};
}

Qt::Alignment alignmentOf(std::size_t column)
{
    const bool isNumber = column >= 2 && column <= 5;
    return (isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

} // namespace

CompareTable::CompareTable(const MapFactory &maps, const CompareOptions &options, std::optional<Stage> shown)
    : m_maps(maps)
    , m_options(options)
    , m_shown(shown)
{
}

double CompareTable::width() const
{
    return std::accumulate(columnWidths.begin(), columnWidths.end(), 0.0);
}

double CompareTable::addTo(Scene &scene, double left, double top) const
{
    addHeadings(scene, left, top);
    double y = top + tableLine + 4.0;
    SceneLine rule;
    rule.points = {QPointF(left, y - 3.0), QPointF(left + width(), y - 3.0)};
    scene.lines.push_back(rule);
    for (const StageComparison &result : m_options.results) {
        addLine(scene, result, left, y);
        y += tableLine;
    }
    return y;
}

void CompareTable::addHeadings(Scene &scene, double left, double y) const
{
    const QString headings[] = {
        QCoreApplication::translate("Scene", "Stage"),
        QCoreApplication::translate("Scene", "Shape"),
        QCoreApplication::translate("Scene", "Largest |A−B|"),
        QCoreApplication::translate("Scene", "Mean |A−B|"),
        QCoreApplication::translate("Scene", "Relative"),
        QCoreApplication::translate("Scene", "Cells that differ"),
        QCoreApplication::translate("Scene", "Result"),
    };
    for (std::size_t column = 0; column < columnWidths.size(); ++column) {
        QRectF rect = columnRect(column, left, y);
        if (column == columnWidths.size() - 1)
            rect.adjust(16.0, 0.0, 0.0, 0.0);
        scene.texts.push_back({rect, headings[column], SceneText::Style::Muted, alignmentOf(column)});
    }
}

QString CompareTable::verdict(const StageComparison &result) const
{
    switch (result.outcome) {
    case StageComparison::Outcome::OnlyInA:
        return QCoreApplication::translate("Scene", "only in A");
    case StageComparison::Outcome::OnlyInB:
        return QCoreApplication::translate("Scene", "only in B");
    case StageComparison::Outcome::ShapesDiffer:
        return QCoreApplication::translate("Scene", "A %1, B %2: not comparable")
            .arg(QString::fromStdString(shapeText(result.shapeA)),
                 QString::fromStdString(shapeText(result.shapeB)));
    case StageComparison::Outcome::Compared:
        break;
    }
    if (!result.isExact)
        return QCoreApplication::translate("Scene", "still computing");
    if (result.different == 0)
        return QCoreApplication::translate("Scene", "✓ equal");
    if (result.mismatched > 0)
        return QCoreApplication::translate("Scene", "✗ NaN or ∞ on one side: %1")
            .arg(countText(result.mismatched));
    return result.passes(m_options.tolerance) ? QCoreApplication::translate("Scene", "✓ pass")
                                              : QCoreApplication::translate("Scene", "✗ fail");
}

void CompareTable::addLine(Scene &scene, const StageComparison &result, double left, double y) const
{
    SceneControl control;
    const QString name = QString::fromLatin1(stageName(result.stage));
    control.id = QStringLiteral("stage:%1").arg(name);
    control.rect = QRectF(left, y + 2.0, columnWidths[0] - 16.0, tableLine - 4.0);
    control.text = name;
    control.name = QCoreApplication::translate("Scene", "Show %1 of A and B").arg(name);
    control.checkable = true;
    control.checked = m_shown == result.stage;
    scene.controls.push_back(control);
    // In figures there are no controls.
    SceneText stage{columnRect(0, left, y).adjusted(8.0, 0.0, 0.0, 0.0), name, SceneText::Style::Label,
                    alignmentOf(0)};
    scene.texts.push_back(stage);

    const auto add = [&](std::size_t column, const QString &text) {
        scene.texts.push_back(
            {columnRect(column, left, y), text, SceneText::Style::Label, alignmentOf(column)});
    };
    const bool isInA = result.outcome != StageComparison::Outcome::OnlyInB;
    add(1, QString::fromStdString(shapeText(isInA ? result.shapeA : result.shapeB)));
    const bool isCompared = result.outcome == StageComparison::Outcome::Compared;
    if (isCompared) {
        add(2, differenceText(result.largest));
        add(3, differenceText(result.mean));
        add(4, differenceText(result.relative()));
        add(5, QCoreApplication::translate("Scene", "%1 of %2")
                   .arg(countText(result.different), countText(result.cells)));
    }
    const bool isGood = isCompared && result.passes(m_options.tolerance);
    const QRectF last = columnRect(6, left, y);
    // What is not compared has no numbers: its sentence takes their columns.
    const double from = isCompared ? last.left() : columnRect(2, left, y).left();
    scene.texts.push_back({{QPointF(from + 16.0, last.top()), last.bottomRight()},
                           verdict(result),
                           !isCompared ? SceneText::Style::Muted
                           : isGood    ? SceneText::Style::Label
                                       : SceneText::Style::Warning,
                           isCompared ? alignmentOf(6) : Qt::AlignLeft | Qt::AlignVCenter});
}

QString differenceText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("–");
    return QString::fromStdString(withTrueMinus(significantText(value, 3)));
}

} // namespace attn
