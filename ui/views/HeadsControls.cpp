#include "views/HeadsControls.h"

#include "base/CheckedInt.h"
#include "widgets/LimitedSpinBox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolBar>

#include <algorithm>

namespace attn {

HeadsControls::HeadsControls(QToolBar *bar)
    : QObject(bar)
    , m_bar(bar)
    , m_page(new QComboBox(bar))
    , m_head(new QComboBox(bar))
    , m_sharedRange(new QCheckBox(tr("&One colour range for all heads"), bar))
    , m_lengths(new QCheckBox(tr("&Weight × ‖v‖ beside it"), bar))
    , m_otherHeads(new QComboBox(bar))
    , m_offset(new LimitedSpinBox(bar))
    , m_delimiters(new QLineEdit(bar))
    , m_distance(new LimitedDoubleSpinBox(bar))
{
    m_page->addItems({tr("Grid"), tr("Cut"), tr("Single or several"), tr("Combine"), tr("Patterns")});
    addLabelled(tr("&Page:"), m_page, tr("What to look at in the heads"));
    connect(m_page, &QComboBox::activated, this, [this](int page) {
        change([page](HeadsSettings &settings) { settings.page = HeadsPage(page); });
    });
    m_headActions = addLabelled(tr("Hea&d:"), m_head, tr("The head in focus"));
    connect(m_head, &QComboBox::activated, this,
            [this] { emit headChosen(m_head->currentData().toLongLong()); });
    addGridControls();
    addPageControls();
}

QList<QAction *> HeadsControls::addLabelled(const QString &text, QWidget *field, const QString &tip)
{
    auto *label = new QLabel(text, m_bar);
    label->setBuddy(field);
    label->setContentsMargins(8, 0, 4, 0);
    field->setAccessibleName(QString(text).remove(u'&').remove(u':'));
    field->setToolTip(tip);
    return {m_bar->addWidget(label), m_bar->addWidget(field)};
}

void HeadsControls::addGridControls()
{
    m_gridActions = {m_bar->addWidget(m_sharedRange), m_bar->addWidget(m_lengths)};
    m_sharedRange->setToolTip(tr("Off: each head has a colour range of its own"));
    m_lengths->setToolTip(
        tr("What each weight takes along: shows heads that look at tokens which add nothing"));
    connect(m_sharedRange, &QCheckBox::clicked, this, &HeadsControls::sharedRangeChosen);
    connect(m_lengths, &QCheckBox::clicked, this,
            [this](bool on) { change([on](HeadsSettings &settings) { settings.withLengths = on; }); });
}

void HeadsControls::addPageControls()
{
    m_singleActions =
        addLabelled(tr("Cut &into:"), m_otherHeads, tr("Into how many heads the same matrices are cut"));
    connect(m_otherHeads, &QComboBox::activated, this, [this] {
        const Index heads = m_otherHeads->currentData().toLongLong();
        change([heads](HeadsSettings &settings) { settings.otherHeads = heads; });
    });
    m_offset->setRange(-9999, 9999);
    m_offset->setKeyboardTracking(false);
    m_patternActions =
        addLabelled(tr("O&ffset k:"), m_offset,
                    tr("How far back the offset pattern looks; a negative number looks ahead"));
    connect(m_offset, &QSpinBox::valueChanged, this, [this](int offset) {
        change([offset](HeadsSettings &settings) { settings.question.offset = offset; });
    });
    m_delimiters->setPlaceholderText(tr("punctuation and markers"));
    m_delimiters->setMaximumWidth(190);
    m_patternActions += addLabelled(tr("Deli&miters:"), m_delimiters,
                                    tr("Tokens that separate, with blanks between; empty: punctuation and "
                                       "markers such as [SEP]"));
    connect(m_delimiters, &QLineEdit::editingFinished, this, [this] {
        const std::vector<std::string> labels = delimiterLabelsOf(m_delimiters->text());
        if (labels != m_settings.question.delimiterLabels)
            change([labels](HeadsSettings &settings) { settings.question.delimiterLabels = labels; });
    });
    m_distance->setRange(0.0, 1.0);
    m_distance->setSingleStep(0.05);
    m_distance->setKeyboardTracking(false);
    m_patternActions +=
        addLabelled(tr("&Alike within:"), m_distance, tr("Largest distance of two heads of a group"));
    connect(m_distance, &QDoubleSpinBox::valueChanged, this, [this](double distance) {
        change([distance](HeadsSettings &settings) { settings.groupDistance = distance; });
    });
}

template<typename Change>
void HeadsControls::change(const Change &change)
{
    HeadsSettings settings = m_settings;
    change(settings);
    emit changed(settings);
}

void HeadsControls::fillHeads(const Offer &offer)
{
    const bool offersNone = m_settings.page == HeadsPage::Grid;
    const int wanted = offer.heads + (offersNone ? 1 : 0);
    if (m_head->count() != wanted || (m_head->itemData(0).toInt() < 0) != offersNone) {
        m_head->clear();
        if (offersNone)
            m_head->addItem(tr("no head"), -1);
        for (int head = 0; head < offer.heads; ++head)
            m_head->addItem(tr("head %1").arg(head + 1), head);
    }
    const int first = offersNone ? 1 : 0;
    m_head->setCurrentIndex(offersNone && !m_settings.isLarge ? 0 : toInt(offer.focus) + first);
}

void HeadsControls::show(const HeadsSettings &settings, const Offer &offer)
{
    m_settings = settings;
    const QSignalBlocker blockers[] = {QSignalBlocker(m_page),     QSignalBlocker(m_head),
                                       QSignalBlocker(m_offset),   QSignalBlocker(m_otherHeads),
                                       QSignalBlocker(m_distance), QSignalBlocker(m_delimiters)};
    m_page->setCurrentIndex(static_cast<int>(settings.page));
    fillHeads(offer);
    m_sharedRange->setChecked(offer.hasSharedRange);
    m_lengths->setChecked(settings.withLengths);
    m_otherHeads->clear();
    for (const Index heads : offer.headCounts)
        m_otherHeads->addItem(heads == 1 ? tr("one head") : tr("%1 heads").arg(heads),
                              static_cast<qlonglong>(heads));
    m_otherHeads->setCurrentIndex(
        std::max(0, m_otherHeads->findData(static_cast<qlonglong>(offer.otherHeads))));
    m_offset->setValue(toInt(settings.question.offset));
    if (!m_delimiters->hasFocus())
        m_delimiters->setText(delimiterText(settings.question.delimiterLabels));
    m_distance->setValue(settings.groupDistance);
    const auto showIf = [](const QList<QAction *> &actions, bool visible) {
        for (QAction *action : actions)
            action->setVisible(visible);
    };
    using Page = HeadsPage;
    showIf(m_headActions,
           settings.page == Page::Grid || settings.page == Page::Cut || settings.page == Page::Patterns);
    showIf(m_gridActions, settings.page == Page::Grid);
    showIf(m_singleActions, settings.page == Page::Single);
    showIf(m_patternActions, settings.page == Page::Patterns);
}

} // namespace attn
