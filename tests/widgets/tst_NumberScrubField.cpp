#include "widgets/NumberScrubField.h"

#include <QApplication>
#include <QClipboard>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <limits>

using namespace attn;

class TestNumberScrubField : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();

    void stepsSuitTheNumber_data();
    void stepsSuitTheNumber();
    void scrubbedValuesHaveNoNoise();
    void showsFullPrecision();
    void dragIsOneGesture();
    void modifiersChangeTheStep();
    void shortClickIsNoGesture();
    void escapeTakesTheDragBack();
    void wheelNeedsTheFocus();
    void arrowKeysStep();
    void typingReplaces();
    void doubleClickEditsTheWholeText();
    void unchangedTextIsNoEdit();
    void undoIsOfTheWindowUntilSomethingIsTyped();
    void wrongTextStaysOpen();
    void tabCommitsAndLeaves();
    void readOnlySaysSo();
    void checkStopsTheDrag();
    void notFiniteIsNotScrubbed();
    void copiesTheFullText();

private:
    void drag(int from, int to, Qt::KeyboardModifiers modifiers = {});
    bool wheel(int delta, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<QWidget> m_window;
    NumberScrubField *m_field = nullptr;
    QLineEdit *m_other = nullptr;
};

void TestNumberScrubField::init()
{
    m_window = std::make_unique<QWidget>();
    m_window->resize(300, 100);
    m_field = new NumberScrubField(m_window.get());
    m_field->setGeometry(10, 10, 200, 30);
    m_other = new QLineEdit(m_window.get());
    m_other->setGeometry(10, 50, 200, 30);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    m_field->setNumber(0.5, QStringLiteral("0.5"));
    m_field->setFocus();
}

void TestNumberScrubField::cleanup()
{
    m_window.reset();
}

/// Moves with the button held, first beyond the distance at which a drag begins.
void TestNumberScrubField::drag(int from, int to, Qt::KeyboardModifiers modifiers)
{
    const auto move = [this, modifiers](int x) {
        QMouseEvent event(QEvent::MouseMove, QPointF(x, 10), m_field->mapToGlobal(QPointF(x, 10)),
                          Qt::NoButton, Qt::LeftButton, modifiers);
        QCoreApplication::sendEvent(m_field, &event);
    };
    const int begin = from + (to > from ? 1 : -1) * QApplication::startDragDistance();
    QTest::mousePress(m_field, Qt::LeftButton, modifiers, {from, 10});
    move(begin);
    move(begin + to - from);
}

bool TestNumberScrubField::wheel(int delta, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event({10, 10}, m_field->mapToGlobal(QPointF(10, 10)), {}, {0, delta}, Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(m_field, &event);
    return event.isAccepted();
}

void TestNumberScrubField::stepsSuitTheNumber_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("step");
    QTest::newRow("zero") << 0.0 << 0.01;
    QTest::newRow("tenths") << -0.5 << 0.01;
    QTest::newRow("one") << 1.0 << 0.1;
    QTest::newRow("hundreds") << 250.0 << 10.0;
    QTest::newRow("small") << 3e-9 << 1e-10;
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << 0.01;
}

void TestNumberScrubField::stepsSuitTheNumber()
{
    QFETCH(double, value);
    QFETCH(double, step);
    QVERIFY(std::abs(scrubStepOf(value) - step) <= 1e-12 * step);
}

void TestNumberScrubField::scrubbedValuesHaveNoNoise()
{
    QCOMPARE(scrubbedValue(0.1, 0.1, 2.0), 0.3);
    QCOMPARE(scrubbedValue(0.3, 0.1, -3.0), 0.0);
    QCOMPARE(scrubbedValue(0.123456789, 0.01, 1.0), 0.133456789);
    QCOMPARE(scrubbedValue(0.1 + 0.2, 0.1, 0.0), 0.1 + 0.2); // back at the start: the same bits
}

void TestNumberScrubField::showsFullPrecision()
{
    m_field->setNumber(0.1 + 0.2, QStringLiteral("0.30000000000000004"));
    QCOMPARE(m_field->text(), QStringLiteral("0.30000000000000004"));
    m_field->clearNumber(QStringLiteral("not available"));
    QVERIFY(m_field->text().isEmpty());
    QCOMPARE(m_field->placeholderText(), QStringLiteral("not available"));
    QTest::keyClick(m_field, Qt::Key_1);
    QVERIFY(!m_field->isTyping());
}

