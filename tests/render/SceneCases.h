#pragma once

#include "engine/Evaluator.h"
#include "engine/Experiment.h"
#include "io/Json.h"
#include "io/StateJson.h"
#include "render/Scene.h"

#include <QFile>

#include <memory>
#include <random>

/// Snapshots and look-ups for the tests of scenes.
namespace attn::test {

inline SnapshotPtr snapshotOf(Experiment experiment)
{
    Evaluator evaluator;
    return evaluator.evaluate(std::make_shared<const Experiment>(std::move(experiment)), Generation{1});
}

/// The state of a golden file; an empty experiment when it can not be read.
inline Experiment goldenExperiment(const QString &name)
{
    QFile file(QStringLiteral(ATTN_TEST_DATA "/golden/%1.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const Result<JsonText> text = parseJson(file.readAll());
    if (!text)
        return {};
    Result<Experiment> experiment = experimentFromState(text.value().value["state"]);
    return experiment ? experiment.value() : Experiment{};
}

inline SnapshotPtr goldenSnapshot(const QString &name)
{
    return snapshotOf(goldenExperiment(name));
}

inline Tensor seededTensor(const Shape &shape, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0.0, 0.5);
    std::vector<double> data(static_cast<std::size_t>(shape.size()));
    for (double &value : data)
        value = normal(random);
    return Tensor::fromDoubles(shape, data);
}

/// Q, K, V given; tokens "t1", "t2" …
inline Experiment seededQkv(Index tokens, Index heads, Index headWidth)
{
    Experiment experiment;
    std::vector<std::string> labels;
    for (Index i = 0; i < tokens; ++i)
        labels.push_back("t" + std::to_string(i + 1));
    experiment.tokens = TokenList(labels);
    experiment.nHeads = heads;
    experiment.nKvHeads = heads;
    experiment.given[Stage::Q] = seededTensor({1, tokens, heads * headWidth}, 1);
    experiment.given[Stage::K] = seededTensor({1, tokens, heads * headWidth}, 2);
    experiment.given[Stage::V] = seededTensor({1, tokens, heads * headWidth}, 3);
    return experiment;
}

inline const SceneMap *findMap(const Scene &scene, Stage stage, Index head = 0,
                               MapKey::Role role = MapKey::Role::Stage)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.stage == stage && map.key.head == head && map.key.role == role)
            return &map;
    return nullptr;
}

inline const SceneMap *derivedMap(const Scene &scene, const QString &id)
{
    for (const SceneMap &map : scene.maps)
        if (map.key.role == MapKey::Role::Derived && map.key.id == id)
            return &map;
    return nullptr;
}

inline const SceneControl *findControl(const Scene &scene, const QString &id)
{
    for (const SceneControl &control : scene.controls)
        if (control.id == id)
            return &control;
    return nullptr;
}

inline bool hasText(const Scene &scene, const QString &part)
{
    for (const SceneText &text : scene.texts)
        if (text.text.contains(part))
            return true;
    return false;
}

/// What sticks out or lies on something else, in words; empty when all is well.
inline QString layoutFault(const Scene &scene)
{
    const QRectF all(QPointF(0.0, 0.0), scene.size);
    for (const SceneMap &map : scene.maps) {
        const QRectF whole = map.rect.adjusted(-map.rowLabelWidth, -map.colLabelHeight, 0.0, 0.0);
        if (!all.contains(whole))
            return QStringLiteral("map %1 sticks out").arg(map.name);
        if (!map.colorBar.isNull() && !all.contains(map.colorBar))
            return QStringLiteral("bar of %1 sticks out").arg(map.name);
        for (const SceneMap &other : scene.maps)
            if (&other != &map && other.rect.intersects(whole))
                return QStringLiteral("map %1 lies on %2").arg(map.name, other.name);
        for (const SceneControl &control : scene.controls)
            if (control.rect.intersects(whole))
                return QStringLiteral("control %1 lies on map %2").arg(control.id, map.name);
    }
    for (const SceneText &text : scene.texts) {
        if (!all.contains(text.rect))
            return QStringLiteral("text \"%1\" sticks out").arg(text.text);
        for (const SceneMap &map : scene.maps)
            if (text.rect.intersects(map.rect))
                return QStringLiteral("text \"%1\" lies on map %2").arg(text.text, map.name);
    }
    for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
        if (!all.contains(scene.boxes[i].rect))
            return QStringLiteral("box %1 sticks out").arg(i);
        for (std::size_t j = 0; j < i; ++j)
            if (scene.boxes[i].rect.intersects(scene.boxes[j].rect))
                return QStringLiteral("boxes %1 and %2 overlap").arg(j).arg(i);
    }
    return {};
}

} // namespace attn::test
