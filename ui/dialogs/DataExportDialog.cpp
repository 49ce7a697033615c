#include "dialogs/DataExportDialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace attn {

namespace {

constexpr int stageRole = Qt::UserRole;
constexpr int headsRole = Qt::UserRole + 1;

} // namespace

DataExportDialog::DataExportDialog(const Snapshot &snapshot, Stage selected, QWidget *parent)
    : QDialog(parent)
    , m_list(new QListWidget(this))
    , m_format(new QComboBox(this))
    , m_hint(new QLabel(this))
{
    setWindowTitle(tr("Export data"));
    m_format->addItem(tr("NumPy archive (.npz)"), int(DataFormat::Npz));
    m_format->addItem(tr("safetensors"), int(DataFormat::Safetensors));
    m_format->addItem(tr("JSON"), int(DataFormat::Json));
    m_format->addItem(tr("NumPy arrays (.npy)"), int(DataFormat::Npy));
    m_format->addItem(tr("CSV with labels"), int(DataFormat::Csv));
    m_list->setAccessibleName(tr("Stages"));
    m_hint->setWordWrap(true);
    m_hint->setMinimumHeight(m_hint->fontMetrics().lineSpacing() * 2);

    auto *form = new QFormLayout;
    form->addRow(tr("&Format:"), m_format);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_exportButton = buttons->addButton(tr("&Export…"), QDialogButtonBox::AcceptRole);
    m_exportButton->setDefault(true);
    QPushButton *all = buttons->addButton(tr("Check &all"), QDialogButtonBox::ActionRole);
    QPushButton *none = buttons->addButton(tr("Check &none"), QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_list);
    layout->addLayout(form);
    layout->addWidget(m_hint);
    layout->addWidget(buttons);

    fillList(snapshot, selected);
    const auto checkAll = [this](Qt::CheckState state) {
        for (int row = 0; row < m_list->count(); ++row)
            m_list->item(row)->setCheckState(state);
    };
    connect(all, &QPushButton::clicked, this, [checkAll] { checkAll(Qt::Checked); });
    connect(none, &QPushButton::clicked, this, [checkAll] { checkAll(Qt::Unchecked); });
    connect(m_list, &QListWidget::itemChanged, this, &DataExportDialog::refresh);
    connect(m_format, &QComboBox::currentIndexChanged, this, &DataExportDialog::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        emit exportWanted(stages(), format(), needsFolder());
        accept();
    });
    refresh();
}

void DataExportDialog::fillList(const Snapshot &snapshot, Stage selected)
{
    for (const StageInfo &info : stageTable()) {
        const StageState &state = snapshot.stage(info.stage);
        if (!state.hasValues())
            continue;
        auto *item = new QListWidgetItem(QStringLiteral("%1   %2").arg(
            QLatin1String(info.name), QString::fromStdString(shapeText(state.values->shape()))));
        item->setData(stageRole, int(info.stage));
        item->setData(headsRole, static_cast<int>(state.values->heads()));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(info.stage == selected ? Qt::Checked : Qt::Unchecked);
        m_list->addItem(item);
    }
}

std::vector<Stage> DataExportDialog::stages() const
{
    std::vector<Stage> stages;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            stages.push_back(static_cast<Stage>(m_list->item(row)->data(stageRole).toInt()));
    return stages;
}

DataFormat DataExportDialog::format() const
{
    return static_cast<DataFormat>(m_format->currentData().toInt());
}

bool DataExportDialog::needsFolder() const
{
    if (format() != DataFormat::Npy && format() != DataFormat::Csv)
        return false;
    if (stages().size() > 1)
        return true;
    if (format() == DataFormat::Npy)
        return false;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked && m_list->item(row)->data(headsRole).toInt() > 1)
            return true;
    return false;
}

void DataExportDialog::refresh()
{
    m_exportButton->setEnabled(!stages().empty());
    if (stages().empty())
        m_hint->setText(tr("Check at least one stage."));
    else if (needsFolder())
        m_hint->setText(tr("One file per matrix, written into a folder of your choice."));
    else if (format() == DataFormat::Npy || format() == DataFormat::Csv)
        m_hint->setText(tr("One file."));
    else
        m_hint->setText(
            tr("One file that keeps labels, mask, scale and pins, and opens again without a question."));
}

} // namespace attn
