#include "views/lab/PositionsPage.h"

#include "Workbench.h"
#include "engine/Evaluator.h"
#include "engine/lab/TokenOrder.h"
#include "render/LabelText.h"
#include "widgets/LimitedSpinBox.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace attn {

namespace {

using namespace Qt::StringLiterals;

/// Exchanging words evaluates the document six times; above this the scene is built on another thread.
constexpr double mostPositionMsInline = 0.5;
constexpr Index mostPositionNumbersInline = 20000;
constexpr Index mostListedWords = 512;

QComboBox *wordBox(QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setMinimumContentsLength(7);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
}

} // namespace

PositionsPage::PositionsPage(Workbench *workbench, QWidget *parent)
    : LabPage(workbench, u"positions"_s, tr("Positions"), parent)
    , m_kind(new QComboBox(this))
    , m_base(new LimitedDoubleSpinBox(this))
    , m_seed(new LimitedSpinBox(this))
    , m_first(wordBox(this))
    , m_second(wordBox(this))
{
    m_kind->addItem(tr("sinusoidal"), u"sinusoidal"_s);
    m_kind->addItem(tr("learned"), u"learned"_s);
    m_kind->addItem(tr("none"), u"none"_s);
    addControl(tr("&Encoding:"), m_kind);
    m_base->setRange(1.0, 1e7);
    m_base->setDecimals(1);
    m_base->setKeyboardTracking(false);
    addControl(tr("&Base:"), m_base);
    m_seed->setRange(1, mostLabSeed);
    m_seed->setKeyboardTracking(false);
    addControl(tr("&Seed:"), m_seed);
    addControl(tr("E&xchange:"), m_first);
    addControl(tr("&and:"), m_second);
    m_first->setAccessibleName(tr("First word to exchange"));
    m_second->setAccessibleName(tr("Second word to exchange"));
    connect(m_kind, &QComboBox::activated, this,
            [this](int index) { setStateValue(u"kind"_s, m_kind->itemData(index).toString()); });
    connect(m_base, &QDoubleSpinBox::valueChanged, this,
            [this](double base) { setStateValue(u"base"_s, base); });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) { setStateValue(u"seed"_s, seed); });
    connect(m_first, &QComboBox::activated, this, [this](int word) { setStateValue(u"first"_s, word); });
    connect(m_second, &QComboBox::activated, this, [this](int word) { setStateValue(u"second"_s, word); });
}

PositionsLabOptions PositionsPage::options() const
{
    return positionsLabOptions(state(), selection());
}

bool PositionsPage::keepsEncoding() const
{
    const PositionState now = positionState(workbench()->experiment());
    return now.isKept && now.fits;
}

void PositionsPage::refreshWords()
{
    QStringList names;
    const TokenList &tokens = workbench()->experiment().tokens;
    for (Index i = 0; i < std::min(tokens.size(), mostListedWords); ++i)
        names.append(visibleLabel(QString::fromStdString(tokens.at(i))));
    if (names != m_names) {
        m_names = names;
        for (QComboBox *box : {m_first, m_second}) {
            box->clear();
            box->addItems(names);
        }
    }
    const int last = int(names.size()) - 1;
    m_first->setCurrentIndex(std::min(int(options().first), last));
    m_second->setCurrentIndex(std::min(int(options().second), last));
}

void PositionsPage::refreshControls()
{
    const QSignalBlocker blockers[] = {QSignalBlocker(m_kind), QSignalBlocker(m_base), QSignalBlocker(m_seed),
                                       QSignalBlocker(m_first), QSignalBlocker(m_second)};
    const PositionChoice choice = options().choice;
    m_kind->setCurrentIndex(choice.kind == PositionChoice::Kind::Sinusoidal ? 0
                            : choice.kind == PositionChoice::Kind::Learned  ? 1
                                                                            : 2);
    m_base->setValue(choice.base);
    m_base->setEnabled(choice.kind == PositionChoice::Kind::Sinusoidal);
    m_seed->setValue(int(choice.seed));
    const bool isLearned = choice.kind == PositionChoice::Kind::Learned;
    const bool isDrawn = isLearned && !keepsEncoding();
    m_seed->setEnabled(isDrawn);
    m_seed->setToolTip(isDrawn     ? tr("Draws other numbers")
                       : isLearned ? tr("The document keeps its E and P, and “learned” means that P. Forget "
                                        "E and P to draw another.")
                                   : tr("Only a learned encoding is drawn with a seed."));
    refreshWords();
}

