#include "views/ExperimentPanel.h"

#include "ExperimentController.h"
#include "Workbench.h"
#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "render/ColorMap.h"
#include "widgets/LimitedSpinBox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSpinBox>

namespace attn {

namespace {

/// The value of a window spin box that means "no limit".
constexpr int noLimit = -1;

QSpinBox *spinBox(int least, int most, const QString &name)
{
    auto *box = new LimitedSpinBox;
    box->setRange(least, most);
    box->setKeyboardTracking(false);
    box->setAccessibleName(name);
    box->setFocusPolicy(Qt::StrongFocus);
    return box;
}

QSpinBox *limitBox(const QString &name)
{
    QSpinBox *box = spinBox(noLimit, 1'000'000, name);
    box->setSpecialValueText(QStringLiteral("∞"));
    return box;
}

void addHeading(QFormLayout *form, const QString &text)
{
    auto *heading = new QLabel(text);
    QFont font = heading->font();
    font.setBold(true);
    heading->setFont(font);
    heading->setContentsMargins(0, form->rowCount() > 0 ? 8 : 0, 0, 0);
    form->addRow(heading);
}

/// A combo box that may become narrower than its longest text.
QComboBox *narrowBox(const QStringList &texts)
{
    auto *box = new QComboBox;
    box->addItems(texts);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    return box;
}

QString numberText(double value)
{
    return QString::fromStdString(shortestText(value));
}

} // namespace

ExperimentPanel::ExperimentPanel(Workbench *workbench, ExperimentController *controller, QWidget *parent)
    : QScrollArea(parent)
    , m_workbench(workbench)
    , m_controller(controller)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget;
    auto *form = new QFormLayout(content);
    form->setContentsMargins(8, 8, 8, 8);
    form->setRowWrapPolicy(QFormLayout::DontWrapRows);
    addHeadFields(form);
    addScaleFields(form);
    addMaskFields(form);
    addRotaryFields(form);
    addDisplayFields(form);
    addRangeFields(form);
    setWidget(content);
    connect(workbench->document(), &Document::changed, this, &ExperimentPanel::refreshExperiment);
    connect(workbench, &Workbench::viewStateChanged, this, &ExperimentPanel::refreshDisplay);
}

void ExperimentPanel::addHeadFields(QFormLayout *form)
{
    addHeading(form, tr("Attention"));
    m_heads = spinBox(1, 1024, tr("Heads"));
    m_kvHeads = spinBox(1, 1024, tr("Key/value heads"));
    connect(m_heads, &QSpinBox::valueChanged, this, &ExperimentPanel::applyHeads);
    connect(m_kvHeads, &QSpinBox::valueChanged, this, &ExperimentPanel::applyHeads);
    form->addRow(tr("Heads"), m_heads);
    form->addRow(tr("Key/value heads"), m_kvHeads);
    m_precision = narrowBox({QStringLiteral("float64"), QStringLiteral("float32")});
    connect(m_precision, &QComboBox::activated, this, [this](int index) {
        m_controller->setPrecision(index == 1 ? Precision::Float32 : Precision::Float64);
    });
    form->addRow(tr("Precision"), m_precision);
}

void ExperimentPanel::addScaleFields(QFormLayout *form)
{
    m_scale = narrowBox({tr("1/√d_k"), tr("none"), tr("number")});
    m_scaleNumber = new QLineEdit;
    m_scaleNumber->setAccessibleName(tr("Scale, number"));
    connect(m_scale, &QComboBox::activated, this, &ExperimentPanel::applyScale);
    connect(m_scaleNumber, &QLineEdit::editingFinished, this, [this] {
        if (m_scaleNumber->isModified())
            applyScale();
    });
    form->addRow(tr("Scale"), m_scale);
    form->addRow(QString(), m_scaleNumber);
}

