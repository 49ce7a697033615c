#include "views/lab/SoftmaxPage.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/lab/SoftmaxInverse.h"
#include "render/LabelText.h"
#include "render/scenes/lab/LabScenes.h"
#include "widgets/LimitedSpinBox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr double slidePerUnit = 20.0;

} // namespace

SoftmaxPage::SoftmaxPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"softmax"_s, tr("Softmax of a row"), parent)
    , m_head(new QComboBox(this))
    , m_query(new QComboBox(this))
    , m_sharpness(new LimitedDoubleSpinBox(this))
    , m_sharpnessSlider(new QSlider(Qt::Horizontal, this))
    , m_subtract(new QCheckBox(tr("subtract the &largest"), this))
{
    addControls();
    connect(m_head, &QComboBox::activated, this, [this](int head) {
        ViewState state = this->workbench()->viewState();
        state.head = head;
        this->workbench()->setViewState(std::move(state));
    });
    connect(m_query, &QComboBox::activated, this, &SoftmaxPage::chooseRow);
    connect(m_sharpness, &QDoubleSpinBox::valueChanged, this, &SoftmaxPage::setSharpness);
    connect(m_sharpnessSlider, &QSlider::valueChanged, this,
            [this](int place) { setSharpness(place / slidePerUnit); });
    connect(m_subtract, &QCheckBox::toggled, this, [this](bool on) { setStateValue(u"subtract"_s, on); });
}

void SoftmaxPage::addControls()
{
    addControl(tr("&Head:"), m_head);
    m_query->setMinimumContentsLength(8);
    m_query->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addControl(tr("&Query:"), m_query);
    m_sharpness->setRange(0.0, mostSharpness);
    m_sharpness->setSingleStep(0.05);
    m_sharpness->setDecimals(2);
    m_sharpnessSlider->setRange(0, int(mostSharpness * slidePerUnit));
    m_sharpnessSlider->setMaximumWidth(120);
    m_sharpnessSlider->setAccessibleName(tr("Sharpness, slider"));
    m_sharpness->setAccessibleName(tr("Sharpness"));
    addControl(tr("Sharpness &β:"), m_sharpness);
    row()->addWidget(m_sharpnessSlider);
    row()->addWidget(m_subtract);
}

int SoftmaxPage::stepCount() const
{
    return SoftmaxLabOptions::stepCount;
}

int SoftmaxPage::step() const
{
    return options().step;
}

void SoftmaxPage::setStep(int step)
{
    setStateValue(u"step"_s, step);
}

void SoftmaxPage::setSharpness(double sharpness)
{
    setStateValue(u"sharpness"_s, std::clamp(sharpness, 0.0, mostSharpness));
}

SoftmaxLabOptions SoftmaxPage::options() const
{
    return softmaxLabOptions(state(), selection(), workbench()->experiment());
}

void SoftmaxPage::chooseRow(int row)
{
    setStateValue(u"row"_s, row);
    const ViewState &view = workbench()->viewState();
    const bool isQueryStage = stageInfo(view.stage).rows == Axis::Query;
    const Stage stage = isQueryStage ? view.stage : Stage::A;
    CellIndex cell = isQueryStage ? view.cell : CellIndex{};
    cell.head = workbench()->headFor(stage);
    cell.row = row;
    workbench()->select(stage, cell);
}

void SoftmaxPage::refreshControls()
{
    const Experiment &experiment = workbench()->experiment();
    const QSignalBlocker blockers[] = {QSignalBlocker(m_head), QSignalBlocker(m_query),
                                       QSignalBlocker(m_sharpness), QSignalBlocker(m_sharpnessSlider),
                                       QSignalBlocker(m_subtract)};
    const int heads = toInt(experiment.nHeads);
    if (m_head->count() != heads) {
        m_head->clear();
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("head %1").arg(head));
    }
    m_head->setCurrentIndex(std::clamp(toInt(workbench()->viewState().head), 0, heads - 1));
    if (!(m_queryTokens == experiment.tokens) || m_query->count() == 0) {
        m_queryTokens = experiment.tokens;
        QStringList names;
        for (const std::string &token : m_queryTokens.labels())
            names.append(visibleLabel(QString::fromStdString(token)));
        m_query->clear();
        m_query->addItems(names);
    }
    const SoftmaxLabOptions shown = options();
    m_query->setCurrentIndex(toInt(shown.row));
    m_sharpness->setValue(shown.sharpness);
    m_sharpnessSlider->setValue(int(std::lround(shown.sharpness * slidePerUnit)));
    m_subtract->setChecked(shown.subtractLargest);
}

Scene SoftmaxPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    SoftmaxLabOptions wanted = options();
    wanted.width = room.width();
    return softmaxLabScene(snapshot, display, wanted);
}

void SoftmaxPage::onControl(const QString &id)
{
    if (id == "inverse:apply"_L1)
        useScores();
    else if (id.startsWith("inverse:"_L1))
        setStateValue(u"inverse"_s, id.section(u':', 1));
}

void SoftmaxPage::useScores()
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    if (!snapshot)
        return;
    const bool asScaled = state().value(u"inverse"_s).toString() == "scaled"_L1;
    const Result<Edit> edit = inverseSoftmaxEdit(*snapshot, asScaled ? Stage::Scaled : Stage::Scores);
    if (!edit) {
        workbench()->say(QString::fromStdString(edit.error().message));
        return;
    }
    if (workbench()->apply(*edit, tr("Set the scores that give A")))
        workbench()->sayUntilChange(tr("The scores are set by hand now, and A is their softmax."));
}

void SoftmaxPage::onDerivedSelected(const MapKey &map, Index, Index col)
{
    if (map.id.startsWith("softmax:"_L1) && !map.id.endsWith("inverse"_L1))
        setStateValue(u"key"_s, double(col));
}

} // namespace attn
