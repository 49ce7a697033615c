#include "io/TensorFile.h"
#include "support/FileCases.h"
#include "support/ProcessorTime.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <clocale>
#include <map>

using namespace attn;
using namespace attn::test;

/// Every odd or damaged file of tests/data/cases that is about reading, in the C locale and in one with a
/// decimal comma.
class TestTensorFileCases : public QObject
{
    Q_OBJECT

private slots:
    void statedOutcome_data();
    void statedOutcome();
    void damagedMemberLeavesTheOthers();
    void decimalCommaLocaleChangesNothing();
    void formatIsToldFromTheContent();
    void severalFilesBecomeOneSet();
};

namespace {

const QStringList readerFolders = {
    QStringLiteral("npy"),  QStringLiteral("npz"),    QStringLiteral("safetensors"), QStringLiteral("csv"),
    QStringLiteral("json"), QStringLiteral("labels"), QStringLiteral("clipboard")};

/// What a message about a file must say; words divided by blanks, all of them needed.
const std::map<QString, QStringList> &neededWords()
{
    static const std::map<QString, QStringList> words = {
        {QStringLiteral("structured.npy"), {QStringLiteral("structured"), QStringLiteral("'q'")}},
        {QStringLiteral("object-pickle.npy"), {QStringLiteral("object"), QStringLiteral("pickle")}},
        {QStringLiteral("truncated-data.npy"), {QStringLiteral("64"), QStringLiteral("40")}},
        {QStringLiteral("huge-shape.npy"), {QStringLiteral("bytes")}},
        {QStringLiteral("empty-file.npy"), {QStringLiteral("empty")}},
        {QStringLiteral("csv-renamed.npy"), {QStringLiteral("not a .npy"), QStringLiteral("text")}},
        {QStringLiteral("bomb-declared-shape.npz"), {QStringLiteral("128")}},
        {QStringLiteral("bomb-declared-size.npz"), {QStringLiteral("damaged or too large")}},
        {QStringLiteral("cut-in-directory.npz"), {QStringLiteral("incomplete")}},
        {QStringLiteral("no-members.npz"), {QStringLiteral("no array")}},
        {QStringLiteral("one-good-one-pickle.npz"),
         {QStringLiteral("\"bad\""), QStringLiteral("object array")}},
        {QStringLiteral("method-bzip2.npz"), {QStringLiteral("method 12"), QStringLiteral("bzip2")}},
        {QStringLiteral("five-bytes.safetensors"), {QStringLiteral("too short")}},
        {QStringLiteral("length-2e63.safetensors"),
         {QStringLiteral("9223372036854775815"), QStringLiteral("16")}},
        {QStringLiteral("header-cut.safetensors"), {QStringLiteral("30")}},
        {QStringLiteral("past-end.safetensors"),
         {QStringLiteral("\"A\""), QStringLiteral("16"), QStringLiteral("12")}},
        {QStringLiteral("overlap.safetensors"), {QStringLiteral("overlap"), QStringLiteral("\"B\"")}},
        {QStringLiteral("shape-too-big.safetensors"), {QStringLiteral("4000000"), QStringLiteral("hold 4")}},
        {QStringLiteral("duplicate-key.safetensors"), {QStringLiteral("\"A\""), QStringLiteral("twice")}},
        {QStringLiteral("unknown-dtype.safetensors"), {QStringLiteral("\"w\""), QStringLiteral("F8_E4M3")}},
        {QStringLiteral("header-array.safetensors"), {QStringLiteral("not a JSON object")}},
        {QStringLiteral("reversed-offsets.safetensors"), {QStringLiteral("\"A\""), QStringLiteral("before")}},
        {QStringLiteral("ragged.csv"),
         {QStringLiteral("line 2"), QStringLiteral("2 cells"), QStringLiteral("3")}},
        {QStringLiteral("empty-cells.csv"), {QStringLiteral("2 cells"), QStringLiteral("missing")}},
        {QStringLiteral("trailing-comma.csv"), {QStringLiteral("left out")}},
        {QStringLiteral("empty.csv"), {QStringLiteral("empty")}},
        {QStringLiteral("header-only.csv"), {QStringLiteral("no numbers")}},
        {QStringLiteral("words.csv"), {QStringLiteral("line 2, column 2"), QStringLiteral("four")}},
        {QStringLiteral("python-nan.json"), {QStringLiteral("line 1"), QStringLiteral("NaN")}},
        {QStringLiteral("null-scores.json"), {QStringLiteral("3 values are null")}},
        {QStringLiteral("ragged.json"),
         {QStringLiteral("row 1"), QStringLiteral("2 entries"), QStringLiteral("3")}},
        {QStringLiteral("duplicate-key.json"), {QStringLiteral("\"A\""), QStringLiteral("twice")}},
        {QStringLiteral("strings.json"), {QStringLiteral("quotes")}},
        {QStringLiteral("truncated.json"), {QStringLiteral("line 1"), QStringLiteral("column")}},
        {QStringLiteral("empty-array.json"), {QStringLiteral("no numbers")}},
        {QStringLiteral("deep.json"), {QStringLiteral("deep")}},
        {QStringLiteral("group-separators.txt"),
         {QStringLiteral("thousands marks"), QStringLiteral("read as 1234.5")}},
    };
    return words;
}

QString joined(const std::vector<std::string> &notes)
{
    QString text;
    for (const std::string &note : notes)
        text += QString::fromStdString(note) + u'\n';
    return text;
}

void checkWords(const FileCase &fileCase, const QString &message)
{
    const auto words = neededWords().find(fileCase.fileName);
    if (words == neededWords().end())
        return;
    for (const QString &word : words->second)
        QVERIFY2(message.contains(word), qPrintable(QStringLiteral("\"%1\" not in: %2").arg(word, message)));
}

/// The tensor of a case: by name, or the only one.
void checkTensor(const TensorFile &file, const std::string &name, const Json &expected)
{
    const auto index = name.empty() ? std::optional<std::size_t>(0) : file.find(name);
    QVERIFY2(index && *index < file.entries().size(), name.c_str());
    const auto tensor = file.load(*index);
    QVERIFY2(tensor.ok(), tensor ? "" : tensor.error().message.c_str());
    const QString difference = tensorDifference(*tensor, expected);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    QCOMPARE(tensor->shape, file.entries()[*index].shape);
}

void checkLabels(const TensorFile &file, const Json &expected)
{
    std::vector<std::string> labels = file.rowLabels;
    if (labels.empty() && !file.entries().empty() && file.entries()[0].dtype == Dtype::Text) {
        const auto tensor = file.load(0);
        QVERIFY(tensor.ok());
        labels = std::get<std::vector<std::string>>(tensor->data);
    }
    QCOMPARE(labels, stringsOf(expected));
}

/// Opens, loads everything, and compares with expect.json.
void checkCase(const FileCase &fileCase)
{
    const ProcessorTime timer;
    const auto file = openTensorFile(fileCase.path());
    QVERIFY2(timer.milliseconds() < 2000, "hostile files are refused at once");
    if (fileCase.outcome == QLatin1String("error") && fileCase.fileName != QLatin1String("wrong-crc.npz")) {
        QVERIFY2(!file.ok(), "expected an error");
        const QString message = QString::fromStdString(file.error().message);
        QVERIFY2(message.startsWith(fileCase.fileName), qPrintable(message));
        checkWords(fileCase, message);
        return;
    }
    QVERIFY2(file.ok(), file ? "" : file.error().message.c_str());
    checkWords(fileCase, joined((*file)->notes));
    const Json &expected = fileCase.expected;
    if (expected.contains("tensor"))
        checkTensor(**file, {}, expected["tensor"]);
    for (const auto &[name, tensor] : expected["tensors"].toObject())
        checkTensor(**file, name, tensor);
    if (expected.contains("row_labels"))
        QCOMPARE((*file)->rowLabels, stringsOf(expected["row_labels"]));
    if (expected.contains("col_labels"))
        QCOMPARE((*file)->colLabels, stringsOf(expected["col_labels"]));
    if (expected.contains("labels"))
        checkLabels(**file, expected["labels"]);
}

} // namespace

