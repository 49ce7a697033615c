#pragma once

#include "ActionRegistry.h"

#include <QDialog>

namespace attn {

/// Every action with its keys, made from the actions themselves, and the keys of the cell grid.
class ShortcutsDialog : public QDialog
{
    Q_OBJECT

public:
    ShortcutsDialog(const QList<ActionRegistry::Entry> &entries, QWidget *parent);
};

} // namespace attn
