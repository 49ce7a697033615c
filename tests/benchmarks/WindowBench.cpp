#include "benchmarks/Benchmarks.h"
#include "benchmarks/Checks.h"
#include "benchmarks/WindowProbe.h"
#include "benchmarks/Workloads.h"
#include "engine/kernels/KernelTable.h"
#include "render/ValueRange.h"
#include "render/cells/CellColors.h"
#include "views/lab/LabView.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace attn::bench {

namespace {

Measurement windowMeasurement(const std::string &what, const Snapshot &snapshot, const BenchOptions &options,
                              const Times &times)
{
    Measurement m;
    m.what = what;
    m.n = snapshot.sizes().nQ;
    m.d = snapshot.sizes().dHeadK;
    m.h = snapshot.sizes().nHeads;
    m.dtype = snapshot.experiment().precision == Precision::Float64 ? "f64" : "f32";
    m.threads = options.threads;
    m.isa = isaName();
    m.medianMs = times.medianMs;
    m.minMs = times.minMs;
    m.p95Ms = times.p95Ms;
    m.peakRssMib = peakRssMib();
    return m;
}

/// Places of all colours in the table, by division and rounding in double.
double colorError(const CellColors &colors, const ColorMap &map, const std::vector<float> &values,
                  const std::vector<QRgb> &drawn)
{
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double place = std::clamp((static_cast<double>(values[i]) + 1.0) / 2.0, 0.0, 1.0) * 255.0;
        const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(place + 0.5 - 1e-4)));
        const auto high = static_cast<std::size_t>(std::min(255.0, std::floor(place + 0.5 + 1e-4)));
        const bool isRight = drawn[i] == map.table()[low] || drawn[i] == map.table()[high];
        wrong += isRight && drawn[i] == colors.color(values[i]) ? 0 : 1;
    }
    return static_cast<double>(wrong) / static_cast<double>(values.size());
}

} // namespace

void benchColors(Report &report, const BenchOptions &options)
{
    const std::string mapping = "colour map, 1000 x 1000 px";
    const std::string drawing = "colour map + draw, 1000 x 1000 px";
    if (!options.wants(mapping) && !options.wants(drawing))
        return;
    constexpr int side = 1000;
    std::mt19937 generator(3);
    std::normal_distribution<float> numbers(0.0f, 0.6f);
    std::vector<float> values(side * side);
    for (float &value : values)
        value = numbers(generator);
    const ColorMap map = ColorMap::byName(QStringLiteral("viridis"), ColorMap::Kind::Sequential, false);
    const CellColors colors(ValueRange{-1.0, 1.0, false}, map);
    QImage image(side, side, QImage::Format_RGB32);
    QImage window(side, side, QImage::Format_RGB32);
    const auto mapAll = [&] {
        for (int y = 0; y < side; ++y)
            colors.map(values.data() + static_cast<std::ptrdiff_t>(y) * side, side,
                       reinterpret_cast<QRgb *>(image.scanLine(y)));
    };
    const auto draw = [&] {
        QPainter painter(&window);
        painter.drawImage(0, 0, image);
    };
    const auto add = [&](const std::string &what, const Times &times, const QImage &shown) {
        Measurement m;
        m.what = what;
        m.n = side;
        m.isa = isaName();
        m.medianMs = times.medianMs;
        m.minMs = times.minMs;
        m.peakRssMib = peakRssMib();
        m.rate = side * side / times.minMs * 1e-6;
        m.rateUnit = "Gpx/s";
        std::vector<QRgb> drawn;
        for (int y = 0; y < side; ++y) {
            const auto *line = reinterpret_cast<const QRgb *>(shown.constScanLine(y));
            drawn.insert(drawn.end(), line, line + side);
        }
        m.error = colorError(colors, map, values, drawn);
        if (options.wants(what))
            report.add(m, 0.0);
    };
    add(mapping, timesOf(options.budgetMs, [&] { return millisecondsOf(mapAll); }), image);
    add(drawing,
        timesOf(options.budgetMs,
                [&] {
                    return millisecondsOf([&] {
                        mapAll();
                        draw();
                    });
                }),
        window);
}

