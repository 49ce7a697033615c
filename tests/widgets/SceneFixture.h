#pragma once

#include "render/Scene.h"

#include <limits>
#include <memory>
#include <vector>

namespace attn::test {

/// A plain matrix as stage values, row-major.
class MatrixValues : public StageValues
{
public:
    MatrixValues(Index rows, Index cols, std::vector<double> data, bool isSingle = false)
        : m_shape{1, rows, cols}
        , m_data(std::move(data))
        , m_isSingle(isSingle)
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return m_isSingle; }
    double value(Index, Index row, Index col) const override
    {
        return m_data[std::size_t(row * m_shape.cols + col)];
    }
    ValueStatistics statistics(Index) const override { return {0.0, 1.0, 0.0, m_shape.size(), 0, 0, 0}; }

private:
    Shape m_shape;
    std::vector<double> m_data;
    bool m_isSingle;
};

/// row + col / 10, so that every cell of a small matrix differs.
inline std::vector<double> countedCells(Index rows, Index cols)
{
    std::vector<double> data;
    for (Index row = 0; row < rows; ++row)
        for (Index col = 0; col < cols; ++col)
            data.push_back(double(row) + double(col) / 10.0);
    return data;
}

inline SceneMap matrixMap(Stage stage, const QString &name, const QRectF &rect, Index rows, Index cols)
{
    SceneMap map;
    map.key.stage = stage;
    map.name = name;
    map.values = std::make_shared<MatrixValues>(rows, cols, countedCells(rows, cols));
    map.rect = rect;
    map.range = {0.0, double(rows), false};
    map.colorMap = std::make_shared<ColorMap>(
        ColorMap::byName(QStringLiteral("viridis"), ColorMap::Kind::Sequential, false));
    return map;
}

/// X, 3x5 cells of 40x30 at (20, 20); A, head 1, 4x2, at (260, 20); Scores with an offset, read-only, 2x3, at
/// (20, 150); a map without cells; two controls at the bottom. 400 x 300.
inline std::shared_ptr<Scene> smallScene()
{
    auto scene = std::make_shared<Scene>();
    scene->size = {400.0, 300.0};
    scene->maps.push_back(matrixMap(Stage::X, QStringLiteral("X"), {20, 20, 200, 90}, 3, 5));
    scene->maps.back().rowLabels = {QStringLiteral("I"), QStringLiteral("love"), QStringLiteral("prog")};
    scene->maps.back().colLabels = {QStringLiteral("f1"), QStringLiteral("f2"), QStringLiteral("f3"),
                                    QStringLiteral("f4"), QStringLiteral("f5")};
    scene->maps.push_back(matrixMap(Stage::A, QStringLiteral("A, head 1"), {260, 20, 80, 120}, 4, 2));
    scene->maps.back().key.head = 1;
    scene->maps.push_back(matrixMap(Stage::Scores, QStringLiteral("scores"), {20, 150, 120, 60}, 2, 3));
    scene->maps.back().key.rowOffset = 2;
    scene->maps.back().key.colOffset = 1;
    scene->maps.back().readOnly = true;
    scene->maps.push_back(matrixMap(Stage::Bo, QStringLiteral("bo"), {200, 200, 10, 10}, 1, 0));
    SceneControl head;
    head.id = QStringLiteral("head:1");
    head.rect = {20, 250, 60, 24};
    head.text = QStringLiteral("Head 1");
    SceneControl mute;
    mute.id = QStringLiteral("mute:0");
    mute.rect = {100, 250, 60, 24};
    mute.text = QStringLiteral("M");
    mute.name = QStringLiteral("Mute love");
    mute.checkable = true;
    mute.checked = true;
    scene->controls = {head, mute};
    return scene;
}

} // namespace attn::test
