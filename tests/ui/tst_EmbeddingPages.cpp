#include "WorkspaceFixture.h"
#include "engine/lab/DirectionSet.h"
#include "engine/lab/PositionalEncoding.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>

#include <cmath>

using namespace attn;
using namespace Qt::StringLiterals;

class TestEmbeddingPages : public QObject
{
    Q_OBJECT

private slots:
    void directionsAreKeptEditedAndUndone();
    void directionsAreNamed();
    void differenceOfTwoTokens();
    void tokensAreChosenInThePicture();
    void typingInEWritesX();
    void encodingIsAddedAndForgotten();
    void seedIsOffWhileAnEncodingIsKept();
    void rowLabelsOfTheTableAreWhole();
    void wordsAreExchanged();
    void rotaryAndAlibiAreSwitched();
    void dimensionAndAngleAreSet();
    void numbersOutsideAreRefusedInWords();
    void pagesAreSaved();
};

void TestEmbeddingPages::directionsAreKeptEditedAndUndone()
{
    LabFixture fixture(u"tokens"_s);
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 0.6, 0.2, 0.4)"_s));
    QVERIFY(!fixture.window.isWindowModified());
    QVERIFY(fixture.press(u"direction:keep"_s));
    const QString name = QString::fromStdString(directionsLab(6));
    QVERIFY(!fixture.bench()->experiment().lab(directionsLab(6)).isNull());
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(name), {{{0, 0, 3}, 1.0}}));
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 1, 0.2, 0.4)"_s));
    fixture.undoStack()->undo();
    QVERIFY(fixture.texts().contains(u"(0.3, 0.5, 0.1, 0.6, 0.2, 0.4)"_s));
    fixture.undoStack()->undo();
    QVERIFY(fixture.bench()->experiment().labs.empty());
}

/// By its field: the name is a number's equal in the document, undone and saved with it.
void TestEmbeddingPages::directionsAreNamed()
{
    LabFixture fixture(u"tokens"_s);
    auto *name = fieldNamed<QLineEdit>(fixture.lab(), u"Name of the chosen direction"_s);
    QVERIFY(name);
    QCOMPARE(name->text(), u"needs an object"_s);
    const auto type = [&](const QString &text) {
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, text);
        QTest::keyClick(name, Qt::Key_Return);
        QCoreApplication::processEvents();
    };
    type(u"takes one"_s);
    const QString lab = QString::fromStdString(directionsLab(6));
    const Experiment &now = fixture.bench()->experiment();
    QCOMPARE(now.labRowName(directionsLab(6), 0), std::string("takes one"));
    QVERIFY(fixture.texts().contains(u"How far each token reaches along “takes one”"_s));
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(lab), {{{0, 0, 3}, 1.0}}));
    QVERIFY(fixture.texts().contains(u"“takes one” = (0.3, 0.5, 0.1, 1, 0.2, 0.4)"_s));
    QCOMPARE(EditTarget::scratch(lab).rowLabel(fixture.bench()->experiment(), 0), u"takes one"_s);

    QVERIFY(fixture.press(u"direction:difference"_s)); // the first token minus the second
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(lab), {{{0, 1, 0}, 9.0}}));
    QCOMPARE(name->text(), u"I − love"_s); // its name stays
    type(u"self"_s);
    QVERIFY(fixture.press(u"direction:select:0"_s));
    QCOMPARE(name->text(), u"takes one"_s);
    QVERIFY(fixture.press(u"direction:remove"_s));
    QCOMPARE(fixture.bench()->experiment().labRowName(directionsLab(6), 0), std::string("self"));
    while (fixture.undoStack()->canUndo())
        fixture.undoStack()->undo();
    QVERIFY(fixture.bench()->experiment().labs.empty());
    QVERIFY(fixture.bench()->experiment().labRowNames.empty());
    QVERIFY(fixture.texts().contains(u"“needs an object”"_s));
}

void TestEmbeddingPages::differenceOfTwoTokens()
{
    LabFixture fixture(u"tokens"_s);
    auto *to = fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s);
    auto *from = fieldNamed<QComboBox>(fixture.lab(), u"Token to subtract"_s);
    QVERIFY(to && from);
    QCOMPARE(to->count(), 4);
    emit from->activated(0);
    QCoreApplication::processEvents();
    QVERIFY(fixture.press(u"direction:difference"_s)); // the same token twice: refused
    QVERIFY(fixture.bench()->experiment().labs.empty());
    to->setCurrentIndex(3);
    emit to->activated(3);
    from->setCurrentIndex(1);
    emit from->activated(1);
    QVERIFY(fixture.press(u"direction:difference"_s));
    const Tensor &kept = fixture.bench()->experiment().lab(directionsLab(6));
    QCOMPARE(kept.rows(), Index(2));
    for (Index col = 0; col < 6; ++col)
        QCOMPARE(kept.at(1, col), fixture.value(Stage::Q, 3, col) - fixture.value(Stage::Q, 1, col));
    QVERIFY(fixture.texts().contains(u"superposition"_s));
    QVERIFY(fixture.texts().contains(u"prog − love"_s));
    QVERIFY(fixture.press(u"direction:remove"_s));
    QCOMPARE(fixture.bench()->experiment().lab(directionsLab(6)).rows(), Index(1));
}

