#pragma once

#include "engine/Stage.h"

#include <QScrollArea>

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace attn {

class ExperimentController;
class Workbench;

/// The settings of the experiment and of how its numbers are shown, as a form with immediate effect.
class ExperimentPanel : public QScrollArea
{
    Q_OBJECT

public:
    ExperimentPanel(Workbench *workbench, ExperimentController *controller, QWidget *parent = nullptr);

private:
    void addHeadFields(QFormLayout *form);
    void addScaleFields(QFormLayout *form);
    void addMaskFields(QFormLayout *form);
    void addRotaryFields(QFormLayout *form);
    void addDisplayFields(QFormLayout *form);
    void addRangeFields(QFormLayout *form);

    void refreshExperiment();
    void refreshDisplay();
    void applyHeads();
    void applyScale();
    void applyWindow();
    void applyRotary();
    void applyRange();
    /// Changes the view state by a function of it.
    template<typename Change>
    void changeView(Change change);

    Workbench *m_workbench;
    ExperimentController *m_controller;
    QSpinBox *m_heads;
    QSpinBox *m_kvHeads;
    QComboBox *m_scale;
    QLineEdit *m_scaleNumber;
    QCheckBox *m_causal;
    QCheckBox *m_window;
    QSpinBox *m_windowLeft;
    QSpinBox *m_windowRight;
    QSpinBox *m_qOffset;
    std::vector<std::pair<Stage, QCheckBox *>> m_maskMatrices;
    QComboBox *m_rotary;
    QLineEdit *m_rotaryBase;
    QSpinBox *m_rotaryDim;
    QComboBox *m_precision;
    QSpinBox *m_decimals;
    QComboBox *m_sequentialMap;
    QComboBox *m_divergingMap;
    QComboBox *m_pooling;
    QCheckBox *m_tileHeads;
    QComboBox *m_rangeMode;
    QLineEdit *m_rangeMinimum;
    QLineEdit *m_rangeMaximum;
    bool m_refreshing = false;
};

} // namespace attn
