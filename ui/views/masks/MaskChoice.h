#pragma once

#include "engine/masks/MaskCells.h"
#include "engine/masks/MaskPainting.h"

#include <QJsonObject>
#include <QString>

#include <optional>

namespace attn {

/// What the masks workspace shows and paints with; saved with the view state.
struct MaskChoice
{
    enum class Ink
    {
        Drop,
        Keep,
        Number, ///< into the additive mask
    };
    /// What the mask is compared with.
    enum class Against
    {
        NoMask,
        AsOpened,
        Kept,
        WithoutPart, ///< the same mask without `part`
    };

    Stage mask = Stage::MaskBool; ///< painted: MaskBool, MaskAdd or MaskPadding
    Ink ink = Ink::Drop;
    double number = -1.0; ///< of Ink::Number
    bool allHeads = true;
    bool rectangles = false;
    MaskStamp stamp;
    bool trueIsDrop = false;
    Against against = Against::NoMask;
    MaskPart part = MaskPart::Causal;
    QString kept;     ///< a small kept mask as document text; larger ones live as long as the window
    QString keptName; ///< when it was kept

    /// What this ink, or its opposite, writes into a mask.
    double valueFor(Stage painted, bool isOther) const;

    QJsonObject toJson() const;
    static MaskChoice fromJson(const QJsonObject &object);
    bool operator==(const MaskChoice &) const = default;
};

} // namespace attn