Scene PositionsPage::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display, QSizeF room)
{
    PositionsLabOptions chosen = options();
    chosen.width = room.width();
    return positionsLabScene(snapshot, display, chosen);
}

SceneWorker::Build PositionsPage::heavyBuild(const SnapshotPtr &snapshot, const DisplayOptions &display,
                                             QSizeF room)
{
    const Tensor &X = snapshot->experiment().matrix(Stage::X);
    const bool isEvaluated = snapshot->experiment().tokens.size() <= mostOrderTokens;
    if (X.isNull() || (X.shape().size() <= mostPositionNumbersInline &&
                       !(isEvaluated && estimatedMs(snapshot->experiment()) > mostPositionMsInline)))
        return {};
    PositionsLabOptions chosen = options();
    chosen.width = room.width();
    return [snapshot, display, chosen](const std::stop_token &) {
        return positionsLabScene(snapshot, display, chosen);
    };
}

void PositionsPage::onControl(const QString &id)
{
    if (id == "position:keepX"_L1)
        keepEncoding(Staying::X);
    else if (id == "position:keepE"_L1)
        keepEncoding(Staying::Embeddings);
    else if (id == "position:forget"_L1)
        forgetEncoding();
    else if (id.startsWith("pair:"_L1))
        setStateValue(u"pair"_s, id.section(u':', 1).toInt());
    else if (id.startsWith("head:"_L1)) {
        ViewState view = workbench()->viewState();
        view.head = id.section(u':', 1).toInt();
        workbench()->setViewState(std::move(view));
    } else if (id == "swap:apply"_L1) {
        const Result<Edit> edit = swapWordsEdit(workbench()->experiment(), options().first, options().second);
        if (edit)
            workbench()->apply(*edit, tr("Exchange two words"));
        else
            workbench()->say(QString::fromStdString(edit.error().message));
    } else {
        changeScores(id);
    }
}

void PositionsPage::keepEncoding(Staying staying)
{
    const Experiment &experiment = workbench()->experiment();
    if (experiment.matrix(Stage::X).isNull())
        return;
    const PositionState now = positionState(experiment);
    if (options().choice.kind == PositionChoice::Kind::Learned && now.isKept && now.fits &&
        now.differing == 0) {
        workbench()->say(tr("Nothing to change: “learned” means the P that the document keeps, and X = E + P "
                            "already. Type other numbers into P, or forget E and P to draw some."));
        return;
    }
    const Result<Edit> edit = encodingEdit(experiment, encodingOf(experiment, options().choice), staying);
    if (edit)
        workbench()->apply(*edit, staying == Staying::X ? tr("Set E = X − P") : tr("Set X = E + P"));
    else
        workbench()->say(QString::fromStdString(edit.error().message));
}

void PositionsPage::forgetEncoding()
{
    workbench()->apply(Compound{{SetLab{embeddingLab, {}}, SetLab{positionLab, {}}}}, tr("Forget E and P"));
}

void PositionsPage::changeScores(const QString &id)
{
    if (id == "rotary:use"_L1)
        workbench()->apply(SetRotary{Rotary()}, tr("Use rotary positions"));
    else if (id == "rotary:remove"_L1)
        workbench()->apply(SetRotary{}, tr("Use no rotary positions"));
    else if (id == "alibi:use"_L1)
        workbench()->apply(SetTensor{Stage::MaskAlibi, defaultAlibiSlopes(workbench()->experiment().nHeads)},
                           tr("Use ALiBi"));
    else if (id == "alibi:remove"_L1)
        workbench()->apply(SetTensor{Stage::MaskAlibi, {}}, tr("Use no ALiBi"));
}

} // namespace attn
