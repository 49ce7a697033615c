#include "engine/MappedNumbers.h"
#include "io/DocumentFile.h"
#include "io/Import.h"
#include "io/StateJson.h"
#include "io/TensorWriters.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

/// As many numbers as it takes to stay in the file: 17 MB.
constexpr std::int64_t largeRows = 33000;
constexpr std::int64_t largeWidth = 132;

float numberAt(std::int64_t index)
{
    return static_cast<float>((index * 48271 + 11) % 65521) / 1024.0f - 32.0f;
}

FileTensor largeTensor(const std::string &name, std::vector<std::int64_t> shape)
{
    FileTensor tensor{name, Dtype::F32, shape, {}, {}};
    std::int64_t count = 1;
    for (const std::int64_t length : shape)
        count *= length;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
        numbers[static_cast<std::size_t>(i)] = numberAt(i);
    tensor.data = std::move(numbers);
    return tensor;
}

void writeBytes(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

Result<ImportResult> imported(const QString &path)
{
    const auto file = openTensorFile(path);
    if (!file)
        return file.error();
    const auto plan = guessImport(**file);
    if (!plan)
        return plan.error();
    return importExperiment(**file, *plan);
}

DocumentFileData documentOf(const Experiment &experiment)
{
    DocumentFileData data;
    data.experiment = experiment;
    return data;
}

} // namespace

/// Tensors above 16 MB stay in their file, and documents refer to them there.
class TestMappedTensors : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void layoutsAreReadInPlace_data();
    void layoutsAreReadInPlace();
    void smallAndReorderedTensorsAreRead_data();
    void smallAndReorderedTensorsAreRead();
    void largeSinglePrecisionIsComputedSo();
    void documentsReferAndKeepEdits();
    void embeddedDocumentsNeedNoFile();
    void manyEditsAreEmbedded();
    void journalEditsRefer();
    void missingFileIsSaid();
    void changedFileIsSaid();
    void fileCutWhileMappedReadsAsNan();
    void touchedFileIsNoted();
    void filesBesideTheDocumentAreFound();
    void changedFileIsNotReferredTo();
    void damagedReferencesAreRefused_data();
    void damagedReferencesAreRefused();

private:
    QString filePath() const { return m_folder->filePath(u"q.npy"_s); }
    Experiment experiment() const { return imported(filePath())->experiment; }
    QByteArray edited() const;

    QByteArray m_npy;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestMappedTensors::initTestCase()
{
    m_npy = npyBytes(largeTensor("Q", {largeRows, largeWidth}));
}

void TestMappedTensors::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    writeBytes(filePath(), m_npy);
}

/// The document with one cell of Q set.
QByteArray TestMappedTensors::edited() const
{
    Experiment e = experiment();
    e.given[Stage::Q] = e.matrix(Stage::Q).withCells(std::vector<CellValue>{{{0, 12345, 6}, 0.1}});
    return documentBytes(documentOf(e));
}

void TestMappedTensors::layoutsAreReadInPlace_data()
{
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<int>("head");
    QTest::addColumn<int>("row");
    QTest::newRow("token, feature") << QList<int>{33000, 132} << 66 << 132;
    QTest::newRow("head, token, feature") << QList<int>{2, 33000, 66} << 33000 * 66 << 66;
    QTest::newRow("token, head, feature") << QList<int>{33000, 2, 66} << 66 << 132;
    QTest::newRow("batch, head, token, feature") << QList<int>{1, 2, 33000, 66} << 33000 * 66 << 66;
}

void TestMappedTensors::layoutsAreReadInPlace()
{
    QFETCH(QList<int>, shape);
    QFETCH(int, head);
    QFETCH(int, row);
    const QString path = m_folder->filePath(u"t.safetensors"_s);
    const auto bytes = safetensorsBytes({largeTensor("Q", {shape.begin(), shape.end()})}, {});
    QVERIFY(bytes.ok());
    writeBytes(path, *bytes);
    const auto file = openTensorFile(path);
    auto plan = guessImport(**file);
    QVERIFY(plan.ok());
    if (shape.size() == 3 && shape[0] > 2)
        plan->tensors.front().axes = {AxisRole::Row, AxisRole::Head, AxisRole::Col};
    else if (shape.size() == 3)
        plan->tensors.front().axes = {AxisRole::Head, AxisRole::Row, AxisRole::Col};
    const auto result = importExperiment(**file, *plan);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    const Tensor &Q = result->experiment.matrix(Stage::Q);
    QVERIFY(Q.mapping());
    QVERIFY((Q.shape() == Shape{1, 33000, 132}));
    for (const Index r : {0, 1, 17000, 32999})
        for (const Index c : {0, 65, 66, 131})
            QCOMPARE(Q.at(r, c), double(numberAt(c / 66 * head + r * row + c % 66)));
}

