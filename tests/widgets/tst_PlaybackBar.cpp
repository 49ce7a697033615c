#include "widgets/PlaybackBar.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace attn;

class TestPlaybackBar : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_bar.reset(); }

    void stepsAndStaysInside();
    void playsToTheEndAndFromTheStart();
    void keysPlayAndStep();
    void scrubbingPauses();
    void nothingRunsWhileHidden();
    void reducedMotionOnlySteps();
    void speedSetsThePace();
    void stepsOfSeveralPositions();

private:
    QToolButton *button(const QString &name) const
    {
        for (QToolButton *found : m_bar->findChildren<QToolButton *>())
            if (found->accessibleName() == name)
                return found;
        return nullptr;
    }

    std::unique_ptr<PlaybackBar> m_bar;
};

void TestPlaybackBar::init()
{
    m_bar = std::make_unique<PlaybackBar>();
    m_bar->setStepCount(4);
    m_bar->show();
    QVERIFY(QTest::qWaitForWindowActive(m_bar.get()));
}

void TestPlaybackBar::stepsAndStaysInside()
{
    QSignalSpy moved(m_bar.get(), &PlaybackBar::positionChanged);
    QVERIFY(!button(QStringLiteral("One step back"))->isEnabled());
    button(QStringLiteral("One step forward"))->click();
    QCOMPARE(m_bar->position(), 1);
    m_bar->setPosition(99);
    QCOMPARE(m_bar->position(), 4);
    QVERIFY(!button(QStringLiteral("One step forward"))->isEnabled());
    button(QStringLiteral("One step back"))->click();
    QCOMPARE(m_bar->position(), 3);
    QCOMPARE(moved.size(), 3);
    m_bar->setPosition(3);
    QCOMPARE(moved.size(), 3);
    m_bar->setStepCount(2);
    QCOMPARE(m_bar->position(), 2);
    QCOMPARE(moved.size(), 4);
}

void TestPlaybackBar::playsToTheEndAndFromTheStart()
{
    m_bar->findChild<QComboBox *>()->setCurrentIndex(4);
    m_bar->setPosition(4);
    QSignalSpy playing(m_bar.get(), &PlaybackBar::playingChanged);
    m_bar->play();
    QCOMPARE(m_bar->position(), 0);
    QVERIFY(m_bar->isPlaying());
    QVERIFY(button(QStringLiteral("Pause")));
    QTRY_VERIFY(!m_bar->isPlaying());
    QCOMPARE(m_bar->position(), 4);
    QCOMPARE(playing.size(), 2);
}

void TestPlaybackBar::keysPlayAndStep()
{
    m_bar->setFocus();
    QWidget *focused = m_bar->focusWidget();
    QVERIFY(focused);
    QTest::keyClick(focused, Qt::Key_Right);
    QTest::keyClick(focused, Qt::Key_Right);
    QTest::keyClick(focused, Qt::Key_Left);
    QCOMPARE(m_bar->position(), 1);
    QTest::keyClick(focused, Qt::Key_End);
    QCOMPARE(m_bar->position(), 4);
    QTest::keyClick(focused, Qt::Key_Home);
    QCOMPARE(m_bar->position(), 0);
    QTest::keyClick(focused, Qt::Key_Space);
    QVERIFY(m_bar->isPlaying());
    QTest::keyClick(focused, Qt::Key_Space);
    QVERIFY(!m_bar->isPlaying());
}

void TestPlaybackBar::scrubbingPauses()
{
    m_bar->play();
    m_bar->findChild<QSlider *>()->setValue(2);
    QVERIFY(!m_bar->isPlaying());
    QCOMPARE(m_bar->position(), 2);
}

void TestPlaybackBar::nothingRunsWhileHidden()
{
    m_bar->play();
    m_bar->hide();
    QVERIFY(!m_bar->isPlaying());
    m_bar->play();
    QVERIFY(!m_bar->isPlaying());
}

void TestPlaybackBar::reducedMotionOnlySteps()
{
    m_bar->play();
    m_bar->setReducedMotion(true);
    QVERIFY(!m_bar->isPlaying());
    QVERIFY(!button(QStringLiteral("Play"))->isEnabled());
    m_bar->play();
    QVERIFY(!m_bar->isPlaying());
    button(QStringLiteral("One step forward"))->click();
    QCOMPARE(m_bar->position(), 1);
}

void TestPlaybackBar::speedSetsThePace()
{
    auto *speed = m_bar->findChild<QComboBox *>();
    QCOMPARE(speed->currentText(), QStringLiteral("1×"));
    speed->setCurrentIndex(4);
    QElapsedTimer elapsed;
    elapsed.start();
    m_bar->play();
    QTRY_COMPARE(m_bar->position(), 1);
    QVERIFY(elapsed.elapsed() >= 90); // 100 ms a step at 8×
}

/// A picture that moves between its steps: the buttons go from step to step, wherever it stands.
void TestPlaybackBar::stepsOfSeveralPositions()
{
    m_bar->setPositionsPerStep(10);
    m_bar->setStepCount(30);
    button(QStringLiteral("One step forward"))->click();
    QCOMPARE(m_bar->position(), 10);
    m_bar->setPosition(14);
    button(QStringLiteral("One step forward"))->click();
    QCOMPARE(m_bar->position(), 20);
    m_bar->setPosition(14);
    button(QStringLiteral("One step back"))->click();
    QCOMPARE(m_bar->position(), 10);
    const QList<QLabel *> labels = m_bar->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](const QLabel *label) { return label->text() == QStringLiteral("1 of 3"); }));
}

QTEST_MAIN(TestPlaybackBar)
#include "tst_PlaybackBar.moc"
