#include "render/scenes/lab/LabTexts.h"

#include "base/NumberText.h"
#include "engine/StageSlice.h"
#include "render/scenes/StageCard.h"

#include <QCoreApplication>

#include <cmath>

namespace attn {

namespace {

constexpr std::size_t shownNumbers = 4;

} // namespace

QString labNumber(double value)
{
    if (std::abs(value) < 1e-13)
        value = 0.0; // rounding of a difference, which would fill the line with digits
    return QString::fromStdString(significantText(value, 4)).replace(u'-', QChar(0x2212));
}

QString tupleText(std::span<const double> numbers)
{
    QStringList parts;
    const std::size_t shown = numbers.size() > shownNumbers ? shownNumbers - 1 : numbers.size();
    for (std::size_t i = 0; i < shown; ++i)
        parts.append(labNumber(numbers[i]));
    if (shown < numbers.size())
        parts.append(QStringLiteral("…"));
    return u'(' + parts.join(QStringLiteral(", ")) + u')';
}

QString bracketedFactor(double factor)
{
    const QString number = labNumber(factor);
    return number.startsWith(QChar(0x2212)) ? QString(u'(' + number + u')') : number;
}

QString subscripted(const QString &letter, Index number)
{
    QString text = letter;
    for (const QChar digit : QString::number(number))
        text.append(QChar(0x2080 + digit.digitValue()));
    return text;
}

QString statementKindText(StatementKind kind)
{
    switch (kind) {
    case StatementKind::Convention:
        return QCoreApplication::translate("Scene", "convention");
    case StatementKind::Consequence:
        return QCoreApplication::translate("Scene", "consequence");
    case StatementKind::Definition:
        break;
    }
    return QCoreApplication::translate("Scene", "definition");
}

double addStatement(SceneDraft &draft, const QPointF &corner, double width, const Statement &statement)
{
    QFont heading = draft.maps().theme().textFont;
    heading.setPixelSize(14);
    heading.setBold(true);
    double y = corner.y();
    for (const QString &line : wrappedLines(statement.title, heading, width - 92.0)) {
        draft.addText({corner.x(), y, width - 88.0, 20.0}, line, SceneText::Style::Heading);
        y += 20.0;
    }
    draft.addText({corner.x() + width - 84.0, corner.y() + 2.0, 84.0, 16.0},
                  statementKindText(statement.kind), SceneText::Style::Badge,
                  Qt::AlignRight | Qt::AlignVCenter);
    y += 2.0;
    for (const QString &line : statement.lines)
        y = draft.addParagraph({corner.x(), y}, width, line, SceneText::Style::Label);
    if (!statement.reason.isEmpty())
        y = draft.addParagraph({corner.x(), y}, width, statement.reason,
                               statement.isAlert ? SceneText::Style::Warning : SceneText::Style::Muted);
    return y + 12.0;
}

void addMoreMark(SceneDraft &draft, const QRectF &cells)
{
    draft.addText({cells.right() + 4.0, cells.top(), 14.0, cells.height()}, QStringLiteral("…"),
                  SceneText::Style::Muted, Qt::AlignLeft | Qt::AlignVCenter);
}

SceneMap labCells(const SceneDraft &draft, const std::string &lab, Index row, Index rows, Index cols,
                  const QRectF &rect)
{
    const StageValuesPtr whole = valuesOf(draft.maps().experiment().lab(lab));
    MapKey key = MapKey::lab(QString::fromStdString(lab));
    key.rowOffset = row;
    SceneMap map = draft.maps().valuesMap(key, sliceOf(whole, 0, row, 0, rows, cols), rect,
                                          automaticRange(whole->statistics(0), ColorMap::Kind::Diverging));
    map.colorMap = draft.maps().colorMap(ColorMap::Kind::Diverging);
    map.name = key.id;
    map.readOnly = false;
    return map;
}

} // namespace attn
