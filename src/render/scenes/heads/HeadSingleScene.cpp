#include "render/HeadPages.h"

#include "base/NumberText.h"
#include "engine/Derivation.h"
#include "render/LabelText.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/heads/HeadDraft.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// Wider rows are not listed as numbers.
constexpr Index mostListedKeys = 64;
constexpr Index mostDrawnHeads = 32;

class HeadSingleBuilder
{
public:
    HeadSingleBuilder(const MapFactory &maps, const HeadSingleOptions &options)
        : m_page(maps, options.width)
        , m_options(options)
    {
    }

    Scene build();

private:
    void addWidths(const Snapshot *other);
    void addWidth(const Snapshot &snapshot);
    void addWeights(const SnapshotPtr &other);
    void addDocumentMaps(std::vector<LabelledMap> &maps) const;
    void addOtherMaps(std::vector<LabelledMap> &maps, const Snapshot &other) const;
    LabelledMap finishedMap(LabelledMap map, const QString &note, bool withBar) const;
    void addRows(const Snapshot &other);
    QString headsTitle(Index heads) const;
    const StageValuesPtr &weights() const { return m_page.maps().state(Stage::A).values; }
    /// Fewer heads stand first.
    bool isOtherFirst() const { return m_options.heads < m_page.maps().experiment().nHeads; }
    QSizeF cells() const { return headCells(weights()->rows(), weights()->cols(), {240.0, 200.0}); }

    HeadDraft m_page;
    HeadSingleOptions m_options;
};

QString HeadSingleBuilder::headsTitle(Index heads) const
{
    return heads == 1 ? QCoreApplication::translate("Scene", "One head")
                      : QCoreApplication::translate("Scene", "%n heads", nullptr, static_cast<int>(heads));
}

Scene HeadSingleBuilder::build()
{
    m_page.addHeading(
        QCoreApplication::translate("Scene", "Single head versus several"),
        QCoreApplication::translate(
            "Scene",
            "The same input and the same weights, once with %1 and once with %2. One head has to put "
            "every relation into one A; several share the work, each with a narrower d_k, so that "
            "the divisor changes too.")
            .arg(headsTitle(m_options.heads).toLower(),
                 headsTitle(m_page.maps().experiment().nHeads).toLower()));
    const Result<RecutSnapshot> &other = *m_options.other;
    addWidths(other ? other->snapshot.get() : nullptr);
    addWeights(other ? other->snapshot : nullptr);
    if (other)
        addRows(*other->snapshot);
    return m_page.finished();
}

/// other: null = it cannot be cut so
void HeadSingleBuilder::addWidths(const Snapshot *other)
{
    const StageState &A = m_page.maps().state(Stage::A);
    m_page.beginSection(QCoreApplication::translate("Scene", "Width of a head, and the divisor"));
    if (other && isOtherFirst())
        addWidth(*other);
    addWidth(m_page.snapshot());
    if (other && !isOtherFirst())
        addWidth(*other);
    if (!other)
        m_page.addParagraph(QCoreApplication::translate("Scene", "It cannot be cut into %1: %2")
                                .arg(headsTitle(m_options.heads).toLower(),
                                     QString::fromStdString(m_options.other->error().message)),
                            SceneText::Style::Warning);
    else
        for (const std::string &note : (**m_options.other).notes)
            m_page.addParagraph(QString::fromStdString(note));
    if (A.pinnedCount > 0)
        m_page.addParagraph(
            QCoreApplication::translate(
                "Scene", "A of the document is set by hand: it does not follow from its scores."),
            SceneText::Style::Warning);
    m_page.endSection();
}

