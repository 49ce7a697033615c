#include "render/cells/HeatmapImage.h"

#include "engine/kernels/KernelTable.h"
#include "render/Scene.h"
#include "render/cells/CellGrid.h"
#include "render/cells/ClipMarks.h"
#include "render/cells/HeatmapCells.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace attn {

namespace {

/// No entry of the tables of colours.
constexpr std::uint16_t nowhere = 0xffff;

/// Rows or columns of drawn cells with the pixels they cover inside the part.
struct PixelSpans
{
    Index first = 0;        ///< drawn cell
    std::vector<int> edges; ///< one more than cells, relative to the part, cut to it

    Index count() const { return static_cast<Index>(edges.size()) - 1; }
    int begin(Index cell) const { return edges[static_cast<std::size_t>(cell)]; }
    int end(Index cell) const { return edges[static_cast<std::size_t>(cell) + 1]; }
};

PixelSpans spansOf(Index count, Index pool, int size, int partBegin, int partEnd)
{
    const CellGrid axis{1, count, QRectF(0, 0, size, 1), true};
    const Index drawn = (count + pool - 1) / pool;
    const auto edge = [&](Index cell) {
        return static_cast<int>(axis.x(std::min(cell * pool, count)));
    };
    Index first = axis.colBefore(partBegin) / pool;
    while (first + 1 < drawn && edge(first + 1) <= partBegin)
        ++first;
    PixelSpans spans{first, {}};
    Index cell = first;
    for (; cell < drawn && edge(cell) < partEnd; ++cell)
        spans.edges.push_back(std::max(edge(cell), partBegin) - partBegin);
    spans.edges.push_back(std::min(edge(cell), partEnd) - partBegin);
    return spans;
}

class HeatmapImagePainter
{
public:
    HeatmapImagePainter(const SceneMap &map, const HeatmapLook &look, HeatmapMemory &memory,
                        HeatmapDrawing before)
        : m_map(map)
        , m_look(look)
        , m_rows(spansOf(map.values->rows(), look.pool.rows, look.size.height(), look.part.top(),
                         look.part.bottom() + 1))
        , m_cols(spansOf(map.values->cols(), look.pool.cols, look.size.width(), look.part.left(),
                         look.part.right() + 1))
        , m_cells(map, look.pool, {m_rows.first, m_cols.first, m_rows.count(), m_cols.count()},
                  std::move(look.pooled ? before.cells : memory.cells), look.pooled)
        , m_memory(memory)
        , m_drawing(std::move(before))
        , m_image(m_drawing.image.isNull() ? QImage(look.part.size(), QImage::Format_RGB32)
                                           : std::move(m_drawing.image))
        , m_colAt(static_cast<std::size_t>(m_image.width()))
        , m_places(static_cast<std::size_t>(m_cols.count()))
    {
        for (Index col = 0; col < m_cols.count(); ++col)
            std::fill(m_colAt.begin() + m_cols.begin(col), m_colAt.begin() + m_cols.end(col),
                      static_cast<std::uint16_t>(col));
    }

    /// Once only.
    HeatmapDrawing paint()
    {
        makeTables();
        keepPlaces();
        std::vector<QRgb> colors(static_cast<std::size_t>(m_cols.count()));
        for (Index row = 0; row < m_rows.count(); ++row)
            paintRow(row, colors);
        paintClipMarks();
        if (m_look.numbers && m_look.pool.isNone())
            paintNumbers(m_memory.glyphs);
        m_drawing.image = std::move(m_image);
        (m_look.pooled ? m_drawing.cells : m_memory.cells) = std::move(m_cells).takeMemory();
        return std::move(m_drawing);
    }

private:
    using Span = PoolReading::Span;

    void paintRow(Index row, std::vector<QRgb> &colors)
    {
        if (m_rows.end(row) <= m_rows.begin(row))
            return;
        const std::vector<Span> &spans = m_cells.spans();
        for (std::size_t i = 0; i < spans.size(); ++i)
            if (!isKnownAsDrawn(row, i))
                paintPart(row, i, colors);
    }

