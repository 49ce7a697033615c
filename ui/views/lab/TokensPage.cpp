#include "views/lab/TokensPage.h"

#include "Workbench.h"
#include "base/CheckedInt.h"
#include "engine/Derivation.h"
#include "engine/lab/ConceptDirection.h"
#include "render/LabelText.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// Numbers of a stage that are projected at once; more are projected on another thread.
constexpr Index mostTokenNumbersInline = 20000;
/// Tokens that a list of choice names.
constexpr Index mostListedTokens = 512;
/// Characters of a direction's name.
constexpr int mostNameLength = 80;

QComboBox *tokenBox(QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setMinimumContentsLength(7);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
}

} // namespace

TokensPage::TokensPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"tokens"_s, tr("Tokens as vectors"), parent)
    , m_stage(new QComboBox(this))
    , m_head(new QComboBox(this))
    , m_centred(new QCheckBox(tr("cent&red"), this))
    , m_to(tokenBox(this))
    , m_from(tokenBox(this))
    , m_name(new QLineEdit(this))
{
    addControl(tr("&Rows of:"), m_stage);
    addControl(tr("&Head:"), m_head);
    row()->addSpacing(8);
    row()->addWidget(m_centred);
    m_centred->setToolTip(tr("Measure spread from the mean of the rows instead of from 0"));
    addControl(tr("&Token:"), m_to);
    m_to->setToolTip(tr("The token in focus; “token − token” subtracts the other from it"));
    addControl(tr("&minus:"), m_from);
    addControl(tr("&Name:"), m_name);
    m_name->setMaxLength(mostNameLength);
    m_name->setToolTip(tr("What the chosen direction is called; a proposed one is kept with its name"));
    m_name->setAccessibleName(tr("Name of the chosen direction"));
    m_stage->setAccessibleName(tr("Stage whose rows are shown"));
    m_to->setAccessibleName(tr("Token in focus"));
    m_from->setAccessibleName(tr("Token to subtract"));
    connect(m_stage, &QComboBox::activated, this,
            [this](int index) { setStateValue(u"stage"_s, m_stage->itemData(index).toString()); });
    connect(m_head, &QComboBox::activated, this, [this](int head) { setStateValue(u"head"_s, head); });
    connect(m_centred, &QCheckBox::toggled, this, [this](bool on) { setStateValue(u"centred"_s, on); });
    connect(m_to, &QComboBox::activated, this, [this](int token) { chooseToken(token); });
    connect(m_name, &QLineEdit::editingFinished, this, &TokensPage::nameDirection);
    connect(m_from, &QComboBox::activated, this, [this](int token) { setStateValue(u"from"_s, token); });
}

Stage TokensPage::stage() const
{
    return options().stage;
}

Index TokensPage::head() const
{
    return options().head;
}

TokensLabOptions TokensPage::options() const
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    return snapshot ? tokensLabOptions(state(), *snapshot) : TokensLabOptions();
}

std::optional<TokenVectors> TokensPage::vectors(Index rows) const
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    const StageValuesPtr values = snapshot ? snapshot->stage(stage()).values : nullptr;
    if (!values || values->rows() == 0 || values->cols() == 0)
        return std::nullopt;
    return tokenVectors(*values, head(), 0, std::min(rows, values->rows()));
}

void TokensPage::refreshTokens()
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    const StageValuesPtr values = snapshot ? snapshot->stage(stage()).values : nullptr;
    QStringList names;
    for (Index row = 0; values && row < std::min(values->rows(), mostListedTokens); ++row)
        names.append(visibleLabel(QString::fromStdString(rowLabel(workbench()->experiment(), stage(), row))));
    if (names != m_names) {
        m_names = names;
        for (QComboBox *box : {m_to, m_from}) {
            box->clear();
            box->addItems(names);
        }
    }
    m_to->setCurrentIndex(std::min(toInt(options().token), int(names.size()) - 1));
    m_from->setCurrentIndex(std::min(state().value(u"from"_s).toInt(1), int(names.size()) - 1));
}

void TokensPage::refreshControls()
{
    const QSignalBlocker blockers[] = {QSignalBlocker(m_stage), QSignalBlocker(m_head),
                                       QSignalBlocker(m_centred), QSignalBlocker(m_to),
                                       QSignalBlocker(m_from)};
    const SnapshotPtr &snapshot = workbench()->snapshot();
    QStringList stages;
    if (snapshot)
        for (const Stage available : vectorStages(*snapshot))
            stages.append(QString::fromUtf8(stageName(available)));
    if (m_stage->count() != stages.size() || m_stage->findData(stages.value(0)) != 0) {
        m_stage->clear();
        for (const QString &name : stages)
            m_stage->addItem(name, name);
    }
    m_stage->setCurrentIndex(m_stage->findData(QString::fromUtf8(stageName(stage()))));
    const StageValuesPtr values = snapshot ? snapshot->stage(stage()).values : nullptr;
    const int heads = values ? toInt(values->heads()) : 1;
    if (m_head->count() != heads) {
        m_head->clear();
        for (int head = 1; head <= heads; ++head)
            m_head->addItem(tr("head %1").arg(head));
    }
    m_head->setEnabled(heads > 1);
    m_head->setCurrentIndex(toInt(head()));
    m_centred->setChecked(options().isCentred);
    refreshTokens();
    refreshName();
}

