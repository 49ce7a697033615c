#pragma once

#include "base/Result.h"
#include "render/Scene.h"

#include <QByteArray>
#include <QImage>
#include <QString>

namespace attn {

/// Everything a figure file depends on. Width in mm; the height follows from the scene.
struct FigureOptions
{
    enum class Format
    {
        Png,
        Svg,
        Pdf,
    };

    Format format = Format::Png;
    double widthMm = 160.0;
    int dpi = 300;
    bool dark = false;
    bool transparent = false;
    bool showLabels = true;
    bool showValues = true;
    bool showColorBars = true;
    QString title; ///< drawn above the figure; empty = none
};

Result<FigureOptions::Format> figureFormatFromSuffix(const QString &fileName);

/// The figure as file bytes. PNG and SVG repeat exactly; a PDF contains its date.
Result<QByteArray> figureBytes(const Scene &scene, const FigureOptions &options);
/// Writes atomically; the error names the file and the reason.
Result<void> writeFigure(const Scene &scene, const FigureOptions &options, const QString &file);
/// The preview and the clipboard image: the same drawing at this many pixels of width.
QImage figureImage(const Scene &scene, const FigureOptions &options, int widthPx);

} // namespace attn
