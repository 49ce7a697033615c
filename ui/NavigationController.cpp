#include "NavigationController.h"

#include "ActionRegistry.h"
#include "Workbench.h"
#include "engine/Derivation.h"

#include <QInputDialog>
#include <QMenu>
#include <QRegularExpression>

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

/// The index that a label or a number counted from 1 names; -1: none.
template<typename LabelAt>
Index indexNamed(const QString &name, Index count, LabelAt labelAt)
{
    const std::string wanted = name.toStdString();
    for (Index i = 0; i < count; ++i)
        if (labelAt(i) == wanted)
            return i;
    bool isNumber = false;
    const qlonglong number = name.toLongLong(&isNumber);
    return isNumber && number >= 1 && number <= count ? static_cast<Index>(number - 1) : -1;
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

/// The first NaN from a place on in reading order; -1: none among the next `mostSearched` cells.
Index nanFrom(const StageValues &values, Index start)
{
    const Index end = std::min(values.shape().size(), start + mostSearched);
    const Index cols = values.cols();
    std::vector<double> cells(static_cast<std::size_t>(cols));
    for (Index place = start; place < end;) {
        const Index col = place % cols;
        const Index row = place / cols;
        values.readBlock(row / values.rows(), row % values.rows(), col, 1, cols - col, cells.data(), cols);
        for (Index i = 0; i < cols - col; ++i)
            if (std::isnan(cells[static_cast<std::size_t>(i)]))
                return place + i;
        place += cols - col;
    }
    return -1;
}

CellIndex cellOfPlace(const Shape &shape, Index place)
{
    const Index perHead = shape.rows * shape.cols;
    const Index rest = place % perHead;
    return {place / perHead, rest / shape.cols, rest % shape.cols};
}

} // namespace

NavigationController::NavigationController(Workbench *workbench, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_window(window)
{
}

bool NavigationController::goTo(const QString &text)
{
    static const QRegularExpression form(QStringLiteral(
        "^\\s*(?:(\\w+)\\s*\\[)?\\s*(?:(?:head\\s+)?(\\d+)\\s*:)?\\s*(.*?)\\s*,\\s*(.*?)\\s*\\]?\\s*$"));
    const auto match = form.match(text);
    if (!match.hasMatch()) {
        m_workbench->say(tr("“%1” names no cell. Write, for example, A[love, prog] or A[2, 4].").arg(text));
        return false;
    }
    Stage stage = m_workbench->selection()->stage();
    if (!match.captured(1).isEmpty()) {
        const auto named = stageFromName(match.captured(1).toStdString());
        if (!named) {
            m_workbench->say(tr("There is no stage “%1”.").arg(match.captured(1)));
            return false;
        }
        stage = *named;
    }
    return goToCell(stage, match.captured(2), match.captured(3), match.captured(4));
}

bool NavigationController::goToCell(Stage stage, const QString &head, const QString &row, const QString &col)
{
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    const StageState &state = snapshot->stage(stage);
    if (!state.hasValues()) {
        m_workbench->say(tr("%1 has no numbers now.").arg(QString::fromUtf8(stageName(stage))));
        return false;
    }
    const Shape shape = state.values->shape();
    const Experiment &experiment = snapshot->experiment();
    CellIndex cell;
    cell.head = head.isEmpty() ? m_workbench->headFor(stage) : static_cast<Index>(head.toLongLong() - 1);
    cell.row = indexNamed(row, shape.rows, [&](Index i) { return rowLabel(experiment, stage, i); });
    cell.col = indexNamed(col, shape.cols, [&](Index i) { return colLabel(experiment, stage, i); });
    if (cell.head < 0 || cell.head >= shape.heads || cell.row < 0 || cell.col < 0) {
        m_workbench->say(tr("%1 (%2) has no cell [%3, %4].")
                             .arg(QString::fromUtf8(stageName(stage)),
                                  QString::fromStdString(shapeText(shape)), row, col));
        return false;
    }
    m_workbench->select(stage, cell);
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
    const SnapshotPtr &snapshot = m_workbench->snapshot();
    const Selection *selection = m_workbench->selection();
    const auto table = stageTable();
    const auto start = static_cast<std::size_t>(selection->stage());
    for (std::size_t step = 0; step <= table.size(); ++step) {
        const Stage stage = table[(start + step) % table.size()].stage;
        const StageValuesPtr values = snapshot->stage(stage).values;
        if (!values || values->statistics(-1).nanCount == 0)
            continue;
        const CellIndex here = selection->cell();
        const Index from =
            step == 0 ? (here.head * values->rows() + here.row) * values->cols() + here.col + 1 : 0;
        const Index place = nanFrom(*values, from);
        if (place < 0)
            continue;
        m_workbench->select(stage, cellOfPlace(values->shape(), place));
        return;
    }
    m_workbench->say(tr("No stage contains NaN."));
}

void NavigationController::askForCell()
{
    const Selection *selection = m_workbench->selection();
    auto *dialog = new QInputDialog(m_window);
    dialog->setWindowTitle(tr("Go to cell"));
    dialog->setLabelText(tr("Cell, by labels or numbers from 1:"));
    dialog->setTextValue(
        QString::fromStdString(cellName(m_workbench->experiment(), selection->stage(), selection->cell())));
    dialog->setOkButtonText(tr("&Go to"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this, &NavigationController::goTo);
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
        findToken(text);
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