void TestEmbeddingPages::tokensAreChosenInThePicture()
{
    LabFixture fixture(u"tokens"_s);
    fixture.lab()->page()->onShapeClicked(u"token:2"_s);
    QCoreApplication::processEvents();
    QCOMPARE(fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s)->currentIndex(), 2);
    fixture.lab()->page()->onDerivedSelected(MapKey::derived(u"tokens:dot"_s), 3, 0);
    QCoreApplication::processEvents();
    QCOMPARE(fieldNamed<QComboBox>(fixture.lab(), u"Token in focus"_s)->currentIndex(), 3);
}

void TestEmbeddingPages::typingInEWritesX()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.press(u"position:keepX"_s));
    QVERIFY(fixture.texts().contains(u"X = E + P in every cell"_s));
    const double before = fixture.value(Stage::A, 0, 0);
    const double x = fixture.value(Stage::X, 1, 2);
    QVERIFY(fixture.window.edits()->setCells(EditTarget::scratch(u"E"_s), {{{0, 1, 2}, 4.0}}));
    QCOMPARE(fixture.value(Stage::X, 1, 2), 4.0 + fixture.bench()->experiment().lab("P").at(1, 2));
    QVERIFY(fixture.value(Stage::A, 0, 0) != before);
    fixture.undoStack()->undo(); // one step: both
    QCOMPARE(fixture.value(Stage::X, 1, 2), x);
    QVERIFY(fixture.texts().contains(u"X = E + P in every cell"_s));
}

void TestEmbeddingPages::encodingIsAddedAndForgotten()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.press(u"position:keepE"_s));
    QVERIFY(std::abs(fixture.value(Stage::X, 0, 1) - 1.2) < 1e-15); // 0.2 + cos 0
    QVERIFY(fixture.press(u"position:forget"_s));
    QVERIFY(fixture.bench()->experiment().labs.empty());
    QVERIFY(std::abs(fixture.value(Stage::X, 0, 1) - 1.2) < 1e-15);
    fixture.undoStack()->undo();
    fixture.undoStack()->undo();
    QCOMPARE(fixture.value(Stage::X, 0, 1), 0.2);
}

/// "Learned" means the kept P: the seed draws nothing then and says why.
void TestEmbeddingPages::seedIsOffWhileAnEncodingIsKept()
{
    LabFixture fixture(u"positions"_s);
    QComboBox *kind = nullptr;
    QSpinBox *seed = nullptr;
    for (QComboBox *box : fixture.workspace()->findChildren<QComboBox *>())
        if (box->findData(u"learned"_s) >= 0)
            kind = box;
    for (QSpinBox *box : fixture.workspace()->findChildren<QSpinBox *>())
        if (box->maximum() == 9999 && box->isVisible())
            seed = box;
    QVERIFY(kind && seed);
    fixture.choose(kind, kind->findData(u"learned"_s));
    QVERIFY(seed->isEnabled());
    QVERIFY(fixture.press(u"position:keepE"_s));
    QVERIFY(!seed->isEnabled());
    QVERIFY(seed->toolTip().contains(u"Forget E and P"_s));
    const int edits = fixture.undoStack()->count();
    QVERIFY(fixture.press(u"position:keepE"_s)); // says that nothing changes
    QCOMPARE(fixture.undoStack()->count(), edits);
    QVERIFY(fixture.press(u"position:forget"_s));
    QVERIFY(seed->isEnabled());
}

/// Also after a scratch matrix of as many rows, whose labels are shorter, and when a token gets a longer
/// name.
void TestEmbeddingPages::rowLabelsOfTheTableAreWhole()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.press(u"position:keepX"_s));
    QTableView *table = nullptr;
    for (QTableView *view : fixture.window.findChildren<QTableView *>())
        if (view->accessibleName() == u"Table of the selected stage"_s)
            table = view;
    QVERIFY(table && table->isVisible());
    const QFontMetrics metrics(table->verticalHeader()->font());
    for (const EditTarget &target :
         {EditTarget::scratch(u"coefficients"_s), EditTarget::scratch(u"P"_s), EditTarget(Stage::X)}) {
        fixture.bench()->selection()->setCell(target, {0, 1, 0});
        QCoreApplication::processEvents();
    }
    QVERIFY(table->verticalHeader()->width() > metrics.horizontalAdvance(u"prog"_s) + 6);
    fixture.bench()->apply(RenameToken{TokenSide::Query, 1, "incomprehensible"}, u"Rename"_s);
    QCoreApplication::processEvents();
    QVERIFY(table->verticalHeader()->width() > metrics.horizontalAdvance(u"incomprehensible"_s) + 6);
}

