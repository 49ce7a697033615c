#include "ExportController.h"
#include "WindowFixture.h"
#include "dialogs/ExportDialog.h"
#include "engine/lab/DirectionSet.h"
#include "engine/lab/PositionalEncoding.h"
#include "views/lab/LabPage.h"
#include "views/lab/LabView.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

namespace {

/// A window that shows one page of the lab.
struct PageFixture : WindowFixture
{
    explicit PageFixture(const QString &page, const QString &name = u"example:computed"_s)
        : WindowFixture(name)
    {
        window.showWorkspace(u"lab"_s);
        lab()->showPage(page);
        QCoreApplication::processEvents();
    }

    LabView *lab() { return qobject_cast<LabView *>(window.currentWorkspace()); }
    Scene scene()
    {
        QCoreApplication::processEvents();
        return *window.currentWorkspace()->view()->scene();
    }
    QString texts()
    {
        QStringList all;
        for (const SceneText &text : scene().texts)
            all.append(text.text);
        return all.join(u'\n');
    }
    void press(const QString &control)
    {
        lab()->page()->onControl(control);
        QCoreApplication::processEvents();
    }
    void undo() { bench()->document()->undoStack()->undo(); }
    const Experiment &experiment() { return bench()->experiment(); }
};

template<typename Field>
Field *fieldNamed(QWidget *parent, const QString &name)
{
    for (Field *field : parent->findChildren<Field *>())
        if (field->accessibleName() == name)
            return field;
    return nullptr;
}

} // namespace

class TestEmbeddingPages : public QObject
{
    Q_OBJECT

private slots:
    void directionsAreKeptEditedAndUndone();
    void differenceOfTwoTokens();
    void tokensAreChosenInThePicture();
    void typingInEWritesX();
    void encodingIsAddedAndForgotten();
    void wordsAreExchanged();
    void rotaryAndAlibiAreSwitched();
    void dimensionAndAngleAreSet();
    void pagesAreSaved();
    void exportsEveryFormat_data();
    void exportsEveryFormat();
};

void TestEmbeddingPages::directionsAreKeptEditedAndUndone()
{
    PageFixture fixture(u"tokens"_s);
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 0.6, 0.2, 0.4)"_s));
    QVERIFY(!fixture.window.isWindowModified());
    fixture.press(u"direction:keep"_s);
    const QString name = QString::fromStdString(directionsLab(6));
    QVERIFY(!fixture.experiment().lab(directionsLab(6)).isNull());
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(name), {{{0, 0, 3}, 1.0}}));
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 1, 0.2, 0.4)"_s));
    fixture.undo();
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 0.6, 0.2, 0.4)"_s));
    fixture.undo();
    QVERIFY(fixture.experiment().labs.empty());
}

void TestEmbeddingPages::differenceOfTwoTokens()
{
    PageFixture fixture(u"tokens"_s);
    auto *to = fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s);
    auto *from = fieldNamed<QComboBox>(fixture.lab(), u"Token to subtract"_s);
    QVERIFY(to && from);
    QCOMPARE(to->count(), 4);
    emit from->activated(0);
    QCoreApplication::processEvents();
    fixture.press(u"direction:difference"_s); // the same token twice: refused
    QVERIFY(fixture.experiment().labs.empty());
    to->setCurrentIndex(3);
    emit to->activated(3);
    from->setCurrentIndex(1);
    emit from->activated(1);
    fixture.press(u"direction:difference"_s);
    const Tensor &kept = fixture.experiment().lab(directionsLab(6));
    QCOMPARE(kept.rows(), Index(2));
    for (Index col = 0; col < 6; ++col)
        QCOMPARE(kept.at(1, col), fixture.value(Stage::Q, 3, col) - fixture.value(Stage::Q, 1, col));
    QVERIFY(fixture.texts().contains(u"superposition"_s));
    QVERIFY(fixture.texts().contains(u"prog − love"_s));
    fixture.press(u"direction:remove"_s);
    QCOMPARE(fixture.experiment().lab(directionsLab(6)).rows(), Index(1));
}

void TestEmbeddingPages::tokensAreChosenInThePicture()
{
    PageFixture fixture(u"tokens"_s);
    fixture.lab()->page()->onShapeClicked(u"token:2"_s);
    QCoreApplication::processEvents();
    QCOMPARE(fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s)->currentIndex(), 2);
    fixture.lab()->page()->onDerivedSelected(MapKey::derived(u"tokens:dot"_s), 3, 0);
    QCoreApplication::processEvents();
    QCOMPARE(fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s)->currentIndex(), 3);
}

void TestEmbeddingPages::typingInEWritesX()
{
    PageFixture fixture(u"positions"_s);
    fixture.press(u"position:keepX"_s);
    QVERIFY(fixture.texts().contains(u"X = E + P in every cell"_s));
    const double before = fixture.value(Stage::A, 0, 0);
    const double x = fixture.value(Stage::X, 1, 2);
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(u"E"_s), {{{0, 1, 2}, 4.0}}));
    QCOMPARE(fixture.value(Stage::X, 1, 2), 4.0 + fixture.experiment().lab("P").at(1, 2));
    QVERIFY(fixture.value(Stage::A, 0, 0) != before);
    fixture.undo(); // one step: both
    QCOMPARE(fixture.value(Stage::X, 1, 2), x);
    QVERIFY(fixture.texts().contains(u"X = E + P in every cell"_s));
}

