#include "io/DocumentFile.h"

#include "io/StateJson.h"
#include "support/JsonCompare.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <csignal>
#include <limits>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace attn;
using namespace attn::test;
using namespace Qt::StringLiterals;

class TestDocumentFile : public QObject
{
    Q_OBJECT

private slots:
    void goldenStatesSurvive_data();
    void goldenStatesSurvive();
    void everyFieldSurvives();
    void everyDoubleSurvives();
    void contradictionsSurvive();
    void sameContentGivesSameBytes();
    void unknownMembersAreTolerated();
    void rowNamesNeedTheirMatrix();
    void firstVersionHasNoScratchMatrices();
    void newerVersionsAreRefused();
    void damagedFilesAreRefused_data();
    void damagedFilesAreRefused();
    void cutFilesAreRefused_data();
    void cutFilesAreRefused();
    void cutAnywhereIsRefused();
    void changedBytesNeverCrash();
    void filesAreReadWithinTheLimit();
    void writingReplacesTheWholeFile();
    void failedWritingKeepsTheOldFile();
    void devicesAreNotReplaced();
};

namespace {

DocumentFileData sampleData()
{
    DocumentFileData data;
    data.title = u"注意力 sample"_s;
    Experiment &experiment = data.experiment;
    experiment.tokens = TokenList({"I", "love \n", std::string("a\0b", 3)});
    experiment.tokensKv = TokenList({"x", "x", ""});
    experiment.given[Stage::X] =
        Tensor::fromDoubles({1, 3, 2}, std::vector<double>{0.1, -0.0, 5e-324, 1e308, HUGE_VAL, 2});
    experiment.given[Stage::Wq] =
        Tensor::fromFloats({1, 2, 4}, std::vector<float>{0.1f, 1, 2, 3, 4, 5, 6, 7});
    experiment.given[Stage::MaskBool] = Tensor::filled({2, 3, 3}, 1.0);
    experiment.given[Stage::MaskAdd] = Tensor::filled({1, 3, 3}, -HUGE_VAL);
    experiment.given[Stage::MaskAlibi] = Tensor::filled({1, 1, 2}, 0.25);
    experiment.given[Stage::V] = Tensor::filled({1, 3, 2}, 0.5, Tensor::Storage::Float32);
    experiment.labs["A"] = Tensor::fromDoubles({1, 1, 3}, std::vector<double>{0.1, -0.0, 1e308});
    experiment.labs["向量"] = Tensor::filled({1, 70, 70}, 0.25, Tensor::Storage::Float32);
    experiment.labRowNames["向量"] = {"", "意思 − \n"};
    experiment.nHeads = 2;
    experiment.nKvHeads = 1;
    experiment.statedDHeadK = 7;
    experiment.statedDHeadV = 9;
    experiment.scale = 0.3;
    experiment.qOffset = -4;
    experiment.rotary = Rotary{Rotary::Pairing::Half, 500000.0, Index(2)};
    experiment.causal = true;
    experiment.window = Window{Index(3), std::nullopt};
    experiment.precision = Precision::Float32;
    experiment.decimals = {{Stage::X, 1}, {Stage::A, 3}};
    const FactSource row{
        FactSource::Quantity::Exponentials, Stage::Scaled, {1, 2, 3}, true, FactSource::Basis::Projections};
    const FactSource width{FactSource::Quantity::RootOfWidth, Stage::Q, {}, false, FactSource::Basis::Inputs};
    experiment.printedFacts = {
        {"sum", {5.517}, 3, std::nullopt}, {"row", {0.249, 0.243}, 3, row}, {"root", {2.449}, 3, width}};
    experiment.notes = "first\nsecond";
    Pins pins(Tensor::filled({1, 3, 4}, 0.25));
    pins.clear({0, 1, 1});
    pins.set({0, 2, 2}, -0.0);
    experiment.pins[Stage::Q] = pins;
    Pins cells;
    cells.set({1, 2, 0}, 0.7);
    experiment.pins[Stage::A] = cells;
    data.reference[Stage::Output] = Tensor::filled({1, 3, 2}, 1.0 / 3.0);
    data.view =
        QJsonObject{{u"workspace"_s, u"heads"_s}, {u"zoom"_s, 1.25}, {u"list"_s, QJsonArray{1, u"b"_s}}};
    return data;
}

/// A document with a matrix that is written as a block.
QByteArray largeDocument()
{
    DocumentFileData data = sampleData();
    std::vector<double> numbers(5000);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = std::sin(static_cast<double>(i));
    data.experiment.given[Stage::Wo] = Tensor::fromDoubles({1, 50, 100}, numbers);
    return documentBytes(data);
}

QByteArray replaced(QByteArray text, const char *before, const char *after)
{
    if (!text.contains(before))
        qFatal("the text has no %s", before);
    return text.replace(before, after);
}

} // namespace