void ExperimentPanel::addMaskFields(QFormLayout *form)
{
    addHeading(form, tr("Mask"));
    m_causal = new QCheckBox(tr("Causal"));
    connect(m_causal, &QCheckBox::clicked, m_controller, &ExperimentController::setCausal);
    m_window = new QCheckBox(tr("Window"));
    m_windowLeft = limitBox(tr("Window, keys to the left"));
    m_windowRight = limitBox(tr("Window, keys to the right"));
    connect(m_window, &QCheckBox::clicked, this, &ExperimentPanel::applyWindow);
    connect(m_windowLeft, &QSpinBox::valueChanged, this, &ExperimentPanel::applyWindow);
    connect(m_windowRight, &QSpinBox::valueChanged, this, &ExperimentPanel::applyWindow);
    form->addRow(m_causal);
    form->addRow(m_window);
    form->addRow(tr("    to the left"), m_windowLeft);
    form->addRow(tr("    to the right"), m_windowRight);
    const std::pair<Stage, QString> matrices[] = {{Stage::MaskPadding, tr("Padding of keys")},
                                                  {Stage::MaskBool, tr("Boolean matrix")},
                                                  {Stage::MaskAdd, tr("Additive matrix")},
                                                  {Stage::MaskAlibi, tr("ALiBi")}};
    for (const auto &[stage, text] : matrices) {
        auto *box = new QCheckBox(text);
        box->setToolTip(tr("Adds a matrix that hides nothing and selects it for editing"));
        const Stage mask = stage;
        connect(box, &QCheckBox::clicked, this,
                [this, mask](bool on) { m_controller->setMaskMatrix(mask, on); });
        form->addRow(box);
        m_maskMatrices.emplace_back(stage, box);
    }
    m_qOffset = spinBox(-1'000'000, 1'000'000, tr("Position of the first query"));
    connect(m_qOffset, &QSpinBox::valueChanged, this, [this](int offset) {
        if (!m_refreshing)
            m_controller->setQOffset(offset);
    });
    form->addRow(tr("Query offset"), m_qOffset);
}

void ExperimentPanel::addRotaryFields(QFormLayout *form)
{
    addHeading(form, tr("Rotary embedding"));
    m_rotary = narrowBox({tr("none"), tr("interleaved pairs"), tr("half pairs")});
    m_rotaryBase = new QLineEdit;
    m_rotaryDim = spinBox(0, 1'000'000, tr("Rotated dimensions"));
    m_rotaryDim->setSingleStep(2);
    m_rotaryDim->setSpecialValueText(tr("all"));
    connect(m_rotary, &QComboBox::activated, this, &ExperimentPanel::applyRotary);
    connect(m_rotaryBase, &QLineEdit::editingFinished, this, [this] {
        if (m_rotaryBase->isModified())
            applyRotary();
    });
    connect(m_rotaryDim, &QSpinBox::valueChanged, this, &ExperimentPanel::applyRotary);
    form->addRow(tr("Pairing"), m_rotary);
    form->addRow(tr("Base"), m_rotaryBase);
    form->addRow(tr("Dimensions"), m_rotaryDim);
}

void ExperimentPanel::addDisplayFields(QFormLayout *form)
{
    addHeading(form, tr("Display"));
    m_decimals = spinBox(0, 15, tr("Digits shown"));
    m_sequentialMap = narrowBox(ColorMap::names(ColorMap::Kind::Sequential));
    m_divergingMap = narrowBox(ColorMap::names(ColorMap::Kind::Diverging));
    m_pooling = narrowBox({tr("maximum"), tr("mean")});
    m_tileHeads = new QCheckBox(tr("Board shows all heads"));
    connect(m_decimals, &QSpinBox::valueChanged, this,
            [this](int digits) { changeView([digits](ViewState &state) { state.decimals = digits; }); });
    connect(m_sequentialMap, &QComboBox::activated, this, [this] {
        changeView([name = m_sequentialMap->currentText()](ViewState &state) { state.sequentialMap = name; });
    });
    connect(m_divergingMap, &QComboBox::activated, this, [this] {
        changeView([name = m_divergingMap->currentText()](ViewState &state) { state.divergingMap = name; });
    });
    connect(m_pooling, &QComboBox::activated, this, [this](int index) {
        changeView([index](ViewState &state) { state.pooling = index == 1 ? Pooling::Mean : Pooling::Max; });
    });
    connect(m_tileHeads, &QCheckBox::clicked, this,
            [this](bool on) { changeView([on](ViewState &state) { state.tileHeads = on; }); });
    form->addRow(tr("Digits"), m_decimals);
    form->addRow(tr("Weights"), m_sequentialMap);
    form->addRow(tr("Signed values"), m_divergingMap);
    form->addRow(tr("Large maps show"), m_pooling);
    form->addRow(m_tileHeads);
}

