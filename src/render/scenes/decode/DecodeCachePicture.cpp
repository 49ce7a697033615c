#include "render/scenes/decode/DecodeCachePicture.h"

#include "base/NumberText.h"
#include "render/LabelText.h"
#include "render/scenes/CellSizes.h"
#include "render/scenes/RowSums.h"
#include "render/scenes/StageCard.h"
#include "render/scenes/StageTexts.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace attn {

namespace {

constexpr double columnGap = 28.0;
constexpr double decodeTitleRoom = 64.0;
constexpr double symbolColumn = 128.0;

} // namespace

DecodeCachePicture::DecodeCachePicture(SceneDraft &draft, const DecodeOptions &options,
                                       const DecodePicture &picture)
    : m_draft(draft)
    , m_options(options)
    , m_picture(picture)
{
    const Experiment &experiment = draft.maps().experiment();
    m_head = std::clamp<Index>(options.head, 0, experiment.nHeads - 1);
    m_kvHead = kvHeadOf(experiment, m_head);
    m_keyRows = draft.maps().snapshot().sizes().nK;
    const Index rows = std::max({picture.rows, m_keyRows, Index{1}});
    m_rowHeight = axisExtent(rows, 28.0, 224.0, 320.0) / static_cast<double>(rows);
}

double DecodeCachePicture::widthOf(Index cols, double most) const
{
    const double width = axisExtent(cols, 44.0, most, most);
    // Below the height of readable numbers wide cells would only look empty.
    return m_rowHeight < 20.0 ? std::min(width, std::max(72.0, 1.5 * m_rowHeight * static_cast<double>(cols)))
                              : width;
}

double DecodeCachePicture::addTo(double left, double top)
{
    m_cellsTop = top + decodeTitleRoom;
    const Sizes &sizes = m_draft.maps().snapshot().sizes();
    double x = addTokens(left) + columnGap;
    const bool isRotated = m_draft.maps().state(Stage::Kr).hasValues();
    x = addCache(x, isRotated ? Stage::Kr : Stage::K, isRotated ? m_kvHead : 0,
                 isRotated ? 0 : m_kvHead * sizes.dHeadK, sizes.dHeadK,
                 QCoreApplication::translate("Scene", "K, kept")) +
        columnGap;
    x = addCache(x, Stage::V, 0, m_kvHead * sizes.dHeadV, sizes.dHeadV,
                 QCoreApplication::translate("Scene", "V, kept")) +
        columnGap;
    const double rows = static_cast<double>(std::max(m_picture.rows, m_keyRows));
    const double cacheBottom = m_cellsTop + rows * m_rowHeight + 12.0;
    constexpr double leastRight = 420.0;
    const double right = m_options.width - 24.0;
    if (right - x >= leastRight)
        return std::max(cacheBottom, addNewRows(x + 8.0, top, right - x - 8.0));
    return addNewRows(left, cacheBottom + 16.0, right - left);
}

/// The tokens with their rows of X; those still to come are veiled.
double DecodeCachePicture::addTokens(double x)
{
    const StageState &input = m_draft.maps().state(Stage::X);
    const Stage queries = m_draft.maps().state(Stage::Q).hasValues() ? Stage::Q : Stage::Qr;
    const double labels = m_draft.maps().rowLabelWidth(queries);
    const Index fed = m_picture.step.endRow();
    if (!input.hasValues()) {
        const QStringList &names = m_draft.maps().rowLabels(queries);
        for (Index row = 0; row < m_picture.rows && m_rowHeight >= 12.0; ++row)
            m_draft.addText({x, rowTop(row), labels, m_rowHeight}, visibleLabel(names.value(row)),
                            row < fed ? SceneText::Style::Label : SceneText::Style::Muted,
                            Qt::AlignRight | Qt::AlignVCenter);
        return x + labels;
    }
    const Index cols = input.values->cols();
    const QRectF rect(x + labels, m_cellsTop, widthOf(cols, 220.0),
                      m_rowHeight * static_cast<double>(m_picture.rows));
    SceneMap map = m_draft.stageBlock(Stage::X, 0, 0, m_picture.rows, 0, cols, rect);
    map.rowLabelWidth = labels;
    map.colLabels.clear();
    if (fed < m_picture.rows)
        map.emphasis.push_back({fed, m_picture.rows - 1, 0, cols - 1, MapEmphasis::Style::Veiled});
    if (m_picture.step.rowCount > 0)
        map.emphasis.push_back({m_picture.step.firstRow, fed - 1, 0, cols - 1, MapEmphasis::Style::Framed});
    m_draft.addText({rect.left(), m_cellsTop - 48.0, rect.width(), 20.0}, QStringLiteral("X"),
                    SceneText::Style::Title);
    m_draft.addText({rect.left(), m_cellsTop - 28.0, std::max(rect.width(), 140.0), 18.0},
                    QCoreApplication::translate("Scene", "the tokens"), SceneText::Style::Muted);
    m_draft.addMap(std::move(map));
    m_draft.extendTo(rect.right(), rect.bottom());
    return std::max(rect.right(), rect.left() + 140.0);
}

