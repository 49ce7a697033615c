#include "dialogs/ImportTensorPanel.h"

#include "dialogs/ImportPreview.h"
#include "dialogs/ImportTexts.h"
#include "io/ImportArrange.h"
#include "io/ImportAxes.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>

namespace attn {

namespace {

constexpr int notUsed = -1;
constexpr int mostAxes = 5;
/// Larger tensors are not loaded for a preview.
constexpr std::int64_t largestPreview = std::int64_t(1) << 24;

} // namespace

ImportTensorPanel::ImportTensorPanel(std::shared_ptr<const TensorFile> file, QWidget *parent)
    : QWidget(parent)
    , m_file(std::move(file))
    , m_name(new QLabel(this))
    , m_stage(new QComboBox(this))
    , m_axesLayout(new QHBoxLayout)
    , m_transposed(new QCheckBox(tr("S&tored transposed (out × in)"), this))
    , m_reference(new QCheckBox(tr("Only to com&pare with"), this))
    , m_previewTitle(new QLabel(this))
    , m_preview(new ImportPreview(this))
{
    buildForm();
    connect(m_stage, &QComboBox::currentIndexChanged, this, &ImportTensorPanel::onStageChosen);
    for (QComboBox *axis : m_axes)
        connect(axis, &QComboBox::currentIndexChanged, this, &ImportTensorPanel::onDetailChanged);
    connect(m_transposed, &QCheckBox::toggled, this, &ImportTensorPanel::onDetailChanged);
    connect(m_reference, &QCheckBox::toggled, this, &ImportTensorPanel::onDetailChanged);
}

void ImportTensorPanel::buildForm()
{
    m_name->setTextFormat(Qt::PlainText);
    m_name->setWordWrap(true);
    m_stage->addItem(tr("not used"), notUsed);
    for (const Stage stage : importableStages())
        m_stage->addItem(importStageText(stage), static_cast<int>(stage));
    m_stage->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_stage->setMinimumContentsLength(16);
    for (int i = 0; i < mostAxes; ++i) {
        auto *axis = new QComboBox(this);
        for (const AxisRole role : {AxisRole::Layer, AxisRole::Batch, AxisRole::Head, AxisRole::Row,
                                    AxisRole::Col, AxisRole::Unknown})
            axis->addItem(axisRoleText(role), static_cast<int>(role));
        m_axes.push_back(axis);
        m_axesLayout->addWidget(axis);
    }
    m_axesLayout->addStretch();
    m_reference->setToolTip(
        tr("A result that belongs to the inputs in the file: shown beside what is computed."));
    m_preview->setMinimumHeight(m_preview->fontMetrics().lineSpacing() * 10);
    m_previewTitle->setWordWrap(true);
    m_previewTitle->setTextFormat(Qt::PlainText);

    auto *form = new QFormLayout;
    form->addRow(tr("Tensor:"), m_name);
    form->addRow(tr("&Used as:"), m_stage);
    auto *axesLabel = new QLabel(tr("&Axes:"), this);
    axesLabel->setBuddy(m_axes.front());
    form->addRow(axesLabel, m_axesLayout);
    form->addRow(QString(), m_transposed);
    form->addRow(QString(), m_reference);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addLayout(form);
    layout->addWidget(m_previewTitle);
    layout->addWidget(m_preview, 1);
}

void ImportTensorPanel::showSlot(const ImportPlan &plan, int slot)
{
    const bool isSame = m_slot.tensor == plan.tensors[static_cast<std::size_t>(slot)].tensor;
    m_plan = plan;
    m_slot = plan.tensors[static_cast<std::size_t>(slot)];
    if (!isSame)
        m_loaded.reset();
    const QSignalBlocker blocker(this);
    m_isFilling = true;
    m_name->setText(QString::fromStdString(m_slot.tensor));
    m_stage->setCurrentIndex(m_stage->findData(m_slot.stage ? static_cast<int>(*m_slot.stage) : notUsed));
    m_transposed->setChecked(m_slot.transposed);
    m_reference->setChecked(m_slot.isReference);
    showAxes();
    m_isFilling = false;
    showPreview();
}

void ImportTensorPanel::showAxes()
{
    const auto index = m_file->find(m_slot.tensor);
    const std::size_t count = m_slot.axes.size();
    for (std::size_t i = 0; i < m_axes.size(); ++i) {
        m_axes[i]->setVisible(i < count);
        m_axes[i]->setEnabled(m_slot.stage.has_value());
        if (i >= count || !index)
            continue;
        m_axes[i]->setCurrentIndex(m_axes[i]->findData(static_cast<int>(m_slot.axes[i])));
        m_axes[i]->setAccessibleName(
            tr("Axis %1 of length %2").arg(i).arg(m_file->entries()[*index].shape[i]));
        m_axes[i]->setToolTip(m_axes[i]->accessibleName());
    }
    m_transposed->setEnabled(m_slot.stage && count >= 2);
    m_reference->setEnabled(m_slot.stage && stageInfo(*m_slot.stage).kind == StageKind::Computed);
}

/// Another stage has other axes: they are guessed again.
void ImportTensorPanel::onStageChosen()
{
    if (m_isFilling)
        return;
    const int chosen = m_stage->currentData().toInt();
    m_slot.stage = chosen == notUsed ? std::nullopt : std::optional(static_cast<Stage>(chosen));
    const auto index = m_file->find(m_slot.tensor);
    if (m_slot.stage && index && !m_slot.columns) {
        AxisContext context;
        context.nHeads = m_plan.nHeads;
        context.nKvHeads = m_plan.nKvHeads;
        if (m_plan.batchCount > 1)
            context.batch = m_plan.batchCount;
        if (m_plan.layerCount > 1 && m_plan.layerNames.empty())
            context.leadingAxis = AxisRole::Layer;
        m_slot.axes = guessAxes(*m_slot.stage, m_file->entries()[*index].shape, context).axes;
    }
    emit stageChosen();
}

void ImportTensorPanel::onDetailChanged()
{
    if (m_isFilling)
        return;
    for (std::size_t i = 0; i < m_slot.axes.size() && i < m_axes.size(); ++i)
        m_slot.axes[i] = static_cast<AxisRole>(m_axes[i]->currentData().toInt());
    m_slot.transposed = m_transposed->isChecked();
    m_slot.isReference = m_reference->isChecked();
    showPreview();
    emit slotChanged();
}

void ImportTensorPanel::showPreview()
{
    const QString problem = previewProblem();
    if (problem.isEmpty())
        return;
    m_preview->clear();
    m_previewTitle->setText(problem);
}

/// Fills the preview; else says why there is none.
QString ImportTensorPanel::previewProblem()
{
    if (!m_slot.stage)
        return tr("Not used: no preview.");
    const auto index = m_file->find(m_slot.tensor);
    if (!index)
        return tr("There is no such tensor.");
    if (!m_loaded) {
        double numbers = 1.0;
        for (const std::int64_t length : m_file->entries()[*index].shape)
            numbers *= static_cast<double>(length);
        if (numbers > static_cast<double>(largestPreview))
            return tr("Too large for a preview.");
        auto tensor = m_file->load(*index);
        if (!tensor)
            return QString::fromStdString(tensor.error().message);
        m_loaded = std::make_shared<const FileTensor>(std::move(*tensor));
    }
    const auto matrix =
        arrangedTensor(*m_loaded, m_slot, *m_slot.stage, m_plan.layer, m_plan.batch, -HUGE_VAL);
    if (!matrix)
        return QString::fromStdString(matrix.error().message);
    m_preview->setMatrix(*matrix, *m_slot.stage, m_plan);
    const QString shape = QString::fromStdString(shapeText(matrix->shape()));
    m_previewTitle->setText(
        matrix->heads() > ImportPreview::mostHeads
            ? tr("Preview of %1, the first %2 heads:").arg(shape).arg(ImportPreview::mostHeads)
            : tr("Preview of %1:").arg(shape));
    return {};
}

} // namespace attn
