#include "dialogs/ImportWizard.h"

#include "base/CheckedInt.h"
#include "dialogs/ImportCheck.h"
#include "dialogs/ImportConventionsPanel.h"
#include "dialogs/ImportTensorPanel.h"
#include "dialogs/ImportTexts.h"
#include "render/LabelText.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace attn {

namespace {

enum ListColumn
{
    NameColumn,
    TypeColumn,
    ShapeColumn,
    UseColumn,
    LayerColumn,
};

QString stageList(const std::map<Stage, Tensor> &stages)
{
    QStringList names;
    for (const auto &[stage, tensor] : stages)
        names.append(QLatin1String(stageName(stage)));
    return names.join(QStringLiteral(", "));
}

} // namespace

ImportWizard::ImportWizard(std::shared_ptr<const TensorFile> file, ImportPlan plan, QWidget *parent)
    : QDialog(parent)
    , m_file(std::move(file))
    , m_plan(std::move(plan))
    , m_fileLabels(m_plan.labels)
    , m_check(new ImportCheck(m_file, this))
    , m_list(new QTreeWidget(this))
    , m_tensor(new ImportTensorPanel(m_file, this))
    , m_conventions(new ImportConventionsPanel(this))
    , m_labels(new QLineEdit(this))
    , m_labelsHint(new QLabel(this))
    , m_sentences(new QPlainTextEdit(this))
    , m_verdict(new QLabel(this))
{
    setWindowTitle(tr("Import %1").arg(importTitle(*m_file)));
    buildLayout();
    fillList();
    m_conventions->setPlan(m_plan);
    showLabels();
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ImportWizard::onTensorSelected);
    connect(m_tensor, &ImportTensorPanel::stageChosen, this, &ImportWizard::onStageChosen);
    connect(m_tensor, &ImportTensorPanel::slotChanged, this, &ImportWizard::onSlotChanged);
    connect(m_conventions, &ImportConventionsPanel::changed, this, &ImportWizard::onConventionsChanged);
    connect(m_labels, &QLineEdit::textChanged, this, &ImportWizard::onLabelsTyped);
    connect(m_check, &ImportCheck::started, this, [this] {
        m_result.reset();
        m_import->setEnabled(false);
        m_verdict->setText(tr("Reading the tensors…"));
    });
    connect(m_check, &ImportCheck::finished, this, &ImportWizard::onChecked);
    // The first tensor that is used has a preview.
    const auto used = std::find_if(m_plan.tensors.begin(), m_plan.tensors.end(),
                                   [](const ImportSlot &slot) { return slot.stage.has_value(); });
    const auto first = used == m_plan.tensors.end() ? 0 : used - m_plan.tensors.begin();
    if (m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(static_cast<int>(first)));
    m_list->setFocus();
    check();
}

void ImportWizard::buildLayout()
{
    auto *splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(leftSide());
    splitter->addWidget(rightSide());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setMinimumHeight(m_verdict->fontMetrics().lineSpacing() * 2);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_import = buttons->addButton(tr("&Import"), QDialogButtonBox::AcceptRole);
    m_import->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (!m_result)
            return;
        emit importWanted(m_plan, m_result);
        accept();
    });
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_verdict);
    layout->addWidget(buttons);
    const QRect room = screen()->availableGeometry();
    resize(QSize(1080, 720).boundedTo(room.size() - QSize(16, 64))); // the window's own frame
}

