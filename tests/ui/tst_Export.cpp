#include "WorkspaceFixture.h"

#include "ExportController.h"
#include "FigureChoiceMap.h"
#include "render/HeadPages.h"

#include <QFile>
#include <QTemporaryDir>

#include <map>

using namespace attn;
using namespace Qt::StringLiterals;

/// What a figure is asked to be, and that it is remembered.
class TestExport : public QObject
{
    Q_OBJECT

private slots:
    void choicesAreRememberedAsTheyWere();
    void damagedChoicesFallBack();
    void copyingRemembersTheChoiceToo();
    void whatIsNotShownTakesNoRoom_data();
    void whatIsNotShownTakesNoRoom();
    void everyPictureInEveryFormat_data();
    void everyPictureInEveryFormat();
};

void TestExport::choicesAreRememberedAsTheyWere()
{
    FigureChoice choice;
    choice.content = FigureContent::AllHeads;
    choice.options.format = FigureOptions::Format::Pdf;
    choice.options.widthMm = 84.5;
    choice.options.transparent = true;
    choice.options.showLabels = false;
    choice.sequentialMap = u"magma"_s;
    choice.ownRange = true;
    choice.range = {DisplayOptions::RangeMode::Fixed, -0.25, 0.75};
    const FigureChoice back = figureChoiceFrom(toVariantMap(choice));
    QCOMPARE(toVariantMap(back), toVariantMap(choice));
    QCOMPARE(back.range.maximum, 0.75);
    QVERIFY(back.ownRange && back.range.mode == DisplayOptions::RangeMode::Fixed);
}

void TestExport::damagedChoicesFallBack()
{
    const FigureChoice choice = figureChoiceFrom(
        {{u"rangeMinimum"_s, 3.0}, {u"rangeMaximum"_s, -3.0}, {u"rangeMode"_s, 99}, {u"dpi"_s, -4}});
    QVERIFY(choice.range.minimum < choice.range.maximum);
    QVERIFY(choice.range.mode == DisplayOptions::RangeMode::Fixed);
    QVERIFY(choice.options.dpi > 0);
    QVERIFY(!choice.ownRange);
}

void TestExport::copyingRemembersTheChoiceToo()
{
    WindowFixture fixture;
    fixture.settings.setChoices(u"figure"_s, {});
    fixture.window.actionRegistry().action(u"export.figure"_s)->trigger();
    auto *dialog = fixture.window.findChild<ExportDialog *>();
    QVERIFY(dialog);
    FigureChoice wanted = dialog->choice();
    wanted.options.showLabels = false;
    emit dialog->copyWanted(wanted);
    QVERIFY(!figureChoiceFrom(fixture.settings.choices(u"figure"_s)).options.showLabels);
    dialog->reject();
    fixture.settings.setChoices(u"figure"_s, {});
}

void TestExport::whatIsNotShownTakesNoRoom_data()
{
    QTest::addColumn<int>("content");
    QTest::newRow("a stage") << int(FigureContent::Stage);
    QTest::newRow("all heads") << int(FigureContent::AllHeads);
    QTest::newRow("the board") << int(FigureContent::CurrentView);
}

void TestExport::whatIsNotShownTakesNoRoom()
{
    QFETCH(int, content);
    WindowFixture fixture(u"example:two-heads"_s);
    FigureChoice choice;
    choice.content = static_cast<FigureContent>(content);
    const QSizeF whole = fixture.window.exports()->sceneOf(choice, Stage::A).size;
    choice.options.showLabels = false;
    const QSizeF bare = fixture.window.exports()->sceneOf(choice, Stage::A).size;
    QVERIFY2(bare.width() < whole.width() || bare.height() < whole.height(),
             qPrintable(u"%1×%2"_s.arg(bare.width()).arg(bare.height())));
}

void TestExport::everyPictureInEveryFormat_data()
{
    QTest::addColumn<QString>("workspace");
    QTest::addColumn<QString>("page");
    for (const char *name :
         {"board", "heads", "footprints", "masks", "products", "flow", "decode", "compare"})
        QTest::newRow(name) << QString::fromLatin1(name) << QString();
    for (const char *page :
         {"softmax", "scaling", "vectors", "maps", "weights", "tokens", "positions", "orthogonality"})
        QTest::newRow(page) << u"lab"_s << QString::fromLatin1(page);
    for (const char *page : {"cut", "single", "combine", "patterns"})
        QTest::newRow(page) << u"heads"_s << QString::fromLatin1(page);
}

/// A whole file of the kind its name says, with more in it than an empty page.
void TestExport::everyPictureInEveryFormat()
{
    QFETCH(QString, workspace);
    QFETCH(QString, page);
    WorkspaceFixture fixture(workspace, u"example:two-heads"_s);
    if (auto *lab = qobject_cast<LabView *>(fixture.workspace()))
        lab->showPage(page);
    else if (const auto heads = headsPageFromName(page.toStdString()))
        fixture.choose(fixture.field<QComboBox>(u"Page"_s), static_cast<int>(*heads));
    QCoreApplication::processEvents();
    QTemporaryDir folder;
    FigureChoice choice;
    choice.content = FigureContent::CurrentView;
    const std::map<QString, QByteArray> beginnings = {
        {u"png"_s, "\x89PNG"}, {u"svg"_s, "<?xml"}, {u"pdf"_s, "%PDF-"}};
    for (const auto &[suffix, beginning] : beginnings) {
        const QString path = folder.filePath(u"figure."_s + suffix);
        QVERIFY(fixture.window.exports()->writeFigures(choice, path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY2(bytes.startsWith(beginning) && bytes.size() > 2000, qPrintable(suffix));
    }
}

QTEST_MAIN(TestExport)
#include "tst_Export.moc"
