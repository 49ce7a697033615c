#include "dialogs/FillDialog.h"

#include "base/NumberText.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace attn {

FillDialog::FillDialog(const QString &matrix, bool isSquare, QWidget *parent)
    : QDialog(parent)
    , m_kind(new QComboBox(this))
    , m_first(new QLineEdit(this))
    , m_second(new QLineEdit(this))
    , m_firstLabel(new QLabel(this))
    , m_secondLabel(new QLabel(this))
    , m_seed(new QSpinBox(this))
    , m_problem(new QLabel(this))
{
    setWindowTitle(tr("Fill %1").arg(matrix));
    m_kind->addItem(tr("Zeros"), int(MatrixFill::Kind::Zeros));
    m_kind->addItem(tr("Identity"), int(MatrixFill::Kind::Identity));
    m_kind->addItem(tr("Random, uniform"), int(MatrixFill::Kind::Uniform));
    m_kind->addItem(tr("Random, normal"), int(MatrixFill::Kind::Normal));
    m_kind->addItem(tr("One-hot rows"), int(MatrixFill::Kind::OneHot));
    if (isSquare)
        m_kind->addItem(tr("Transposed"), int(MatrixFill::Kind::Transpose));
    m_seed->setRange(0, std::numeric_limits<int>::max());
    m_seed->setValue(1);
    m_seed->setFocusPolicy(Qt::StrongFocus);
    m_firstLabel->setBuddy(m_first);
    m_secondLabel->setBuddy(m_second);

    auto *form = new QFormLayout;
    form->addRow(tr("&Fill with:"), m_kind);
    form->addRow(m_firstLabel, m_first);
    form->addRow(m_secondLabel, m_second);
    form->addRow(tr("See&d:"), m_seed);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_fillButton = buttons->addButton(tr("F&ill"), QDialogButtonBox::AcceptRole);
    m_fillButton->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);

    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        const bool isNormal = m_kind->currentData().toInt() == int(MatrixFill::Kind::Normal);
        m_first->setText(isNormal ? QStringLiteral("0") : QStringLiteral("-1"));
        m_second->setText(QStringLiteral("1"));
        refresh();
    });
    connect(m_first, &QLineEdit::textChanged, this, &FillDialog::refresh);
    connect(m_second, &QLineEdit::textChanged, this, &FillDialog::refresh);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        emit filled(fill());
        accept();
    });
    refresh();
}

MatrixFill FillDialog::fill() const
{
    MatrixFill fill;
    fill.kind = static_cast<MatrixFill::Kind>(m_kind->currentData().toInt());
    fill.seed = static_cast<std::uint64_t>(m_seed->value());
    const double first = parseNumber(m_first->text().toStdString()).value_or(0.0);
    const double second = parseNumber(m_second->text().toStdString()).value_or(1.0);
    (fill.kind == MatrixFill::Kind::Normal ? fill.mean : fill.low) = first;
    (fill.kind == MatrixFill::Kind::Normal ? fill.deviation : fill.high) = second;
    return fill;
}

void FillDialog::refresh()
{
    const auto kind = static_cast<MatrixFill::Kind>(m_kind->currentData().toInt());
    const bool isNormal = kind == MatrixFill::Kind::Normal;
    const bool isRandom = isNormal || kind == MatrixFill::Kind::Uniform;
    m_firstLabel->setText(isNormal ? tr("&Mean:") : tr("&From:"));
    m_secondLabel->setText(isNormal ? tr("De&viation:") : tr("&To (excluded):"));
    for (QWidget *widget :
         {static_cast<QWidget *>(m_first), static_cast<QWidget *>(m_second), static_cast<QWidget *>(m_seed)})
        widget->setEnabled(isRandom);
    QString problem;
    if (isRandom) {
        const auto first = parseNumber(m_first->text().toStdString());
        const auto second = parseNumber(m_second->text().toStdString());
        if (!first || !second)
            problem = tr("“%1” is not a number.").arg(first ? m_second->text() : m_first->text());
        else if (!isNormal && *first > *second)
            problem = tr("The low end must not be above the high end.");
    }
    m_problem->setText(problem);
    m_fillButton->setEnabled(problem.isEmpty());
}

} // namespace attn
