#pragma once

#include "io/Import.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;

namespace attn {

class ImportPreview;

/// One tensor of a file: what it is used as, what its axes are, how it is stored, and the matrix that comes
/// of it.
class ImportTensorPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ImportTensorPanel(std::shared_ptr<const TensorFile> file, QWidget *parent = nullptr);

    /// Shows a slot of the plan; the preview is that of the plan's layer and batch entry.
    void showSlot(const ImportPlan &plan, int slot);
    ImportSlot slot() const { return m_slot; }

signals:
    void stageChosen();
    void slotChanged();

private:
    void buildForm();
    void showAxes();
    void onStageChosen();
    void onDetailChanged();
    void showPreview();
    QString previewProblem();

    std::shared_ptr<const TensorFile> m_file;
    ImportPlan m_plan;
    ImportSlot m_slot;
    bool m_isFilling = false;
    QLabel *m_name;
    QComboBox *m_stage;
    QHBoxLayout *m_axesLayout;
    std::vector<QComboBox *> m_axes;
    QCheckBox *m_transposed;
    QCheckBox *m_reference;
    QLabel *m_previewTitle;
    ImportPreview *m_preview;
    std::shared_ptr<const FileTensor> m_loaded; ///< of the shown slot
};

} // namespace attn