void TestDocumentFile::goldenStatesSurvive_data()
{
    QTest::addColumn<QString>("name");
    const QDir folder(QStringLiteral(ATTN_TEST_DATA "/golden"));
    for (const QString &name : folder.entryList({u"*.json"_s}, QDir::Files))
        if (readTestJson(u"golden/"_s + name)["state"].contains("tokens"))
            QTest::newRow(qPrintable(name)) << name;
}

void TestDocumentFile::goldenStatesSurvive()
{
    QFETCH(QString, name);
    const Json state = readTestJson(u"golden/"_s + name)["state"];
    DocumentFileData data;
    data.experiment = *experimentFromState(state);
    const Result<DocumentFileData> back = parseDocument(documentBytes(data), name);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QVERIFY(sameContent(back->experiment, data.experiment));
    const QString difference = jsonDifference(stateToJson(back->experiment), state);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
}

void TestDocumentFile::everyFieldSurvives()
{
    const DocumentFileData data = sampleData();
    const Result<DocumentFileData> back = parseDocument(documentBytes(data), u"sample.attn"_s);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QVERIFY(sameContent(back->experiment, data.experiment));
    QCOMPARE(back->title, data.title);
    QCOMPARE(back->view, data.view);
    QCOMPARE(back->reference.size(), std::size_t(1));
    QVERIFY(back->reference.at(Stage::Output).sameBits(data.reference.at(Stage::Output)));
    QVERIFY(back->experiment.matrix(Stage::V).storage() == Tensor::Storage::Float32);
    QVERIFY(back->experiment.pinsOf(Stage::Q).holes().contains(CellIndex{0, 1, 1}));
}

