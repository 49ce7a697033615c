#include "base/NumberText.h"
#include "cli/ComputedInput.h"
#include "cli/Verbs.h"
#include "engine/Evaluator.h"
#include "render/CompareScene.h"
#include "render/FigureExport.h"
#include "render/FlowScene.h"
#include "render/HeadPages.h"
#include "render/MasksScene.h"
#include "render/ProductsScene.h"
#include "render/SceneBuilders.h"
#include "render/scenes/decode/DecodeScene.h"
#include "render/scenes/lab/LabScenes.h"
#include "render/scenes/lab/OrthogonalityLabScene.h"
#include "render/scenes/lab/PlaneScenes.h"
#include "render/scenes/lab/PositionsLabScene.h"
#include "render/scenes/lab/TokensLabScene.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// Everything --view and its companions ask for.
struct Picture
{
    FigureOptions figure;
    DisplayOptions display;
    QString view;
    std::optional<Index> head;
    std::optional<Index> row;  ///< query row of the softmax
    std::optional<Index> step; ///< of decode and softmax; none = the last
    Stage stage = Stage::A;
};

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
    const QStringList views = {u"board"_s,   u"heads"_s,   u"footprints"_s, u"masks"_s,         u"products"_s,
                               u"flow"_s,    u"compare"_s, u"stage"_s,      u"decode"_s,        u"softmax"_s,
                               u"scaling"_s, u"tokens"_s,  u"positions"_s,  u"orthogonality"_s, u"vectors"_s,
                               u"maps"_s,    u"weights"_s};
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

Result<Scene> buildProducts(const Picture &picture, const CommandLine &line, const SnapshotPtr &snapshot)
{
    ProductsOptions options;
    options.choice.head = picture.head.value_or(-1);
    const QString name = line.has(u"--product"_s) ? line.value(u"--product"_s) : u"q"_s;
    const std::optional<ProductKind> kind = productFromName(name.toStdString());
    if (!kind)
        return usageError(
            u"--product: expected q, k, v, scores, head_out, output or free, found \"%1\""_s.arg(name));
    options.choice.kind = *kind;
    const Result<Product> product = productOf(*snapshot, options.choice);
    if (!product)
        return product.error();
    if (line.has(u"--cell"_s)) {
        const QStringList parts = line.value(u"--cell"_s).split(u',');
        bool isRow = false;
        bool isCol = false;
        options.i = parts.first().toLongLong(&isRow);
        options.k = parts.last().toLongLong(&isCol);
        if (parts.size() != 2 || !isRow || !isCol || options.i < 0 || options.k < 0 ||
            options.i >= product->rows() || options.k >= product->cols())
            return usageError(u"--cell: expected ROW,COL inside %1×%2, counted from 0, found \"%3\""_s.arg(
                QString::number(product->rows()), QString::number(product->cols()), line.value(u"--cell"_s)));
    }
    return productsScene(snapshot, picture.display, options);
}

Scene buildDecode(const Picture &picture, const SnapshotPtr &snapshot)
{
    DecodeOptions options;
    options.head = picture.head.value_or(0);
    options.position = picture.step.value_or(snapshot->sizes().nQ);
    return decodeScene(snapshot, picture.display, options);
}

Scene buildSoftmax(const Picture &picture, const SnapshotPtr &snapshot)
{
    SoftmaxLabOptions options;
    options.head = picture.head.value_or(0);
    options.row = picture.row.value_or(0);
    options.step = static_cast<int>(
        std::min<Index>(picture.step.value_or(SoftmaxLabOptions::stepCount), SoftmaxLabOptions::stepCount));
    return softmaxLabScene(snapshot, picture.display, options);
}

/// The stage of `--stage`, or what stands without it.
Result<Stage> namedStage(const CommandLine &line, const Snapshot &snapshot, Stage otherwise)
{
    return line.has(u"--stage"_s) ? availableStage(snapshot, u"--stage"_s, line.value(u"--stage"_s))
                                  : Result<Stage>(otherwise);
}

/// The lab pages on maps: `--step` is how far the picture has come.
Result<Scene> buildMaps(const Picture &picture, const CommandLine &line, const SnapshotPtr &snapshot)
{
    if (picture.view == "maps"_L1) {
        MapsLabOptions options;
        options.position = picture.step ? static_cast<double>(*picture.step) : -1.0;
        return mapsLabScene(snapshot, picture.display, options).scene;
    }
    WeightLabOptions options;
    const Result<Stage> stage = namedStage(line, *snapshot, options.weight);
    if (!stage)
        return stage.error();
    options.weight = *stage;
    options.head = picture.head.value_or(0);
    options.token = picture.row.value_or(0);
    options.position = picture.step ? static_cast<double>(*picture.step) : -1.0;
    return weightLabScene(snapshot, picture.display, options);
}

