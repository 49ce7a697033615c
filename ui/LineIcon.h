#pragma once

#include <QIcon>
#include <QString>

namespace attn {

/// An icon of resources/icons by its file name without suffix, drawn in the colour of the palette's text
/// whenever it is painted, so that it follows the theme. Unknown names give a null icon.
QIcon lineIcon(const QString &name);

} // namespace attn
