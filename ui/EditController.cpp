#include "EditController.h"

#include "ActionRegistry.h"
#include "Workbench.h"
#include "dialogs/FillDialog.h"
#include "engine/Derivation.h"
#include "io/MatrixText.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// More cells than this are not put on the clipboard or filled by hand.
constexpr Index blockLimit = 4'000'000;

QString editText(const Experiment &experiment, const EditTarget &target, const std::vector<CellValue> &cells)
{
    const bool pins = !target.isLab() && stageInfo(target.stage).kind == StageKind::Computed &&
                      !experiment.isGiven(target.stage);
    if (cells.size() == 1) {
        const QString name = target.cellName(experiment, cells.front().cell);
        return pins ? EditController::tr("Pin %1").arg(name) : EditController::tr("Set %1").arg(name);
    }
    const auto count = cells.size();
    const QString name = target.name();
    return pins ? EditController::tr("Pin %1 cells of %2").arg(count).arg(name)
                : EditController::tr("Set %1 cells of %2").arg(count).arg(name);
}

} // namespace

/// The selected cells: one head of one stage, or of a scratch matrix.
struct EditController::Block
{
    EditTarget target;
    Index head = 0;
    Index row = 0;
    Index col = 0;
    Index rows = 0;
    Index cols = 0;
    StageValuesPtr values;

    double at(Index i, Index j) const { return values->value(head, row + i, col + j); }
    CellIndex cell(Index i, Index j) const { return {head, row + i, col + j}; }
    std::vector<CellIndex> cells() const
    {
        std::vector<CellIndex> all;
        all.reserve(static_cast<std::size_t>(rows * cols));
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < cols; ++j)
                all.push_back(cell(i, j));
        return all;
    }
};

EditController::EditController(Workbench *workbench, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_window(window)
{
}

EditController::Block EditController::selectedBlock() const
{
    const Selection *selection = m_workbench->selection();
    Block block{selection->target(),
                selection->cell().head,
                selection->firstRow(),
                selection->firstCol(),
                selection->lastRow() - selection->firstRow() + 1,
                selection->lastCol() - selection->firstCol() + 1,
                nullptr};
    if (m_workbench->snapshot())
        block.values = block.target.values(*m_workbench->snapshot());
    return block;
}

bool EditController::mayRead(const Block &block)
{
    if (!block.values) {
        m_workbench->say(tr("%1 has no numbers now.").arg(block.target.name()));
        return false;
    }
    if (block.rows > blockLimit / std::max<Index>(1, block.cols)) {
        m_workbench->say(tr("The selection has more than %1 cells; select fewer, or export the stage's data.")
                             .arg(blockLimit));
        return false;
    }
    return true;
}

bool EditController::setCells(const EditTarget &target, std::vector<CellValue> cells, int gesture)
{
    if (cells.empty())
        return true;
    const QString text = editText(m_workbench->experiment(), target, cells);
    const Result<Edit> edit = target.typed(m_workbench->experiment(), std::move(cells));
    if (!edit.ok()) {
        m_workbench->say(QString::fromStdString(edit.error().message));
        return false;
    }
    return m_workbench->apply(*edit, text, gesture);
}

bool EditController::fillSelection(double value)
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return false;
    std::vector<CellValue> cells;
    for (const CellIndex &cell : block.cells())
        cells.push_back({cell, value});
    return setCells(block.target, std::move(cells));
}

void EditController::copy(bool withLabels)
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    TextBlock text{block.values, block.head, block.row, block.col, block.rows, block.cols, {}, {}};
    if (withLabels) {
        const Experiment &experiment = m_workbench->experiment();
        for (Index i = 0; i < block.rows; ++i)
            text.rowLabels.append(block.target.rowLabel(experiment, block.row + i));
        for (Index j = 0; j < block.cols; ++j)
            text.colLabels.append(block.target.colLabel(experiment, block.col + j));
    }
    auto *mime = new QMimeData;
    mime->setText(tsvText(text));
    mime->setHtml(htmlText(text));
    QGuiApplication::clipboard()->setMimeData(mime);
}

void EditController::copyAs(TextForm form)
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    const TextBlock text{block.values, block.head, block.row, block.col, block.rows, block.cols, {}, {}};
    const QString name = block.target.name();
    QClipboard *clipboard = QGuiApplication::clipboard();
    switch (form) {
    case TextForm::Latex:
        clipboard->setText(latexText(text, name));
        break;
    case TextForm::Numpy:
        clipboard->setText(numpyText(text, name));
        break;
    case TextForm::Markdown:
        clipboard->setText(markdownText(text));
        break;
    }
}