    void paintPart(Index row, std::size_t span, std::vector<QRgb> &colors)
    {
        const Span &part = m_cells.spans()[span];
        const bool special = findPlaces(row, part);
        if (staysAsDrawn(row, part, special || m_cells.isMaskNew(row, span)))
            return;
        mapColors(row, part, colors);
        const int left = m_cols.begin(part.first);
        const int width = m_cols.end(part.first + part.count - 1) - left;
        const int top = m_rows.begin(row);
        QRgb *line = pixels(top) + left;
        kernels().pickWords(colors.data(), m_colAt.data() + left, width, line);
        for (int y = top + 1; y < m_rows.end(row); ++y)
            std::memcpy(pixels(y) + left, line, static_cast<std::size_t>(width) * sizeof(QRgb));
        if (special || m_cells.hasMask())
            paintMarks(row, part, colors);
        if (!m_cells.isAllExact())
            paintDots(row, left, left + width);
    }

    QRgb *pixels(int y) { return reinterpret_cast<QRgb *>(m_image.scanLine(y)); }

    bool isAnyVeiled() const { return !m_cells.isAllExact() || !m_look.veils.isNone(); }

    /// A colour as it is painted: faded where the number is not exact or takes no part.
    QRgb faded(QRgb color, Index row, Index col) const
    {
        const PoolState state = m_cells.state(row, col);
        if (state == PoolState::Unknown)
            return m_look.hatch.card;
        return veiled(state == PoolState::Stale ? m_look.hatch.veiled(color) : color, row, col);
    }

    QRgb veiled(QRgb color, Index row, Index col) const
    {
        if (m_look.veils.isNone() || m_cells.state(row, col) == PoolState::Unknown)
            return color;
        const PoolSize &pool = m_look.pool; // the middle of a pooled cell stands for it
        return m_look.veils.over(color, (m_rows.first + row) * pool.rows + pool.rows / 2,
                                 (m_cols.first + col) * pool.cols + pool.cols / 2);
    }

    /// The colours of the scale once for each state: beside exact ones those of stale numbers, and one for
    /// what is not known.
    void makeTables()
    {
        const std::array<QRgb, 256> &exact = m_cells.colors().table();
        if (!m_cells.isAllExact()) {
            static_assert(PoolState::Unknown < PoolState::Stale && PoolState::Stale < PoolState::Exact);
            m_tables.assign(exact.size(), m_look.hatch.card);
            for (const QRgb color : exact)
                m_tables.push_back(m_look.hatch.veiled(color));
        }
        m_tables.insert(m_tables.end(), exact.begin(), exact.end());
    }

    /// Only what is refined bit by bit is drawn again where most of it is as it was.
    void keepPlaces()
    {
        const auto count = m_look.pooled ? static_cast<std::size_t>(m_rows.count() * m_cols.count()) : 0;
        if (m_drawing.tables != m_tables || m_drawing.hasMask != m_cells.hasMask() ||
            m_drawing.places.size() != count)
            m_drawing.places.assign(count, nowhere);
        m_drawing.tables = m_tables;
        m_drawing.hasMask = m_cells.hasMask();
        m_isOnSameScale = m_drawing.range == m_map.range;
        m_drawing.range = m_map.range;
    }

    /// Where the places of a row that was drawn are kept.
    std::uint16_t *keptPlaces(Index row, Index col)
    {
        return m_drawing.places.data() + row * m_cols.count() + col;
    }

    /// Whether this part of a row is there already and need not even be looked at.
    bool isKnownAsDrawn(Index row, std::size_t span)
    {
        return m_isOnSameScale && !m_drawing.places.empty() && !m_cells.isNew(row, span) &&
               !m_cells.isMaskNew(row, span) && *keptPlaces(row, m_cells.spans()[span].first) != nowhere;
    }

    /// Whether this part is there already; from now on it counts as drawn. hasNewMarks: what marks its cells
    /// have cannot be told from places.
    bool staysAsDrawn(Index row, const Span &part, bool hasNewMarks)
    {
        if (m_drawing.places.empty())
            return false;
        std::uint16_t *kept = keptPlaces(row, part.first);
        if (hasNewMarks) {
            std::fill_n(kept, part.count, nowhere);
            return false;
        }
        const std::uint16_t *places = m_places.data() + part.first;
        if (std::equal(places, places + part.count, kept))
            return true;
        std::copy_n(places, part.count, kept);
        return false;
    }

