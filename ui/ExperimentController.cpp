#include "ExperimentController.h"

#include "MessageBoxWidth.h"
#include "Workbench.h"
#include "base/CheckedInt.h"
#include "base/NumberText.h"
#include "base/SystemMemory.h"
#include "engine/edits/AxisChange.h"
#include "engine/heads/KvWeights.h"
#include "render/LabelText.h"

#include <QInputDialog>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

namespace attn {

namespace {

QString maskName(Stage stage)
{
    return QString::fromUtf8(stageName(stage));
}

/// A mask matrix that hides nothing: everything allowed, nothing added, every key real.
Tensor openMask(const Experiment &experiment, Stage stage)
{
    const Sizes sizes = sizesOf(experiment);
    switch (stage) {
    case Stage::MaskPadding:
        return Tensor::filled({1, 1, sizes.nK}, 1.0);
    case Stage::MaskAlibi:
        return defaultAlibiSlopes(experiment.nHeads);
    case Stage::MaskAdd:
        return Tensor::zeros({1, sizes.nQ, sizes.nK});
    default:
        return Tensor::filled({1, sizes.nQ, sizes.nK}, 1.0);
    }
}

std::optional<Index> limitFrom(const QString &text, bool &ok)
{
    if (text.isEmpty() || text == QStringLiteral("∞") || text == QStringLiteral("inf"))
        return std::nullopt;
    const qlonglong number = text.toLongLong(&ok);
    ok = ok && number >= 0;
    return static_cast<Index>(number);
}

} // namespace

ExperimentController::ExperimentController(Workbench *workbench, QWidget *window)
    : QObject(window)
    , m_workbench(workbench)
    , m_window(window)
{
}

void ExperimentController::setHeads(Index nHeads, Index nKvHeads)
{
    const Experiment &experiment = m_workbench->experiment();
    if (nHeads == experiment.nHeads && nKvHeads == experiment.nKvHeads)
        return;
    SetHeads edit{nHeads, nKvHeads, kvWeightsFor(experiment, nHeads, nKvHeads)};
    m_workbench->apply(edit, nKvHeads == nHeads ? tr("Set heads: %1").arg(nHeads)
                                                : tr("Set heads: %1, %2 KV").arg(nHeads).arg(nKvHeads));
}

void ExperimentController::setScale(std::optional<double> scale)
{
    m_workbench->apply(SetScale{scale},
                       scale ? tr("Set scale %1").arg(QString::fromStdString(shortestText(*scale)))
                             : tr("Set scale 1/√d_k"));
}

void ExperimentController::setCausal(bool causal)
{
    m_workbench->apply(SetCausal{causal}, causal ? tr("Turn causal mask on") : tr("Turn causal mask off"));
}

void ExperimentController::setWindow(std::optional<Window> window)
{
    m_workbench->apply(SetWindow{window},
                       window ? tr("Set attention window") : tr("Remove attention window"));
}

void ExperimentController::setQOffset(Index offset)
{
    m_workbench->apply(SetQOffset{offset}, tr("Set query offset %1").arg(offset));
}

void ExperimentController::setRotary(std::optional<Rotary> rotary)
{
    m_workbench->apply(SetRotary{rotary},
                       rotary ? tr("Set rotary embedding") : tr("Remove rotary embedding"));
}

void ExperimentController::setPrecision(Precision precision)
{
    m_workbench->apply(SetPrecision{precision},
                       precision == Precision::Float64 ? tr("Compute in float64") : tr("Compute in float32"));
}

void ExperimentController::setMaskMatrix(Stage stage, bool present)
{
    const Experiment &experiment = m_workbench->experiment();
    if (experiment.isGiven(stage) == present)
        return;
    SetTensor edit{stage, present ? openMask(experiment, stage) : Tensor()};
    const QString text = present ? tr("Add %1").arg(maskName(stage)) : tr("Remove %1").arg(maskName(stage));
    if (m_workbench->apply(edit, text) && present)
        m_workbench->select(stage, {});
}

QString ExperimentController::headsText() const
{
    const Experiment &experiment = m_workbench->experiment();
    const QString heads = tr("heads: %1").arg(experiment.nHeads);
    if (experiment.nKvHeads == experiment.nHeads)
        return heads;
    return tr("%1, %2 KV").arg(heads).arg(experiment.nKvHeads);
}

QString ExperimentController::scaleText() const
{
    const std::optional<double> scale = m_workbench->experiment().scale;
    if (!scale)
        return tr("scale 1/√d_k");
    return *scale == 1.0 ? tr("no scale")
                         : tr("scale %1").arg(QString::fromStdString(displayText(*scale, 4)));
}

QString ExperimentController::maskText() const
{
    const Experiment &experiment = m_workbench->experiment();
    QStringList parts;
    if (experiment.causal)
        parts.append(tr("causal"));
    if (experiment.window)
        parts.append(tr("window"));
    if (experiment.isGiven(Stage::MaskPadding))
        parts.append(tr("padding"));
    if (experiment.isGiven(Stage::MaskBool))
        parts.append(tr("boolean"));
    if (experiment.isGiven(Stage::MaskAdd))
        parts.append(tr("additive"));
    if (experiment.isGiven(Stage::MaskAlibi))
        parts.append(tr("ALiBi"));
    return parts.isEmpty() ? tr("no mask") : tr("mask: %1").arg(parts.join(QStringLiteral(", ")));
}

std::optional<ExperimentController::SelectedToken> ExperimentController::selectedToken() const
{
    const Selection *selection = m_workbench->selection();
    const StageInfo &info = stageInfo(selection->stage());
    const Experiment &experiment = m_workbench->experiment();
    const auto token = [&](Axis axis, Index index) -> std::optional<SelectedToken> {
        const bool isKey = axis == Axis::Key && !experiment.isSelfAttention();
        const TokenList &tokens = isKey ? *experiment.tokensKv : experiment.tokens;
        if (index >= tokens.size())
            return std::nullopt;
        return SelectedToken{isKey ? TokenSide::KeyValue : TokenSide::Query, index, tokens.size(),
                             QString::fromStdString(tokens.at(index))};
    };
    if (info.rows == Axis::Query || info.rows == Axis::Key)
        return token(info.rows, selection->cell().row);
    if (info.cols == Axis::Query || info.cols == Axis::Key)
        return token(info.cols, selection->cell().col);
    m_workbench->say(tr("Select a cell in a row or column that belongs to a token first."));
    return std::nullopt;
}

std::optional<ExperimentController::SelectedDimension> ExperimentController::selectedDimension() const
{
    const Selection *selection = m_workbench->selection();
    const StageInfo &info = stageInfo(selection->stage());
    const Sizes sizes = sizesOf(m_workbench->experiment());
    const auto dimension = [&](Axis axis, Index index) -> std::optional<SelectedDimension> {
        switch (axis) {
        case Axis::Model:
        case Axis::ModelKv:
        case Axis::OutputWidth:
            return SelectedDimension{axis, index};
        case Axis::QueryWidth:
        case Axis::KeyWidth:
        case Axis::HeadKey:
            return SelectedDimension{Axis::HeadKey, sizes.dHeadK > 0 ? index % sizes.dHeadK : 0};
        case Axis::ValueWidth:
        case Axis::ConcatWidth:
        case Axis::HeadValue:
            return SelectedDimension{Axis::HeadValue, sizes.dHeadV > 0 ? index % sizes.dHeadV : 0};
        default:
            return std::nullopt;
        }
    };
    if (const auto found = dimension(info.cols, selection->cell().col))
        return found;
    if (const auto found = dimension(info.rows, selection->cell().row))
        return found;
    m_workbench->say(tr("Select a cell in a column that belongs to a feature first."));
    return std::nullopt;
}

void ExperimentController::askForText(const QString &title, const QString &label, const QString &start,
                                      std::function<void(const QString &)> then)
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setWindowTitle(title);
    dialog->setLabelText(label);
    dialog->setTextValue(start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QInputDialog::textValueSelected, this, std::move(then));
    dialog->open();
}

