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

bool WindowProbe::open(const QString &file)
{
    m_window.files()->open({file});
    return waitUntil(60000.0, [this] { return !m_window.files()->reader()->isBusy(); });
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
    return waitUntil(60000.0, [this] { return m_isPainted; });
}

bool WindowProbe::waitUntil(double patienceMs, const std::function<bool()> &condition)
{
    // Without events the loop would sleep past the end of the patience.
    QTimer awake;
    awake.start(20);
    const double start = millisecondsNow();
    while (!condition() && millisecondsNow() - start < patienceMs)
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    return condition();
}

double WindowProbe::frameMs(const std::function<void()> &change)
{
    m_hasFrame = false;
    return millisecondsOf([&] {
        change();
        m_window.currentWorkspace()->view()->viewport()->update();
        waitUntil(60000.0, [this] { return m_hasFrame; });
    });
}

bool WindowProbe::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Paint && watched == m_window.currentWorkspace()->view()->viewport()) {
        m_hasFrame = true;
        const SnapshotPtr &snapshot = bench().snapshot();
        const bool isNew = m_window.currentWorkspace()->view()->scene() != m_before;
        // The painting follows within this turn of the event loop.
        m_isPainted = m_isPainted || (isNew && snapshot && snapshot->generation() >= m_wanted);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace attn::bench
