#include "engine/Derivation.h"

#include "engine/Edit.h"
#include "engine/Evaluator.h"
#include "engine/ScoreSpread.h"
#include "io/StateJson.h"

#include "support/JsonCompare.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

SnapshotPtr evaluated(const Experiment &experiment)
{
    return Evaluator().evaluate(std::make_shared<const Experiment>(experiment), Generation{1});
}

Experiment goldenState(const QString &name)
{
    const Result<Experiment> experiment = experimentFromState(readTestJson(u"golden/"_s + name)["state"]);
    if (!experiment)
        qFatal("%s", experiment.error().message.c_str());
    return *experiment;
}

Experiment with(const Experiment &experiment, const Edit &edit)
{
    Result<EditOutcome> outcome = applyEdit(experiment, edit);
    if (!outcome)
        qFatal("%s", outcome.error().message.c_str());
    return std::move(outcome->experiment);
}

bool close(double a, double b, double tolerance)
{
    return std::abs(a - b) <= tolerance;
}

} // namespace

/// The numbers are those the source tutorial works out.
class TestDerivation : public QObject
{
    Q_OBJECT

private slots:
    void queryOfI();
    void scoreOfLoveAndProg();
    void softmaxOfLove();
    void outputOfLove();
    void aWeightSaysHowEvenItsRowIs();
    void weightsSetByHandHaveNoReasonInTheScores();
    void sumsAreTheValues_data();
    void sumsAreTheValues();
    void longSumsListTheLargestTerms();
    void hiddenKeysNameThePart();
    void hiddenKeysAreACount();
    void blankTokensAreVisible();
    void fullyMaskedRow();
    void troubleIsNamed();
    void pinsShowWhatTheyCover();
    void rotationTurnsAPair();
    void givenAndMissing();
    void names();
    void latex();
};

void TestDerivation::queryOfI()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_a_computed.json"_s));
    const Derivation d = derive(*snapshot, Stage::Q, {0, 0, 0});
    QCOMPARE(d.name, std::string("Q[I, f1]"));
    QCOMPARE(d.formula, std::string("Q = X W^Q"));
    QCOMPARE(d.steps.size(), std::size_t(1));
    const DerivationStep &sum = d.steps[0];
    const double left[] = {1.0, 0.2, 0.3, 0.5, 0.1, 0.4};
    const double right[] = {0.1, 0.0, 0.3, 0.2, 0.1, 0.2};
    QCOMPARE(sum.terms.size(), std::size_t(6));
    for (std::size_t k = 0; k < 6; ++k) {
        QCOMPARE(sum.terms[k].leftValue, left[k]);
        QCOMPARE(sum.terms[k].rightValue, right[k]);
    }
    QCOMPARE(sum.terms[2].left, std::string("X[I, f3]"));
    QCOMPARE(sum.terms[2].right, std::string("Wq[f3, f1]"));
    QVERIFY(close(sum.result, 0.38, 1e-15));
    const std::string text = derivationText(d);
    QVERIFY2(text.find("X[I, f3] · Wq[f3, f1] = 0.3 · 0.3 = 0.09\n") != std::string::npos, text.c_str());
}

void TestDerivation::scoreOfLoveAndProg()
{
    // From the printed Q and K; the source prints 0.90 under this very sum.
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_b_qkv_pinned.json"_s));
    const Derivation d = derive(*snapshot, Stage::Scores, {0, 1, 3});
    QCOMPARE(d.name, std::string("scores[love, prog]"));
    QCOMPARE(d.steps[0].terms.size(), std::size_t(6));
    QCOMPARE(d.steps[0].terms[0].leftValue, 0.32);
    QCOMPARE(d.steps[0].terms[0].rightValue, 0.49);
    QVERIFY(close(d.steps[0].result, 1.0086, 1e-12));
}

