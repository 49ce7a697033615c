#include "widgets/SceneCells.h"

#include "base/NumberText.h"
#include "render/LabelText.h"

#include <utility>

namespace attn {

namespace {

QString labelOr(const std::optional<QString> &label, Index index)
{
    return label ? visibleLabel(*label) : QString::number(index);
}

std::optional<std::pair<Index, Index>> placeInMap(const SceneMap &map, const CellIndex &cell)
{
    Index row = cell.row - map.key.rowOffset;
    Index col = cell.col - map.key.colOffset;
    if (map.key.transposed)
        std::swap(row, col);
    if (map.key.head != cell.head || row < 0 || col < 0 || row >= mapRows(map) || col >= mapCols(map))
        return std::nullopt;
    return std::pair{row, col};
}

} // namespace

Index mapRows(const SceneMap &map)
{
    return map.values && map.values->cols() > 0 ? map.values->rows() : 0;
}

Index mapCols(const SceneMap &map)
{
    return map.values && map.values->rows() > 0 ? map.values->cols() : 0;
}

CellIndex stageCell(const MapKey &key, Index row, Index col)
{
    if (key.transposed)
        std::swap(row, col);
    return {key.head, row + key.rowOffset, col + key.colOffset};
}

bool showsStageCells(const MapKey &key)
{
    return key.role == MapKey::Role::Stage || key.role == MapKey::Role::FootprintColumn ||
           key.role == MapKey::Role::FootprintRow;
}

bool isSelectable(const MapKey &key)
{
    return showsStageCells(key) || key.role == MapKey::Role::Lab;
}

std::optional<std::pair<Index, Index>> mapCellOf(const SceneMap &map, Stage stage, const CellIndex &cell)
{
    if (!showsStageCells(map.key) || map.key.stage != stage)
        return std::nullopt;
    return placeInMap(map, cell);
}

std::optional<std::pair<Index, Index>> mapCellOf(const SceneMap &map, const QString &lab,
                                                 const CellIndex &cell)
{
    if (map.key.role != MapKey::Role::Lab || map.key.id != lab)
        return std::nullopt;
    return placeInMap(map, cell);
}

QString fullValueText(const SceneMap &map, Index row, Index col)
{
    const double value = map.values->value(map.head, row, col);
    return QString::fromStdString(map.values->isSinglePrecision() ? shortestText(static_cast<float>(value))
                                                                  : shortestText(value));
}

QString tipValueText(const SceneMap &map, Index row, Index col)
{
    return QString::fromStdString(withTrueMinus(fullValueText(map, row, col).toStdString()));
}

QString shownValueText(const SceneMap &map, Index row, Index col)
{
    return QString::fromStdString(displayText(map.values->value(map.head, row, col), map.decimals));
}

QString cellName(const SceneMap &map, Index row, Index col)
{
    const qsizetype comma = map.name.indexOf(QLatin1Char(','));
    const QString symbol = comma < 0 ? map.name : map.name.left(comma);
    const QString rest = comma < 0 ? QString() : map.name.mid(comma);
    return QStringLiteral("%1[%2, %3]%4")
        .arg(symbol, labelOr(rowLabelOf(map, row), row), labelOr(colLabelOf(map, col), col), rest);
}

} // namespace attn
