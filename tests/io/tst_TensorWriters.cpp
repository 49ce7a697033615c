#include "io/TensorWriters.h"

#include "io/DocumentFile.h"
#include "io/ElementWriter.h"
#include "io/Elements.h"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace attn;
using namespace Qt::StringLiterals;

class TestTensorWriters : public QObject
{
    Q_OBJECT

private slots:
    void halvesComeBack();
    void halvesRoundToNearest_data();
    void halvesRoundToNearest();
    void everyRecordSurvives_data();
    void everyRecordSurvives();
    void namesSurvive();
    void missingNumbersBecomeNaN();
    void jsonKeepsLargeIntegers();
    void csvOfFourAxes();
    void fileNamesAreSafe();
    void emptyAndScalarShapes();
};

namespace {

std::unique_ptr<TensorFile> opened(const QString &path)
{
    auto file = openTensorFile(path);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return std::move(*file);
}

std::unique_ptr<TensorFile> written(const QTemporaryDir &folder, const QString &name, const QByteArray &bytes)
{
    if (!writeFileAtomically(folder.filePath(name), bytes))
        qFatal("cannot write");
    return opened(folder.filePath(name));
}

std::vector<FileTensor> allTensors(const TensorFile &file)
{
    std::vector<FileTensor> tensors;
    for (std::size_t i = 0; i < file.entries().size(); ++i)
        tensors.push_back(*file.load(i));
    return tensors;
}

/// Same shape and the same values; NaN equals NaN.
bool sameTensor(const FileTensor &a, const FileTensor &b)
{
    if (a.shape != b.shape)
        return false;
    if (a.dtype == Dtype::Text)
        return a.data == b.data;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const double left = a.number(i);
        const double right = b.number(i);
        if (std::bit_cast<std::uint64_t>(left) != std::bit_cast<std::uint64_t>(right) &&
            !(std::isnan(left) && std::isnan(right)))
            return false;
    }
    return true;
}

} // namespace

void TestTensorWriters::halvesComeBack()
{
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        QCOMPARE(halfFromFloat(floatFromHalf(half)), half);
        QCOMPARE(bfloatFromFloat(floatFromBfloat(half)), half);
    }
}

void TestTensorWriters::halvesRoundToNearest_data()
{
    QTest::addColumn<float>("value");
    QTest::addColumn<float>("half");
    QTest::newRow("tie to even, down") << 2049.0f << 2048.0f;
    QTest::newRow("tie to even, up") << 2051.0f << 2052.0f;
    QTest::newRow("largest") << 65519.0f << 65504.0f;
    QTest::newRow("beyond the largest") << 65520.0f << HUGE_VALF;
    QTest::newRow("half of the smallest") << 0x1p-25f << 0.0f;
    QTest::newRow("more than half of the smallest") << 0x1.2p-25f << 0x1p-24f;
    QTest::newRow("largest subnormal rounds into the normal ones") << 0x1.ffcp-15f << 0x1p-14f;
}

void TestTensorWriters::halvesRoundToNearest()
{
    QFETCH(float, value);
    QFETCH(float, half);
    QCOMPARE(floatFromHalf(halfFromFloat(value)), half);
    QCOMPARE(floatFromHalf(halfFromFloat(-value)), -half);
}

void TestTensorWriters::everyRecordSurvives_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("format");
    const QString root = QStringLiteral(ATTN_TEST_DATA "/records");
    for (const char *path : {"stories260K/lily-L2.npz", "stories260K/lily-L2-f16.safetensors",
                             "stories260K/lily-L2-bf16.safetensors", "stories260K/lily-L0-npy/A-fortran.npy",
                             "gpt-nano-sort/block0-pytorch.npz", "gpt-nano-sort/model.safetensors"})
        for (const char *format : {"npz", "safetensors"})
            QTest::addRow("%s as %s", path, format)
                << root + u'/' + QString::fromLatin1(path) << QString::fromLatin1(format);
    const QString cases = QStringLiteral(ATTN_TEST_DATA "/cases");
    for (const char *path :
         {"npy/half-special.npy", "npy/u64-large.npy", "npy/bool-mask.npy", "npy/unicode-labels.npy",
          "npy/four-d.npy", "safetensors/all-dtypes.safetensors"})
        for (const char *format : {"npz", "safetensors"})
            QTest::addRow("%s as %s", path, format)
                << cases + u'/' + QString::fromLatin1(path) << QString::fromLatin1(format);
}

void TestTensorWriters::everyRecordSurvives()
{
    QFETCH(QString, path);
    QFETCH(QString, format);
    const std::vector<FileTensor> tensors = allTensors(*opened(path));
    QVERIFY(!tensors.empty());
    const auto bytes =
        format == u"npz"_s ? npzBytes(tensors) : safetensorsBytes(tensors, {{"note", "a \"b\"\n"}});
    QVERIFY(bytes.ok());
    const QTemporaryDir folder;
    const auto file = written(folder, u"copy."_s + format, *bytes);
    for (const FileTensor &tensor : tensors) {
        if (format != u"npz"_s && tensor.dtype == Dtype::Text) {
            QVERIFY(file->metadata.contains(tensor.name));
            continue;
        }
        const auto index = file->find(tensor.name);
        QVERIFY2(index.has_value(), tensor.name.c_str());
        const FileTensor copy = *file->load(*index);
        QVERIFY2(sameTensor(copy, tensor), tensor.name.c_str());
        if (format != u"npz"_s || tensor.dtype != Dtype::BF16)
            QVERIFY(copy.dtype == tensor.dtype);
    }
    if (format != u"npz"_s)
        QCOMPARE(file->metadata.at("note"), std::string("a \"b\"\n"));
}

