#pragma once

#include "views/SceneWorkspace.h"

namespace attn {

/// The whole pipeline: every stage a card.
class BoardView : public SceneWorkspace
{
    Q_OBJECT

public:
    BoardView(Workbench *workbench, EditController *edits, QWidget *parent = nullptr);

protected:
    Scene buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display) override;
    void onControl(const QString &id) override;

private:
    void showHead(Index head);
};

} // namespace attn
