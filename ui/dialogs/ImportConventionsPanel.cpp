#include "dialogs/ImportConventionsPanel.h"

#include "base/NumberText.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QSpinBox>

#include <algorithm>

namespace attn {

namespace {

constexpr int largestCount = 1'000'000;

enum RotaryChoice
{
    NoRotary,
    InterleavedRotary,
    HalfRotary,
};

int spinValue(Index value)
{
    return static_cast<int>(std::clamp<Index>(value, -largestCount, largestCount));
}

} // namespace

ImportConventionsPanel::ImportConventionsPanel(QWidget *parent)
    : QWidget(parent)
    , m_layer(new QComboBox(this))
    , m_batch(new QSpinBox(this))
    , m_heads(new QSpinBox(this))
    , m_kvHeads(new QSpinBox(this))
    , m_scale(new QLineEdit(this))
    , m_scoresAreScaled(new QCheckBox(tr("Scores in the file are already scale&d"), this))
    , m_mask(new QComboBox(this))
    , m_causal(new QCheckBox(tr("Causal: a query sees &no later key"), this))
    , m_offset(new QSpinBox(this))
    , m_rotary(new QComboBox(this))
    , m_rotaryBase(new QLineEdit(this))
    , m_rotaryDim(new QSpinBox(this))
    , m_precision(new QComboBox(this))
{
    buildForm();
    connectAll();
}

void ImportConventionsPanel::addSpin(QFormLayout *form, const QString &label, QSpinBox *box, int minimum,
                                     const QString &special)
{
    box->setRange(minimum, largestCount);
    box->setSpecialValueText(special);
    box->setFocusPolicy(Qt::StrongFocus);
    form->addRow(label, box);
}

void ImportConventionsPanel::buildForm()
{
    m_scale->setPlaceholderText(tr("1/√d_k"));
    m_scale->setToolTip(
        tr("Factor between scores and scaled scores; empty: one over the root of the head width."));
    m_mask->addItem(tr("true = may attend"), static_cast<int>(ImportPlan::MaskMeaning::Keep));
    m_mask->addItem(tr("true = hidden"), static_cast<int>(ImportPlan::MaskMeaning::Drop));
    m_mask->addItem(tr("numbers added to the scores"), static_cast<int>(ImportPlan::MaskMeaning::Add));
    m_rotary->addItem(tr("none"), NoRotary);
    m_rotary->addItem(tr("neighbours (0, 1), (2, 3) …"), InterleavedRotary);
    m_rotary->addItem(tr("halves (0, d/2), (1, d/2+1) …"), HalfRotary);
    m_layer->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layer->setMinimumContentsLength(12);
    m_rotary->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rotary->setMinimumContentsLength(12);
    auto *form = new QFormLayout(this);
    form->setContentsMargins({});
    form->addRow(tr("La&yer:"), m_layer);
    addSpin(form, tr("&Batch entry:"), m_batch, 0, {});
    addSpin(form, tr("&Heads:"), m_heads, 0, tr("from the shapes"));
    addSpin(form, tr("&Key/value heads:"), m_kvHeads, 0, tr("from the shapes"));
    form->addRow(tr("S&cale:"), m_scale);
    form->addRow(m_scoresAreScaled);
    form->addRow(tr("&Mask:"), m_mask);
    form->addRow(m_causal);
    addSpin(form, tr("Position of the first &query:"), m_offset, -largestCount, {});
    form->addRow(tr("&Rotary positions:"), m_rotary);
    form->addRow(tr("Rotary ba&se:"), m_rotaryBase);
    addSpin(form, tr("R&otated columns:"), m_rotaryDim, 0, tr("all"));
    m_rotaryDim->setSingleStep(2);
    m_precision->addItem(tr("float64"), static_cast<int>(Precision::Float64));
    m_precision->addItem(tr("float32 (half the memory)"), static_cast<int>(Precision::Float32));
    m_precision->setToolTip(tr("The numbers of the file keep their own type; this is for what is computed."));
    form->addRow(tr("E&valuate in:"), m_precision);
}

void ImportConventionsPanel::connectAll()
{
    const auto report = [this] {
        const bool isRotary = m_rotary->currentData().toInt() != NoRotary;
        m_rotaryBase->setEnabled(isRotary);
        m_rotaryDim->setEnabled(isRotary);
        if (!m_isFilling)
            emit changed();
    };
    for (QComboBox *box : {m_layer, m_mask, m_rotary, m_precision})
        connect(box, &QComboBox::currentIndexChanged, this, report);
    for (QSpinBox *box : {m_batch, m_heads, m_kvHeads, m_offset, m_rotaryDim})
        connect(box, &QSpinBox::valueChanged, this, report);
    for (QCheckBox *box : {m_scoresAreScaled, m_causal})
        connect(box, &QCheckBox::toggled, this, report);
    for (QLineEdit *edit : {m_scale, m_rotaryBase})
        connect(edit, &QLineEdit::textChanged, this, report);
}

void ImportConventionsPanel::setPlan(const ImportPlan &plan)
{
    m_isFilling = true;
    m_layer->clear();
    for (Index i = 0; i < std::clamp<Index>(plan.layerCount, 1, largestCount); ++i)
        m_layer->addItem(plan.layerNames.empty()
                             ? QString::number(i)
                             : QString::fromStdString(plan.layerNames[static_cast<std::size_t>(i)]));
    m_layer->setCurrentIndex(spinValue(plan.layer));
    m_layer->setEnabled(plan.layerCount > 1);
    m_batch->setMaximum(spinValue(plan.batchCount - 1));
    m_batch->setValue(spinValue(plan.batch));
    m_batch->setEnabled(plan.batchCount > 1);
    m_heads->setValue(spinValue(plan.nHeads.value_or(0)));
    m_kvHeads->setValue(spinValue(plan.nKvHeads.value_or(0)));
    m_scale->setText(plan.scale ? QString::fromStdString(shortestText(*plan.scale)) : QString());
    m_scoresAreScaled->setChecked(plan.scoresAreScaled);
    m_mask->setCurrentIndex(m_mask->findData(static_cast<int>(plan.maskMeaning)));
    m_causal->setChecked(plan.causal);
    m_precision->setCurrentIndex(m_precision->findData(static_cast<int>(plan.precision)));
    m_offset->setValue(spinValue(plan.qOffset.value_or(0)));
    const bool isHalf = plan.rotary && plan.rotary->pairing == Rotary::Pairing::Half;
    m_rotary->setCurrentIndex(m_rotary->findData(!plan.rotary ? NoRotary
                                                 : isHalf     ? HalfRotary
                                                              : InterleavedRotary));
    const Rotary rotary = plan.rotary.value_or(Rotary{});
    m_rotaryBase->setText(QString::fromStdString(shortestText(rotary.base)));
    m_rotaryDim->setValue(spinValue(rotary.rotDim.value_or(0)));
    m_rotaryBase->setEnabled(plan.rotary.has_value());
    m_rotaryDim->setEnabled(plan.rotary.has_value());
    m_isFilling = false;
}

void ImportConventionsPanel::applyTo(ImportPlan &plan) const
{
    const auto optionalCount = [](const QSpinBox *box) {
        return box->value() > 0 ? std::optional<Index>(box->value()) : std::nullopt;
    };
    plan.layer = std::max(m_layer->currentIndex(), 0);
    plan.batch = m_batch->value();
    plan.nHeads = optionalCount(m_heads);
    plan.nKvHeads = optionalCount(m_kvHeads);
    if (m_scale->text().trimmed().isEmpty())
        plan.scale = std::nullopt;
    else if (const auto scale = parseNumber(m_scale->text().toStdString()))
        plan.scale = scale;
    plan.scoresAreScaled = m_scoresAreScaled->isChecked();
    plan.maskMeaning = static_cast<ImportPlan::MaskMeaning>(m_mask->currentData().toInt());
    plan.causal = m_causal->isChecked();
    plan.precision = static_cast<Precision>(m_precision->currentData().toInt());
    plan.qOffset = m_offset->value();
    const int choice = m_rotary->currentData().toInt();
    if (choice == NoRotary) {
        plan.rotary = std::nullopt;
        return;
    }
    Rotary rotary = plan.rotary.value_or(Rotary{});
    rotary.pairing = choice == HalfRotary ? Rotary::Pairing::Half : Rotary::Pairing::Interleaved;
    if (const auto base = parseNumber(m_rotaryBase->text().toStdString()); base && *base > 0.0)
        rotary.base = *base;
    rotary.rotDim = optionalCount(m_rotaryDim);
    plan.rotary = rotary;
}

QString ImportConventionsPanel::problem() const
{
    const QString scale = m_scale->text().trimmed();
    if (!scale.isEmpty() && !parseNumber(scale.toStdString()))
        return tr("Scale: “%1” is not a number.").arg(scale);
    const auto base = parseNumber(m_rotaryBase->text().toStdString());
    if (m_rotary->currentData().toInt() != NoRotary && (!base || !(*base > 0.0)))
        return tr("Rotary base: “%1” is not a positive number.").arg(m_rotaryBase->text());
    return {};
}

} // namespace attn