void TestEmbeddingPages::encodingIsAddedAndForgotten()
{
    PageFixture fixture(u"positions"_s);
    fixture.press(u"position:keepE"_s);
    QVERIFY(std::abs(fixture.value(Stage::X, 0, 1) - 1.2) < 1e-15); // 0.2 + cos 0
    fixture.press(u"position:forget"_s);
    QVERIFY(fixture.experiment().labs.empty());
    QVERIFY(std::abs(fixture.value(Stage::X, 0, 1) - 1.2) < 1e-15);
    fixture.undo();
    fixture.undo();
    QCOMPARE(fixture.value(Stage::X, 0, 1), 0.2);
}

void TestEmbeddingPages::wordsAreExchanged()
{
    PageFixture fixture(u"positions"_s);
    QVERIFY(fixture.texts().contains(u"Exchange “I” and “love”"_s));
    const double first = fixture.value(Stage::Output, 0, 0);
    fixture.press(u"swap:apply"_s);
    QCOMPARE(fixture.experiment().tokens.at(0), std::string("love"));
    QVERIFY(std::abs(fixture.value(Stage::Output, 1, 0) - first) < 1e-14);
    fixture.undo();
    QCOMPARE(fixture.experiment().tokens.at(0), std::string("I"));
}

void TestEmbeddingPages::rotaryAndAlibiAreSwitched()
{
    PageFixture fixture(u"positions"_s);
    fixture.press(u"rotary:use"_s);
    QVERIFY(fixture.experiment().rotary.has_value());
    fixture.press(u"alibi:use"_s);
    QVERIFY(fixture.experiment().isGiven(Stage::MaskAlibi));
    QVERIFY(fixture.texts().contains(u"In use in this document: base 10000"_s));
    fixture.press(u"rotary:remove"_s);
    fixture.press(u"alibi:remove"_s);
    QVERIFY(!fixture.experiment().rotary && !fixture.experiment().isGiven(Stage::MaskAlibi));
}

void TestEmbeddingPages::dimensionAndAngleAreSet()
{
    PageFixture fixture(u"orthogonality"_s);
    auto *dimension = fieldNamed<QSpinBox>(fixture.lab(), u"Dimensions n"_s);
    auto *slider = fieldNamed<QSlider>(fixture.lab(), u"Dimensions n, slider"_s);
    auto *angle = fieldNamed<QDoubleSpinBox>(fixture.lab(), u"Smallest angle"_s);
    QVERIFY(dimension && slider && angle);
    QCOMPARE(dimension->value(), 100);
    QTRY_VERIFY(fixture.texts().contains(u"at most 4\u202f102"_s));
    slider->setValue(1);
    QTRY_VERIFY(fixture.texts().contains(u"in 3 dimensions"_s));
    QCOMPARE(dimension->value(), 3);
    angle->setValue(60.0);
    QTRY_VERIFY(fixture.texts().contains(u"at most 13"_s)); // 12 spheres touch one; the bound is 13.28
    QVERIFY(!fixture.window.isWindowModified());
}

void TestEmbeddingPages::pagesAreSaved()
{
    PageFixture fixture(u"positions"_s);
    fixture.press(u"position:keepX"_s);
    fixture.press(u"pair:2"_s);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"lab.attn"_s);
    QVERIFY(fixture.window.files()->saveTo(path));
    WindowFixture again(path);
    QCoreApplication::processEvents();
    auto *lab = qobject_cast<LabView *>(again.window.currentWorkspace());
    QVERIFY(lab);
    QCOMPARE(lab->page()->id(), u"positions"_s);
    QVERIFY(again.bench()->experiment().lab("P").sameBits(fixture.experiment().lab("P")));
    bool isChecked = false;
    for (const SceneControl &control : lab->view()->scene()->controls)
        isChecked = isChecked || (control.id == "pair:2"_L1 && control.checked);
    QVERIFY(isChecked);
}

void TestEmbeddingPages::exportsEveryFormat_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("suffix");
    for (const char *page : {"tokens", "positions", "orthogonality"})
        for (const char *suffix : {"png", "svg", "pdf"})
            QTest::addRow("%s %s", page, suffix) << QString::fromLatin1(page) << QString::fromLatin1(suffix);
}

void TestEmbeddingPages::exportsEveryFormat()
{
    QFETCH(QString, page);
    QFETCH(QString, suffix);
    PageFixture fixture(page);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"figure."_s + suffix);
    FigureChoice choice;
    choice.content = FigureContent::CurrentView;
    QVERIFY(fixture.window.exports()->writeFigures(choice, path));
    QVERIFY(QFileInfo(path).size() > 2000);
}

QTEST_MAIN(TestEmbeddingPages)
#include "tst_EmbeddingPages.moc"
