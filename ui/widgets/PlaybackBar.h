#pragma once

#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace attn {

/// Walks through a picture in steps: play, pause, one step back or forward, scrub, speed. A position is how
/// many steps are done, 0 to stepCount().
///
/// Space plays and pauses while the bar has the focus; the arrow keys, Home and End step. While it is hidden,
/// or with reduced motion, nothing runs: then the steps are taken by hand.
class PlaybackBar : public QWidget
{
    Q_OBJECT

public:
    explicit PlaybackBar(QWidget *parent = nullptr);

    /// A position beyond the new count moves to its end.
    void setStepCount(int count);
    int stepCount() const { return m_count; }
    /// So many positions make one step that is told, so that a picture moves between its steps; the buttons
    /// go from step to step, and a step takes the same time. 1 at first; divides the step count.
    void setPositionsPerStep(int positions);
    /// Emits positionChanged when it differs.
    void setPosition(int position);
    int position() const { return m_position; }
    bool isPlaying() const { return m_timer.isActive(); }
    /// With reduced motion the play button is off.
    void setReducedMotion(bool reduced);

public slots:
    /// From the start when it stands at the end.
    void play();
    void pause();
    /// To the next step that is told, and to the one before; playing pauses.
    void stepForward();
    void stepBack();

signals:
    void positionChanged(int position);
    void playingChanged(bool playing);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QToolButton *addButton(const QString &name);
    void setPlaying(bool playing);
    void advance();
    void setInterval();
    void refresh();
    void drawIcons();

    QToolButton *m_back;
    QToolButton *m_play;
    QToolButton *m_forward;
    QSlider *m_slider;
    QLabel *m_label;
    QComboBox *m_speed;
    QTimer m_timer;
    int m_count = 0;
    int m_position = 0;
    int m_perStep = 1;
    bool m_reducedMotion = false;
};

} // namespace attn
