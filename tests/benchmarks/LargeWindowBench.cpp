#include "benchmarks/Benchmarks.h"
#include "benchmarks/Checks.h"
#include "benchmarks/WindowProbe.h"
#include "benchmarks/Workloads.h"
#include "engine/kernels/KernelTable.h"
#include "io/ExportMetadata.h"
#include "io/Json.h"

#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>

#include <malloc.h>

#include <algorithm>

namespace attn::bench {

namespace {

constexpr Index tokens = 131072;

/// A file as the program exports it, but for what it had to compute: it opens without a question.
bool writeHead(const QString &path, const Experiment &experiment)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    Json::Object entries{{"__metadata__", Json::Object{{exportMetadataKey, exportMetadata(experiment)}}}};
    std::int64_t offset = 0;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V}) {
        const Tensor &tensor = experiment.matrix(stage);
        const std::int64_t end = offset + tensor.shape().size() * Index(sizeof(float));
        entries.emplace_back(stageName(stage),
                             Json::Object{{"dtype", "F32"},
                                          {"shape", Json::Array{tensor.rows(), tensor.cols()}},
                                          {"data_offsets", Json::Array{offset, end}}});
        offset = end;
    }
    QByteArray header = writeJson(entries);
    header = header.leftJustified((header.size() + 7) / 8 * 8, ' ');
    const auto length = static_cast<quint64>(header.size());
    bool isWritten =
        file.write(reinterpret_cast<const char *>(&length), 8) == 8 && file.write(header) == header.size();
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V}) {
        const Tensor &tensor = experiment.matrix(stage);
        std::vector<float> numbers(static_cast<std::size_t>(tensor.shape().size()));
        tensor.copyRows(0, 0, tensor.rows(), numbers.data());
        const auto bytes = static_cast<qint64>(numbers.size() * sizeof(float));
        isWritten = isWritten && file.write(reinterpret_cast<const char *>(numbers.data()), bytes) == bytes;
    }
    return isWritten;
}

/// One window on the file, and what it is asked.
class LargeWindow
{
public:
    LargeWindow(Report &report, const BenchOptions &options)
        : m_report(report)
        , m_options(options)
    {
    }

    void open(const QString &path)
    {
        bool isShown = false;
        const double milliseconds = millisecondsOf([&] {
            isShown = m_probe.open(path);
            m_probe.window().showWorkspace(QStringLiteral("heads"));
            isShown = m_probe.showAndWait() && isShown;
        });
        add("file to first picture", timesFrom({milliseconds}), isShown);
    }

    /// Near enough to see cells: from there to the exact weights of all rows in sight.
    void look()
    {
        SceneView &view = *m_probe.window().currentWorkspace()->view();
        bool isExact = false;
        const double milliseconds = millisecondsOf([&] {
            const double cellsOfPixel = tokens / std::max(1.0, view.zoom() * mapWidth(view));
            view.setZoom(view.zoom() * cellsOfPixel, QRectF(view.viewport()->rect()).center());
            isExact = m_probe.waitUntil(60000.0, [&] { return isSeenExact(view); });
        });
        add("to exact weights in sight", timesFrom({milliseconds}), isExact);
    }

    void pan()
    {
        QAbstractScrollArea &view = *m_probe.window().currentWorkspace()->view();
        frames("pan", [&view](int frame) {
            QScrollBar *bar = frame % 2 == 0 ? view.horizontalScrollBar() : view.verticalScrollBar();
            bar->setValue(bar->value() + (frame % 40 < 20 ? 37 : -37));
        });
    }

    void zoom()
    {
        SceneView &view = *m_probe.window().currentWorkspace()->view();
        const QPointF middle = QRectF(view.viewport()->rect()).center();
        frames("zoom",
               [&](int frame) { view.setZoom(view.zoom() * (frame % 60 < 30 ? 1.0 / 1.2 : 1.2), middle); });
    }

