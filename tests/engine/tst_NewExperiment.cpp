#include "engine/Evaluator.h"
#include "engine/MatrixFill.h"
#include "engine/NewExperiment.h"

#include <QTest>

#include <cmath>

using namespace attn;

class TestNewExperiment : public QObject
{
    Q_OBJECT

private slots:
    void sentences_data();
    void sentences();
    void everyKindEvaluates_data();
    void everyKindEvaluates();
    void randomRepeatsAndSeedsDiffer();
    void refusals();
    void fills();
    void normalHasItsMoments();
};

void TestNewExperiment::sentences_data()
{
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("tokens");
    QTest::newRow("words") << "I love  GPU programming" << QStringLiteral("I|love|GPU|programming");
    QTest::newRow("Chinese, one token a character, Latin words whole")
        << QStringLiteral("我爱 GPU编程") << QStringLiteral("我|爱|GPU|编|程");
    QTest::newRow("blank") << " \t " << QString();
    QTest::newRow("emoji stay whole") << QStringLiteral("hi 🙂") << QStringLiteral("hi|🙂");
}

void TestNewExperiment::sentences()
{
    QFETCH(QString, sentence);
    QFETCH(QString, tokens);
    QStringList found;
    for (const std::string &token : tokensOfSentence(sentence.toStdString()))
        found.append(QString::fromStdString(token));
    QCOMPARE(found.join(u'|'), tokens);
}

void TestNewExperiment::everyKindEvaluates_data()
{
    QTest::addColumn<int>("content");
    QTest::addColumn<int>("start");
    QTest::addColumn<bool>("cross");
    for (int content = 0; content < 3; ++content)
        for (int start = 0; start < 2; ++start)
            for (const bool cross : {false, true})
                QTest::addRow("content %d, start %d, cross %d", content, start, cross)
                    << content << start << cross;
}

void TestNewExperiment::everyKindEvaluates()
{
    QFETCH(int, content);
    QFETCH(int, start);
    QFETCH(bool, cross);
    NewExperimentOptions options;
    options.tokens = {"a", "b", "c"};
    if (cross)
        options.tokensKv = {"u", "v", "w", "x", "y"};
    options.content = static_cast<NewExperimentOptions::Content>(content);
    options.start = static_cast<NewExperimentOptions::Start>(start);
    options.nHeads = 4;
    options.nKvHeads = 2;
    options.dHeadK = 3;
    options.dHeadV = 2;
    options.dOut = 5;
    const auto experiment = newExperiment(options);
    QVERIFY2(experiment.ok(), experiment ? "" : experiment.error().message.c_str());
    Evaluator evaluator;
    const auto snapshot = evaluator.evaluate(std::make_shared<const Experiment>(*experiment), Generation{1});
    QCOMPARE(snapshot->problem(), std::string());
    const StageState &output = snapshot->stage(Stage::Output);
    QVERIFY(output.hasValues());
    QVERIFY((output.values->shape() == Shape{1, 3, 5}));
    QCOMPARE(output.values->statistics(0).finiteCount, Index(15));
}

void TestNewExperiment::randomRepeatsAndSeedsDiffer()
{
    NewExperimentOptions options;
    options.tokens = {"a", "b"};
    const auto first = newExperiment(options);
    const auto again = newExperiment(options);
    options.seed = 2;
    const auto other = newExperiment(options);
    QVERIFY(first->matrix(Stage::X).sameBits(again->matrix(Stage::X)));
    QVERIFY(!first->matrix(Stage::X).sameBits(other->matrix(Stage::X)));
    QVERIFY(!first->matrix(Stage::Wq).sameBits(first->matrix(Stage::Wk)));
}

void TestNewExperiment::refusals()
{
    NewExperimentOptions options;
    QVERIFY(!newExperiment(options));
    options.tokens = {"a"};
    options.nHeads = 3;
    options.nKvHeads = 2;
    const auto uneven = newExperiment(options);
    QVERIFY(!uneven);
    QVERIFY(
        QString::fromStdString(uneven.error().message).contains(QStringLiteral("3 is not a multiple of 2")));
    options.nKvHeads = 3;
    QVERIFY(newExperiment(options));
    const auto large = newExperiment(options, 10);
    QVERIFY(!large);
    QCOMPARE(large.error().code, ErrorCode::TooLarge);
}

void TestNewExperiment::fills()
{
    const Shape shape{2, 2, 2};
    const std::vector<double> numbers{1, 2, 3, 4, 5, 6, 7, 8};
    const Tensor old = Tensor::fromDoubles(shape, numbers);
    const auto transposed = filledMatrix({MatrixFill::Kind::Transpose}, shape, Tensor::Storage::Float64, old);
    QVERIFY((transposed->toDoubles() == std::vector<double>{1, 3, 2, 4, 5, 7, 6, 8}));
    QVERIFY(!filledMatrix({MatrixFill::Kind::Transpose}, {1, 2, 3}, Tensor::Storage::Float64,
                          Tensor::zeros({1, 2, 3})));
    const auto identity = filledMatrix({MatrixFill::Kind::Identity}, {1, 2, 3}, Tensor::Storage::Float64, {});
    QVERIFY((identity->toDoubles() == std::vector<double>{1, 0, 0, 0, 1, 0}));
    const auto oneHot = filledMatrix({MatrixFill::Kind::OneHot}, {1, 3, 2}, Tensor::Storage::Float64, {});
    QVERIFY((oneHot->toDoubles() == std::vector<double>{1, 0, 0, 1, 1, 0}));
    QVERIFY(filledMatrix({MatrixFill::Kind::Zeros}, shape, Tensor::Storage::Float32, {})->storage() ==
            Tensor::Storage::Float32);
}

void TestNewExperiment::normalHasItsMoments()
{
    MatrixFill fill;
    fill.kind = MatrixFill::Kind::Normal;
    fill.mean = 2.0;
    fill.deviation = 0.5;
    const auto tensor = filledMatrix(fill, {1, 200, 200}, Tensor::Storage::Float64, {});
    double sum = 0.0;
    double squares = 0.0;
    for (const double value : tensor->toDoubles()) {
        sum += value;
        squares += (value - 2.0) * (value - 2.0);
    }
    // 40000 numbers: five standard errors of the mean (0.0025) and of the deviation.
    QVERIFY(std::abs(sum / 40000 - 2.0) < 0.0125);
    QVERIFY(std::abs(std::sqrt(squares / 40000) - 0.5) < 0.01);
}

QTEST_APPLESS_MAIN(TestNewExperiment)
#include "tst_NewExperiment.moc"
