#include "views/lab/MapsPage.h"

#include "Workbench.h"
#include "engine/lab/StandardLabs.h"
#include "views/lab/SourcePicker.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

struct MapsExample
{
    const char *name;
    std::array<double, 4> A;
    std::array<double, 4> B;
};

constexpr std::array mapsExamples = {
    MapsExample{QT_TRANSLATE_NOOP("attn::MapsPage", "rotate and stretch"), {0, -1, 1, 0}, {2, 0, 0, 1}},
    MapsExample{QT_TRANSLATE_NOOP("attn::MapsPage", "shear and reflect"), {1, 1, 0, 1}, {1, 0, 0, -1}},
    MapsExample{QT_TRANSLATE_NOOP("attn::MapsPage", "two stretches"), {2, 0, 0, 1}, {1, 0, 0, 3}},
    MapsExample{
        QT_TRANSLATE_NOOP("attn::MapsPage", "projection and rotation"), {0.5, 0.5, 0.5, 0.5}, {0, -1, 1, 0}},
    MapsExample{QT_TRANSLATE_NOOP("attn::MapsPage", "everything on one line"), {1, 2, 2, 4}, {1, 0, 0, 1}},
    MapsExample{QT_TRANSLATE_NOOP("attn::MapsPage", "two general ones"), {1.5, -0.5, 0.3, 0.8}, {1, 1, 0, 1}},
};

} // namespace

MapsPage::MapsPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"maps"_s, tr("Maps"), parent)
    , m_picker(new SourcePicker(SourcePicker::Planes::CoordinatesOnly, this))
    , m_mode(new QComboBox(this))
    , m_example(new QComboBox(this))
{
    m_mode->addItems({tr("one map"), tr("AB against BA"), tr("rotate, stretch, rotate")});
    addControl(tr("&Show:"), m_mode);
    addControl(tr("&A:"), m_picker);
    m_example->setAccessibleName(tr("Example"));
    m_example->setPlaceholderText(tr("Examples"));
    for (const MapsExample &example : mapsExamples)
        m_example->addItem(tr(example.name));
    row()->addWidget(m_example);
    connect(m_mode, &QComboBox::activated, this, &MapsPage::setMode);
    connect(m_picker, &SourcePicker::chosen, this, &MapsPage::setSource);
    connect(m_example, &QComboBox::activated, this, &MapsPage::useExample);
}

MapsLabOptions MapsPage::options() const
{
    return mapsLabOptions(state());
}

void MapsPage::setMode(int mode)
{
    QJsonObject own = state();
    own.insert(u"mode"_s, mode);
    own.remove(u"position"_s);
    setState(own);
}

void MapsPage::setSource(const VectorSource &source)
{
    setStateValue(u"source"_s, sourceToJson(source));
}

void MapsPage::useExample(int index)
{
    const MapsExample &example = mapsExamples[std::size_t(index)];
    workbench()->apply(Compound{{SetLab{standardLab::mapA, Tensor::fromDoubles({1, 2, 2}, example.A)},
                                 SetLab{standardLab::mapB, Tensor::fromDoubles({1, 2, 2}, example.B)}}},
                       tr("Take example maps"));
}

int MapsPage::stepCount() const
{
    return options().steps() * positionsPerStep();
}

int MapsPage::positionsPerStep() const
{
    return labPositionsPerStep;
}

int MapsPage::step() const
{
    return labPosition(state(), options().steps());
}

void MapsPage::setStep(int step)
{
    setStateValue(u"position"_s, step);
}

void MapsPage::refreshControls()
{
    const MapsLabOptions shown = options();
    if (const SnapshotPtr &snapshot = workbench()->snapshot())
        m_picker->show(shown.source, *snapshot);
    const QSignalBlocker blockers[] = {QSignalBlocker(m_mode), QSignalBlocker(m_example)};
    m_mode->setCurrentIndex(static_cast<int>(shown.mode));
    m_example->setVisible(shown.source.isScratch());
    m_example->setCurrentIndex(-1);
}

Scene MapsPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    MapsLabOptions wanted = options();
    wanted.room = room;
    if (m_held) { // the picture stands still under the pointer
        wanted.reach = m_held->plane.reach;
        wanted.trackReach = m_held->trackReach;
        if (!m_held->factorPlanes.empty())
            wanted.factorReach = m_held->factorPlanes.front().reach;
    }
    auto made = std::make_shared<PlaneScene>(mapsLabScene(snapshot, display, wanted));
    Scene scene = std::move(made->scene);
    m_shown = std::move(made);
    return scene;
}

void MapsPage::onGrip(const QString &id, QPointF pos, GesturePhase phase, int gesture)
{
    if (phase == GesturePhase::Begin || !m_held)
        m_held = m_shown;
    if (!m_held)
        return;
    const Result<Edit> edit = editFor(id, pos);
    const QString text = id == "c"_L1             ? tr("Set c")
                         : id.startsWith("a:"_L1) ? tr("Move a column of A")
                         : id.startsWith("b:"_L1) ? tr("Move a column of B")
                                                  : tr("Move %1").arg(id);
    if (edit)
        workbench()->apply(*edit, text, gesture);
    else
        workbench()->say(QString::fromStdString(edit.error().message));
    if (phase == GesturePhase::End) {
        m_held.reset();
        emit rebuildWanted();
    }
}

Result<Edit> MapsPage::editFor(const QString &id, QPointF pos) const
{
    if (id == "c"_L1 && !m_held->tracks.empty())
        return Edit{SetLabCells{standardLab::factor, {{{0, 0, 0}, m_held->coefficientAt(0, pos)}}}};
    const bool isB = id.startsWith("b:"_L1);
    const bool isFactor = isB || id.startsWith("a:"_L1);
    const auto &planes = m_held->factorPlanes;
    const PlaneGeometry &plane = isFactor && planes.size() == 2 ? planes[isB ? 1 : 0] : m_held->plane;
    const QPointF point = plane.numbersAt(pos);
    const Index column = isFactor ? id.section(u':', 1).toInt() : id == "v"_L1 ? 1 : 0;
    if (isFactor && !isB)
        return columnEdit(column, point);
    return Edit{SetLabCells{isB ? standardLab::mapB : standardLab::inputs,
                            {{{0, 0, column}, point.x()}, {{0, 1, column}, point.y()}}}};
}

/// A column of A: of the scratch matrix, or two cells of the stage that it is read from.
Result<Edit> MapsPage::columnEdit(Index column, QPointF point) const
{
    const VectorSource source = insideStage(options().source, *workbench()->snapshot());
    const Index x = source.isScratch() ? 0 : source.axisX;
    const Index y = source.isScratch() ? 1 : source.axisY;
    std::vector<CellValue> cells = {{vectorCell(source, column, x), point.x()},
                                    {vectorCell(source, column, y), point.y()}};
    if (source.isScratch())
        return Edit{SetLabCells{standardLab::mapA, std::move(cells)}};
    return typedEdit(workbench()->experiment(), source.stage, std::move(cells));
}

} // namespace attn
