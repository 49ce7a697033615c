#include "views/lab/VectorsPage.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/lab/Span.h"
#include "engine/lab/StandardLabs.h"
#include "views/lab/SourcePicker.h"
#include "widgets/LimitedSpinBox.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

struct VectorsExample
{
    const char *name;
    Index dimension;
    Index count;
    std::array<double, 9> vectors; ///< row-major, one column each
    std::array<double, 3> coefficients;
};

constexpr std::array vectorsExamples = {
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "scaling: 3·(1, 2)"),
                   2,
                   1,
                   {1, 3, -1, 2, 1, 1, 0, 1, 2},
                   {3, 1, 1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "adding: (1, 0) + (0, 1)"),
                   2,
                   2,
                   {1, 0, -1, 0, 1, 1, 0, 0, 2},
                   {1, 1, 1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "two that reach the plane"),
                   2,
                   2,
                   {1, 3, -1, 2, 1, 1, 0, 1, 2},
                   {2, -1, 1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "two parallel ones"),
                   2,
                   2,
                   {1, 2, -1, 2, 4, 1, 0, 0, 2},
                   {-1, 1, 1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "three in the plane"),
                   2,
                   3,
                   {1, 3, 4, 2, 1, 3, 0, 1, 1},
                   {1, 1, -1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "space: three on a line"),
                   3,
                   3,
                   {1, 2, -1, 2, 4, -2, 1, 2, -1},
                   {1, 0.5, 1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "space: three in a plane"),
                   3,
                   3,
                   {1, 0, 1, 0, 1, 1, 1, 1, 2},
                   {2, 1, -1}},
    VectorsExample{QT_TRANSLATE_NOOP("attn::VectorsPage", "space: three that reach all"),
                   3,
                   3,
                   {1, 0, 1, 1, 1, 0, 0, 1, 1},
                   {1, 2, 1}},
};

} // namespace

VectorsPage::VectorsPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"vectors"_s, tr("Vectors"), parent)
    , m_picker(new SourcePicker(SourcePicker::Planes::WithOwnPlane, this))
    , m_scratchPart(new QWidget(this))
    , m_dimension(new QComboBox(m_scratchPart))
    , m_count(new LimitedSpinBox(m_scratchPart))
    , m_example(new QComboBox(m_scratchPart))
{
    addControls();
    connect(m_picker, &SourcePicker::chosen, this, &VectorsPage::setSource);
    connect(m_dimension, &QComboBox::activated, this, [this](int index) {
        VectorSource changed = source();
        changed.dimension = index + 2;
        setSource(changed);
    });
    connect(m_count, &QSpinBox::valueChanged, this, [this](int count) {
        VectorSource changed = source();
        changed.count = count;
        setSource(changed);
    });
    connect(m_example, &QComboBox::activated, this, &VectorsPage::useExample);
}

void VectorsPage::addControls()
{
    addControl(tr("&Vectors:"), m_picker);
    auto *layout = new QHBoxLayout(m_scratchPart);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_dimension->addItems({tr("in the plane"), tr("in space")});
    m_dimension->setAccessibleName(tr("Dimension"));
    m_count->setRange(1, 3);
    m_count->setAccessibleName(tr("How many vectors"));
    m_count->setToolTip(tr("How many vectors"));
    m_example->setAccessibleName(tr("Example"));
    m_example->setPlaceholderText(tr("Examples"));
    for (const VectorsExample &example : vectorsExamples)
        m_example->addItem(tr(example.name));
    m_example->setCurrentIndex(-1);
    layout->addWidget(m_dimension);
    layout->addWidget(m_count);
    layout->addWidget(m_example);
    row()->addWidget(m_scratchPart);
}

VectorSource VectorsPage::source() const
{
    return sourceFromJson(state().value(u"source"_s).toObject());
}

void VectorsPage::setSource(const VectorSource &source)
{
    setStateValue(u"source"_s, sourceToJson(source));
}

void VectorsPage::useExample(int index)
{
    const VectorsExample &example = vectorsExamples[std::size_t(index)];
    const Compound edit{
        {SetLab{standardLab::vectors, Tensor::fromDoubles({1, 3, 3}, example.vectors)},
         SetLab{standardLab::coefficients, Tensor::fromDoubles({1, 3, 1}, example.coefficients)}}};
    if (!workbench()->apply(edit, tr("Take example vectors")))
        return;
    VectorSource changed = source();
    changed.dimension = example.dimension;
    changed.count = example.count;
    QJsonObject own = state();
    own.insert(u"source"_s, sourceToJson(changed));
    own.remove(u"position"_s);
    setState(own);
}

int VectorsPage::stepCount() const
{
    const VectorSource shown = source();
    return toInt(shown.isScratch() ? shown.count : 2) * positionsPerStep();
}

int VectorsPage::positionsPerStep() const
{
    return labPositionsPerStep;
}

