#include "render/scenes/BoardLayout.h"
#include "render/scenes/StageTexts.h"

#include "base/NumberText.h"

#include <QCoreApplication>

#include <algorithm>

namespace attn {

namespace {

/// Strokes that mark a vanishing axis, one number per kind of product.
enum BoardStrokes
{
    ModelStrokes = 1,
    KeyWidthStrokes = 2,
    KeyTokenStrokes = 3,
    ConcatStrokes = 4,
};

/// Heads that the pager offers at once; the others follow by "next" and "previous".
constexpr Index mostPages = 9;

QString boardText(const char *text)
{
    return QCoreApplication::translate("Scene", text);
}

/// Draws cards, arrows and marks of a finished layout.
class BoardBuilder
{
public:
    BoardBuilder(const MapFactory &maps, const BoardOptions &board)
        : m_maps(maps)
        , m_board(board)
        , m_layout(maps, board)
    {
    }

    Scene build();

private:
    const StageCard *first(std::initializer_list<Stage> stages) const;
    double levelY(double top, Index rows) const;
    void addFlow(const StageCard *from, const StageCard *to, const QString &formula);
    void addArrow(const QPolygonF &points);
    void addShape(const StageCard &from, const QRectF &place);
    void addDrop(Stage weight, Stage bias, Stage product);
    void addQueryFlow();
    void addKeyFlow();
    void addMaskFlow();
    void addAxes();
    void addPager();
    void addRules();
    bool flows(const StageCard *from, const StageCard *to) const;

