#include "render/scenes/decode/DecodeReachCard.h"

#include "render/LabelText.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace attn {

QString DecodeReachCard::tokenName(Index token) const
{
    const TokenList &tokens = m_draft.maps().experiment().keyTokens();
    return token < tokens.size() ? visibleLabel(QString::fromStdString(tokens.at(token))) : QString();
}

QString DecodeReachCard::queryName(Index token) const
{
    const TokenList &tokens = m_draft.maps().experiment().tokens;
    return token < tokens.size() ? visibleLabel(QString::fromStdString(tokens.at(token))) : QString();
}

void DecodeReachCard::addTo(const QRectF &card)
{
    const double left = card.left() + 16.0;
    const double width = card.width() - 32.0;
    m_draft.addText({left, card.top() + 16.0, width, 20.0},
                    QCoreApplication::translate("Scene", "If an old token were edited"));
    double y = card.top() + 44.0;
    const TokenEdit &edited = m_options.edited;
    const bool isSelf = m_draft.maps().experiment().isSelfAttention();
    const Index known = isOfQuery() ? m_picture.step.endRow() : m_picture.step.keysAfter;
    if (edited.row < 0 || edited.row >= known) {
        m_draft.addHint(
            {left, y}, width,
            isSelf ? QCoreApplication::translate(
                         "Scene",
                         "Select a cell of a token that is fed already, in X, Q, K or V, to see what of the "
                         "cache and of the outputs its edit would make wrong.")
                   : QCoreApplication::translate(
                         "Scene",
                         "Select a cell of a key in X_kv, K or V, or of a query that is fed already in X or "
                         "Q, to see what of the cache and of the outputs its edit would make wrong."));
        return;
    }
    for (const QString &text : {staleCacheText(), staleOutputText(), laterText()})
        if (!text.isEmpty())
            y = m_draft.addParagraph({left, y}, width, text, SceneText::Style::Label) + 6.0;
    addReach({left, y + 4.0, width, card.bottom() - 12.0 - y});
}

/// Which rows of K, V and the output are wrong, one square a row, where there is room.
void DecodeReachCard::addReach(const QRectF &place)
{
    constexpr double lineHeight = 24.0;
    constexpr Index mostSquares = 64;
    const Index all = std::max(m_picture.rows, m_picture.step.keysAfter);
    if (place.height() < 3.0 * lineHeight || all > mostSquares)
        return;
    const EditReach &reach = m_options.reach;
    const std::vector<Index> own = {m_options.edited.row};
    const Index keys = m_picture.step.keysAfter;
    QRectF line(place.left(), place.top(), place.width(), lineHeight);
    addReachLine(QStringLiteral("K"), line, keys, all, reach.key ? own : std::vector<Index>());
    line.translate(0.0, lineHeight);
    addReachLine(QStringLiteral("V"), line, keys, all, reach.value ? own : std::vector<Index>());
    line.translate(0.0, lineHeight);
    addReachLine(QCoreApplication::translate("Scene", "output"), line, m_picture.step.endRow(), all,
                 reach.outputs);
}

void DecodeReachCard::addReachLine(const QString &name, const QRectF &place, Index count, Index all,
                                   const std::vector<Index> &wrong)
{
    constexpr double nameWidth = 56.0;
    m_draft.addText({place.left(), place.top(), nameWidth, place.height()}, name, SceneText::Style::Muted);
    const double step = std::min(24.0, (place.width() - nameWidth) / static_cast<double>(all));
    const double size = std::max(2.0, step - 4.0);
    for (Index row = 0; row < count; ++row) {
        const bool isWrong = std::ranges::binary_search(wrong, row);
        SceneShape square;
        square.path.addRect(place.left() + nameWidth + step * static_cast<double>(row),
                            place.center().y() - 0.5 * size, size, size);
        square.stroke = ScenePaint::of(isWrong ? ScenePaint::Role::Warning : ScenePaint::Role::Hairline);
        square.strokeWidth = isWrong ? 2.0 : 1.0;
        square.fill = isWrong ? ScenePaint::of(ScenePaint::Role::Warning, 0.25) : ScenePaint();
        square.name =
            isWrong ? QCoreApplication::translate("Scene", "row %1 of %2 is wrong").arg(row + 1).arg(name)
                    : QCoreApplication::translate("Scene", "row %1 of %2 stays right").arg(row + 1).arg(name);
        m_draft.scene().shapes.push_back(std::move(square));
    }
}

/// Whether the edited row is one of a query alone.
bool DecodeReachCard::isOfQuery() const
{
    const Stage stage = m_options.edited.stage;
    return stage == Stage::Q || stage == Stage::Qr ||
           (stage == Stage::X && !m_draft.maps().experiment().isSelfAttention());
}