    /// Where the colours of a part of a row are in the tables. Whether any of its numbers is not finite.
    bool findPlaces(Index row, const Span &part)
    {
        std::uint16_t *places = m_places.data() + part.first;
        const bool special = m_cells.colors().places(m_cells.row(row) + part.first, part.count, places);
        if (!m_cells.isAllExact()) {
            const PoolState *states = m_cells.states(row) + part.first;
            for (Index col = 0; col < part.count; ++col)
                places[col] =
                    static_cast<std::uint16_t>(places[col] + 256u * static_cast<unsigned>(states[col]));
        }
        return special;
    }

    void mapColors(Index row, const Span &part, std::vector<QRgb> &colors) const
    {
        kernels().pickWords(m_tables.data(), m_places.data() + part.first, part.count,
                            colors.data() + part.first);
        if (!m_look.veils.isNone())
            for (Index col = part.first; col < part.first + part.count; ++col)
                colors[static_cast<std::size_t>(col)] =
                    veiled(colors[static_cast<std::size_t>(col)], row, col);
    }

    /// A grid of dots over what is not exact, fixed to the map; from the pixel column `left` on.
    void paintDots(Index row, int left, int right)
    {
        const int period = std::max(4, static_cast<int>(std::lround(6.0 * m_look.unit)));
        const auto firstOf = [period](int begin, int corner) {
            return begin + (period - (begin + corner) % period) % period;
        };
        for (int y = firstOf(m_rows.begin(row), m_look.part.top()); y < m_rows.end(row); y += period) {
            QRgb *line = pixels(y);
            const PoolState *states = m_cells.states(row);
            for (int x = firstOf(left, m_look.part.left()); x < right; x += period)
                if (states[m_colAt[static_cast<std::size_t>(x)]] != PoolState::Exact)
                    line[x] = m_look.hatch.notExact;
        }
    }

    void paintMarks(Index row, const Span &part, const std::vector<QRgb> &colors)
    {
        const Index end = part.first + part.count;
        for (Index col = part.first; col < end;) {
            const CellMark mark = m_cells.mark(row, col);
            const Index first = col++;
            if (mark == CellMark::None)
                continue;
            const QRgb color = colors[static_cast<std::size_t>(first)];
            while (col < end && m_cells.mark(row, col) == mark &&
                   colors[static_cast<std::size_t>(col)] == color && isFadedAlike(mark, row, first, col))
                ++col;
            hatchCells(mark, row, {first, col - first}, color);
        }
    }

    bool isFadedAlike(CellMark mark, Index row, Index col, Index other) const
    {
        return !hasOwnColors(mark) ||
               (m_look.veils.isNone() && m_cells.state(row, col) == m_cells.state(row, other));
    }

    /// Cells beside each other that look the same.
    void hatchCells(CellMark mark, Index row, const Span &cells, QRgb color)
    {
        const HatchStyle style = HatchStyle::of(mark, m_look.unit);
        const QRgb ground = markGround(mark, color, row, cells.first);
        const QRgb stroke = markStroke(mark, color, row, cells.first);
        const int left = m_cols.begin(cells.first);
        const int right = m_cols.end(cells.first + cells.count - 1);
        for (int y = m_rows.begin(row); y < m_rows.end(row); ++y) {
            QRgb *line = pixels(y);
            std::fill(line + left, line + right, ground);
            const int phase = style.phase(left + m_look.part.left(), y + m_look.part.top());
            for (int begin = left - phase; begin < right; begin += style.period)
                std::fill(line + std::max(begin, left),
                          line + std::max(left, std::min(begin + style.stroke, right)), stroke);
        }
    }

