#include "views/lab/WeightPage.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "widgets/LimitedSpinBox.h"

#include <QComboBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array shownWeights = {Stage::Wq, Stage::Wk, Stage::Wv, Stage::Wo};
/// Weights of more numbers are taken apart on another thread.
constexpr Index quickWeightNumbers = 1024;

} // namespace

WeightPage::WeightPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"weights"_s, tr("Weights by singular values"), parent)
    , m_weight(new QComboBox(this))
    , m_head(new LimitedSpinBox(this))
    , m_token(new LimitedSpinBox(this))
{
    for (const Stage weight : shownWeights)
        m_weight->addItem(QString::fromUtf8(stageName(weight)));
    addControl(tr("&Weight:"), m_weight);
    addControl(tr("&Head:"), m_head);
    addControl(tr("&Token:"), m_token);
    for (QSpinBox *field : {m_head, m_token}) {
        field->setMinimum(1);
        field->setKeyboardTracking(false);
    }
    connect(m_weight, &QComboBox::activated, this, [this](int index) { setStateValue(u"weight"_s, index); });
    connect(m_head, &QSpinBox::valueChanged, this, [this](int head) {
        ViewState state = this->workbench()->viewState();
        state.head = head - 1;
        this->workbench()->setViewState(std::move(state));
    });
    connect(m_token, &QSpinBox::valueChanged, this,
            [this](int token) { setStateValue(u"token"_s, token - 1); });
}

WeightLabOptions WeightPage::options(QSizeF room) const
{
    WeightLabOptions options = weightLabOptions(state(), selection());
    options.room = room;
    return options;
}

int WeightPage::stepCount() const
{
    return 3 * positionsPerStep();
}

int WeightPage::positionsPerStep() const
{
    return labPositionsPerStep;
}

int WeightPage::step() const
{
    return std::clamp(state().value(u"position"_s).toInt(0), 0, stepCount());
}

void WeightPage::setStep(int step)
{
    setStateValue(u"position"_s, step);
}

void WeightPage::refreshControls()
{
    const WeightLabOptions shown = options(QSizeF());
    const Experiment &experiment = workbench()->experiment();
    const QSignalBlocker blockers[] = {QSignalBlocker(m_weight), QSignalBlocker(m_head),
                                       QSignalBlocker(m_token)};
    m_weight->setCurrentIndex(
        int(std::find(shownWeights.begin(), shownWeights.end(), shown.weight) - shownWeights.begin()));
    m_head->setMaximum(std::max(1, toInt(experiment.nHeads)));
    m_head->setValue(toInt(shown.head) + 1);
    const bool ofKeys = shown.weight == Stage::Wk || shown.weight == Stage::Wv;
    m_token->setMaximum(std::max(1, toInt((ofKeys ? experiment.keyTokens() : experiment.tokens).size())));
    m_token->setValue(toInt(shown.token) + 1);
}

Scene WeightPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    return weightLabScene(snapshot, display, options(room));
}

SceneWorker::Build WeightPage::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                          QSizeF room)
{
    const StageState &weight = snapshot->stage(options(room).weight);
    if (!weight.hasValues() || weight.values->shape().size() <= quickWeightNumbers)
        return {};
    return [snapshot, display, wanted = options(room)](const std::stop_token &) {
        return weightLabScene(snapshot, display, wanted);
    };
}

} // namespace attn
