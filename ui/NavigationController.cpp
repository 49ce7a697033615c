#include "NavigationController.h"

#include "ActionRegistry.h"
#include "Workbench.h"
#include "engine/CellReference.h"
#include "engine/Derivation.h"

#include <QInputDialog>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

bool isTokenAxis(Axis axis)
{
    return axis == Axis::Query || axis == Axis::Key;
}

/// Larger first; equal numbers in reading order.
struct Ranked
{
    double value;
    Index place;

    bool isBefore(const Ranked &other) const
    {
        return value > other.value || (value == other.value && place < other.place);
    }
};

/// Cells that are looked through at once; more would stop the window.
constexpr Index mostSearched = Index(1) << 24;
/// NaN among more cells than these is looked for on another thread.
constexpr Index mostSearchedAtOnce = Index(1) << 17;

} // namespace

NavigationController::NavigationController(Workbench *workbench, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_window(window)
{
    // Whoever edits or goes elsewhere meanwhile is not taken away from there.
    connect(workbench, &Workbench::documentMoved, this, &NavigationController::dropSearch);
    connect(workbench->selection(), &Selection::changed, this, &NavigationController::dropSearch);
}

bool NavigationController::goTo(const QString &text)
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    const Stage present = m_workbench->selection()->stage();
    const auto read = [&](Index head) {
        return cellReferenceFrom(snapshot->experiment(), text.toStdString(), {present, head});
    };
    Result<CellReference> named = read(m_workbench->headFor(present));
    if (named && named->stage != present)
        named = read(m_workbench->headFor(named->stage)); // each kind of head has its own present one
    if (!named) {
        m_workbench->say(
            named.error().code == ErrorCode::Usage
                ? tr("“%1” names no cell. Write, for example, A[love, prog] or, counted from 0, A[1, 3].")
                      .arg(text)
                : QString::fromStdString(named.error().message));
        return false;
    }
    const StageState &state = snapshot->stage(named->stage);
    if (!state.hasValues()) {
        m_workbench->say(tr("%1 has no numbers now.").arg(QString::fromUtf8(stageName(named->stage))));
        return false;
    }
    const Shape shape = state.values->shape();
    const CellIndex &cell = named->cell;
    if (cell.head >= shape.heads || cell.row >= shape.rows || cell.col >= shape.cols) {
        m_workbench->say(tr("%1 is %2, counted from 0: there is no cell %3.")
                             .arg(QString::fromUtf8(stageName(named->stage)),
                                  QString::fromStdString(shapeText(shape)), text.trimmed()));
        return false;
    }
    m_workbench->select(named->stage, cell);
    return true;
}

bool NavigationController::findToken(const QString &text)
{
    const Selection *selection = m_workbench->selection();
    Stage stage = selection->stage();
    if (!isTokenAxis(stageInfo(stage).rows) && !isTokenAxis(stageInfo(stage).cols))
        stage = m_workbench->snapshot()->stage(Stage::X).hasValues() ? Stage::X : Stage::A;
    const bool byRow = isTokenAxis(stageInfo(stage).rows);
    const StageValuesPtr values = m_workbench->snapshot()->stage(stage).values;
    if (!values || text.isEmpty())
        return false;
    const Index count = byRow ? values->rows() : values->cols();
    CellIndex cell = selection->stage() == stage ? selection->cell() : CellIndex{0, -1, 0};
    const Index from = byRow ? cell.row : cell.col;
    const Experiment &experiment = m_workbench->experiment();
    for (Index step = 1; step <= count; ++step) {
        const Index index = (from + step + count) % count;
        const QString label = QString::fromStdString(byRow ? rowLabel(experiment, stage, index)
                                                           : colLabel(experiment, stage, index));
        if (!label.contains(text, Qt::CaseInsensitive))
            continue;
        (byRow ? cell.row : cell.col) = index;
        m_workbench->select(stage, cell);
        return true;
    }
    m_workbench->say(tr("No token contains “%1”.").arg(text));
    return false;
}