void TestMappedTensors::smallAndReorderedTensorsAreRead_data()
{
    QTest::addColumn<bool>("transposed");
    QTest::addColumn<bool>("isLayered");
    QTest::newRow("a transposed matrix") << true << false;
    QTest::newRow("one small layer of a large tensor") << false << true;
}

void TestMappedTensors::smallAndReorderedTensorsAreRead()
{
    QFETCH(bool, transposed);
    QFETCH(bool, isLayered);
    const QString path = m_folder->filePath(u"w.npy"_s);
    writeBytes(path,
               npyBytes(isLayered ? largeTensor("Wq", {50, 300, 300}) : largeTensor("Wq", {3000, 1500})));
    const auto file = openTensorFile(path);
    auto plan = guessImport(**file);
    QVERIFY(plan.ok());
    ImportSlot &slot = plan->tensors.front();
    slot.stage = Stage::Wq;
    slot.transposed = transposed;
    slot.axes = {AxisRole::Row, AxisRole::Col};
    if (isLayered)
        slot.axes.insert(slot.axes.begin(), AxisRole::Layer);
    plan->layerCount = isLayered ? 50 : 1;
    plan->layer = isLayered ? 7 : 0;
    plan->nHeads = 1;
    const auto result = importExperiment(**file, *plan);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().message.c_str());
    const Tensor &W = result->experiment.matrix(Stage::Wq);
    QVERIFY(!W.mapping());
    QCOMPARE(W.at(11, 13), double(numberAt(isLayered ? (7 * 300 + 11) * 300 + 13 : 13 * 1500 + 11)));
}

void TestMappedTensors::largeSinglePrecisionIsComputedSo()
{
    const auto file = openTensorFile(filePath());
    auto plan = guessImport(**file);
    QVERIFY(plan->precision == Precision::Float32);
    QVERIFY(std::any_of(plan->guesses.begin(), plan->guesses.end(), [](const std::string &sentence) {
        return sentence.find("float32") != std::string::npos;
    }));
    plan->precision = Precision::Float64;
    QVERIFY(importExperiment(**file, *plan)->experiment.precision == Precision::Float64);
    QVERIFY(experiment().precision == Precision::Float32);
}

void TestMappedTensors::documentsReferAndKeepEdits()
{
    const QByteArray bytes = edited();
    QVERIFY2(bytes.size() < 1'000'000, qPrintable(QString::number(bytes.size())));
    const auto back = parseDocument(bytes, u"d.attn"_s);
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().message.c_str());
    QVERIFY(back->notes.empty());
    const Tensor &Q = back->experiment.matrix(Stage::Q);
    QVERIFY(Q.mapping());
    QCOMPARE(Q.at(12345, 6), double(0.1f));
    QCOMPARE(Q.at(12345, 7), double(numberAt(12345 * largeWidth + 7)));
    QCOMPARE(documentBytes(*back), bytes);
}

void TestMappedTensors::embeddedDocumentsNeedNoFile()
{
    const Experiment e = experiment();
    const QByteArray bytes = documentBytes(documentOf(e), DocumentNumbers::Embedded);
    QVERIFY(QFile::remove(filePath()));
    const auto back = parseDocument(bytes, u"d.attn"_s);
    QVERIFY(back.ok());
    QVERIFY(!back->experiment.matrix(Stage::Q).mapping());
    QVERIFY(sameContent(back->experiment, e));
}

void TestMappedTensors::manyEditsAreEmbedded()
{
    Experiment e = experiment();
    std::vector<CellValue> cells;
    for (Index row = 0; row < largeRows / 3; ++row)
        for (Index col = 0; col < largeWidth; ++col)
            cells.push_back({{0, row, col}, 0.5});
    e.given[Stage::Q] = e.matrix(Stage::Q).withCells(cells);
    const auto back = parseDocument(documentBytes(documentOf(e)), u"d.attn"_s);
    QVERIFY(back.ok());
    QVERIFY(!back->experiment.matrix(Stage::Q).mapping());
    QVERIFY(sameContent(back->experiment, e));
}

void TestMappedTensors::journalEditsRefer()
{
    const Experiment e = experiment();
    const Json json = editToJson(SetTensor{Stage::Q, e.matrix(Stage::Q)});
    QVERIFY(writeJson(json).size() < 2000);
    const auto edit = editFromJson(json, e);
    QVERIFY(edit.ok());
    QVERIFY(std::get<SetTensor>(*edit).value.sameBits(e.matrix(Stage::Q)));
}