double DecodeCachePicture::addCache(double x, Stage stage, Index head, Index firstCol, Index cols,
                                    const QString &title)
{
    const StageState &state = m_draft.maps().state(stage);
    // The rows stand beside those of X where they are the same tokens; keys of another sequence have names of
    // their own, written once for both caches.
    const bool hasLabels = !m_picture.isGrowing && stage != Stage::V;
    const double labels = hasLabels ? m_draft.maps().rowLabelWidth(stage) : 0.0;
    x += labels;
    const QRectF column(x, m_cellsTop, widthOf(cols, 180.0), m_rowHeight * static_cast<double>(m_keyRows));
    m_draft.addText({x, m_cellsTop - 48.0, std::max(column.width(), 150.0), 20.0}, title);
    const DecodeStep &step = m_picture.step;
    const Index added = step.keysAfter - step.keysBefore;
    QString caption = QCoreApplication::translate("Scene", "%1 kept, %2 new").arg(step.keysBefore).arg(added);
    if (state.isPinnedWhole)
        caption += QCoreApplication::translate("Scene", " · by hand");
    m_draft.addText({x, m_cellsTop - 28.0, std::max(column.width(), 150.0), 18.0}, caption,
                    SceneText::Style::Muted);
    if (state.hasValues() && step.keysAfter > 0) {
        QRectF rect = column;
        rect.setHeight(m_rowHeight * static_cast<double>(step.keysAfter));
        SceneMap map = m_draft.stageBlock(stage, head, 0, step.keysAfter, firstCol, cols, rect);
        map.colLabels.clear();
        map.rowLabelWidth = labels;
        if (!hasLabels)
            map.rowLabels.clear();
        if (added > 0)
            map.emphasis.push_back(
                {step.keysBefore, step.keysAfter - 1, 0, cols - 1, MapEmphasis::Style::Framed});
        m_draft.addMap(std::move(map));
        if (stage == Stage::V ? m_options.reach.value : m_options.reach.key)
            markStale(rect, step.keysAfter);
    }
    addEmptyRows(column, step.keysAfter);
    m_draft.extendTo(column.right(), column.bottom());
    return std::max(column.right(), x + 150.0);
}

/// The rows that are not there yet.
void DecodeCachePicture::addEmptyRows(const QRectF &column, Index filled)
{
    if (filled >= m_keyRows)
        return;
    SceneBox box;
    box.rect = QRectF(column.left(), rowTop(filled), column.width(), column.bottom() - rowTop(filled));
    box.filled = false;
    box.dashed = true;
    m_draft.scene().boxes.push_back(box);
}

/// The row of K or V that an edit of an old token would make wrong.
void DecodeCachePicture::markStale(const QRectF &cells, Index rows)
{
    const Index token = m_options.edited.row;
    if (token < 0 || token >= rows)
        return;
    SceneShape mark;
    mark.path.addRect(QRectF(cells.left() - 3.0, rowTop(token), cells.width() + 6.0, m_rowHeight));
    mark.stroke = ScenePaint::of(ScenePaint::Role::Warning);
    mark.strokeWidth = 2.0;
    mark.dashed = true;
    mark.aboveMaps = true;
    mark.name = QCoreApplication::translate("Scene", "stale once this token is edited");
    m_draft.scene().shapes.push_back(mark);
}

double DecodeCachePicture::newRowsHeight() const
{
    return axisExtent(m_picture.step.keptRows(), 28.0, 112.0, 144.0);
}

/// One head of [h, kept rows, cols].
std::vector<double> DecodeCachePicture::headRows(const std::vector<double> &stacked, Index cols) const
{
    const Index count = m_picture.step.keptRows() * cols;
    const auto first = stacked.begin() + m_head * count;
    return {first, first + count};
}

SceneMap DecodeCachePicture::runMap(const QString &id, const QString &name,
                                    const std::vector<double> &numbers, Index cols, const QRectF &rect,
                                    ColorMap::Kind kind) const
{
    const Index rows = static_cast<Index>(numbers.size()) / std::max<Index>(cols, 1);
    return m_draft.derived(id, name, valuesOf(Tensor::fromDoubles({1, rows, cols}, numbers)), rect, kind);
}

