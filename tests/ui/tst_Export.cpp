#include "WindowFixture.h"

#include "ExportController.h"
#include "FigureChoiceMap.h"

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

QTEST_MAIN(TestExport)
#include "tst_Export.moc"
