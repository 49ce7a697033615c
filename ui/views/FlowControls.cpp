#include "views/FlowControls.h"

#include "base/CheckedInt.h"
#include "widgets/LimitedSpinBox.h"
#include "widgets/WrapLayout.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace attn {

namespace {

constexpr int charactersShown = 12; ///< characters

/// Names of any length in a box of one width.
void keepNarrow(QComboBox *box)
{
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(charactersShown);
}

} // namespace

FlowControls::FlowControls(QWidget *parent)
    : QWidget(parent)
    , m_picture(new QComboBox(this))
    , m_heads(new QToolButton(this))
    , m_headsMenu(new QMenu(this))
    , m_measure(new QComboBox(this))
    , m_toward(new QComboBox(this))
    , m_token(new QComboBox(this))
    , m_column(new QComboBox(this))
    , m_typed(new QLineEdit(this))
    , m_alone(new QComboBox(this))
    , m_aloneToken(new QComboBox(this))
    , m_mass(new LimitedSpinBox(this))
    , m_threshold(new LimitedDoubleSpinBox(this))
    , m_mostLinks(new LimitedSpinBox(this))
    , m_stacked(new QCheckBox(tr("A&bove each other"), this))
{
    auto *row = new WrapLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(6);
    buildShown(row);
    buildFilter(row);
}

QLabel *FlowControls::addLabelled(WrapLayout *row, const QString &text, QWidget *field)
{
    auto *label = new QLabel(text, this);
    label->setBuddy(field);
    auto *pair = new QHBoxLayout;
    pair->setSpacing(4);
    pair->addWidget(label);
    pair->addWidget(field);
    row->addLayout(pair);
    return label;
}

void FlowControls::buildShown(WrapLayout *row)
{
    m_picture->addItems({tr("token → token"), tr("features → query"), tr("features → key"),
                         tr("features → value"), tr("tokens → head output"), tr("tokens → head's share"),
                         tr("tokens → output row")});
    m_measure->addItems({tr("weight"), tr("weight × length of v"), tr("contribution"), tr("rollout")});
    m_toward->addItems(
        {tr("one output cell"), tr("an output column"), tr("a token's output row"), tr("numbers")});
    m_measure->setToolTip(tr("Rollout: half the weights, half the token itself; with several layers their "
                             "product would say what each token has become"));
    addLabelled(row, tr("Sho&w:"), m_picture);
    m_heads->setPopupMode(QToolButton::InstantPopup);
    m_heads->setMenu(m_headsMenu);
    m_heads->setFocusPolicy(Qt::StrongFocus);
    m_heads->setToolTip(tr("The heads that are shown: one, some or all"));
    row->addWidget(m_heads);
    m_measureLabel = addLabelled(row, tr("Wi&dth:"), m_measure);
    m_towardLabel = addLabelled(row, tr("to&ward:"), m_toward);
    m_tokenLabel = addLabelled(row, tr("&Token:"), m_token);
    m_column->setAccessibleName(tr("Output column"));
    row->addWidget(m_column);
    m_typed->setAccessibleName(tr("Direction: one number for each output column"));
    m_typed->setPlaceholderText(tr("0.3 0.5 0.1 …"));
    m_typed->setMinimumWidth(120);
    row->addWidget(m_typed);
    for (QComboBox *box : {m_token, m_column, m_aloneToken})
        keepNarrow(box);
    connect(m_picture, &QComboBox::activated, this, [this](int index) {
        choose([index](FlowChoice &choice) {
            choice.picture = static_cast<FlowChoice::Picture>(index);
            choice.alone = FlowChoice::Alone::None;
        });
    });
    connect(m_measure, &QComboBox::activated, this, [this](int index) {
        choose([index](FlowChoice &choice) { choice.measure = static_cast<FlowMeasure>(index); });
    });
    connect(m_toward, &QComboBox::activated, this, [this](int index) {
        choose([index](FlowChoice &choice) { choice.toward = static_cast<FlowChoice::Toward>(index); });
    });
    connect(m_token, &QComboBox::activated, this,
            [this](int index) { choose([index](FlowChoice &choice) { choice.token = index; }); });
    connect(m_column, &QComboBox::activated, this,
            [this](int index) { choose([index](FlowChoice &choice) { choice.column = index; }); });
    connect(m_typed, &QLineEdit::editingFinished, this,
            [this] { choose([this](FlowChoice &choice) { choice.typed = m_typed->text(); }); });
}

