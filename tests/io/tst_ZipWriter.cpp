#include "io/ZipWriter.h"

#include "io/ByteSource.h"
#include "io/DocumentFile.h"
#include "io/ZipArchive.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace Qt::StringLiterals;

class TestZipWriter : public QObject
{
    Q_OBJECT

private slots:
    void membersComeBack_data();
    void membersComeBack();
    void otherReadersAgree_data() { membersComeBack_data(); }
    void otherReadersAgree();
    void manyMembers();
    void tooLongNameIsRefused();
};

namespace {

const std::vector<std::pair<std::string, QByteArray>> &zipMembers()
{
    static const std::vector<std::pair<std::string, QByteArray>> members = {{"small", "12"},
                                                                            {"Wq/权重", QByteArray(300, 'x')},
                                                                            {"empty", QByteArray()},
                                                                            {"last", QByteArray(80, 'y')}};
    return members;
}

/// An archive of zipMembers() in a file of the folder.
QString writtenArchive(const QTemporaryDir &folder, std::uint64_t fieldLimit)
{
    ZipWriter writer(fieldLimit);
    for (const auto &[name, bytes] : zipMembers())
        if (!writer.add(name, bytes))
            qFatal("cannot add a member");
    const QString path = folder.filePath(u"members.zip"_s);
    if (!writeFileAtomically(path, writer.finish()))
        qFatal("cannot write");
    return path;
}

ZipArchive openedArchive(const QString &path)
{
    const auto source = openByteSource(path);
    if (!source)
        qFatal("cannot open");
    auto archive = ZipArchive::open(*source);
    if (!archive)
        qFatal("%s", archive.error().message.c_str());
    return std::move(*archive);
}

} // namespace

void TestZipWriter::membersComeBack_data()
{
    QTest::addColumn<quint64>("fieldLimit");
    QTest::newRow("32 bit everywhere") << quint64(0xffffffff);
    QTest::newRow("64-bit offsets of the last member and the directory") << quint64(400);
    QTest::newRow("64-bit sizes too") << quint64(100);
    QTest::newRow("64 bit everywhere") << quint64(1);
}

void TestZipWriter::membersComeBack()
{
    QFETCH(quint64, fieldLimit);
    const QTemporaryDir folder;
    const ZipArchive archive = openedArchive(writtenArchive(folder, fieldLimit));
    QCOMPARE(archive.members().size(), zipMembers().size());
    for (std::size_t i = 0; i < zipMembers().size(); ++i) {
        QCOMPARE(archive.members()[i].name, zipMembers()[i].first);
        const auto bytes = archive.read(archive.members()[i]);
        QVERIFY2(bytes.ok(), bytes ? "" : bytes.error().message.c_str());
        QCOMPARE(*bytes, zipMembers()[i].second);
    }
}

void TestZipWriter::otherReadersAgree()
{
    QFETCH(quint64, fieldLimit);
    const QString python = QStandardPaths::findExecutable(u"python3"_s, {u"/usr/bin"_s});
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    const QTemporaryDir folder;
    QProcess process;
    process.start(python, {u"-c"_s,
                           u"import sys, zipfile\n"
                           "z = zipfile.ZipFile(sys.argv[1])\n"
                           "assert z.testzip() is None\n"
                           "print(','.join(f'{ascii(n)}:{len(z.read(n))}' for n in z.namelist()))\n"_s,
                           writtenArchive(folder, fieldLimit)});
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.readAllStandardError(), QByteArray());
    QCOMPARE(process.readAllStandardOutput().trimmed(),
             QByteArray(R"('small':2,'Wq/\u6743\u91cd':300,'empty':0,'last':80)"));
}

void TestZipWriter::manyMembers()
{
    constexpr int count = 70000; // the plain end record counts to 65535
    ZipWriter writer;
    for (int i = 0; i < count; ++i)
        QVERIFY(writer.add(std::to_string(i), {}).ok());
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"many.zip"_s);
    QVERIFY(writeFileAtomically(path, writer.finish()).ok());
    const ZipArchive archive = openedArchive(path);
    QCOMPARE(archive.members().size(), std::size_t(count));
    QCOMPARE(archive.members().back().name, std::to_string(count - 1));
}

void TestZipWriter::tooLongNameIsRefused()
{
    ZipWriter writer;
    QVERIFY(!writer.add(std::string(65536, 'n'), "1").ok());
    QVERIFY(writer.add(std::string(65535, 'n'), "1").ok());
}

QTEST_APPLESS_MAIN(TestZipWriter)
#include "tst_ZipWriter.moc"
