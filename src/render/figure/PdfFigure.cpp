#include "base/NumberText.h"
#include "render/figure/FigureDrawing.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>

#include <cmath>

namespace attn {

namespace {

constexpr double pointsPerMm = 72.0 / 25.4;

QByteArray pdfNumber(double value)
{
    return QByteArray::fromStdString(shortestText(std::round(value * 1000.0) / 1000.0));
}

/// Adds to the offsets of a cross-reference table that lie behind a place where the file became longer.
void shiftOffsets(QByteArray &pdf, qsizetype behind, qsizetype by)
{
    const qsizetype startMark = pdf.lastIndexOf("startxref");
    const qsizetype numberBegin = pdf.indexOf('\n', startMark) + 1;
    const qsizetype numberEnd = pdf.indexOf('\n', numberBegin);
    const qsizetype table = pdf.mid(numberBegin, numberEnd - numberBegin).trimmed().toLongLong() + by;
    static const QRegularExpression entry(QStringLiteral("^(\\d{10}) \\d{5} n"));
    for (qsizetype line = table; line >= 0 && line < startMark; line = pdf.indexOf('\n', line) + 1) {
        const QRegularExpressionMatch match = entry.match(QString::fromLatin1(pdf.mid(line, 20)));
        if (match.hasMatch()) {
            const qlonglong offset = match.captured(1).toLongLong();
            if (offset > behind)
                pdf.replace(line, 10, QByteArray::number(offset + by).rightJustified(10, '0'));
        } else if (pdf.mid(line, 7) == "trailer") {
            break;
        }
    }
    pdf.replace(numberBegin, numberEnd - numberBegin, QByteArray::number(table));
}

/// QPdfWriter rounds pages to whole points; the page box is put right afterwards. The drawing hangs from the
/// top edge, so the box grows or shrinks at the bottom and right.
void setExactPage(QByteArray &pdf, const QSizeF &sizeMm)
{
    const qsizetype key = pdf.indexOf("/MediaBox");
    const qsizetype open = pdf.indexOf('[', key);
    const qsizetype close = pdf.indexOf(']', open);
    if (key < 0 || open < 0 || close < 0)
        return;
    const QList<QByteArray> numbers = pdf.mid(open + 1, close - open - 1).simplified().split(' ');
    if (numbers.size() != 4)
        return;
    const double top = numbers.at(3).toDouble();
    const QByteArray box = "0 " + pdfNumber(top - sizeMm.height() * pointsPerMm) + ' ' +
                           pdfNumber(sizeMm.width() * pointsPerMm) + ' ' + numbers.at(3);
    const qsizetype before = pdf.size();
    pdf.replace(open + 1, close - open - 1, box);
    shiftOffsets(pdf, open, pdf.size() - before);
}

} // namespace

Result<QByteArray> pdfFigure(const FigureDrawing &drawing, const QString &title)
{
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    constexpr int resolution = 1200;
    writer.setResolution(resolution);
    writer.setCreator(QStringLiteral("AttnScope"));
    writer.setTitle(title);
    writer.setPageSize(QPageSize(drawing.sizeMm(), QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return Error{ErrorCode::Io, "the PDF could not be started"};
    painter.setRenderHint(QPainter::LosslessImageRendering);
    const double scale = drawing.sizeMm().width() / 25.4 * resolution / drawing.size().width();
    painter.scale(scale, scale);
    drawing.paint(painter, true);
    painter.end();
    buffer.close();
    setExactPage(pdf, drawing.sizeMm());
    return pdf;
}

} // namespace attn