void TestMappedTensors::missingFileIsSaid()
{
    const QByteArray bytes = edited();
    QVERIFY(QFile::remove(filePath()));
    const auto back = parseDocument(bytes, u"d.attn"_s, m_folder->path());
    QVERIFY(!back.ok());
    QVERIFY(back.error().code == ErrorCode::NotFound);
    QVERIFY(back.error().message.find("Q: its numbers are in " + filePath().toStdString() +
                                      ": no such file") != std::string::npos);
}

void TestMappedTensors::changedFileIsSaid()
{
    const QByteArray bytes = edited();
    QByteArray other = m_npy;
    other.back() = char(other.back() ^ 1);
    writeBytes(filePath(), other);
    const auto changed = parseDocument(bytes, u"d.attn"_s);
    QVERIFY(!changed.ok());
    QVERIFY(changed.error().message.find("it has changed") != std::string::npos);
    writeBytes(filePath(), m_npy.left(m_npy.size() / 2));
    const auto cut = parseDocument(bytes, u"d.attn"_s);
    QVERIFY(!cut.ok());
    QVERIFY(cut.error().message.find("bytes expected") != std::string::npos);
}

void TestMappedTensors::fileCutWhileMappedReadsAsNan()
{
    const Experiment e = experiment();
    const Tensor &Q = e.matrix(Stage::Q);
    QVERIFY(QFile::resize(filePath(), 4096));
    QCOMPARE(Q.at(1, 1), double(numberAt(largeWidth + 1)));
    QVERIFY(std::isnan(Q.at(largeRows - 1, 0)));
    QVERIFY(std::isnan(Q.at(largeRows / 2, 3)));
}

void TestMappedTensors::touchedFileIsNoted()
{
    const QByteArray bytes = edited();
    QFile file(filePath());
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime(QDate(2001, 2, 3), QTime(4, 5), Qt::UTC),
                             QFileDevice::FileModificationTime));
    file.close();
    const auto back = parseDocument(bytes, u"d.attn"_s);
    QVERIFY(back.ok());
    QCOMPARE(back->notes.size(), std::size_t(1));
}

void TestMappedTensors::filesBesideTheDocumentAreFound()
{
    const QByteArray bytes = edited();
    QTemporaryDir other;
    QVERIFY(QFile::rename(filePath(), other.filePath(u"q.npy"_s)));
    QVERIFY(!parseDocument(bytes, u"d.attn"_s).ok());
    const auto back = parseDocument(bytes, u"d.attn"_s, other.path());
    QVERIFY(back.ok());
    QCOMPARE(back->notes.size(), std::size_t(1));
    QCOMPARE(back->experiment.matrix(Stage::Q).mapping()->origin->path,
             other.filePath(u"q.npy"_s).toStdString());
}

void TestMappedTensors::changedFileIsNotReferredTo()
{
    const Experiment e = experiment();
    QVERIFY(QFile::rename(filePath(), m_folder->filePath(u"away.npy"_s)));
    const auto back = parseDocument(documentBytes(documentOf(e)), u"d.attn"_s);
    QVERIFY(back.ok());
    QVERIFY(!back->experiment.matrix(Stage::Q).mapping());
    QVERIFY(sameContent(back->experiment, e));
}

void TestMappedTensors::damagedReferencesAreRefused_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("beyond the end") << QByteArray("\"row_stride\": 132") << QByteArray("\"row_stride\": 133");
    QTest::newRow("far beyond the end")
        << QByteArray("\"row_stride\": 132") << QByteArray("\"row_stride\": 1000000000000");
    QTest::newRow("negative offset") << QByteArray("\"offset\": 128") << QByteArray("\"offset\": -128");
    QTest::newRow("text for a number") << QByteArray("\"offset\": 128") << QByteArray("\"offset\": \"x\"");
    QTest::newRow("no pieces") << QByteArray("\"piece_cols\": 132") << QByteArray("\"piece_cols\": 0");
    QTest::newRow("no path") << QByteArray("\"path\":") << QByteArray("\"pith\":");
    QTest::newRow("a cell outside") << QByteArray("[0, 12345, 6, ") << QByteArray("[0, 99999, 6, ");
    QTest::newRow("a shape that does not fit")
        << QByteArray("\"shape\": [33000, 132]") << QByteArray("\"shape\": [33000, 13200]");
}

void TestMappedTensors::damagedReferencesAreRefused()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QByteArray bytes = edited();
    QVERIFY2(bytes.contains(before), bytes.mid(bytes.indexOf("\"given\""), 900).constData());
    bytes.replace(before, after);
    const auto back = parseDocument(bytes, u"d.attn"_s);
    QVERIFY(!back.ok());
    QVERIFY2(back.error().message.find("Q") != std::string::npos, back.error().message.c_str());
}

QTEST_GUILESS_MAIN(TestMappedTensors)
#include "tst_MappedTensors.moc"
