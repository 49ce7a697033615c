#include "views/masks/MaskControls.h"

#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "render/MasksScene.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/WrapLayout.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr Stage paintedMasks[] = {Stage::MaskBool, Stage::MaskAdd, Stage::MaskPadding};
/// The value of a window box that means "no limit".
constexpr int windowWithoutLimit = -1;
constexpr int farthestOffset = 1'000'000;
constexpr int numberBoxWidth = 72; ///< for five digits; the farthest numbers are scrolled to

QSpinBox *windowBox(const QString &name, QWidget *parent)
{
    auto *box = new LimitedSpinBox(parent);
    box->setRange(windowWithoutLimit, farthestOffset);
    box->setMaximumWidth(numberBoxWidth);
    box->setSpecialValueText(QStringLiteral("∞"));
    box->setKeyboardTracking(false);
    box->setAccessibleName(name);
    box->setToolTip(name);
    return box;
}

} // namespace

MaskControls::MaskControls(QWidget *parent)
    : QWidget(parent)
    , m_mask(new QComboBox(this))
    , m_ink(new QComboBox(this))
    , m_number(new QLineEdit(this))
    , m_scope(new QComboBox(this))
    , m_rectangles(new QCheckBox(tr("&Rectangles"), this))
    , m_stamp(new QComboBox(this))
    , m_stampSize(new LimitedSpinBox(this))
    , m_causal(new QCheckBox(tr("&Causal"), this))
    , m_window(new QCheckBox(tr("&Window"), this))
    , m_windowLeft(windowBox(tr("Window, keys to the left"), this))
    , m_windowRight(windowBox(tr("Window, keys to the right"), this))
    , m_offset(new LimitedSpinBox(this))
    , m_convention(new QComboBox(this))
    , m_against(new QComboBox(this))
    , m_head(new QComboBox(this))
{
    auto *row = new WrapLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    buildBrush(row);
    buildPatterns(row);
    buildParts(row);
    buildComparison(row);
}

void MaskControls::addLabelled(WrapLayout *row, const QString &text, QWidget *field)
{
    auto *label = new QLabel(text, this);
    label->setBuddy(field);
    auto *pair = new QHBoxLayout;
    pair->setSpacing(4);
    pair->addWidget(label);
    pair->addWidget(field);
    row->addLayout(pair);
}

void MaskControls::addAction(WrapLayout *row, const QString &id, const QString &text,
                             const QString &shortText, const QString &tip, void (MaskControls::*signal)())
{
    auto *action = new QAction(text, this);
    action->setIconText(shortText);
    action->setToolTip(tip);
    action->setObjectName(id);
    connect(action, &QAction::triggered, this, signal);
    auto *button = new QToolButton(this);
    button->setFocusPolicy(Qt::TabFocus);
    button->setDefaultAction(action);
    row->addWidget(button);
}

void MaskControls::buildBrush(WrapLayout *row)
{
    m_head->setAccessibleName(tr("Head"));
    row->addWidget(m_head);
    m_mask->addItems({tr("boolean mask"), tr("additive mask"), tr("padding of keys")});
    addLabelled(row, tr("&Paint:"), m_mask);
    m_ink->addItems({tr("drop"), tr("keep"), tr("a number")});
    m_ink->setToolTip(
        tr("Left button: this. Right button, or Ctrl: the opposite. Keys: Space toggles, K keeps, D drops"));
    addLabelled(row, tr("&Brush:"), m_ink);
    m_number->setMaximumWidth(72);
    m_number->setAccessibleName(tr("Number to paint into the additive mask"));
    m_number->setToolTip(m_number->accessibleName());
    row->addWidget(m_number);
    m_scope->addItems({tr("in all heads"), tr("in this head")});
    m_scope->setAccessibleName(tr("Heads that are painted"));
    row->addWidget(m_scope);
    m_rectangles->setToolTip(tr("Strokes paint whole rectangles, as they do with Shift"));
    row->addWidget(m_rectangles);
    connect(m_mask, &QComboBox::activated, this, [this](int index) {
        choose([index](MaskChoice &choice) { choice.mask = paintedMasks[index]; });
    });
    connect(m_ink, &QComboBox::activated, this, [this](int index) {
        choose([index](MaskChoice &choice) {
            choice.ink = static_cast<MaskChoice::Ink>(index);
            if (choice.ink == MaskChoice::Ink::Number)
                choice.mask = Stage::MaskAdd;
        });
    });
    connect(m_number, &QLineEdit::editingFinished, this, &MaskControls::readNumber);
    connect(m_scope, &QComboBox::activated, this,
            [this](int index) { choose([index](MaskChoice &choice) { choice.allHeads = index == 0; }); });
    connect(m_rectangles, &QCheckBox::clicked, this,
            [this](bool on) { choose([on](MaskChoice &choice) { choice.rectangles = on; }); });
}

