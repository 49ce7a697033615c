#include "views/ProductsView.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/PlaybackBar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

constexpr int largestFreeSide = 64;
/// Above so many multiplications the scene is built on another thread.
constexpr double quickOperations = 200'000.0;

const QString &stateName()
{
    static const QString name = QStringLiteral("products");
    return name;
}

/// The same matrix with other sides: what fits stays, the rest is 0.
Tensor resizedMatrix(const Tensor &matrix, Index rows, Index cols)
{
    std::vector<double> numbers(static_cast<std::size_t>(rows * cols), 0.0);
    for (Index i = 0; i < std::min(rows, matrix.rows()); ++i)
        for (Index j = 0; j < std::min(cols, matrix.cols()); ++j)
            numbers[static_cast<std::size_t>(i * cols + j)] = matrix.at(i, j);
    return Tensor::fromDoubles({1, rows, cols}, numbers);
}

/// The first product of the pipeline that the document has, as long as nobody has chosen one.
ProductChoice firstChoice(const Snapshot &snapshot)
{
    for (const ProductKind kind : {ProductKind::Query, ProductKind::Key, ProductKind::Value,
                                   ProductKind::Scores, ProductKind::HeadOut, ProductKind::Output}) {
        ProductChoice choice;
        choice.kind = kind;
        if (productOf(snapshot, choice).ok())
            return choice;
    }
    return {};
}

} // namespace

ProductsView::ProductsView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
    , m_product(new QComboBox(this))
    , m_head(new QComboBox(this))
    , m_vectors(new QComboBox(this))
    , m_form(new QComboBox(this))
    , m_order(new QComboBox(this))
    , m_playback(new PlaybackBar(this))
{
    view()->setAccessibleName(tr("Products"));
    view()->setFit(SceneCanvas::Fit::Whole);
    addChoices();
    addSizes();
    qobject_cast<QVBoxLayout *>(layout())->addWidget(m_playback);
    m_playback->setAccessibleName(tr("Steps of the sum"));
    m_playback->setReducedMotion(workbench->isMotionReduced());
    connect(workbench, &Workbench::motionChanged, this,
            [this] { m_playback->setReducedMotion(this->workbench()->isMotionReduced()); });
    connect(m_playback, &PlaybackBar::positionChanged, this, [this](int position) {
        ProductsOptions changed = options();
        changed.step = position == m_playback->stepCount() ? -1 : position;
        setOptions(changed);
    });
    connect(workbench->selection(), &Selection::changed, this, &ProductsView::followSelection);
}

void ProductsView::addChoices()
{
    const auto addLabelled = [this](const QString &text, QComboBox *field) {
        auto *label = new QLabel(text, this);
        label->setBuddy(field);
        label->setContentsMargins(8, 0, 4, 0);
        field->setAccessibleName(QString(text).remove(u'&').remove(u':'));
        return QList<QAction *>{toolBar()->addWidget(label), toolBar()->addWidget(field)};
    };
    m_product->addItems({tr("Q = X·W^Q"), tr("K = X·W^K"), tr("V = X·W^V"), tr("scores = Q·Kᵀ"), tr("A·V"),
                         tr("output = concat·W^O"), tr("free A·B")});
    m_vectors->addItems({tr("rows v·B"), tr("columns A·v")});
    m_form->addItems({tr("expanded"), tr("compact")});
    m_order->addItems({tr("in order"), tr("largest first")});
    addLabelled(tr("&Product:"), m_product);
    m_headActions = addLabelled(tr("&Head:"), m_head);
    const auto addPlain = [this](const QString &name, const QString &tip, QComboBox *field) {
        field->setAccessibleName(name);
        field->setToolTip(tip);
        toolBar()->addWidget(field);
    };
    addPlain(tr("Vectors"), tr("Whether vectors are rows or columns: which view is the basic one"),
             m_vectors);
    addPlain(tr("Form"), tr("Row and column view: piece by piece, or one factor as a whole"), m_form);
    addPlain(tr("Layers"), tr("In which order the layers are added up"), m_order);
    connect(m_product, &QComboBox::activated, this, [this](int kind) {
        ProductsOptions changed = options();
        changed.choice.kind = static_cast<ProductKind>(kind);
        changed.step = -1;
        setOptions(changed);
        followSelection();
    });
    connect(m_head, &QComboBox::activated, this, [this] {
        ProductsOptions changed = options();
        changed.choice.head = m_head->currentData().toInt();
        setOptions(changed);
    });
    connect(m_vectors, &QComboBox::activated, this, [this](int vectors) {
        ProductsOptions changed = options();
        changed.vectors =
            vectors == 1 ? ProductsOptions::Vectors::AsColumns : ProductsOptions::Vectors::AsRows;
        setOptions(changed);
    });
    connect(m_form, &QComboBox::activated, this, [this](int form) {
        ProductsOptions changed = options();
        changed.compact = form == 1;
        setOptions(changed);
    });
    connect(m_order, &QComboBox::activated, this, [this](int order) {
        ProductsOptions changed = options();
        changed.order = order == 1 ? LayerOrder::LargestFirst : LayerOrder::ByIndex;
        setOptions(changed);
    });
}

