#include "WorkspaceFixture.h"

#include "render/HeadPages.h"
#include "views/FlowChoice.h"

#include <QFontMetricsF>

using namespace attn;
using namespace Qt::StringLiterals;

class TestPictureNotes : public QObject
{
    Q_OBJECT

private slots:
    void sentencesAreWhole_data();
    void sentencesAreWhole();
};

void TestPictureNotes::sentencesAreWhole_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("workspace");
    QTest::addColumn<QString>("page");
    for (const char *document : {"example:computed", "example:trained-stories", "example:cross-two-heads"}) {
        const auto row = [&](const QString &workspace, const QString &page) {
            QTest::addRow("%s, %s %s", document, qPrintable(workspace), qPrintable(page))
                << QString::fromLatin1(document) << workspace << page;
        };
        for (const char *name :
             {"board", "heads", "footprints", "masks", "products", "flow", "decode", "compare"})
            row(QString::fromLatin1(name), {});
        for (const char *page :
             {"softmax", "scaling", "vectors", "maps", "weights", "tokens", "positions", "orthogonality"})
            row(u"lab"_s, QString::fromLatin1(page));
        for (const char *page : {"cut", "single", "combine", "patterns"})
            row(u"heads"_s, QString::fromLatin1(page));
        for (const FlowChoice::Picture picture :
             {FlowChoice::Picture::Query, FlowChoice::Picture::HeadOut, FlowChoice::Picture::Output})
            row(u"flow"_s, QString::number(static_cast<int>(picture)));
    }
}

/// A sentence that explains is wrapped, not cut off with an ellipsis, in the window of a small screen.
void TestPictureNotes::sentencesAreWhole()
{
    QFETCH(QString, document);
    QFETCH(QString, workspace);
    QFETCH(QString, page);
    WorkspaceFixture fixture(workspace, document);
    fixture.window.resize(1280, 720);
    QCoreApplication::processEvents();
    if (auto *lab = qobject_cast<LabView *>(fixture.workspace())) {
        lab->showPage(page);
    } else if (workspace == "flow"_L1 && !page.isEmpty()) {
        FlowChoice choice;
        choice.picture = static_cast<FlowChoice::Picture>(page.toInt());
        fixture.bench()->setViewState(
            fixture.bench()->viewState().withWorkspaceState(u"flow"_s, choice.toJson()));
    } else if (const auto heads = headsPageFromName(page.toStdString())) {
        fixture.choose(fixture.field<QComboBox>(u"Page"_s), static_cast<int>(*heads));
    }
    QTRY_VERIFY(fixture.sceneView()->scene());
    const Theme theme = fixture.sceneView()->theme();
    QFont noteFont = theme.textFont;
    noteFont.setPixelSize(11);     // in which muted texts and warnings are painted
    constexpr int fewestWords = 6; // fewer are a name or a number with its unit
    QStringList cut;
    QCoreApplication::processEvents();
    if (page == "scaling"_L1) // its sample is drawn in the background
        QTRY_VERIFY(fixture.sceneView()->scene()->texts.size() > 20);
    const std::shared_ptr<const Scene> scene = fixture.sceneView()->scene();
    for (const SceneText &text : scene->texts) {
        const bool isMath = text.style == SceneText::Style::Title || text.style == SceneText::Style::Formula;
        const bool isNote = text.style == SceneText::Style::Muted || text.style == SceneText::Style::Warning;
        const QFontMetricsF metrics(isNote ? noteFont : theme.textFont);
        const bool wraps = text.rect.height() >= 2.0 * metrics.lineSpacing();
        if (isMath || wraps || text.text.count(u' ') < fewestWords - 1)
            continue;
        if (metrics.horizontalAdvance(text.text) > text.rect.width() + 0.5 ||
            text.rect.left() + metrics.horizontalAdvance(text.text) > scene->size.width())
            cut.append(text.text);
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
}

QTEST_MAIN(TestPictureNotes)
#include "tst_PictureNotes.moc"
