#pragma once

#include "document/EditTarget.h"
#include "engine/Types.h"

#include <QObject>

#include <vector>

class QMenu;
class QWidget;

namespace attn {

class ActionRegistry;
class Workbench;

/// Spreadsheet edits on the selection: turns what a view or the clipboard asks for into one undo step each.
class EditController : public QObject
{
    Q_OBJECT

public:
    EditController(Workbench *workbench, QWidget *window);

    void addActions(ActionRegistry &actions, QMenu *menu);

    /// Typed numbers: sets given cells, pins computed ones. False when refused.
    bool setCells(const EditTarget &target, std::vector<CellValue> cells, int gesture = 0);
    /// The same number in every cell of the selection.
    bool fillSelection(double value);
    /// Selected block as TSV and HTML; optionally with the labels of its rows and columns.
    void copy(bool withLabels = false);
    void cut();
    void paste();
    /// Unpins pinned cells, writes 0 into given ones.
    void clear();
    /// Repeats the first row (column) of the selection through the others.
    void fillDown();
    void fillRight();
    /// Fills the whole selected matrix after a dialog: zeros, identity, random, one-hot, transpose.
    void askToFillStage();
    void selectAll();
    void unpinSelected();
    void pinSelected();

    /// The selected block as LaTeX, NumPy or Markdown text.
    enum class TextForm
    {
        Latex,
        Numpy,
        Markdown,
    };
    void copyAs(TextForm form);
    void copyDerivation(bool asLatex);

private:
    struct Block;
    Block selectedBlock() const;
    bool mayRead(const Block &block);
    void fill(bool down);
    void fillStage(const struct MatrixFill &fill);
    bool pasteBlock(const struct PastedBlock &pasted);

    Workbench *m_workbench;
    QWidget *m_window;
};

} // namespace attn
