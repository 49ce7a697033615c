#include "engine/heads/HeadPatterns.h"

#include "engine/Metrics.h"
#include "engine/heads/Delimiters.h"
#include "support/GoldenFile.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace attn;
using namespace attn::test;

namespace {

/// One head with these weights over as many keys as labels; values of width 1.
Experiment givenWeights(const std::vector<std::string> &labels, const std::vector<double> &weights,
                        const std::vector<double> &values)
{
    const auto keys = static_cast<Index>(labels.size());
    Experiment experiment;
    experiment.tokens = TokenList(labels);
    experiment.given = {{Stage::A, Tensor::fromDoubles({1, keys, keys}, weights)},
                        {Stage::V, Tensor::fromDoubles({1, keys, 1}, values)}};
    return experiment;
}

HeadPatterns patternsFor(const Experiment &experiment, const PatternQuestion &question = {})
{
    return headPatterns(*evaluated(std::make_shared<const Experiment>(experiment)), question);
}

bool isSameScore(double one, double other)
{
    return (std::isnan(one) && std::isnan(other)) || std::abs(one - other) <= 1e-12;
}

} // namespace

class TestHeadPatterns : public QObject
{
    Q_OBJECT

private slots:
    void goldenScores_data();
    void goldenScores();
    void offsetCounts();
    void delimitersByHand();
    void labelsThatSeparate_data();
    void labelsThatSeparate();
    void sinkIsWeightWithoutEffect();
    void equalValuesMakeNoSink();
    void orderByScore();
    void nothingWithoutWeights();
};

void TestHeadPatterns::goldenScores_data()
{
    QTest::addColumn<QString>("name");
    for (const QString &name : goldenNames(QStringLiteral("forward")))
        if (name.startsWith(QLatin1String("random_")))
            QTest::newRow(qPrintable(name)) << name;
}

void TestHeadPatterns::goldenScores()
{
    QFETCH(QString, name);
    const Json golden = readGolden(name);
    const ExperimentPtr experiment = goldenExperiment(golden["state"]);
    const HeadPatterns patterns = headPatterns(*evaluated(experiment));
    const Json &metrics = golden["metrics"];
    const std::pair<HeadPattern, const char *> names[] = {
        {HeadPattern::First, "first_token_all"},  {HeadPattern::Previous, "previous_token_all"},
        {HeadPattern::Self, "self_token_all"},    {HeadPattern::Offset, "back3_token_all"},
        {HeadPattern::Uniform, "uniformity_all"},
    };
    for (const auto &[pattern, key] : names) {
        const Tensor expected = goldenTensor(metrics[key]);
        QVERIFY(!expected.isNull());
        const std::vector<double> numbers = expected.toDoubles();
        QCOMPARE(patterns.heads.size(), numbers.size());
        for (std::size_t head = 0; head < numbers.size(); ++head)
            QVERIFY2(isSameScore(patterns.heads[head].of(pattern), numbers[head]),
                     qPrintable(QStringLiteral("%1 of head %2: %3, expected %4")
                                    .arg(QLatin1String(key))
                                    .arg(head)
                                    .arg(patterns.heads[head].of(pattern))
                                    .arg(numbers[head])));
    }
}

void TestHeadPatterns::offsetCounts()
{
    const Experiment experiment =
        givenWeights({"a", "b", "c"}, {0.2, 0.3, 0.5, 0.1, 0.6, 0.3, 0.7, 0.2, 0.1}, {1, 1, 1});
    PatternQuestion question;
    question.offset = 2;
    QCOMPARE(patternsFor(experiment, question).heads.front().of(HeadPattern::Offset), 0.7);
    question.offset = -1; // one ahead
    QCOMPARE(patternsFor(experiment, question).heads.front().of(HeadPattern::Offset), (0.3 + 0.3) / 2);
    question.offset = 3;
    QVERIFY(std::isnan(patternsFor(experiment, question).heads.front().of(HeadPattern::Offset)));
}

