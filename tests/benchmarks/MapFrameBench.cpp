#include "benchmarks/Benchmarks.h"
#include "benchmarks/Checks.h"
#include "benchmarks/WindowProbe.h"
#include "benchmarks/Workloads.h"
#include "engine/kernels/KernelTable.h"
#include "widgets/NumberScrubField.h"

#include <QScrollBar>

#include <algorithm>
#include <functional>
#include <utility>

namespace attn::bench {

namespace {

constexpr int mapPx = 1000;
/// As a hand or a screen asks for them; what comes in between is refined in between.
constexpr double pausedMs = 16.0;
/// Some seconds of them: of fewer, two moments of the machine would decide what 95 % are within.
constexpr std::size_t frameCount = 300;

/// The window with nothing but one head's weights in its view, 1000 px wide and high.
class MapWindow
{
public:
    MapWindow(long n, const BenchOptions &options)
        : m_options(options)
    {
        DocumentFileData data;
        data.experiment = layerOf(n, options);
        m_probe.window().files()->loadImported(std::move(data), QStringLiteral("benchmark"), {});
        m_probe.window().showWorkspace(QStringLiteral("heads"));
    }

    WindowProbe &probe() { return m_probe; }

    bool show()
    {
        if (!m_probe.showAndWait())
            return false;
        SceneView &view = *m_probe.window().currentWorkspace()->view();
        m_probe.window().resize(m_probe.window().size() + QSize(mapPx, mapPx) - view.viewport()->size());
        const auto mapRect = [&view] {
            return view.scene() && !view.scene()->maps.empty() ? view.scene()->maps.front().rect : QRectF();
        };
        const auto fills = [&] {
            return view.fromScene(mapRect()).adjusted(-2, -2, 2, 2).contains(view.viewport()->rect());
        };
        return m_probe.waitUntil(10000.0, [&] {
            if (mapRect().isEmpty())
                return false;
            // With scroll bars there is less room; the map is the window's whole view all the same.
            const double side = std::max(view.viewport()->width(), view.viewport()->height());
            view.setZoom(side / mapRect().width(), QPointF());
            const QRectF shown = view.fromScene(mapRect());
            view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->value() + qRound(shown.left()));
            view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + qRound(shown.top()));
            return fills();
        });
    }

    /// Until all is painted and refined that was asked for before.
    void settle()
    {
        m_probe.frameMs([] {});
        m_probe.bench().compute()->waitUntilIdle();
        m_probe.frameMs([] {});
        m_probe.bench().pooledMaps()->waitUntilIdle();
        m_probe.frameMs([] {});
    }

    /// Milliseconds from an edit to its frame; then a plain loop runs, and what is left of the frame's time
    /// goes to the rest.
    double editMs(const std::function<void()> &edit)
    {
        const double start = millisecondsNow();
        const double taken = millisecondsOf([&] {
            m_probe.expectPictureOf(m_probe.bench().document()->generation().next());
            edit();
            m_hasFailed = !m_probe.waitForPicture() || m_hasFailed;
        });
        m_loopTimes.push_back(m_loop.run());
        m_probe.waitUntil(pausedMs, [&] { return millisecondsNow() - start >= pausedMs; });
        return taken;
    }

    void add(Report &report, const std::string &what, std::vector<double> milliseconds)
    {
        if (m_hasFailed)
            return report.fail(what, "no picture within a minute");
        m_probe.bench().compute()->waitUntilIdle();
        const Snapshot &snapshot = *m_probe.bench().snapshot();
        const Times times = timesFrom(std::move(milliseconds));
        Measurement m;
        m.what = what;
        m.n = snapshot.sizes().nQ;
        m.d = snapshot.sizes().dHeadK;
        m.h = snapshot.sizes().nHeads;
        m.dtype = m_options.isDouble ? "f64" : "f32";
        m.threads = m_options.threads;
        m.isa = isaName();
        m.medianMs = times.medianMs;
        m.minMs = times.minMs;
        m.p95Ms = times.p95Ms;
        m.peakRssMib = peakRssMib();
        m.error = errorOfRows(snapshot, 0, {0, m.n / 2, m.n - 1}, true);
        report.add(m, toleranceOf(m_options.isDouble));
    }

    /// What the machine itself adds to the frames measured until now.
    void addLoop(Report &report)
    {
        const Times times = timesFrom(std::exchange(m_loopTimes, {}));
        Measurement m;
        m.what = "a plain loop of 8 ms, in turn with the frames";
        m.n = m_probe.bench().snapshot()->sizes().nQ;
        m.threads = 1;
        m.isa = isaName();
        m.medianMs = times.medianMs;
        m.minMs = times.minMs;
        m.p95Ms = times.p95Ms;
        m.peakRssMib = peakRssMib();
        report.add(m, 0.0);
    }

private:
    const BenchOptions &m_options;
    WindowProbe m_probe;
    const PlainLoop m_loop{8.0};
    std::vector<double> m_loopTimes;
    bool m_hasFailed = false;
};

} // namespace

void benchMapFrames(Report &report, const BenchOptions &options, long n)
{
    const std::string single = "edit to frame, one map of 1000 x 1000 px";
    const std::string scrub = "scrubbed cell to frame, one map of 1000 x 1000 px";
    const std::string masked = "scrubbed cell to frame, the same with a causal mask";
    if (!options.wants(single) && !options.wants(scrub) && !options.wants(masked))
        return;
    int argumentCount = 0;
    QApplication application(argumentCount, nullptr);
    MapWindow shown(n, options);
    if (!shown.show())
        return report.fail(single, "no picture that the map fills");
    Workbench &bench = shown.probe().bench();
    const auto framesOf = [&](const std::function<void(Index frame)> &edit) {
        shown.settle();
        std::vector<double> times;
        for (std::size_t frame = 0; frame < frameCount; ++frame)
            times.push_back(shown.editMs([&] { edit(static_cast<Index>(frame)); }));
        return times;
    };
    if (options.wants(single))
        shown.add(report, single, framesOf([&](Index frame) {
                      bench.apply(cellEdit(bench.experiment(), Stage::X, frame * 37 % n, 0),
                                  QStringLiteral("Set a cell"));
                  }));
    if (!options.wants(scrub) && !options.wants(masked))
        return;
    // The number in the inspector, dragged.
    bench.select(Stage::X, {0, n / 3, 1});
    auto *field = shown.probe().window().findChild<NumberScrubField *>();
    if (!field)
        return report.fail(scrub, "no number to drag");
    const auto measureScrubbing = [&](const std::string &what) {
        GesturePhase phase = GesturePhase::Begin;
        shown.add(report, what, framesOf([&](Index frame) {
                      emit field->scrubbed(0.01 * static_cast<double>(frame + 1),
                                           std::exchange(phase, GesturePhase::Update));
                  }));
        emit field->scrubbed(0.01 * static_cast<double>(frameCount), GesturePhase::End);
        shown.addLoop(report);
    };
    if (options.wants(scrub))
        measureScrubbing(scrub);
    if (!options.wants(masked))
        return;
    bench.apply(SetCausal{true}, QStringLiteral("Mask what is ahead"));
    measureScrubbing(masked);
}

} // namespace attn::bench