/// B: the input named by --with, computed, or else the results that the input holds beside what they follow
/// from.
Result<StageSet> otherSide(const CommandLine &line, const ComputedInput &input)
{
    if (!line.has(u"--with"_s)) {
        if (!input.opened.reference.empty())
            return stagesOf(input.opened.reference);
        return Error{ErrorCode::BadInput, "--view compare: the input holds no results to compare with; name "
                                          "another input by --with, or give a file that has some beside its "
                                          "inputs, such as tensors Q, K, V and A"};
    }
    const Result<OpenedInput> other = openInput({line.value(u"--with"_s)});
    if (!other)
        return other.error();
    const SnapshotPtr snapshot =
        Evaluator().evaluate(std::make_shared<const Experiment>(other->experiment), Generation{1});
    if (!snapshot->problem().empty())
        return Error{ErrorCode::ShapeMismatch,
                     line.value(u"--with"_s).toStdString() + ": " + snapshot->problem()};
    return stagesOf(*snapshot);
}

Result<Scene> buildComparison(const Picture &picture, const CommandLine &line, const ComputedInput &input)
{
    const Result<StageSet> b = otherSide(line, input);
    if (!b)
        return b.error();
    const bool isNamed = line.has(u"--with"_s);
    CompareOptions options;
    options.nameA = isNamed ? line.inputs().first() : u"computed"_s;
    options.nameB = isNamed ? line.value(u"--with"_s) : u"results in the input"_s;
    options.b = *b;
    const StageSet a = stagesOf(*input.snapshot);
    const auto valuesIn = [](const StageSet &side, Stage stage) {
        const auto found = side.find(stage);
        return found == side.end() ? nullptr : found->second;
    };
    for (const Stage stage : isNamed ? stagesOfEither(a, *b) : stagesOfEither({}, *b))
        options.results.push_back(compareStage(stage, valuesIn(a, stage), valuesIn(*b, stage)));
    options.head = picture.head.value_or(0);
    return compareScene(input.snapshot, picture.display, options);
}

/// The mask of one head, compared with none.
Scene buildMasks(const Picture &picture, const SnapshotPtr &snapshot)
{
    MasksOptions options;
    options.head = picture.head.value_or(0);
    options.row = picture.row.value_or(-1);
    options.beforeName = QCoreApplication::translate("MasksView", "no mask");
    options.before = Evaluator().evaluate(
        std::make_shared<const Experiment>(withoutMask(snapshot->experiment())), Generation{1});
    options.counts = std::make_shared<const MaskCounts>(maskCountsOf(snapshot->experiment(), options.head));
    if (snapshot->stage(Stage::A).hasValues())
        options.effect =
            std::make_shared<const MaskEffect>(maskEffectOf(*options.before, *snapshot, options.head));
    return masksScene(snapshot, picture.display, options);
}

Result<Scene> buildTokens(const Picture &picture, const CommandLine &line, const SnapshotPtr &snapshot)
{
    TokensLabOptions options;
    const Result<Stage> stage = namedStage(line, *snapshot, options.stage);
    if (!stage)
        return stage.error();
    options.stage = *stage;
    options.head = picture.head.value_or(0);
    options.token = picture.row.value_or(0);
    return tokensLabScene(snapshot, picture.display, options);
}

Scene buildPositions(const Picture &picture, const SnapshotPtr &snapshot)
{
    PositionsLabOptions options;
    options.head = picture.head.value_or(0);
    options.first = picture.row.value_or(0);
    options.second = options.first == 1 ? 0 : 1;
    return positionsLabScene(snapshot, picture.display, options);
}

Result<Scene> buildFlow(const Picture &picture, const CommandLine &line, const SnapshotPtr &snapshot)
{
    TokenFlowOptions options;
    const QString measure = line.value(u"--measure"_s);
    if (measure == "length"_L1)
        options.question.measure = FlowMeasure::WeightTimesLength;
    else if (measure == "rollout"_L1)
        options.question.measure = FlowMeasure::Rollout;
    else if (!measure.isEmpty() && measure != "weight"_L1)
        return usageError(u"--measure: expected weight, length or rollout, found \"%1\""_s.arg(measure));
    if (picture.head)
        options.question.heads = {*picture.head};
    options.target = picture.row;
    const std::string problem = flowProblem(*snapshot, options.question);
    if (!problem.empty())
        return Error{ErrorCode::NotFound, problem};
    return tokenFlowScene(snapshot, picture.display, options);
}