void EditController::copyDerivation(bool asLatex)
{
    const Selection *selection = m_workbench->selection();
    if (!mayRead(selectedBlock()))
        return;
    if (selection->target().isLab()) {
        m_workbench->say(tr("A scratch matrix is typed in; its numbers follow from nothing."));
        return;
    }
    const Derivation derivation = derive(*m_workbench->snapshot(), selection->stage(), selection->cell());
    const std::string text = asLatex ? derivationLatex(derivation) : derivationText(derivation);
    QGuiApplication::clipboard()->setText(QString::fromStdString(text));
}

void EditController::cut()
{
    copy();
    clear();
}

void EditController::paste()
{
    const Result<PastedBlock> pasted = parsePastedText(QGuiApplication::clipboard()->text());
    if (!pasted.ok()) {
        m_workbench->say(tr("Nothing pasted: %1").arg(QString::fromStdString(pasted.error().message)));
        return;
    }
    pasteBlock(*pasted);
}

bool EditController::pasteBlock(const PastedBlock &pasted)
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return false;
    if (pasted.rows == 1 && pasted.cols == 1)
        return fillSelection(pasted.values.front());
    const Shape shape = block.values->shape();
    if (block.row + pasted.rows > shape.rows || block.col + pasted.cols > shape.cols) {
        const CellIndex corner = block.cell(0, 0);
        m_workbench->say(
            tr("Nothing pasted: %1×%2 numbers do not fit into %3 from %4 on.")
                .arg(pasted.rows)
                .arg(pasted.cols)
                .arg(QString(block.target.name() + u' ' + QString::fromStdString(shapeText(shape))),
                     block.target.cellName(m_workbench->experiment(), corner)));
        return false;
    }
    std::vector<CellValue> cells;
    for (Index i = 0; i < pasted.rows; ++i)
        for (Index j = 0; j < pasted.cols; ++j)
            cells.push_back({block.cell(i, j), pasted.values[static_cast<std::size_t>(i * pasted.cols + j)]});
    if (!setCells(block.target, std::move(cells)))
        return false;
    m_workbench->selection()->setBlock(block.target, block.cell(0, 0),
                                       block.cell(pasted.rows - 1, pasted.cols - 1));
    return true;
}

void EditController::clear()
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    const Result<Edit> edit = block.target.cleared(m_workbench->experiment(), block.cells());
    if (!edit.ok()) {
        m_workbench->say(QString::fromStdString(edit.error().message));
        return;
    }
    const QString name = block.rows * block.cols == 1
                             ? block.target.cellName(m_workbench->experiment(), block.cell(0, 0))
                             : tr("%1 cells of %2").arg(block.rows * block.cols).arg(block.target.name());
    m_workbench->apply(*edit, tr("Clear %1").arg(name));
}

void EditController::fill(bool down)
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    std::vector<CellValue> cells;
    for (Index i = down ? 1 : 0; i < block.rows; ++i)
        for (Index j = down ? 0 : 1; j < block.cols; ++j)
            cells.push_back({block.cell(i, j), down ? block.at(0, j) : block.at(i, 0)});
    if (cells.empty()) {
        m_workbench->say(down ? tr("Select at least two rows to fill down.")
                              : tr("Select at least two columns to fill right."));
        return;
    }
    setCells(block.target, std::move(cells));
}

void EditController::fillDown()
{
    fill(true);
}

void EditController::fillRight()
{
    fill(false);
}

void EditController::askToFillStage()
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    const QString reason = block.target.readOnlyReason(m_workbench->experiment());
    if (!reason.isEmpty()) {
        m_workbench->say(reason);
        return;
    }
    const Shape shape = block.values->shape();
    const QString name = block.target.name() + u", "_s + QString::fromStdString(shapeText(shape));
    auto *dialog = new FillDialog(name, shape.rows == shape.cols, m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &FillDialog::filled, this, &EditController::fillStage);
    dialog->open();
}

void EditController::fillStage(const MatrixFill &fill)
{
    const Block block = selectedBlock();
    const Experiment &experiment = m_workbench->experiment();
    const Shape shape = block.values->shape();
    Tensor present = block.target.isLab() ? experiment.lab(block.target.lab.toStdString())
                                          : experiment.matrix(block.target.stage);
    if (present.isNull()) {
        std::vector<double> numbers(static_cast<std::size_t>(shape.size()));
        for (Index head = 0; head < shape.heads; ++head)
            block.values->readBlock(head, 0, 0, shape.rows, shape.cols,
                                    numbers.data() + head * shape.rows * shape.cols, shape.cols);
        present = Tensor::fromDoubles(shape, numbers);
    }
    const Result<Tensor> filled = filledMatrix(fill, shape, present.storage(), present);
    if (!filled.ok()) {
        m_workbench->say(QString::fromStdString(filled.error().message));
        return;
    }
    m_workbench->apply(block.target.replaced(experiment, *filled), tr("Fill %1").arg(block.target.name()));
}