void HeadSingleBuilder::addWidth(const Snapshot &snapshot)
{
    const Sizes &sizes = snapshot.sizes();
    const QString title = headsTitle(sizes.nHeads);
    if (snapshot.experiment().scale)
        m_page.addLine(QCoreApplication::translate("Scene", "%1: d_k = %2 · scores are multiplied by %3")
                           .arg(title)
                           .arg(sizes.dHeadK)
                           .arg(QString::fromStdString(significantText(sizes.scale, 6))));
    else
        m_page.addLine(
            QCoreApplication::translate("Scene", "%1: d_k = %2 · scores are divided by √%2 = %3")
                .arg(title)
                .arg(sizes.dHeadK)
                .arg(QString::fromStdString(displayText(std::sqrt(static_cast<double>(sizes.dHeadK)), 3))));
}

void HeadSingleBuilder::addWeights(const SnapshotPtr &other)
{
    const StageValuesPtr anew = other ? other->stage(Stage::A).values : nullptr;
    m_page.beginSection(QCoreApplication::translate("Scene", "A of one beside A of the others"));
    std::vector<LabelledMap> maps;
    if (anew && isOtherFirst())
        addOtherMaps(maps, *other);
    addDocumentMaps(maps);
    if (anew && !isOtherFirst())
        addOtherMaps(maps, *other);
    m_page.addMaps(std::move(maps));
    const Index left = std::max(weights()->heads() - mostDrawnHeads, Index(0)) +
                       std::max((anew ? anew->heads() : 0) - mostDrawnHeads, Index(0));
    if (left > 0)
        m_page.addLine(left == 1 ? QCoreApplication::translate("Scene", "and one more head")
                                 : QCoreApplication::translate("Scene", "and %1 more heads").arg(left),
                       SceneText::Style::Muted);
    m_page.endSection();
}

LabelledMap HeadSingleBuilder::finishedMap(LabelledMap map, const QString &note, bool withBar) const
{
    map.note = note;
    map.withBar = withBar;
    map.map.emphasis.push_back(
        {m_options.row, m_options.row, 0, weights()->cols() - 1, MapEmphasis::Style::Soft});
    return map;
}

void HeadSingleBuilder::addDocumentMaps(std::vector<LabelledMap> &maps) const
{
    const Index heads = weights()->heads();
    for (Index head = 0; head < std::min(heads, mostDrawnHeads); ++head) {
        const QString note =
            heads == 1 ? QCoreApplication::translate("Scene", "one head")
                       : QCoreApplication::translate("Scene", "head %1 of %2").arg(head + 1).arg(heads);
        const QString symbol = heads == 1 ? QStringLiteral("A") : QStringLiteral("A_{%1}").arg(head + 1);
        maps.push_back(finishedMap(m_page.stage(Stage::A, head, cells(), symbol), note, head == 0));
    }
}

void HeadSingleBuilder::addOtherMaps(std::vector<LabelledMap> &maps, const Snapshot &other) const
{
    const StageValuesPtr &A = other.stage(Stage::A).values;
    const ValueRange range = automaticRange(A->statistics(-1), ColorMap::Kind::Sequential);
    for (Index head = 0; head < std::min(A->heads(), mostDrawnHeads); ++head) {
        const QString note = A->heads() == 1 ? QCoreApplication::translate("Scene", "one head, cut anew")
                                             : QCoreApplication::translate("Scene", "head %1 of %2, cut anew")
                                                   .arg(head + 1)
                                                   .arg(A->heads());
        const QString symbol = A->heads() == 1 ? QStringLiteral("A") : QStringLiteral("A_{%1}").arg(head + 1);
        LabelledMap map =
            m_page.derived(QStringLiteral("other:%1").arg(head),
                           QCoreApplication::translate("Scene", "A cut anew, head %1").arg(head + 1), A,
                           cells(), symbol, ColorMap::Kind::Sequential, Stage::A);
        map.map.head = head;
        map.map.range = range;
        markMasked(map.map, other, Stage::A, head);
        maps.push_back(finishedMap(std::move(map), note, head == 0));
    }
}

