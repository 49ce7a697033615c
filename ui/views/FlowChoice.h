#pragma once

#include "engine/Snapshot.h"
#include "render/FlowScene.h"

#include <QJsonObject>
#include <QString>

#include <vector>

namespace attn {

/// What the flow workspace shows; saved with the view state.
struct FlowChoice
{
    enum class Picture
    {
        Tokens, ///< key tokens -> query tokens
        Query,  ///< as RowFlowKind
        Key,
        Value,
        HeadOut,
        HeadContribution,
        Output,
    };
    /// Where contributions point.
    enum class Toward
    {
        Cell,   ///< one cell of the output
        Column, ///< one column of it
        Row,    ///< along the output row of a token
        Typed,  ///< along the numbers typed
    };
    enum class Alone
    {
        None,
        Source,
        Target,
    };

    Picture picture = Picture::Tokens;
    std::vector<Index> heads; ///< empty = all; pictures of a row use the first
    FlowMeasure measure = FlowMeasure::Weight;
    Toward toward = Toward::Column;
    Index column = 0; ///< of the output
    Index token = 0;  ///< query token of Toward::Cell and Toward::Row; the row that is followed
    QString typed;
    double mass = 1.0;
    double threshold = 0.0;
    Index mostLinks = 600;
    FlowLayout layout = FlowLayout::SideBySide;
    Alone alone = Alone::None;
    Index aloneToken = 0;

    bool isRow() const { return picture != Picture::Tokens; }
    RowFlowKind rowKind() const;
    Index head() const { return heads.empty() ? 0 : heads.front(); }
    FlowFilter filter() const { return {mass, threshold, mostLinks}; }

    QJsonObject toJson() const;
    static FlowChoice fromJson(const QJsonObject &object);
    /// Brought inside what the snapshot has.
    FlowChoice fittedTo(const Snapshot &snapshot) const;

    bool operator==(const FlowChoice &) const = default;
};

/// The numbers of a typed direction, separated by blanks, commas or semicolons; empty when one is no number.
std::vector<double> typedDirection(const QString &text);

/// What the choice asks of the engine, without the token that is alone.
FlowQuestion flowQuestionOf(const FlowChoice &choice, const Snapshot &snapshot);
/// "output column f2", "the output row of love", "the typed direction".
QString directionNameOf(const FlowChoice &choice, const Snapshot &snapshot);

} // namespace attn
