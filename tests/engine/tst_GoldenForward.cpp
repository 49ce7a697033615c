#include "engine/Footprints.h"
#include "engine/Metrics.h"
#include "support/GoldenFile.h"
#include "support/MatrixCompare.h"

#include <QDir>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;

namespace {

std::vector<double> numbersOf(const StageValues &values)
{
    std::vector<double> numbers(static_cast<std::size_t>(values.rows() * values.cols()));
    values.readBlock(0, 0, 0, values.rows(), values.cols(), numbers.data(), values.cols());
    return numbers;
}

template<typename Value>
std::vector<double> perHead(const Metrics &metrics, const Value &value)
{
    std::vector<double> numbers;
    for (const HeadMetrics &head : metrics.heads)
        numbers.push_back(value(head));
    return numbers;
}

/// The metrics under their golden names.
std::map<std::string, std::vector<double>> namedMetrics(const Metrics &metrics)
{
    std::map<std::string, std::vector<double>> named = {
        {"entropy", metrics.rows.entropy},
        {"entropy_normalised", metrics.rows.entropyNormalised},
        {"effective_tokens", metrics.rows.effectiveTokens},
        {"mean_distance", metrics.rows.meanDistance},
        {"mean_signed_offset", metrics.rows.meanSignedOffset},
        {"contribution_norm",
         perHead(metrics, [](const HeadMetrics &head) { return head.contributionNorm; })},
        {"contribution_share",
         perHead(metrics, [](const HeadMetrics &head) { return head.contributionShare; })},
    };
    const std::map<std::string, double PatternScores::*> patterns = {
        {"previous_token", &PatternScores::previousToken},
        {"self_token", &PatternScores::selfToken},
        {"back3_token", &PatternScores::back3Token},
        {"first_token", &PatternScores::firstToken},
        {"uniformity", &PatternScores::uniformity},
        {"deviation_from_uniform", &PatternScores::deviationFromUniform},
    };
    for (const auto &[name, member] : patterns) {
        const auto score = member;
        named[name + "_all"] = perHead(metrics, [score](const HeadMetrics &head) { return head.all.*score; });
        named[name + "_choice"] =
            perHead(metrics, [score](const HeadMetrics &head) { return head.choice.*score; });
    }
    std::vector<double> &received = named["attention_received"];
    for (const HeadMetrics &head : metrics.heads)
        received.insert(received.end(), head.attentionReceived.begin(), head.attentionReceived.end());
    return named;
}

/// Rows in which two keys come close enough to change places in float32 do not count.
QString argmaxDifference(const Metrics &metrics, const StageValues &A, const Json &expected, double tolerance)
{
    const std::vector<double> wanted = goldenTensor(expected).toDoubles();
    if (wanted.size() != metrics.rows.argmax.size())
        return QStringLiteral("argmax: wrong size");
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto head = static_cast<Index>(i) / metrics.rows.rows;
        const auto row = static_cast<Index>(i) % metrics.rows.rows;
        const double found = A.value(head, row, metrics.rows.argmax[i]);
        const double other = A.value(head, row, static_cast<Index>(wanted[i]));
        if (metrics.rows.argmax[i] != static_cast<Index>(wanted[i]) && found - other > tolerance)
            return QStringLiteral("argmax of head %1, row %2").arg(head).arg(row);
    }
    return {};
}

/// Metrics are sums and differences of weights up to 1: where nearly equal weights cancel, the weights' own
/// error remains, so the tolerance is relative to at least 1.
double metricTolerance(const std::vector<double> &expected, double tolerance)
{
    double magnitude = 1e-300;
    for (const double value : expected)
        if (std::isfinite(value))
            magnitude = std::max(magnitude, std::abs(value));
    return tolerance * std::max(1.0, magnitude) / magnitude;
}

QString metricsDifference(const Snapshot &snapshot, const Json &expected, double tolerance)
{
    const Metrics metrics = metricsOf(snapshot);
    for (const auto &[name, numbers] : namedMetrics(metrics)) {
        if (!expected.contains(name))
            return QStringLiteral("golden file has no %1").arg(QString::fromStdString(name));
        const std::vector<double> wanted = goldenTensor(expected[name]).toDoubles();
        const QString difference = matrixDifference(numbers, wanted, metricTolerance(wanted, tolerance));
        if (!difference.isEmpty())
            return QStringLiteral("%1: %2").arg(QString::fromStdString(name), difference);
    }
    return argmaxDifference(metrics, *snapshot.stage(Stage::A).values, expected["argmax"], tolerance);
}

std::vector<double> arrayData(const Json &array)
{
    std::vector<double> data;
    for (const Json &number : array["data"].toArray())
        data.push_back(number.toDouble());
    return data;
}