void ExperimentController::askForScale()
{
    const Sizes sizes = sizesOf(m_workbench->experiment());
    askForText(tr("Scale"), tr("Scores are multiplied by:"),
               QString::fromStdString(shortestText(sizes.scale)), [this](const QString &text) {
                   const auto number = parseNumber(text.toStdString());
                   if (number)
                       setScale(number);
                   else
                       m_workbench->say(tr("“%1” is not a number; the scale stays.").arg(text));
               });
}

void ExperimentController::askForWindow()
{
    const std::optional<Window> window = m_workbench->experiment().window;
    const auto limitText = [](std::optional<Index> limit) {
        return limit ? QString::number(*limit) : QStringLiteral("∞");
    };
    const QString start = window ? limitText(window->left) + QStringLiteral(", ") + limitText(window->right)
                                 : QStringLiteral("1, 1");
    askForText(tr("Attention window"),
               tr("Keys to the left, to the right (∞ = no limit, empty = no window):"), start,
               [this](const QString &text) {
                   if (text.trimmed().isEmpty()) {
                       setWindow(std::nullopt);
                       return;
                   }
                   const QStringList parts = text.split(u',');
                   bool leftOk = true;
                   bool rightOk = true;
                   Window wanted;
                   wanted.left = limitFrom(parts.value(0).trimmed(), leftOk);
                   wanted.right = limitFrom(parts.value(1).trimmed(), rightOk);
                   if (parts.size() == 2 && leftOk && rightOk)
                       setWindow(wanted);
                   else
                       m_workbench->say(tr("“%1” is no window; write, for example, 2, 0.").arg(text));
               });
}