void DecodeCachePicture::markPins(SceneMap &map, Stage stage, Index head) const
{
    MapKey cells;
    cells.stage = stage;
    cells.head = head;
    cells.rowOffset = m_picture.step.firstKeptRow;
    map.isPinned = pinTest(m_draft.maps().snapshotPtr(), cells);
}

double DecodeCachePicture::addNewRow(const QString &symbol, const QString &caption, SceneMap map, double left,
                                     double top)
{
    map.rect.moveTo(left + symbolColumn, top);
    if (!map.colLabels.isEmpty() && map.colLabelHeight > 0.0)
        map.rect.translate(0.0, map.colLabelHeight);
    map.rowLabels.clear();
    map.decimals = std::max(3, map.decimals);
    const double middle = map.rect.center().y();
    m_draft.addText({left, middle - 19.0, symbolColumn - 8.0, 20.0}, symbol, SceneText::Style::Title);
    m_draft.addText({left, middle + 1.0, symbolColumn - 8.0, 16.0}, caption, SceneText::Style::Muted);
    const double bottom = std::max(map.rect.bottom(), middle + 18.0);
    m_draft.extendTo(map.rect.right(), bottom);
    m_draft.addMap(std::move(map));
    return bottom + 14.0;
}

QString DecodeCachePicture::rowNames() const
{
    const DecodeStep &step = m_picture.step;
    const TokenList &tokens = m_draft.maps().experiment().tokens;
    const auto name = [&](Index row) {
        return visibleLabel(QString::fromStdString(tokens.at(row)));
    };
    if (step.rowCount == 1)
        return QStringLiteral("“%1”").arg(name(step.firstRow));
    return QStringLiteral("“%1” … “%2”").arg(name(step.firstRow), name(step.endRow() - 1));
}

double DecodeCachePicture::addNewRows(double left, double top, double width)
{
    const DecodeStep &step = m_picture.step;
    if (step.rowCount == 0) {
        const double y = m_draft.addParagraph(
            {left, top + 16.0}, width,
            QCoreApplication::translate("Scene", "Nothing is fed yet: the cache is empty."),
            SceneText::Style::Label);
        return m_draft.addHint({left, y}, width,
                               QCoreApplication::translate("Scene", "Step forward, or press play below."),
                               SceneText::Style::Label);
    }
    m_draft.addText({left, top + 12.0, width, 20.0},
                    QCoreApplication::translate("Scene", "Computed now: %1").arg(rowNames()));
    double y = top + 40.0;
    if (step.keptRows() < step.rowCount) {
        m_draft.addText({left, y, width, 18.0},
                        QCoreApplication::translate("Scene", "the last %1 of %2 new rows are drawn")
                            .arg(step.keptRows())
                            .arg(step.rowCount),
                        SceneText::Style::Muted);
        y += 22.0;
    }
    const Sizes &sizes = m_draft.maps().snapshot().sizes();
    const double room = width - symbolColumn;
    const double height = newRowsHeight();
    const auto place = [&](Index cols, double cell) {
        return QRectF(0.0, 0.0, std::min(room, axisExtent(cols, cell, room, room)), height);
    };
    const bool isRotated = m_draft.maps().state(Stage::Qr).hasValues();
    SceneMap query = m_draft.stageBlock(
        isRotated ? Stage::Qr : Stage::Q, isRotated ? m_head : 0, step.firstKeptRow, step.keptRows(),
        isRotated ? 0 : m_head * sizes.dHeadK, sizes.dHeadK, place(sizes.dHeadK, 56.0));
    query.colLabels.clear();
    const bool isQueryByHand = m_draft.maps().state(isRotated ? Stage::Qr : Stage::Q).isPinnedWhole;
    y = addNewRow(QStringLiteral("q"),
                  isQueryByHand ? QCoreApplication::translate("Scene", "its query, by hand")
                                : QCoreApplication::translate("Scene", "its query"),
                  std::move(query), left, y);
    const QStringList keyNames = m_draft.maps().colLabels(Stage::Masked).mid(0, step.keysAfter);
    SceneMap scores = runMap(QStringLiteral("decode:scores"),
                             QCoreApplication::translate("Scene", "New row of masked scores"),
                             headRows(step.masked, step.keysAfter), step.keysAfter,
                             place(step.keysAfter, 56.0), ColorMap::Kind::Diverging);
    markPins(scores, Stage::Masked, m_head);
    scores.colLabels = keyNames;
    scores.colLabelHeight =
        columnLabelHeight(m_draft.maps(), Stage::Masked,
                          scores.rect.width() / static_cast<double>(std::max<Index>(step.keysAfter, 1)));
    y = addNewRow(scaledSymbol(m_draft.maps().snapshot(), QStringLiteral("q\u2009")),
                  step.keysAfter == 1
                      ? QCoreApplication::translate("Scene", "over one key")
                      : QCoreApplication::translate("Scene", "over %1 keys").arg(step.keysAfter),
                  std::move(scores), left, y);
    SceneMap weights =
        runMap(QStringLiteral("decode:weights"), QCoreApplication::translate("Scene", "New row of weights"),
               headRows(step.weights, step.keysAfter), step.keysAfter, place(step.keysAfter, 56.0),
               ColorMap::Kind::Sequential);
    weights.range = {0.0, 1.0, false};
    markPins(weights, Stage::A, m_head);
    y = addNewRow(QStringLiteral("A"), QCoreApplication::translate("Scene", "its weights"),
                  std::move(weights), left, y);
    y = addRowSum(left, y, width);
    const auto cols = static_cast<Index>(step.output.size()) / step.rowCount;
    const std::vector<double> output(step.output.end() - step.keptRows() * cols, step.output.end());
    SceneMap outputs =
        runMap(QStringLiteral("decode:output"), QCoreApplication::translate("Scene", "New row of the output"),
               output, cols, place(cols, 56.0), ColorMap::Kind::Diverging);
    markPins(outputs, Stage::Output, 0);
    y = addNewRow(QCoreApplication::translate("Scene", "output"),
                  QCoreApplication::translate("Scene", "all heads"), std::move(outputs), left, y);
    return addProof(left, y, width);
}

