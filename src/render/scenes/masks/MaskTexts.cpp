#include "render/MasksScene.h"

#include <QCoreApplication>
#include <QStringList>

namespace attn {

QString maskPartName(MaskPart part)
{
    switch (part) {
    case MaskPart::Causal:
        return QCoreApplication::translate("Scene", "causal");
    case MaskPart::Window:
        return QCoreApplication::translate("Scene", "window");
    case MaskPart::Padding:
        return QCoreApplication::translate("Scene", "padding");
    case MaskPart::Boolean:
        return QCoreApplication::translate("Scene", "boolean mask");
    case MaskPart::Additive:
        return QCoreApplication::translate("Scene", "additive");
    case MaskPart::Alibi:
        return QCoreApplication::translate("Scene", "ALiBi");
    }
    return {};
}

QString hiddenByText(MaskPartSet parts)
{
    if (parts.isEmpty())
        return QCoreApplication::translate("Scene", "allowed");
    QStringList names;
    for (const MaskPart part : parts.parts())
        names.append(maskPartName(part));
    return QCoreApplication::translate("Scene", "hidden by %1").arg(names.join(QStringLiteral(", ")));
}

QString keepConventionText()
{
    return QCoreApplication::translate(
        "Scene", "true = keep: 1 lets the query see the key, 0 hides it. So boolean masks are kept here.");
}

QString dropConventionText()
{
    return QCoreApplication::translate(
        "Scene",
        "true = drop: 1 hides the key from the query, 0 lets it be seen. The same mask, 0 and 1 swapped.");
}

} // namespace attn
