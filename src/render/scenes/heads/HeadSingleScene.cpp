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
    void addWeights(const SnapshotPtr &snapshot, const QString &id, const QString &title);
    void addRows(const Snapshot &other);
    QString headsTitle(Index heads) const;

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
    const Snapshot &document = m_page.snapshot();
    m_page.addHeading(
        QCoreApplication::translate("Scene", "Single head versus several"),
        QCoreApplication::translate(
            "Scene",
            "The same input and the same weights, cut into %1 and into %2 heads. One head has to put "
            "every relation into one A; several share the work, each with a narrower d_k, so that "
            "the divisor changes too.")
            .arg(m_options.heads)
            .arg(document.sizes().nHeads));
    const Result<RecutSnapshot> &other = *m_options.other;
    if (!other) {
        m_page.beginSection(headsTitle(m_options.heads));
        m_page.addParagraph(QCoreApplication::translate("Scene", "It cannot be cut into %1 heads: %2")
                                .arg(m_options.heads)
                                .arg(QString::fromStdString(other.error().message)),
                            SceneText::Style::Warning);
        m_page.endSection();
        addWeights(m_page.maps().snapshotPtr(), {},
                   QCoreApplication::translate("Scene", "The document: %1")
                       .arg(headsTitle(document.sizes().nHeads)));
        return m_page.finished();
    }
    const bool otherFirst = m_options.heads < document.sizes().nHeads;
    const auto addOther = [&] {
        addWeights(other->snapshot, QStringLiteral("other"),
                   QCoreApplication::translate("Scene", "Cut anew: %1").arg(headsTitle(m_options.heads)));
    };
    if (otherFirst)
        addOther();
    addWeights(
        m_page.maps().snapshotPtr(), {},
        QCoreApplication::translate("Scene", "The document: %1").arg(headsTitle(document.sizes().nHeads)));
    if (!otherFirst)
        addOther();
    addRows(*other->snapshot);
    return m_page.finished();
}

/// id: empty for the document itself, whose maps are those of its stage
void HeadSingleBuilder::addWeights(const SnapshotPtr &snapshot, const QString &id, const QString &title)
{
    const Sizes &sizes = snapshot->sizes();
    const StageState &A = snapshot->stage(Stage::A);
    m_page.beginSection(title);
    m_page.addLine(
        snapshot->experiment().scale
            ? QCoreApplication::translate("Scene", "d_k = %1 · scores are multiplied by %2")
                  .arg(sizes.dHeadK)
                  .arg(QString::fromStdString(significantText(sizes.scale, 6)))
            : QCoreApplication::translate("Scene", "d_k = %1 · scores are divided by √%1 = %2")
                  .arg(sizes.dHeadK)
                  .arg(QString::fromStdString(displayText(std::sqrt(static_cast<double>(sizes.dHeadK)), 3))));
    if (id.isEmpty() && A.pinnedCount > 0)
        m_page.addLine(QCoreApplication::translate(
                           "Scene", "A is set by hand here: it does not follow from these scores."),
                       SceneText::Style::Warning);
    if (!id.isEmpty())
        for (const std::string &note : (**m_options.other).notes)
            m_page.addParagraph(QString::fromStdString(note));
    if (!A.hasValues()) {
        m_page.addParagraph(QString::fromStdString(A.reason), SceneText::Style::Warning);
        m_page.endSection();
        return;
    }
    const QSizeF cells = headCells(A.values->rows(), A.values->cols(), {240.0, 200.0});
    const Index drawn = std::min(A.values->heads(), mostDrawnHeads);
    std::vector<LabelledMap> maps;
    for (Index head = 0; head < drawn; ++head) {
        const QString symbol =
            A.values->heads() == 1 ? QStringLiteral("A") : QStringLiteral("A_{%1}").arg(head + 1);
        if (id.isEmpty()) {
            maps.push_back(m_page.stage(Stage::A, head, cells, symbol));
        } else {
            maps.push_back(
                m_page.derived(QStringLiteral("%1:%2").arg(id).arg(head),
                               QCoreApplication::translate("Scene", "A cut anew, head %1").arg(head + 1),
                               A.values, cells, symbol, ColorMap::Kind::Sequential, Stage::A));
            maps.back().map.head = head;
            maps.back().map.range = automaticRange(A.values->statistics(-1), ColorMap::Kind::Sequential);
        }
        maps.back().note.clear();
        maps.back().map.emphasis.push_back(
            {m_options.row, m_options.row, 0, A.values->cols() - 1, MapEmphasis::Style::Soft});
        maps.back().withBar = head == 0;
    }
    m_page.addMaps(std::move(maps));
    if (drawn < A.values->heads())
        m_page.addLine(
            QCoreApplication::translate("Scene", "and %1 more heads").arg(A.values->heads() - drawn),
            SceneText::Style::Muted);
    m_page.endSection();
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
    QStringList names;
    const auto addRowsOf = [&](const StageValues &values, const QString &one, const QString &many) {
        std::vector<double> line(static_cast<std::size_t>(keys));
        for (Index head = 0; head < values.heads(); ++head) {
            values.readBlock(head, m_options.row, 0, 1, keys, line.data(), keys);
            numbers.insert(numbers.end(), line.begin(), line.end());
            names.append(values.heads() == 1 ? one : many.arg(head + 1));
        }
    };
    const QString single = QCoreApplication::translate("Scene", "one head");
    const QString several = QCoreApplication::translate("Scene", "head %1");
    const QString recut = QCoreApplication::translate("Scene", "anew, head %1");
    addRowsOf(*anew, single, recut);
    addRowsOf(*own, single, several);
    const auto rows = static_cast<Index>(names.size());
    const StageValuesPtr table = valuesOf(Tensor::fromDoubles({1, rows, keys}, numbers));
    LabelledMap map =
        m_page.derived(QStringLiteral("rows"), QCoreApplication::translate("Scene", "Rows of every head"),
                       table, {axisExtent(keys, 56.0, 720.0, 720.0), 26.0 * static_cast<double>(rows)},
                       QStringLiteral("A"), ColorMap::Kind::Sequential, Stage::A);
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