void ExperimentPanel::addRangeFields(QFormLayout *form)
{
    addHeading(form, tr("Colour range of the selected stage"));
    m_rangeMode = narrowBox({tr("automatic, shared by heads"), tr("automatic, per head"), tr("fixed")});
    m_rangeMinimum = new QLineEdit;
    m_rangeMaximum = new QLineEdit;
    connect(m_rangeMode, &QComboBox::activated, this, &ExperimentPanel::applyRange);
    for (QLineEdit *edit : {m_rangeMinimum, m_rangeMaximum})
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
            if (edit->isModified())
                applyRange();
        });
    form->addRow(tr("Range"), m_rangeMode);
    form->addRow(tr("From"), m_rangeMinimum);
    form->addRow(tr("To"), m_rangeMaximum);
}

template<typename Change>
void ExperimentPanel::changeView(Change change)
{
    if (m_refreshing)
        return;
    ViewState state = m_workbench->viewState();
    change(state);
    m_workbench->setViewState(std::move(state));
}

void ExperimentPanel::refreshExperiment()
{
    const QScopedValueRollback refreshing(m_refreshing, true);
    const Experiment &experiment = m_workbench->experiment();
    m_heads->setValue(toInt(experiment.nHeads));
    m_kvHeads->setValue(toInt(experiment.nKvHeads));
    m_precision->setCurrentIndex(experiment.precision == Precision::Float32 ? 1 : 0);
    m_scale->setCurrentIndex(!experiment.scale ? 0 : *experiment.scale == 1.0 ? 1 : 2);
    m_scaleNumber->setText(numberText(sizesOf(experiment).scale));
    m_causal->setChecked(experiment.causal);
    m_window->setChecked(experiment.window.has_value());
    const Window window = experiment.window.value_or(Window{1, 1});
    m_windowLeft->setValue(window.left ? toInt(*window.left) : noLimit);
    m_windowRight->setValue(window.right ? toInt(*window.right) : noLimit);
    m_windowLeft->setEnabled(experiment.window.has_value());
    m_windowRight->setEnabled(experiment.window.has_value());
    for (const auto &[stage, box] : m_maskMatrices)
        box->setChecked(experiment.isGiven(stage));
    m_qOffset->setValue(toInt(experiment.qOffset));
    const std::optional<Rotary> &rotary = experiment.rotary;
    m_rotary->setCurrentIndex(!rotary ? 0 : rotary->pairing == Rotary::Pairing::Interleaved ? 1 : 2);
    m_rotaryBase->setText(numberText(rotary.value_or(Rotary()).base));
    m_rotaryDim->setValue(rotary && rotary->rotDim ? toInt(*rotary->rotDim) : 0);
    m_rotaryBase->setEnabled(rotary.has_value());
    m_rotaryDim->setEnabled(rotary.has_value());
}