void TestDerivation::softmaxOfLove()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_g_as_printed.json"_s));
    const Derivation d = derive(*snapshot, Stage::ASoft, {0, 1, 3});
    QCOMPARE(d.steps.size(), std::size_t(3));
    QVERIFY(close(d.steps[0].result, 0.367, 1e-15));
    // The source prints e^s: 1.374, 1.342, 1.358, 1.443 and their sum 5.517. The engine sums e^(s - max).
    const double exponentials[] = {1.374, 1.342, 1.358, 1.443};
    for (std::size_t j = 0; j < 4; ++j) {
        const DerivationTerm &term = d.steps[1].terms[j];
        QVERIFY(close(term.value, exponentials[j] / 1.443, 0.0005));
        QCOMPARE(term.value, std::exp(term.leftValue));
    }
    QCOMPARE(d.steps[1].terms[3].leftValue, 0.0);
    QCOMPARE(d.steps[1].terms[3].value, 1.0);
    QVERIFY(close(d.steps[1].result, 5.517 / 1.443, 0.001));
    QCOMPARE(d.steps[1].terms[0].left, std::string("exp(s[love, I] − max)"));
    const std::string text = derivationText(d);
    QVERIFY2(text.find("exp(s[love, prog] − max) = exp(0) = 1\n") != std::string::npos, text.c_str());
    QVERIFY(close(d.steps[2].result, 0.262, 0.0005));
}

/// Why the row of "love" is nearly even, and what "prog" would need, both in words and numbers.
void TestDerivation::aWeightSaysHowEvenItsRowIs()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_a_computed.json"_s));
    const Derivation d = derive(*snapshot, Stage::A, {0, 1, 3});
    QCOMPARE(d.remarks.size(), std::size_t(2));
    // 0.379099 - 0.309044 = 0.070055 and e^0.070065 = 1.072567
    QCOMPARE(
        QString::fromStdString(d.remarks[0]),
        u"The 4 scores of this row that enter the softmax lie between 0.309 and 0.3791, 0.07006 apart. So "
        "the weights are nearly even: the largest is only e^0.07006 = 1.073 times its smallest."_s);
    // ln((1 - 0.260517) / 0.260517) = 1.04334, times sqrt(6) = 2.55565
    QCOMPARE(QString::fromStdString(d.remarks[1]),
             u"For a weight of one half, the score of this key alone would have to rise by 1.043, to 1.422; "
             "before scaling, q·k would have to rise by 2.556."_s);
    QVERIFY(derivationText(d).find(d.remarks[1]) != std::string::npos);

    // Done, it is one half.
    const double score = snapshot->stage(Stage::Scores).values->value(0, 1, 3);
    const std::vector<double> row = {snapshot->stage(Stage::Masked).values->value(0, 1, 0),
                                     snapshot->stage(Stage::Masked).values->value(0, 1, 1),
                                     snapshot->stage(Stage::Masked).values->value(0, 1, 2),
                                     snapshot->stage(Stage::Masked).values->value(0, 1, 3)};
    const double rise = (*scoreForWeight(row, 3, 0.5) - row[3]) * std::sqrt(6.0);
    const SnapshotPtr after =
        evaluated(with(snapshot->experiment(), PinCells{Stage::Scores, {{{0, 1, 3}, score + rise}}}));
    QVERIFY(close(after->stage(Stage::A).values->value(0, 1, 3), 0.5, 1e-14));
}

void TestDerivation::weightsSetByHandHaveNoReasonInTheScores()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_c_attention_pinned.json"_s));
    QVERIFY(derive(*snapshot, Stage::A, {0, 1, 3}).remarks.empty());
    // Behind a causal mask the first token has only itself to look at.
    Experiment causal = goldenState(u"seed_a_computed.json"_s);
    causal.causal = true;
    const SnapshotPtr masked = evaluated(causal);
    QVERIFY(derive(*masked, Stage::A, {0, 0, 0}).remarks.empty());
    QCOMPARE(derive(*masked, Stage::A, {0, 1, 3}).remarks.size(), std::size_t(1));
    const std::vector<double> hidden(3, -std::numeric_limits<double>::infinity());
    QVERIFY(!scoreSpread(hidden));
    QVERIFY(!scoreSpread(std::vector{1.0, std::nan("")}));
    QVERIFY(!scoreForWeight(std::vector{1.0}, 0, 0.5));
    // Scores whose exponentials no double holds.
    QVERIFY(close(*scoreForWeight(std::vector{2000.0, 1000.0}, 1, 0.5), 2000.0, 1e-9));
}

