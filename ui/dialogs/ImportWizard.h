#pragma once

#include "io/Import.h"

#include <QDialog>

#include <memory>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTreeWidget;

namespace attn {

class ImportCheck;
class ImportConventionsPanel;
class ImportTensorPanel;

/// Shows what was guessed about a tensor file and lets the user correct it: the stage, axes and orientation
/// of each tensor, the conventions, the token labels. Every change is tried out at once; what does not work
/// is said in place, and only a plan that works can be accepted.
class ImportWizard : public QDialog
{
    Q_OBJECT

public:
    ImportWizard(std::shared_ptr<const TensorFile> file, ImportPlan plan, QWidget *parent = nullptr);

    const ImportPlan &plan() const { return m_plan; }
    /// Of the plan as it is; null while it is being tried out and when it does not work.
    const std::shared_ptr<const ImportResult> &result() const { return m_result; }

    /// Takes the labels from a file; a message in the dialog when there are none.
    void loadLabels(const QString &path);

signals:
    /// The dialog was accepted.
    void importWanted(const attn::ImportPlan &plan, const std::shared_ptr<const attn::ImportResult> &result);

private:
    void buildLayout();
    QWidget *leftSide();
    QWidget *rightSide();
    void fillList();
    void refreshList();
    void showSentences();
    int currentSlot() const;
    void onTensorSelected();
    void onStageChosen();
    void onSlotChanged();
    void onConventionsChanged();
    void onLabelsTyped();
    void showLabels();
    void askForLabelFile();
    void check();
    void onChecked(const std::shared_ptr<const ImportResult> &result, const QString &problem);
    QString summaryOf(const ImportResult &result) const;

    std::shared_ptr<const TensorFile> m_file;
    ImportPlan m_plan;
    std::vector<LabelSet> m_fileLabels; ///< of the file, or of the file of labels: used unless some are typed
    std::shared_ptr<const ImportResult> m_result;
    ImportCheck *m_check;
    QTreeWidget *m_list;
    ImportTensorPanel *m_tensor;
    ImportConventionsPanel *m_conventions;
    QLineEdit *m_labels;
    QLabel *m_labelsHint;
    QPlainTextEdit *m_sentences;
    QLabel *m_verdict;
    QPushButton *m_import = nullptr;
};

} // namespace attn
