#include "render/FigureExport.h"

#include "render/figure/FigureDrawing.h"
#include "render/figure/SvgDevice.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QSaveFile>

#include <cmath>

namespace attn {

namespace {

constexpr double mmPerInch = 25.4;
constexpr qint64 mostPixels = 200'000'000;
constexpr int widestImage = 32'767;

QImage drawnImage(const FigureDrawing &drawing, const QSize &size, bool transparent)
{
    QImage image(size, transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    image.fill(transparent ? Qt::transparent : Qt::white);
    QPainter painter(&image);
    const double scale = size.width() / drawing.size().width();
    painter.scale(scale, scale);
    drawing.paint(painter, false);
    return image;
}

QSize pixelSize(const FigureDrawing &drawing, double width)
{
    const double height = width * drawing.size().height() / drawing.size().width();
    return {static_cast<int>(std::lround(width)), static_cast<int>(std::max(1L, std::lround(height)))};
}

Result<QByteArray> pngFigure(const FigureDrawing &drawing, const FigureOptions &options)
{
    const double width = options.widthMm / mmPerInch * options.dpi;
    const double height = width * drawing.size().height() / drawing.size().width();
    if (width > widestImage || height > widestImage || width * height > static_cast<double>(mostPixels))
        return Error{ErrorCode::TooLarge, "the image would be " + std::to_string(std::lround(width)) +
                                              " by " + std::to_string(std::lround(height)) +
                                              " pixels: choose fewer dots per inch or a smaller width"};
    QImage image =
        drawnImage(drawing, pixelSize(drawing, std::max(1.0, std::round(width))), options.transparent);
    const int dotsPerMeter = static_cast<int>(std::lround(options.dpi * 1000.0 / mmPerInch));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    if (!options.title.isEmpty())
        image.setText(QStringLiteral("Title"), options.title);
    image.setText(QStringLiteral("Software"), QStringLiteral("AttnScope"));
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG"))
        return Error{ErrorCode::Io, "the image could not be encoded as PNG"};
    return png;
}

QByteArray svgFigure(const FigureDrawing &drawing, const QString &title)
{
    SvgDevice device(drawing.size(), drawing.sizeMm(), title);
    QPainter painter(&device);
    drawing.paint(painter, true);
    painter.end();
    return device.svg();
}

} // namespace

Result<FigureOptions::Format> figureFormatFromSuffix(const QString &fileName)
{
    const QString suffix = QFileInfo(fileName).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return FigureOptions::Format::Png;
    if (suffix == QLatin1String("svg"))
        return FigureOptions::Format::Svg;
    if (suffix == QLatin1String("pdf"))
        return FigureOptions::Format::Pdf;
    return Error{ErrorCode::BadInput, fileName.toStdString() +
                                          ": expected a name ending in .png, .svg or .pdf, found \"" +
                                          suffix.toStdString() + "\""};
}

Result<QByteArray> figureBytes(const Scene &scene, const FigureOptions &options)
{
    if (scene.size.isEmpty())
        return Error{ErrorCode::BadInput, "there is nothing to draw"};
    if (!(options.widthMm > 0.0) || options.widthMm > 10000.0 || options.dpi <= 0)
        return Error{ErrorCode::BadInput,
                     "a figure needs a width between 0 and 10000 mm and a positive number of dots per inch"};
    const FigureDrawing drawing(scene, options);
    switch (options.format) {
    case FigureOptions::Format::Svg:
        return svgFigure(drawing, options.title);
    case FigureOptions::Format::Pdf:
        return pdfFigure(drawing, options.title);
    case FigureOptions::Format::Png:
        break;
    }
    return pngFigure(drawing, options);
}

Result<void> writeFigure(const Scene &scene, const FigureOptions &options, const QString &file)
{
    const Result<QByteArray> bytes = figureBytes(scene, options);
    if (!bytes)
        return Error{bytes.error().code, file.toStdString() + ": " + bytes.error().message};
    QSaveFile target(file);
    target.setDirectWriteFallback(false);
    const bool written =
        target.open(QIODevice::WriteOnly) && target.write(*bytes) == bytes->size() && target.commit();
    if (!written)
        return Error{ErrorCode::Io, file.toStdString() + ": " + target.errorString().toStdString()};
    return {};
}

QImage figureImage(const Scene &scene, const FigureOptions &options, int widthPx)
{
    if (scene.size.isEmpty() || widthPx <= 0)
        return {};
    const FigureDrawing drawing(scene, options);
    return drawnImage(drawing, pixelSize(drawing, widthPx), options.transparent);
}

} // namespace attn
