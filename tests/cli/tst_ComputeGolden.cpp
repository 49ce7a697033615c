#include "cli/CliRun.h"

#include "io/DocumentFile.h"
#include "support/GoldenFile.h"
#include "support/JsonCompare.h"
#include "support/MatrixCompare.h"
#include "support/StagesCompare.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

namespace {

Json readJsonFile(const QString &path)
{
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return {};
    const Result<JsonText> text = parseJson(*bytes);
    return text ? text->value : Json();
}

std::vector<double> dataOf(const Json &array)
{
    std::vector<double> numbers;
    for (const Json &number : array["data"].toArray())
        numbers.push_back(number.toDouble());
    return numbers;
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

/// The argmax may be another key where two weights are as good as equal.
QString argmaxDifference(const Json &found, const Json &expected, const Json &A, double tolerance)
{
    const std::vector<double> is = dataOf(found);
    const std::vector<double> should = dataOf(expected);
    const std::vector<double> weights = dataOf(A);
    if (is.size() != should.size() || is.empty())
        return u"argmax: %1 rows, expected %2"_s.arg(is.size()).arg(should.size());
    const std::size_t keys = weights.size() / is.size();
    for (std::size_t row = 0; row < is.size(); ++row) {
        const double lost = weights[row * keys + static_cast<std::size_t>(should[row])] -
                            weights[row * keys + static_cast<std::size_t>(is[row])];
        if (is[row] != should[row] && lost > tolerance)
            return u"argmax of row %1: %2, expected %3"_s.arg(row).arg(is[row]).arg(should[row]);
    }
    return {};
}

QString metricsDifference(const Json &found, const Json &golden, double tolerance)
{
    for (const auto &[name, array] : golden["metrics"].toObject()) {
        const QString prefix = QString::fromStdString(name) + u": "_s;
        if (name == "argmax") {
            const QString text = argmaxDifference(found["argmax"], array, golden["stages"]["A"], tolerance);
            if (!text.isEmpty())
                return text;
            continue;
        }
        const QString text = arrayDifference(found[name], array, metricTolerance(dataOf(array), tolerance));
        if (!text.isEmpty())
            return prefix + text;
    }
    return {};
}

QString footprintsDifference(const Json &found, const Json &expected, double tolerance)
{
    for (const auto &[name, array] : expected.toObject()) {
        if (name != "samples") {
            const QString text = arrayDifference(found[name], array, tolerance);
            if (!text.isEmpty())
                return QString::fromStdString(name) + u": "_s + text;
            continue;
        }
        for (const Json &sample : array.toArray()) {
            for (const auto &[list, key] :
                 {std::pair("per_head", "per_head"), std::pair("per_head_mapped", "mapped")}) {
                const std::vector<double> all = dataOf(found[list]);
                const std::vector<double> wanted = dataOf(sample[key]);
                const std::int64_t tokens = found[list]["shape"].toArray()[1].toInteger();
                const std::int64_t which = sample["head"].toInteger() * tokens + sample["token"].toInteger();
                const auto first = all.begin() + which * static_cast<std::int64_t>(wanted.size());
                const QString text = matrixDifference(
                    {first, first + static_cast<std::int64_t>(wanted.size())}, wanted, tolerance);
                if (!text.isEmpty())
                    return u"sample: "_s + text;
            }
        }
    }
    return {};
}

} // namespace

/// `compute` on every golden forward file: what it writes, read back.
class TestComputeGolden : public QObject
{
    Q_OBJECT

private slots:
    void reproduces_data();
    void reproduces();
    void resultIsAnInput();
    void sameBytesInEveryLocale();

private:
    QTemporaryDir m_folder;
};

void TestComputeGolden::reproduces_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("precision");
    const QStringList names = goldenNames(u"forward"_s);
    QVERIFY(names.size() > 80);
    for (const QString &name : names)
        for (const QString &precision : {u"f64"_s, u"f32"_s})
            QTest::newRow(qPrintable(name + u' ' + precision)) << name << precision;
}

void TestComputeGolden::reproduces()
{
    QFETCH(QString, name);
    QFETCH(QString, precision);
    const Json golden = readGolden(name);
    const double tolerance = golden["tolerance"][precision == u"f32"_s ? "float32" : "float64"].toDouble();
    const QString out = m_folder.filePath(u"out.json"_s);
    const CliRun run = runCli({u"compute"_s, testData(u"golden/%1.json"_s.arg(name)), u"--precision"_s,
                               precision, u"--out"_s, out});
    QVERIFY2(run.code == 0, run.story().constData());
    QCOMPARE(run.err, QByteArray());
    const Json found = readJsonFile(out);
    QCOMPARE(jsonDifference(found["state"], golden["state"]), QString());
    QCOMPARE(arraysDifference(found["stages"], golden["stages"], tolerance), QString());
    QCOMPARE(metricsDifference(found["metrics"], golden, tolerance), QString());
    QCOMPARE(footprintsDifference(found["footprints"], golden["footprints"], tolerance), QString());
}

void TestComputeGolden::resultIsAnInput()
{
    const QString first = m_folder.filePath(u"first.json"_s);
    const QString second = m_folder.filePath(u"second.json"_s);
    const QString input = testData(u"golden/random_045_everything.json"_s);
    QVERIFY(runCli({u"compute"_s, input, u"--precision"_s, u"f32"_s, u"--out"_s, first}).code == 0);
    const CliRun again = runCli({u"compute"_s, first, u"--out"_s, second});
    QVERIFY2(again.code == 0, again.story().constData());
    const Json a = readJsonFile(first);
    const Json b = readJsonFile(second);
    for (const char *member : {"precision", "state", "stages", "metrics", "footprints"})
        QCOMPARE(jsonDifference(b[member], a[member]), QString());
    QCOMPARE(b["precision"].toString(), std::string("float32"));
}

void TestComputeGolden::sameBytesInEveryLocale()
{
    const QString plain = m_folder.filePath(u"plain.json"_s);
    const QString german = m_folder.filePath(u"german.json"_s);
    const QStringList arguments = {u"compute"_s, testData(u"golden/seed_d1x_two_heads_from_x.json"_s),
                                   u"--set"_s,   u"X[1,3]=0.7"_s,
                                   u"--scale"_s, u"0.25"_s,
                                   u"--out"_s};
    QVERIFY(runCli(arguments + QStringList{plain}).code == 0);
    const CliRun run = runCli(arguments + QStringList{german}, u"de_DE.UTF-8"_s);
    QVERIFY2(run.code == 0, run.story().constData());
    QCOMPARE(*readFile(plain), *readFile(german));
    const Json json = readJsonFile(german);
    QCOMPARE(json["state"]["scale"].toDouble(), 0.25);
    QCOMPARE(json["state"]["X"]["data"].toArray()[9].toDouble(), 0.7);
}

QTEST_GUILESS_MAIN(TestComputeGolden)
#include "tst_ComputeGolden.moc"