int VectorsPage::step() const
{
    return labPosition(state(), stepCount() / positionsPerStep());
}

void VectorsPage::setStep(int step)
{
    setStateValue(u"position"_s, step);
}

void VectorsPage::refreshControls()
{
    const VectorSource shown = source();
    if (const SnapshotPtr &snapshot = workbench()->snapshot())
        m_picker->show(shown, *snapshot);
    const QSignalBlocker blockers[] = {QSignalBlocker(m_dimension), QSignalBlocker(m_count),
                                       QSignalBlocker(m_example)};
    m_scratchPart->setVisible(shown.isScratch());
    m_dimension->setCurrentIndex(toInt(shown.dimension) - 2);
    m_count->setValue(toInt(shown.count));
    m_example->setCurrentIndex(-1);
}

SmallMatrix VectorsPage::keptPlane(const Snapshot &snapshot) const
{
    const VectorSource now = source();
    if (!m_shown || now.isScratch() || !now.ownPlane || !(now == m_shownSource))
        return {};
    const Result<SmallMatrix> vectors =
        chosenVectors(snapshot, insideStage(now, snapshot), standardLab::vectors);
    const SmallMatrix &plane = m_shown->drawn;
    if (!vectors || plane.rows != vectors->rows)
        return {};
    const SmallMatrix outside = *vectors - plane * (plane.transposed() * *vectors);
    return normOf(outside.data) <= spanTolerance * normOf(vectors->data) ? plane : SmallMatrix();
}

Scene VectorsPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    VectorsLabOptions options = vectorsLabOptions(state());
    options.room = room;
    if (m_held) { // the picture stands still under the pointer
        options.reach = m_held->plane.reach;
        options.trackReach = m_held->trackReach;
        options.drawn = m_held->drawn;
    } else {
        options.drawn = keptPlane(*snapshot);
    }
    auto made = std::make_shared<PlaneScene>(vectorsLabScene(snapshot, display, options));
    Scene scene = std::move(made->scene);
    m_shown = std::move(made);
    m_shownSource = options.source;
    return scene;
}

void VectorsPage::onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture)
{
    if (phase == GesturePhase::Begin || !m_held)
        m_held = m_shown;
    if (!m_held)
        return;
    const QString kind = id.section(u':', 0, 0);
    const Index which = id.section(u':', 1).toInt();
    if (kind == "v"_L1)
        moveVector(which, pos, gesture);
    else if (kind == "x"_L1)
        moveCoefficient(which, pos, gesture);
    else if (kind == "t"_L1)
        moveTarget(pos, gesture);
    else if (kind == "turn"_L1)
        turnView(pos);
    if (phase == GesturePhase::End) {
        m_held.reset();
        emit rebuildWanted();
    }
}

void VectorsPage::moveVector(Index which, QPointF pos, int gesture)
{
    if (which >= m_held->vectors.cols)
        return;
    const QPointF point = m_held->plane.numbersAt(pos);
    const VectorSource from = insideStage(source(), *workbench()->snapshot());
    const Result<Edit> edit =
        vectorEdit(workbench()->experiment(), from, standardLab::vectors, m_held->drawn, which,
                   movedVector(m_held->drawn, m_held->vectors.column(which), point.x(), point.y()));
    if (!edit) {
        workbench()->say(QString::fromStdString(edit.error().message));
        return;
    }
    workbench()->apply(*edit, tr("Move v%1").arg(which + 1), gesture);
}

void VectorsPage::moveTarget(QPointF pos, int gesture)
{
    const QPointF point = m_held->plane.numbersAt(pos);
    const VectorSource from = source();
    std::vector<double> target = {point.x(), point.y()};
    if (from.isScratch() && from.dimension == 3) {
        const SmallMatrix now = SmallMatrix::of(workbench()->experiment().lab(standardLab::target));
        target = movedVector(m_held->drawn, now.data, point.x(), point.y());
    }
    std::vector<CellValue> cells;
    for (std::size_t i = 0; i < target.size(); ++i)
        cells.push_back({{0, Index(i), 0}, target[i]});
    workbench()->apply(SetLabCells{standardLab::target, std::move(cells)}, tr("Move the target"), gesture);
}

void VectorsPage::moveCoefficient(Index which, QPointF pos, int gesture)
{
    if (which >= Index(m_held->tracks.size()))
        return;
    const double value = m_held->coefficientAt(std::size_t(which), pos);
    workbench()->apply(SetLabCells{standardLab::coefficients, {{{0, which, 0}, value}}},
                       tr("Set x%1").arg(which + 1), gesture);
}

void VectorsPage::turnView(QPointF pos)
{
    const QPointF angles = m_held->anglesAt(pos);
    QJsonObject own = state();
    own.insert(u"azimuth"_s, angles.x());
    own.insert(u"elevation"_s, angles.y());
    setState(own);
}

} // namespace attn
