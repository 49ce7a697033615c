#include "io/ByteSource.h"
#include "io/TensorFile.h"
#include "support/FileCases.h"
#include "support/ProcessorTime.h"

#include <QTest>

#include <random>

using namespace attn;
using namespace attn::test;

/// Files cut anywhere, with bits turned, or made to be slow: an answer every time, and soon.
class TestHostileFiles : public QObject
{
    Q_OBJECT

private slots:
    void cutAnywhere_data();
    void cutAnywhere();
    void turnedBits_data();
    void turnedBits();
    void readInReasonableTime_data();
    void readInReasonableTime();
};

namespace {

constexpr unsigned mutationSeed = 20240611;

void addReadableCases()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QString>("fileName");
    for (const char *folder : {"npy", "npz", "safetensors", "csv", "json", "labels"})
        for (const FileCase &fileCase : fileCases(QString::fromLatin1(folder)))
            if (fileCase.outcome != QLatin1String("error"))
                QTest::addRow("%s/%s", folder, qPrintable(fileCase.fileName))
                    << fileCase.folder << fileCase.fileName;
}

/// Opens and loads everything; true = all of it could be read.
bool readsWholly(const QByteArray &bytes, const QString &fileName)
{
    const auto file = openTensorSource(bytesInMemory(bytes, fileName), fileName);
    if (!file)
        return false;
    bool all = true;
    for (std::size_t i = 0; i < (*file)->entries().size(); ++i) {
        const auto tensor = (*file)->load(i);
        if (tensor && tensor->dtype != Dtype::Text)
            for (std::int64_t k = 0; k < tensor->size(); ++k)
                static_cast<void>(tensor->number(k));
        all = all && tensor.ok();
    }
    return all;
}

} // namespace

void TestHostileFiles::cutAnywhere_data()
{
    addReadableCases();
}

void TestHostileFiles::cutAnywhere()
{
    QFETCH(QString, folder);
    QFETCH(QString, fileName);
    const QByteArray bytes = testDataBytes(QStringLiteral("cases/%1/%2").arg(folder, fileName));
    const bool isBinary = folder != QLatin1String("csv") && folder != QLatin1String("json") &&
                          folder != QLatin1String("labels");
    for (qsizetype length = 0; length < bytes.size(); ++length) {
        const bool isWhole = readsWholly(bytes.left(length), fileName);
        QVERIFY2(!isBinary || !isWhole, qPrintable(QStringLiteral("cut to %1 bytes").arg(length)));
    }
}

void TestHostileFiles::turnedBits_data()
{
    addReadableCases();
}

void TestHostileFiles::turnedBits()
{
    QFETCH(QString, folder);
    QFETCH(QString, fileName);
    qInfo("seed %u", mutationSeed);
    std::mt19937 random(mutationSeed);
    const QByteArray bytes = testDataBytes(QStringLiteral("cases/%1/%2").arg(folder, fileName));
    for (int round = 0; round < 400 && !bytes.isEmpty(); ++round) {
        QByteArray mutated = bytes;
        const int flips = 1 + static_cast<int>(random() % 3);
        for (int i = 0; i < flips; ++i) {
            const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(mutated.size()));
            mutated[at] =
                static_cast<char>(round % 4 == 3 ? random() & 0xff : mutated[at] ^ 1 << random() % 8);
        }
        const ProcessorTime timer;
        static_cast<void>(readsWholly(mutated, fileName));
        QVERIFY2(timer.milliseconds() < 2000, qPrintable(QStringLiteral("round %1").arg(round)));
    }
}

void TestHostileFiles::readInReasonableTime_data()
{
    QTest::addColumn<QString>("fileName");
    QTest::addColumn<QByteArray>("bytes");
    constexpr qsizetype many = 1 << 20;
    QTest::newRow("a million quotes") << QStringLiteral("a.csv") << QByteArray(many, '"');
    QTest::newRow("a million delimiters") << QStringLiteral("a.csv") << QByteArray(many, ',');
    QTest::newRow("a million empty lines") << QStringLiteral("a.csv") << QByteArray(many, '\n');
    QTest::newRow("half a million rows") << QStringLiteral("a.csv") << QByteArray("1\n").repeated(many / 2);
    QTest::newRow("a million open arrays") << QStringLiteral("a.json") << QByteArray(many, '[');
    QByteArray keys = "{";
    for (int i = 0; i < 100000; ++i)
        keys += "\"k" + QByteArray::number(i) + "\":[1],";
    keys.back() = '}';
    QTest::newRow("100000 arrays in an object") << QStringLiteral("a.json") << keys;
    QTest::newRow("a header of brackets")
        << QStringLiteral("a.safetensors") << QByteArray("\0\0\x10\0\0\0\0\0{", 9) + QByteArray(many, '{');
}

void TestHostileFiles::readInReasonableTime()
{
    QFETCH(QString, fileName);
    QFETCH(QByteArray, bytes);
    const ProcessorTime timer;
    static_cast<void>(readsWholly(bytes, fileName));
    // Far above what linear reading takes, also with sanitizers; far below quadratic.
    QVERIFY2(timer.milliseconds() < 8000, qPrintable(QString::number(timer.milliseconds())));
}

QTEST_GUILESS_MAIN(TestHostileFiles)
#include "tst_HostileFiles.moc"