void benchWindow(Report &report, const BenchOptions &options, long n)
{
    const std::string what =
        n == 4 ? "edit to repainted window, worked example" : "edit to frame, heads workspace";
    if (!options.wants(what))
        return;
    int argumentCount = 0;
    QApplication application(argumentCount, nullptr);
    WindowProbe probe;
    if (n == 4) {
        probe.open(QStringLiteral("example:computed"));
    } else {
        DocumentFileData data;
        data.experiment = layerOf(n, options);
        probe.window().files()->loadImported(std::move(data), QStringLiteral("benchmark"), {});
        probe.window().showWorkspace(QStringLiteral("heads"));
    }
    if (!probe.showAndWait())
        return report.fail(what, "no picture within a minute");
    Index row = 0;
    bool hasFailed = false;
    const Times times = timesOf(options.budgetMs, [&] {
        row = (row + 37) % n;
        return millisecondsOf([&] {
            const Edit edit = cellEdit(probe.bench().experiment(), Stage::X, row, 0);
            probe.expectPictureOf(probe.bench().document()->generation().next());
            probe.bench().apply(edit, QStringLiteral("Set a cell"));
            hasFailed = !probe.waitForPicture() || hasFailed;
        });
    });
    if (hasFailed)
        return report.fail(what, "no picture within a minute");
    probe.bench().compute()->waitUntilIdle();
    const Snapshot &snapshot = *probe.bench().snapshot();
    Measurement m = windowMeasurement(what, snapshot, options, times);
    m.error = errorOfRows(snapshot, 0, {0, n / 2, n - 1}, snapshot.experiment().isGiven(Stage::Wo));
    report.add(m, toleranceOf(snapshot.experiment().precision == Precision::Float64));
}

namespace {

/// Where a point is drawn that can be dragged; nothing when there is none of this name.
std::optional<QPointF> gripPlace(const SceneView &view, const QString &id)
{
    for (const SceneGrip &grip : view.scene()->grips)
        if (grip.id == id)
            return grip.pos;
    return std::nullopt;
}

} // namespace

void benchDrag(Report &report, const BenchOptions &options)
{
    const std::pair<const char *, const char *> drags[] = {{"vectors", "v:0"}, {"maps", "a:0"}};
    for (const auto &[page, grip] : drags) {
        const std::string what = std::string("drag to repainted window, lab ") + page;
        if (!options.wants(what))
            continue;
        int argumentCount = 0;
        QApplication application(argumentCount, nullptr);
        WindowProbe probe;
        probe.open(QStringLiteral("example:computed"));
        probe.window().showWorkspace(QStringLiteral("lab"));
        auto *lab = qobject_cast<LabView *>(probe.window().currentWorkspace());
        lab->showPage(QString::fromLatin1(page));
        if (!probe.showAndWait())
            return report.fail(what, "no picture within a minute");
        SceneView &view = *lab->view();
        const QString id = QString::fromLatin1(grip);
        const std::optional<QPointF> start = gripPlace(view, id);
        if (!start)
            return report.fail(what, "nothing to drag");
        GesturePhase phase = GesturePhase::Begin;
        QPointF pointer = *start;
        double turn = 0.0;
        double farthest = 0.0;
        bool hasFailed = false;
        const Times times = timesOf(options.budgetMs, [&] {
            turn += 0.1;
            pointer = *start + 30.0 * QPointF(std::cos(turn), std::sin(turn));
            const double taken = millisecondsOf([&] {
                probe.expectPictureOf(probe.bench().document()->generation());
                emit view.gripMoved(id, pointer, phase);
                hasFailed = !probe.waitForPicture() || hasFailed;
            });
            phase = GesturePhase::Update;
            const QPointF off = gripPlace(view, id).value_or(QPointF()) - pointer;
            farthest = std::max(farthest, std::hypot(off.x(), off.y()));
            return taken;
        });
        emit view.gripMoved(id, pointer, GesturePhase::End);
        if (hasFailed)
            return report.fail(what, "no picture within a minute");
        Measurement m = windowMeasurement(what, *probe.bench().snapshot(), options, times);
        m.error = farthest; // in units of the picture: the point is drawn where the pointer is
        report.add(m, 1.0);
    }
}

} // namespace attn::bench