void TestDerivation::outputOfLove()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_c_attention_pinned.json"_s));
    const double printed[] = {0.380, 0.410, 0.360, 0.381, 0.411, 0.349};
    for (Index c = 0; c < 6; ++c) {
        const Derivation d = derive(*snapshot, Stage::HeadOut, {0, 1, c});
        QCOMPARE(d.steps[0].terms[3].left, std::string("A[love, prog]"));
        QCOMPARE(d.steps[0].terms[3].leftValue, 0.5);
        QVERIFY(close(d.steps[0].result, printed[c], 0.00051));
    }
}

void TestDerivation::sumsAreTheValues_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    for (const QString &name :
         folder.entryList({u"seed_?_*.json"_s, u"seed_??_*.json"_s, u"seed_???_*.json"_s, u"random_*.json"_s,
                           u"bias_*.json"_s, u"given_*.json"_s},
                          QDir::Files))
        QTest::newRow(qPrintable(name)) << name;
}

/// In every cell of every stage: the last computing step gives the number, and its terms add up to it.
void TestDerivation::sumsAreTheValues()
{
    QFETCH(QString, name);
    const SnapshotPtr snapshot = evaluated(goldenState(name));
    for (const StageInfo &info : stageTable()) {
        const StageState &state = snapshot->stage(info.stage);
        if (!state.hasValues())
            continue;
        const Shape shape = state.values->shape();
        const double scale = std::max(1.0, std::abs(state.values->statistics(-1).maximum));
        for (Index i = 0; i < shape.size(); i += std::max<Index>(1, shape.size() / 50)) {
            const CellIndex cell{i / (shape.rows * shape.cols), i / shape.cols % shape.rows, i % shape.cols};
            const Derivation d = derive(*snapshot, info.stage, cell, 3);
            QVERIFY2(!d.steps.empty(), info.name);
            const double value = state.values->value(cell.head, cell.row, cell.col);
            QVERIFY(d.value == value || (std::isnan(d.value) && std::isnan(value)));
            const DerivationStep &last = d.steps.back();
            QVERIFY2(last.result == value || std::isnan(value), info.name);
            const bool isComputed =
                state.status == StageStatus::Computed && last.kind != DerivationStep::Kind::Pinned;
            if (!isComputed || !std::isfinite(value) || last.kind == DerivationStep::Kind::Mask)
                continue;
            double sum = last.omittedSum;
            for (const DerivationTerm &term : last.terms)
                sum += term.value;
            QVERIFY2(
                close(sum, value, 1e-9 * scale),
                qPrintable(u"%1: %2 against %3"_s.arg(QString::fromStdString(d.name)).arg(sum).arg(value)));
            QVERIFY(static_cast<Index>(last.terms.size()) <= 3);
        }
    }
}

void TestDerivation::longSumsListTheLargestTerms()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"seed_a_computed.json"_s));
    const Derivation d = derive(*snapshot, Stage::Q, {0, 0, 0}, 2);
    const DerivationStep &sum = d.steps[0];
    QCOMPARE(sum.terms.size(), std::size_t(2));
    QVERIFY(close(sum.terms[0].value, 0.1, 1e-15)); // 1 · 0.1 and 0.5 · 0.2, in this order
    QCOMPARE(sum.omittedCount, Index(4));
    QVERIFY(close(sum.omittedSum, 0.18, 1e-15));
    QVERIFY(derivationText(d).find("4 more terms, together 0.18") != std::string::npos);
}

void TestDerivation::hiddenKeysNameThePart()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    e = with(e, SetCausal{true});
    const auto titleOf = [](const Experiment &experiment, Stage stage, const CellIndex &cell) {
        return derive(*evaluated(experiment), stage, cell).steps[0].title;
    };
    QCOMPARE(titleOf(e, Stage::Masked, {0, 1, 3}),
             std::string("Hidden by causal: prog at position 3 comes after love at position 1"));
    QCOMPARE(titleOf(e, Stage::Allowed, {0, 1, 1}), std::string("Every part of the mask allows this key"));
    e = with(e, SetCells{Stage::MaskBool, {{{0, 1, 0}, 0.0}}});
    QCOMPARE(titleOf(e, Stage::Masked, {0, 1, 0}), std::string("Hidden by mask.bool[love, I] is 0"));
    e = with(e, SetCells{Stage::MaskPadding, {{{0, 0, 0}, 0.0}}});
    QCOMPARE(titleOf(e, Stage::Masked, {0, 1, 0}),
             std::string("Hidden by key padding: I at position 0 is padding; mask.bool[love, I] is 0"));
    e = with(e, SetWindow{Window{0, {}}});
    QVERIFY(titleOf(e, Stage::Masked, {0, 2, 1}).find("window: love at position 1") != std::string::npos);
    e = with(e, SetCells{Stage::MaskAdd, {{{0, 3, 3}, -std::numeric_limits<double>::infinity()}}});
    QCOMPARE(titleOf(e, Stage::Masked, {0, 3, 3}), std::string("Hidden by mask.add[prog, prog] is -inf"));
}

