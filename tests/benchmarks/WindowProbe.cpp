#include "benchmarks/WindowProbe.h"

#include "benchmarks/Measurement.h"

#include <QEvent>
#include <QTimer>

namespace attn::bench {

WindowProbe::WindowProbe()
    : m_window(&m_theme, &m_settings)
{
    m_window.resize(1400, 1000);
    QCoreApplication::instance()->installEventFilter(this);
}

bool WindowProbe::showAndWait()
{
    expectPictureOf(bench().document()->generation());
    m_window.show();
    return waitForPicture();
}

void WindowProbe::expectPictureOf(Generation generation)
{
    m_before = m_window.currentWorkspace()->view()->scene();
    m_wanted = generation;
    m_isPainted = false;
}

bool WindowProbe::waitForPicture()
{
    constexpr double patienceMs = 60000.0;
    // Without events the loop would sleep past the end of the patience.
    QTimer awake;
    awake.start(1000);
    const double start = millisecondsNow();
    while (!m_isPainted && millisecondsNow() - start < patienceMs)
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    return m_isPainted;
}

bool WindowProbe::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Paint && watched == m_window.currentWorkspace()->view()->viewport()) {
        const SnapshotPtr &snapshot = bench().snapshot();
        const bool isNew = m_window.currentWorkspace()->view()->scene() != m_before;
        // The painting follows within this turn of the event loop.
        m_isPainted = m_isPainted || (isNew && snapshot && snapshot->generation() >= m_wanted);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace attn::bench
