#pragma once

#include "render/Scene.h"

#include <QImage>
#include <QPainter>

#include <functional>
#include <vector>

namespace attn::test {

/// Values given by a function, which counts how they are read.
class CountingValues final : public StageValues
{
public:
    CountingValues(Shape shape, std::function<double(Index, Index, Index)> value)
        : m_shape(shape)
        , m_value(std::move(value))
    {
    }

    Shape shape() const override { return m_shape; }
    bool isSinglePrecision() const override { return false; }
    double value(Index head, Index row, Index col) const override
    {
        ++singleReads;
        return m_value(head, row, col);
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, float *out,
                   Index stride) const override
    {
        count(row, col, rowCount, colCount);
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] = static_cast<float>(m_value(head, row + r, col + c));
    }
    void readBlock(Index head, Index row, Index col, Index rowCount, Index colCount, double *out,
                   Index stride) const override
    {
        count(row, col, rowCount, colCount);
        for (Index r = 0; r < rowCount; ++r)
            for (Index c = 0; c < colCount; ++c)
                out[r * stride + c] = m_value(head, row + r, col + c);
    }
    void readPooled(Index head, Index row, Index col, Index pool, Index rowCount, Index colCount,
                    Pooling pooling, float *out, Index stride) const override
    {
        ++pooledReads;
        lastPool = pool;
        const Index before = cellsRead;
        StageValues::readPooled(head, row, col, pool, rowCount, colCount, pooling, out, stride);
        cellsRead = before + rowCount * colCount * pool * pool;
    }
    ValueStatistics statistics(Index) const override { return fixedStatistics; }

    ValueStatistics fixedStatistics{0.0, 1.0, 0.0, 1};
    mutable int blockReads = 0;
    mutable int pooledReads = 0;
    mutable int singleReads = 0;
    mutable Index cellsRead = 0;
    mutable Index lastPool = 0;

private:
    void count(Index row, Index col, Index rowCount, Index colCount) const
    {
        ++blockReads;
        cellsRead += rowCount * colCount;
        if (row < 0 || col < 0 || row + rowCount > m_shape.rows || col + colCount > m_shape.cols)
            qFatal("read outside the matrix");
    }

    Shape m_shape;
    std::function<double(Index, Index, Index)> m_value;
};

inline std::shared_ptr<const ColorMap> colorMap(ColorMap::Kind kind, bool dark = false)
{
    return std::make_shared<const ColorMap>(ColorMap::byName({}, kind, dark));
}

inline SceneMap mapOf(StageValuesPtr values, const QRectF &rect, const ValueRange &range,
                      ColorMap::Kind kind = ColorMap::Kind::Sequential)
{
    SceneMap map;
    map.values = std::move(values);
    map.rect = rect;
    map.range = range;
    map.colorMap = colorMap(kind);
    return map;
}

inline SceneMap mapOf(const std::vector<std::vector<double>> &table, const QRectF &rect,
                      ColorMap::Kind kind = ColorMap::Kind::Sequential)
{
    std::vector<double> flat;
    for (const auto &row : table)
        flat.insert(flat.end(), row.begin(), row.end());
    const Shape shape{1, static_cast<Index>(table.size()), static_cast<Index>(table.front().size())};
    const StageValuesPtr values = valuesOf(Tensor::fromDoubles(shape, flat));
    return mapOf(values, rect, automaticRange(values->statistics(0), kind), kind);
}

inline Scene sceneOf(const SceneMap &map)
{
    Scene scene;
    scene.size = QSizeF(map.rect.right() + 20.0, map.rect.bottom() + 60.0);
    scene.maps.push_back(map);
    return scene;
}

inline QImage painted(const Scene &scene, const ScenePaintOptions &options = {}, double pixelRatio = 1.0)
{
    QImage image((scene.size * options.zoom * pixelRatio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(options.theme.ground);
    QPainter painter(&image);
    painter.scale(options.zoom, options.zoom);
    paintScene(painter, scene, options);
    return image;
}

/// Largest difference of a channel.
inline int colorDistance(QRgb one, QRgb other)
{
    return std::max({std::abs(qRed(one) - qRed(other)), std::abs(qGreen(one) - qGreen(other)),
                     std::abs(qBlue(one) - qBlue(other))});
}

/// The greatest distance of two neighbouring colours of a table: float32 arithmetic may land one entry off.
inline constexpr int oneEntry = 6;

} // namespace attn::test
