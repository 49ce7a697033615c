#include "render/HeadPages.h"

#include "base/NumberText.h"
#include "engine/Comparison.h"
#include "engine/Derivation.h"
#include "engine/StageSlice.h"
#include "engine/heads/HeadCut.h"
#include "engine/heads/OutputPresets.h"
#include "render/scenes/CompareTable.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/heads/HeadDraft.h"
#include "render/scenes/heads/HeadProjections.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// More contributions than these are not drawn, but those of the heads around the focused one.
constexpr Index mostContributions = 12;

QString rootText(Index width)
{
    return QString::fromStdString(displayText(std::sqrt(static_cast<double>(width)), 3));
}

/// The columns of Q, K or V that a head reads; of A and head_out all.
LineRange comparedColumns(Stage stage, const HeadCut &cut, const StageValues &values)
{
    switch (stage) {
    case Stage::Q:
        return cut.query;
    case Stage::K:
        return cut.key;
    case Stage::V:
        return cut.value;
    default:
        return {0, values.cols()};
    }
}

bool canCompare(const HeadAloneCheck &check, Stage stage)
{
    return check.whole->stage(stage).hasValues() && check.alone->stage(stage).hasValues();
}

bool hasHeadAxis(Stage stage)
{
    return stageInfo(stage).heads != HeadAxis::None;
}

class HeadCutBuilder
{
public:
    HeadCutBuilder(const MapFactory &maps, const HeadCutOptions &options)
        : m_page(maps, options.width)
        , m_options(options)
        , m_sizes(maps.snapshot().sizes())
        , m_cut(headCut(m_sizes, options.head))
    {
    }

    Scene build();

private:
    void addWidths();
    void addGroups();
    void addProjections();
    void addOutput();
    void addOutputPresets();
    void addContributions();
    void addComparison();
    void addCompared(const HeadAloneCheck &check);
    void addByHand(const HeadAloneCheck &check);
    QString byHandText(const HeadByHand &byHand) const;
    QString number() const { return QString::number(m_cut.head + 1); }
    bool has(Stage stage) const { return m_page.maps().state(stage).hasValues(); }

    HeadDraft m_page;
    HeadCutOptions m_options;
    const Sizes &m_sizes;
    HeadCut m_cut;
};

Scene HeadCutBuilder::build()
{
    m_page.addHeading(
        QCoreApplication::translate("Scene", "The cut into heads: %1")
            .arg(headTitle(m_page.maps().experiment(), m_cut.head)),
        QCoreApplication::translate(
            "Scene", "Framed: what belongs to this head. The cut is made in the columns of Q, K and V, after "
                     "the projection: every input coordinate, a row of the weights, reaches every head."));
    m_page.addHeadButtons(m_cut.head);
    addWidths();
    addGroups();
    addProjections();
    addOutput();
    addComparison();
    return m_page.finished();
}

void HeadCutBuilder::addWidths()
{
    if (m_sizes.dHeadK == 0)
        return;
    m_page.addLine(QCoreApplication::translate("Scene", "d_k = %1 / %2 = %3 · scores are divided by √%3 = %4")
                       .arg(m_sizes.nHeads * m_sizes.dHeadK)
                       .arg(m_sizes.nHeads)
                       .arg(m_sizes.dHeadK)
                       .arg(rootText(m_sizes.dHeadK)));
    if (m_page.maps().experiment().scale)
        m_page.addLine(QCoreApplication::translate("Scene", "the document sets another factor: %1")
                           .arg(QString::fromStdString(significantText(m_sizes.scale, 6))),
                       SceneText::Style::Warning);
    m_page.moveTo(m_page.y() + 8.0);
}

