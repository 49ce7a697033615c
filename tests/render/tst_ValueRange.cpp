#include "render/ValueRange.h"

#include "HeatmapCases.h"

#include <QJsonArray>
#include <QTest>

#include <cmath>

using namespace attn;
using attn::test::caseExpectations;
using attn::test::caseTable;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ValueStatistics statisticsOf(const std::vector<std::vector<double>> &table)
{
    ValueStatistics result{nan, nan, 0.0};
    for (const auto &row : table) {
        for (const double value : row) {
            if (std::isnan(value)) {
                ++result.nanCount;
            } else if (std::isinf(value)) {
                ++(value < 0 ? result.minusInfCount : result.plusInfCount);
            } else {
                result.minimum = result.finiteCount == 0 ? value : std::min(result.minimum, value);
                result.maximum = result.finiteCount == 0 ? value : std::max(result.maximum, value);
                ++result.finiteCount;
            }
        }
    }
    return result;
}

void checkPlaces(const std::vector<std::vector<double>> &table, const ValueRange &range, const QJsonArray &t)
{
    QCOMPARE(static_cast<qsizetype>(table.size()), t.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const QJsonArray row = t.at(static_cast<qsizetype>(i)).toArray();
        for (std::size_t j = 0; j < table[i].size(); ++j) {
            const QJsonValue expected = row.at(static_cast<qsizetype>(j));
            QCOMPARE(std::isfinite(table[i][j]), !expected.isNull());
            if (!expected.isNull())
                QVERIFY(std::abs(range.place(table[i][j]) - expected.toDouble()) < 1e-12);
        }
    }
}

} // namespace

class TestValueRange : public QObject
{
    Q_OBJECT

private slots:
    void casesHaveTheirRange_data();
    void casesHaveTheirRange();
    void casesHaveTheirDivergingRange();
    void constantIsOneEvenColor();
    void extremesStayFinite();
    void weightsAreSequential();
};

void TestValueRange::casesHaveTheirRange_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file :
         {"nan-cells.csv", "minus-inf.csv", "all-nan.csv", "constant.csv", "orientation.csv"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TestValueRange::casesHaveTheirRange()
{
    QFETCH(QString, file);
    const auto table = caseTable(file);
    const QJsonObject expected = caseExpectations(QStringLiteral("heatmap")).value(file).toObject();
    const ValueStatistics statistics = statisticsOf(table);
    const ValueRange range = automaticRange(statistics, ColorMap::Kind::Sequential);
    const QJsonValue stated = expected.value(QStringLiteral("range"));
    QCOMPARE(range.isEmpty, stated.isNull());
    if (!range.isEmpty) {
        QCOMPARE(range.minimum, stated.toArray().at(0).toDouble());
        QCOMPARE(range.maximum, stated.toArray().at(1).toDouble());
    }
    if (expected.contains(QStringLiteral("missing")))
        QCOMPARE(statistics.nanCount + statistics.minusInfCount,
                 static_cast<Index>(expected.value(QStringLiteral("missing")).toInt()));
    if (expected.contains(QStringLiteral("t")))
        checkPlaces(table, range, expected.value(QStringLiteral("t")).toArray());
}

void TestValueRange::casesHaveTheirDivergingRange()
{
    const QString file = QStringLiteral("diverging.csv");
    const auto table = caseTable(file);
    const QJsonObject expected = caseExpectations(QStringLiteral("heatmap")).value(file).toObject();
    const ValueRange range = automaticRange(statisticsOf(table), ColorMap::Kind::Diverging);
    QCOMPARE(range.minimum, -5.0);
    QCOMPARE(range.maximum, 5.0);
    checkPlaces(table, range, expected.value(QStringLiteral("t_diverging")).toArray());
}

void TestValueRange::constantIsOneEvenColor()
{
    const ValueRange constant = automaticRange({0.25, 0.25, 0.5, 2, 0, 0, 0}, ColorMap::Kind::Sequential);
    QCOMPARE(constant.place(0.25), 0.5);
    const ValueRange zeros = automaticRange({0.0, 0.0, 0.0, 2, 0, 0, 0}, ColorMap::Kind::Diverging);
    QCOMPARE(zeros.place(0.0), 0.5);
    QVERIFY(!std::signbit(zeros.minimum));
}

void TestValueRange::extremesStayFinite()
{
    const double big = std::numeric_limits<double>::max();
    const ValueRange range = automaticRange({-big, big, 0.0, 2, 0, 0, 0}, ColorMap::Kind::Diverging);
    QCOMPARE(range.place(0.0), 0.5);
    QCOMPARE(range.place(-big), 0.0);
    QCOMPARE(range.place(big), 1.0);
    const ValueRange fixed{0.0, 1.0, false};
    QCOMPARE(fixed.place(-4.0), 0.0);
    QCOMPARE(fixed.place(4.0), 1.0);
}

void TestValueRange::weightsAreSequential()
{
    QCOMPARE(defaultKind(Stage::A), ColorMap::Kind::Sequential);
    QCOMPARE(defaultKind(Stage::MaskBool), ColorMap::Kind::Sequential);
    QCOMPARE(defaultKind(Stage::X), ColorMap::Kind::Diverging);
    QCOMPARE(defaultKind(Stage::Scores), ColorMap::Kind::Diverging);
    QCOMPARE(defaultKind(Stage::Output), ColorMap::Kind::Diverging);
}

QTEST_APPLESS_MAIN(TestValueRange)
#include "tst_ValueRange.moc"