Result<Scene> buildHeads(const Picture &picture, const CommandLine &line, const SnapshotPtr &snapshot)
{
    const QString name = line.has(u"--page"_s) ? line.value(u"--page"_s) : u"grid"_s;
    const std::optional<HeadsPage> page = headsPageFromName(name.toStdString());
    if (!page)
        return usageError(
            u"--page: expected grid, cut, single, combine or patterns, found \"%1\""_s.arg(name));
    const Index secondRow = std::min<Index>(1, snapshot->sizes().nQ - 1);
    switch (*page) {
    case HeadsPage::Grid:
        break;
    case HeadsPage::Cut: {
        HeadCutOptions options;
        options.head = picture.head.value_or(0);
        return headCutScene(snapshot, picture.display, options);
    }
    case HeadsPage::Single: {
        HeadSingleOptions options;
        options.heads = otherHeadCount(snapshot->experiment());
        options.row = picture.row.value_or(secondRow);
        return headSingleScene(snapshot, picture.display, options);
    }
    case HeadsPage::Combine: {
        HeadCombineOptions options;
        for (Index head = 0; head < snapshot->sizes().nHeads; ++head)
            options.heads.push_back(head);
        return headCombineScene(snapshot, picture.display, options);
    }
    case HeadsPage::Patterns: {
        HeadPatternsOptions options;
        options.head = picture.head.value_or(0);
        options.row = picture.row.value_or(secondRow);
        return headPatternsScene(snapshot, picture.display, options);
    }
    }
    HeadsOptions options;
    options.focus = picture.head.value_or(-1);
    options.withLengths = line.has(u"--lengths"_s);
    return headsScene(snapshot, picture.display, options);
}

Result<Scene> buildScene(const Picture &picture, const CommandLine &line, const ComputedInput &input)
{
    const SnapshotPtr &snapshot = input.snapshot;
    const Index heads = snapshot->sizes().nHeads;
    if (picture.head && *picture.head >= heads)
        return Error{ErrorCode::BadInput, "--head: expected 0 to " + std::to_string(heads - 1) + ", found " +
                                              std::to_string(*picture.head)};
    if (picture.view == "board"_L1)
        return boardScene(snapshot, picture.display,
                          BoardOptions{!picture.head.has_value(), picture.head.value_or(0)});
    if (picture.view == "products"_L1)
        return buildProducts(picture, line, snapshot);
    if (picture.row && *picture.row >= snapshot->sizes().nQ)
        return Error{ErrorCode::BadInput, "--row: expected 0 to " + std::to_string(snapshot->sizes().nQ - 1) +
                                              ", found " + std::to_string(*picture.row)};
    if (picture.view == "compare"_L1)
        return buildComparison(picture, line, input);
    if (picture.view == "masks"_L1)
        return buildMasks(picture, snapshot);
    if (picture.view == "decode"_L1)
        return buildDecode(picture, snapshot);
    if (picture.view == "scaling"_L1)
        return scalingLabScene(snapshot, picture.display);
    if (picture.view == "tokens"_L1)
        return buildTokens(picture, line, snapshot);
    if (picture.view == "positions"_L1)
        return buildPositions(picture, snapshot);
    if (picture.view == "orthogonality"_L1)
        return orthogonalityLabScene(snapshot, picture.display);
    if (picture.view == "vectors"_L1)
        return vectorsLabScene(snapshot, picture.display).scene;
    if (picture.view == "maps"_L1 || picture.view == "weights"_L1)
        return buildMaps(picture, line, snapshot);
    const QString stageOption = line.has(u"--stage"_s) ? line.value(u"--stage"_s) : u"A"_s;
    if (picture.view == "stage"_L1) {
        const Result<Stage> stage = availableStage(*snapshot, u"--stage"_s, stageOption);
        if (!stage)
            return stage.error();
        StageSceneOptions options;
        if (picture.head && snapshot->stage(*stage).values->heads() > *picture.head)
            options.heads = {*picture.head};
        return stageScene(snapshot, *stage, picture.display, options);
    }
    const Result<Stage> needed = availableStage(*snapshot, u"--view"_s, u"A"_s);
    if (!needed)
        return needed.error();
    if (picture.view == "softmax"_L1)
        return buildSoftmax(picture, snapshot);
    if (picture.view == "heads"_L1)
        return buildHeads(picture, line, snapshot);
    if (picture.view == "flow"_L1)
        return buildFlow(picture, line, snapshot);
    const Result<Stage> values = availableStage(*snapshot, u"--view"_s, u"V"_s);
    if (!values)
        return values.error();
    FootprintsOptions options;
    options.head = picture.head.value_or(0);
    return footprintsScene(snapshot, picture.display, options);
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
    const Result<Scene> scene = buildScene(*picture, line, *input);
    if (!scene)
        return scene.error();
    const Result<void> written = writeFigure(*scene, picture->figure, line.value(u"--out"_s));
    if (!written)
        return written.error();
    return VerbResult{{}, input->opened.notes};
}

} // namespace attn