QWidget *ImportWizard::leftSide()
{
    m_list->setHeaderLabels({tr("Tensor"), tr("Type"), tr("Shape"), tr("Used as"), tr("Layer")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setAccessibleName(tr("Tensors of the file"));
    auto *title = new QLabel(tr("T&ensors of the file:"), this);
    title->setBuddy(m_list);
    auto *upper = new QWidget(this);
    auto *upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins({});
    upperLayout->addWidget(title);
    upperLayout->addWidget(m_list);
    auto *left = new QSplitter(Qt::Vertical, this);
    left->addWidget(upper);
    left->addWidget(m_tensor);
    left->setChildrenCollapsible(false);
    return left;
}

QWidget *ImportWizard::rightSide()
{
    m_labels->setPlaceholderText(m_fileLabels.empty() ? tr("none: the tokens are numbered")
                                                      : tr("those of the file"));
    m_labels->setToolTip(
        tr("One label for each token, divided by blanks; in \"double quotes\" a label keeps its blanks."));
    m_labelsHint->setWordWrap(true);
    m_labelsHint->setTextFormat(Qt::PlainText);
    m_sentences->setReadOnly(true);
    m_sentences->setTabChangesFocus(true);
    m_sentences->setMinimumHeight(m_sentences->fontMetrics().lineSpacing() * 7);
    m_sentences->setAccessibleName(tr("Questions, guesses and notes"));
    auto *labelsTitle = new QLabel(tr("Token &labels:"), this);
    labelsTitle->setBuddy(m_labels);
    auto *fromFile = new QPushButton(tr("&From a file…"), this);
    fromFile->setAutoDefault(false);
    connect(fromFile, &QPushButton::clicked, this, &ImportWizard::askForLabelFile);
    auto *labelsRow = new QHBoxLayout;
    labelsRow->addWidget(m_labels, 1);
    labelsRow->addWidget(fromFile);
    auto *sentencesTitle = new QLabel(tr("What was &guessed, and what to check:"), this);
    sentencesTitle->setBuddy(m_sentences);
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->addWidget(sentencesTitle);
    layout->addWidget(m_sentences, 1);
    layout->addWidget(m_conventions);
    layout->addWidget(labelsTitle);
    layout->addLayout(labelsRow);
    layout->addWidget(m_labelsHint);
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setMinimumWidth(page->minimumSizeHint().width() +
                            scroll->verticalScrollBar()->sizeHint().width());
    return scroll;
}

void ImportWizard::fillList()
{
    for (const ImportSlot &slot : m_plan.tensors) {
        auto *item = new QTreeWidgetItem(m_list);
        const auto index = m_file->find(slot.tensor);
        item->setText(NameColumn, QString::fromStdString(slot.tensor));
        if (!index)
            continue;
        const FileTensorInfo &info = m_file->entries()[*index];
        item->setText(TypeColumn,
                      info.unsupported.empty() ? QString::fromLatin1(dtypeName(info.dtype)) : tr("not read"));
        item->setText(ShapeColumn, fileShapeText(info.shape));
        if (!info.unsupported.empty())
            item->setToolTip(NameColumn, QString::fromStdString(info.unsupported));
    }
    refreshList();
    for (int column = 0; column < m_list->columnCount(); ++column)
        m_list->resizeColumnToContents(column);
    m_list->setColumnHidden(LayerColumn, m_plan.layerNames.empty());
}

void ImportWizard::refreshList()
{
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        const ImportSlot &slot = m_plan.tensors[static_cast<std::size_t>(i)];
        QTreeWidgetItem *item = m_list->topLevelItem(i);
        QString use = slot.stage ? QString::fromLatin1(stageName(*slot.stage)) : tr("–");
        if (slot.stage && slot.columns)
            use = tr("%1 (columns %2 to %3)").arg(use).arg(slot.columns->begin).arg(slot.columns->end - 1);
        else if (slot.stage && slot.head)
            use = tr("%1 (head %2)").arg(use).arg(*slot.head);
        if (slot.stage && slot.isReference)
            use = tr("%1, to compare").arg(use);
        item->setText(UseColumn, use);
        const bool hasName = slot.layer && static_cast<std::size_t>(*slot.layer) < m_plan.layerNames.size();
        item->setText(LayerColumn, hasName ? QString::fromStdString(
                                                 m_plan.layerNames[static_cast<std::size_t>(*slot.layer)])
                                           : QString());
        item->setDisabled(slot.layer && *slot.layer != m_plan.layer);
    }
    showSentences();
}

void ImportWizard::showSentences()
{
    QStringList lines;
    const auto addSection = [&lines](const QString &title, const std::vector<std::string> &sentences) {
        if (sentences.empty())
            return;
        lines.append(title);
        for (const std::string &sentence : sentences)
            lines.append(QStringLiteral("• ") + QString::fromStdString(sentence));
    };
    addSection(tr("Please check:"), m_plan.questions);
    addSection(tr("Guessed:"), m_plan.guesses);
    std::vector<std::string> notes = m_plan.notes;
    if (m_result)
        notes.insert(notes.end(), m_result->notes.begin(), m_result->notes.end());
    addSection(tr("Notes:"), notes);
    if (const QString text = lines.join(u'\n'); text != m_sentences->toPlainText())
        m_sentences->setPlainText(text);
}

int ImportWizard::currentSlot() const
{
    return m_list->indexOfTopLevelItem(m_list->currentItem());
}

void ImportWizard::onTensorSelected()
{
    if (currentSlot() >= 0)
        m_tensor->showSlot(m_plan, currentSlot());
}

void ImportWizard::onStageChosen()
{
    if (currentSlot() < 0)
        return;
    m_plan.tensors[static_cast<std::size_t>(currentSlot())] = m_tensor->slot();
    markReferences(m_plan);
    m_tensor->showSlot(m_plan, currentSlot());
    check();
}

void ImportWizard::onSlotChanged()
{
    if (currentSlot() < 0)
        return;
    m_plan.tensors[static_cast<std::size_t>(currentSlot())] = m_tensor->slot();
    check();
}

void ImportWizard::onConventionsChanged()
{
    const bool wasRotary = m_plan.rotary.has_value();
    const bool wereScaled = m_plan.scoresAreScaled;
    const Index layer = m_plan.layer;
    const Index batch = m_plan.batch;
    m_conventions->applyTo(m_plan);
    showLabels();
    if (wasRotary != m_plan.rotary.has_value() || wereScaled != m_plan.scoresAreScaled)
        markReferences(m_plan);
    if ((layer != m_plan.layer || batch != m_plan.batch) && currentSlot() >= 0)
        m_tensor->showSlot(m_plan, currentSlot());
    check();
}

void ImportWizard::onLabelsTyped()
{
    const std::vector<std::string> labels = labelsFromLine(m_labels->text().toStdString());
    if (labels.empty())
        m_plan.labels = m_fileLabels;
    else
        m_plan.labels = {{{}, labels, {}}};
    showLabels();
    check();
}

/// What the tokens will be called, so that nobody has to guess what is meant by the field.
void ImportWizard::showLabels()
{
    constexpr std::size_t mostNamed = 8;
    if (m_plan.labels.empty()) {
        m_labelsHint->setText(
            tr("Type one label for each token, divided by blanks, or take them from a file."));
        return;
    }
    const LabelSet &set = m_plan.labels[std::min(static_cast<std::size_t>(std::max<Index>(m_plan.batch, 0)),
                                                 m_plan.labels.size() - 1)];
    const std::vector<std::string> &tokens = set.tokens.empty() ? set.tokensKv : set.tokens;
    QStringList names;
    for (std::size_t i = 0; i < std::min(tokens.size(), mostNamed); ++i)
        names.append(visibleLabel(QString::fromStdString(tokens[i])));
    if (tokens.size() > mostNamed)
        names.append(QStringLiteral("…"));
    const QString shown = names.join(QStringLiteral(" · "));
    m_labelsHint->setText(tokens.size() == 1
                              ? tr("One label: %1").arg(shown)
                              : tr("%n labels: %1", nullptr, static_cast<int>(tokens.size())).arg(shown));
}

void ImportWizard::askForLabelFile()
{
    auto *dialog = new QFileDialog(this, tr("Token labels"), QFileInfo(m_file->path).absolutePath(),
                                   tr("Labels (*.json *.txt *.csv *.tsv *.npy);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ImportWizard::loadLabels);
    dialog->open();
}

void ImportWizard::loadLabels(const QString &path)
{
    auto labels = labelsFromFile(path);
    if (!labels) {
        m_labelsHint->setText(QString::fromStdString(labels.error().message));
        return;
    }
    m_plan.labels = std::move(*labels);
    m_fileLabels = m_plan.labels;
    m_labels->clear();
    m_labels->setPlaceholderText(tr("those of %1").arg(QFileInfo(path).fileName()));
    showLabels();
    check();
}

void ImportWizard::check()
{
    if (const QString problem = m_conventions->problem(); !problem.isEmpty())
        onChecked(nullptr, problem);
    else
        m_check->check(m_plan);
}

void ImportWizard::onChecked(const std::shared_ptr<const ImportResult> &result, const QString &problem)
{
    m_result = result;
    m_import->setEnabled(result != nullptr);
    m_verdict->setText(result ? summaryOf(*result) : problem);
    m_verdict->setAccessibleName(result ? tr("Ready to import") : tr("Cannot be imported"));
    refreshList();
}

QString ImportWizard::summaryOf(const ImportResult &result) const
{
    const Experiment &experiment = result.experiment;
    const Index queries = experiment.tokens.size();
    const Index keys = experiment.keyTokens().size();
    const Index heads = experiment.nHeads;
    const Index kvHeads = experiment.nKvHeads;
    const QStringList sizes = {
        queries == 1 ? tr("one query") : tr("%n queries", nullptr, toInt(queries)),
        keys == 1 ? tr("one key") : tr("%n keys", nullptr, toInt(keys)),
        heads == 1 ? tr("one head") : tr("%n heads", nullptr, toInt(heads)),
        kvHeads == 1 ? tr("one key/value head") : tr("%n key/value heads", nullptr, toInt(kvHeads)),
    };
    QString text =
        tr("Ready: %1; given: %2.").arg(sizes.join(QStringLiteral(", ")), stageList(experiment.given));
    if (!result.reference.empty())
        text += u' ' + tr("To compare with: %1.").arg(stageList(result.reference));
    return text;
}

} // namespace attn