void HeadCutBuilder::addGroups()
{
    if (m_sizes.nHeads == m_sizes.nKvHeads)
        return;
    QStringList sharing;
    for (const Index head : m_cut.sharing)
        sharing.append(QString::number(head + 1));
    m_page.beginSection(
        QCoreApplication::translate("Scene", "Which K and V each head reads"),
        QCoreApplication::translate("Scene", "%1 query heads share %2: head %3 reads KV head %4, together "
                                             "with all of heads %5.")
            .arg(m_sizes.nHeads)
            .arg(m_sizes.nKvHeads == 1 ? QCoreApplication::translate("Scene", "one KV head")
                                       : QCoreApplication::translate("Scene", "%n KV heads", nullptr,
                                                                     static_cast<int>(m_sizes.nKvHeads)))
            .arg(number())
            .arg(m_cut.kvHead + 1)
            .arg(sharing.join(QStringLiteral(", "))));
    SceneDraft &draft = m_page.draft();
    const double step = std::min(56.0, m_page.innerWidth() / static_cast<double>(m_sizes.nHeads));
    const double top = m_page.y();
    const auto centre = [&](Index place, Index count, double y) {
        const double share = (static_cast<double>(place) + 0.5) / static_cast<double>(count);
        return QPointF(m_page.left() + share * step * static_cast<double>(m_sizes.nHeads), y);
    };
    for (Index head = 0; head < m_sizes.nHeads; ++head) {
        const bool isFocused = head == m_cut.head;
        const QPointF from = centre(head, m_sizes.nHeads, top + 20.0);
        const Index kvHead = kvHeadOf(m_page.maps().experiment(), head);
        SceneLine line;
        line.points = QPolygonF({from, centre(kvHead, m_sizes.nKvHeads, top + 52.0)});
        line.emphasised = isFocused;
        draft.scene().lines.push_back(line);
        draft.addText({from.x() - 0.5 * step, top, step, 18.0}, QStringLiteral("Q_{%1}").arg(head + 1),
                      SceneText::Style::Formula, Qt::AlignCenter);
    }
    for (Index kvHead = 0; kvHead < m_sizes.nKvHeads; ++kvHead) {
        const QPointF at = centre(kvHead, m_sizes.nKvHeads, top + 54.0);
        draft.addText({at.x() - 40.0, at.y(), 80.0, 18.0}, QStringLiteral("K_{%1}, V_{%1}").arg(kvHead + 1),
                      SceneText::Style::Formula, Qt::AlignCenter);
    }
    m_page.moveTo(top + 76.0);
    m_page.endSection();
}

void HeadCutBuilder::addProjections()
{
    if (!has(Stage::Q) && !has(Stage::K) && !has(Stage::V))
        return;
    m_page.beginSection(QCoreApplication::translate("Scene", "Columns of the weights, and of Q, K and V"));
    addHeadProjections(m_page, m_cut);
    m_page.endSection();
}

void HeadCutBuilder::addOutput()
{
    if (!has(Stage::Concat))
        return;
    m_page.beginSection(
        QCoreApplication::translate("Scene", "Side by side, then mixed"),
        QCoreApplication::translate(
            "Scene", "concat keeps the heads apart, each in columns of its own. W^O mixes them: each head "
                     "meets its own block of rows, and the products add up to the output."));
    const auto cellsOf = [this](Stage stage) {
        const StageValues &values = *m_page.maps().state(stage).values;
        return headCells(values.rows(), values.cols());
    };
    std::vector<LabelledMap> maps;
    maps.push_back(m_page.stage(Stage::Concat, 0, cellsOf(Stage::Concat), stageSymbol(Stage::Concat)));
    frameColumns(maps.back().map, m_cut.output);
    if (has(Stage::Wo)) {
        maps.push_back(m_page.stage(Stage::Wo, 0, cellsOf(Stage::Wo), stageSymbol(Stage::Wo)));
        frameRows(maps.back().map, m_cut.output);
    }
    if (has(Stage::Output))
        maps.push_back(m_page.stage(Stage::Output, 0, cellsOf(Stage::Output), stageSymbol(Stage::Output)));
    m_page.addMaps(std::move(maps));
    if (!has(Stage::Wo))
        m_page.addParagraph(QCoreApplication::translate(
            "Scene", "There is no W^O here: the output is concat, and the heads stay apart."));
    addOutputPresets();
    if (has(Stage::HeadContribution))
        addContributions();
    m_page.endSection();
}

/// What W^O does is best seen with some that do little.
void HeadCutBuilder::addOutputPresets()
{
    const StageValuesPtr &concat = m_page.maps().state(Stage::Concat).values;
    const StageValuesPtr &output = m_page.maps().state(Stage::Output).values;
    if (output && concat->shape() == output->shape())
        m_page.addLine(QCoreApplication::translate("Scene", "Output and concat: largest difference %1")
                           .arg(differenceText(compareStage(Stage::Output, output, concat, 1).largest)),
                       SceneText::Style::Muted);
    const bool isPossible = outputPresetEdit(m_page.maps().experiment(), OutputPreset::Identity).ok();
    m_page.addButtons(
        {},
        {{QStringLiteral("output:identity"), QCoreApplication::translate("Scene", "Make W^O the identity"),
          QCoreApplication::translate("Scene", "The heads then stay apart"), false, false, isPossible},
         {QStringLiteral("output:swap"), QCoreApplication::translate("Scene", "Let W^O swap the heads"),
          QCoreApplication::translate("Scene", "The heads then change places"), false, false, isPossible},
         {QStringLiteral("output:mixing"), QCoreApplication::translate("Scene", "Let W^O average the heads"),
          QCoreApplication::translate("Scene", "Every head's place then gets the mean of all heads"), false,
          false, isPossible}});
}

