#pragma once

#include "engine/Edit.h"
#include "views/masks/MaskChoice.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace attn {

class WrapLayout;

/// The rows of controls above the masks: what is painted with what, patterns, the parts that are settings,
/// and what the mask is compared with. Knows no document.
class MaskControls : public QWidget
{
    Q_OBJECT

public:
    explicit MaskControls(QWidget *parent = nullptr);

    void show(const MaskChoice &choice, const Experiment &experiment, Index head);

signals:
    void chosen(const attn::MaskChoice &choice);
    void headChosen(int head);
    void editWanted(const attn::Edit &edit, const QString &text);
    void stampWanted();
    void invertWanted();
    void additiveWanted();
    void booleanWanted();
    void keepWanted();

private:
    void addLabelled(WrapLayout *row, const QString &text, QWidget *field);
    void addAction(WrapLayout *row, const QString &id, const QString &text, const QString &shortText,
                   const QString &tip, void (MaskControls::*signal)());
    void buildBrush(WrapLayout *row);
    void buildPatterns(WrapLayout *row);
    void buildParts(WrapLayout *row);
    void buildComparison(WrapLayout *row);
    void choose(const std::function<void(MaskChoice &)> &change);
    void applyWindow();
    void readNumber();
    void showParts(const Experiment &experiment, Index head);

    MaskChoice m_choice;
    bool m_isRefreshing = false;
    QComboBox *m_mask;
    QComboBox *m_ink;
    QLineEdit *m_number;
    QComboBox *m_scope;
    QCheckBox *m_rectangles;
    QComboBox *m_stamp;
    QSpinBox *m_stampSize;
    QCheckBox *m_causal;
    QCheckBox *m_window;
    QSpinBox *m_windowLeft;
    QSpinBox *m_windowRight;
    QSpinBox *m_offset;
    QComboBox *m_convention;
    QComboBox *m_against;
    QComboBox *m_head;
};

} // namespace attn
