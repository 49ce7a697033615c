#pragma once

#include <QColor>
#include <QFont>

namespace attn {

/// Colours and fonts of everything drawn that is not data. One accent for selection; data colours come from
/// colour maps only. Lengths are device-independent pixels on an 8 px grid.
struct Theme
{
    QColor ground; ///< behind everything
    QColor card;   ///< behind a stage
    QColor hairline;
    QColor text;
    QColor mutedText;
    QColor accent; ///< selection, cross-hair, focus
    QColor pin;    ///< badge and corner of numbers set by hand
    QColor warning;
    QColor missing; ///< NaN, drawn hatched
    QColor masked;  ///< -inf, drawn with its own hatching
    bool isDark = false;
    bool transparentGround = false; ///< exports only

    QFont textFont;   ///< labels, captions
    QFont numberFont; ///< tabular digits
    QFont symbolFont; ///< mathematics

    static Theme light();
    static Theme dark();
};

} // namespace attn
