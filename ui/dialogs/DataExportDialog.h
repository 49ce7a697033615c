#pragma once

#include "engine/Snapshot.h"
#include "io/StageExport.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;

namespace attn {

/// Asks which stages to write as numbers and in which format.
class DataExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// Lists the stages that have values; `selected` is checked at the start.
    DataExportDialog(const Snapshot &snapshot, Stage selected, QWidget *parent = nullptr);

    std::vector<Stage> stages() const;
    DataFormat format() const;
    /// npy and csv hold one matrix a file: more than one stage, or csv with heads, goes into a folder.
    bool needsFolder() const;

signals:
    void exportWanted(const std::vector<attn::Stage> &stages, attn::DataFormat format, bool intoFolder);

private:
    void fillList(const Snapshot &snapshot, Stage selected);
    void refresh();

    QListWidget *m_list;
    QComboBox *m_format;
    QLabel *m_hint;
    QPushButton *m_exportButton;
};

} // namespace attn