void NavigationController::nextLargest()
{
    const Selection *selection = m_workbench->selection();
    const Stage stage = selection->stage();
    const StageValuesPtr values = m_workbench->snapshot()->stage(stage).values;
    if (!values)
        return;
    const CellIndex here = selection->cell();
    const double present = values->value(here.head, here.row, here.col);
    const double ceiling = std::isnan(present) ? std::numeric_limits<double>::infinity() : present;
    const Ranked from{ceiling, std::isnan(present) ? -1 : here.row * values->cols() + here.col};
    constexpr double lowest = -std::numeric_limits<double>::infinity();
    const Index none = std::numeric_limits<Index>::max();
    Ranked next{lowest, none};
    Ranked largest{lowest, none};
    std::vector<double> row(static_cast<std::size_t>(values->cols()));
    const bool isLarge = values->rows() * values->cols() > mostSearched;
    const Index lastRow = isLarge ? here.row + 1 : values->rows();
    for (Index i = isLarge ? here.row : 0; i < lastRow; ++i) {
        values->readBlock(here.head, i, 0, 1, values->cols(), row.data(), values->cols());
        for (Index j = 0; j < values->cols(); ++j) {
            const Ranked candidate{row[static_cast<std::size_t>(j)], i * values->cols() + j};
            if (candidate.isBefore(largest))
                largest = candidate;
            if (from.isBefore(candidate) && candidate.isBefore(next))
                next = candidate;
        }
    }
    const Index place = next.place != none ? next.place : largest.place;
    if (place != none)
        m_workbench->select(stage, {here.head, place / values->cols(), place % values->cols()});
    if (isLarge)
        m_workbench->say(tr("The matrix is large: the largest values of this row are looked for."));
}

void NavigationController::nextNan()
{
    const SnapshotPtr snapshot = m_workbench->snapshot();
    const StageCell from{m_workbench->selection()->stage(), m_workbench->selection()->cell()};
    if (searchedCells(*snapshot) <= mostSearchedAtOnce) {
        m_nanSearch.cancel();
        goToNan(attn::nextNan(*snapshot, from));
        return;
    }
    m_workbench->sayUntilChange(tr("Looking for NaN…"));
    m_nanSearch.start([this, snapshot, from](const std::stop_token &stop) {
        const std::optional<StageCell> found = attn::nextNan(*snapshot, from, stop);
        return [this, found] {
            m_workbench->say({});
            goToNan(found);
        };
    });
}

void NavigationController::goToNan(const std::optional<StageCell> &found)
{
    if (found)
        m_workbench->select(found->stage, found->cell);
    else
        m_workbench->say(tr("No stage contains NaN."));
}

void NavigationController::dropSearch()
{
    if (!m_nanSearch.isBusy())
        return;
    m_nanSearch.cancel();
    m_workbench->say({});
}

void NavigationController::askForCell()
{
    const Selection *selection = m_workbench->selection();
    auto *dialog = new QInputDialog(m_window);
    dialog->setWindowTitle(tr("Go to cell"));
    dialog->setLabelText(tr("Row and column as labels, A[love, prog], or as places counted from 0, A[1, 3].\n"
                            "With several heads: A[head 2: love, prog] or A[1, 1, 3]. A label that is a "
                            "number, in quotes: A[\"7\", love]."));
    dialog->setTextValue(QString::fromStdString(
        cellReferenceText(m_workbench->experiment(), selection->stage(), selection->cell())));
    dialog->setOkButtonText(tr("&Go to"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        if (goTo(text))
            emit cellReached();
    });
    dialog->open();
}

void NavigationController::askForToken()
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setWindowTitle(tr("Find token"));
    dialog->setLabelText(tr("Part of the token:"));
    dialog->setTextValue(m_lastToken);
    dialog->setOkButtonText(tr("&Find"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        m_lastToken = text;
        if (findToken(text))
            emit cellReached();
    });
    dialog->open();
}

void NavigationController::addActions(ActionRegistry &actions, QMenu *menu)
{
    using namespace Qt::StringLiterals;
    const auto add = [&](const QString &id, const QString &text, const QList<QKeySequence> &keys, auto slot) {
        connect(actions.add(menu, id, text, keys), &QAction::triggered, this, slot);
    };
    add(u"go.cell"_s, tr("&Go to cell…"), {Qt::CTRL | Qt::Key_G}, [this] { askForCell(); });
    add(u"go.token"_s, tr("&Find token…"), {Qt::CTRL | Qt::Key_F}, [this] { askForToken(); });
    add(u"go.tokenAgain"_s, tr("Find t&oken again"), {Qt::Key_F3}, [this] { findToken(m_lastToken); });
    add(u"go.largest"_s, tr("Next lar&gest value"), {Qt::CTRL | Qt::Key_L}, [this] { nextLargest(); });
    add(u"go.nan"_s, tr("Ne&xt NaN"), {Qt::CTRL | Qt::SHIFT | Qt::Key_N}, [this] { nextNan(); });
    menu->addSeparator();
    add(u"go.zoom"_s, tr("&Zoom to the selected cell"), {Qt::CTRL | Qt::Key_J},
        [this] { emit zoomWanted(); });
    QAction *profiles = actions.add(menu, u"go.profiles"_s, tr("&Profiles of row and column"),
                                    {Qt::CTRL | Qt::SHIFT | Qt::Key_L});
    profiles->setCheckable(true);
    connect(profiles, &QAction::toggled, m_workbench, &Workbench::setProfilesShown);
}

} // namespace attn