void TestDocumentFile::everyDoubleSurvives()
{
    for (const Index count : {Index(4000), Index(4100)}) { // as text and as a block
        std::mt19937_64 random(42);
        std::vector<double> numbers;
        while (static_cast<Index>(numbers.size()) < count) {
            const double value = std::bit_cast<double>(random());
            numbers.push_back(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
        }
        DocumentFileData data;
        data.experiment.given[Stage::X] = Tensor::fromDoubles({1, count / 100, 100}, numbers);
        const Result<DocumentFileData> back = parseDocument(documentBytes(data), u"x"_s);
        QVERIFY(back.ok());
        const std::vector<double> read = back->experiment.matrix(Stage::X).toDoubles();
        QCOMPARE(read.size(), numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            QVERIFY(std::bit_cast<std::uint64_t>(read[i]) == std::bit_cast<std::uint64_t>(numbers[i]));
    }
}

void TestDocumentFile::contradictionsSurvive()
{
    DocumentFileData data;
    data.experiment.tokens = TokenList({"a"});
    data.experiment.given[Stage::X] = Tensor::filled({1, 3, 2}, 1.0);
    data.experiment.given[Stage::Wq] = Tensor::filled({1, 5, 3}, 1.0);
    data.experiment.nHeads = 2;
    Pins pins;
    pins.set({5, 5, 5}, 1.0);
    data.experiment.pins[Stage::A] = pins;
    const Result<DocumentFileData> back = parseDocument(documentBytes(data), u"x"_s);
    QVERIFY(back.ok());
    QVERIFY(sameContent(back->experiment, data.experiment));
}

void TestDocumentFile::sameContentGivesSameBytes()
{
    const QByteArray bytes = largeDocument();
    QCOMPARE(documentBytes(*parseDocument(bytes, u"x"_s)), bytes);
}

void TestDocumentFile::unknownMembersAreTolerated()
{
    const QByteArray bytes =
        replaced(largeDocument(), "\"version\": 2,", "\"version\": 2, \"added\": {\"a\": [1]},");
    QVERIFY(parseDocument(bytes, u"x"_s).ok());
    const Result<DocumentFileData> least =
        parseDocument(R"({"format": "attnscope", "version": 1, "state": {}})", u"x"_s);
    QVERIFY(least.ok());
    QVERIFY(sameContent(least->experiment, Experiment()));
}

void TestDocumentFile::rowNamesNeedTheirMatrix()
{
    DocumentFileData data = sampleData();
    const QByteArray bytes = documentBytes(data);
    const Result<DocumentFileData> older =
        parseDocument(replaced(bytes, "\"lab_row_names\"", "\"unknown\""), u"older.attn"_s);
    QVERIFY(older.ok());
    data.experiment.labRowNames.clear();
    QVERIFY(sameContent(older->experiment, data.experiment));
    const Result<DocumentFileData> bare =
        parseDocument(replaced(bytes, "\"labs\"", "\"unknown\""), u"bare.attn"_s);
    QVERIFY(!bare.ok());
    QVERIFY(bare.error().message.find("expected no more names than") != std::string::npos);
}

void TestDocumentFile::firstVersionHasNoScratchMatrices()
{
    DocumentFileData data = sampleData();
    QByteArray bytes = documentBytes(data);
    bytes = replaced(bytes, "\"lab_row_names\"", "\"unknown2\"");
    bytes = replaced(bytes, "\"version\": 2", "\"version\": 1");
    bytes = replaced(bytes, "\"labs\"", "\"unknown\"");
    const Result<DocumentFileData> back = parseDocument(bytes, u"old.attn"_s);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    data.experiment.labs.clear();
    data.experiment.labRowNames.clear();
    QVERIFY(sameContent(back->experiment, data.experiment));
}

void TestDocumentFile::newerVersionsAreRefused()
{
    const Result<DocumentFileData> result =
        parseDocument(R"({"format": "attnscope", "version": 3, "state": "in a new way"})", u"new.attn"_s);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, ErrorCode::TooNew);
    QCOMPARE(result.error().message,
             std::string(
                 "new.attn: written by a newer version of AttnScope (file version 3, this program reads up "
                 "to 2); open it with that version"));
}

void TestDocumentFile::damagedFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("message");
    const QByteArray good = largeDocument();
    QTest::newRow("empty") << QByteArray() << QByteArray("the file is empty");
    QTest::newRow("zeros, as after a power failure")
        << QByteArray(5000, '\0') << QByteArray("there is no value");
    QTest::newRow("another JSON") << QByteArray("{\"a\": 1}") << QByteArray("this is no AttnScope document");
    QTest::newRow("a list") << QByteArray("[1]") << QByteArray("this is no AttnScope document");
    QTest::newRow("no version") << replaced(good, "\"version\": 2", "\"version\": null")
                                << QByteArray("version: expected");
    QTest::newRow("version text") << replaced(good, "\"version\": 2", "\"version\": \"1\"")
                                  << QByteArray("version: expected a number from 1, found text");
    QTest::newRow("no state") << QByteArray(R"({"format": "attnscope", "version": 1})")
                              << QByteArray("state: expected an object, found null");
    QTest::newRow("other checksum") << replaced(good, "\"crc32\": \"", "\"crc32\": \"0")
                                    << QByteArray("state.Wo: the numbers do not match their checksum");
    QTest::newRow("changed block") << replaced(good, "\"base64\": \"AAAA", "\"base64\": \"AAAB")
                                   << QByteArray("state.Wo: the numbers do not match their checksum");
    QTest::newRow("precision") << replaced(good, "\"float32\",\n \"state", "\"float8\",\n \"state")
                               << QByteArray(
                                      "precision: expected \"float64\" or \"float32\", found \"float8\"");
    QTest::newRow("decimals") << replaced(good, "\"decimals\": {", "\"decimals\": {\"B\": 2, ")
                              << QByteArray("decimals.B: there is no such stage");
    QTest::newRow("printed fact") << replaced(good, "\"name\": \"sum\"", "\"name\": 5")
                                  << QByteArray("printed_facts[0].name: expected text");
    QTest::newRow("fact's quantity") << replaced(good, "\"exponentials\"", "\"logarithms\"")
                                     << QByteArray(
                                            "printed_facts[1].source.quantity: expected one of values, "
                                            "exponentials, exponential_sum, root_of_width, range, "
                                            "transposed, found logarithms");
    QTest::newRow("fact's stage") << replaced(good, "\"stage\": \"scaled\"", "\"stage\": \"B\"")
                                  << QByteArray("printed_facts[1].source.stage: there is no stage B");
    QTest::newRow("fact's cell") << replaced(good, "\"cell\": [1, 2, 3]", "\"cell\": [1, 2.5, 3]")
                                 << QByteArray("printed_facts[1].source.cell: expected [head, row, column]");
    QTest::newRow("reference") << replaced(good, "\"output\": {\"shape\": [3, 2]",
                                           "\"output\": {\"shape\": [3, 3]")
                               << QByteArray("reference.output: shape [3, 3] needs 9 numbers, found 6");
    QTest::newRow("widths") << replaced(good, "[7, 9]", "[7]")
                            << QByteArray("stated_widths: expected [d_k, d_v]");
    QTest::newRow("title") << replaced(good, "\"title\": \"", "\"title\": 4, \"x\": \"")
                           << QByteArray("title: expected text");
}