void FlowControls::buildFilter(WrapLayout *row)
{
    m_alone->addItems({tr("all together"), tr("one that gives"), tr("one that gets")});
    m_alone->setToolTip(tr("Pointing at a token shows it alone; a click keeps it so"));
    addLabelled(row, tr("S&how alone:"), m_alone);
    m_aloneToken->setAccessibleName(tr("Token or feature shown alone"));
    row->addWidget(m_aloneToken);
    m_mass->setRange(1, 100);
    m_mass->setSuffix(tr(" %"));
    m_mass->setToolTip(tr("Of each query the strongest links, until they hold this share of its sum"));
    addLabelled(row, tr("Top &mass:"), m_mass);
    m_threshold->setRange(0.0, 1e6);
    m_threshold->setDecimals(3);
    m_threshold->setSingleStep(0.01);
    m_threshold->setToolTip(tr("Weaker links are hidden"));
    addLabelled(row, tr("At &least:"), m_threshold);
    m_mostLinks->setRange(1, 5000);
    m_mostLinks->setSingleStep(100);
    m_mostLinks->setToolTip(tr("Of all links that are left, the strongest"));
    addLabelled(row, tr("At mo&st:"), m_mostLinks);
    m_stacked->setToolTip(
        tr("The lists above each other instead of side by side; Chinese, Japanese and Korean "
           "tokens are then written downwards"));
    row->addWidget(m_stacked);
    connect(m_alone, &QComboBox::activated, this, [this](int index) {
        choose([this, index](FlowChoice &choice) {
            choice.alone = static_cast<FlowChoice::Alone>(index);
            const bool isSource = choice.alone == FlowChoice::Alone::Source;
            const Index selected = isSource ? m_selectedKey : m_selectedQuery;
            const auto count = static_cast<Index>((isSource ? sourceNames() : targetNames()).size());
            choice.aloneToken = choice.isRow() || selected >= count ? 0 : selected;
        });
    });
    connect(m_aloneToken, &QComboBox::activated, this,
            [this](int index) { choose([index](FlowChoice &choice) { choice.aloneToken = index; }); });
    connect(m_mass, &QSpinBox::valueChanged, this, [this](int percent) {
        choose([percent](FlowChoice &choice) { choice.mass = percent / 100.0; });
    });
    connect(m_threshold, &QDoubleSpinBox::valueChanged, this,
            [this](double least) { choose([least](FlowChoice &choice) { choice.threshold = least; }); });
    connect(m_mostLinks, &QSpinBox::valueChanged, this,
            [this](int most) { choose([most](FlowChoice &choice) { choice.mostLinks = most; }); });
    connect(m_stacked, &QCheckBox::clicked, this, [this](bool on) {
        choose(
            [on](FlowChoice &choice) { choice.layout = on ? FlowLayout::Stacked : FlowLayout::SideBySide; });
    });
}

void FlowControls::choose(const std::function<void(FlowChoice &)> &change)
{
    if (m_isRefreshing)
        return;
    FlowChoice choice = m_choice;
    change(choice);
    if (choice == m_choice)
        return;
    m_choice = choice;
    refresh();
    emit chosen(choice);
}

void FlowControls::setLists(const Lists &lists)
{
    if (m_lists == lists && m_headsMenu->actions().size() > 0)
        return;
    m_lists = lists;
    buildHeadsMenu();
    refresh();
}

void FlowControls::setChoice(const FlowChoice &choice)
{
    if (m_choice == choice)
        return;
    m_choice = choice;
    refresh();
}

void FlowControls::setSelected(Index query, Index key)
{
    m_selectedQuery = query;
    m_selectedKey = key;
}

void FlowControls::buildHeadsMenu()
{
    m_headsMenu->clear();
    QAction *all = m_headsMenu->addAction(tr("&All heads"));
    all->setCheckable(true);
    connect(all, &QAction::triggered, this, [this] {
        choose([](FlowChoice &choice) { choice.heads.clear(); });
        refresh();
    });
    m_headsMenu->addSeparator();
    for (int head = 0; head < m_lists.heads; ++head) {
        QAction *action = m_headsMenu->addAction(tr("Head %1").arg(head + 1));
        action->setCheckable(true);
        action->setData(head);
        connect(action, &QAction::triggered, this, [this, head] { toggleHead(head); });
    }
}

/// From all heads to this one; then heads come and go one by one.
void FlowControls::toggleHead(Index head)
{
    choose([this, head](FlowChoice &choice) {
        if (choice.isRow()) {
            choice.heads = {head};
            return;
        }
        if (std::erase(choice.heads, head) == 0)
            choice.heads.push_back(head);
        std::sort(choice.heads.begin(), choice.heads.end());
        if (toInt(static_cast<Index>(choice.heads.size())) == m_lists.heads)
            choice.heads.clear();
    });
    refresh();
}