void TestTensorFileCases::statedOutcome_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("index");
    for (const QString &folder : readerFolders) {
        const auto cases = fileCases(folder);
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::addRow("%s/%s", qPrintable(folder), qPrintable(cases[i].fileName))
                << folder << static_cast<int>(i);
    }
}

void TestTensorFileCases::statedOutcome()
{
    QFETCH(QString, folder);
    QFETCH(int, index);
    checkCase(fileCases(folder)[static_cast<std::size_t>(index)]);
}

void TestTensorFileCases::damagedMemberLeavesTheOthers()
{
    const auto file = openTensorFile(QStringLiteral(ATTN_TEST_DATA "/cases/npz/wrong-crc.npz"));
    QVERIFY(file.ok());
    const auto damaged = (*file)->load(*(*file)->find("K"));
    QVERIFY(!damaged.ok());
    const QString message = QString::fromStdString(damaged.error().message);
    QVERIFY2(message.startsWith(QLatin1String("wrong-crc.npz: tensor \"K\"")), qPrintable(message));
    QVERIFY2(message.contains(QLatin1String("checksum")), qPrintable(message));
}

void TestTensorFileCases::decimalCommaLocaleChangesNothing()
{
    if (!std::setlocale(LC_ALL, "de_DE.UTF-8") && !std::setlocale(LC_ALL, "de_DE.utf8"))
        QSKIP("no locale with a decimal comma is installed");
    for (const QString &folder : readerFolders)
        for (const FileCase &fileCase : fileCases(folder))
            checkCase(fileCase);
    std::setlocale(LC_ALL, "C.UTF-8");
}

void TestTensorFileCases::formatIsToldFromTheContent()
{
    QTemporaryDir folder;
    const QString renamed = folder.filePath(QStringLiteral("weights.csv"));
    QVERIFY(QFile::copy(QStringLiteral(ATTN_TEST_DATA "/cases/npz/stored.npz"), renamed));
    const auto file = openTensorFile(renamed);
    QVERIFY(file.ok());
    QCOMPARE((*file)->entries().size(), std::size_t(3));
}

void TestTensorFileCases::severalFilesBecomeOneSet()
{
    const QString folder = QStringLiteral(ATTN_TEST_DATA "/cases/");
    const auto file =
        openTensorFiles({folder + QLatin1String("npy/c-order-f4.npy"),
                         folder + QLatin1String("csv/plain.csv"), folder + QLatin1String("npz/stored.npz")});
    QVERIFY2(file.ok(), file ? "" : file.error().message.c_str());
    QCOMPARE((*file)->entries().size(), std::size_t(5));
    for (const char *name : {"c-order-f4", "plain", "Q", "K", "V"}) {
        const auto index = (*file)->find(name);
        QVERIFY2(index, name);
        const auto tensor = (*file)->load(*index);
        QVERIFY(tensor.ok());
        QCOMPARE(tensor->name, std::string(name));
    }
}

QTEST_GUILESS_MAIN(TestTensorFileCases)
#include "tst_TensorFileCases.moc"
