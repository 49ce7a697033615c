#pragma once

#include "engine/MatrixFill.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QLabel;
class QPushButton;
class QSpinBox;

namespace attn {

/// Asks what to fill a matrix with; the numbers stay as typed, so a fill can be repeated with another seed.
class FillDialog : public QDialog
{
    Q_OBJECT

public:
    /// `matrix`: its name and shape for the title, "W^Q, 6×6". Transpose is offered for square matrices.
    FillDialog(const QString &matrix, bool isSquare, QWidget *parent = nullptr);

    MatrixFill fill() const;

signals:
    void filled(const attn::MatrixFill &fill);

private:
    void refresh();

    QComboBox *m_kind;
    QLineEdit *m_first;
    QLineEdit *m_second;
    QLabel *m_firstLabel;
    QLabel *m_secondLabel;
    QSpinBox *m_seed;
    QLabel *m_problem;
    QPushButton *m_fillButton;
};

} // namespace attn
