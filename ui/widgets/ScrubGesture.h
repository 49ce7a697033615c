#pragma once

#include <QObject>
#include <QTimer>

namespace attn {

/// Parts of one continuous change of a value; all of them together are one undo step.
enum class GesturePhase
{
    Begin, ///< with the first new value
    Update,
    End, ///< repeats the last value
};

/// The step by which a value like this is scrubbed: a tenth of its leading digit's place, 0.01 for zero.
double scrubStepOf(double value);

/// start + steps * step without binary noise in the last digits (0.1 + 2 * 0.1 is 0.3); exactly start for 0
/// steps.
double scrubbedValue(double start, double step, double steps);

/// Turns wheel notches and pixels of a drag into values, and into one gesture with an end.
class ScrubGesture : public QObject
{
    Q_OBJECT

public:
    explicit ScrubGesture(QObject *parent = nullptr);

    bool isActive() const { return m_active; }
    double value() const { return valueAfter(0.0); }
    /// What value() would be after so many more steps.
    double valueAfter(double steps) const { return scrubbedValue(m_start, m_step, m_steps + steps); }

    /// Begins at a finite value; emits nothing before the first step.
    void start(double value, double step);
    /// Goes on by so many steps, or to so many from the start.
    void advance(double steps);
    void moveTo(double steps);
    /// Ends by itself after a pause of 600 ms: for wheels and keys, which have no release.
    void endAfterPause();
    /// Ends now; nothing when inactive.
    void finish();

signals:
    void scrubbed(double value, attn::GesturePhase phase);

private:
    QTimer m_pause;
    double m_start = 0.0;
    double m_step = 0.01;
    double m_steps = 0.0;
    bool m_active = false;
    bool m_begun = false;
};

} // namespace attn