/// A causal row goes over the keys it sees; a hidden key of it is said to be one.
void TestDerivation::hiddenKeysAreACount()
{
    const Experiment e = with(goldenState(u"seed_a_computed.json"_s), SetCausal{true});
    const SnapshotPtr snapshot = evaluated(e);
    const Derivation seen = derive(*snapshot, Stage::A, {0, 1, 0});
    QCOMPARE(seen.steps[1].terms.size(), std::size_t(2));
    QVERIFY(seen.steps[1].title.ends_with("over the 2 keys that the row sees; 2 hidden keys add nothing"));
    QVERIFY(close(seen.steps.back().result, 0.505848, 1e-6));
    const Derivation hidden = derive(*snapshot, Stage::A, {0, 2, 3});
    QCOMPARE(hidden.steps[1].terms.size(), std::size_t(3));
    QVERIFY(hidden.steps[1].title.ends_with("; 1 hidden key adds nothing"));
    QCOMPARE(hidden.steps.back().title, std::string("This key is hidden: its weight is 0"));
    QCOMPARE(hidden.steps.back().result, 0.0);
    const Derivation whole = derive(*snapshot, Stage::A, {0, 3, 0});
    QVERIFY(whole.steps[1].title.find("hidden") == std::string::npos);
    QCOMPARE(whole.steps[1].terms.size(), std::size_t(4));
}

/// Tokens of nothing but white space stand for themselves in every name.
void TestDerivation::blankTokensAreVisible()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    e.tokens = TokenList({" ", "\n", "GPU", ""});
    const SnapshotPtr snapshot = evaluated(e);
    QCOMPARE(cellName(e, Stage::A, {0, 0, 1}), std::string("A[␣, ↵]"));
    QCOMPARE(rowLabel(e, Stage::A, 0), std::string(" ")); // data stays data
    const Derivation d = derive(*snapshot, Stage::Scores, {0, 1, 3});
    QCOMPARE(d.steps[0].title, std::string("Dot product of row ↵ of Q and row ∅ of K"));
    QCOMPARE(d.steps[0].terms[0].left.substr(0, 4), std::string("Q[↵").substr(0, 4));
}

void TestDerivation::fullyMaskedRow()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    for (Index key = 0; key < 4; ++key)
        e = with(e, SetCells{Stage::MaskBool, {{{0, 2, key}, 0.0}}});
    const Derivation d = derive(*evaluated(e), Stage::A, {0, 2, 1});
    QCOMPARE(d.steps.size(), std::size_t(1));
    QCOMPARE(d.steps[0].title, std::string("Every key of this row is hidden: all its weights are 0"));
    QCOMPARE(d.value, 0.0);
}

void TestDerivation::troubleIsNamed()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    e = with(e, PinCells{Stage::Scaled, {{{0, 1, 2}, std::numeric_limits<double>::infinity()}}});
    const Derivation d = derive(*evaluated(e), Stage::A, {0, 1, 0});
    QVERIFY(std::isnan(d.value));
    QCOMPARE(d.steps[0].terms[0].left, std::string("masked[love, GPU]"));
}

void TestDerivation::pinsShowWhatTheyCover()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    e = with(e, PinCells{Stage::Q, {{{0, 0, 0}, 0.9}}});
    const Derivation d = derive(*evaluated(e), Stage::Q, {0, 0, 0});
    QCOMPARE(d.value, 0.9);
    QCOMPARE(d.steps.size(), std::size_t(2));
    QVERIFY(d.steps[1].kind == DerivationStep::Kind::Pinned);
    QVERIFY(close(d.steps[0].result, 0.38, 1e-15));
    QVERIFY(close(d.steps[1].terms[0].value, 0.38, 1e-15));
    QCOMPARE(d.steps[1].result, 0.9);
    QCOMPARE(d.steps[1].title, std::string("Set by hand over the computed number"));
}