Scene TokensPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    TokensLabOptions chosen = options();
    chosen.width = room.width();
    return tokensLabScene(snapshot, display, chosen);
}

SceneWorker::Build TokensPage::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                          QSizeF room)
{
    const StageValuesPtr &values = snapshot->stage(stage()).values;
    if (!values || values->rows() * values->cols() <= mostTokenNumbersInline)
        return {};
    TokensLabOptions chosen = options();
    chosen.width = room.width();
    return [snapshot, display, chosen](const std::stop_token &) {
        return tokensLabScene(snapshot, display, chosen);
    };
}

void TokensPage::chooseToken(Index token)
{
    setStateValue(u"token"_s, int(token));
}

void TokensPage::onShapeClicked(const QString &id)
{
    if (id.startsWith("token:"_L1))
        chooseToken(id.section(u':', 1).toLongLong());
}

void TokensPage::onDerivedSelected(const MapKey &map, Index row, Index)
{
    if (map.id == "tokens:directions"_L1) {
        setStateValue(u"direction"_s, int(row));
        return;
    }
    if (!map.id.startsWith("tokens:"_L1) || map.id == "tokens:between"_L1)
        return;
    const auto values = workbench()->snapshot() ? workbench()->snapshot()->stage(stage()).values : nullptr;
    if (values)
        chooseToken(tokensTableFirst(values->rows(), options().token) + row);
}

QString TokensPage::whyDerivedStays(const MapKey &map) const
{
    return map.id == "tokens:directions"_L1
               ? tr("This direction is only proposed; once it is kept, its numbers can be edited.")
               : QString();
}

std::optional<TokensPage::Directions> TokensPage::directions() const
{
    const SnapshotPtr &snapshot = workbench()->snapshot();
    const StageValuesPtr values = snapshot ? snapshot->stage(stage()).values : nullptr;
    if (!values || values->rows() == 0 || values->cols() == 0)
        return std::nullopt;
    Directions now;
    now.rows = rowsOfDirections(*values, head());
    now.set = directionSet(workbench()->experiment(), now.rows);
    now.chosen = std::clamp<Index>(options().direction, 0, now.set.directions.count - 1);
    return now;
}

QString TokensPage::shownName(const Directions &directions, Index index) const
{
    return directionName(workbench()->experiment(), stage(), directions.set, directions.rows, index);
}

void TokensPage::refreshName()
{
    const std::optional<Directions> now = directions();
    m_name->setEnabled(now.has_value());
    if (m_name->hasFocus() && m_name->isModified())
        return; // somebody is typing
    m_name->setText(now ? shownName(*now, now->chosen) : QString());
    m_name->setCursorPosition(0);
}

void TokensPage::nameDirection()
{
    const std::optional<Directions> now = directions();
    if (!now || !m_name->isModified())
        return;
    m_name->setModified(false);
    const QString name = m_name->text().simplified();
    if (name == shownName(*now, now->chosen))
        return;
    workbench()->apply(directionNamed(now->set, now->chosen, name.toStdString()), tr("Name a direction"));
    refreshName();
}

void TokensPage::changeDirections(const Edit &edit, const QString &text, Index chosen)
{
    if (workbench()->apply(edit, text))
        setStateValue(u"direction"_s, int(chosen));
}

void TokensPage::onControl(const QString &id)
{
    if (id.startsWith("direction:select:"_L1)) {
        setStateValue(u"direction"_s, id.section(u':', 2).toInt());
        return;
    }
    const std::optional<Directions> now = directions();
    if (!now)
        return;
    const Index last = now->set.directions.count;
    if (id == "direction:keep"_L1) {
        changeDirections(directionNamed(now->set, 0, shownName(*now, 0).toStdString()),
                         tr("Keep the direction"), 0);
    } else if (id == "direction:needs"_L1) {
        const QString name = QCoreApplication::translate("Scene", "needs an object");
        changeDirections(directionAdded(now->set, needsObjectDirection(), name.toStdString()),
                         tr("Add a direction"), last);
    } else if (id == "direction:difference"_L1) {
        addDifference(*now);
    } else if (id == "direction:remove"_L1) {
        changeDirections(directionRemoved(now->set, now->chosen), tr("Remove a direction"),
                         std::max<Index>(0, now->chosen - 1));
    }
}

void TokensPage::addDifference(const Directions &now)
{
    const Index to = std::max(0, m_to->currentIndex());
    const Index from = std::max(0, m_from->currentIndex());
    const std::optional<TokenVectors> all = vectors(std::max(to, from) + 1);
    if (to == from || std::max(to, from) >= all->count) {
        workbench()->say(tr("Choose two different tokens first."));
        return;
    }
    DirectionSet set = now.set;
    if (!set.isKept) // what was only proposed is kept with it
        set.names[0] = shownName(now, 0).toStdString();
    const QString name = differenceName(workbench()->experiment(), stage(), to, from);
    changeDirections(directionAdded(set, differenceOf(*all, to, from), name.toStdString()),
                     tr("Add the difference of two tokens"), set.directions.count);
}

} // namespace attn
