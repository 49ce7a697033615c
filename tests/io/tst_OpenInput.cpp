#include "io/OpenInput.h"

#include "io/DocumentFile.h"
#include "io/StateJson.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace attn;
using namespace Qt::StringLiterals;

/// One door for every kind of input, told apart by its content.
class TestOpenInput : public QObject
{
    Q_OBJECT

private slots:
    void kinds_data();
    void kinds();
    void contentDecidesNotTheName();
    void resultsBecomeTheReference();
    void correctionsComeBeforeTheImport();
    void errorsNameTheFile_data();
    void errorsNameTheFile();
    void aNoteIsSaidOnce();

private:
    QTemporaryDir m_folder;
};

namespace {

QString data(const char *path)
{
    return QStringLiteral(ATTN_TEST_DATA "/") + QString::fromLatin1(path);
}

} // namespace

void TestOpenInput::kinds_data()
{
    QTest::addColumn<QString>("input");
    QTest::addColumn<int>("kind");
    QTest::newRow("example") << u"example:computed"_s << static_cast<int>(InputKind::Example);
    QTest::newRow("golden state") << data("golden/seed_a_computed.json")
                                  << static_cast<int>(InputKind::State);
    QTest::newRow("golden edits start with a state")
        << data("golden/edits_cross.json") << static_cast<int>(InputKind::State);
    QTest::newRow("tensors") << data("cases/attention/gqa-4-over-2.npz")
                             << static_cast<int>(InputKind::Tensors);
    QTest::newRow("JSON with tensors")
        << data("records/gpt2-small/prompt0-L5.json") << static_cast<int>(InputKind::Tensors);
}

void TestOpenInput::kinds()
{
    QFETCH(QString, input);
    QFETCH(int, kind);
    const Result<InputKind> found = inputKind({input});
    QVERIFY(found.ok());
    QCOMPARE(static_cast<int>(*found), kind);
    const Result<OpenedInput> opened = openInput({input});
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message.c_str());
    QCOMPARE(static_cast<int>(opened->kind), kind);
    QVERIFY(opened->experiment.tokens.size() > 0);
    QCOMPARE(opened->plan.has_value(), *found == InputKind::Tensors);
}

void TestOpenInput::contentDecidesNotTheName()
{
    const Result<OpenedInput> example = openInput({u"example:cross"_s});
    QVERIFY(example.ok());
    const QString path = m_folder.filePath(u"renamed.json"_s);
    QVERIFY(writeFileAtomically(path, documentBytes({example->experiment, {}, {}, u"Title"_s})).ok());
    const Result<OpenedInput> opened = openInput({path});
    QVERIFY(opened.ok());
    QVERIFY(opened->kind == InputKind::Document);
    QCOMPARE(opened->title, u"Title"_s);
    QVERIFY(sameContent(opened->experiment, example->experiment));
}

void TestOpenInput::resultsBecomeTheReference()
{
    const Result<OpenedInput> opened = openInput({data("golden/seed_d1x_two_heads_from_x.json")});
    QVERIFY(opened.ok());
    QVERIFY(opened->experiment.pins.empty());
    QVERIFY((opened->reference.at(Stage::A).shape() == Shape{2, 4, 4}));
    QVERIFY(!opened->reference.contains(Stage::Allowed));
}

void TestOpenInput::correctionsComeBeforeTheImport()
{
    const QString input = data("cases/attention/gqa-4-over-2.npz");
    const Result<OpenedInput> opened = openInput({input}, [](ImportPlan &plan) -> Result<void> {
        plan.nHeads = 4;
        plan.nKvHeads = 2;
        return {};
    });
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message.c_str());
    QCOMPARE(opened->experiment.nHeads, Index(4));
    QCOMPARE(opened->experiment.nKvHeads, Index(2));
    const Result<OpenedInput> refused = openInput({input}, [](ImportPlan &) -> Result<void> {
        return Error{ErrorCode::Usage, "no"};
    });
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().message, std::string("no"));
}

void TestOpenInput::errorsNameTheFile_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("message");
    QTest::newRow("newer document") << u"a.attn"_s
                                    << QByteArray(R"({"format": "attnscope", "version": 9, "state": {}})")
                                    << u"a.attn: written by a newer version"_s;
    QTest::newRow("cut document") << u"b.attn"_s << QByteArray(R"({"format": "attnscope", "ver)")
                                  << u"b.attn: "_s;
    QTest::newRow("no document") << u"c.attn"_s << QByteArray("PK") << u"c.attn: "_s;
    QTest::newRow("state that contradicts itself")
        << u"d.json"_s
        << QByteArray(R"({"h": 1, "h_kv": 1, "tokens": ["a"], "X": {"shape": [1, 2], "data": [1, 2]},
            "Wq": {"shape": [3, 1], "data": [1, 2, 3]}, "Wk": {"shape": [2, 1], "data": [1, 2]},
            "Wv": {"shape": [2, 1], "data": [1, 2]}})")
        << u"d.json: state.Wq: "_s;
    QTest::newRow("JSON of something else") << u"e.json"_s << QByteArray(R"({"name": "x"})") << u"e.json: "_s;
}

void TestOpenInput::errorsNameTheFile()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, message);
    const QString path = m_folder.filePath(name);
    QVERIFY(writeFileAtomically(path, bytes).ok());
    const Result<OpenedInput> opened = openInput({path});
    QVERIFY(!opened.ok());
    const QString found = QString::fromStdString(opened.error().message);
    QVERIFY2(found.contains(message), qPrintable(found));
}

/// The plan's notes begin with those of the file, which must not be said a second time.
void TestOpenInput::aNoteIsSaidOnce()
{
    const auto opened = openInput({data("cases/csv/trailing-comma.csv")});
    QVERIFY(opened.ok());
    std::vector<std::string> notes = opened->notes;
    QVERIFY(!notes.empty());
    std::ranges::sort(notes);
    QVERIFY(std::ranges::adjacent_find(notes) == notes.end());
}

QTEST_GUILESS_MAIN(TestOpenInput)
#include "tst_OpenInput.moc"