QString DecodeReachCard::staleCacheText() const
{
    const EditReach &reach = m_options.reach;
    const Index row = m_options.edited.row;
    if (isOfQuery())
        return QCoreApplication::translate(
                   "Scene",
                   "\u201c%1\u201d, query %2: nothing in the cache is wrong; it holds keys and values.")
            .arg(queryName(row))
            .arg(row + 1);
    QString text;
    if (reach.key && reach.value)
        text = QCoreApplication::translate(
            "Scene", "\u201c%1\u201d, token %2: its row of K and its row of V in the cache are wrong.");
    else if (reach.key)
        text = QCoreApplication::translate(
            "Scene", "\u201c%1\u201d, token %2: its row of K in the cache is wrong; that of V is not.");
    else if (reach.value)
        text = QCoreApplication::translate(
            "Scene", "\u201c%1\u201d, token %2: its row of V in the cache is wrong; that of K is not.");
    else
        text = QCoreApplication::translate(
            "Scene", "\u201c%1\u201d, token %2: its rows of K and V in the cache stay right.");
    text = text.arg(tokenName(row)).arg(row + 1);
    const Stage stage = m_options.edited.stage;
    if (stage != Stage::X && stage != Stage::Xkv)
        return text;
    if (!reach.key)
        text += u' ' + whyKept(Stage::K, Stage::Kr, QStringLiteral("K"));
    if (!reach.value)
        text += u' ' + whyKept(Stage::V, Stage::V, QStringLiteral("V"));
    return text;
}

/// Why a row of K or V does not follow from the input.
QString DecodeReachCard::whyKept(Stage stage, Stage rotated, const QString &name) const
{
    const Experiment &experiment = m_draft.maps().experiment();
    if (experiment.isGiven(stage) || experiment.isGiven(rotated))
        return QCoreApplication::translate("Scene", "%1 is given: it does not follow from the input.")
            .arg(name);
    if (!experiment.pinsOf(stage).isEmpty() || !experiment.pinsOf(rotated).isEmpty())
        return QCoreApplication::translate("Scene", "%1 is set by hand: it does not follow from the input.")
            .arg(name);
    return QCoreApplication::translate("Scene", "W of %1 is zero: nothing of the input enters it.").arg(name);
}

QString DecodeReachCard::staleOutputText() const
{
    const EditReach &reach = m_options.reach;
    const auto count = static_cast<Index>(reach.outputs.size());
    if (count == 0)
        return whyNoOutput();
    if (count == 1)
        return reach.outputs.front() == m_options.edited.row
                   ? QCoreApplication::translate("Scene", "One output is wrong: its own, row %1.")
                         .arg(reach.outputs.front() + 1)
                   : QCoreApplication::translate("Scene", "One output is wrong: row %1, which looks at it.")
                         .arg(reach.outputs.front() + 1);
    constexpr Index mostNamed = 8;
    QStringList names;
    for (Index i = 0; i < std::min(count, mostNamed); ++i)
        names.append(QString::number(reach.outputs[static_cast<std::size_t>(i)] + 1));
    if (count > mostNamed)
        names.append(QStringLiteral("…"));
    const QString list = names.join(QStringLiteral(", "));
    return count == m_picture.step.endRow()
               ? QCoreApplication::translate("Scene", "Every output so far is wrong: rows %1 look at it.")
                     .arg(list)
               : QCoreApplication::translate(
                     "Scene", "%1 of the %2 outputs so far are wrong: rows %3, which look at it.")
                     .arg(count)
                     .arg(m_picture.step.endRow())
                     .arg(list);
}

QString DecodeReachCard::whyNoOutput() const
{
    const EditReach &reach = m_options.reach;
    const Experiment &experiment = m_draft.maps().experiment();
    if (!reach.query && !reach.key && !reach.value)
        return QCoreApplication::translate("Scene", "No output is wrong.");
    if (!reach.query && !reach.isSeen)
        return QCoreApplication::translate("Scene",
                                           "No output that is there yet is wrong: none looks at it.");
    constexpr std::array later = {Stage::Scores,  Stage::Scaled, Stage::Masked, Stage::A,
                                  Stage::HeadOut, Stage::Concat, Stage::Output};
    const bool isByHand =
        std::ranges::any_of(later, [&](Stage stage) { return !experiment.pinsOf(stage).isEmpty(); });
    return isByHand ? QCoreApplication::translate("Scene",
                                                  "No output is wrong: numbers set by hand further on do not "
                                                  "follow from it.")
                    : QCoreApplication::translate("Scene", "No output is wrong: no weight depends on it.");
}

/// What follows in other rows and layers.
QString DecodeReachCard::laterText() const
{
    if (isOfQuery())
        return QCoreApplication::translate(
            "Scene", "Other rows do not look at a query: what they gave before stays right.");
    if (m_options.reach.outputs.empty())
        return {};
    return m_draft.maps().experiment().isSelfAttention()
               ? QCoreApplication::translate("Scene",
                                             "In a model of several layers every later row of K and V goes "
                                             "with them: decoding starts again at this token.")
               : QCoreApplication::translate(
                     "Scene", "Nothing follows from it in time: the keys are of another sequence, and the "
                              "other rows of K and V stay as they are.");
}

} // namespace attn
