#include "render/HeadPages.h"

#include "render/scenes/CompareTable.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"
#include "render/scenes/heads/HeadDraft.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace attn {

namespace {

QString mixTitle(HeadMix mix)
{
    switch (mix) {
    case HeadMix::Max:
        return QCoreApplication::translate("Scene", "largest weight of the heads");
    case HeadMix::Sum:
        return QCoreApplication::translate("Scene", "sum of the weights");
    case HeadMix::Mean:
        break;
    }
    return QCoreApplication::translate("Scene", "mean of the weights");
}

class HeadCombineBuilder
{
public:
    HeadCombineBuilder(const MapFactory &maps, const HeadCombineOptions &options)
        : m_page(maps, options.width)
        , m_options(options)
    {
    }

    Scene build();

private:
    void addChoices();
    void addWeights();
    void addOutput();
    QString chosenNames() const;
    bool isChosen(Index head) const { return std::ranges::binary_search(m_options.heads, head); }

    HeadDraft m_page;
    HeadCombineOptions m_options;
};

QString HeadCombineBuilder::chosenNames() const
{
    if (static_cast<Index>(m_options.heads.size()) == m_page.maps().experiment().nHeads)
        return QCoreApplication::translate("Scene", "all heads");
    QStringList names;
    for (const Index head : m_options.heads)
        names.append(QString::number(head + 1));
    return QCoreApplication::translate("Scene", "heads %1").arg(names.join(QStringLiteral(", ")));
}

Scene HeadCombineBuilder::build()
{
    m_page.addHeading(
        QCoreApplication::translate("Scene", "Several heads in one picture"),
        QCoreApplication::translate(
            "Scene",
            "The weights of several heads can be looked at together, but no output follows from the "
            "picture: each head mixes values of its own. What does add up is what they contribute."));
    addChoices();
    addWeights();
    addOutput();
    return m_page.finished();
}

void HeadCombineBuilder::addChoices()
{
    std::vector<HeadDraft::Button> heads;
    for (Index head = 0; head < m_page.maps().experiment().nHeads; ++head)
        heads.push_back({QStringLiteral("mix:%1").arg(head), QString::number(head + 1),
                         QCoreApplication::translate("Scene", "Take head %1 in").arg(head + 1),
                         isChosen(head), true, true});
    heads.push_back({QStringLiteral("mix:all"), QCoreApplication::translate("Scene", "All"),
                     QCoreApplication::translate("Scene", "Take all heads in"), false, false, true});
    heads.push_back({QStringLiteral("mix:none"), QCoreApplication::translate("Scene", "None"),
                     QCoreApplication::translate("Scene", "Leave all heads out"), false, false, true});
    m_page.addButtons(
        QCoreApplication::translate("Scene", "Taken in: %1")
            .arg(m_options.heads.empty() ? QCoreApplication::translate("Scene", "no head") : chosenNames()),
        heads);
    m_page.addButtons(QCoreApplication::translate("Scene", "Weights: %1").arg(mixTitle(m_options.mix)),
                      {{QStringLiteral("how:mean"), QCoreApplication::translate("Scene", "Mean"),
                        mixTitle(HeadMix::Mean), m_options.mix == HeadMix::Mean, true, true},
                       {QStringLiteral("how:max"), QCoreApplication::translate("Scene", "Largest"),
                        mixTitle(HeadMix::Max), m_options.mix == HeadMix::Max, true, true},
                       {QStringLiteral("how:sum"), QCoreApplication::translate("Scene", "Sum"),
                        mixTitle(HeadMix::Sum), m_options.mix == HeadMix::Sum, true, true}});
    m_page.moveTo(m_page.y() + 4.0);
}

void HeadCombineBuilder::addWeights()
{
    m_page.beginSection(QCoreApplication::translate("Scene", "Where they look"));
    if (m_options.heads.empty()) {
        m_page.addParagraph(QCoreApplication::translate("Scene", "No head is chosen."));
        m_page.endSection();
        return;
    }
    const StageValuesPtr mixed = mixedWeights(m_page.maps().snapshotPtr(), m_options.heads, m_options.mix);
    m_page.addLine(
        QCoreApplication::translate("Scene", "%1, %2").arg(chosenNames(), mixTitle(m_options.mix)));
    const QSizeF cells = headCells(mixed->rows(), mixed->cols(), {360.0, 300.0});
    LabelledMap map = m_page.derived(QStringLiteral("mixed"), mixTitle(m_options.mix), mixed, cells,
                                     QStringLiteral("A"), ColorMap::Kind::Sequential, Stage::A);
    markMasked(map.map, m_page.snapshot(), Stage::A, 0);
    if (map.map.allowed) {
        map.map.allowed = allowedInSome(m_page.maps().snapshotPtr(), m_options.heads);
        map.map.allowedHead = 0;
    }
    m_page.addMaps({std::move(map)});
    m_page.endSection();
}

void HeadCombineBuilder::addOutput()
{
    m_page.beginSection(QCoreApplication::translate("Scene", "What they add to the output"));
    if (!*m_options.sum) {
        m_page.addParagraph(QString::fromStdString(m_options.sum->error().message),
                            SceneText::Style::Warning);
        m_page.endSection();
        return;
    }
    const HeadSum &sum = **m_options.sum;
    m_page.addLine(
        QCoreApplication::translate("Scene", "length (Frobenius): chosen %1 · rest %2 · output %3")
            .arg(figureText(sum.chosenNorm, 3), figureText(sum.restNorm, 3), figureText(sum.outputNorm, 3)));
    m_page.addLine(
        m_page.maps().state(Stage::Bo).hasValues()
            ? QCoreApplication::translate("Scene",
                                          "All heads and b^O add up to the output; largest difference %1")
                  .arg(differenceText(sum.gap))
            : QCoreApplication::translate("Scene", "All heads add up to the output; largest difference %1")
                  .arg(differenceText(sum.gap)),
        SceneText::Style::Muted);
    const QSizeF cells = headCells(sum.chosen->rows(), sum.chosen->cols(), {320.0, 260.0});
    const auto make = [&](const char *id, const QString &name, const StageValuesPtr &values) {
        LabelledMap map = m_page.derived(QLatin1String(id), name, values, cells, name,
                                         ColorMap::Kind::Diverging, Stage::Output);
        map.map.range = m_page.maps().range(Stage::Output, 0);
        map.map.range = SceneDraft::united(map.map.range,
                                           automaticRange(values->statistics(0), ColorMap::Kind::Diverging));
        return map;
    };
    std::vector<LabelledMap> maps;
    maps.push_back(make(
        "chosen", m_options.heads.empty() ? QCoreApplication::translate("Scene", "no head") : chosenNames(),
        sum.chosen));
    maps.push_back(make("rest", QCoreApplication::translate("Scene", "the rest"), sum.rest));
    maps.push_back(m_page.stage(Stage::Output, 0, cells, stageSymbol(Stage::Output)));
    ValueRange shared;
    shared.isEmpty = true;
    for (const LabelledMap &map : maps)
        shared = SceneDraft::united(shared, map.map.range);
    for (LabelledMap &map : maps)
        map.map.range = shared;
    m_page.addMaps(std::move(maps));
    m_page.addParagraph(QCoreApplication::translate(
        "Scene",
        "The rest is the output less what the chosen heads add: the other heads, b^O, and numbers of "
        "concat or output that are set by hand."));
    m_page.endSection();
}

} // namespace

Scene headCombineScene(const SnapshotPtr &snapshot, const DisplayOptions &display,
                       const HeadCombineOptions &options)
{
    const StageState &A = snapshot->stage(Stage::A);
    if (!A.hasValues())
        return unavailableScene(*snapshot, Stage::A);
    const MapFactory maps(snapshot, display);
    HeadCombineOptions inside = options;
    std::erase_if(inside.heads, [&](Index head) { return head < 0 || head >= A.values->heads(); });
    std::ranges::sort(inside.heads);
    if (!inside.sum)
        inside.sum = std::make_shared<const Result<HeadSum>>(headSum(snapshot, inside.heads));
    return HeadCombineBuilder(maps, inside).build();
}

} // namespace attn