void TestHeadPatterns::delimitersByHand()
{
    Experiment experiment =
        givenWeights({"[CLS]", "a", "."}, {0.2, 0.3, 0.5, 0.1, 0.6, 0.3, 0.7, 0.2, 0.1}, {1, 1, 1});
    HeadPatterns patterns = patternsFor(experiment);
    QCOMPARE(patterns.delimiters, (std::vector<Index>{0, 2}));
    QVERIFY(isSameScore(patterns.heads.front().of(HeadPattern::Delimiter), (0.7 + 0.4 + 0.8) / 3));
    PatternQuestion question;
    question.delimiterLabels = {"a"};
    patterns = patternsFor(experiment, question);
    QCOMPARE(patterns.delimiters, std::vector<Index>{1});
    QVERIFY(isSameScore(patterns.heads.front().of(HeadPattern::Delimiter), (0.3 + 0.6 + 0.2) / 3));
    // Rows that may see none are left out.
    experiment.causal = true;
    QVERIFY(isSameScore(patternsFor(experiment, question).heads.front().of(HeadPattern::Delimiter),
                        (0.6 + 0.2) / 2));
    question.delimiterLabels = {"nowhere"};
    QVERIFY(std::isnan(patternsFor(experiment, question).heads.front().of(HeadPattern::Delimiter)));
}

void TestHeadPatterns::labelsThatSeparate_data()
{
    QTest::addColumn<QByteArray>("label");
    QTest::addColumn<bool>("separates");
    const auto add = [](const char *label, bool separates) {
        QTest::newRow(label) << QByteArray(label) << separates;
    };
    for (const char *label : {".", ",", "...", "\n", "[SEP]", "[CLS]", "<s>", "</s>", "<|endoftext|>", "。",
                              "，", "「", "—", "▁,", "Ġ.", "?!"})
        add(label, true);
    for (const char *label : {"", " ", "▁", "a", "it's", "我", "1.5", "[A]", "café", "\xFF", "\xE3\x80"})
        add(label, false);
}

void TestHeadPatterns::labelsThatSeparate()
{
    QFETCH(QByteArray, label);
    QFETCH(bool, separates);
    QCOMPARE(isDelimiterLabel(label.toStdString()), separates);
}

void TestHeadPatterns::sinkIsWeightWithoutEffect()
{
    // Nine tenths of the weight fall on the first key, whose value is a tenth as long.
    const HeadPatterns patterns = patternsFor(givenWeights({"a", "b"}, {0.9, 0.1, 0.9, 0.1}, {0.1, -1.0}));
    const HeadPatternScores &head = patterns.heads.front();
    QCOMPARE(head.sinkKey, Index(0));
    QVERIFY(isSameScore(head.sinkWeight, 0.9));
    QVERIFY(isSameScore(head.sinkEffect, 0.09 / 0.19));
    QVERIFY(isSameScore(head.of(HeadPattern::Sink), 0.9 - 0.09 / 0.19));
}

void TestHeadPatterns::equalValuesMakeNoSink()
{
    const HeadPatterns patterns = patternsFor(givenWeights({"a", "b"}, {0.9, 0.1, 0.9, 0.1}, {2.0, -2.0}));
    QVERIFY(isSameScore(patterns.heads.front().of(HeadPattern::Sink), 0.0));
    // Without any effect there is no share of it.
    const HeadPatterns silent = patternsFor(givenWeights({"a", "b"}, {0.9, 0.1, 0.9, 0.1}, {0.0, 0.0}));
    QVERIFY(std::isnan(silent.heads.front().of(HeadPattern::Sink)));
    QCOMPARE(silent.heads.front().sinkKey, Index(-1));
}

void TestHeadPatterns::orderByScore()
{
    HeadPatterns patterns;
    patterns.heads.resize(4);
    const double scores[] = {0.5, std::numeric_limits<double>::quiet_NaN(), 0.7, 0.5};
    for (std::size_t head = 0; head < 4; ++head)
        patterns.heads[head].scores.fill(scores[head]);
    QCOMPARE(headsByScore(patterns, HeadPattern::Self), (std::vector<Index>{2, 0, 3, 1}));
    QVERIFY(patterns.heads[0].strongest() == HeadPattern::First);
    patterns.heads[0].scores[2] = 0.9;
    QVERIFY(patterns.heads[0].strongest() == HeadPattern::Self);
}

void TestHeadPatterns::nothingWithoutWeights()
{
    Experiment experiment;
    experiment.tokens = TokenList({"a"});
    QVERIFY(patternsFor(experiment).heads.empty());
}

QTEST_APPLESS_MAIN(TestHeadPatterns)
#include "tst_HeadPatterns.moc"
