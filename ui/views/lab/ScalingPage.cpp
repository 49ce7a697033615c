#include "views/lab/ScalingPage.h"

#include "widgets/LimitedSpinBox.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr int leastPower = 2; ///< d_k = 2^power
constexpr int mostPower = 12;

} // namespace

ScalingPage::ScalingPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"scaling"_s, tr("Scaling"), parent)
    , m_width(new QSlider(Qt::Horizontal, this))
    , m_widthText(new QLabel(this))
    , m_entries(new QComboBox(this))
    , m_seed(new LimitedSpinBox(this))
{
    m_width->setRange(leastPower, mostPower);
    m_width->setPageStep(1);
    m_width->setTickPosition(QSlider::TicksBelow);
    m_width->setMinimumWidth(160);
    m_width->setAccessibleName(tr("Width d_k of queries and keys"));
    addControl(tr("&d_k:"), m_width);
    m_widthText->setMinimumWidth(40);
    row()->addWidget(m_widthText);
    m_entries->addItem(tr("normal, mean 0"), u"normal"_s);
    m_entries->addItem(tr("even in 0 … 1"), u"positive"_s);
    addControl(tr("&Entries:"), m_entries);
    m_seed->setRange(1, mostLabSeed);
    addControl(tr("&Seed:"), m_seed);
    connect(m_width, &QSlider::valueChanged, this,
            [this](int power) { setStateValue(u"dHead"_s, 1 << power); });
    connect(m_entries, &QComboBox::activated, this,
            [this](int index) { setStateValue(u"entries"_s, m_entries->itemData(index).toString()); });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) { setStateValue(u"seed"_s, seed); });
}

void ScalingPage::refreshControls()
{
    const QSignalBlocker blockers[] = {QSignalBlocker(m_width), QSignalBlocker(m_entries),
                                       QSignalBlocker(m_seed)};
    const ScalingLabOptions shown = labOptions({});
    int power = leastPower;
    while ((Index(1) << power) < shown.dHead)
        ++power;
    m_width->setValue(power);
    m_widthText->setText(QString::number(shown.dHead));
    m_entries->setCurrentIndex(shown.sample.entries == ScalingOptions::Entries::Positive ? 1 : 0);
    m_seed->setValue(int(shown.sample.seed));
}

ScalingLabOptions ScalingPage::labOptions(QSizeF room) const
{
    ScalingLabOptions options = scalingLabOptions(state());
    options.width = room.width();
    return options;
}

/// What was drawn for these options; null when nothing was.
std::shared_ptr<const ScalingSample> ScalingPage::Drawn::of(const ScalingOptions &options)
{
    const std::scoped_lock lock(mutex);
    return sample && sample->options() == options ? sample : nullptr;
}

Scene ScalingPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    ScalingLabOptions options = labOptions(room);
    options.drawn = m_drawn->of(options.sample);
    return scalingLabScene(snapshot, display, options);
}

SceneWorker::Build ScalingPage::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                           QSizeF room)
{
    ScalingLabOptions options = labOptions(room);
    if (m_drawn->of(options.sample))
        return {};
    return [snapshot, display, options, drawn = m_drawn](const std::stop_token &) mutable {
        options.drawn = std::make_shared<const ScalingSample>(options.sample);
        {
            const std::scoped_lock lock(drawn->mutex);
            drawn->sample = options.drawn;
        }
        return scalingLabScene(snapshot, display, options);
    };
}

} // namespace attn
