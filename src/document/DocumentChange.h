#pragma once

#include "base/Generation.h"

#include <QString>
#include <QStringList>

namespace attn {

/// What one accepted change of a document was; sent by Document::changed.
struct DocumentChange
{
    enum class Cause
    {
        Edit,
        Undo,
        Redo,
        Loaded, ///< another experiment altogether: views start afresh
    };

    Cause cause = Cause::Edit;
    Generation generation;
    QString text;      ///< "Set X[love, f3]"
    QStringList notes; ///< what the edit had to drop, for the status bar
    bool tokensChanged = false;
    bool structureChanged = false; ///< stages came, went or changed shape: rebuild layouts
};

} // namespace attn
