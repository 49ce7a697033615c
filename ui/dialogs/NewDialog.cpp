#include "dialogs/NewDialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace attn {

namespace {

constexpr int largestSize = 1 << 20;

/// The tokens of the sentence, made up to `count` by numbered ones, or cut to it.
std::vector<std::string> tokensFrom(const QString &sentence, int count)
{
    std::vector<std::string> tokens = tokensOfSentence(sentence.toStdString());
    const auto wanted = static_cast<std::size_t>(count);
    if (tokens.size() > wanted)
        tokens.resize(wanted);
    while (tokens.size() < wanted)
        tokens.push_back("t" + std::to_string(tokens.size()));
    return tokens;
}

} // namespace

NewDialog::NewDialog(QWidget *parent)
    : QDialog(parent)
    , m_sentence(new QLineEdit(this))
    , m_count(sizeBox(4, 1, tr("Number of tokens")))
    , m_isCross(new QCheckBox(tr("Keys and values come from &another sequence (cross attention)"), this))
    , m_sentenceKv(new QLineEdit(this))
    , m_start(new QComboBox(this))
    , m_content(new QComboBox(this))
    , m_seed(sizeBox(1, 0, tr("Seed")))
    , m_dModel(sizeBox(6, 1, tr("Width of a token")))
    , m_heads(sizeBox(1, 1, tr("Heads")))
    , m_kvHeads(sizeBox(1, 1, tr("Key/value heads")))
    , m_dHeadK(sizeBox(6, 1, tr("Head width of Q and K")))
    , m_dHeadV(sizeBox(6, 1, tr("Head width of V")))
    , m_dOut(sizeBox(6, 0, tr("Output width")))
    , m_causal(new QCheckBox(tr("Ca&usal mask"), this))
    , m_precision(new QComboBox(this))
    , m_summary(new QLabel(this))
{
    setWindowTitle(tr("New experiment"));
    buildForm();
    m_sentence->setText(tr("I love GPU programming"));
    refresh();
}

QSpinBox *NewDialog::sizeBox(int value, int minimum, const QString &name)
{
    auto *box = new QSpinBox(this);
    box->setRange(minimum, largestSize);
    box->setValue(value);
    box->setAccessibleName(name);
    box->setFocusPolicy(Qt::StrongFocus);
    connect(box, &QSpinBox::valueChanged, this, &NewDialog::refresh);
    return box;
}

void NewDialog::buildForm()
{
    m_start->addItem(tr("Tokens X and weights"), int(NewExperimentOptions::Start::Tokens));
    m_start->addItem(tr("Q, K and V"), int(NewExperimentOptions::Start::Qkv));
    m_content->addItem(tr("Random (normal)"), int(NewExperimentOptions::Content::Random));
    m_content->addItem(tr("Blank (zeros)"), int(NewExperimentOptions::Content::Blank));
    m_content->addItem(tr("One-hot tokens, identity weights"), int(NewExperimentOptions::Content::OneHot));
    m_precision->addItem(tr("float64"), int(Precision::Float64));
    m_precision->addItem(tr("float32"), int(Precision::Float32));
    m_dOut->setSpecialValueText(tr("none (no W^O)"));
    m_sentenceKv->setAccessibleName(tr("Sentence of the keys and values"));
    m_summary->setWordWrap(true);
    m_summary->setMinimumHeight(m_summary->fontMetrics().lineSpacing() * 2);

    auto *form = new QFormLayout;
    form->addRow(tr("&Sentence:"), m_sentence);
    form->addRow(tr("&Tokens:"), m_count);
    form->addRow(m_isCross);
    form->addRow(tr("&Key sentence:"), m_sentenceKv);
    form->addRow(tr("Start &from:"), m_start);
    form->addRow(tr("F&ill with:"), m_content);
    form->addRow(tr("See&d:"), m_seed);
    form->addRow(tr("Token &width d_model:"), m_dModel);
    form->addRow(tr("&Heads h:"), m_heads);
    form->addRow(tr("Key/&value heads:"), m_kvHeads);
    form->addRow(tr("Head width d_&k:"), m_dHeadK);
    form->addRow(tr("Head width d_v:"), m_dHeadV);
    form->addRow(tr("&Output width:"), m_dOut);
    form->addRow(m_causal);
    form->addRow(tr("&Precision:"), m_precision);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_createButton = buttons->addButton(tr("C&reate"), QDialogButtonBox::AcceptRole);
    m_createButton->setDefault(true);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(m_summary);
    layout->addWidget(buttons);

    connect(m_sentence, &QLineEdit::textChanged, this, [this](const QString &text) {
        const auto count = tokensOfSentence(text.toStdString()).size();
        if (count > 0)
            m_count->setValue(static_cast<int>(count));
        refresh();
    });
    connect(m_sentenceKv, &QLineEdit::textChanged, this, &NewDialog::refresh);
    connect(m_isCross, &QCheckBox::toggled, this, &NewDialog::refresh);
    for (QComboBox *box : {m_start, m_content, m_precision})
        connect(box, &QComboBox::currentIndexChanged, this, &NewDialog::refresh);
    connect(buttons, &QDialogButtonBox::accepted, this, &NewDialog::create);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

NewExperimentOptions NewDialog::options() const
{
    NewExperimentOptions options;
    options.tokens = tokensFrom(m_sentence->text(), m_count->value());
    if (m_isCross->isChecked())
        options.tokensKv = tokensOfSentence(m_sentenceKv->text().toStdString());
    options.start = static_cast<NewExperimentOptions::Start>(m_start->currentData().toInt());
    options.content = static_cast<NewExperimentOptions::Content>(m_content->currentData().toInt());
    options.seed = static_cast<std::uint64_t>(m_seed->value());
    options.dModel = m_dModel->value();
    options.nHeads = m_heads->value();
    options.nKvHeads = m_kvHeads->value();
    options.dHeadK = m_dHeadK->value();
    options.dHeadV = m_dHeadV->value();
    options.dOut = m_dOut->value();
    options.causal = m_causal->isChecked();
    options.precision = static_cast<Precision>(m_precision->currentData().toInt());
    return options;
}

void NewDialog::refresh()
{
    if (!m_createButton)
        return;
    const NewExperimentOptions wish = options();
    m_sentenceKv->setEnabled(m_isCross->isChecked());
    m_seed->setEnabled(wish.content == NewExperimentOptions::Content::Random);
    m_dModel->setEnabled(wish.start == NewExperimentOptions::Start::Tokens);
    QString problem;
    if (m_isCross->isChecked() && wish.tokensKv.empty())
        problem = tr("Type the sentence that the keys and values come from.");
    else if (wish.nHeads % wish.nKvHeads != 0)
        problem = tr("%1 is not a multiple of %2: the heads cannot share the key/value heads.")
                      .arg(wish.nHeads)
                      .arg(wish.nKvHeads);
    m_createButton->setEnabled(problem.isEmpty());
    const auto keys = wish.tokensKv.empty() ? wish.tokens.size() : wish.tokensKv.size();
    m_summary->setText(!problem.isEmpty() ? problem
                                          : tr("Q %1×%2, A %3×%1×%4")
                                                .arg(wish.tokens.size())
                                                .arg(wish.nHeads * wish.dHeadK)
                                                .arg(wish.nHeads)
                                                .arg(keys));
}

void NewDialog::create()
{
    const Result<Experiment> experiment = newExperiment(options());
    if (!experiment) {
        m_summary->setText(QString::fromStdString(experiment.error().message));
        return;
    }
    emit created(*experiment);
    accept();
}

} // namespace attn
