#pragma once

#include "document/OutlineModel.h"
#include "views/ListPane.h"

namespace attn {

class Workbench;

/// The stages of the experiment; choosing one selects it in all views.
class OutlineView : public ListPane
{
    Q_OBJECT

public:
    explicit OutlineView(Workbench *workbench, QWidget *parent = nullptr);

private:
    OutlineView(Workbench *workbench, OutlineModel *model, QWidget *parent);
    void showSelectedStage();
    void onCurrentChanged(const QModelIndex &current);

    Workbench *m_workbench;
    OutlineModel *m_model;
    bool m_following = false;
};

} // namespace attn