void MaskControls::buildPatterns(WrapLayout *row)
{
    m_stamp->addItems({tr("keep everything"), tr("drop everything"), tr("causal"), tr("prefix, then causal"),
                       tr("blocks of"), tr("band, each side")});
    m_stamp->setToolTip(tr("prefix: the first keys for everybody, then causal\nblocks: of so many keys\n"
                           "band: so many keys to each side"));
    addLabelled(row, tr("Pa&ttern:"), m_stamp);
    m_stampSize->setRange(0, farthestOffset);
    m_stampSize->setMaximumWidth(numberBoxWidth);
    m_stampSize->setAccessibleName(tr("Size of the pattern in keys"));
    m_stampSize->setToolTip(m_stampSize->accessibleName());
    row->addWidget(m_stampSize);
    addAction(row, QStringLiteral("masks.stamp"), tr("&Stamp the pattern into the boolean mask"), tr("Stamp"),
              tr("Write the pattern into the boolean mask"), &MaskControls::stampWanted);
    addAction(row, QStringLiteral("masks.invert"), tr("In&vert the boolean mask"), tr("Invert"),
              tr("Swap 0 and 1 in the boolean mask: turns “true = drop” into “true = keep”"),
              &MaskControls::invertWanted);
    addAction(row, QStringLiteral("masks.toAdditive"), tr("Turn the boolean mask into an &additive one"),
              tr("To −∞"),
              tr("Write −∞ into the additive mask where the boolean mask hides, and remove that"),
              &MaskControls::additiveWanted);
    addAction(row, QStringLiteral("masks.toBoolean"), tr("Turn −∞ of the additive mask into a &boolean one"),
              tr("To 0/1"), tr("Write 0 into the boolean mask where the additive mask is −∞"),
              &MaskControls::booleanWanted);
    m_convention->addItems({tr("keep"), tr("drop")});
    m_convention->setToolTip(keepConventionText() + QLatin1Char('\n') + dropConventionText());
    addLabelled(row, tr("tr&ue ="), m_convention);
    connect(m_stamp, &QComboBox::activated, this, [this](int index) {
        choose([index](MaskChoice &choice) { choice.stamp.kind = static_cast<MaskStamp::Kind>(index); });
    });
    connect(m_stampSize, &QSpinBox::valueChanged, this,
            [this](int size) { choose([size](MaskChoice &choice) { choice.stamp.size = size; }); });
}

void MaskControls::buildParts(WrapLayout *row)
{
    row->addWidget(m_causal);
    auto *window = new QHBoxLayout;
    window->setSpacing(4);
    for (QWidget *field : {static_cast<QWidget *>(m_window), static_cast<QWidget *>(m_windowLeft),
                           static_cast<QWidget *>(m_windowRight)})
        window->addWidget(field);
    row->addLayout(window);
    m_offset->setRange(-farthestOffset, farthestOffset);
    m_offset->setMaximumWidth(numberBoxWidth);
    m_offset->setKeyboardTracking(false);
    m_offset->setToolTip(tr("Position of the first query among the keys"));
    addLabelled(row, tr("&Offset:"), m_offset);
    connect(m_causal, &QCheckBox::clicked, this, [this](bool on) {
        emit editWanted(SetCausal{on}, on ? tr("Turn causal mask on") : tr("Turn causal mask off"));
    });
    connect(m_window, &QCheckBox::clicked, this, &MaskControls::applyWindow);
    connect(m_windowLeft, &QSpinBox::valueChanged, this, &MaskControls::applyWindow);
    connect(m_windowRight, &QSpinBox::valueChanged, this, &MaskControls::applyWindow);
    connect(m_offset, &QSpinBox::valueChanged, this, [this](int offset) {
        if (!m_isRefreshing)
            emit editWanted(SetQOffset{offset}, tr("Set query offset %1").arg(offset));
    });
}