void TestNumberScrubField::dragIsOneGesture()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    drag(50, 70); // 20 pixels: 5 steps of 0.01
    QCOMPARE(scrubbed.size(), 1);
    QCOMPARE(scrubbed[0][0].toDouble(), 0.55);
    QCOMPARE(scrubbed[0][1].value<GesturePhase>(), GesturePhase::Begin);
    QCOMPARE(m_field->text(), QStringLiteral("0.55"));
    m_field->setNumber(0.55, QStringLiteral("0.55"));
    QMouseEvent back(QEvent::MouseMove, QPointF(50, 10), m_field->mapToGlobal(QPointF(50, 10)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(m_field, &back);
    QVERIFY(scrubbed.size() == 2);
    QCOMPARE(scrubbed[1][1].value<GesturePhase>(), GesturePhase::Update);
    const double last = scrubbed[1][0].toDouble();
    QVERIFY(last < 0.55);
    QTest::mouseRelease(m_field, Qt::LeftButton, {}, {50, 10});
    QCOMPARE(scrubbed.size(), 3);
    QCOMPARE(scrubbed[2][0].toDouble(), last);
    QCOMPARE(scrubbed[2][1].value<GesturePhase>(), GesturePhase::End);
}

void TestNumberScrubField::modifiersChangeTheStep()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    drag(50, 70, Qt::ShiftModifier);
    QCOMPARE(scrubbed.last()[0].toDouble(), 0.505);
    QTest::mouseRelease(m_field, Qt::LeftButton, {}, {70, 10});
    m_field->setNumber(0.5, QStringLiteral("0.5"));
    drag(50, 30, Qt::ControlModifier);
    QCOMPARE(scrubbed.last()[0].toDouble(), 0.0);
    QTest::mouseRelease(m_field, Qt::LeftButton, {}, {30, 10});
    m_field->setNumber(0.5, QStringLiteral("0.5"));
    m_field->setStep(1.0);
    drag(50, 58);
    QCOMPARE(scrubbed.last()[0].toDouble(), 2.5);
}

void TestNumberScrubField::shortClickIsNoGesture()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    QTest::mouseClick(m_field, Qt::LeftButton, {}, {50, 10});
    QCOMPARE(scrubbed.size(), 0);
    QVERIFY(!m_field->isTyping());
}

void TestNumberScrubField::escapeTakesTheDragBack()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    drag(50, 90);
    QCOMPARE(scrubbed.last()[0].toDouble(), 0.6);
    QTest::keyClick(m_field, Qt::Key_Escape);
    QCOMPARE(scrubbed.last()[0].toDouble(), 0.5);
    QCOMPARE(scrubbed.last()[1].value<GesturePhase>(), GesturePhase::End);
    const qsizetype count = scrubbed.size();
    QTest::mouseRelease(m_field, Qt::LeftButton, {}, {90, 10});
    QCOMPARE(scrubbed.size(), count);
}

void TestNumberScrubField::wheelNeedsTheFocus()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    m_other->setFocus();
    QVERIFY(!wheel(120));
    QCOMPARE(scrubbed.size(), 0);
    m_field->setFocus();
    QVERIFY(wheel(120));
    QVERIFY(wheel(-240));
    QCOMPARE(scrubbed.size(), 2);
    QCOMPARE(scrubbed[0][0].toDouble(), 0.51);
    QCOMPARE(scrubbed[1][0].toDouble(), 0.49);
    QTRY_COMPARE_WITH_TIMEOUT(scrubbed.size(), 3, 3000); // the pause ends the gesture
    QCOMPARE(scrubbed[2][1].value<GesturePhase>(), GesturePhase::End);
}

void TestNumberScrubField::arrowKeysStep()
{
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    QTest::keyClick(m_field, Qt::Key_Up);
    QTest::keyClick(m_field, Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(scrubbed[0][0].toDouble(), 0.51);
    QCOMPARE(scrubbed[1][0].toDouble(), 0.61);
    m_other->setFocus();
    QCOMPARE(scrubbed.size(), 3);
    QCOMPARE(scrubbed[2][1].value<GesturePhase>(), GesturePhase::End);
}

void TestNumberScrubField::typingReplaces()
{
    QSignalSpy edited(m_field, &NumberScrubField::edited);
    QTest::keyClicks(m_field, QStringLiteral("-2e-3"));
    QVERIFY(m_field->isTyping());
    QCOMPARE(m_field->text(), QStringLiteral("-2e-3"));
    m_field->setNumber(0.7, QStringLiteral("0.7")); // a recompute meanwhile
    QCOMPARE(m_field->text(), QStringLiteral("-2e-3"));
    QTest::keyClick(m_field, Qt::Key_Return);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].toDouble(), -0.002);
    QVERIFY(!m_field->isTyping());
    QCOMPARE(m_field->text(), QStringLiteral("0.7")); // what the owner says
}