void ExperimentController::askForNotes()
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Notes"));
    dialog->setLabelText(tr("Notes on this document:"));
    dialog->setOption(QInputDialog::UsePlainTextEditForTextInput);
    dialog->setTextValue(QString::fromStdString(m_workbench->experiment().notes));
    dialog->resize(480, 320);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &text) {
        m_workbench->apply(SetNotes{text.toStdString()}, tr("Change notes"));
    });
    dialog->open();
}

void ExperimentController::changeTokens(TokenSide side, const QString &title,
                                        const std::function<void()> &change)
{
    const double bytes = bytesReadByTokenEdit(m_workbench->experiment(), side);
    if (bytes == 0.0)
        return change();
    constexpr double megabyte = 1e6;
    const QString needed = QLocale().toString(bytes / megabyte, 'f', 0);
    if (bytes > systemMemoryBytes()) {
        m_workbench->say(
            tr("This would read %1 MB from the file into memory, more than this computer has.").arg(needed));
        return;
    }
    auto *box = new QMessageBox(QMessageBox::Question, title,
                                tr("Numbers of this document lie in a file of their own."),
                                QMessageBox::Ok | QMessageBox::Cancel, m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Another list of tokens moves them: %1 MB are read into memory, and the "
                               "document no longer refers to the file for them.")
                                .arg(needed));
    box->button(QMessageBox::Ok)->setText(tr("&Continue"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    widenMessageBox(box);
    connect(box, &QMessageBox::finished, this, [change](int answer) {
        if (answer == QMessageBox::Ok)
            change();
    });
    box->open();
}

void ExperimentController::insertToken(int step)
{
    const auto token = selectedToken();
    if (!token)
        return;
    askForText(tr("Insert token"), tr("Token:"), {}, [this, token, step](const QString &label) {
        changeTokens(token->side, tr("Insert token"), [this, token, step, label] {
            m_workbench->apply(InsertToken{token->side, token->index + step, label.toStdString(), {}},
                               tr("Insert token “%1”").arg(visibleLabel(label)));
        });
    });
}

void ExperimentController::deleteToken()
{
    const auto token = selectedToken();
    if (!token)
        return;
    changeTokens(token->side, tr("Delete token"), [this, token] {
        m_workbench->apply(DeleteToken{token->side, token->index},
                           tr("Delete token “%1”").arg(visibleLabel(token->label)));
    });
}

void ExperimentController::renameToken()
{
    const auto token = selectedToken();
    if (!token)
        return;
    askForText(tr("Rename token"), tr("Token:"), token->label, [this, token](const QString &label) {
        m_workbench->apply(RenameToken{token->side, token->index, label.toStdString()},
                           tr("Rename token “%1”").arg(visibleLabel(token->label)));
    });
}

void ExperimentController::moveToken(int step)
{
    const auto token = selectedToken();
    if (!token)
        return;
    const Index to = token->index + step;
    if (to < 0 || to >= token->count)
        return;
    changeTokens(token->side, tr("Move token"), [this, token, to] {
        if (!m_workbench->apply(MoveToken{token->side, token->index, to},
                                tr("Move token “%1”").arg(visibleLabel(token->label))))
            return;
        const Selection *selection = m_workbench->selection();
        const Axis rows = stageInfo(selection->stage()).rows;
        CellIndex cell = selection->cell();
        (rows == Axis::Query || rows == Axis::Key ? cell.row : cell.col) = to;
        m_workbench->select(selection->stage(), cell);
    });
}

void ExperimentController::insertDimension()
{
    if (const auto dimension = selectedDimension())
        m_workbench->apply(InsertDimension{dimension->axis, dimension->index + 1}, tr("Insert dimension"));
}

void ExperimentController::deleteDimension()
{
    if (const auto dimension = selectedDimension())
        m_workbench->apply(DeleteDimension{dimension->axis, dimension->index}, tr("Delete dimension"));
}

} // namespace attn
