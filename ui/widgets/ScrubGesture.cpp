#include "widgets/ScrubGesture.h"

#include <charconv>
#include <chrono>
#include <cmath>

namespace attn {

double scrubStepOf(double value)
{
    const double magnitude = std::abs(value);
    if (!(magnitude > 1e-300) || !std::isfinite(magnitude))
        return 0.01;
    return std::pow(10.0, std::floor(std::log10(magnitude)) - 1.0);
}

double scrubbedValue(double start, double step, double steps)
{
    if (steps == 0.0)
        return start;
    const double exact = start + steps * step;
    char text[64];
    const auto written = std::to_chars(text, text + sizeof text, exact, std::chars_format::general, 15);
    double rounded = exact;
    std::from_chars(text, written.ptr, rounded);
    // Near zero the sum's own rounding error would look like digits.
    return std::abs(rounded) < std::abs(step) * 1e-9 ? 0.0 : rounded;
}

ScrubGesture::ScrubGesture(QObject *parent)
    : QObject(parent)
{
    using namespace std::chrono_literals;
    m_pause.setSingleShot(true);
    m_pause.setInterval(600ms);
    connect(&m_pause, &QTimer::timeout, this, &ScrubGesture::finish);
}

void ScrubGesture::start(double value, double step)
{
    finish();
    m_start = value;
    m_step = step;
    m_steps = 0.0;
    m_active = true;
    m_begun = false;
}

void ScrubGesture::advance(double steps)
{
    moveTo(m_steps + steps);
}

void ScrubGesture::moveTo(double steps)
{
    if (!m_active || steps == m_steps)
        return;
    m_steps = steps;
    const GesturePhase phase = m_begun ? GesturePhase::Update : GesturePhase::Begin;
    m_begun = true;
    emit scrubbed(value(), phase);
}

void ScrubGesture::endAfterPause()
{
    if (m_active)
        m_pause.start();
}

void ScrubGesture::finish()
{
    m_pause.stop();
    if (!m_active)
        return;
    m_active = false;
    if (m_begun)
        emit scrubbed(value(), GesturePhase::End);
}

} // namespace attn