void TestEmbeddingPages::wordsAreExchanged()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.texts().contains(u"Exchange “I” and “love”"_s));
    const double first = fixture.value(Stage::Output, 0, 0);
    QVERIFY(fixture.press(u"swap:apply"_s));
    QCOMPARE(fixture.bench()->experiment().tokens.at(0), std::string("love"));
    QVERIFY(std::abs(fixture.value(Stage::Output, 1, 0) - first) < 1e-14);
    fixture.undoStack()->undo();
    QCOMPARE(fixture.bench()->experiment().tokens.at(0), std::string("I"));
}

void TestEmbeddingPages::rotaryAndAlibiAreSwitched()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.press(u"rotary:use"_s));
    QVERIFY(fixture.bench()->experiment().rotary.has_value());
    QVERIFY(fixture.press(u"alibi:use"_s));
    QVERIFY(fixture.bench()->experiment().isGiven(Stage::MaskAlibi));
    QVERIFY(fixture.texts().contains(u"In use in this document: base 10000"_s));
    QVERIFY(fixture.press(u"rotary:remove"_s));
    QVERIFY(fixture.press(u"alibi:remove"_s));
    QVERIFY(!fixture.bench()->experiment().rotary &&
            !fixture.bench()->experiment().isGiven(Stage::MaskAlibi));
}

void TestEmbeddingPages::dimensionAndAngleAreSet()
{
    LabFixture fixture(u"orthogonality"_s);
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

/// Too large and too small ones can be typed; they change nothing, and one sentence says so.
void TestEmbeddingPages::numbersOutsideAreRefusedInWords()
{
    LabFixture fixture(u"orthogonality"_s);
    QStringList said;
    QObject::connect(fixture.bench(), &Workbench::messageRaised, fixture.bench(),
                     [&said](const QString &text) { said.append(text); });
    auto *dimension = fieldNamed<QSpinBox>(fixture.lab(), u"Dimensions n"_s);
    auto *angle = fieldNamed<QDoubleSpinBox>(fixture.lab(), u"Smallest angle"_s);
    QVERIFY(dimension && angle);
    const auto type = [](QAbstractSpinBox *box, const QString &text) {
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, text);
        QTest::keyClick(box, Qt::Key_Return);
        QCoreApplication::processEvents();
    };
    type(dimension, u"70000"_s);
    QCOMPARE(dimension->value(), 100);
    QVERIFY(!said.isEmpty());
    QCOMPARE(said.last(), u"“70000” lies outside of 2 … 4096: 100 stays."_s);
    type(dimension, u"1"_s);
    QCOMPARE(dimension->value(), 100);
    QCOMPARE(said.last(), u"“1” lies outside of 2 … 4096: 100 stays."_s);
    type(angle, u"12.5"_s);
    QCOMPARE(angle->value(), 85.0);
    QCOMPARE(said.last(), u"“12.5°” lies outside of 45.0° … 90.0°: 85.0° stays."_s);
    const qsizetype before = said.size();
    type(dimension, u"64"_s);
    QCOMPARE(dimension->value(), 64);
    QCOMPARE(said.size(), before);
}

void TestEmbeddingPages::pagesAreSaved()
{
    LabFixture fixture(u"positions"_s);
    QVERIFY(fixture.press(u"position:keepX"_s));
    QVERIFY(fixture.press(u"pair:2"_s));
    QTemporaryDir folder;
    const QString path = folder.filePath(u"lab.attn"_s);
    QVERIFY(fixture.window.files()->saveTo(path));
    WindowFixture again(path);
    QCoreApplication::processEvents();
    auto *lab = qobject_cast<LabView *>(again.window.currentWorkspace());
    QVERIFY(lab);
    QCOMPARE(lab->page()->id(), u"positions"_s);
    QVERIFY(again.bench()->experiment().lab("P").sameBits(fixture.bench()->experiment().lab("P")));
    bool isChecked = false;
    for (const SceneControl &control : lab->view()->scene()->controls)
        isChecked = isChecked || (control.id == "pair:2"_L1 && control.checked);
    QVERIFY(isChecked);
}

QTEST_MAIN(TestEmbeddingPages)
#include "tst_EmbeddingPages.moc"
