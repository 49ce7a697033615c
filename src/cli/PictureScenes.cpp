#include "base/Assert.h"
#include "cli/Picture.h"
#include "document/ViewState.h"
#include "engine/Evaluator.h"
#include "render/CompareScene.h"
#include "render/FlowScene.h"
#include "render/HeadPages.h"
#include "render/MasksScene.h"
#include "render/ProductsScene.h"
#include "render/SceneBuilders.h"
#include "render/scenes/decode/DecodeScene.h"
#include "render/scenes/lab/LabState.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace attn {

namespace {

/// The stage of `--stage`, or what stands without it.
Result<Stage> namedStage(const PictureRequest &asked, Stage otherwise)
{
    return asked.line.has(u"--stage"_s)
               ? availableStage(*asked.snapshot(), u"--stage"_s, asked.line.value(u"--stage"_s))
               : Result<Stage>(otherwise);
}

Result<Scene> buildBoard(const PictureRequest &asked)
{
    return boardScene(asked.snapshot(), asked.picture.display,
                      BoardOptions{!asked.picture.head.has_value(), asked.picture.head.value_or(0)});
}

Result<Scene> buildStage(const PictureRequest &asked)
{
    const QString name = asked.line.has(u"--stage"_s) ? asked.line.value(u"--stage"_s) : u"A"_s;
    const Result<Stage> stage = availableStage(*asked.snapshot(), u"--stage"_s, name);
    if (!stage)
        return stage.error();
    StageSceneOptions options;
    if (asked.picture.head && asked.snapshot()->stage(*stage).values->heads() > *asked.picture.head)
        options.heads = {*asked.picture.head};
    return stageScene(asked.snapshot(), *stage, asked.picture.display, options);
}

Result<Scene> buildFootprints(const PictureRequest &asked)
{
    FootprintsOptions options;
    options.head = asked.picture.head.value_or(0);
    return footprintsScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildProducts(const PictureRequest &asked)
{
    ProductsOptions options;
    options.choice.head = asked.picture.head.value_or(-1);
    const QString name = asked.line.has(u"--product"_s) ? asked.line.value(u"--product"_s) : u"q"_s;
    const std::optional<ProductKind> kind = productFromName(name.toStdString());
    if (!kind)
        return usageError(
            u"--product: expected q, k, v, scores, head_out, output or free, found \"%1\""_s.arg(name));
    options.choice.kind = *kind;
    const Result<Product> product = productOf(*asked.snapshot(), options.choice);
    if (!product)
        return product.error();
    if (asked.line.has(u"--cell"_s)) {
        const QStringList parts = asked.line.value(u"--cell"_s).split(u',');
        bool isRow = false;
        bool isCol = false;
        options.i = parts.first().toLongLong(&isRow);
        options.k = parts.last().toLongLong(&isCol);
        if (parts.size() != 2 || !isRow || !isCol || options.i < 0 || options.k < 0 ||
            options.i >= product->rows() || options.k >= product->cols())
            return usageError(u"--cell: expected ROW,COL inside %1×%2, counted from 0, found \"%3\""_s.arg(
                QString::number(product->rows()), QString::number(product->cols()),
                asked.line.value(u"--cell"_s)));
    }
    return productsScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildDecode(const PictureRequest &asked)
{
    DecodeOptions options;
    options.head = asked.picture.head.value_or(0);
    options.position = asked.picture.step.value_or(asked.snapshot()->sizes().nQ);
    return decodeScene(asked.snapshot(), asked.picture.display, options);
}

/// What a page of the lab keeps in the document; empty for inputs that are none.
QJsonObject labState(const PictureRequest &asked, const QString &page)
{
    return ViewState::fromJson(asked.input.opened.view).workspaceState(u"lab"_s).value(page).toObject();
}

/// What is selected in the document, with the head that is asked for.
LabSelection labSelection(const PictureRequest &asked)
{
    const ViewState view = ViewState::fromJson(asked.input.opened.view);
    const Index lastHead = asked.snapshot()->experiment().nHeads - 1;
    return {view.stage, view.cell, asked.picture.head.value_or(std::min(view.head, lastHead))};
}

Result<Scene> buildSoftmax(const PictureRequest &asked)
{
    SoftmaxLabOptions options =
        softmaxLabOptions(labState(asked, u"softmax"_s), labSelection(asked), asked.snapshot()->experiment());
    options.row = asked.picture.row.value_or(options.row);
    options.step = static_cast<int>(
        std::min<Index>(asked.picture.step.value_or(options.step), SoftmaxLabOptions::stepCount));
    return softmaxLabScene(asked.snapshot(), asked.picture.display, options);
}

/// How far the picture has come.
double positionOf(const Picture &picture, double otherwise)
{
    return picture.step ? static_cast<double>(*picture.step) : otherwise;
}

/// Which of its pages a view shows without `--page`: this one.
Result<qsizetype> namedPage(const PictureRequest &asked, const QStringList &pages, qsizetype otherwise)
{
    if (!asked.line.has(u"--page"_s))
        return otherwise;
    const QString name = asked.line.value(u"--page"_s);
    const qsizetype page = pages.indexOf(name);
    if (page < 0)
        return usageError(u"--page: expected one of %1, found \"%2\""_s.arg(pages.join(u", "_s), name));
    return page;
}

/// Scratch vectors in the plane or in space, or with `--stage` two rows of a stage.
Result<Scene> buildVectors(const PictureRequest &asked)
{
    VectorsLabOptions options = vectorsLabOptions(labState(asked, u"vectors"_s));
    VectorSource &source = options.source;
    const Result<qsizetype> page =
        namedPage(asked, {u"plane"_s, u"space"_s}, static_cast<qsizetype>(source.dimension - 2));
    if (!page)
        return page.error();
    if (asked.line.has(u"--page"_s)) {
        source.kind = VectorSource::Kind::Scratch;
        source.dimension = source.count = *page + 2;
        options.step = -1.0;
    }
    if (asked.line.has(u"--stage"_s)) {
        const Result<Stage> stage = namedStage(asked, Stage::X);
        if (!stage)
            return stage.error();
        source = VectorSource();
        source.kind = VectorSource::Kind::Rows;
        source.stage = *stage;
        options.step = -1.0;
    }
    if (!source.isScratch()) {
        source.head = asked.picture.head.value_or(source.head);
        if (asked.picture.row) {
            source.first = *asked.picture.row;
            source.second = source.first == 1 ? 0 : 1;
        }
    }
    options.step = positionOf(asked.picture, options.step);
    return vectorsLabScene(asked.snapshot(), asked.picture.display, options).scene;
}

Result<Scene> buildMaps(const PictureRequest &asked)
{
    MapsLabOptions options = mapsLabOptions(labState(asked, u"maps"_s));
    const Result<qsizetype> page =
        namedPage(asked, {u"map"_s, u"compose"_s, u"factors"_s}, static_cast<qsizetype>(options.mode));
    if (!page)
        return page.error();
    options.mode = static_cast<MapsLabOptions::Mode>(*page);
    if (asked.line.has(u"--page"_s))
        options.position = -1.0;
    options.position = positionOf(asked.picture, options.position);
    return mapsLabScene(asked.snapshot(), asked.picture.display, options).scene;
}

Result<Scene> buildWeights(const PictureRequest &asked)
{
    WeightLabOptions options = weightLabOptions(labState(asked, u"weights"_s), labSelection(asked));
    const Result<Stage> stage = namedStage(asked, options.weight);
    if (!stage)
        return stage.error();
    options.weight = *stage;
    options.token = asked.picture.row.value_or(options.token);
    // Documents stand where they were saved; what is none is drawn at the end of the way.
    options.position = positionOf(asked.picture, asked.input.opened.view.isEmpty() ? -1.0 : options.position);
    return weightLabScene(asked.snapshot(), asked.picture.display, options);
}

/// B: the input named by --with, computed, or else the results that the input holds beside what they follow
/// from.
Result<void> setOtherSide(CompareOptions &options, const CommandLine &line, const ComputedInput &input)
{
    if (!line.has(u"--with"_s)) {
        options.nameA = u"computed"_s;
        options.nameB = u"results in the input"_s;
        options.b = stagesOf(input.opened.reference);
        if (!options.b.empty())
            return {};
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
    options.nameA = line.inputs().first();
    options.nameB = line.value(u"--with"_s);
    options.b = stagesOf(*snapshot);
    options.snapshotB = snapshot;
    return {};
}

Result<Scene> buildComparison(const PictureRequest &asked)
{
    CompareOptions options;
    if (const Result<void> set = setOtherSide(options, asked.line, asked.input); !set)
        return set.error();
    const StageSet a = stagesOf(*asked.snapshot());
    const auto valuesIn = [](const StageSet &side, Stage stage) {
        const auto found = side.find(stage);
        return found == side.end() ? nullptr : found->second;
    };
    for (const Stage stage : stagesOfEither(options.snapshotB ? a : StageSet(), options.b))
        options.results.push_back(compareStage(stage, valuesIn(a, stage), valuesIn(options.b, stage)));
    options.head = asked.picture.head.value_or(0);
    return compareScene(asked.snapshot(), asked.picture.display, options);
}

/// The mask of one head, compared with none.
Result<Scene> buildMasks(const PictureRequest &asked)
{
    MasksOptions options;
    options.head = asked.picture.head.value_or(0);
    options.row = asked.picture.row.value_or(-1);
    options.beforeName = QCoreApplication::translate("MasksView", "no mask");
    options.before = Evaluator().evaluate(
        std::make_shared<const Experiment>(withoutMask(asked.snapshot()->experiment())), Generation{1});
    options.counts =
        std::make_shared<const MaskCounts>(maskCountsOf(asked.snapshot()->experiment(), options.head));
    if (asked.snapshot()->stage(Stage::A).hasValues())
        options.effect = std::make_shared<const MaskEffect>(
            maskEffectOf(*options.before, *asked.snapshot(), options.head));
    return masksScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildTokens(const PictureRequest &asked)
{
    TokensLabOptions options = tokensLabOptions(labState(asked, u"tokens"_s), *asked.snapshot());
    const Result<Stage> stage = namedStage(asked, options.stage);
    if (!stage)
        return stage.error();
    options.stage = *stage;
    options.head = asked.picture.head.value_or(options.head);
    options.token = asked.picture.row.value_or(options.token);
    return tokensLabScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildPositions(const PictureRequest &asked)
{
    PositionsLabOptions options = positionsLabOptions(labState(asked, u"positions"_s), labSelection(asked));
    if (asked.picture.row) {
        options.first = *asked.picture.row;
        options.second = options.first == 1 ? 0 : 1;
    }
    return positionsLabScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildFlow(const PictureRequest &asked)
{
    TokenFlowOptions options;
    const QString measure = asked.line.value(u"--measure"_s);
    if (measure == "length"_L1)
        options.question.measure = FlowMeasure::WeightTimesLength;
    else if (measure == "rollout"_L1)
        options.question.measure = FlowMeasure::Rollout;
    else if (!measure.isEmpty() && measure != "weight"_L1)
        return usageError(u"--measure: expected weight, length or rollout, found \"%1\""_s.arg(measure));
    if (asked.picture.head)
        options.question.heads = {*asked.picture.head};
    options.target = asked.picture.row;
    const std::string problem = flowProblem(*asked.snapshot(), options.question);
    if (!problem.empty())
        return Error{ErrorCode::NotFound, problem};
    return tokenFlowScene(asked.snapshot(), asked.picture.display, options);
}

Result<Scene> buildHeads(const PictureRequest &asked)
{
    const QString name = asked.line.has(u"--page"_s) ? asked.line.value(u"--page"_s) : u"grid"_s;
    const std::optional<HeadsPage> page = headsPageFromName(name.toStdString());
    if (!page)
        return usageError(
            u"--page: expected grid, cut, single, combine or patterns, found \"%1\""_s.arg(name));
    const Index secondRow = std::min<Index>(1, asked.snapshot()->sizes().nQ - 1);
    switch (*page) {
    case HeadsPage::Grid:
        break;
    case HeadsPage::Cut: {
        HeadCutOptions options;
        options.head = asked.picture.head.value_or(0);
        return headCutScene(asked.snapshot(), asked.picture.display, options);
    }
    case HeadsPage::Single: {
        HeadSingleOptions options;
        options.heads = otherHeadCount(asked.snapshot()->experiment());
        options.row = asked.picture.row.value_or(secondRow);
        return headSingleScene(asked.snapshot(), asked.picture.display, options);
    }
    case HeadsPage::Combine: {
        HeadCombineOptions options;
        for (Index head = 0; head < asked.snapshot()->sizes().nHeads; ++head)
            options.heads.push_back(head);
        return headCombineScene(asked.snapshot(), asked.picture.display, options);
    }
    case HeadsPage::Patterns: {
        HeadPatternsOptions options;
        options.head = asked.picture.head.value_or(0);
        options.row = asked.picture.row.value_or(secondRow);
        return headPatternsScene(asked.snapshot(), asked.picture.display, options);
    }
    }
    HeadsOptions options;
    options.focus = asked.picture.head.value_or(-1);
    options.withLengths = asked.line.has(u"--lengths"_s);
    return headsScene(asked.snapshot(), asked.picture.display, options);
}

struct View
{
    QLatin1StringView name;
    Result<Scene> (*build)(const PictureRequest &);
    std::vector<Stage> needs = {}; ///< stages without which there is nothing to draw
};

/// In the order in which they are listed.
const std::vector<View> &allViews()
{
    static const std::vector<View> views = {
        {"board"_L1, buildBoard},
        {"heads"_L1, buildHeads, {Stage::A}},
        {"footprints"_L1, buildFootprints, {Stage::A, Stage::V}},
        {"masks"_L1, buildMasks},
        {"products"_L1, buildProducts},
        {"flow"_L1, buildFlow, {Stage::A}},
        {"compare"_L1, buildComparison},
        {"stage"_L1, buildStage},
        {"decode"_L1, buildDecode},
        {"softmax"_L1, buildSoftmax, {Stage::A}},
        {"scaling"_L1,
         [](const PictureRequest &asked) -> Result<Scene> {
             return scalingLabScene(asked.snapshot(), asked.picture.display,
                                    scalingLabOptions(labState(asked, u"scaling"_s)));
         }},
        {"tokens"_L1, buildTokens},
        {"positions"_L1, buildPositions},
        {"orthogonality"_L1,
         [](const PictureRequest &asked) -> Result<Scene> {
             return orthogonalityLabScene(asked.snapshot(), asked.picture.display,
                                          orthogonalityLabOptions(labState(asked, u"orthogonality"_s)));
         }},
        {"vectors"_L1, buildVectors},
        {"maps"_L1, buildMaps},
        {"weights"_L1, buildWeights},
    };
    return views;
}

/// An index option that does not exist in the document.
Result<void> checkIndex(const QString &option, const std::optional<Index> &index, Index count)
{
    if (index && *index >= count)
        return Error{ErrorCode::BadInput, option.toStdString() + ": expected 0 to " +
                                              std::to_string(count - 1) + ", found " +
                                              std::to_string(*index)};
    return {};
}

} // namespace

QStringList pictureViews()
{
    QStringList names;
    for (const View &view : allViews())
        names.append(view.name);
    return names;
}

Result<Scene> sceneOfPicture(const PictureRequest &asked)
{
    const auto view = std::find_if(allViews().begin(), allViews().end(),
                                   [&asked](const View &one) { return one.name == asked.picture.view; });
    ATTN_ASSERT(view != allViews().end(), "a view of pictureViews()");
    const Sizes &sizes = asked.snapshot()->sizes();
    for (const Result<void> &check : {checkIndex(u"--head"_s, asked.picture.head, sizes.nHeads),
                                      checkIndex(u"--row"_s, asked.picture.row, sizes.nQ)})
        if (!check)
            return check.error();
    for (const Stage stage : view->needs) {
        const Result<Stage> there =
            availableStage(*asked.snapshot(), u"--view"_s, QString::fromUtf8(stageName(stage)));
        if (!there)
            return there.error();
    }
    return view->build(asked);
}

} // namespace attn
