#pragma once

#include "io/Import.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace attn {

/// The conventions of an import in words: layer, batch entry, heads, scale, mask, rotary, positions,
/// precision.
class ImportConventionsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ImportConventionsPanel(QWidget *parent = nullptr);

    void setPlan(const ImportPlan &plan);
    /// Writes what is chosen into the plan; what is typed and no number leaves the plan as it is.
    void applyTo(ImportPlan &plan) const;
    /// Empty when everything typed is a number; else which is not.
    QString problem() const;

signals:
    void changed();

private:
    void buildForm();
    void addSpin(QFormLayout *form, const QString &label, QSpinBox *box, int minimum, const QString &special);
    void connectAll();

    bool m_isFilling = false;
    QComboBox *m_layer;
    QSpinBox *m_batch;
    QSpinBox *m_heads;
    QSpinBox *m_kvHeads;
    QLineEdit *m_scale;
    QCheckBox *m_scoresAreScaled;
    QComboBox *m_mask;
    QCheckBox *m_causal;
    QSpinBox *m_offset;
    QComboBox *m_rotary;
    QLineEdit *m_rotaryBase;
    QSpinBox *m_rotaryDim;
    QComboBox *m_precision;
};

} // namespace attn
