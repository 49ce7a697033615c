#include "render/scenes/RowSums.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn {

namespace {

constexpr std::size_t mostNamedRows = 3;
constexpr double lowestRow = 12.0; ///< a line of text

QString sumNumber(double sum)
{
    // As many places as show that it is not 1.
    const int decimals = std::abs(sum - 1.0) < 0.005 ? 3 : 2;
    return QString::fromStdString(displayText(sum, decimals)).replace(u'-', QChar(0x2212));
}

QString queryOfRow(const Snapshot &snapshot, Index row)
{
    return visibleLabel(QString::fromStdString(rowLabel(snapshot.experiment(), Stage::A, row)));
}

} // namespace

QString rowSumText(double sum)
{
    return QStringLiteral("Σ %1").arg(sumNumber(sum));
}

QString unevenRowText(const Snapshot &snapshot, Index head, Index row)
{
    const StageValuesPtr &weights = snapshot.stage(Stage::A).values;
    if (!weights || head >= weights->heads() || row >= weights->rows())
        return {};
    const std::vector<UnevenRow> uneven = unevenRows(snapshot, head);
    const auto found = std::ranges::find(uneven, row, &UnevenRow::row);
    if (found == uneven.end())
        return {};
    return rowAddsToText(snapshot, row, found->sum);
}

QString rowAddsToText(const Snapshot &snapshot, Index row, double sum)
{
    return QCoreApplication::translate("Scene", "The weights of “%1” add to %2, not to 1.")
        .arg(queryOfRow(snapshot, row), sumNumber(sum));
}

QStringList unevenLines(const Snapshot &snapshot, std::vector<Index> heads, std::optional<Index> row)
{
    constexpr qsizetype mostLines = 3;
    const StageValuesPtr &weights = snapshot.stage(Stage::A).values;
    const Index all = weights ? weights->heads() : 0;
    if (heads.empty()) {
        heads.resize(static_cast<std::size_t>(all));
        std::iota(heads.begin(), heads.end(), Index(0));
    }
    QStringList lines;
    for (const Index head : heads) {
        const QString text = row ? unevenRowText(snapshot, head, *row) : unevenRowsText(snapshot, head);
        if (text.isEmpty())
            continue;
        if (lines.size() == mostLines) {
            lines.append(QStringLiteral("…"));
            break;
        }
        lines.append(all == 1 ? text : headTitle(snapshot.experiment(), head) + QStringLiteral(": ") + text);
    }
    return lines;
}

QString unevenRowsText(const Snapshot &snapshot, Index head)
{
    const std::vector<UnevenRow> uneven = unevenRows(snapshot, head);
    if (uneven.empty())
        return {};
    if (uneven.size() == 1)
        return unevenRowText(snapshot, head, uneven.front().row);
    QStringList names;
    for (std::size_t i = 0; i < std::min(uneven.size(), mostNamedRows); ++i)
        names.append(QCoreApplication::translate("Scene", "“%1” %2", "a token and what its weights add to")
                         .arg(queryOfRow(snapshot, uneven[i].row), sumNumber(uneven[i].sum)));
    if (uneven.size() > mostNamedRows)
        names.append(QStringLiteral("…"));
    return QCoreApplication::translate("Scene", "The weights of %n rows do not add to 1: %1.", nullptr,
                                       static_cast<int>(uneven.size()))
        .arg(names.join(QStringLiteral(", ")));
}

bool rowSumsFit(Index rows, double height)
{
    return rows > 0 && height / static_cast<double>(rows) >= lowestRow;
}

void addRowSums(Scene &scene, const QRectF &cells, Index rows, const std::vector<UnevenRow> &uneven)
{
    if (!rowSumsFit(rows, cells.height()))
        return;
    const double step = cells.height() / static_cast<double>(rows);
    for (const UnevenRow &row : uneven)
        scene.texts.push_back({QRectF(cells.right() + 4.0, cells.top() + step * static_cast<double>(row.row),
                                      rowSumRoom - 4.0, step),
                               rowSumText(row.sum), SceneText::Style::Warning,
                               Qt::AlignLeft | Qt::AlignVCenter});
}

} // namespace attn
