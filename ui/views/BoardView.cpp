#include "views/BoardView.h"

#include "Workbench.h"

#include <algorithm>

namespace attn {

BoardView::BoardView(Workbench *workbench, EditController *edits, QWidget *parent)
    : SceneWorkspace(workbench, edits, parent)
{
    view()->setAccessibleName(tr("Board"));
}

Scene BoardView::buildScene(const SnapshotPtr &snapshot, const DisplayOptions &display)
{
    const ViewState &state = workbench()->viewState();
    return boardScene(snapshot, display, BoardOptions{state.tileHeads, state.head});
}

void BoardView::showHead(Index head)
{
    ViewState state = workbench()->viewState();
    state.head = std::clamp<Index>(head, 0, workbench()->experiment().nHeads - 1);
    workbench()->setViewState(std::move(state));
}

void BoardView::onControl(const QString &id)
{
    using namespace Qt::StringLiterals;
    const Index head = workbench()->viewState().head;
    if (id == u"head:next"_s)
        showHead(head + 1);
    else if (id == u"head:prev"_s)
        showHead(head - 1);
    else if (id.startsWith(u"head:"_s))
        showHead(id.mid(5).toInt());
}

} // namespace attn
