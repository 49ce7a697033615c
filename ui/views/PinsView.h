#pragma once

#include "document/PinModel.h"
#include "views/ListPane.h"

namespace attn {

class Workbench;

/// The numbers set by hand over computed ones, with unpin.
class PinsView : public ListPane
{
    Q_OBJECT

public:
    explicit PinsView(Workbench *workbench, QWidget *parent = nullptr);

    void unpinSelected();
    void unpinAll();

private:
    PinsView(Workbench *workbench, PinModel *model, QWidget *parent);

    Workbench *m_workbench;
    PinModel *m_model;
};

} // namespace attn