void TestDocumentFile::damagedFilesAreRefused()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, message);
    const Result<DocumentFileData> result = parseDocument(bytes, u"bad.attn"_s);
    QVERIFY(!result.ok());
    const QByteArray found = QByteArray::fromStdString(result.error().message);
    QVERIFY2(found.startsWith("bad.attn: ") && found.contains(message), found.constData());
    QVERIFY(result.error().code == ErrorCode::Damaged || message.contains("no AttnScope document"));
}

void TestDocumentFile::cutFilesAreRefused_data()
{
    QTest::addColumn<qsizetype>("size");
    const qsizetype whole = largeDocument().size();
    for (const int percent : {0, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99})
        QTest::addRow("%d %%", percent) << whole * percent / 100;
    QTest::newRow("without the last bracket") << whole - 2;
}

void TestDocumentFile::cutFilesAreRefused()
{
    QFETCH(qsizetype, size);
    const Result<DocumentFileData> result = parseDocument(largeDocument().left(size), u"cut.attn"_s);
    QVERIFY(!result.ok());
    QCOMPARE(result.error().code, ErrorCode::Damaged);
}

void TestDocumentFile::cutAnywhereIsRefused()
{
    const QByteArray small = documentBytes(sampleData());
    for (qsizetype end = 0; end < small.size() - 2; end += 7)
        QVERIFY(!parseDocument(small.left(end), u"cut.attn"_s).ok());
}

void TestDocumentFile::changedBytesNeverCrash()
{
    const QByteArray good = documentBytes(sampleData());
    std::mt19937 random(7);
    for (int run = 0; run < 1000; ++run) {
        QByteArray bytes = good;
        for (unsigned change = 0; change <= run % 3U; ++change)
            bytes[static_cast<qsizetype>(random() % static_cast<unsigned>(bytes.size()))] =
                "0123456789[]{}\",:-eN\0x"[random() % 22];
        const Result<DocumentFileData> result = parseDocument(bytes, u"x"_s);
        if (!result)
            QVERIFY(result.error().message.starts_with("x: "));
    }
}

void TestDocumentFile::filesAreReadWithinTheLimit()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"data.bin"_s);
    QVERIFY(writeFileAtomically(path, QByteArray(1000, 'x')).ok());
    QCOMPARE(readFile(path)->size(), qsizetype(1000));
    QCOMPARE(readFile(path, 999).error().code, ErrorCode::TooLarge);
    QCOMPARE(readFile(folder.filePath(u"none"_s)).error().code, ErrorCode::NotFound);
    QCOMPARE(readFile(folder.path()).error().code, ErrorCode::BadInput);
    QCOMPARE(readFile(u"/dev/zero"_s, 5000).error().code, ErrorCode::TooLarge);
}

void TestDocumentFile::writingReplacesTheWholeFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"文件.attn"_s);
    QVERIFY(writeFileAtomically(path, "a longer content").ok());
    QVERIFY(writeFileAtomically(path, "short").ok());
    QCOMPARE(*readFile(path), QByteArray("short"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), qsizetype(1));
}

void TestDocumentFile::failedWritingKeepsTheOldFile()
{
    const QTemporaryDir folder;
    const Result<void> missing = writeFileAtomically(folder.filePath(u"none/x.attn"_s), "new");
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().code, ErrorCode::Io);
    QVERIFY(missing.error().message.find("choose another folder") != std::string::npos);

    const QString path = folder.filePath(u"old.attn"_s);
    QVERIFY(writeFileAtomically(path, "old").ok());
    // A limit on file sizes stands for a full disk; it holds for root too.
    rlimit before{};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 4096;
    std::signal(SIGXFSZ, SIG_IGN);
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<void> full = writeFileAtomically(path, QByteArray(100000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!full.ok());
    QVERIFY2(full.error().message.find("what was there before is kept") != std::string::npos,
             full.error().message.c_str());
    QCOMPARE(*readFile(path), QByteArray("old"));
}

void TestDocumentFile::devicesAreNotReplaced()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"pipe"_s);
    QCOMPARE(mkfifo(QFile::encodeName(path).constData(), 0600), 0);
    QFile reader(path);
    QVERIFY(reader.open(QIODevice::ReadWrite | QIODevice::Unbuffered)); // so that neither side waits
    QVERIFY(writeFileAtomically(path, "through").ok());
    QCOMPARE(reader.read(7), QByteArray("through"));
    QVERIFY(!QFileInfo(path).isFile());
}

QTEST_APPLESS_MAIN(TestDocumentFile)
#include "tst_DocumentFile.moc"
