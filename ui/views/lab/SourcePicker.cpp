#include "views/lab/SourcePicker.h"

#include "base/CheckedInt.h"
#include "widgets/LimitedSpinBox.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

constexpr int mostIndex = 1 << 20;

} // namespace

SourcePicker::SourcePicker(Planes planes, QWidget *parent)
    : QWidget(parent)
    , m_kind(new QComboBox(this))
    , m_stagePart(new QWidget(this))
    , m_stageRow(new QHBoxLayout(m_stagePart))
    , m_stage(new QComboBox(m_stagePart))
    , m_plane(new QComboBox(m_stagePart))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    m_stageRow->setContentsMargins(0, 0, 0, 0);
    m_stageRow->setSpacing(4);
    m_kind->addItems({tr("scratch numbers"), tr("two columns of"), tr("two rows of")});
    m_kind->setAccessibleName(tr("Whose numbers"));
    layout->addWidget(m_kind);
    layout->addWidget(m_stagePart);
    m_stage->setAccessibleName(tr("Stage"));
    m_stageRow->addWidget(m_stage);
    m_head = addIndex(tr("Head"));
    m_head->setPrefix(tr("head "));
    m_vectors = {addIndex(tr("First vector")), addIndex(tr("Second vector"))};
    m_vectors[0]->setPrefix(tr("v₁: "));
    m_vectors[1]->setPrefix(tr("v₂: "));
    m_plane->addItems({tr("drawn: numbers"), tr("drawn: their own plane")});
    m_plane->setAccessibleName(tr("Drawn in"));
    m_stageRow->addWidget(m_plane);
    m_plane->setVisible(planes == Planes::WithOwnPlane);
    m_axes = {addIndex(tr("Number drawn to the right")), addIndex(tr("Number drawn upwards"))};
    for (QComboBox *choice : {m_kind, m_stage, m_plane})
        connect(choice, &QComboBox::activated, this, &SourcePicker::take);
}

QSpinBox *SourcePicker::addIndex(const QString &name)
{
    auto *field = new LimitedSpinBox(m_stagePart);
    field->setRange(1, mostIndex);
    field->setAccessibleName(name);
    field->setToolTip(name);
    field->setKeyboardTracking(false);
    m_stageRow->addWidget(field);
    connect(field, &QSpinBox::valueChanged, this, &SourcePicker::take);
    return field;
}

void SourcePicker::showStages(const Snapshot &snapshot)
{
    QStringList names;
    for (const StageInfo &info : stageTable()) {
        const StageState &state = snapshot.stage(info.stage);
        if (state.hasValues() && state.values->rows() >= 2 && state.values->cols() >= 2)
            names.append(QString::fromUtf8(stageName(info.stage)));
    }
    QStringList shown;
    for (int i = 0; i < m_stage->count(); ++i)
        shown.append(m_stage->itemText(i));
    if (names == shown)
        return;
    m_stage->clear();
    m_stage->addItems(names);
}

void SourcePicker::show(const VectorSource &source, const Snapshot &snapshot)
{
    m_shown = insideStage(source, snapshot);
    const QSignalBlocker blockers[] = {QSignalBlocker(m_kind),       QSignalBlocker(m_stage),
                                       QSignalBlocker(m_head),       QSignalBlocker(m_vectors[0]),
                                       QSignalBlocker(m_vectors[1]), QSignalBlocker(m_plane),
                                       QSignalBlocker(m_axes[0]),    QSignalBlocker(m_axes[1])};
    showStages(snapshot);
    m_kind->setCurrentIndex(int(m_shown.kind));
    m_stagePart->setVisible(!m_shown.isScratch());
    m_stage->setCurrentText(QString::fromUtf8(stageName(m_shown.stage)));
    const StageState &state = snapshot.stage(m_shown.stage);
    const Shape shape = state.hasValues() ? state.values->shape() : Shape{};
    const bool asColumns = m_shown.kind == VectorSource::Kind::Columns;
    m_head->setMaximum(std::max(1, toInt(shape.heads)));
    m_head->setVisible(shape.heads > 1);
    m_head->setValue(toInt(m_shown.head) + 1);
    for (QSpinBox *field : m_vectors)
        field->setMaximum(std::max(1, toInt(asColumns ? shape.cols : shape.rows)));
    for (QSpinBox *field : m_axes) {
        field->setMaximum(std::max(1, toInt(asColumns ? shape.rows : shape.cols)));
        field->setEnabled(!m_shown.ownPlane);
    }
    m_vectors[0]->setValue(toInt(m_shown.first) + 1);
    m_vectors[1]->setValue(toInt(m_shown.second) + 1);
    m_plane->setCurrentIndex(m_shown.ownPlane ? 1 : 0);
    m_axes[0]->setValue(toInt(m_shown.axisX) + 1);
    m_axes[1]->setValue(toInt(m_shown.axisY) + 1);
}

void SourcePicker::take()
{
    VectorSource source = m_shown;
    source.kind = static_cast<VectorSource::Kind>(m_kind->currentIndex());
    if (const std::optional<Stage> stage = stageFromName(m_stage->currentText().toStdString()))
        source.stage = *stage;
    source.head = m_head->value() - 1;
    source.first = m_vectors[0]->value() - 1;
    source.second = m_vectors[1]->value() - 1;
    source.ownPlane = m_plane->currentIndex() == 1;
    source.axisX = m_axes[0]->value() - 1;
    source.axisY = m_axes[1]->value() - 1;
    emit chosen(source);
}

} // namespace attn