/// Of the newest row, where what was set by hand leaves no mixture.
double DecodeCachePicture::addRowSum(double left, double top, double width)
{
    const DecodeStep &step = m_picture.step;
    const std::vector<double> weights = headRows(step.weights, step.keysAfter);
    const double sum = std::accumulate(weights.end() - step.keysAfter, weights.end(), 0.0);
    if (addsToOne(sum) || sum == 0.0 || m_draft.maps().state(Stage::A).pinnedCount == 0)
        return top;
    return m_draft.addParagraph({left, top}, width,
                                rowAddsToText(m_draft.maps().snapshot(), step.endRow() - 1, sum),
                                SceneText::Style::Warning) +
           6.0;
}

double DecodeCachePicture::addProof(double left, double top, double width)
{
    const DecodeComparison &again = m_picture.recomputed;
    const DecodeComparison &full = m_picture.full;
    const auto difference = [](const DecodeComparison &comparison) {
        return QString::fromStdString(significantText(comparison.largest, 2));
    };
    double y = top;
    y = again.sameBits
            ? m_draft.addParagraph(
                  {left, y}, width,
                  QCoreApplication::translate(
                      "Scene", "✓ Equal bit for bit to computing all rows again with nothing kept."),
                  SceneText::Style::Label)
            : m_draft.addParagraph(
                  {left, y}, width,
                  QCoreApplication::translate("Scene", "✗ Differs from computing all rows again by %1.")
                      .arg(difference(again)),
                  SceneText::Style::Warning);
    if (!full.isComparable)
        return m_draft.addParagraph(
            {left, y}, width,
            QCoreApplication::translate("Scene",
                                        "Not compared with a full causal pass: this document has no "
                                        "causal mask and is too large to be computed a second time."));
    if (full.sameBits)
        return m_draft.addParagraph(
            {left, y}, width,
            QCoreApplication::translate("Scene", "✓ Equal bit for bit to the engine's full pass."),
            SceneText::Style::Label);
    if (full.isWithinTolerance(m_picture.precision))
        return m_draft.addParagraph(
            {left, y}, width,
            QCoreApplication::translate("Scene",
                                        "✓ Equal to the engine's full pass within rounding: the largest "
                                        "difference is %1, allowed is %2.")
                .arg(difference(full), m_picture.precision == Precision::Float32 ? QStringLiteral("1e-5")
                                                                                 : QStringLiteral("1e-12")),
            SceneText::Style::Label);
    return m_draft.addParagraph(
        {left, y}, width,
        QCoreApplication::translate("Scene",
                                    "✗ Differs from the engine's full pass by %1: there, weights set by hand "
                                    "reach later tokens, which no cache holds yet.")
            .arg(difference(full)),
        SceneText::Style::Warning);
}

} // namespace attn