void ProductsView::addSizes()
{
    const std::array names = {tr("rows of left A"), tr("columns of left A = rows of right B"),
                              tr("columns of right B")};
    for (std::size_t i = 0; i < m_sizes.size(); ++i) {
        m_sizes[i] = new LimitedSpinBox(this);
        m_sizes[i]->setRange(1, largestFreeSide);
        m_sizes[i]->setAccessibleName(names[i]);
        m_sizes[i]->setToolTip(names[i]);
        m_sizes[i]->setKeyboardTracking(false);
        m_sizeActions.append(toolBar()->addWidget(m_sizes[i]));
        connect(m_sizes[i], &QSpinBox::valueChanged, this, &ProductsView::resizeFree);
    }
}

ProductsOptions ProductsView::options() const
{
    const QJsonObject state = workbench()->viewState().workspaceState(stateName());
    ProductsOptions options = productsFromJson(state);
    if (!state.contains(QLatin1String("product")) && workbench()->snapshot())
        options.choice = firstChoice(*workbench()->snapshot());
    return options;
}

void ProductsView::setOptions(const ProductsOptions &options)
{
    workbench()->setViewState(
        workbench()->viewState().withWorkspaceState(stateName(), productsToJson(options)));
}

Result<Product> ProductsView::product() const
{
    return productOf(*workbench()->snapshot(), options().choice);
}

ProductsOptions ProductsView::shownOptions() const
{
    ProductsOptions shown = options();
    shown.room = view()->maximumViewportSize();
    return shown;
}

Scene ProductsView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    return productsScene(snapshot, display, shownOptions());
}

SceneWorker::Build ProductsView::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const Result<Product> shown = productOf(*snapshot, options().choice);
    if (!shown)
        return {};
    const double operations = static_cast<double>(shown->rows()) * static_cast<double>(shown->inner()) *
                              static_cast<double>(shown->cols());
    if (operations <= quickOperations)
        return {};
    return [snapshot, display, wanted = shownOptions()](const std::stop_token &) {
        return productsScene(snapshot, display, wanted);
    };
}

void ProductsView::refreshControls()
{
    const ProductsOptions shown = options();
    m_product->setCurrentIndex(static_cast<int>(shown.choice.kind));
    refreshHeads(shown.choice.kind, shown.choice.head);
    m_vectors->setCurrentIndex(shown.vectors == ProductsOptions::Vectors::AsColumns ? 1 : 0);
    m_form->setCurrentIndex(shown.compact ? 1 : 0);
    m_order->setCurrentIndex(shown.order == LayerOrder::LargestFirst ? 1 : 0);
    refreshSizes(shown.choice.kind == ProductKind::Free);
    const QSignalBlocker blocker(m_playback);
    const Result<Product> current = product();
    const int steps = current.ok() && canDrawLayers(*current) ? toInt(current->inner()) : 0;
    m_playback->setStepCount(steps);
    m_playback->setPosition(shown.step < 0 ? steps : toInt(shown.step));
}