    /// Grounds and strokes of their own fade like colours of the scale; those made of the cell's colour have
    /// faded with it.
    QRgb markGround(CellMark mark, QRgb color, Index row, Index col) const
    {
        const QRgb ground = m_look.hatch.ground(mark, color);
        return hasOwnColors(mark) && isAnyVeiled() ? faded(ground, row, col) : ground;
    }
    QRgb markStroke(CellMark mark, QRgb color, Index row, Index col) const
    {
        const QRgb stroke = m_look.hatch.stroke(mark, color);
        return hasOwnColors(mark) && isAnyVeiled() ? faded(stroke, row, col) : stroke;
    }

    QRectF wholeCell(Index row, Index col) const
    {
        const CellGrid grid{m_map.values->rows(), m_map.values->cols(), QRectF(QPointF(), m_look.size), true};
        return grid.cells(m_rows.first + row, m_cols.first + col).translated(-m_look.part.topLeft());
    }

    void paintClipMarks()
    {
        if (!m_look.pool.isNone() || !clipMarksFit(m_map, m_look.size, m_look.unit))
            return;
        QPainter painter(&m_image);
        painter.setRenderHint(QPainter::Antialiasing);
        for (Index row = 0; row < m_rows.count(); ++row)
            for (Index col = 0; col < m_cols.count(); ++col)
                drawClipMark(painter, m_cells, row, col, wholeCell(row, col), m_look.unit);
    }

    void paintNumbers(NumberGlyphSets &glyphs)
    {
        const CellBlock &block = m_cells.block();
        std::vector<double> numbers(static_cast<std::size_t>(block.rowCount * block.colCount));
        m_map.values->readBlock(m_map.head, block.row, block.col, block.rowCount, block.colCount,
                                numbers.data(), block.colCount);
        for (Index row = 0; row < block.rowCount; ++row)
            for (Index col = 0; col < block.colCount; ++col)
                paintNumber(glyphs, row, col, numbers[static_cast<std::size_t>(row * block.colCount + col)]);
    }

    void paintNumber(NumberGlyphSets &glyphs, Index row, Index col, double value)
    {
        const CellNumbers &style = *m_look.numbers;
        const QRectF cell = wholeCell(row, col);
        const PlacedNumber placed = placeNumber(style, value, cell, m_look.unit);
        if (placed.pixelSize == 0 || m_cells.state(row, col) == PoolState::Unknown)
            return;
        QRgb ink = m_look.text;
        const CellMark mark = m_cells.mark(row, col);
        const float number = m_cells.row(row)[col];
        if (hasOwnColors(mark))
            fillPlate(placed.plate.intersected(cell), markGround(mark, 0, row, col));
        else if (isAnyVeiled())
            ink = readableOn(faded(m_cells.colors().color(number), row, col)).rgb();
        else
            ink = m_cells.colors().isInkWhite(number) ? 0xffffffffu : 0xff000000u;
        QFont font = style.font;
        font.setPixelSize(placed.pixelSize);
        NumberGlyphs &set = glyphs.try_emplace(placed.pixelSize, font).first->second;
        set.draw(m_image, placed.x, placed.baseline, placed.text, ink);
    }

    void fillPlate(const QRectF &plate, QRgb ground)
    {
        const QRect covered = plate.toAlignedRect().intersected(m_image.rect());
        for (int y = covered.top(); y <= covered.bottom(); ++y)
            std::fill(pixels(y) + covered.left(), pixels(y) + covered.right() + 1, ground);
    }

    const SceneMap &m_map;
    const HeatmapLook &m_look;
    PixelSpans m_rows;
    PixelSpans m_cols;
    HeatmapCells m_cells;
    HeatmapMemory &m_memory;
    HeatmapDrawing m_drawing;
    bool m_isOnSameScale = false; ///< as what was drawn before
    QImage m_image;
    std::vector<std::uint16_t> m_colAt;  ///< drawn cell of each column of pixels
    std::vector<std::uint16_t> m_places; ///< of one row, in the tables
    std::vector<QRgb> m_tables;          ///< 256 colours for each state; for exact ones alone where all are
};

} // namespace

HeatmapDrawing heatmapImage(const SceneMap &map, const HeatmapLook &look, HeatmapMemory &memory,
                            HeatmapDrawing before)
{
    return HeatmapImagePainter(map, look, memory, std::move(before)).paint();
}

} // namespace attn