    const MapFactory &m_maps;
    BoardOptions m_board;
    BoardLayout m_layout;
    Scene m_scene;
};

Scene BoardBuilder::build()
{
    m_scene.size = m_layout.size();
    for (const auto &[stage, card] : m_layout.cards())
        card.addTo(m_scene);
    addQueryFlow();
    addKeyFlow();
    addMaskFlow();
    addAxes();
    addRules();
    addPager();
    if (!m_layout.problemRect().isNull())
        m_scene.texts.push_back({m_layout.problemRect(), QString::fromStdString(m_maps.snapshot().problem()),
                                 SceneText::Style::Warning, Qt::AlignLeft | Qt::AlignVCenter});
    return std::move(m_scene);
}

const StageCard *BoardBuilder::first(std::initializer_list<Stage> stages) const
{
    for (const Stage stage : stages)
        if (const StageCard *card = m_layout.card(stage))
            return card;
    return nullptr;
}

/// The height at which arrows run along a level.
double BoardBuilder::levelY(double top, Index rows) const
{
    return top + std::min(48.0, 0.5 * m_layout.tokenRow() * static_cast<double>(rows));
}

/// A stage that the document gives does not come from the one before it.
bool BoardBuilder::flows(const StageCard *from, const StageCard *to) const
{
    return from && to && from->isAvailable() && m_maps.state(to->stage()).status != StageStatus::Given;
}

void BoardBuilder::addArrow(const QPolygonF &points)
{
    SceneLine line;
    line.points = points;
    line.arrow = true;
    m_scene.lines.push_back(line);
}

void BoardBuilder::addShape(const StageCard &from, const QRectF &place)
{
    const QString shape = shapeTextOf(m_maps.state(from.stage()));
    if (!shape.isEmpty())
        m_scene.texts.push_back({place, shape, SceneText::Style::Muted, Qt::AlignHCenter | Qt::AlignTop});
}

void BoardBuilder::addFlow(const StageCard *from, const StageCard *to, const QString &formula)
{
    if (!flows(from, to))
        return;
    const double y = levelY(m_layout.queryTop(), m_maps.snapshot().sizes().nQ);
    const double left = from->rect().right();
    const double right = to->rect().left();
    addArrow(QPolygonF({QPointF(left, y), QPointF(right, y)}));
    addShape(*from, QRectF(left, y + 3.0, right - left, 16.0));
    if (!formula.isEmpty())
        m_scene.texts.push_back({QRectF(left, y - 21.0, right - left, 18.0), formula,
                                 SceneText::Style::Formula, Qt::AlignHCenter | Qt::AlignBottom});
}

void BoardBuilder::addQueryFlow()
{
    const Snapshot &snapshot = m_maps.snapshot();
    const StageCard *query = first({Stage::Qr, Stage::Q});
    const StageCard *scores = m_layout.card(Stage::Scores);
    const StageCard *scaled = m_layout.card(Stage::Scaled);
    const StageCard *masked = m_layout.card(Stage::Masked);
    const StageCard *weights = m_layout.card(Stage::A);
    const StageCard *mixture = first({Stage::HeadOut, Stage::Concat});
    addFlow(m_layout.card(Stage::X), m_layout.card(Stage::Q), QStringLiteral("·W^{Q}"));
    if (m_layout.card(Stage::Qr))
        addFlow(m_layout.card(Stage::Q), m_layout.card(Stage::Qr), boardText("rotate"));
    addFlow(query, scores,
            m_layout.card(Stage::Kr) ? QStringLiteral("·K_{rot}^{T}") : QStringLiteral("·K^{T}"));
    const QString scale = QString::fromStdString(significantText(snapshot.sizes().scale, 3));
    addFlow(scores, scaled, QStringLiteral("× ") + scale);
    if (masked)
        addFlow(scaled, masked, boardText("mask"));
    addFlow(masked ? masked : scaled, weights, boardText("softmax"));
    addFlow(weights, mixture, QStringLiteral("·V"));
    if (m_layout.card(Stage::HeadOut))
        addFlow(mixture, m_layout.card(Stage::Concat), boardText("join"));
    const StageCard *concat = first({Stage::Concat, Stage::HeadOut});
    addFlow(concat, m_layout.card(Stage::Output),
            m_layout.card(Stage::Wo) ? QStringLiteral("·W^{O}") : QStringLiteral("="));
    addDrop(Stage::Wq, Stage::Bq, Stage::Q);
    addDrop(Stage::Wk, Stage::Bk, Stage::K);
    addDrop(Stage::Wv, Stage::Bv, Stage::V);
    addDrop(Stage::Wo, Stage::Bo, Stage::Output);
}

/// From a weight, through its bias, down to the product.
void BoardBuilder::addDrop(Stage weight, Stage bias, Stage product)
{
    const StageCard *above = nullptr;
    for (const Stage stage : {weight, bias, product}) {
        const StageCard *card = m_layout.card(stage);
        if (!card)
            continue;
        if (above && flows(above, m_layout.card(product))) {
            const double x = card->cellsRect().left() + 0.5 * m_layout.card(product)->cellsRect().width();
            addArrow(QPolygonF({QPointF(x, above->rect().bottom()), QPointF(x, card->rect().top())}));
        }
        above = card;
    }
}

void BoardBuilder::addKeyFlow()
{
    const StageCard *source =
        m_maps.experiment().isSelfAttention() ? m_layout.card(Stage::X) : m_layout.card(Stage::Xkv);
    const StageCard *keys = m_layout.card(Stage::K);
    const StageCard *values = m_layout.card(Stage::V);
    const double y = levelY(m_layout.keyTop(), m_maps.snapshot().sizes().nK);
    const bool self = m_maps.experiment().isSelfAttention();
    const double trunk = source ? source->rect().center().x() : 0.0;
    const double start = source ? source->rect().bottom() : 0.0;
    if (flows(source, keys)) {
        const double left = self ? trunk : source->rect().right();
        const double right = keys->rect().left();
        addArrow(self ? QPolygonF({QPointF(trunk, start), QPointF(trunk, y), QPointF(right, y)})
                      : QPolygonF({QPointF(left, y), QPointF(right, y)}));
        addShape(*source, QRectF(left, y + 3.0, right - left, 16.0));
        m_scene.texts.push_back({QRectF(left, y - 21.0, right - left, 18.0), QStringLiteral("·W^{K}"),
                                 SceneText::Style::Formula, Qt::AlignHCenter | Qt::AlignBottom});
    }
    if (flows(source, values)) {
        const double bus = m_layout.busY();
        const double right = values->rect().left();
        const double turn = right - 32.0;
        addArrow(QPolygonF({QPointF(trunk, start), QPointF(trunk, bus), QPointF(turn, bus), QPointF(turn, y),
                            QPointF(right, y)}));
        m_scene.texts.push_back({QRectF(right - 64.0, y - 21.0, 60.0, 18.0), QStringLiteral("·W^{V}"),
                                 SceneText::Style::Formula, Qt::AlignRight | Qt::AlignBottom});
    }
    const StageCard *rotated = m_layout.card(Stage::Kr);
    if (rotated && flows(keys, rotated)) {
        addArrow(QPolygonF({QPointF(keys->rect().right(), y), QPointF(rotated->rect().left(), y)}));
        addShape(*keys,
                 QRectF(keys->rect().right(), y + 3.0, rotated->rect().left() - keys->rect().right(), 16.0));
    }
    // K rises into the scores, V into the mixture.
    const auto rise = [&](const StageCard *from, const StageCard *to) {
        if (!flows(from, to))
            return;
        const double x = to->rect().center().x();
        addArrow(
            QPolygonF({QPointF(from->rect().right(), y), QPointF(x, y), QPointF(x, to->rect().bottom())}));
        addShape(*from, QRectF(from->rect().right(), y + 3.0, x - from->rect().right(), 16.0));
    };
    rise(first({Stage::Kr, Stage::K}), m_layout.card(Stage::Scores));
    rise(values, first({Stage::HeadOut, Stage::Concat}));
}

void BoardBuilder::addMaskFlow()
{
    const StageCard *masked = m_layout.card(Stage::Masked);
    const StageCard *lowest = nullptr;
    for (const Stage stage : {Stage::MaskAlibi, Stage::MaskPadding, Stage::MaskBool, Stage::MaskAdd}) {
        const StageCard *card = m_layout.card(stage);
        if (card && (!lowest || card->rect().bottom() > lowest->rect().bottom()))
            lowest = card;
    }
    if (!masked)
        return;
    const double x = lowest ? std::clamp(lowest->rect().center().x(), masked->rect().left() + 8.0,
                                         masked->rect().right() - 8.0)
                            : masked->rect().center().x();
    const double from = lowest ? lowest->rect().bottom() : m_layout.rulesRect().bottom();
    if (lowest || !m_layout.rulesRect().isNull())
        addArrow(QPolygonF({QPointF(x, from), QPointF(x, masked->rect().top())}));
}

void BoardBuilder::addAxes()
{
    const auto columns = [this](const StageCard *card, int strokes) {
        if (card && card->isAvailable())
            card->addColumnAxis(m_scene, strokes);
    };
    const auto rows = [this](const StageCard *card, int strokes) {
        if (card && card->isAvailable())
            card->addRowAxis(m_scene, strokes);
    };
    columns(m_layout.card(Stage::X), ModelStrokes);
    columns(m_layout.card(Stage::Xkv), ModelStrokes);
    for (const Stage weight : {Stage::Wq, Stage::Wk, Stage::Wv})
        rows(m_layout.card(weight), ModelStrokes);
    columns(first({Stage::Qr, Stage::Q}), KeyWidthStrokes);
    columns(first({Stage::Kr, Stage::K}), KeyWidthStrokes);
    columns(m_layout.card(Stage::A), KeyTokenStrokes);
    rows(m_layout.card(Stage::V), KeyTokenStrokes);
    if (m_layout.card(Stage::Wo)) {
        columns(first({Stage::Concat, Stage::HeadOut}), ConcatStrokes);
        rows(m_layout.card(Stage::Wo), ConcatStrokes);
    }
}

void BoardBuilder::addRules()
{
    const QRectF rect = m_layout.rulesRect();
    if (rect.isNull())
        return;
    SceneBox box;
    box.rect = rect;
    m_scene.boxes.push_back(box);
    double y = rect.top() + cardMetrics::cardPadding;
    for (const QString &line : maskLines(m_maps.snapshot())) {
        m_scene.texts.push_back({QRectF(rect.left() + cardMetrics::cardPadding, y,
                                        rect.width() - 2.0 * cardMetrics::cardPadding, 16.0),
                                 line, SceneText::Style::Label, Qt::AlignLeft | Qt::AlignVCenter});
        y += 16.0;
    }
}

void BoardBuilder::addPager()
{
    const Index heads = m_maps.experiment().nHeads;
    const QRectF place = m_layout.pagerRect();
    if (m_board.tileHeads || heads < 2 || place.isNull())
        return;
    const Index shown = std::clamp<Index>(m_board.head, 0, heads - 1);
    m_scene.texts.push_back({QRectF(place.left(), place.top(), 40.0, place.height()), boardText("Head"),
                             SceneText::Style::Label, Qt::AlignLeft | Qt::AlignVCenter});
    double x = place.left() + 44.0;
    const auto add = [&](const QString &id, const QString &text, const QString &name, bool enabled) {
        SceneControl control;
        control.id = id;
        control.text = text;
        control.name = name;
        control.enabled = enabled;
        control.rect = {x, place.top(), 28.0, place.height()};
        m_scene.controls.push_back(control);
        x += 32.0;
    };
    add(QStringLiteral("head:prev"), QStringLiteral("‹"), boardText("Previous head"), shown > 0);
    const Index first = std::clamp<Index>(shown - mostPages / 2, 0, std::max<Index>(heads - mostPages, 0));
    for (Index head = first; head < std::min(heads, first + mostPages); ++head) {
        add(QStringLiteral("head:%1").arg(head), QString::number(head + 1),
            headTitle(m_maps.experiment(), head), true);
        m_scene.controls.back().checkable = true;
        m_scene.controls.back().checked = head == shown;
    }
    add(QStringLiteral("head:next"), QStringLiteral("›"), boardText("Next head"), shown < heads - 1);
}

} // namespace

Scene boardScene(const SnapshotPtr &snapshot, const DisplayOptions &display, const BoardOptions &board)
{
    const MapFactory maps(snapshot, display);
    return BoardBuilder(maps, board).build();
}

} // namespace attn
