#include "views/lab/OrthogonalityPage.h"

#include "render/scenes/lab/OrthogonalityLabScene.h"
#include "widgets/LimitedSpinBox.h"

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr double slidesPerDegree = 2.0;
/// The dimensions the slider stops at; others are typed.
constexpr std::array sliderDimensions = {2,   3,   4,   6,   10,  16,   32,   64,
                                         100, 128, 256, 512, 768, 1024, 2048, 4096};
/// Products of numbers that are drawn at once; more are drawn on another thread.
constexpr double mostWorkInline = 1e6;

} // namespace

class OrthogonalityPage::Samples
{
public:
    std::shared_ptr<const DirectionSample> find(const DirectionOptions &options)
    {
        const std::scoped_lock lock(m_mutex);
        return m_newest && m_newest->options() == options ? m_newest : nullptr;
    }
    std::shared_ptr<const DirectionSample> of(const DirectionOptions &options)
    {
        std::shared_ptr<const DirectionSample> sample = find(options);
        if (sample)
            return sample;
        sample = std::make_shared<const DirectionSample>(options);
        const std::scoped_lock lock(m_mutex);
        m_newest = sample;
        return sample;
    }

private:
    std::mutex m_mutex;
    std::shared_ptr<const DirectionSample> m_newest;
};

OrthogonalityPage::OrthogonalityPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"orthogonality"_s, tr("Near-orthogonality"), parent)
    , m_dimensionSlider(new QSlider(Qt::Horizontal, this))
    , m_dimension(new LimitedSpinBox(this))
    , m_angleSlider(new QSlider(Qt::Horizontal, this))
    , m_angle(new LimitedDoubleSpinBox(this))
    , m_tries(new LimitedSpinBox(this))
    , m_seed(new LimitedSpinBox(this))
    , m_samples(std::make_shared<Samples>())
{
    m_dimension->setRange(leastDirectionDimension, mostDirectionDimension);
    m_dimension->setKeyboardTracking(false);
    m_dimension->setAccessibleName(tr("Dimensions n"));
    addControl(tr("&Dimensions n:"), m_dimension);
    m_dimensionSlider->setRange(0, int(sliderDimensions.size()) - 1);
    m_dimensionSlider->setPageStep(1);
    m_dimensionSlider->setTickPosition(QSlider::TicksBelow);
    m_dimensionSlider->setMaximumWidth(140);
    m_dimensionSlider->setMinimumWidth(48);
    m_dimensionSlider->setAccessibleName(tr("Dimensions n, slider"));
    row()->addWidget(m_dimensionSlider);
    m_angle->setRange(leastDirectionAngle, mostDirectionAngle);
    m_angle->setDecimals(1);
    m_angle->setSingleStep(0.5);
    m_angle->setSuffix(tr("°"));
    m_angle->setKeyboardTracking(false);
    m_angle->setAccessibleName(tr("Smallest angle"));
    addControl(tr("Smallest &angle:"), m_angle);
    m_angleSlider->setRange(int(leastDirectionAngle * slidesPerDegree),
                            int(mostDirectionAngle * slidesPerDegree));
    m_angleSlider->setMaximumWidth(140);
    m_angleSlider->setMinimumWidth(48);
    m_angleSlider->setAccessibleName(tr("Smallest angle, slider"));
    row()->addWidget(m_angleSlider);
    m_tries->setRange(1, mostDirectionTries);
    m_tries->setSingleStep(100);
    m_tries->setKeyboardTracking(false);
    addControl(tr("&Tries:"), m_tries);
    m_seed->setRange(1, mostLabSeed);
    m_seed->setKeyboardTracking(false);
    addControl(tr("&Seed:"), m_seed);
    connect(m_dimension, &QSpinBox::valueChanged, this, [this](int n) { setStateValue(u"dimension"_s, n); });
    connect(m_dimensionSlider, &QSlider::valueChanged, this, [this](int place) {
        setStateValue(u"dimension"_s, sliderDimensions[static_cast<std::size_t>(place)]);
    });
    connect(m_angle, &QDoubleSpinBox::valueChanged, this,
            [this](double degrees) { setStateValue(u"angle"_s, degrees); });
    connect(m_angleSlider, &QSlider::valueChanged, this,
            [this](int place) { setStateValue(u"angle"_s, place / slidesPerDegree); });
    connect(m_tries, &QSpinBox::valueChanged, this, [this](int tries) { setStateValue(u"tries"_s, tries); });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) { setStateValue(u"seed"_s, seed); });
}

DirectionOptions OrthogonalityPage::sampleOptions() const
{
    return orthogonalityLabOptions(state()).sample;
}

void OrthogonalityPage::refreshControls()
{
    const QSignalBlocker blockers[] = {QSignalBlocker(m_dimension), QSignalBlocker(m_dimensionSlider),
                                       QSignalBlocker(m_angle),     QSignalBlocker(m_angleSlider),
                                       QSignalBlocker(m_tries),     QSignalBlocker(m_seed)};
    const DirectionOptions options = sampleOptions();
    m_dimension->setValue(int(options.dimension));
    const auto place = std::lower_bound(sliderDimensions.begin(), sliderDimensions.end(), options.dimension);
    m_dimensionSlider->setValue(int(place - sliderDimensions.begin()));
    m_angle->setValue(options.degrees);
    m_angleSlider->setValue(int(std::lround(options.degrees * slidesPerDegree)));
    m_tries->setValue(int(options.tries));
    m_seed->setValue(int(options.seed));
}

Scene OrthogonalityPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    OrthogonalityLabOptions options;
    options.sample = sampleOptions();
    options.drawn = m_samples->of(options.sample);
    options.width = room.width();
    return orthogonalityLabScene(snapshot, display, options);
}

SceneWorker::Build OrthogonalityPage::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                                 QSizeF room)
{
    OrthogonalityLabOptions options;
    options.sample = sampleOptions();
    options.width = room.width();
    const double pairs = double(options.sample.directions * options.sample.directions) / 2.0;
    if (pairs * double(options.sample.dimension) < mostWorkInline || m_samples->find(options.sample))
        return {};
    return [snapshot, display, options, samples = m_samples](const std::stop_token &) mutable {
        options.drawn = samples->of(options.sample);
        return orthogonalityLabScene(snapshot, display, options);
    };
}

} // namespace attn