void HeadCutBuilder::addContributions()
{
    const StageValues &values = *m_page.maps().state(Stage::HeadContribution).values;
    const Index shown = std::min(values.heads(), mostContributions);
    const Index first =
        std::clamp<Index>(m_cut.head - shown / 2, 0, std::max<Index>(values.heads() - shown, 0));
    m_page.addLine(shown == values.heads()
                       ? QCoreApplication::translate("Scene", "What each head adds to the output")
                       : QCoreApplication::translate("Scene", "What heads %1 to %2 of %3 add to the output")
                             .arg(first + 1)
                             .arg(first + shown)
                             .arg(values.heads()));
    std::vector<LabelledMap> maps;
    const QSizeF cells = headCells(values.rows(), values.cols(), {264.0, 160.0});
    for (Index head = first; head < first + shown; ++head) {
        maps.push_back(m_page.stage(Stage::HeadContribution, head, cells,
                                    QStringLiteral("A_{%1}V_{%2}W^{O}_{%1}")
                                        .arg(head + 1)
                                        .arg(kvHeadOf(m_page.maps().experiment(), head) + 1),
                                    head == first));
        maps.back().note = head == m_cut.head ? QCoreApplication::translate("Scene", "this head") : QString();
        maps.back().withBar = head == first;
        maps.back().map.rangeNote.clear();
    }
    m_page.addMaps(std::move(maps));
}

void HeadCutBuilder::addComparison()
{
    m_page.beginSection(
        QCoreApplication::translate("Scene", "One big matrix does the work of %1 small ones")
            .arg(m_sizes.nHeads),
        QCoreApplication::translate(
            "Scene",
            "Head %1 computed once more by itself, from its own columns of W^Q, W^K, W^V and its own "
            "rows of W^O, beside its part of the one big pass.")
            .arg(number()));
    if (!m_options.check) {
        m_page.addLine(QCoreApplication::translate("Scene", "still computing"), SceneText::Style::Muted);
    } else if (!m_options.check->ok()) {
        m_page.addParagraph(QCoreApplication::translate("Scene", "Not compared: %1")
                                .arg(QString::fromStdString(m_options.check->error().message)),
                            SceneText::Style::Warning);
    } else {
        addCompared(**m_options.check);
    }
    m_page.endSection();
}

/// A number set by hand proves nothing of how it would be computed.
void HeadCutBuilder::addByHand(const HeadAloneCheck &check)
{
    if (m_page.maps().experiment().pins.empty())
        return;
    m_page.addParagraph(QCoreApplication::translate(
        "Scene",
        "Both are computed here without what is set by hand, which stands elsewhere in the window."));
    for (const HeadByHand &byHand : check.byHand)
        m_page.addParagraph(byHandText(byHand),
                            byHand.different > 0 ? SceneText::Style::Warning : SceneText::Style::Muted);
}

QString HeadCutBuilder::byHandText(const HeadByHand &byHand) const
{
    const QString name = QString::fromLatin1(stageName(byHand.stage));
    const auto cells = static_cast<int>(byHand.cells);
    if (!byHand.isComputed)
        return QCoreApplication::translate("Scene",
                                           "%1: %n set by hand; there is nothing to compute it from.",
                                           "a stage and how many of its numbers", cells)
            .arg(name);
    if (byHand.different == 0)
        return QCoreApplication::translate("Scene",
                                           "%1: %n set by hand, equal to what is computed within rounding.",
                                           "a stage and how many of its numbers", cells)
            .arg(name);
    const Experiment &experiment = m_page.maps().experiment();
    const auto number = [](double value) {
        return QString::fromStdString(displayText(value, 4));
    };
    return QCoreApplication::translate("Scene",
                                       "%1: %n set by hand, of which %2 differ from what is computed, most "
                                       "%3: %4 by hand, %5 computed.",
                                       "a stage and how many of its numbers", cells)
        .arg(name, QString::number(byHand.different),
             QString::fromStdString(cellName(experiment, byHand.stage, byHand.farthest.cell)),
             number(byHand.farthest.a), number(byHand.farthest.b));
}