void EditController::selectAll()
{
    const Block block = selectedBlock();
    if (block.values)
        m_workbench->selection()->setBlock(block.target, {block.head, 0, 0},
                                           {block.head, block.values->rows() - 1, block.values->cols() - 1});
}

void EditController::unpinSelected()
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    const Pins &pins = m_workbench->experiment().pinsOf(block.target.stage);
    std::vector<CellIndex> pinned;
    for (const CellIndex &cell : block.cells())
        if (!block.target.isLab() && pins.at(cell))
            pinned.push_back(cell);
    if (pinned.empty()) {
        m_workbench->say(tr("None of the selected cells is set by hand."));
        return;
    }
    const QString text = tr("Unpin cells of %1").arg(block.target.name());
    m_workbench->apply(UnpinCells{block.target.stage, std::move(pinned)}, text);
}

void EditController::pinSelected()
{
    const Block block = selectedBlock();
    if (!mayRead(block))
        return;
    if (block.target.isLab()) {
        m_workbench->say(
            tr("Only computed numbers can be pinned; those of a scratch matrix stay as they are."));
        return;
    }
    std::vector<CellValue> cells;
    for (Index i = 0; i < block.rows; ++i)
        for (Index j = 0; j < block.cols; ++j)
            cells.push_back({block.cell(i, j), block.at(i, j)});
    setCells(block.target, std::move(cells));
}

void EditController::addActions(ActionRegistry &actions, QMenu *menu)
{
    const auto add = [&](QMenu *where, const QString &id, const QString &text,
                         const QList<QKeySequence> &keys, auto slot, const QString &icon = {}) {
        connect(actions.add(where, id, text, keys, icon), &QAction::triggered, this, slot);
    };
    add(
        menu, u"edit.cut"_s, tr("Cu&t"), {Qt::CTRL | Qt::Key_X}, [this] { cut(); }, u"cut"_s);
    add(
        menu, u"edit.copy"_s, tr("&Copy"), {Qt::CTRL | Qt::Key_C}, [this] { copy(); }, u"copy"_s);
    add(
        menu, u"edit.paste"_s, tr("&Paste"), {Qt::CTRL | Qt::Key_V}, [this] { paste(); }, u"paste"_s);
    QMenu *forms = menu->addMenu(tr("Copy &as"));
    add(forms, u"edit.copyLabels"_s, tr("&Table with labels"), {Qt::CTRL | Qt::ALT | Qt::Key_C},
        [this] { copy(true); });
    add(forms, u"edit.copyLatex"_s, tr("&LaTeX matrix"), {ActionRegistry::chord(u"C, L"_s)},
        [this] { copyAs(TextForm::Latex); });
    add(forms, u"edit.copyNumpy"_s, tr("&NumPy array"), {ActionRegistry::chord(u"C, N"_s)},
        [this] { copyAs(TextForm::Numpy); });
    add(forms, u"edit.copyMarkdown"_s, tr("&Markdown table"), {ActionRegistry::chord(u"C, M"_s)},
        [this] { copyAs(TextForm::Markdown); });
    add(forms, u"edit.copyDerivation"_s, tr("&Derivation as text"), {Qt::CTRL | Qt::SHIFT | Qt::Key_D},
        [this] { copyDerivation(false); });
    add(forms, u"edit.copyDerivationLatex"_s, tr("Derivation as LaTe&X"), {ActionRegistry::chord(u"C, X"_s)},
        [this] { copyDerivation(true); });
    add(menu, u"edit.clear"_s, tr("C&lear cells"), {Qt::Key_Delete, Qt::Key_Backspace}, [this] { clear(); });
    menu->addSeparator();
    add(menu, u"edit.selectAll"_s, tr("Select &all of the stage"), {Qt::CTRL | Qt::Key_A},
        [this] { selectAll(); });
    add(menu, u"edit.fillDown"_s, tr("Fill &down"), {Qt::CTRL | Qt::Key_D}, [this] { fillDown(); });
    add(menu, u"edit.fillRight"_s, tr("Fill &right"), {Qt::CTRL | Qt::Key_R}, [this] { fillRight(); });
    add(menu, u"edit.fillStage"_s, tr("Fill &whole stage…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_F},
        [this] { askToFillStage(); });
    menu->addSeparator();
    add(
        menu, u"edit.pin"_s, tr("Pi&n at the present value"), {Qt::CTRL | Qt::Key_P},
        [this] { pinSelected(); }, u"pin"_s);
    add(
        menu, u"edit.unpin"_s, tr("Un&pin"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P}, [this] { unpinSelected(); },
        u"unpin"_s);
}

} // namespace attn