void TestTensorWriters::namesSurvive()
{
    const std::vector<FileTensor> tensors =
        allTensors(*opened(QStringLiteral(ATTN_TEST_DATA "/cases/npz/names.npz")));
    const QTemporaryDir folder;
    const auto zip = written(folder, u"names.npz"_s, *npzBytes(tensors));
    const auto safe = written(folder, u"names.safetensors"_s, *safetensorsBytes(tensors, {}));
    for (const FileTensor &tensor : tensors) {
        QVERIFY2(zip->find(tensor.name).has_value(), tensor.name.c_str());
        QVERIFY2(safe->find(tensor.name).has_value(), tensor.name.c_str());
    }
}

void TestTensorWriters::missingNumbersBecomeNaN()
{
    FileTensor tensor{"m", Dtype::I64, {1, 2}, {}, {}};
    tensor.data = std::vector<std::int64_t>{7, 0};
    tensor.missing = {false, true};
    const QTemporaryDir folder;
    const FileTensor copy = *written(folder, u"m.npy"_s, npyBytes(tensor))->load(0);
    QVERIFY(copy.dtype == Dtype::F64);
    QCOMPARE(copy.number(0), 7.0);
    QVERIFY(std::isnan(copy.number(1)));
    const Json json = tensorsToJson({tensor}, {}, {});
    QVERIFY(json["tensors"]["m"]["data"].toArray()[1].isNull());
    QVERIFY(!json.contains("labels"));
    QCOMPARE(csvFiles(tensor, {}, {}, {}).front().bytes, QByteArray("7,\n"));
}

void TestTensorWriters::jsonKeepsLargeIntegers()
{
    FileTensor tensor{"u", Dtype::U64, {3}, {}, {}};
    tensor.data = std::vector<std::uint64_t>{1, (std::uint64_t(1) << 53) + 1,
                                             std::numeric_limits<std::uint64_t>::max()};
    FileTensor single{"f", Dtype::F32, {2}, {}, {}};
    single.data = std::vector<float>{0.1f, -std::numeric_limits<float>::infinity()};
    const Json json = tensorsToJson({tensor, single}, {"a", "b"}, {"c"});
    QCOMPARE(writeJson(json["tensors"]["u"]),
             QByteArray(
                 R"({"dtype": "U64", "shape": [3], "data": [1, "9007199254740993", "18446744073709551615"]})"
                 "\n"));
    QCOMPARE(json["tensors"]["f"]["data"].toArray()[0].toDouble(), static_cast<double>(0.1f));
    QCOMPARE(json["tensors"]["f"]["data"].toArray()[1].toString(), std::string("-Infinity"));
    QCOMPARE(writeJson(json["labels"]), QByteArray(R"({"row_labels": ["a", "b"], "col_labels": ["c"]})"
                                                   "\n"));
}

void TestTensorWriters::csvOfFourAxes()
{
    const FileTensor tensor = *opened(QStringLiteral(ATTN_TEST_DATA "/cases/npy/four-d.npy"))->load(0);
    const std::vector<NamedBytes> files = csvFiles(tensor, {u"a"_s}, {}, {});
    QCOMPARE(files.size(), std::size_t(6));
    QVERIFY2(files[5].name.endsWith(u"-1-h2.csv"_s), qPrintable(files[5].name));
    QVERIFY(files[5].bytes.startsWith("6.25,6.3125,"));
}

void TestTensorWriters::fileNamesAreSafe()
{
    QCOMPARE(safeFileName("blocks/0/W q"), u"blocks_0_W q"_s);
    QCOMPARE(safeFileName(".."), u"_."_s);
    QCOMPARE(safeFileName(""), u"_"_s);
    QCOMPARE(safeFileName("权重"), u"权重"_s);
}

void TestTensorWriters::emptyAndScalarShapes()
{
    FileTensor empty{"e", Dtype::F32, {0, 4}, {}, {}};
    empty.data = std::vector<float>();
    FileTensor scalar{"s", Dtype::F64, {}, {}, {}};
    scalar.data = std::vector<double>{0.5};
    const QTemporaryDir folder;
    for (const auto &file :
         {written(folder, u"x.npz"_s, *npzBytes({empty, scalar})).get()->entries(),
          written(folder, u"x.safetensors"_s, *safetensorsBytes({empty, scalar}, {})).get()->entries()}) {
        for (const FileTensorInfo &info : file) {
            const bool isExpected =
                info.name == "e" ? info.shape == std::vector<std::int64_t>{0, 4} : info.shape.empty();
            QVERIFY2(isExpected, info.name.c_str());
        }
        QCOMPARE(file.size(), std::size_t(2));
    }
}

QTEST_APPLESS_MAIN(TestTensorWriters)
#include "tst_TensorWriters.moc"