/// A list of footprints as golden files write it: heads (if any), tokens, rows, columns.
QString footprintListDifference(const SnapshotPtr &snapshot, FootprintTarget target, const Json &expected,
                                double tolerance)
{
    const bool hasHeads = target != FootprintTarget::Token;
    const Index heads = hasHeads ? snapshot->sizes().nHeads : 1;
    std::vector<double> found;
    for (Index head = 0; head < heads; ++head)
        for (Index token = 0; token < snapshot->sizes().nK; ++token) {
            const StageValuesPtr values = footprint(snapshot, target, head, token);
            if (!values)
                return QStringLiteral("no footprint of token %1").arg(token);
            const std::vector<double> numbers = numbersOf(*values);
            found.insert(found.end(), numbers.begin(), numbers.end());
        }
    return matrixDifference(found, arrayData(expected), tolerance);
}

QString sampleDifference(const SnapshotPtr &snapshot, const Json &sample, double tolerance)
{
    const Index head = sample["head"].toInteger();
    const Index token = sample["token"].toInteger();
    const QString plain = matrixDifference(*footprint(snapshot, FootprintTarget::Head, head, token),
                                           goldenTensor(sample["per_head"]), tolerance);
    if (!plain.isEmpty())
        return plain;
    return matrixDifference(*footprint(snapshot, FootprintTarget::HeadMapped, head, token),
                            goldenTensor(sample["mapped"]), tolerance);
}

QString footprintsDifference(const SnapshotPtr &snapshot, const Json &expected, double tolerance)
{
    const std::map<std::string, FootprintTarget> lists = {{"per_head", FootprintTarget::Head},
                                                          {"per_head_mapped", FootprintTarget::HeadMapped},
                                                          {"per_token", FootprintTarget::Token}};
    for (const auto &[name, value] : expected.toObject()) {
        if (name == "samples") {
            for (const Json &sample : value.toArray())
                if (const QString text = sampleDifference(snapshot, sample, tolerance); !text.isEmpty())
                    return QStringLiteral("sample: %1").arg(text);
            continue;
        }
        const auto list = lists.find(name);
        if (list == lists.end())
            return QStringLiteral("unknown footprints %1").arg(QString::fromStdString(name));
        const QString text = footprintListDifference(snapshot, list->second, value, tolerance);
        if (!text.isEmpty())
            return QStringLiteral("%1: %2").arg(QString::fromStdString(name), text);
    }
    return {};
}

} // namespace

class TestGoldenForward : public QObject
{
    Q_OBJECT

private slots:
    void allFilesAreThere();
    void reproduces_data();
    void reproduces();
};

void TestGoldenForward::allFilesAreThere()
{
    const QStringList forward = goldenNames(QStringLiteral("forward"));
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    const QStringList patterns = {QStringLiteral("random_*.json"), QStringLiteral("bias_*.json"),
                                  QStringLiteral("given_*.json")};
    for (const QString &file : folder.entryList(patterns, QDir::Files))
        QVERIFY2(forward.contains(file.chopped(5)), qPrintable(file));
    QVERIFY(forward.size() > 80);
}

void TestGoldenForward::reproduces_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("isSingle");
    for (const QString &name : goldenNames(QStringLiteral("forward"))) {
        QTest::newRow(qPrintable(name)) << name << false;
        QTest::newRow(qPrintable(name + QStringLiteral(" in float32"))) << name << true;
    }
}

void TestGoldenForward::reproduces()
{
    QFETCH(QString, name);
    QFETCH(bool, isSingle);
    const Json golden = readGolden(name);
    const double tolerance = golden["tolerance"][isSingle ? "float32" : "float64"].toDouble();
    const ExperimentPtr experiment =
        goldenExperiment(golden["state"], isSingle ? Precision::Float32 : Precision::Float64);
    QVERIFY(experiment);
    const SnapshotPtr snapshot = evaluated(experiment);
    QCOMPARE(snapshot->problem(), std::string());
    QCOMPARE(stagesDifference(*snapshot, golden["stages"], tolerance), QString());
    QCOMPARE(metricsDifference(*snapshot, golden["metrics"], tolerance), QString());
    QCOMPARE(footprintsDifference(snapshot, golden["footprints"], tolerance), QString());
    if (!golden["stages"].contains("Qr"))
        QVERIFY(!snapshot->stage(Stage::Qr).hasValues());
    for (const Stage stage : {Stage::Q, Stage::Scores, Stage::Scaled, Stage::Masked, Stage::FullyMasked})
        QCOMPARE(snapshot->stage(stage).hasValues(), golden["stages"].contains(stageName(stage)));
}

QTEST_APPLESS_MAIN(TestGoldenForward)
#include "tst_GoldenForward.moc"