QString FlowControls::headsText() const
{
    if (m_choice.isRow())
        return tr("Head %1").arg(m_choice.head() + 1);
    if (m_choice.heads.empty())
        return m_lists.heads == 1 ? tr("Head 1") : tr("All heads");
    if (m_choice.heads.size() == 1)
        return tr("Head %1").arg(m_choice.heads.front() + 1);
    QStringList numbers;
    for (const Index head : m_choice.heads)
        numbers.append(QString::number(head + 1));
    return tr("Heads %1").arg(numbers.join(QStringLiteral(", ")));
}

QStringList FlowControls::sourceNames() const
{
    switch (m_choice.picture) {
    case FlowChoice::Picture::Query:
    case FlowChoice::Picture::Key:
    case FlowChoice::Picture::Value:
        return m_lists.features;
    default:
        return m_lists.keys;
    }
}

QStringList FlowControls::targetNames() const
{
    if (!m_choice.isRow())
        return m_lists.queries;
    const bool isOutput = m_choice.picture == FlowChoice::Picture::Output ||
                          m_choice.picture == FlowChoice::Picture::HeadContribution;
    return isOutput ? m_lists.columns : m_lists.features;
}

void FlowControls::fill(QComboBox *box, const QStringList &items)
{
    bool isSame = box->count() == items.size();
    for (int i = 0; isSame && i < box->count(); ++i)
        isSame = box->itemText(i) == items[i];
    if (isSame)
        return;
    box->clear();
    box->addItems(items);
}

void FlowControls::refresh()
{
    m_isRefreshing = true;
    const bool isTokens = !m_choice.isRow();
    const bool isContribution = isTokens && m_choice.measure == FlowMeasure::Contribution;
    m_picture->setCurrentIndex(static_cast<int>(m_choice.picture));
    m_measure->setCurrentIndex(static_cast<int>(m_choice.measure));
    m_toward->setCurrentIndex(static_cast<int>(m_choice.toward));
    m_heads->setText(headsText() + QStringLiteral("   "));
    m_heads->setAccessibleName(headsText());
    m_heads->setVisible(m_lists.heads > 1 && m_choice.picture != FlowChoice::Picture::Output);
    for (QAction *action : m_headsMenu->actions()) {
        const bool isAll = !action->data().isValid();
        const Index head = action->data().toInt();
        action->setChecked(isAll ? m_choice.heads.empty() && isTokens
                                 : (isTokens
                                        ? std::count(m_choice.heads.begin(), m_choice.heads.end(), head) > 0
                                        : head == m_choice.head()));
        if (isAll && !action->isSeparator())
            action->setVisible(isTokens);
    }
    const bool isKeyRow =
        m_choice.picture == FlowChoice::Picture::Key || m_choice.picture == FlowChoice::Picture::Value;
    fill(m_token, isKeyRow ? m_lists.keys : m_lists.queries);
    fill(m_column, m_lists.columns);
    fill(m_aloneToken, m_choice.alone == FlowChoice::Alone::Source ? sourceNames() : targetNames());
    m_token->setCurrentIndex(toInt(m_choice.token));
    m_column->setCurrentIndex(toInt(m_choice.column));
    m_alone->setCurrentIndex(static_cast<int>(m_choice.alone));
    m_aloneToken->setCurrentIndex(toInt(m_choice.aloneToken));
    if (!m_typed->hasFocus())
        m_typed->setText(m_choice.typed);
    m_mass->setValue(qRound(100.0 * m_choice.mass));
    m_threshold->setValue(m_choice.threshold);
    m_mostLinks->setValue(toInt(m_choice.mostLinks));
    m_stacked->setChecked(m_choice.layout == FlowLayout::Stacked);

    using Toward = FlowChoice::Toward;
    const bool needsToken =
        !isTokens || (isContribution && (m_choice.toward == Toward::Cell || m_choice.toward == Toward::Row));
    const bool needsColumn =
        isContribution && (m_choice.toward == Toward::Cell || m_choice.toward == Toward::Column);
    const std::pair<QWidget *, bool> shown[] = {
        {m_measure, isTokens},
        {m_measureLabel, isTokens},
        {m_toward, isContribution},
        {m_towardLabel, isContribution},
        {m_token, needsToken},
        {m_tokenLabel, needsToken},
        {m_column, needsColumn},
        {m_typed, isContribution && m_choice.toward == Toward::Typed},
        {m_aloneToken, m_choice.alone != FlowChoice::Alone::None},
    };
    for (const auto &[widget, isShown] : shown)
        widget->setVisible(isShown);
    m_isRefreshing = false;
}

} // namespace attn