void ProductsView::refreshHeads(ProductKind kind, Index head)
{
    const int heads = toInt(workbench()->experiment().nHeads);
    const bool offersAll = hasAllHeads(kind);
    if (m_head->count() != heads + (offersAll ? 1 : 0)) {
        m_head->clear();
        if (offersAll)
            m_head->addItem(tr("all heads"), -1);
        for (int i = 0; i < heads; ++i)
            m_head->addItem(tr("head %1").arg(i + 1), i);
    }
    m_head->setCurrentIndex(std::clamp(toInt(head) + (offersAll ? 1 : 0), 0, m_head->count() - 1));
    m_head->setEnabled(heads > 1);
    for (QAction *action : std::as_const(m_headActions))
        action->setVisible(kind != ProductKind::Free);
}

void ProductsView::refreshSizes(bool isFree)
{
    const Tensor &A = workbench()->experiment().lab("A");
    const Tensor &B = workbench()->experiment().lab("B");
    const bool shows = isFree && !A.isNull() && !B.isNull();
    for (QAction *action : std::as_const(m_sizeActions))
        action->setVisible(shows);
    if (!shows)
        return;
    const std::array sides = {A.rows(), A.cols(), B.cols()};
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const QSignalBlocker blocker(m_sizes[i]);
        m_sizes[i]->setMaximum(std::max(largestFreeSide, toInt(sides[i])));
        m_sizes[i]->setValue(toInt(sides[i]));
    }
}

void ProductsView::onControl(const QString &id)
{
    if (id == QLatin1String("free:make"))
        makeFree();
}

void ProductsView::makeFree()
{
    Compound make;
    if (workbench()->experiment().lab("A").isNull())
        make.edits.push_back(
            SetLab{"A", Tensor::fromDoubles({1, 2, 3}, std::vector<double>{1, 2, 3, 4, 5, 6})});
    if (workbench()->experiment().lab("B").isNull())
        make.edits.push_back(
            SetLab{"B", Tensor::fromDoubles({1, 3, 2}, std::vector<double>{1, 0, -1, 2, 0.5, 1})});
    workbench()->apply(make, tr("Make left A and right B"));
}

void ProductsView::resizeFree()
{
    const Index rows = m_sizes[0]->value();
    const Index inner = m_sizes[1]->value();
    const Index cols = m_sizes[2]->value();
    const Experiment &experiment = workbench()->experiment();
    workbench()->apply(Compound{{SetLab{"A", resizedMatrix(experiment.lab("A"), rows, inner)},
                                 SetLab{"B", resizedMatrix(experiment.lab("B"), inner, cols)}}},
                       tr("Set the sizes of left A and right B"));
}

void ProductsView::followSelection()
{
    if (!isVisible() || !workbench()->snapshot())
        return;
    const Result<Product> current = product();
    if (!current)
        return;
    const EditTarget &target = workbench()->selection()->target();
    const CellIndex &cell = workbench()->selection()->cell();
    const auto placeIn = [&](const ProductMatrix &matrix) -> std::optional<std::pair<Index, Index>> {
        const bool isSame = target.isLab() ? target.lab.toStdString() == matrix.lab
                                           : matrix.lab.empty() && target.stage == matrix.stage;
        return isSame ? matrix.placeOf(cell) : std::nullopt;
    };
    ProductsOptions changed = insideProduct(options(), *current);
    if (const auto place = placeIn(current->result))
        std::tie(changed.i, changed.k) = *place;
    else if (const auto left = placeIn(current->left))
        std::tie(changed.i, changed.j) = *left;
    else if (const auto right = placeIn(current->right))
        std::tie(changed.j, changed.k) = *right;
    setOptions(changed);
}

void ProductsView::onDerivedSelected(const MapKey &map, Index row, Index col)
{
    const Result<Product> current = product();
    if (!current)
        return;
    setOptions(pickedInProduct(options(), *current, map, row, col));
}

void ProductsView::showEvent(QShowEvent *event)
{
    SceneWorkspace::showEvent(event);
    // Later: the window takes note of the new workspace after this event.
    QMetaObject::invokeMethod(this, &ProductsView::followSelection, Qt::QueuedConnection);
}

void ProductsView::resizeEvent(QResizeEvent *event)
{
    SceneWorkspace::resizeEvent(event);
    scheduleRebuild();
}

} // namespace attn
