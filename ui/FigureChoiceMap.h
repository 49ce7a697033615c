#pragma once

#include "dialogs/ExportDialog.h"

#include <QVariantMap>

namespace attn {

/// The export dialog's choice as settings, and back; what is missing keeps its default.
QVariantMap toVariantMap(const FigureChoice &choice);
FigureChoice figureChoiceFrom(const QVariantMap &map);

} // namespace attn