void HeadCutBuilder::addCompared(const HeadAloneCheck &check)
{
    addByHand(check);
    const bool areEqual =
        std::ranges::all_of(check.parts, [](const StageComparison &part) { return part.different == 0; });
    m_page.addLine(
        areEqual ? QCoreApplication::translate("Scene", "Every number is the same, bit for bit.")
                 : QCoreApplication::translate("Scene", "The sums are added in another order: rounding."));
    QStringList gaps;
    for (const StageComparison &part : check.parts)
        gaps.append(QCoreApplication::translate("Scene", "%1 %2", "a stage and a difference")
                        .arg(QString::fromLatin1(stageName(part.stage)), differenceText(part.largest)));
    m_page.addParagraph(
        QCoreApplication::translate("Scene", "Largest difference: %1").arg(gaps.join(QStringLiteral(" · "))));
    std::vector<HeadDraft::Button> buttons;
    for (const Stage stage : {Stage::Q, Stage::K, Stage::V, Stage::A, Stage::HeadOut}) {
        const QString name = QString::fromLatin1(stageName(stage));
        if (canCompare(check, stage))
            buttons.push_back({QStringLiteral("compare:%1").arg(name), name,
                               QCoreApplication::translate("Scene", "Show %1 cell by cell").arg(name),
                               stage == m_options.compared, true, true});
    }
    m_page.moveTo(m_page.y() + 4.0);
    m_page.addButtons(QCoreApplication::translate("Scene", "Cell by cell: %1")
                          .arg(QString::fromLatin1(stageName(m_options.compared))),
                      buttons);
    const Stage stage = m_options.compared;
    if (!canCompare(check, stage))
        return;
    const StageValuesPtr big = check.whole->stage(stage).values;
    const StageValuesPtr small = check.alone->stage(stage).values;
    const LineRange cols = comparedColumns(stage, m_cut, *big);
    const Index head = hasHeadAxis(stage) ? m_cut.head : 0;
    const StageValuesPtr part = sliceOf(big, head, 0, cols.first, big->rows(), cols.count);
    const StageValuesPtr difference = differenceOf(part, small);
    const QSizeF cells = headCells(small->rows(), small->cols());
    const ColorMap::Kind kind = defaultKind(stage);
    const QString name = QString::fromLatin1(stageName(stage));
    const auto make = [&](const char *id, const QString &title, const StageValuesPtr &values,
                          ColorMap::Kind colors) {
        return m_page.derived(QLatin1String(id), title, values, cells, title, colors, stage);
    };
    std::vector<LabelledMap> maps;
    maps.push_back(
        make("big", QCoreApplication::translate("Scene", "%1 of the big pass").arg(name), part, kind));
    markMasked(maps.back().map, m_page.snapshot(), stage, head);
    maps.push_back(
        make("small", QCoreApplication::translate("Scene", "%1 of the head alone").arg(name), small, kind));
    markMasked(maps.back().map, *check.alone, stage, 0);
    maps.push_back(make("difference", QCoreApplication::translate("Scene", "difference"), difference,
                        ColorMap::Kind::Diverging));
    m_page.addMaps(std::move(maps));
}

} // namespace

Scene headCutScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const HeadCutOptions &options)
{
    const Sizes &sizes = snapshot->sizes();
    if (!snapshot->problem().empty() || sizes.nHeads < 1 || sizes.nHeads % sizes.nKvHeads != 0)
        return messageScene(QCoreApplication::translate("Scene", "Heads"),
                            QString::fromStdString(snapshot->problem()));
    if (sizes.dHeadV == 0)
        return unavailableScene(*snapshot, Stage::HeadOut);
    const MapFactory maps(snapshot, display);
    HeadCutOptions inside = options;
    inside.head = std::clamp<Index>(options.head, 0, sizes.nHeads - 1);
    if (!inside.check)
        inside.check = std::make_shared<const Result<HeadAloneCheck>>(checkHeadAlone(snapshot, inside.head));
    return HeadCutBuilder(maps, inside).build();
}

} // namespace attn