void TestNumberScrubField::doubleClickEditsTheWholeText()
{
    m_field->setNumber(0.125, QStringLiteral("0.125"));
    QTest::mouseDClick(m_field, Qt::LeftButton, {}, {50, 10});
    QVERIFY(m_field->isTyping());
    QCOMPARE(m_field->text(), QStringLiteral("0.125"));
    QCOMPARE(m_field->cursorPosition(), 5);
    QSignalSpy edited(m_field, &NumberScrubField::edited);
    QTest::keyClick(m_field, Qt::Key_6);
    QTest::keyClick(m_field, Qt::Key_Return);
    QCOMPARE(edited[0][0].toDouble(), 0.1256);
}

void TestNumberScrubField::unchangedTextIsNoEdit()
{
    QSignalSpy edited(m_field, &NumberScrubField::edited);
    QTest::keyClick(m_field, Qt::Key_F2);
    QVERIFY(m_field->isTyping());
    QTest::keyClick(m_field, Qt::Key_Return);
    QTest::keyClick(m_field, Qt::Key_F2);
    m_other->setFocus();
    QVERIFY(!m_field->isTyping());
    QCOMPARE(edited.size(), 0);
}

void TestNumberScrubField::undoIsOfTheWindowUntilSomethingIsTyped()
{
    const auto takesUndo = [this] {
        QKeyEvent key(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
        key.ignore();
        QCoreApplication::sendEvent(m_field, &key);
        return key.isAccepted();
    };
    QTest::keyClick(m_field, Qt::Key_Down);
    QTest::keyClick(m_field, Qt::Key_Return); // opens the editor on the same number
    QVERIFY(m_field->isTyping());
    QVERIFY(!takesUndo());
    QVERIFY(!m_field->isTyping());
    QTest::keyClicks(m_field, QStringLiteral("12"));
    QVERIFY(takesUndo());
    QVERIFY(m_field->isTyping());
}

void TestNumberScrubField::wrongTextStaysOpen()
{
    QSignalSpy edited(m_field, &NumberScrubField::edited);
    QTest::keyClicks(m_field, QStringLiteral("1,5"));
    QTest::keyClick(m_field, Qt::Key_Return);
    QVERIFY(m_field->isTyping());
    QVERIFY(!m_field->shownProblem().isEmpty());
    QCOMPARE(m_field->toolTip(), m_field->shownProblem());
    QTest::keyClick(m_field, Qt::Key_Escape);
    QVERIFY(!m_field->isTyping());
    QVERIFY(m_field->shownProblem().isEmpty());
    QCOMPARE(m_field->text(), QStringLiteral("0.5"));
    QCOMPARE(edited.size(), 0);
}

void TestNumberScrubField::tabCommitsAndLeaves()
{
    QSignalSpy edited(m_field, &NumberScrubField::edited);
    QTest::keyClick(m_field, Qt::Key_8);
    QTest::keyClick(m_field, Qt::Key_Tab);
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].toDouble(), 8.0);
    QVERIFY(m_other->hasFocus());
    m_field->setFocus();
    QTest::keyClick(m_field, Qt::Key_Tab);
    QVERIFY(m_other->hasFocus());
    QCOMPARE(edited.size(), 1);
}

void TestNumberScrubField::readOnlySaysSo()
{
    m_field->setEditable(false);
    QSignalSpy hit(m_field, &NumberScrubField::readOnlyHit);
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    QTest::keyClick(m_field, Qt::Key_4);
    QTest::keyClick(m_field, Qt::Key_Up);
    drag(50, 90);
    QTest::mouseRelease(m_field, Qt::LeftButton, {}, {90, 10});
    QCOMPARE(hit.size(), 3);
    QCOMPARE(scrubbed.size(), 0);
    QVERIFY(!m_field->isTyping());
}

void TestNumberScrubField::checkStopsTheDrag()
{
    m_field->setCheck([](double value) { return value > 0.52 ? QStringLiteral("Too much.") : QString(); });
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    QTest::keyClick(m_field, Qt::Key_Up);
    QTest::keyClick(m_field, Qt::Key_Up);
    QTest::keyClick(m_field, Qt::Key_Up);
    QCOMPARE(scrubbed.size(), 2);
    QCOMPARE(scrubbed.last()[0].toDouble(), 0.52);
    QCOMPARE(m_field->shownProblem(), QStringLiteral("Too much."));
}

void TestNumberScrubField::notFiniteIsNotScrubbed()
{
    m_field->setNumber(-HUGE_VAL, QStringLiteral("-inf"));
    QSignalSpy scrubbed(m_field, &NumberScrubField::scrubbed);
    QVERIFY(!wheel(120));
    QTest::keyClick(m_field, Qt::Key_Up);
    QCOMPARE(scrubbed.size(), 0);
}

void TestNumberScrubField::copiesTheFullText()
{
    m_field->setNumber(1.0 / 3.0, QStringLiteral("0.3333333333333333"));
    QTest::keyClick(m_field, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("0.3333333333333333"));
}

QTEST_MAIN(TestNumberScrubField)
#include "tst_NumberScrubField.moc"