void MaskControls::buildComparison(WrapLayout *row)
{
    m_against->addItems({tr("no mask"), tr("the mask as opened"), tr("the kept mask")});
    for (int part = 0; part < maskPartCount; ++part)
        m_against->addItem(tr("all but %1").arg(maskPartName(static_cast<MaskPart>(part))));
    addLabelled(row, tr("Compare wit&h:"), m_against);
    addAction(row, QStringLiteral("masks.keep"), tr("&Keep this mask to compare with"), tr("Keep mask"),
              tr("What the mask is now is what later ones are compared with"), &MaskControls::keepWanted);
    connect(m_against, &QComboBox::activated, this, [this](int index) {
        choose([index](MaskChoice &choice) {
            const int part = index - static_cast<int>(MaskChoice::Against::WithoutPart);
            choice.against =
                part < 0 ? static_cast<MaskChoice::Against>(index) : MaskChoice::Against::WithoutPart;
            choice.part = static_cast<MaskPart>(std::max(part, 0));
        });
    });
    connect(m_convention, &QComboBox::activated, this,
            [this](int index) { choose([index](MaskChoice &choice) { choice.trueIsDrop = index == 1; }); });
    connect(m_head, &QComboBox::activated, this, &MaskControls::headChosen);
}

void MaskControls::choose(const std::function<void(MaskChoice &)> &change)
{
    if (m_isRefreshing)
        return;
    MaskChoice next = m_choice;
    change(next);
    emit chosen(next);
}

void MaskControls::applyWindow()
{
    if (m_isRefreshing)
        return;
    const auto limit = [](const QSpinBox *box) {
        return box->value() == windowWithoutLimit ? std::nullopt : std::optional<Index>(box->value());
    };
    if (m_window->isChecked())
        emit editWanted(SetWindow{Window{limit(m_windowLeft), limit(m_windowRight)}},
                        tr("Set attention window"));
    else
        emit editWanted(SetWindow{std::nullopt}, tr("Remove attention window"));
}

void MaskControls::readNumber()
{
    const std::optional<double> number = parseNumber(m_number->text().toStdString());
    if (!number || std::isnan(*number)) {
        m_number->setText(QString::fromStdString(shortestText(m_choice.number)));
        return;
    }
    choose([&](MaskChoice &choice) { choice.number = *number; });
}

void MaskControls::show(const MaskChoice &choice, const Experiment &experiment, Index head)
{
    m_choice = choice;
    m_isRefreshing = true;
    const auto *mask = std::find(std::begin(paintedMasks), std::end(paintedMasks), choice.mask);
    m_mask->setCurrentIndex(static_cast<int>(mask - std::begin(paintedMasks)));
    m_ink->setCurrentIndex(static_cast<int>(choice.ink));
    if (!m_number->hasFocus())
        m_number->setText(QString::fromStdString(shortestText(choice.number)));
    m_number->setEnabled(choice.ink == MaskChoice::Ink::Number);
    m_scope->setCurrentIndex(choice.allHeads ? 0 : 1);
    m_rectangles->setChecked(choice.rectangles);
    m_stamp->setCurrentIndex(static_cast<int>(choice.stamp.kind));
    m_stampSize->setValue(toInt(choice.stamp.size));
    m_stampSize->setEnabled(choice.stamp.hasSize());
    m_convention->setCurrentIndex(choice.trueIsDrop ? 1 : 0);
    const int part = choice.against == MaskChoice::Against::WithoutPart ? static_cast<int>(choice.part) : 0;
    m_against->setCurrentIndex(static_cast<int>(choice.against) + part);
    showParts(experiment, head);
    m_isRefreshing = false;
}

void MaskControls::showParts(const Experiment &experiment, Index head)
{
    m_causal->setChecked(experiment.causal);
    m_window->setChecked(experiment.window.has_value());
    const Window window = experiment.window.value_or(Window{1, 1});
    m_windowLeft->setValue(window.left ? toInt(*window.left) : windowWithoutLimit);
    m_windowRight->setValue(window.right ? toInt(*window.right) : windowWithoutLimit);
    m_windowLeft->setEnabled(experiment.window.has_value());
    m_windowRight->setEnabled(experiment.window.has_value());
    m_offset->setValue(toInt(experiment.qOffset));
    const int heads = toInt(experiment.nHeads);
    if (m_head->count() != heads) {
        m_head->clear();
        for (int i = 1; i <= heads; ++i)
            m_head->addItem(tr("head %1").arg(i));
    }
    m_head->setCurrentIndex(std::clamp(toInt(head), 0, heads - 1));
    m_head->setEnabled(heads > 1);
    m_scope->setEnabled(heads > 1);
}

} // namespace attn
