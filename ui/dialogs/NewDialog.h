#pragma once

#include "engine/NewExperiment.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace attn {

/// Asks what a new experiment should look like: tokens by a sentence or a count, sizes, heads, and what fills
/// it.
class NewDialog : public QDialog
{
    Q_OBJECT

public:
    explicit NewDialog(QWidget *parent = nullptr);

    NewExperimentOptions options() const;

signals:
    /// The dialog was accepted; the experiment is valid.
    void created(const attn::Experiment &experiment);

private:
    QSpinBox *sizeBox(int value, int minimum, const QString &name);
    void buildForm();
    void refresh();
    void create();

    QLineEdit *m_sentence;
    QSpinBox *m_count;
    QCheckBox *m_isCross;
    QLineEdit *m_sentenceKv;
    QComboBox *m_start;
    QComboBox *m_content;
    QSpinBox *m_seed;
    QSpinBox *m_dModel;
    QSpinBox *m_heads;
    QSpinBox *m_kvHeads;
    QSpinBox *m_dHeadK;
    QSpinBox *m_dHeadV;
    QSpinBox *m_dOut;
    QCheckBox *m_causal;
    QComboBox *m_precision;
    QLabel *m_summary;
    QPushButton *m_createButton = nullptr;
};

} // namespace attn