/// The chosen row of every head, one below the other.
void HeadSingleBuilder::addRows(const Snapshot &other)
{
    const StageValuesPtr &own = m_page.snapshot().stage(Stage::A).values;
    const StageValuesPtr &anew = other.stage(Stage::A).values;
    if (!own || !anew || own->rows() != anew->rows() || own->cols() != anew->cols())
        return;
    const QString query = visibleLabel(
        QString::fromStdString(rowLabel(m_page.snapshot().experiment(), Stage::A, m_options.row)));
    m_page.beginSection(QCoreApplication::translate("Scene", "The row of “%1” in every head").arg(query));
    const Index keys = own->cols();
    if (keys > mostListedKeys) {
        m_page.addParagraph(
            QCoreApplication::translate("Scene", "A row has %1 weights here: too many to list as numbers.")
                .arg(keys));
        m_page.endSection();
        return;
    }
    std::vector<double> numbers;
    std::vector<double> allowed;
    QStringList names;
    const auto addRowsOf = [&](const Snapshot &snapshot, const QString &one, const QString &many) {
        const StageValues &values = *snapshot.stage(Stage::A).values;
        std::vector<double> line(static_cast<std::size_t>(keys));
        for (Index head = 0; head < values.heads(); ++head) {
            values.readBlock(head, m_options.row, 0, 1, keys, line.data(), keys);
            numbers.insert(numbers.end(), line.begin(), line.end());
            names.append(values.heads() == 1 ? one : many.arg(head + 1));
            SceneMap weights;
            weights.values = snapshot.stage(Stage::A).values;
            markMasked(weights, snapshot, Stage::A, head);
            std::fill(line.begin(), line.end(), 1.0);
            if (weights.allowed)
                weights.allowed->readBlock(weights.allowedHead, m_options.row, 0, 1, keys, line.data(), keys);
            allowed.insert(allowed.end(), line.begin(), line.end());
        }
    };
    const QString single = QCoreApplication::translate("Scene", "one head");
    const QString several = QCoreApplication::translate("Scene", "head %1");
    const QString recut = QCoreApplication::translate("Scene", "anew, head %1");
    addRowsOf(other, single, recut);
    addRowsOf(m_page.snapshot(), single, several);
    const auto rows = static_cast<Index>(names.size());
    const StageValuesPtr table = valuesOf(Tensor::fromDoubles({1, rows, keys}, numbers));
    LabelledMap map =
        m_page.derived(QStringLiteral("rows"), QCoreApplication::translate("Scene", "Rows of every head"),
                       table, {axisExtent(keys, 56.0, 720.0, 720.0), 26.0 * static_cast<double>(rows)},
                       QStringLiteral("A"), ColorMap::Kind::Sequential, Stage::A);
    map.map.allowed = valuesOf(Tensor::fromDoubles({1, rows, keys}, allowed));
    map.map.rowLabels = names;
    map.map.rowLabelWidth = 112.0;
    map.note.clear();
    m_page.addMaps({std::move(map)});
    m_page.endSection();
}

} // namespace

Index otherHeadCount(const Experiment &experiment)
{
    if (experiment.nHeads > 1)
        return 1;
    for (const Index heads : possibleHeadCounts(experiment))
        if (heads > 1)
            return heads;
    return 1;
}

Scene headSingleScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                      const HeadSingleOptions &options)
{
    const StageState &A = snapshot->stage(Stage::A);
    if (!A.hasValues())
        return unavailableScene(*snapshot, Stage::A);
    const MapFactory maps(snapshot, display);
    HeadSingleOptions inside = options;
    inside.row = std::clamp<Index>(options.row, 0, std::max<Index>(A.values->rows(), 1) - 1);
    if (!inside.other)
        inside.other = std::make_shared<const Result<RecutSnapshot>>(
            evaluatedWithHeadCount(snapshot->experiment(), inside.heads));
    return HeadSingleBuilder(maps, inside).build();
}

} // namespace attn
