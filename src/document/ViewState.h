#pragma once

#include "engine/Stage.h"
#include "engine/StageValues.h"
#include "engine/Types.h"

#include <QJsonObject>
#include <QString>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace attn {

/// Range of a colour scale as the user chose it.
struct RangeChoice
{
    enum class Mode
    {
        PerHead, ///< each head its own automatic range
        Shared,  ///< one automatic range over all heads
        Fixed,
    };
    Mode mode = Mode::Shared;
    double minimum = 0.0;
    double maximum = 1.0;

    bool operator==(const RangeChoice &) const = default;
};

/// What the user looks at; saved with the document, never part of undo. Unknown keys are kept by the file
/// layer.
struct ViewState
{
    QString workspace = QStringLiteral("board");
    Stage stage = Stage::X;
    CellIndex cell;
    QString scratch; ///< not empty: selected is scratchCell of this scratch matrix; `cell` was before
    CellIndex scratchCell;
    Index head = 0;        ///< the head in focus where one is shown at a time
    bool tileHeads = true; ///< board: all heads side by side instead of one page
    int decimals = 2;      ///< display digits
    QString sequentialMap = QStringLiteral("viridis");
    QString divergingMap = QStringLiteral("blue-orange");
    std::map<Stage, RangeChoice> ranges; ///< default: automatic, shared
    Pooling pooling = Pooling::Max;
    double zoom = 0.0; ///< 0 = fit
    // footprints workspace
    int footprintTarget = 0;           ///< as FootprintTarget
    std::vector<Index> footprintOrder; ///< empty = token order
    std::set<Index> mutedTokens;
    Index footprintCount = -1; ///< how many layers are accumulated; -1 = all
    /// What the other workspaces keep, by workspace name ("products"); each reads its own object and takes
    /// what makes no sense for absent. Values that are no objects are dropped when read.
    QJsonObject workspaces;

    /// The object of one workspace; empty when there is none.
    QJsonObject workspaceState(const QString &name) const { return workspaces.value(name).toObject(); }
    /// The same view state with this object.
    ViewState withWorkspaceState(const QString &name, const QJsonObject &state) const;

    QJsonObject toJson() const;
    static ViewState fromJson(const QJsonObject &object);
    bool operator==(const ViewState &) const = default;
};

} // namespace attn
