#pragma once

#include "base/Generation.h"
#include "engine/Edit.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace attn {

/// What one accepted change of a document was; sent by Document::changed.
struct DocumentChange
{
    enum class Cause
    {
        Edited,
        Undone,
        Redone,
        Loaded, ///< another experiment altogether: views start afresh
    };

    Cause cause = Cause::Edited;
    Generation generation;
    QString text;                     ///< "Set X[love, f3]"
    QStringList notes;                ///< what the edit had to drop, for the status bar
    std::shared_ptr<const Edit> edit; ///< what was carried out; null for all but Edited
    int gesture = 0;                  ///< of the edit, as given to Document::apply
    std::optional<StageCell> place;   ///< where it happened, so that undo can show it
    bool tokensChanged = false;
    bool structureChanged = false; ///< stages came, went or changed shape: rebuild layouts
};

} // namespace attn