void TestDerivation::rotationTurnsAPair()
{
    Experiment e = goldenState(u"seed_d1x_two_heads_from_x.json"_s);
    e = with(e, SetRotary{Rotary{Rotary::Pairing::Half, 100.0, 2}});
    const SnapshotPtr snapshot = evaluated(e);
    const Derivation first = derive(*snapshot, Stage::Qr, {1, 2, 0});
    QCOMPARE(first.steps[0].title, std::string("Pair 1 at position 2 turns by 2 · 100^(−0/2) = 2 radians"));
    QCOMPARE(first.steps[0].terms[0].left, std::string("Q[GPU, f4]"));
    QCOMPARE(first.steps[0].terms[1].left, std::string("Q[GPU, f5]"));
    QCOMPARE(first.steps[0].terms[1].right, std::string("−sin"));
    QVERIFY(close(first.steps[0].terms[0].rightValue, std::cos(2.0), 1e-15));
    const Derivation still = derive(*snapshot, Stage::Qr, {1, 2, 2});
    QCOMPARE(still.steps[0].title, std::string("Not among the columns that turn"));
    const Derivation score = derive(*snapshot, Stage::Scores, {1, 2, 3});
    QCOMPARE(score.steps[0].terms[0].left, std::string("Qr[head 2: GPU, f1]"));
    QCOMPARE(score.formula, std::string("scores = Qr Krᵀ"));
}

void TestDerivation::givenAndMissing()
{
    const SnapshotPtr snapshot = evaluated(goldenState(u"given_06_attention.json"_s));
    QVERIFY(derive(*snapshot, Stage::A, {0, 0, 0}).steps[0].kind == DerivationStep::Kind::Given);
    const Derivation missing = derive(*snapshot, Stage::Scores, {0, 0, 0});
    QVERIFY(std::isnan(missing.value));
    QCOMPARE(missing.steps[0].title, snapshot->stage(Stage::Scores).reason);
    const Derivation outside = derive(*snapshot, Stage::A, {0, 99, 0});
    QCOMPARE(outside.steps[0].title, std::string("There is no such cell"));
}

void TestDerivation::names()
{
    const Experiment one = goldenState(u"seed_a_computed.json"_s);
    QCOMPARE(cellName(one, Stage::X, {0, 1, 2}), std::string("X[love, f3]"));
    QCOMPARE(cellName(one, Stage::A, {0, 1, 3}), std::string("A[love, prog]"));
    const Experiment two = goldenState(u"seed_d1_two_heads_computed.json"_s);
    QCOMPARE(cellName(two, Stage::A, {0, 1, 3}), std::string("A[head 1: love, prog]"));
    QCOMPARE(cellName(two, Stage::FullyMasked, {0, 1, 3}), std::string("fully_masked[head 2, prog]"));
    const Experiment cross = goldenState(u"seed_f_cross_attention.json"_s);
    QCOMPARE(rowLabel(cross, Stage::A, 0), std::string("我"));
    QCOMPARE(colLabel(cross, Stage::A, 3), std::string("prog"));
    const Experiment biased = goldenState(u"bias_00_single_head.json"_s);
    QCOMPARE(cellName(biased, Stage::Bq, {0, 0, 2}), std::string("bq[f3]"));
}

void TestDerivation::latex()
{
    Experiment e = goldenState(u"seed_a_computed.json"_s);
    e = with(e, RenameToken{TokenSide::Query, 0, "50%_{x}"});
    const std::string text = derivationLatex(derive(*evaluated(e), Stage::Q, {0, 0, 0}));
    QCOMPARE(text, std::string(
                       "\\begin{aligned}\n"
                       "&Q = X W^Q \\\\\n"
                       "{Q}_{\\text{50\\%\\_\\{x\\}, f1}}\n"
                       "&= 1 \\cdot 0.1 + 0.2 \\cdot 0 + 0.3 \\cdot 0.3 + 0.5 \\cdot 0.2 + 0.1 \\cdot 0.1 + "
                       "0.4 \\cdot 0.2 = 0.38 \\\\\n"
                       "\\end{aligned}\n"));
}

QTEST_APPLESS_MAIN(TestDerivation)
#include "tst_Derivation.moc"
