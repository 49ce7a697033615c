#include "ActionRegistry.h"
#include "ExperimentController.h"
#include "Workbench.h"
#include "base/CheckedInt.h"

#include <QActionGroup>
#include <QMenu>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// A checkable action of a group of which one is in force.
QAction *choice(ActionRegistry &actions, QMenu *menu, QActionGroup *group, const QString &id,
                const QString &text, const QString &keys)
{
    QAction *action = actions.add(menu, id, text, {ActionRegistry::chord(keys)});
    action->setCheckable(true);
    group->addAction(action);
    return action;
}

} // namespace

void ExperimentController::addActions(ActionRegistry &actions, QMenu *menu)
{
    addHeadsMenu(actions, menu);
    addScaleMenu(actions, menu);
    addMaskMenu(actions, menu);
    addRotaryMenu(actions, menu);
    addPrecisionMenu(actions, menu);
    menu->addSeparator();
    addTokenMenu(actions, menu);
    addDimensionMenu(actions, menu);
    menu->addSeparator();
    connect(actions.add(menu, u"experiment.notes"_s, tr("&Notes…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_M}),
            &QAction::triggered, this, [this] { askForNotes(); });
}

void ExperimentController::addHeadsMenu(ActionRegistry &, QMenu *menu)
{
    m_headsMenu = menu->addMenu(tr("&Heads"));
    connect(m_headsMenu, &QMenu::aboutToShow, this, [this] {
        m_headsMenuShows = {}; // choosing what is there already has taken its mark away
        fillHeadsMenu(m_headsMenu);
    });
    // Also before it opens, so that its keys work. Not at once: one of its actions may be the cause.
    connect(
        m_workbench->document(), &Document::changed, m_headsMenu, [this] { fillHeadsMenu(m_headsMenu); },
        Qt::QueuedConnection);
}

void ExperimentController::fillHeadsMenu(QMenu *menu)
{
    const Experiment &experiment = m_workbench->experiment();
    const Sizes sizes = sizesOf(experiment);
    const Index width = sizes.nHeads * sizes.dHeadK;
    const std::array shown{width, experiment.nHeads, experiment.nKvHeads};
    if (shown == m_headsMenuShows)
        return;
    m_headsMenuShows = shown;
    menu->clear();
    const auto addChoice = [&](const QString &text, const QString &key, bool isPresent, Index heads,
                               Index kvHeads) {
        QAction *action = menu->addAction(text);
        action->setShortcut(ActionRegistry::chord(key));
        action->setCheckable(true);
        action->setChecked(isPresent);
        connect(action, &QAction::triggered, this, [this, heads, kvHeads] { setHeads(heads, kvHeads); });
    };
    int count = 0;
    for (Index heads = 1; heads <= std::min<Index>(width, 64); ++heads)
        if (width % heads == 0)
            addChoice(QString::number(heads), QString(u"H, "_s + ActionRegistry::ordinalKey(count++)),
                      heads == experiment.nHeads && heads == experiment.nKvHeads, heads, heads);
    if (experiment.nHeads == 1)
        return;
    menu->addSection(tr("Grouped queries"));
    count = 0;
    for (Index kvHeads = 1; kvHeads <= experiment.nHeads; ++kvHeads)
        if (experiment.nHeads % kvHeads == 0)
            addChoice(tr("%1 heads with %2 KV").arg(experiment.nHeads).arg(kvHeads),
                      QString(u"G, "_s + ActionRegistry::ordinalKey(count++)), kvHeads == experiment.nKvHeads,
                      experiment.nHeads, kvHeads);
}

void ExperimentController::addScaleMenu(ActionRegistry &actions, QMenu *menu)
{
    m_scaleMenu = menu->addMenu(tr("&Scale"));
    auto *group = new QActionGroup(this);
    QAction *standard =
        choice(actions, m_scaleMenu, group, u"scale.default"_s, tr("1/√d_k, the &default"), u"S, D"_s);
    QAction *none = choice(actions, m_scaleMenu, group, u"scale.none"_s, tr("&None"), u"S, N"_s);
    QAction *number = choice(actions, m_scaleMenu, group, u"scale.number"_s, tr("&Other number…"), u"S, O"_s);
    connect(standard, &QAction::triggered, this, [this] { setScale(std::nullopt); });
    connect(none, &QAction::triggered, this, [this] { setScale(1.0); });
    connect(number, &QAction::triggered, this, [this] { askForScale(); });
    const auto refresh = [this, standard, none, number] {
        const std::optional<double> scale = m_workbench->experiment().scale;
        (!scale ? standard : *scale == 1.0 ? none : number)->setChecked(true);
    };
    connect(m_scaleMenu, &QMenu::aboutToShow, this, refresh);
}

void ExperimentController::addMaskMenu(ActionRegistry &actions, QMenu *menu)
{
    m_maskMenu = menu->addMenu(tr("&Mask"));
    QAction *causal = actions.add(m_maskMenu, u"mask.causal"_s, tr("&Causal"), {Qt::CTRL | Qt::Key_M});
    causal->setCheckable(true);
    connect(causal, &QAction::triggered, this, &ExperimentController::setCausal);
    QAction *window =
        actions.add(m_maskMenu, u"mask.window"_s, tr("&Window…"), {ActionRegistry::chord(u"M, W"_s)});
    window->setCheckable(true);
    connect(window, &QAction::triggered, this, [this] { askForWindow(); });
    struct Part
    {
        Stage stage;
        QString id;
        QString text;
        QString keys;
    };
    const Part parts[] = {{Stage::MaskPadding, u"mask.padding"_s, tr("&Padding of keys"), u"M, P"_s},
                          {Stage::MaskBool, u"mask.boolean"_s, tr("&Boolean matrix"), u"M, B"_s},
                          {Stage::MaskAdd, u"mask.additive"_s, tr("&Additive matrix"), u"M, A"_s},
                          {Stage::MaskAlibi, u"mask.alibi"_s, tr("A&LiBi"), u"M, L"_s}};
    std::vector<std::pair<Stage, QAction *>> matrices;
    for (const Part &part : parts) {
        QAction *action = actions.add(m_maskMenu, part.id, part.text, {ActionRegistry::chord(part.keys)});
        action->setCheckable(true);
        const Stage stage = part.stage;
        connect(action, &QAction::triggered, this, [this, stage](bool on) { setMaskMatrix(stage, on); });
        matrices.emplace_back(stage, action);
    }
    const auto refresh = [this, causal, window, matrices] {
        const Experiment &experiment = m_workbench->experiment();
        causal->setChecked(experiment.causal);
        window->setChecked(experiment.window.has_value());
        for (const auto &[stage, action] : matrices)
            action->setChecked(experiment.isGiven(stage));
    };
    connect(m_workbench->document(), &Document::changed, this, refresh);
    connect(m_maskMenu, &QMenu::aboutToShow, this, refresh);
}

void ExperimentController::addRotaryMenu(ActionRegistry &actions, QMenu *menu)
{
    QMenu *rotary = menu->addMenu(tr("&Rotary embedding"));
    auto *group = new QActionGroup(this);
    QAction *none = choice(actions, rotary, group, u"rotary.none"_s, tr("&None"), u"R, N"_s);
    QAction *interleaved = choice(actions, rotary, group, u"rotary.interleaved"_s,
                                  tr("&Interleaved pairs (2t, 2t+1)"), u"R, I"_s);
    QAction *half = choice(actions, rotary, group, u"rotary.half"_s, tr("&Half pairs (t, t+d/2)"), u"R, H"_s);
    connect(none, &QAction::triggered, this, [this] { setRotary(std::nullopt); });
    const auto setPairing = [this](Rotary::Pairing pairing) {
        Rotary wanted = m_workbench->experiment().rotary.value_or(Rotary());
        wanted.pairing = pairing;
        setRotary(wanted);
    };
    connect(interleaved, &QAction::triggered, this,
            [setPairing] { setPairing(Rotary::Pairing::Interleaved); });
    connect(half, &QAction::triggered, this, [setPairing] { setPairing(Rotary::Pairing::Half); });
    connect(rotary, &QMenu::aboutToShow, this, [this, none, interleaved, half] {
        const std::optional<Rotary> present = m_workbench->experiment().rotary;
        const bool isHalf = present && present->pairing == Rotary::Pairing::Half;
        (!present ? none : isHalf ? half : interleaved)->setChecked(true);
    });
}

void ExperimentController::addPrecisionMenu(ActionRegistry &actions, QMenu *menu)
{
    QMenu *precision = menu->addMenu(tr("&Precision"));
    auto *group = new QActionGroup(this);
    QAction *f64 = choice(actions, precision, group, u"precision.f64"_s, tr("float&64"), u"P, 6"_s);
    QAction *f32 = choice(actions, precision, group, u"precision.f32"_s, tr("float&32"), u"P, 3"_s);
    connect(f64, &QAction::triggered, this, [this] { setPrecision(Precision::Float64); });
    connect(f32, &QAction::triggered, this, [this] { setPrecision(Precision::Float32); });
    connect(precision, &QMenu::aboutToShow, this, [this, f64, f32] {
        (m_workbench->experiment().precision == Precision::Float32 ? f32 : f64)->setChecked(true);
    });
}

void ExperimentController::addTokenMenu(ActionRegistry &actions, QMenu *menu)
{
    QMenu *tokens = menu->addMenu(tr("&Tokens"));
    const auto add = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys, auto slot) {
        connect(actions.add(tokens, id, text, keys), &QAction::triggered, this, slot);
    };
    add(u"token.insertBefore"_s, tr("Insert &before…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_I},
        [this] { insertToken(0); });
    add(u"token.insertAfter"_s, tr("Insert &after…"), {Qt::CTRL | Qt::Key_I}, [this] { insertToken(1); });
    add(u"token.delete"_s, tr("&Delete"), {Qt::CTRL | Qt::Key_Delete}, [this] { deleteToken(); });
    add(u"token.rename"_s, tr("&Rename…"), {Qt::SHIFT | Qt::Key_F2}, [this] { renameToken(); });
    add(u"token.up"_s, tr("Move &up"), {Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp}, [this] { moveToken(-1); });
    add(u"token.down"_s, tr("Move d&own"), {Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown},
        [this] { moveToken(1); });
}

void ExperimentController::addDimensionMenu(ActionRegistry &actions, QMenu *menu)
{
    QMenu *dimensions = menu->addMenu(tr("&Dimensions"));
    connect(actions.add(dimensions, u"dimension.insert"_s, tr("&Insert after the selected column"),
                        {ActionRegistry::chord(u"D, I"_s)}),
            &QAction::triggered, this, [this] { insertDimension(); });
    connect(actions.add(dimensions, u"dimension.delete"_s, tr("&Delete the selected column's"),
                        {ActionRegistry::chord(u"D, D"_s)}),
            &QAction::triggered, this, [this] { deleteDimension(); });
}

} // namespace attn