void ExperimentPanel::refreshDisplay()
{
    const QScopedValueRollback refreshing(m_refreshing, true);
    const ViewState &state = m_workbench->viewState();
    m_decimals->setValue(state.decimals);
    m_sequentialMap->setCurrentText(state.sequentialMap);
    m_divergingMap->setCurrentText(state.divergingMap);
    m_pooling->setCurrentIndex(state.pooling == Pooling::Mean ? 1 : 0);
    m_tileHeads->setChecked(state.tileHeads);
    const auto found = state.ranges.find(state.stage);
    const RangeChoice range = found == state.ranges.end() ? RangeChoice() : found->second;
    m_rangeMode->setCurrentIndex(range.mode == RangeChoice::Mode::Shared    ? 0
                                 : range.mode == RangeChoice::Mode::PerHead ? 1
                                                                            : 2);
    const bool isFixed = range.mode == RangeChoice::Mode::Fixed;
    m_rangeMinimum->setText(numberText(range.minimum));
    m_rangeMaximum->setText(numberText(range.maximum));
    m_rangeMinimum->setEnabled(isFixed);
    m_rangeMaximum->setEnabled(isFixed);
}

void ExperimentPanel::applyHeads()
{
    if (m_refreshing)
        return;
    const Index heads = m_heads->value();
    const Experiment &experiment = m_workbench->experiment();
    // Plain heads stay plain: the key/value heads follow unless queries are grouped already.
    const bool follows =
        experiment.nKvHeads == experiment.nHeads && m_kvHeads->value() == experiment.nKvHeads;
    m_controller->setHeads(heads, follows ? heads : m_kvHeads->value());
    refreshExperiment();
}

void ExperimentPanel::applyScale()
{
    if (m_refreshing)
        return;
    if (m_scale->currentIndex() == 0 && !m_scaleNumber->isModified()) {
        m_controller->setScale(std::nullopt);
    } else if (m_scale->currentIndex() == 1 && !m_scaleNumber->isModified()) {
        m_controller->setScale(1.0);
    } else if (const auto number = parseNumber(m_scaleNumber->text().toStdString())) {
        m_controller->setScale(number);
    } else {
        m_workbench->say(tr("“%1” is not a number; the scale stays.").arg(m_scaleNumber->text()));
    }
    refreshExperiment();
}

void ExperimentPanel::applyWindow()
{
    if (m_refreshing)
        return;
    const auto limit = [](const QSpinBox *box) -> std::optional<Index> {
        return box->value() == noLimit ? std::nullopt : std::optional<Index>(box->value());
    };
    if (m_window->isChecked())
        m_controller->setWindow(Window{limit(m_windowLeft), limit(m_windowRight)});
    else
        m_controller->setWindow(std::nullopt);
    refreshExperiment();
}

void ExperimentPanel::applyRotary()
{
    if (m_refreshing)
        return;
    const auto base = parseNumber(m_rotaryBase->text().toStdString());
    if (m_rotary->currentIndex() == 0) {
        m_controller->setRotary(std::nullopt);
    } else if (!base) {
        m_workbench->say(tr("“%1” is not a number; the base stays.").arg(m_rotaryBase->text()));
    } else {
        Rotary rotary;
        rotary.pairing = m_rotary->currentIndex() == 1 ? Rotary::Pairing::Interleaved : Rotary::Pairing::Half;
        rotary.base = *base;
        if (m_rotaryDim->value() > 0)
            rotary.rotDim = m_rotaryDim->value();
        m_controller->setRotary(rotary);
    }
    refreshExperiment();
}

void ExperimentPanel::applyRange()
{
    if (m_refreshing)
        return;
    RangeChoice range;
    const int mode = m_rangeMode->currentIndex();
    range.mode = mode == 0   ? RangeChoice::Mode::Shared
                 : mode == 1 ? RangeChoice::Mode::PerHead
                             : RangeChoice::Mode::Fixed;
    const auto minimum = parseNumber(m_rangeMinimum->text().toStdString());
    const auto maximum = parseNumber(m_rangeMaximum->text().toStdString());
    if (range.mode == RangeChoice::Mode::Fixed && (!minimum || !maximum || !(*minimum < *maximum)))
        m_workbench->say(tr("A fixed range needs two numbers, the smaller one first."));
    else {
        range.minimum = minimum.value_or(0.0);
        range.maximum = maximum.value_or(1.0);
        changeView([range](ViewState &state) { state.ranges[state.stage] = range; });
    }
    refreshDisplay();
}

} // namespace attn
