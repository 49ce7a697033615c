#include "base/NumberText.h"
#include "cli/Picture.h"
#include "cli/Verbs.h"
#include "document/ViewState.h"

using namespace Qt::StringLiterals;

namespace attn {

namespace {

Result<DisplayOptions::Range> rangeOption(const QString &text)
{
    using Mode = DisplayOptions::RangeMode;
    if (text == "shared"_L1)
        return DisplayOptions::Range{Mode::Shared, 0.0, 1.0};
    if (text == "head"_L1)
        return DisplayOptions::Range{Mode::PerHead, 0.0, 1.0};
    const QStringList ends = text.split(u':');
    const std::optional<double> low = parseNumber(ends.first().toStdString());
    const std::optional<double> high = parseNumber(ends.last().toStdString());
    if (ends.size() != 2 || !low || !high || !(*low < *high))
        return usageError(u"--range: expected LOW:HIGH, shared or head, found \"%1\""_s.arg(text));
    return DisplayOptions::Range{Mode::Fixed, *low, *high};
}

Result<void> setColorMap(DisplayOptions &display, const QString &name)
{
    if (ColorMap::names(ColorMap::Kind::Sequential).contains(name))
        display.sequentialMap = name;
    else if (ColorMap::names(ColorMap::Kind::Diverging).contains(name))
        display.divergingMap = name;
    else
        return usageError(u"--colormap: expected one of %1, found \"%2\""_s.arg(
            (ColorMap::names(ColorMap::Kind::Sequential) + ColorMap::names(ColorMap::Kind::Diverging))
                .join(u", "_s),
            name));
    return {};
}

Result<void> readDisplay(Picture &picture, const CommandLine &line)
{
    if (line.has(u"--theme"_s)) {
        const QString theme = line.value(u"--theme"_s);
        if (theme != "light"_L1 && theme != "dark"_L1)
            return usageError(u"--theme: expected light or dark, found \"%1\""_s.arg(theme));
        picture.figure.dark = theme == "dark"_L1;
        picture.display.dark = picture.figure.dark;
    }
    if (line.has(u"--range"_s)) {
        const Result<DisplayOptions::Range> range = rangeOption(line.value(u"--range"_s));
        if (!range)
            return range.error();
        picture.display.defaultRange = *range;
    }
    if (line.has(u"--colormap"_s)) {
        const Result<void> set = setColorMap(picture.display, line.value(u"--colormap"_s));
        if (!set)
            return set;
    }
    if (line.value(u"--values"_s) == "none"_L1) {
        picture.figure.showValues = false;
    } else {
        const auto decimals = line.integer(u"--values"_s, 0);
        if (!decimals)
            return decimals.error();
        picture.display.decimals = static_cast<int>(std::min<qint64>(decimals->value_or(2), 17));
    }
    return {};
}

Result<void> readFigure(Picture &picture, const CommandLine &line)
{
    const QString out = line.value(u"--out"_s);
    if (out.isEmpty())
        return usageError(u"render: --out is missing"_s);
    const Result<FigureOptions::Format> format = figureFormatFromSuffix(out);
    if (!format)
        return usageError(u"--out: expected a .png, .svg or .pdf file, found \"%1\""_s.arg(out));
    picture.figure.format = *format;
    const auto size = line.number(u"--size"_s);
    const auto dpi = line.integer(u"--dpi"_s, 1);
    if (!size || !dpi)
        return size ? dpi.error() : size.error();
    if (*size && !(**size > 0.0 && **size <= 10000.0))
        return usageError(u"--size: expected a width in mm up to 10000"_s);
    if (*dpi && **dpi > 2400)
        return usageError(u"--dpi: expected at most 2400"_s);
    picture.figure.widthMm = size->value_or(picture.figure.widthMm);
    picture.figure.dpi = static_cast<int>(dpi->value_or(picture.figure.dpi));
    return {};
}

Result<Picture> readPicture(const CommandLine &line)
{
    Picture picture;
    picture.view = line.value(u"--view"_s);
    const QStringList views = pictureViews();
    if (!views.contains(picture.view))
        return usageError(
            u"--view: expected one of %1, found \"%2\""_s.arg(views.join(u", "_s), picture.view));
    for (const auto &read : {&readFigure, &readDisplay}) {
        const Result<void> done = read(picture, line);
        if (!done)
            return done.error();
    }
    for (const auto &[option, place] :
         {std::pair(u"--head"_s, &Picture::head), std::pair(u"--row"_s, &Picture::row),
          std::pair(u"--step"_s, &Picture::step)}) {
        const auto number = line.integer(option, 0);
        if (!number)
            return number.error();
        if (*number)
            picture.*place = **number;
    }
    return picture;
}

/// How numbers and colours are shown in a saved document, as far as no option says otherwise.
void takeSavedDisplay(DisplayOptions &display, const ViewState &view, const CommandLine &line)
{
    using Saved = RangeChoice::Mode;
    using Shown = DisplayOptions::RangeMode;
    display.pooling = view.pooling;
    if (!line.has(u"--values"_s))
        display.decimals = view.decimals;
    if (!line.has(u"--colormap"_s)) {
        display.sequentialMap = view.sequentialMap;
        display.divergingMap = view.divergingMap;
    }
    if (line.has(u"--range"_s))
        return;
    for (const auto &[stage, choice] : view.ranges)
        display.ranges[stage] = {choice.mode == Saved::PerHead ? Shown::PerHead
                                 : choice.mode == Saved::Fixed ? Shown::Fixed
                                                               : Shown::Shared,
                                 choice.minimum, choice.maximum};
}

} // namespace

Result<VerbResult> runRender(const CommandLine &line)
{
    Result<Picture> picture = readPicture(line);
    if (!picture)
        return picture.error();
    const Result<ComputedInput> input = computeInput(line);
    if (!input)
        return input.error();
    picture->display.audit = std::make_shared<const Audit>(auditOf(input->snapshot->experimentPtr()));
    if (!input->opened.view.isEmpty())
        takeSavedDisplay(picture->display, ViewState::fromJson(input->opened.view), line);
    const Result<Scene> scene = sceneOfPicture({*picture, line, *input});
    if (!scene)
        return scene.error();
    const Result<void> written = writeFigure(*scene, picture->figure, line.value(u"--out"_s));
    if (!written)
        return written.error();
    return VerbResult{{}, input->opened.notes};
}

} // namespace attn