    void edit()
    {
        std::vector<double> toFrame;
        std::vector<double> toHead;
        bool isDone = waitUntilComplete();
        for (int i = 0; i < 5 && isDone; ++i) {
            const Index row = tokens / 2 + 7 * i;
            const Edit change = cellEdit(m_probe.bench().experiment(), Stage::Q, row, 0);
            const double start = millisecondsNow();
            m_probe.expectPictureOf(m_probe.bench().document()->generation().next());
            m_probe.bench().apply(change, QStringLiteral("Set a cell"));
            isDone = m_probe.waitForPicture();
            toFrame.push_back(millisecondsNow() - start);
            isDone = isDone && waitUntilComplete();
            toHead.push_back(millisecondsNow() - start);
        }
        add("Q cell to frame", timesFrom(std::move(toFrame)), isDone);
        add("Q cell to whole head", timesFrom(std::move(toHead)), isDone);
    }

private:
    static double mapWidth(const SceneView &view)
    {
        double width = 1.0;
        for (const SceneMap &map : view.scene()->maps)
            width = std::max(width, map.rect.width());
        return width;
    }

    bool isSeenExact(const SceneView &view)
    {
        const auto seen = view.seenRows();
        const SnapshotPtr &snapshot = m_probe.bench().snapshot();
        if (!seen || !snapshot || !snapshot->stage(Stage::A).hasValues())
            return false;
        const StageValues &A = *snapshot->stage(Stage::A).values;
        return A.blockStatus(0, seen->first, 0, seen->count, A.cols()) == BlockStatus::Exact;
    }

    bool waitUntilComplete()
    {
        constexpr double patienceMs = 600000.0; // the first time every cell of a head is computed
        return m_probe.waitUntil(patienceMs, [this] { return !m_probe.bench().compute()->isBehind(); });
    }

    /// A frame every 16 ms, as a screen asks for them; what comes in between is drawn in between.
    void frames(const std::string &what, const std::function<void(int frame)> &change)
    {
        constexpr int count = 240;
        constexpr double frameMs = 16.0;
        std::vector<double> times;
        for (int frame = 0; frame < count; ++frame) {
            const double start = millisecondsNow();
            times.push_back(m_probe.frameMs([&] { change(frame); }));
            m_probe.waitUntil(frameMs, [&] { return millisecondsNow() - start >= frameMs; });
        }
        add(what, timesFrom(std::move(times)), true);
    }

    void add(const std::string &what, const Times &times, bool isDone)
    {
        const std::string name = "131072 tokens: " + what;
        if (!isDone)
            return m_report.fail(name, "not done in time");
        const Snapshot &snapshot = *m_probe.bench().snapshot();
        Measurement m;
        m.what = name;
        m.n = tokens;
        m.d = snapshot.sizes().dHeadK;
        m.h = 1;
        m.dtype = snapshot.experiment().precision == Precision::Float64 ? "f64" : "f32";
        m.threads = m_options.threads;
        m.isa = isaName();
        m.medianMs = times.medianMs;
        m.minMs = times.minMs;
        m.p95Ms = times.p95Ms;
        m.peakRssMib = peakRssMib();
        m_report.add(m, 0.0);
    }

    Report &m_report;
    const BenchOptions &m_options;
    WindowProbe m_probe;
};

} // namespace

void benchLargeWindow(Report &report, const BenchOptions &options)
{
    if (!options.wants("131072 tokens: window"))
        return;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("head.safetensors"));
    if (!writeHead(path, oneHeadOf(tokens, options)))
        return report.fail("131072 tokens", "could not write the file");
    int argumentCount = 0;
    QApplication application(argumentCount, nullptr);
    malloc_trim(0); // what was written is no memory of the window
    LargeWindow window(report, options);
    window.open(path);
    window.look();
    window.pan();
    window.zoom();
    window.edit();
}

} // namespace attn::bench
