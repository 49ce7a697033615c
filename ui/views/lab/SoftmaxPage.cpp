#include "views/lab/SoftmaxPage.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/lab/SoftmaxInverse.h"
#include "render/LabelText.h"
#include "render/scenes/lab/LabScenes.h"

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

constexpr double mostSharpness = 8.0;
constexpr double slidePerUnit = 20.0;

} // namespace

SoftmaxPage::SoftmaxPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"softmax"_s, tr("Softmax of a row"), parent)
    , m_head(new QComboBox(this))
    , m_query(new QComboBox(this))
    , m_sharpness(new QDoubleSpinBox(this))
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
    return std::clamp(state().value(u"step"_s).toInt(stepCount()), 0, stepCount());
}

void SoftmaxPage::setStep(int step)
{
    setStateValue(u"step"_s, step);
}

void SoftmaxPage::setSharpness(double sharpness)
{
    setStateValue(u"sharpness"_s, std::clamp(sharpness, 0.0, mostSharpness));
}

/// The query of the selected cell; else the one chosen last.
Index SoftmaxPage::queryRow() const
{
    const ViewState &view = workbench()->viewState();
    const Index last = std::max<Index>(0, workbench()->experiment().tokens.size() - 1);
    const Index chosen =
        stageInfo(view.stage).rows == Axis::Query ? view.cell.row : Index(state().value(u"row"_s).toInt());
    return std::clamp<Index>(chosen, 0, last);
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
    const QJsonObject own = state();
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
    m_query->setCurrentIndex(toInt(queryRow()));
    const double sharpness = own.value(u"sharpness"_s).toDouble(1.0);
    m_sharpness->setValue(sharpness);
    m_sharpnessSlider->setValue(int(std::lround(sharpness * slidePerUnit)));
    m_subtract->setChecked(own.value(u"subtract"_s).toBool(true));
}

Scene SoftmaxPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    const ViewState &view = workbench()->viewState();
    const QJsonObject own = state();
    SoftmaxLabOptions options;
    options.head = view.head;
    options.row = queryRow();
    const bool isKeyStage = stageInfo(view.stage).cols == Axis::Key;
    options.key = isKeyStage ? view.cell.col : Index(own.value(u"key"_s).toInt(-1));
    options.sharpness = std::clamp(own.value(u"sharpness"_s).toDouble(1.0), 0.0, mostSharpness);
    options.subtractLargest = own.value(u"subtract"_s).toBool(true);
    options.step = step();
    options.inverseTarget = own.value(u"inverse"_s).toString() == "scaled"_L1 ? Stage::Scaled : Stage::Scores;
    options.width = room.width();
    return softmaxLabScene(snapshot, display, options);
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
